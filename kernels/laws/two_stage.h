/*
 * Anitescu and Potra's law for one contact (Chatterjee and Ruina 1998, 4.2.4): compression to u_n =
 * 0, then expansion, each with friction that opposes the slip at its end.
 *
 * Expansion has a normal impulse of e times that of compression (Poisson). With p_n known, friction
 * is the p_t that minimises p_t . T p_t / 2 + b . p_t over |p_t| <= mu p_n, b = u_t + k p_n: a
 * convex problem with one solution. Where that would make the bodies approach again, the normal
 * impulse is larger, so that u_n = 0 at the end.
 */
#ifndef IMPINGE_KERNELS_LAWS_TWO_STAGE_H
#define IMPINGE_KERNELS_LAWS_TWO_STAGE_H

#include "whittaker.h"

/* The state at the end of compression, from which expansion starts. */
typedef struct expansion {
    const collision_t *c;
    lanes_t t_determinant;
    friction_t before;
} expansion_t;

/*
 * The part of an impulse of expansion that does not depend on friction: p_n, and the bound mu p_n
 * on |p_t|. If mu is infinite and compression slid, p_n is zero and the bound is its limit as mu
 * grows; so both are needed.
 */
typedef struct push {
    lanes_t p_n, bound;
} push_t;

/* Poisson's: e times that of compression. */
static inline push_t owed_push(const expansion_t *x) {
    const collision_t *c = x->c;
    const lanes_t zero = lane_zero();
    const lanes_t p_n = lane_mul(c->restitution, x->before.p_n);
    const mask_t infinite = lane_eq(c->alpha, zero);
    const lanes_t mu = lane_div(c->beta, lane_select(infinite, lane_set(1), c->alpha));
    const lanes_t slid = lane_mul(c->restitution, tangent_length(x->before.p_t));
    const lanes_t unbounded = lane_select(lane_lt(zero, p_n), lane_set((real_t)INFINITY), slid);
    return (push_t){p_n, lane_select(infinite, unbounded, lane_mul(mu, p_n))};
}

/* q is max(1, mu) p_n, and so is finite where p_n is zero for an infinite mu. */
static inline push_t push_of(const collision_t *c, lanes_t q) {
    return (push_t){lane_mul(c->alpha, q), lane_mul(c->beta, q)};
}

/*
 * Impulses beyond this q gain energy from u_n = 0, and so do not leave u_n < 0. p_n is bounded by
 * the top of the ellipsoid (Chatterjee and Ruina 1998, eq. 6), above its centre p_II by the square
 * root of M_33 times E = u . K^-1 u; and |p_t|, where this does not bound q, by twice the root of E
 * over S's lesser eigenvalue.
 */
static inline lanes_t largest_q(const collision_t *c, tangent_t slip) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const tangent_t sticks =
        tangent_tensor_solve(&c->s, c->s_determinant, slip); /* -p_II, tangential */
    const tangent_t coupling = tangent_tensor_solve(&c->s, c->s_determinant, c->kappa);
    const lanes_t mass = lane_add(lane_div(one, c->k33), tangent_dot(c->kappa, coupling));
    const lanes_t energy = lane_max(tangent_dot(slip, sticks), zero);
    const lanes_t top = lane_add(tangent_dot(c->kappa, sticks), lane_sqrt(lane_mul(mass, energy)));
    const mask_t infinite = lane_eq(c->alpha, zero);
    const lanes_t sigma = lane_div(c->s_determinant, lane_add(c->s.xx, c->s.yy));
    const lanes_t across = lane_mul(lane_set(2), lane_sqrt(lane_div(energy, sigma)));
    return lane_select(infinite, across, lane_div(top, lane_select(infinite, one, c->alpha)));
}

/* Friction beside a known normal impulse, and u_n after it. */
static inline friction_t expand_by(const expansion_t *x, push_t push, lanes_t *u_n) {
    const collision_t *c = x->c;
    const lanes_t one = lane_set(1);
    const tangent_t w = tangent_fma(push.p_n, c->k, x->before.slip);
    const final_slip_t f = {.s = c->t,
                            .determinant = x->t_determinant,
                            .kappa = {lane_zero(), lane_zero()},
                            .w = w,
                            .adjugate = tangent_tensor_adjugate(&c->t, w),
                            .p_i = push.bound,
                            .alpha = one,
                            .beta = one};
    friction_t r = final_slip(&f);
    r.p_n = push.p_n;
    *u_n = lane_fma(c->k33, r.p_n, tangent_dot(c->k, r.p_t));
    return r;
}

