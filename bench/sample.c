#include "sample.h"

#include <math.h>

#include "memory.h"
#include "sets.h"

static reference_contact_double contact_of(const double *row) {
    return (reference_contact_double){
        .k11 = row[IN_K11],
        .k12 = row[IN_K12],
        .k13 = row[IN_K13],
        .k22 = row[IN_K22],
        .k23 = row[IN_K23],
        .k33 = row[IN_K33],
        .u = {row[IN_U1], row[IN_U2], row[IN_U3]},
        .restitution = row[IN_RESTITUTION],
        .friction = row[IN_FRICTION],
        .friction_static = row[IN_FRICTION_STATIC],
    };
}

static void resolve_accurately(const reference_contact_double *contact, double u[3]) {
    const reference_contact_long wide = reference_contact_widened(contact);
    reference_result_long result;
    reference_resolve_routh_long(&wide, IMPINGE_RULE_STRONGE, false, &result);
    for (int i = 0; i < 3; i++)
        u[i] = (double)result.u[i];
}

contact_sample sample_new(size_t count) {
    const contact_rows *rows = &set_get(SET_BOXES)->rows;
    contact_sample sample = {
        .count = count,
        .contacts = allocated(count, sizeof *sample.contacts),
        .accurate = allocated(count, sizeof *sample.accurate),
    };
    for (size_t i = 0; i < count; i++) {
        sample.contacts[i] = contact_of(rows_at(rows, i));
        resolve_accurately(&sample.contacts[i], sample.accurate[i]);
    }
    return sample;
}

static double size_of(const double u[3]) { return hypot(hypot(u[0], u[1]), u[2]); }

run_errors sample_errors(const contact_sample *sample, double (*velocities)[3]) {
    run_errors errors = {0};
    for (size_t i = 0; i < sample->count; i++) {
        double difference[3];
        for (int axis = 0; axis < 3; axis++)
            difference[axis] = velocities[i][axis] - sample->accurate[i][axis];
        const double error = size_of(difference) / size_of(sample->contacts[i].u);
        errors.mean += error / (double)sample->count;
        errors.largest = fmax(errors.largest, error);
    }
    return errors;
}
