/*
 * Friction that opposes the final slip, where the final u_n is known: the core of Whittaker's law
 * and of the two stages of Anitescu and Potra's (003, 4.2.2 and 4.2.4).
 *
 * In the notation of algebraic.h, u_t = w + S p_t and p_n = p_I - kappa . p_t. Sticking, u_t = 0,
 * is p_t = -S^-1 w. Sliding is u_t = -nu p_t with nu > 0, so
 *
 *     p_t(nu) = -(S + nu 1)^-1 w     and     mu p_n(nu) = |p_t(nu)|.
 *
 * For nu to infinity p_t vanishes and p_n is p_I > 0, inside the cone; nu = 0 is sticking. So where
 * sticking is outside the cone there is a nu at which p_t(nu) is on it: a solution always exists.
 * In S's principal axes p_t(nu) is two divisions.
 */
#ifndef IMPINGE_KERNELS_FINAL_SLIP_H
#define IMPINGE_KERNELS_FINAL_SLIP_H

#include "algebraic.h"
#include "principal.h"

/* The tangent plane in S's principal axes. */
typedef struct axes {
    principal_t frame; /* t1 and t2 are S's eigenvalues */
    pair_t sigma, kappa;
} axes_t;

static inline pair_t to_axes(const axes_t *a, pair_t v) {
    const lane_t c = a->frame.cosine;
    const lane_t s = a->frame.sine;
    return (pair_t){lane_mul_add2(c, v.x, s, v.y), lane_difference_of_products(c, v.y, s, v.x)};
}

static inline pair_t from_axes(const axes_t *a, pair_t v) {
    const lane_t c = a->frame.cosine;
    const lane_t s = a->frame.sine;
    return (pair_t){lane_difference_of_products(c, v.x, s, v.y), lane_mul_add2(s, v.x, c, v.y)};
}

static inline axes_t axes_of(const tangential_t *s, pair_t kappa) {
    axes_t a;
    a.frame = principal_frame(s->xx, s->xy, s->yy);
    a.sigma = (pair_t){a.frame.t1, a.frame.t2};
    a.kappa = to_axes(&a, kappa);
    return a;
}

/* A tangential impulse on or in the cone, and the slip per impulse at which it was found. */
typedef struct friction {
    pair_t p_t, slip;
    lane_t p_n;
} friction_t;

static inline friction_t friction_select(mask_t m, const friction_t *a, const friction_t *b) {
    return (friction_t){.p_t = pair_select(m, a->p_t, b->p_t),
                        .slip = pair_select(m, a->slip, b->slip),
                        .p_n = lane_select(m, a->p_n, b->p_n)};
}

/* What is to be solved, in S's principal axes. */
typedef struct final_slip {
    pair_t sigma, kappa, w;
    lane_t p_i, alpha, beta;
} final_slip_t;

static inline pair_t impulse_at(const final_slip_t *f, lane_t nu) {
    return (pair_t){lane_div(lane_neg(f->w.x), lane_add(f->sigma.x, nu)),
                    lane_div(lane_neg(f->w.y), lane_add(f->sigma.y, nu))};
}

/* u_t = w + S p_t */
static inline pair_t slip_at(const final_slip_t *f, pair_t p_t) {
    return (pair_t){lane_fma(f->sigma.x, p_t.x, f->w.x), lane_fma(f->sigma.y, p_t.y, f->w.y)};
}

static inline lane_t normal_at(const final_slip_t *f, pair_t p_t) {
    return lane_sub(f->p_i, pair_dot(f->kappa, p_t));
}

/*
 * beta p_n / |p_t| - alpha at nu, which grows almost in proportion to nu, and its slope. The
 * impulse's size is not zero for any nu that is tried.
 */
static inline lane_t inside_at(const final_slip_t *f, lane_t nu, lane_t *slope) {
    const pair_t p = impulse_at(f, nu);
    const pair_t fall = {lane_div(p.x, lane_add(f->sigma.x, nu)),
                         lane_div(p.y, lane_add(f->sigma.y, nu))}; /* -dp_t/dnu */
    const lane_t size = pair_length(p);
    const lane_t p_n = normal_at(f, p);
    const lane_t p_n_slope = pair_dot(f->kappa, fall);
    const lane_t shrinking = lane_div(pair_dot(p, fall), lane_mul(size, size));
    const lane_t ratio = lane_div(f->beta, size);
    *slope = lane_mul(ratio, lane_fma(p_n, shrinking, p_n_slope));
    return lane_fma(ratio, p_n, lane_neg(f->alpha));
}

