/* Walton's bilinear law for spheres and disks (Chatterjee and Ruina 1998, 4.2.5, eq. 9), for
 * diagonal K. */
#ifndef IMPINGE_KERNELS_LAWS_BILINEAR_H
#define IMPINGE_KERNELS_LAWS_BILINEAR_H

#include "../algebraic.h"

INLINE law_answer_t bilinear(const collision_t *c, const impinge_options *options) {
    (void)options;
    const lanes_t one = lane_set(1);
    const lanes_t p_n = frictionless_impulse(c);
    const tangent_t against = {lane_div(c->slip.x, c->t.xx), lane_div(c->slip.y, c->t.yy)};
    const lanes_t unclipped = lane_add(one, c->tangential_restitution);
    /* |p_t| = unclipped |against| against mu p_n, both sides divided by max(1, mu). */
    const lanes_t length = lane_mul(c->alpha, collision_length(c, against));
    const lanes_t holds = lane_mul(c->beta, p_n);
    const mask_t clipped = mask_not(lane_le(lane_mul(unclipped, length), holds));
    const lanes_t divisor = lane_select(clipped, length, one);
    const lanes_t most = lane_div(holds, divisor);
    const lanes_t factor = lane_select(clipped, lane_min(most, unclipped), unclipped);

    const tangent_t slip = tangent_fnma(factor, c->slip, c->slip);
    return straight_answer(c, tangent_scale(lane_neg(factor), against), p_n, slip, rebound(c),
                           word_where(clipped, IMPINGE_OUTCOME_CLIPPED));
}

#endif
