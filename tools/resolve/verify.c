#include "verify.h"

#include <math.h>

#include "collision.h"
#include "reference_planar.h"
#include "support/random.h"
#include "widen.h"

/* The reference's impulse, along the axes in which the batch has its own. */
typedef struct reference_impulse {
    long double p[3];
    long double condition; /* see collision_condition */
    uint32_t outcome;
    bool found; /* the reference found an answer */
} reference_impulse;

typedef struct verifying {
    const batch *resolved;
    const impinge_options *options;
    double bound;  /* of the error, at a condition number of 1 */
    double change; /* of the inputs, to find condition numbers: as small as the tolerance */
} verifying;

enum { CONDITION_TRIALS = 3 };

/* Resolves by the planar reference, which does not check whether restitution may be above 1. */
static void resolve_planar(const reference_contact_long *contact, const impinge_options *options,
                           reference_result_long *result) {
    const reference_planar_contact_long planar = reference_contact_in_plane_long(contact);
    *result = (reference_result_long){.outcome = IMPINGE_OUTCOME_INVALID};
    if (contact->restitution > 1 && !options->restitution_above_one) return;
    reference_planar_result_long found;
    reference_resolve_planar_long(&planar, options->rule, options->resolve_jams, &found);
    *result = (reference_result_long){.p = {found.pt, 0, found.pn}, .outcome = found.outcome};
}

static long double length(const long double v[3]) { return hypotl(hypotl(v[0], v[1]), v[2]); }

static reference_impulse resolve_by_reference(const widened_contact *from,
                                              const impinge_options *options) {
    reference_contact_long contact;
    reference_frame_long frame;
    reference_impulse impulse = {.outcome = widened_set_up(from, &contact, &frame), .found = true};
    if (impulse.outcome) return impulse;
    reference_result_long result;
    if (batch_is_planar(from->kind))
        resolve_planar(&contact, options, &result);
    else
        impulse.found = reference_resolve_long(&contact, options, &result);
    impulse.outcome = result.outcome;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++)
            impulse.p[i] += frame.rows[j][i] * result.p[j];
    impulse.condition = collision_condition(&contact, length(impulse.p));
    return impulse;
}

