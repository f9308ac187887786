/*
 * Smith's law (003, 4.2.3, eq. 8): friction along the mean of initial and final slip, each weighted
 * by its size.
 *
 * With r0 = |u_t0|, rho = |u_t| / r0 and y = mu p_n r0 / (r0^2 + |u_t|^2), eq. 8 is p_t = -y (u_t0
 * + rho u_t); with algebraic.h's u_t = w + S p_t, z = 1 / y and in S's principal axes
 *
 *     u_t = (z w - sigma u_t0) / (z + rho sigma),   p_t = -(u_t0 + rho w) / (z + rho sigma).
 *
 * For each z >= 0 there is one rho with |u_t| = rho r0, for the one side falls and the other grows.
 * What is left is one equation in z:
 *
 *     mu p_n(z) z = (1 + rho^2) r0.
 *
 * The left side is the larger as z goes to infinity (where p_n is p_I > 0), the right as z goes to
 * zero: there always is a root, and z >= 0 rejects those with p_n < 0. The largest z is the one
 * nearest to no friction.
 */
#ifndef IMPINGE_KERNELS_LAWS_SMITH_H
#define IMPINGE_KERNELS_LAWS_SMITH_H

#include "../falsi.h"
#include "whittaker.h"

typedef struct smith {
    final_slip_t f;    /* the problem but for what is Smith's own */
    pair_t slip;       /* u_t0, in S's axes */
    pair_t compliance; /* 1 / sigma */
    lane_t r0, z_0;
    mask_t jam;   /* p_I = 0 */
    lane_t sign;  /* of the excess above the largest root: 1, or in a jam -1 */
    mask_t pulls; /* p_n < 0 at the lower bound of z, and next to that is the root */
} smith_t;

static inline pair_t over_stiffness(const smith_t *s, pair_t a, lane_t z, lane_t rho) {
    return (pair_t){lane_div(a.x, lane_fma(rho, s->f.sigma.x, z)),
                    lane_div(a.y, lane_fma(rho, s->f.sigma.y, z))};
}

/* Triples the right digits each time; the start has one or two. */
#define RHO_ITERATIONS (IMPINGE_REAL_BITS == 32 ? 3 : 4)

/*
 * rho for u_t = a / (z + rho sigma): |u_t| = rho r0, or x = |u_t| / (rho r0) = 1. The start is
 * exact for z = 0 and for large z. In logarithms x falls by 1 + q as rho grows, 0 <= q <= 1, evenly
 * but for changes of q; so rho is to be multiplied by x^(1 / (1 + q)), of which the fraction below
 * is the Pade approximant.
 */
static inline lane_t smith_rho(const smith_t *s, pair_t a, lane_t z) {
    const lane_t one = lane_set(1);
    const lane_t two = lane_set(2);
    const lane_t length = pair_length(a);
    const mask_t some = lane_lt(lane_zero(), length);
    const pair_t spread = {lane_mul(a.x, s->compliance.x), lane_mul(a.y, s->compliance.y)};
    const lane_t sigma = lane_div(length, lane_select(some, pair_length(spread), one));
    const lane_t size = lane_div(length, s->r0);
    const lane_t root = lane_sqrt(lane_mul_add2(z, z, lane_mul(lane_set(4), sigma), size));
    lane_t rho = lane_div(lane_add(size, size), lane_select(some, lane_add(z, root), one));
    for (int i = 0; i < RHO_ITERATIONS; i++) {
        const pair_t u = over_stiffness(s, a, z, rho);
        const pair_t steep = over_stiffness(s, s->f.sigma, z, rho);
        const lane_t square = pair_dot(u, u);
        const lane_t weighted =
            lane_mul_add2(lane_mul(u.x, u.x), steep.x, lane_mul(u.y, u.y), steep.y);
        const lane_t q = lane_div(lane_mul(rho, weighted), lane_select(some, square, one));
        const lane_t x = lane_div(lane_sqrt(square), lane_mul(rho, s->r0));
        const lane_t q_2 = lane_add(q, two);
        const lane_t factor = lane_div(lane_fma(q_2, x, q), lane_fma(q, x, q_2));
        rho = lane_select(some, lane_mul(rho, factor), rho);
    }
    return rho;
}

/*
 * What comes of z, and by how much the equation's left side is above the right: their ratio less
 * one, times alpha, which is linear for small z; or their difference over z, which is it where p_n
 * vanishes at the root.
 */
static inline friction_t smith_at(const smith_t *s, lane_t z, lane_t *inside) {
    const final_slip_t *f = &s->f;
    const pair_t a = {lane_difference_of_products(z, f->w.x, f->sigma.x, s->slip.x),
                      lane_difference_of_products(z, f->w.y, f->sigma.y, s->slip.y)};
    const lane_t rho = smith_rho(s, a, z);
    friction_t r;
    r.slip = over_stiffness(s, a, z, rho);
    r.p_t = over_stiffness(s, pair_neg(pair_fma(rho, f->w, s->slip)), z, rho);
    r.p_n = normal_at(f, r.p_t);
    const lane_t weight = lane_mul(lane_fma(rho, rho, lane_set(1)), s->r0);
    const lane_t relative = lane_div(z, weight);
    const lane_t excess = lane_fma(lane_mul(f->beta, r.p_n), relative, lane_neg(f->alpha));
    *inside = lane_mul(s->sign, lane_select(s->pulls, lane_div(excess, relative), excess));
    return r;
}

