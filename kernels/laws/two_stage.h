/*
 * Anitescu and Potra's law for one contact (003, 4.2.4): compression to u_n = 0, then expansion,
 * each with friction that opposes the slip at its end.
 *
 * Expansion has a normal impulse of e times that of compression (Poisson). With p_n known, friction
 * is the p_t that minimises p_t . T p_t / 2 + b . p_t over |p_t| <= mu p_n, b = u_t + k p_n: a
 * convex problem with one solution. Where that would make the bodies approach again, the normal
 * impulse is larger, so that u_n = 0 at the end.
 */
#ifndef IMPINGE_KERNELS_LAWS_TWO_STAGE_H
#define IMPINGE_KERNELS_LAWS_TWO_STAGE_H

#include "../falsi.h"
#include "whittaker.h"

/* What expansion begins with: the end of compression, and T's axes. */
typedef struct expansion {
    const collision_t *c;
    axes_t axes;
    pair_t slip;
} expansion_t;

/*
 * The largest normal impulse that gains no energy from u_n = 0: the top of the ellipsoid (003, eq.
 * 6), above its centre p_II by the square root of M_33 times u . K^-1 u.
 */
static inline lane_t largest_impulse(const collision_t *c, pair_t slip) {
    const pair_t sticks = tangential_solve(&c->s, c->s_determinant, slip); /* -p_II, tangential */
    const pair_t coupling = tangential_solve(&c->s, c->s_determinant, c->kappa);
    const lane_t mass = lane_add(lane_div(lane_set(1), c->k33), pair_dot(c->kappa, coupling));
    const lane_t energy = lane_max(pair_dot(slip, sticks), lane_zero());
    return lane_add(pair_dot(c->kappa, sticks), lane_sqrt(lane_mul(mass, energy)));
}

/* Friction beside a normal impulse p_n, and u_n after it. */
static inline friction_t expand_by(const expansion_t *x, lane_t p_n, lane_t *u_n) {
    const collision_t *c = x->c;
    const friction_t r = final_slip_from(&x->axes, c, pair_fma(p_n, c->k, x->slip), p_n);
    *u_n = lane_fma(c->k33, p_n, pair_dot(c->k, r.p_t));
    return r;
}

/* From the whole bracket to the last bit: u_n is straight while it sticks and bends little else. */
#define EXPANSION_ITERATIONS (IMPINGE_REAL_BITS == 32 ? 12 : 20)

/* To u_n = 0, which is beyond the normal impulse `low`, where u_n < 0. */
static inline friction_t expand_to_rest(const expansion_t *x, lane_t low, lane_t high) {
    lane_t u_low, u_high;
    expand_by(x, low, &u_low);
    friction_t r = expand_by(x, high, &u_high);
    falsi_t root = falsi_begin(low, high, u_low, u_high);
    for (int i = 0; i < EXPANSION_ITERATIONS; i++) {
        const lane_t p_n = falsi_next(&root);
        lane_t u_n;
        r = expand_by(x, p_n, &u_n);
        falsi_narrow(&root, p_n, u_n);
    }
    return r;
}

static inline friction_t expand(const expansion_t *x, lane_t owed, lane_t *u_n) {
    const lane_t zero = lane_zero();
    const friction_t r = expand_by(x, owed, u_n);
    const mask_t falls = lane_lt(*u_n, zero);
    if (!mask_any(falls)) return r;
    const lane_t most = lane_max(largest_impulse(x->c, x->slip), owed);
    const friction_t longer = expand_to_rest(x, owed, lane_select(falls, most, owed));
    *u_n = lane_select(falls, zero, *u_n);
    return friction_select(falls, &longer, &r);
}

static inline answer_t two_stage(const collision_t *c, const impinge_options *options) {
    (void)options;
    const lane_t zero = lane_zero();
    const pair_t no_coupling = {zero, zero}; /* p_n is known */
    const friction_t first = whittaker_friction(c, c->plastic);
    answer_t a =
        straight_answer(c, first.p_t, first.p_n, first.slip, zero, word_where(mask_none(), 0));
    const expansion_t x = {c, axes_of(&c->t, no_coupling), first.slip};
    const friction_t second = expand(&x, lane_mul(c->restitution, first.p_n), &a.u_n);
    a.slip = second.slip;
    work_straight(&a, second.p_t, second.p_n, first.slip, zero);
    a.p_t = (pair_t){lane_add(first.p_t.x, second.p_t.x), lane_add(first.p_t.y, second.p_t.y)};
    a.p_n = lane_add(first.p_n, second.p_n);
    return a;
}

#endif
