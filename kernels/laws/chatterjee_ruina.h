/*
 * Chatterjee and Ruina's law (Chatterjee and Ruina 1998, section 5 and A.2): p = (1 + e) p_I +
 * kappa (p_II - p_I).
 *
 * p_II - p_I changes no normal velocity, so that u_n = -e u_n0 whatever kappa is.
 */
#ifndef IMPINGE_KERNELS_LAWS_CHATTERJEE_RUINA_H
#define IMPINGE_KERNELS_LAWS_CHATTERJEE_RUINA_H

#include "../algebraic.h"

INLINE law_answer_t chatterjee_ruina(const collision_t *c, const impinge_options *options) {
    (void)options;
    const lanes_t one = lane_set(1);
    const lanes_t p_i = frictionless_impulse(c);
    const tangent_t d_t = sticking_impulse(c); /* d = p_II - p_I */
    const lanes_t d_n = lane_neg(tangent_dot(c->kappa, d_t));
    const lanes_t unclipped = lane_add(one, c->tangential_restitution);

    /* Eqs. 12 and 13, both sides divided by max(1, mu); |unclipped d_t| is unclipped |d_t|. */
    const lanes_t hat_n = lane_fma(unclipped, d_n, p_i);
    const lanes_t size = collision_length(c, d_t);
    const lanes_t excess = lane_difference_of_products(c->alpha, size, c->beta, d_n);
    const lanes_t hat_t = lane_mul(c->alpha, lane_mul(unclipped, size));
    const mask_t inside = lane_le(hat_t, lane_mul(c->beta, hat_n));
    const mask_t clipped = mask_andnot(lane_lt(lane_zero(), excess), inside); /* but for rounding */
    const lanes_t divisor = lane_select(clipped, excess, one);
    const lanes_t most = lane_div(lane_mul(c->beta, p_i), divisor);
    const lanes_t kappa = lane_select(clipped, lane_min(most, unclipped), unclipped);

    const tangent_t p_t = tangent_scale(kappa, d_t);
    /*
     * The terms of p_I + kappa d_n may nearly cancel. Where the impulse is inside the cone, the
     * test of that has rounded their sum once, as here. Where it is on the cone, the test loses
     * still more, and the normal impulse is |p_t| / mu, without cancellation.
     */
    const lanes_t sum = lane_fma(kappa, d_n, p_i);
    const mask_t little = mask_and(clipped, lane_lt(lane_add(sum, sum), p_i));
    lanes_t p_n = sum;
    if (mask_any(little)) {
        const lanes_t on_cone = lane_mul(c->alpha, lane_mul(kappa, size));
        p_n = lane_select(little, lane_div(on_cone, lane_select(little, c->beta, one)), sum);
    }
    const tangent_t w = tangent_fma(c->plastic, c->k, c->slip); /* -S d_t */
    const tangent_t slip = tangent_fnma(kappa, w, tangent_fma(p_i, c->k, c->slip));
    return straight_answer(c, p_t, p_n, slip, rebound(c),
                           word_where(clipped, IMPINGE_OUTCOME_CLIPPED));
}

#endif