/*
 * Bounds of every root. u_t is between w and -u_t0 / rho, weighted for each axis, so that
 *
 *     rho^2 <= 1 + |w|^2 / r0^2;
 *
 * p_n >= p_I / (1 + mu |kappa|), since |p_t| <= mu p_n; and p_t = S^-1 (u_t - w). A jam (p_I = 0)
 * has no bound: above some z the equation does not change any more.
 */
static inline void smith_bounds(const smith_t *s, lane_t *low, lane_t *high) {
    const final_slip_t *f = &s->f;
    const lane_t sigma = lane_min(f->sigma.x, f->sigma.y);
    const lane_t w = pair_length(f->w);
    const lane_t fastest = lane_sqrt(lane_mul_add2(s->r0, s->r0, w, w));
    const lane_t kappa = pair_length(f->kappa);
    const lane_t p_max = lane_fma(kappa, lane_div(lane_add(fastest, w), sigma), f->p_i);
    const lane_t spread = lane_fma(f->beta, kappa, f->alpha);
    const lane_t weight = lane_add(s->r0, lane_div(lane_mul(fastest, fastest), s->r0));
    const lane_t steady = lane_mul(lane_mul(s->z_0, lane_div(weight, s->r0)), lane_set(1024));
    const lane_t p_i = lane_select(s->jam, lane_set(1), f->p_i);
    const lane_t bound = lane_div(lane_mul(weight, spread), lane_mul(f->beta, p_i));
    *high = lane_select(s->jam, steady, bound);
    *low = lane_div(lane_mul(f->alpha, s->r0), lane_mul(f->beta, p_max));
}

/*
 * The largest root is sought from the upper bound down, in even ratios, to where z is small beside
 * all that it is added to, sigma in the denominators and sigma u_t0 / w in u_t; below that the
 * equation is all but linear in z. Two roots between two trials would both be missed.
 */
#define Z_TRIALS 16
#define Z_LINEAR REAL(0x1p-6)

/* From one trial to the next, to the last bit; a kink of rho where w and u_t0 cancel takes longest.
 */
#define Z_ITERATIONS (IMPINGE_REAL_BITS == 32 ? 10 : 26)

/* Ends of opposite sign around the root. */
static inline falsi_t smith_search(smith_t *s, lane_t low, lane_t high) {
    const lane_t one = lane_set(1);
    const lane_t share = lane_div(s->r0, lane_add(s->r0, pair_length(s->f.w)));
    const lane_t sigma = lane_min(s->f.sigma.x, s->f.sigma.y);
    const lane_t linear = lane_mul(lane_mul(sigma, share), lane_set(Z_LINEAR));
    const lane_t end = lane_min(lane_max(low, linear), high);
    const lane_t ratio = lane_sqrt(lane_sqrt(lane_sqrt(lane_sqrt(lane_div(end, high)))));
    lane_t f_low, f_high;
    s->pulls = mask_none();
    s->sign = one;
    smith_at(s, high, &f_high);
    s->sign = lane_copysign(one, f_high);
    f_high = lane_abs(f_high);
    const lane_t p_low = smith_at(s, low, &f_low).p_n;
    falsi_t root = falsi_begin(low, high, f_low, f_high);
    mask_t found = mask_none();
    lane_t z = high;
    for (int i = 0; i < Z_TRIALS; i++) {
        z = lane_mul(z, ratio);
        lane_t inside;
        smith_at(s, z, &inside);
        const mask_t outside = lane_lt(inside, lane_zero());
        const mask_t first = mask_andnot(outside, found);
        root.low = lane_select(first, z, root.low);
        root.f_low = lane_select(first, inside, root.f_low);
        found = mask_or(found, outside);
        root.high = lane_select(found, root.high, z);
        root.f_high = lane_select(found, root.f_high, inside);
    }
    s->pulls = mask_andnot(lane_lt(p_low, lane_zero()), found);
    if (mask_any(s->pulls)) {
        smith_at(s, root.high, &root.f_high);
        /* Without the term over z, which is felt at the bound alone. */
        root.f_low = lane_select(s->pulls, lane_mul(s->f.beta, p_low), root.f_low);
    }
    return root;
}

