/*
 * Whole lanes of ordinary contacts by the laws in closed form: the same arithmetic as
 * resolve_each's, and so the same bits, without the checks that other contacts need.
 *
 * An ordinary contact approaches or separates, has sizes that need no second power of two
 * (SCALE_FAR), legal numbers and a result in range. Most errors of a contact make its result NaN.
 * So the sizes of K and u0 are tested, and that K is definite; one test of the result finds all
 * other errors. A vector with a lane that is not ordinary is left to resolve_each.
 */
#ifndef IMPINGE_KERNELS_ORDINARY_H
#define IMPINGE_KERNELS_ORDINARY_H

#include "algebraic.h"

/* The sets of outputs for which the loop is compiled. */
typedef enum outputs {
    OUTPUTS_ALL,          /* every one: no pointer is tested */
    OUTPUTS_WITHOUT_WORK, /* no works, and some of the others */
    OUTPUTS_ANY
} outputs_t;

/* The options with which some of a law's lanes are ordinary. */
static inline bool has_ordinary(const impinge_options *options) {
    return !options->restitution_above_one && !options->resolve_jams &&
           !options->limit_impulse_ratios;
}

/*
 * Sizes that scale_of divides by one power of two, and at which no result overflows if the
 * normalised impulses are at most ORDINARY_IMPULSE: with those of f32, K is above 2^-25 and u0
 * below 2^24, an impulse's scale is at most 2^49 and a work's 2^73. Normalised, a definite K is
 * below 4, the velocity after below 2^20 and a work below 2^37.
 */
#if IMPINGE_REAL_BITS == 32
#define MATRIX_LEAST  0x1p-24f
#define VELOCITY_MOST 0x1p24f
#else
#define MATRIX_LEAST  0x1p-192
#define VELOCITY_MOST 0x1p192
#endif
static inline mask_t are_ordinary_sizes(lanes_t k, lanes_t u) {
    const mask_t matrix =
        mask_and(lane_le(lane_set(MATRIX_LEAST), k), lane_le(k, lane_set(SCALE_FAR)));
    return mask_and(mask_and(matrix, lane_le(lane_set(1 / SCALE_FAR), u)),
                    lane_le(u, lane_set(VELOCITY_MOST)));
}

static inline scale_t plain_scale(lanes_t m) {
    const lanes_t one = lane_set(1);
    return (scale_t){.scale = lane_power_of_two(m),
                     .prescale = one,
                     .inverse = lane_inverse_power(m),
                     .inverse_prescale = one,
                     .plain = true};
}

/*
 * True if the coefficients are legal. Two at a time: where one of two is NaN, lane_min and lane_max
 * give the second. A restitution that is lost in this way makes the impulse NaN, and ratios that
 * are not finite are left to the law.
 */
INLINE mask_t coefficients_are_ordinary(const contact_t *contact, impinge_law law) {
    lanes_t least = contact->restitution, most = contact->restitution;
    if (law_has(law, IMPINGE_LAW_READS_FRICTION)) least = lane_min(least, contact->friction);
    if (law_has(law, IMPINGE_LAW_READS_TANGENTIAL_RESTITUTION))
        most = lane_max(most, lane_abs(contact->tangential_restitution));
    return mask_and(lane_le(lane_zero(), least), lane_le(most, lane_set(1)));
}

/* Of a whole vector: some room for S beside T, and for the largest element. */
#define ORDINARY_SPREAD (16 * SPREAD_LEAST)

/*
 * K33 > 0 and S definite, as in collision_is_definite, and K not spread, as in is_spread. Where the
 * determinant is above zero, S_yy has the sign of S_xx: otherwise rounding could not make S_xx S_yy
 * - S_xy^2 positive. S_xx is below 2, so that S_yy is at least half of the determinant. The
 * determinant comes last, as it is NaN if anything in K is.
 */
static inline mask_t is_ordinary_matrix(const collision_t *c) {
    return lane_le(lane_set(ORDINARY_SPREAD),
                   lane_min(lane_min(c->s.xx, c->k33), c->s_determinant));
}