/* Of rounding: weak friction has its root at the bound. */
#define BOUND_UNITS 16

/*
 * No root is above this: |p_t| <= |w| / nu everywhere, and at a root |p_t| = mu p_n >= mu (p_I -
 * |kappa| |p_t|).
 */
static inline lane_t largest_nu(const final_slip_t *f) {
    const lane_t spread = lane_fma(f->beta, pair_length(f->kappa), f->alpha);
    const lane_t bound = lane_div(lane_mul(pair_length(f->w), spread), lane_mul(f->beta, f->p_i));
    return lane_fma(bound, lane_set(BOUND_UNITS * REAL_UNIT), bound);
}

/*
 * Of several roots the largest is wanted: from the bound down in even ratios of sigma + nu until
 * the cone has been left. Two roots between two of these trials would both be missed, and the next
 * be taken.
 */
#define NU_TRIALS 8

/* From the ratio of two trials to the last bit; near a jam the first four only halve the bracket.
 */
#define NU_ITERATIONS (IMPINGE_REAL_BITS == 32 ? 9 : 12)

typedef struct bracket {
    lane_t low, high; /* outside the cone, inside */
} bracket_t;

static inline bracket_t bracket_nu(const final_slip_t *f, lane_t bound) {
    const lane_t zero = lane_zero();
    const lane_t sigma = lane_min(f->sigma.x, f->sigma.y);
    const lane_t range = lane_div(sigma, lane_add(bound, sigma));
    const lane_t ratio = lane_sqrt(lane_sqrt(lane_sqrt(range))); /* NU_TRIALS of it */
    bracket_t b = {zero, bound};
    mask_t found = mask_none();
    lane_t shifted = lane_add(bound, sigma);
    for (int i = 1; i < NU_TRIALS; i++) {
        shifted = lane_mul(shifted, ratio);
        const lane_t nu = lane_max(lane_sub(shifted, sigma), zero);
        const pair_t p = impulse_at(f, nu);
        const mask_t outside =
            lane_lt(lane_mul(f->beta, normal_at(f, p)), lane_mul(f->alpha, pair_length(p)));
        b.low = lane_select(mask_andnot(outside, found), nu, b.low);
        found = mask_or(found, outside);
        b.high = lane_select(found, b.high, nu);
    }
    return b;
}

/* Newton's iteration, kept in the bracket. */
static inline lane_t solve_nu(const final_slip_t *f, bracket_t b) {
    const lane_t zero = lane_zero();
    const lane_t half = lane_set(REAL(0.5));
    lane_t nu = lane_mul(half, lane_add(b.low, b.high));
    for (int i = 0; i < NU_ITERATIONS; i++) {
        lane_t slope;
        const lane_t inside = inside_at(f, nu, &slope);
        const mask_t outside = lane_lt(inside, zero);
        b.low = lane_select(outside, nu, b.low);
        b.high = lane_select(outside, b.high, nu);
        const lane_t next = lane_sub(nu, lane_div(inside, slope));
        const mask_t kept = mask_and(lane_le(b.low, next), lane_le(next, b.high));
        nu = lane_select(kept, next, lane_mul(half, lane_add(b.low, b.high)));
    }
    return nu;
}

/*
 * On the cone exactly, in p's direction s: p_t = mu p_n s and p_n = p_I - kappa . p_t together; q
 * is max(1, mu) p_n. At a root the divisor is p_I / q > 0; what rounding makes of a small one is
 * not let through.
 */
static inline friction_t on_cone(const final_slip_t *f, pair_t p) {
    const lane_t one = lane_set(1);
    const lane_t size = pair_length(p);
    const pair_t s = {lane_div(p.x, size), lane_div(p.y, size)};
    const lane_t divisor = lane_fma(f->beta, pair_dot(f->kappa, s), f->alpha);
    const mask_t pushes = lane_lt(lane_zero(), divisor);
    const lane_t q = lane_select(pushes, lane_div(f->p_i, lane_select(pushes, divisor, one)),
                                 lane_div(size, f->beta));
    friction_t r;
    r.p_t = pair_scale(lane_mul(f->beta, q), s);
    r.p_n = lane_mul(f->alpha, q);
    return r;
}