/* Friction so weak that it does not turn the slip by a bit: u_t = w, and p_n = p_I. */
static inline friction_t smith_weak(const smith_t *s) {
    const final_slip_t *f = &s->f;
    const lane_t rho = lane_div(pair_length(f->w), s->r0);
    const lane_t weight = lane_mul(lane_mul(f->alpha, s->r0), lane_fma(rho, rho, lane_set(1)));
    const lane_t y = lane_div(lane_mul(f->beta, f->p_i), weight);
    friction_t r;
    r.p_t = pair_scale(lane_neg(y), pair_fma(rho, f->w, s->slip));
    r.p_n = normal_at(f, r.p_t);
    r.slip = slip_at(f, r.p_t);
    return r;
}

/* A difference of p_I and friction's part has lost ten bits below this. */
#define LITTLE_OF_NORMAL REAL(0x1p-10)

/* p_n by the equation in z: beside much friction it is what is left of p_I. */
static inline lane_t smith_normal(const smith_t *s, pair_t slip, lane_t z) {
    const lane_t weight = lane_add(s->r0, lane_div(pair_dot(slip, slip), s->r0));
    return lane_div(lane_mul(s->f.alpha, weight), lane_mul(s->f.beta, z));
}

/* `none`: a jam in which no z is a root. */
static inline friction_t smith_slide(smith_t *s, mask_t *none) {
    const lane_t zero = lane_zero();
    lane_t low, high, inside;
    smith_bounds(s, &low, &high);
    const mask_t weak = lane_lt(lane_div(s->z_0, lane_set(REAL_UNIT)), low);
    low = lane_select(weak, s->z_0, low);
    high = lane_select(weak, s->z_0, high);
    falsi_t root = smith_search(s, low, high);
    *none = mask_and(s->jam, lane_le(zero, root.f_low));
    friction_t r = {0};
    lane_t z = high;
    for (int i = 0; i < Z_ITERATIONS; i++) {
        z = falsi_next(&root);
        r = smith_at(s, z, &inside);
        falsi_narrow(&root, z, inside);
    }
    const mask_t little = lane_lt(r.p_n, lane_mul(lane_set(LITTLE_OF_NORMAL), s->f.p_i));
    const mask_t by_z = mask_andnot(little, s->pulls);
    r.p_n = lane_select(by_z, smith_normal(s, r.slip, z), r.p_n);
    if (!mask_any(weak)) return r;
    const friction_t w = smith_weak(s);
    return friction_select(weak, &w, &r);
}

/* Slips this small beside others decide nothing that rounding does not: Whittaker's law is left. */
static inline mask_t smith_has_slip(const collision_t *c, pair_t w) {
    const lane_t r0 = pair_length(c->slip);
    const lane_t others = lane_add(pair_length(w), r0);
    return lane_lt(lane_mul(lane_set(REAL_UNIT), others), r0);
}

/* Of the lanes that are wanted; the others' friction stays. */
static inline word_t smith_rub(const collision_t *c, const axes_t *axes, pair_t w, lane_t p_i,
                               mask_t wanted, friction_t *r) {
    const pair_t ones = {lane_set(1), lane_set(1)};
    const final_slip_t f = {axes->sigma, axes->kappa, to_axes(axes, w), p_i, c->alpha, c->beta};
    mask_t none;
    smith_t s;
    s.f = easy_unless(wanted, &f);
    s.slip = pair_select(wanted, to_axes(axes, c->slip), ones);
    s.r0 = pair_length(s.slip);
    s.compliance = (pair_t){lane_div(ones.x, s.f.sigma.x), lane_div(ones.y, s.f.sigma.y)};
    s.z_0 = lane_sqrt(lane_mul(s.f.sigma.x, s.f.sigma.y));
    s.jam = lane_eq(s.f.p_i, lane_zero());
    friction_t slid = smith_slide(&s, &none);
    slid.p_t = from_axes(axes, slid.p_t);
    slid.slip = from_axes(axes, slid.slip);
    /* At mu = infinity it may be zero but for rounding. */
    slid.p_n = lane_max(slid.p_n, lane_zero());
    *r = friction_select(wanted, &slid, r);
    return word_where(mask_and(none, wanted), IMPINGE_OUTCOME_SEPARATING);
}

static inline answer_t smith(const collision_t *c, const impinge_options *options) {
    (void)options;
    const lane_t zero = lane_zero();
    const lane_t p_i = frictionless_impulse(c);
    const pair_t w = pair_fma(p_i, c->k, c->slip);
    const axes_t axes = axes_of(&c->s, c->kappa);
    const mask_t collides = mask_or(lane_lt(zero, p_i), lane_eq(c->u_n, zero));
    const mask_t rubs = mask_and(lane_lt(zero, c->beta), collides);
    const mask_t wanted = mask_and(rubs, smith_has_slip(c, w));
    friction_t r = {0};
    word_t outcome = word_where(mask_none(), 0);
    if (mask_any(mask_not(wanted))) r = final_slip_from(&axes, c, w, p_i);
    if (mask_any(wanted)) outcome = smith_rub(c, &axes, w, p_i, wanted, &r);
    return straight_answer(c, r.p_t, r.p_n, r.slip, rebound(c), outcome);
}

#endif