/* The part of u_n that may be rounding. */
static inline lanes_t expansion_rounding(const collision_t *c, const friction_t *r) {
    const lanes_t coupled =
        lane_mul_add2(lane_abs(c->k.x), lane_abs(r->p_t.x), lane_abs(c->k.y), lane_abs(r->p_t.y));
    return lane_mul(lane_set(2 * REAL_UNIT), lane_fma(c->k33, r->p_n, coupled));
}

/* The impulse that ends the slip with u_n = 0: beyond any friction where mu is infinite. */
static inline friction_t hold(const collision_t *c, tangent_t slip) {
    const tangent_t none = {lane_zero(), lane_zero()};
    friction_t r = {.slip = none};
    r.p_t = tangent_neg(tangent_tensor_solve(&c->s, c->s_determinant, slip));
    r.p_n = lane_max(lane_neg(tangent_dot(c->kappa, r.p_t)), lane_zero());
    return r;
}

/* Goes on until u_n = 0, past the required normal impulse, in the lanes where u_n falls. */
static inline friction_t expand_to_rest(const expansion_t *x, push_t owed, lanes_t u_owed,
                                        mask_t falls) {
    const collision_t *c = x->c;
    const lanes_t one = lane_set(1);
    const lanes_t q_low = lane_div(owed.bound, lane_select(falls, c->beta, one));
    const lanes_t low = lane_select(falls, q_low, lane_zero());
    const lanes_t high = lane_max(lane_select(falls, largest_q(c, x->before.slip), one), low);
    lanes_t u_high, u_n;
    friction_t r = expand_by(x, push_of(c, high), &u_high);
    const mask_t infinite = lane_eq(c->alpha, lane_zero());
    const mask_t short_of = mask_and(mask_and(falls, infinite), lane_lt(u_high, lane_zero()));
    falsi_t root = falsi_begin(low, high, u_owed, u_high, lane_zero());
    root.done = mask_or(mask_not(falls), short_of);
    while (falsi_goes_on(&root)) {
        const lanes_t q = falsi_next(&root);
        const friction_t at = expand_by(x, push_of(c, q), &u_n);
        const mask_t open = mask_not(root.done);
        r = friction_select(open, &at, &r);
        falsi_narrow(&root, q, u_n, lane_le(lane_abs(u_n), expansion_rounding(c, &at)));
    }
    if (!mask_any(short_of)) return r;
    const friction_t held = hold(c, x->before.slip);
    return friction_select(short_of, &held, &r);
}

static inline friction_t expand(const expansion_t *x, lanes_t *u_n) {
    const lanes_t zero = lane_zero();
    const push_t owed = owed_push(x);
    const friction_t r = expand_by(x, owed, u_n);
    const lanes_t rounding = lane_neg(expansion_rounding(x->c, &r));
    const mask_t falls = mask_and(lane_lt(zero, owed.bound), lane_lt(*u_n, rounding));
    const lanes_t u_owed = *u_n;
    *u_n = lane_max(*u_n, zero);
    if (!mask_any(falls)) return r;
    const friction_t longer = expand_to_rest(x, owed, u_owed, falls);
    return friction_select(falls, &longer, &r);
}

/*
 * The largest difference of the velocity and u0 + K p that is not corrected. batch.h states 16
 * units of rounding of |u0_i| + sqrt(K_ii) sum_j sqrt(K_jj) |p_j|, of which the sum itself may use
 * four. The smallest normal number is added, in units of |u0|, since products below it have fewer
 * digits.
 */
#define SUM_UNITS (12 * REAL_UNIT)
#define SUM_LEAST (64 * REAL_MIN)

/* One component, the root of its K_ii, and the sum over j. */
static inline mask_t parts_from(lanes_t u, lanes_t sum, lanes_t u0, lanes_t root, lanes_t path) {
    const lanes_t terms = lane_fma(root, path, lane_abs(u0));
    const lanes_t most = lane_fma(lane_set(SUM_UNITS), terms, lane_set(SUM_LEAST));
    return lane_lt(most, lane_abs(lane_sub(sum, u)));
}