/* |a - b| / |b|; if b is zero, relative to a, so that only equality is no error. */
static double relative_difference(const long double a[3], const long double b[3]) {
    long double difference[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    long double size = length(b) > 0 ? length(b) : length(a);
    return size > 0 ? (double)(length(difference) / size) : 0;
}

/* 1 + change or 1 - change. */
static long double random_factor(double change, uint64_t *state) {
    return 1 + (long double)(random_bits(state) & 1 ? change : -change);
}

/*
 * Changes a coefficient as the inputs are changed. A legal one stays legal, and 0 stays 0, since it
 * may mean "left out".
 */
static long double changed_coefficient(const verifying *work, enum coefficient which,
                                       long double value, uint64_t *state) {
    const long double to = value * random_factor(work->change, state);
    return to == 0 ? to : coefficient_limited(which, to, work->options->restitution_above_one);
}

static widened_contact changed(const verifying *work, const widened_contact *from,
                               uint64_t *state) {
    widened_contact to = *from;
    for (size_t i = 0; i < BATCH_INPUTS_MAX; i++)
        to.inputs[i] *= random_factor(work->change, state);
    for (size_t i = 0; i < COEFFICIENTS; i++)
        to.coefficients[i] =
            changed_coefficient(work, (enum coefficient)i, from->coefficients[i], state);
    /* One coefficient for both frictions stays one. */
    if (from->coefficients[FRICTION_STATIC] == from->coefficients[FRICTION])
        to.coefficients[FRICTION_STATIC] = to.coefficients[FRICTION];
    to.coefficients[FRICTION_STATIC] =
        fmaxl(to.coefficients[FRICTION_STATIC], to.coefficients[FRICTION]);
    /* A diagonal K made from changed bodies is not quite one; it counts as one all the same. */
    to.unit = 1;
    return to;
}

/*
 * The larger of two numbers: the effect of a change of the inputs on the impulse; and the effect of
 * K^-1 on the error of a velocity, which the library bounds, and on the rounding of K.
 */
static double condition_of(const verifying *work, uint64_t state, const widened_contact *contact,
                           const reference_impulse *right) {
    double condition = isfinite(right->condition) ? (double)right->condition : 1;
    for (int i = 0; i < CONDITION_TRIALS; i++) {
        widened_contact other = changed(work, contact, &state);
        reference_impulse impulse = resolve_by_reference(&other, work->options);
        condition = fmax(condition, relative_difference(impulse.p, right->p) / work->change);
    }
    return condition;
}

/*
 * True if only one of reference and library may call a contact invalid. The library's precision
 * decides which numbers fit, including a u0 made from bodies, whether a matrix is positive
 * definite, and whether one made from bodies is diagonal. And an inverse inertia that is not even
 * semidefinite may show it in the body's frame, which the library checks, and not in the world's,
 * which the reference checks.
 */
static bool may_disagree(const widened_contact *contact, uint32_t outcome) {
    const bool in_contact_space =
        contact->kind == BATCH_CONTACTS || contact->kind == BATCH_PLANAR_CONTACTS;
    uint32_t either = IMPINGE_OUTCOME_INVALID_MATRIX | IMPINGE_OUTCOME_OUT_OF_RANGE |
                      IMPINGE_OUTCOME_NOT_DIAGONAL;
    if (!in_contact_space) either |= IMPINGE_OUTCOME_INVALID_VELOCITY;
    if (contact->turned[0] || contact->turned[1]) either |= IMPINGE_OUTCOME_INVALID_MASS;
    return outcome & either;
}

/*
 * True if an impulse is so far from the ends of the precision's range that no number of the contact
 * can be out of it, short of masses or sizes that do not exist.
 */
static bool is_ordinary(const long double p[3], precision of) {
    long double far = of == PRECISION_F32 ? 1e15L : 1e150L;
    return length(p) < far && length(p) > 1 / far;
}

/* Returns whether there were two impulses to compare. */
static bool compare(const verifying *work, size_t row, deviation *found) {
    widened_contact contact = widen(work->resolved, row);
    reference_impulse right = resolve_by_reference(&contact, work->options);
    uint32_t outcome = work->resolved->outcomes[row];
    bool invalid = outcome & IMPINGE_OUTCOME_INVALID;
    bool reference_invalid = right.outcome & IMPINGE_OUTCOME_INVALID;
    found->error = (double)INFINITY;
    found->allowed = work->bound;
    if (invalid && reference_invalid) return false;
    if (invalid || reference_invalid) return !may_disagree(&contact, outcome | right.outcome);
    if (!right.found) return true;
    if (outcome & IMPINGE_OUTCOME_OUT_OF_RANGE && !is_ordinary(right.p, work->resolved->precision))
        return false;
    long double p[3] = {0};
    for (size_t i = 0; i < batch_axes(work->resolved->kind); i++)
        p[i] = numbers_get(&work->resolved->outputs[BATCH_IMPULSE + i], row);
    found->error = relative_difference(p, right.p);
    if (!(found->error <= work->bound))
        found->allowed *= fmax(1, condition_of(work, found->row, &contact, &right));
    return true;
}

/* Ties go to the first row, so that the threads' order does not matter. */
static bool is_larger(double a, size_t row_a, double b, size_t row_b) {
    return a > b || (a == b && row_a < row_b);
}

static void take_larger(verification *sum, const deviation *largest, const deviation *worst) {
    if (!sum->compared ||
        is_larger(largest->error, largest->row, sum->largest.error, sum->largest.row))
        sum->largest = *largest;
    if (!sum->compared || is_larger(worst->error / worst->allowed, worst->row,
                                    sum->worst.error / sum->worst.allowed, sum->worst.row))
        sum->worst = *worst;
}

void verification_add(verification *sum, const verification *more) {
    if (!more->compared) return;
    take_larger(sum, &more->largest, &more->worst);
    sum->compared += more->compared;
    sum->failed += more->failed;
}

verification verify_batch(const batch *resolved, const impinge_options *options,
                          const verify_rows *rows) {
    bool single = resolved->precision == PRECISION_F32;
    double tolerance = single ? 1e-6 : 1e-12;
    const verifying work = {.resolved = resolved,
                            .options = options,
                            .bound =
                                (single ? 2e-6 : 1e-11) * fmax(1, options->tolerance / tolerance),
                            .change = tolerance};
    verification sum = {0};
    for (size_t i = 0; i < resolved->count; i++) {
        const size_t row = rows->first + i;
        if (row % rows->every != 0) continue;
        deviation found = {.row = row, .line = rows->rows ? rows->rows[i].line : 0};
        if (!compare(&work, i, &found)) continue;
        const verification one = {1, !(found.error <= found.allowed), found, found};
        verification_add(&sum, &one);
    }
    return sum;
}
