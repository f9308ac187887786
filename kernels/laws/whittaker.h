/* Whittaker's law, also Kane and Levinson's (003, 4.2.2): friction opposes the final slip. */
#ifndef IMPINGE_KERNELS_LAWS_WHITTAKER_H
#define IMPINGE_KERNELS_LAWS_WHITTAKER_H

#include "../final_slip.h"

/* With the normal impulse p_i if there were no friction. */
static inline friction_t whittaker_friction(const collision_t *c, lane_t p_i) {
    const axes_t axes = axes_of(&c->s, c->kappa);
    return final_slip_from(&axes, c, pair_fma(p_i, c->k, c->slip), p_i);
}

static inline answer_t whittaker(const collision_t *c, const impinge_options *options) {
    (void)options;
    const friction_t r = whittaker_friction(c, frictionless_impulse(c));
    return straight_answer(c, r.p_t, r.p_n, r.slip, rebound(c), word_where(mask_none(), 0));
}

#endif