/* u0 + K p: tangential, and normal in `u_n`. */
static inline tangent_t sum_of(const collision_t *c, const law_answer_t *a, lanes_t *u_n) {
    const tangent_t across = tangent_tensor_apply(&c->t, a->p_t);
    const tangent_t rubbed = {lane_add(across.x, c->slip.x), lane_add(across.y, c->slip.y)};
    *u_n = lane_fma(c->k33, a->p_n, lane_add(c->u_n, tangent_dot(c->k, a->p_t)));
    return tangent_fma(a->p_n, c->k, rubbed);
}

static inline mask_t parts_from_sum(const collision_t *c, const law_answer_t *a) {
    lanes_t u_n;
    const tangent_t slip = sum_of(c, a, &u_n);
    const tangent_t root = {lane_sqrt(c->t.xx), lane_sqrt(c->t.yy)};
    const lanes_t root_n = lane_sqrt(c->k33);
    const lanes_t path = lane_fma(root_n, a->p_n, tangent_dot(root, tangent_abs(a->p_t)));
    const mask_t x = parts_from(a->slip.x, slip.x, c->slip.x, root.x, path);
    const mask_t y = parts_from(a->slip.y, slip.y, c->slip.y, root.y, path);
    return mask_or(parts_from(a->u_n, u_n, c->u_n, root_n, path), mask_or(x, y));
}

/*
 * Where friction reverses between the stages, their impulses cancel, and the rounding error of each
 * is large beside their sum (T nearly singular, mu near the least with which compression sticks).
 * If a contact sticks at the end, p_t is then computed as the impulse that, with p_n, stops the
 * slip, and the velocity after as u0 + K p. If rounding leaves the bodies approaching, p_n is
 * increased until they stop.
 */
static inline void take_sum(const collision_t *c, lanes_t t_determinant, law_answer_t *a) {
    const lanes_t zero = lane_zero();
    const mask_t part = parts_from_sum(c, a);
    if (!mask_any(part)) return;
    const tangent_t none = {zero, zero};
    const mask_t sticks =
        mask_and(part, mask_and(lane_eq(a->slip.x, zero), lane_eq(a->slip.y, zero)));
    const tangent_t rubs = tangent_fma(a->p_n, c->k, c->slip);
    const tangent_t held = tangent_neg(tangent_tensor_solve(&c->t, t_determinant, rubs));
    a->p_t = tangent_select(sticks, held, a->p_t);
    lanes_t u_n;
    const tangent_t slip = sum_of(c, a, &u_n);
    /* A unit of normal impulse changes u_n by K33; with sticking, by K33 |S| / |T|. */
    const lanes_t held_k33 = lane_mul(c->k33, lane_div(c->s_determinant, t_determinant));
    const lanes_t lift =
        lane_div(lane_max(lane_neg(u_n), zero), lane_select(sticks, held_k33, c->k33));
    const tangent_t pulled = tangent_tensor_solve(&c->t, t_determinant, c->k);
    const tangent_t lifted = tangent_fma(lane_neg(lift), pulled, a->p_t);
    a->p_t = tangent_select(sticks, lifted, a->p_t);
    a->p_n = lane_select(part, lane_add(a->p_n, lift), a->p_n);
    a->u_n = lane_select(part, lane_max(u_n, zero), a->u_n);
    a->slip =
        tangent_select(part, tangent_select(sticks, none, tangent_fma(lift, c->k, slip)), a->slip);
}

static inline law_answer_t two_stage(const collision_t *c, const impinge_options *options) {
    (void)options;
    const lanes_t zero = lane_zero();
    const friction_t first = whittaker_friction(c, c->plastic);
    law_answer_t a =
        straight_answer(c, first.p_t, first.p_n, first.slip, zero, word_where(mask_none(), 0));
    const expansion_t x = {c, tangent_tensor_determinant(&c->t), first};
    const friction_t second = expand(&x, &a.u_n);
    a.slip = second.slip;
    work_straight(&a, second.p_t, second.p_n, first.slip, zero);
    a.p_t = (tangent_t){lane_add(first.p_t.x, second.p_t.x), lane_add(first.p_t.y, second.p_t.y)};
    a.p_n = lane_add(first.p_n, second.p_n);
    take_sum(c, x.t_determinant, &a);
    return a;
}

#endif