/* The same problem where `wanted`; in the other lanes one that is easily solved. */
static inline final_slip_t easy_unless(mask_t wanted, const final_slip_t *f) {
    const lane_t one = lane_set(1);
    const pair_t ones = {one, one};
    const pair_t zeros = {lane_zero(), lane_zero()};
    return (final_slip_t){.sigma = pair_select(wanted, f->sigma, ones),
                          .kappa = pair_select(wanted, f->kappa, zeros),
                          .w = pair_select(wanted, f->w, ones),
                          .p_i = lane_select(wanted, f->p_i, one),
                          .alpha = lane_select(wanted, f->alpha, one),
                          .beta = lane_select(wanted, f->beta, lane_set(REAL(0.5)))};
}

/* On the cone, as nearly as nu is: the direction alone would say too little of a near jam. */
static inline friction_t slide_at(const final_slip_t *f, lane_t nu) {
    friction_t r;
    r.p_t = impulse_at(f, nu);
    r.slip = pair_scale(lane_neg(nu), r.p_t);
    r.p_n = lane_div(lane_mul(f->alpha, pair_length(r.p_t)), f->beta);
    return r;
}

/*
 * Friction so weak that it does not turn the slip by a bit: nu is above sigma / REAL_UNIT. Where
 * mu |kappa| <= 1/2 the root is above a quarter of the bound.
 */
static inline mask_t is_weak(const final_slip_t *f, lane_t bound) {
    const lane_t pressing = lane_mul(lane_set(2), lane_mul(f->beta, pair_length(f->kappa)));
    const lane_t sigma = lane_max(f->sigma.x, f->sigma.y);
    return mask_and(lane_le(pressing, f->alpha),
                    mask_not(lane_le(bound, lane_mul(lane_set(4 / REAL_UNIT), sigma))));
}

static inline friction_t slide(const final_slip_t *f) {
    const lane_t bound = largest_nu(f);
    const mask_t weak = is_weak(f, bound);
    const lane_t reach = lane_select(weak, lane_set(1), lane_min(bound, lane_set(SCALE_FAR)));
    const lane_t nu = solve_nu(f, bracket_nu(f, reach));
    const friction_t strong = slide_at(f, nu);
    friction_t little = on_cone(f, pair_neg(f->w));
    little.slip = slip_at(f, little.p_t);
    return friction_select(weak, &little, &strong);
}

/* Friction within the cone: all that sticking needs, else on the cone; none if there is no mu p_I.
 */
static inline friction_t final_slip(const final_slip_t *f) {
    const lane_t zero = lane_zero();
    const pair_t none = {zero, zero};
    friction_t r;
    r.p_t = impulse_at(f, zero);
    r.p_n = normal_at(f, r.p_t);
    const mask_t sticks = lane_le(lane_mul(f->alpha, pair_length(r.p_t)), lane_mul(f->beta, r.p_n));
    const mask_t rubs = lane_lt(zero, lane_mul(f->beta, f->p_i));
    const mask_t slides = mask_andnot(rubs, sticks);
    r.p_t = pair_select(sticks, r.p_t, none);
    r.p_n = lane_select(sticks, r.p_n, f->p_i);
    r.slip = pair_select(sticks, none, f->w);
    if (!mask_any(slides)) return r;
    const final_slip_t sliding = easy_unless(slides, f);
    const friction_t s = slide(&sliding);
    return friction_select(slides, &s, &r);
}

/* The same in (t1, t2): w is the slip, and p_i the normal impulse, if there were no friction. */
static inline friction_t final_slip_from(const axes_t *axes, const collision_t *c, pair_t w,
                                         lane_t p_i) {
    const final_slip_t f = {.sigma = axes->sigma,
                            .kappa = axes->kappa,
                            .w = to_axes(axes, w),
                            .p_i = p_i,
                            .alpha = c->alpha,
                            .beta = c->beta};
    friction_t r = final_slip(&f);
    r.p_t = from_axes(axes, r.p_t);
    r.slip = from_axes(axes, r.slip);
    return r;
}

#endif
