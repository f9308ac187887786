/* Without friction: Newton's, Poisson's and Stronge's restitution are the same (Chatterjee and
 * Ruina 1998, 3.1; Hakenberg). */
#ifndef IMPINGE_KERNELS_LAWS_FRICTIONLESS_H
#define IMPINGE_KERNELS_LAWS_FRICTIONLESS_H

#include "../algebraic.h"

INLINE law_answer_t frictionless(const collision_t *c, const impinge_options *options) {
    (void)options;
    const tangent_t none = {lane_zero(), lane_zero()};
    const lanes_t p_n = frictionless_impulse(c);
    return straight_answer(c, none, p_n, tangent_fma(p_n, c->k, c->slip), rebound(c),
                           word_where(mask_none(), 0));
}

#endif
