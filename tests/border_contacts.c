#include "border_contacts.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "../tools/support/random.h"
#include "adversarial_contacts.h"
#include "batches.h"
#include "random_contacts.h"

/* What became of a contact in f64, without the estimates of errors. */
static uint32_t branch_of(bool in_plane, impinge_restitution_rule rule,
                          const double row[CONTACT_INPUTS]) {
    static batch_f64 one;
    if (!one.out) one = batch_new_f64(LEVEL_CONTACTS, 1);
    const impinge_options options = {.rule = rule};
    batch_set_row_f64(&one, 0, row);
    if (in_plane)
        batch_resolve_in_plane_f64(&one, 0, 1, &options);
    else
        batch_resolve_f64(&one, 0, 1, &options, NULL);
    return one.outcome[0] &
           ~(uint32_t)(IMPINGE_OUTCOME_TOLERANCE_MISSED | IMPINGE_OUTCOME_ENERGY_GAINED |
                       IMPINGE_OUTCOME_OUTSIDE_REGION);
}

static void set_between(const double from[CONTACT_INPUTS], int input, double value,
                        double row[CONTACT_INPUTS]) {
    memcpy(row, from, CONTACT_INPUTS * sizeof *row);
    row[input] = value;
    if (input == IN_FRICTION) row[IN_FRICTION_STATIC] *= value / from[IN_FRICTION];
}

/* The contact whose outcome may have a border near it. */
static void draw_base(uint64_t *state, int bits, bool in_plane, double row[CONTACT_INPUTS]) {
    static const adversarial_kind kinds[] = {ADVERSARIAL_FALLING, ADVERSARIAL_NEAR_JAM,
                                             ADVERSARIAL_CRITICAL, ADVERSARIAL_GRADED,
                                             ADVERSARIAL_STATIC};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    memset(row, 0, CONTACT_INPUTS * sizeof *row);
    const unsigned kind = random_below(state, KINDS + 2);
    if (kind < KINDS)
        adversarial_contact(state, kinds[kind], bits, row);
    else
        random_contact(state, kind == KINDS ? RANDOM_BOXES : RANDOM_DEFINITE, 0, row);
    if (in_plane) row[IN_K12] = row[IN_K23] = row[IN_U2] = 0;
}

/*
 * The last value of an input, from that of `base` towards `other`, with the outcome of `base`. NaN
 * if `other` has it, too, or one of them is invalid.
 */
static double border_of(bool in_plane, impinge_restitution_rule rule,
                        const double base[CONTACT_INPUTS], int input, double other) {
    double row[CONTACT_INPUTS];
    const uint32_t branch = branch_of(in_plane, rule, base);
    set_between(base, input, other, row);
    const uint32_t other_branch = branch_of(in_plane, rule, row);
    if (branch == other_branch || (branch | other_branch) & IMPINGE_OUTCOME_INVALID) return NAN;
    double same = base[input];
    for (int digit = 0; digit < DBL_MANT_DIG; digit++) {
        const double middle = 0.5 * (same + other);
        set_between(base, input, middle, row);
        if (branch == branch_of(in_plane, rule, row))
            same = middle;
        else
            other = middle;
    }
    return same;
}

void border_contact(uint64_t *state, int bits, bool in_plane, double row[CONTACT_INPUTS]) {
    enum { TRIES = 8 };
    static const int inputs[] = {IN_U3,          IN_U3, IN_FRICTION, IN_FRICTION_STATIC,
                                 IN_RESTITUTION, IN_U1, IN_K13};
    const impinge_restitution_rule rule = (impinge_restitution_rule)random_below(state, 3);
    for (int i = 0; i < TRIES; i++) {
        double base[CONTACT_INPUTS];
        draw_base(state, bits, in_plane, base);
        memcpy(row, base, sizeof base);
        const int input = inputs[random_below(state, sizeof inputs / sizeof *inputs)];
        if (base[input] == 0 || !isfinite(base[input])) continue;
        double other = base[input] * ldexp(random_positive(state), 2);
        if (input == IN_RESTITUTION) other = fmin(other, 1);
        const double border = border_of(in_plane, rule, base, input, other);
        if (isnan(border)) continue;
        const int digits = (int)random_below(state, bits == 32 ? FLT_MANT_DIG : DBL_MANT_DIG);
        set_between(base, input, border * (1 + ldexp(random_between(state, -1, 1), -digits)), row);
        for (size_t k = 0; bits == 32 && k < CONTACT_INPUTS; k++)
            row[k] = (double)(float)row[k];
        if (!(branch_of(in_plane, rule, row) & IMPINGE_OUTCOME_INVALID)) return;
        memcpy(row, base, sizeof base);
    }
}
