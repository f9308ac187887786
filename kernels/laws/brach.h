/*
 * Brach's law (Chatterjee and Ruina 1998, 4.1): Newton's restitution, and a tangential impulse in
 * given ratios to the normal one, p_t = (mu_1, mu_2) p_n.
 */
#ifndef IMPINGE_KERNELS_LAWS_BRACH_H
#define IMPINGE_KERNELS_LAWS_BRACH_H

#include "../algebraic.h"

/*
 * The same bound of energy for e <= 1, as a tangential impulse q r: with S and w after compression
 * q w.r + q^2 r.S r / 2 = (1 - e^2) u_n0^2 / (2 K33). K33 + k . mu may cancel to a small number.
 */
static inline tangent_t limited_impulse(const collision_t *c, tangent_t r) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const tangent_t w = tangent_fma(c->plastic, c->k, c->slip);
    const lanes_t along = tangent_dot(w, r);
    const lanes_t stiffness = tangent_dot(r, tangent_tensor_apply(&c->s, r));
    const lanes_t lost = lane_mul(lane_sub(one, c->restitution),
                                  lane_mul(frictionless_impulse(c), lane_neg(c->u_n)));
    const lanes_t root = lane_sqrt(lane_mul_add2(along, along, stiffness, lost));
    const mask_t opposed = lane_le(along, zero);
    const lanes_t sum = lane_add(root, lane_abs(along));
    const lanes_t divisor = lane_select(lane_lt(zero, sum), sum, one);
    const lanes_t q = lane_select(opposed, lane_div(sum, stiffness), lane_div(lost, divisor));
    return tangent_scale(q, r);
}

/* The ratios, scaled back to the nearer bound; `by_energy`: that of energy. */
static inline tangent_t limited_ratio(const collision_t *c, mask_t *limited, mask_t *by_energy) {
    const region_t region = collision_region(c);
    const lanes_t one = lane_set(1);
    const ratio_bound_t bound =
        ratio_bound(&region, c->restitution, c->friction, c->impulse_ratio.x, c->impulse_ratio.y);
    const lanes_t least = lane_min(bound.energy, bound.cone);
    *limited = lane_lt(least, one);
    *by_energy = mask_and(mask_and(*limited, lane_lt(bound.energy, bound.cone)),
                          lane_le(c->restitution, one));
    return tangent_scale(least, c->impulse_ratio);
}

INLINE law_answer_t brach(const collision_t *c, const impinge_options *options) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    mask_t limited = mask_none(), by_energy = mask_none();
    const tangent_t mu =
        options->limit_impulse_ratios ? limited_ratio(c, &limited, &by_energy) : c->impulse_ratio;
    /* p_n over `scale`: p_n itself and k . mu might leave the range where p_t does not. */
    const mask_t moderate =
        lane_le(lane_max(lane_abs(mu.x), lane_abs(mu.y)), lane_set(SQUARES_MOST));
    const lanes_t scale =
        c->ordinary ? one : lane_select(moderate, one, lane_set(1 / SQUARES_MOST));
    const tangent_t ratio = tangent_scale(scale, mu);
    const lanes_t divisor = lane_fma(scale, c->k33, tangent_dot(c->k, ratio));
    const mask_t pushes = lane_lt(zero, divisor);
    if (c->ordinary) *c->ordinary = mask_and(*c->ordinary, mask_and(moderate, pushes));
    const lanes_t approach = lane_mul(frictionless_impulse(c), c->k33);
    const lanes_t unscaled = lane_div(approach, lane_select(pushes, divisor, one));
    lanes_t p_n = lane_mul(scale, unscaled);
    tangent_t p_t = tangent_scale(unscaled, ratio);
    if (mask_any(by_energy)) {
        const lanes_t length = hypotenuse(c->impulse_ratio.x, c->impulse_ratio.y);
        const lanes_t unit = lane_select(by_energy, length, one);
        const tangent_t r = {lane_div(c->impulse_ratio.x, unit),
                             lane_div(c->impulse_ratio.y, unit)};
        const tangent_t bounded = limited_impulse(c, r);
        const lanes_t beside = lane_sub(frictionless_impulse(c), tangent_dot(c->kappa, bounded));
        p_t = tangent_select(by_energy, bounded, p_t);
        p_n = lane_select(by_energy, beside, p_n);
    }
    const tangent_t turned = tangent_tensor_apply(&c->t, p_t);
    const tangent_t coupled = tangent_fma(p_n, c->k, c->slip);
    const tangent_t slip = {lane_add(coupled.x, turned.x), lane_add(coupled.y, turned.y)};
    words_t outcome = word_where(limited, IMPINGE_OUTCOME_CLIPPED);
    if (!c->ordinary)
        outcome = word_or(
            outcome, word_where(mask_not(mask_or(pushes, by_energy)), IMPINGE_OUTCOME_NO_SOLUTION));
    return straight_answer(c, p_t, p_n, slip, rebound(c), outcome);
}

#endif
