/* Whittaker's law, also Kane and Levinson's (Chatterjee and Ruina 1998, 4.2.2): friction opposes
 * the final slip. */
#ifndef IMPINGE_KERNELS_LAWS_WHITTAKER_H
#define IMPINGE_KERNELS_LAWS_WHITTAKER_H

#include "../final_slip.h"

/* p_i: the normal impulse without friction. */
static inline final_slip_t final_slip_of(const collision_t *c, lanes_t p_i) {
    const tangent_t w = tangent_fma(p_i, c->k, c->slip);
    return (final_slip_t){.s = c->s,
                          .determinant = c->s_determinant,
                          .kappa = c->kappa,
                          .w = w,
                          .adjugate = tangent_tensor_adjugate(&c->s, w),
                          .p_i = p_i,
                          .alpha = c->alpha,
                          .beta = c->beta};
}

static inline friction_t whittaker_friction(const collision_t *c, lanes_t p_i) {
    const final_slip_t f = final_slip_of(c, p_i);
    return final_slip(&f);
}

static inline law_answer_t whittaker(const collision_t *c, const impinge_options *options) {
    (void)options;
    const friction_t r = whittaker_friction(c, frictionless_impulse(c));
    return straight_answer(c, r.p_t, r.p_n, r.slip, rebound(c), word_where(mask_none(), 0));
}

#endif
