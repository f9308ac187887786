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

/* A size that scale_of divides by one power of two. */
static inline mask_t is_plain_size(lanes_t m) {
    return mask_and(lane_le(lane_set(1 / SCALE_FAR), m), lane_le(m, lane_set(SCALE_FAR)));
}

static inline scale_t plain_scale(lanes_t m) {
    const lanes_t one = lane_set(1);
    return (scale_t){.scale = lane_power_of_two(m),
                     .prescale = one,
                     .inverse = lane_inverse_power(m),
                     .inverse_prescale = one,
                     .plain = true};
}

INLINE mask_t coefficients_are_ordinary(const contact_t *contact) {
    const lanes_t zero = lane_zero();
    const mask_t restitution =
        mask_and(lane_le(zero, contact->restitution), lane_le(contact->restitution, lane_set(1)));
    const mask_t friction = lane_le(zero, contact->friction);
    const mask_t wrong = word_has(contact->invalid, ~(uint32_t)0);
    return mask_andnot(mask_and(restitution, friction), wrong);
}

/* True if every result that is written is finite. */
INLINE mask_t result_is_finite(const response_t *r, outputs_t outputs) {
    const lanes_t zero = lane_zero();
    lanes_t none = lane_mul(r->p1, zero);
    none = lane_fma(r->p2, zero, none);
    none = lane_fma(r->p3, zero, none);
    none = lane_fma(r->u1, zero, none);
    none = lane_fma(r->u2, zero, none);
    none = lane_fma(r->u3, zero, none);
    if (outputs != OUTPUTS_WITHOUT_WORK) {
        none = lane_fma(r->work_compression, zero, none);
        none = lane_fma(r->work_restitution, zero, none);
        none = lane_fma(r->work_friction, zero, none);
    }
    return lane_eq(none, zero);
}

/* Zero impulses where the bodies separate, and the velocity that was. */
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

/* Returns whether all lanes are ordinary; only then the result is one. */
INLINE bool resolve_ordinary(algebraic_law *law, const contact_t *given,
                             const impinge_options *options, outputs_t outputs, response_t *r) {
    contact_t contact = *given;
    const lanes_t k_size = max3(contact.k11, contact.k22, contact.k33);
    const lanes_t u_size = max3(lane_abs(contact.u1), lane_abs(contact.u2), lane_abs(contact.u3));
    const scale_t k_scale = plain_scale(k_size);
    const scale_t u_scale = plain_scale(u_size);
    mask_t ordinary = mask_and(is_plain_size(k_size), is_plain_size(u_size));
    ordinary = mask_and(ordinary, lane_lt(lane_zero(), contact.k33));
    ordinary = mask_and(ordinary, coefficients_are_ordinary(&contact));
    scale_matrix(&contact, &k_scale);
    scale_velocities(&contact, &u_scale);
    mask_t odd = mask_none();
    collision_t c = collision_of(&contact);
    c.odd = &odd;
    ordinary = mask_and(ordinary, collision_is_definite(&c));
    if (law_has(options->law, IMPINGE_LAW_NEEDS_DIAGONAL))
        ordinary = mask_and(ordinary, is_diagonal(&c));
    if (mask_any(mask_not(ordinary))) return false; /* saves evaluating the law in vain */

    const law_answer_t a = law(&c, options);
    *r = response_of(&a);
    const impulse_scale_t p_scale = impulse_scale_of(&k_scale, &u_scale);
    scale_response(r, &u_scale, &p_scale);
    r->outcome = answer_outcome(&c, &a, options);
    odd = mask_or(odd, word_has(a.outcome, IMPINGE_OUTCOME_NO_SOLUTION));
    odd = mask_or(odd, mask_not(result_is_finite(r, outputs)));
    if (mask_any(odd)) return false;
    const mask_t separating = lane_le(lane_zero(), given->u3);
    if (mask_any(separating)) stay_apart(r, given, separating);
    return true;
}

#endif