/*
 * True only if every result is finite. Impulses up to the limit are enough where the sizes are
 * ordinary, and if no number is NaN: a NaN of u0 or of the tangential impulse is one of the slips',
 * too. Laws that compute a length have limited the tangential impulse by it. A lane that separates
 * gets zero instead.
 */
INLINE mask_t answer_is_finite(const collision_t *c, const law_answer_t *a, impinge_law law) {
    const lanes_t zero = lane_zero();
    const lanes_t limit = lane_set(ORDINARY_IMPULSE);
    const lanes_t along = slips_along(c->slip.x, c->slip.y, a->slip.x, a->slip.y);
    const mask_t finite = lane_le(lane_fma(along, zero, a->p_n), limit);
    if (law != IMPINGE_LAW_BRACH) return finite;
    return mask_and(finite, lane_le(lane_max(lane_abs(a->p_t.x), lane_abs(a->p_t.y)), limit));
}

/* Where the bodies separate, sets the impulse to zero and the velocity after to the one before. */
INLINE void stay_apart(response_t *r, const contact_t *contact, mask_t separating) {
    const lanes_t zero = lane_zero();
    r->p1 = lane_select(separating, zero, r->p1);
    r->p2 = lane_select(separating, zero, r->p2);
    r->p3 = lane_select(separating, zero, r->p3);
    r->u1 = lane_select(separating, contact->u1, r->u1);
    r->u2 = lane_select(separating, contact->u2, r->u2);
    r->u3 = lane_select(separating, contact->u3, r->u3);
    r->work_compression = lane_select(separating, zero, r->work_compression);
    r->work_restitution = lane_select(separating, zero, r->work_restitution);
    r->work_friction = lane_select(separating, zero, r->work_friction);
    const words_t word = word_where(separating, IMPINGE_OUTCOME_SEPARATING);
    r->outcome = word_select(separating, word, r->outcome);
}

/*
 * A vector on its way through a law is a collision, two scales and a mask. They are not one struct:
 * GCC would leave it in memory, and the loop would take twice as long.
 *
 * Returns whether all lanes are ordinary so far, which saves evaluating the law in vain.
 */
INLINE bool ordinary_begin(const contact_t *given, impinge_law which, scale_t *k_scale,
                           scale_t *u_scale, collision_t *c, mask_t *ordinary) {
    contact_t contact = *given;
    const lanes_t k_size = max3(contact.k11, contact.k22, contact.k33);
    const lanes_t u_size = max3(lane_abs(contact.u1), lane_abs(contact.u2), lane_abs(contact.u3));
    *k_scale = plain_scale(k_size);
    *u_scale = plain_scale(u_size);
    mask_t so_far = are_ordinary_sizes(k_size, u_size);
    so_far = mask_and(so_far, coefficients_are_ordinary(&contact, which));
    scale_matrix(&contact, k_scale);
    scale_velocities(&contact, u_scale);
    *c = collision_of(&contact);
    so_far = mask_and(so_far, is_ordinary_matrix(c));
    if (law_has(which, IMPINGE_LAW_NEEDS_DIAGONAL)) so_far = mask_and(so_far, is_diagonal(c));
    *ordinary = so_far;
    c->ordinary = ordinary;
    return mask_every(so_far);
}

/* Returns whether all lanes are ordinary; only then is the result valid. */
INLINE bool ordinary_end(const law_answer_t *a, const contact_t *given,
                         const impinge_options *options, const scale_t *k_scale,
                         const scale_t *u_scale, const collision_t *c, response_t *r) {
    *r = response_of(a);
    const impulse_scale_t p_scale = impulse_scale_of(k_scale, u_scale);
    scale_response(r, u_scale, &p_scale);
    /* Zeros outright: a compiler could not simplify the products, since u0 might not be finite. */
    if (options->law == IMPINGE_LAW_FRICTIONLESS) r->p1 = r->p2 = r->work_friction = lane_zero();
    r->outcome = answer_outcome(c, a, options);
    if (!mask_every(mask_and(*c->ordinary, answer_is_finite(c, a, options->law)))) return false;
    const mask_t separating = lane_le(lane_zero(), c->u_n);
    if (mask_any(separating)) stay_apart(r, given, separating);
    return true;
}

#endif
