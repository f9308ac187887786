#include "euler.h"

#include "memory.h"
#include "sample.h"

/* Euler's takes about 10 ms a contact, the reference 0.1 ms. */
enum { EULER_SAMPLE = 24, REFERENCE_SAMPLE = 500 };

static contact_sample contacts;
static double *steps;

/* Moves the contacts that have a step to the front, with their steps. */
static void find_steps(void) {
    steps = allocated(contacts.count, sizeof *steps);
    size_t found = 0;
    for (size_t i = 0; i < contacts.count; i++) {
        double step;
        if (!reference_euler_step(&contacts.contacts[i], IMPINGE_RULE_STRONGE, EULER_ACCURACY,
                                  &step))
            continue;
        contacts.contacts[found] = contacts.contacts[i];
        for (int axis = 0; axis < 3; axis++)
            contacts.accurate[found][axis] = contacts.accurate[i][axis];
        steps[found++] = step;
    }
    contacts.count = found;
}

/* Euler's error is proportional to the step. */
static void adjust_steps(void) {
    const double factor = EULER_ACCURACY / euler_run().errors.mean;
    for (size_t i = 0; i < contacts.count; i++)
        steps[i] *= factor;
}

bool euler_begin(void) {
    if (steps) return contacts.count > 0;
    contacts = sample_new(EULER_SAMPLE);
    find_steps();
    if (contacts.count == 0) return false;
    adjust_steps();
    return true;
}

size_t euler_contacts(void) { return contacts.count; }

static void add_result(const reference_result_double *result, double velocity[3],
                       euler_pass *pass) {
    for (int axis = 0; axis < 3; axis++)
        velocity[axis] = result->u[axis];
    pass->steps += result->evaluations;
}

euler_pass euler_run(void) {
    double velocities[EULER_SAMPLE][3];
    euler_pass pass = {0};
    for (size_t i = 0; i < contacts.count; i++) {
        reference_result_double result;
        reference_resolve_routh_euler(&contacts.contacts[i], IMPINGE_RULE_STRONGE, steps[i],
                                      &result);
        add_result(&result, velocities[i], &pass);
    }
    pass.errors = sample_errors(&contacts, velocities);
    return pass;
}

static contact_sample reference_sample;

void reference_begin(void) {
    if (reference_sample.count == 0) reference_sample = sample_new(REFERENCE_SAMPLE);
}

size_t reference_contacts(void) { return reference_sample.count; }

euler_pass reference_run(void) {
    static double velocities[REFERENCE_SAMPLE][3];
    euler_pass pass = {0};
    for (size_t i = 0; i < reference_sample.count; i++) {
        reference_result_double result;
        reference_resolve_routh_double(&reference_sample.contacts[i], IMPINGE_RULE_STRONGE, false,
                                       &result);
        add_result(&result, velocities[i], &pass);
    }
    pass.errors = sample_errors(&reference_sample, velocities);
    return pass;
}
