/*
 * Smith's law (Chatterjee and Ruina 1998, 4.2.3, eq. 8): friction along the mean of initial and
 * final slip, each weighted by its size.
 *
 * With r0 = |u_t0|, rho = |u_t| / r0 and y = mu p_n r0 / (r0^2 + |u_t|^2), eq. 8 is p_t = -y (u_t0
 * + rho u_t); with algebraic.h's u_t = w + S p_t and z = 1 / y
 *
 *     u_t = (z 1 + rho S)^-1 (z w - S u_t0),   p_t = -(z 1 + rho S)^-1 (u_t0 + rho w).
 *
 * As in final_slip.h, the adjugate of z 1 + rho S is z 1 + rho adj S, and of its determinant z^2 +
 * rho z tr S + rho^2 det S nothing cancels; so u_t and p_t are as exact as they can be for any S.
 * For each z >= 0 there is one rho with |u_t| = rho r0, since one side falls and the other grows.
 * One equation in z remains:
 *
 *     mu p_n(z) z = (1 + rho^2) r0.
 *
 * The left side is the larger as z goes to infinity (where p_n is p_I > 0), the right as z goes to
 * zero: there is always a root, and z >= 0 rejects those with p_n < 0. The largest z is the one
 * nearest to no friction.
 *
 * The slip before may be far smaller than w and still count, where K's units are uneven
 * (smith_has_slip), and rho and z are then out of range. So the code uses rho / R and z / R, with a
 * power of two R near the root of |w| / r0. Every equation above keeps its form if u_t0 is replaced
 * by u_t0 / R, r0 by r0 / R in the sum, and by R r0 where it multiplies rho.
 */
#ifndef IMPINGE_KERNELS_LAWS_SMITH_H
#define IMPINGE_KERNELS_LAWS_SMITH_H

#include "whittaker.h"

/*
 * The slip before over that which friction could take away, mu p_n: so small that it is far below
 * rounding, and z, of that order, would leave the range.
 */
#if IMPINGE_REAL_BITS == 32
#define ALPHA_NONE 0x1p-96f
#else
#define ALPHA_NONE 0x1p-960
#endif

typedef struct smith {
    final_slip_t f;  /* the problem without Smith's own terms */
    tangent_t slip;  /* u_t0 / R, */
    tangent_t stiff; /* and S of it */
    lanes_t r0;      /* |u_t0| */
    lanes_t over;    /* 1 / R */
    lanes_t square;  /* 1 / R^2 */
    lanes_t part;    /* r0 / R */
    lanes_t reach;   /* R r0 */
    lanes_t z_0;
    mask_t jam;      /* p_I = 0 */
    mask_t infinite; /* mu is: the root is p_n = 0, or y = infinity */
    lanes_t sign;    /* of the excess above the largest root: 1, or in a jam -1 */
    mask_t pulls;    /* p_n < 0 at the lower bound of z, and the root is next to it */
} smith_t;

/* An impulse on the way to the root: p_n is p_I - kappa . p_t. */
typedef struct smith_point {
    tangent_t p_t, slip;
    lanes_t p_n, z, rho;
} smith_point_t;

static inline lanes_t smith_determinant(const smith_t *s, lanes_t z, lanes_t rho) {
    const final_slip_t *f = &s->f;
    const lanes_t linear = lane_mul(rho, stiffest(f));
    const lanes_t square = lane_mul(lane_mul(rho, rho), f->determinant);
    return lane_fma(z, lane_add(z, linear), square);
}

/* The rounding error of a sum = a x + b (Dekker 1971; Knuth's sum of two numbers). */
static inline lanes_t lost_of_sum(lanes_t a, lanes_t x, lanes_t b) {
    const lanes_t product = lane_mul(a, x);
    const lanes_t lost = lane_fma(a, x, lane_neg(product));
    const lanes_t sum = lane_add(product, b);
    const lanes_t of_b = lane_sub(sum, product);
    const lanes_t of_product = lane_sub(sum, of_b);
    return lane_add(lane_add(lane_sub(product, of_product), lane_sub(b, of_b)), lost);
}

/*
 * The adjugate is that of the sum u_t0 + rho w: where S is nearly singular, the parts along its
 * softer axis may be large and cancel. Along that axis the sum's own rounding is large, too.
 */
static inline tangent_t smith_impulse(const smith_t *s, lanes_t z, lanes_t rho) {
    const tangent_t *w = &s->f.w;
    const tangent_t mean = {lane_add(lane_mul(rho, w->x), s->slip.x),
                            lane_add(lane_mul(rho, w->y), s->slip.y)};
    const tangent_t lost = {lost_of_sum(rho, w->x, s->slip.x), lost_of_sum(rho, w->y, s->slip.y)};
    const tangent_t adjugate = tangent_tensor_adjugate(&s->f.s, mean);
    const tangent_t rest = tangent_tensor_adjugate(&s->f.s, lost);
    const tangent_t turned = tangent_scale(rho, tangent_fma(lane_set(1), adjugate, rest));
    const tangent_t sum = tangent_fma(z, mean, turned);
    const lanes_t divisor = lane_neg(smith_determinant(s, z, rho));
    return (tangent_t){lane_div(sum.x, divisor), lane_div(sum.y, divisor)};
}

/*
 * a = z w - S u_t0, from which u_t = (z a + rho adj S a) / det; adj S a = z adj S w - det S u_t0.
 */
typedef struct smith_drive {
    tangent_t a, adjugate;
} smith_drive_t;

static inline smith_drive_t smith_drive(const smith_t *s, lanes_t z) {
    const final_slip_t *f = &s->f;
    const tangent_t held = tangent_scale(f->determinant, s->slip);
    return (smith_drive_t){tangent_fma(z, f->w, tangent_neg(s->stiff)),
                           tangent_fma(z, f->adjugate, tangent_neg(held))};
}

static inline tangent_t smith_slip(const smith_t *s, const smith_drive_t *d, lanes_t z,
                                   lanes_t rho) {
    const tangent_t sum = tangent_fma(rho, d->adjugate, tangent_scale(z, d->a));
    const lanes_t divisor = smith_determinant(s, z, rho);
    return (tangent_t){lane_div(sum.x, divisor), lane_div(sum.y, divisor)};
}

/*
 * Each iteration triples the right digits, and the start has one or two; f32 takes three
 * iterations.
 */
#define RHO_MOST  40
#define RHO_CLOSE (4 * HALF_PRECISION)

/*
 * rho with |u_t| = rho r0, or x = |u_t| / (rho r0) = 1. The start is exact for z = 0 and for large
 * z. In logarithms x falls by 1 + q as rho grows, q = rho u . S (z 1 + rho S)^-1 u / u^2 from 0 to
 * 1, evenly but for changes of q; so rho is multiplied by x^(1 / (1 + q)); the fraction below is
 * its Pade approximant.
 */
static inline lanes_t smith_rho(const smith_t *s, const smith_drive_t *d, lanes_t z) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const lanes_t two = lane_set(2);
    const final_slip_t *f = &s->f;
    const lanes_t length = tangent_length(d->a);
    const lanes_t turned = tangent_length(d->adjugate);
    mask_t open = mask_and(lane_lt(zero, length), lane_lt(zero, turned));
    const lanes_t sigma =
        lane_div(lane_mul(length, f->determinant), lane_select(open, turned, one));
    const lanes_t size = lane_div(length, s->reach);
    const lanes_t root = lane_sqrt(lane_mul_add2(z, z, lane_mul(lane_set(4), sigma), size));
    lanes_t rho = lane_div(lane_add(size, size), lane_select(open, lane_add(z, root), one));
    for (int i = 0; i < RHO_MOST; i++) {
        const tangent_t u = smith_slip(s, d, z, rho);
        const lanes_t square = tangent_dot(u, u);
        open = mask_and(open, lane_lt(zero, square));
        const lanes_t stiff = tangent_dot(u, tangent_tensor_apply(&f->s, u));
        const lanes_t weighted = lane_mul_add2(z, stiff, lane_mul(rho, f->determinant), square);
        const lanes_t divisor = lane_mul(smith_determinant(s, z, rho), square);
        const lanes_t q = lane_div(lane_mul(rho, weighted), lane_select(open, divisor, one));
        const lanes_t x = lane_div(lane_sqrt(square), lane_mul(rho, s->reach));
        const lanes_t q_2 = lane_add(q, two);
        const lanes_t factor = lane_div(lane_fma(q_2, x, q), lane_fma(q, x, q_2));
        rho = lane_select(open, lane_mul(rho, factor), rho);
        /* The next step would be a small multiple of this one's third power. */
        const lanes_t step = lane_abs(lane_sub(factor, one));
        open = mask_and(open, lane_lt(lane_set(RHO_CLOSE), step));
        if (!mask_any(open)) break;
    }
    return rho;
}

/* The weight of the slips in eq. 8: (r0^2 + |u_t|^2) / r0, over R. */
static inline lanes_t smith_weight(const smith_t *s, lanes_t rho) {
    return lane_mul(lane_fma(rho, rho, s->square), s->reach);
}

/*
 * The impulse at z, and the excess of the equation's left side over the right: their ratio less
 * one, times alpha, which is linear for small z; or their difference over z, if p_n vanishes at the
 * root. `rounding` receives its rounding error, unless null.
 */
static inline smith_point_t smith_at(const smith_t *s, lanes_t z, lanes_t *inside,
                                     lanes_t *rounding) {
    const final_slip_t *f = &s->f;
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const smith_drive_t d = smith_drive(s, z);
    smith_point_t r = {.z = z, .rho = smith_rho(s, &d, z)};
    r.slip = smith_slip(s, &d, z, r.rho);
    r.p_t = smith_impulse(s, z, r.rho);
    r.p_n = normal_at(f, r.p_t);
    const lanes_t relative = lane_div(z, smith_weight(s, r.rho));
    /* At z = 0, which is tried where alpha is zero, the difference is beta p_n. */
    const mask_t some = lane_lt(zero, relative);
    const lanes_t over = lane_div(f->alpha, lane_select(some, relative, one));
    const lanes_t difference = lane_fma(f->beta, r.p_n, lane_neg(lane_select(some, over, zero)));
    const lanes_t excess = lane_fma(lane_mul(f->beta, r.p_n), relative, lane_neg(f->alpha));
    *inside = lane_mul(s->sign, lane_select(s->pulls, difference, excess));
    if (!rounding) return r;
    const lanes_t sizes = lane_mul(f->beta, lane_add(f->p_i, coupling_size(f, r.p_t)));
    const lanes_t terms = lane_select(s->pulls, sizes, lane_fma(sizes, relative, f->alpha));
    *rounding = lane_mul(lane_set(INSIDE_UNITS * REAL_UNIT), terms);
    return r;
}

/*
 * Bounds of every root. u_t is between w and -u_t0 / rho, weighted for each axis, so that
 *
 *     rho^2 <= 1 + |w|^2 / r0^2;
 *
 * p_n >= p_I / (1 + mu |kappa|), since |p_t| <= mu p_n; and p_t = S^-1 (u_t - w). A jam (p_I = 0)
 * has no bound, but where z is far above both eigenvalues of S the equation no longer changes.
 */
static inline void smith_bounds(const smith_t *s, lanes_t *low, lanes_t *high) {
    const final_slip_t *f = &s->f;
    const lanes_t sigma = softest(f);
    const lanes_t w = tangent_length(f->w);
    const lanes_t fastest = lane_sqrt(lane_mul_add2(s->r0, s->r0, w, w));
    const lanes_t kappa = tangent_length(f->kappa);
    const lanes_t p_max = lane_fma(kappa, lane_div(lane_add(fastest, w), sigma), f->p_i);
    const lanes_t spread = lane_fma(f->beta, kappa, f->alpha);
    const lanes_t weight = lane_add(s->part, lane_div(lane_mul(fastest, fastest), s->reach));
    const lanes_t steady = lane_mul(lane_mul(stiffest(f), lane_div(weight, s->r0)), lane_set(1024));
    const lanes_t p_i = lane_select(s->jam, lane_set(1), f->p_i);
    const lanes_t bound = lane_div(lane_mul(weight, spread), lane_mul(f->beta, p_i));
    *high = lane_select(s->jam, steady, bound);
    *low = lane_div(lane_mul(f->alpha, s->part), lane_mul(f->beta, p_max));
}

/*
 * Searches for the largest root from the upper bound down, in even ratios, until z is small beside
 * the terms to which it is added: sigma in the denominators and sigma u_t0 / w in u_t. Below that
 * the equation is nearly linear in z. Two roots between two trials would both be missed.
 */
#define Z_TRIALS 16
#define Z_LINEAR REAL(0x1p-6)

/* Ends of opposite sign around the root. */
static inline falsi_t smith_search(smith_t *s, lanes_t low, lanes_t high) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const lanes_t share = lane_div(s->part, lane_add(s->r0, tangent_length(s->f.w)));
    const lanes_t sigma = softest(&s->f);
    const lanes_t linear = lane_mul(lane_mul(sigma, share), lane_set(Z_LINEAR));
    const lanes_t end = lane_min(lane_max(low, linear), high);
    const lanes_t ratio = lane_sqrt(lane_sqrt(lane_sqrt(lane_sqrt(lane_div(end, high)))));
    lanes_t f_low, f_high;
    s->pulls = s->infinite;
    s->sign = one;
    smith_at(s, high, &f_high, NULL);
    s->sign = lane_select(s->jam, lane_copysign(one, f_high), one);
    f_high = lane_abs(f_high);
    const lanes_t p_low = smith_at(s, low, &f_low, NULL).p_n;
    falsi_t root = falsi_begin(low, high, f_low, f_high, zero);
    mask_t found = mask_none();
    lanes_t z = high;
    for (int i = 0; i < Z_TRIALS; i++) {
        z = lane_mul(z, ratio);
        lanes_t inside;
        smith_at(s, z, &inside, NULL);
        const mask_t outside = lane_lt(inside, zero);
        const mask_t first = mask_andnot(outside, found);
        root.low = lane_select(first, z, root.low);
        root.f_low = lane_select(first, inside, root.f_low);
        found = mask_or(found, outside);
        root.high = lane_select(found, root.high, z);
        root.f_high = lane_select(found, root.f_high, inside);
    }
    s->pulls = mask_or(s->infinite, mask_andnot(lane_lt(p_low, zero), found));
    if (mask_any(s->pulls)) {
        /* Other lanes keep f_high, so that neighbours do not change their bits. */
        lanes_t f_pulling;
        smith_at(s, root.high, &f_pulling, NULL);
        root.f_high = lane_select(s->pulls, f_pulling, root.f_high);
        /* Without the term over z, which has an effect only at the bound. */
        const mask_t at_bound = mask_andnot(s->pulls, found);
        root.f_low = lane_select(at_bound, lane_mul(s->f.beta, p_low), root.f_low);
    }
    return root;
}

/* Above this z the impulse changes no bit of the slip's direction: u_t is w. */
static inline lanes_t smith_straight(const smith_t *s) {
    const lanes_t rho = lane_div(tangent_length(s->f.w), s->reach);
    return lane_mul(lane_set(4 / REAL_UNIT), lane_mul(stiffest(&s->f), lane_add(rho, s->over)));
}

/*
 * For friction so weak that the equation is linear in y, up to 1 / `straight`. Where its divisor is
 * rounding, as where mu is 1 / |kappa|, that end is as good as any.
 */
static inline friction_t smith_weak(const smith_t *s, lanes_t straight) {
    const final_slip_t *f = &s->f;
    const lanes_t zero = lane_zero();
    const lanes_t rho = lane_div(tangent_length(f->w), s->reach);
    const tangent_t mean = tangent_fma(rho, f->w, s->slip);
    const lanes_t coupled = lane_mul(f->beta, tangent_dot(f->kappa, mean));
    const lanes_t divisor = lane_fma(f->alpha, smith_weight(s, rho), lane_neg(coupled));
    const mask_t some = lane_lt(zero, divisor);
    const lanes_t most = lane_div(lane_set(1), straight);
    const lanes_t found =
        lane_div(lane_mul(f->beta, f->p_i), lane_select(some, divisor, lane_set(1)));
    const lanes_t y = lane_select(some, lane_min(found, most), most);
    friction_t r;
    r.p_t = tangent_scale(lane_neg(y), mean);
    r.slip = slip_at(f, r.p_t);
    const lanes_t by_y = lane_mul(f->alpha, lane_mul(y, smith_weight(s, rho)));
    r.p_n = left_of_normal(f, r.p_t, by_y, f->beta);
    return r;
}

/*
 * The friction at the root. p_n is limited from below, so that p_t is outside the cone by no more
 * than rounding.
 */
static inline friction_t smith_friction(const smith_t *s, const smith_point_t *at) {
    const final_slip_t *f = &s->f;
    const mask_t some = lane_lt(lane_zero(), at->z);
    const lanes_t divisor = lane_select(some, lane_mul(f->beta, at->z), lane_set(1));
    const lanes_t weight = lane_mul(f->alpha, smith_weight(s, at->rho));
    const lanes_t by_law = left_of_normal(f, at->p_t, weight, divisor);
    const lanes_t least = lane_div(lane_mul(f->alpha, tangent_length(at->p_t)), f->beta);
    return (friction_t){.p_t = at->p_t,
                        .p_n = lane_max(lane_select(some, by_law, at->p_n), least),
                        .slip = at->slip};
}

static inline smith_point_t smith_point_select(mask_t m, const smith_point_t *a,
                                               const smith_point_t *b) {
    return (smith_point_t){.p_t = tangent_select(m, a->p_t, b->p_t),
                           .slip = tangent_select(m, a->slip, b->slip),
                           .p_n = lane_select(m, a->p_n, b->p_n),
                           .z = lane_select(m, a->z, b->z),
                           .rho = lane_select(m, a->rho, b->rho)};
}

/* beta times the excess of the remaining normal impulse over the one that the law requires. */
static inline lanes_t smith_left(const smith_t *s, const smith_point_t *at) {
    const lanes_t weight = lane_mul(s->f.alpha, smith_weight(s, at->rho));
    const mask_t some = lane_lt(lane_zero(), at->z);
    const lanes_t required = lane_div(weight, lane_select(some, at->z, lane_set(1)));
    return lane_fma(s->f.beta, at->p_n, lane_neg(lane_select(some, required, lane_zero())));
}

/*
 * Interpolates between the ends of a bracket if the equation holds at neither to its rounding, as
 * impulse_found does.
 */
static inline smith_point_t smith_between(const smith_t *s, lanes_t low, lanes_t high) {
    lanes_t inside;
    const smith_point_t a = smith_at(s, low, &inside, NULL), b = smith_at(s, high, &inside, NULL);
    const lanes_t part = part_between(smith_left(s, &a), smith_left(s, &b));
    smith_point_t r = {.p_t = tangent_between(part, a.p_t, b.p_t),
                       .slip = tangent_between(part, a.slip, b.slip),
                       .z = lane_fma(part, lane_sub(high, low), low),
                       .rho = lane_fma(part, lane_sub(b.rho, a.rho), a.rho)};
    r.p_n = normal_at(&s->f, r.p_t);
    return r;
}

/* `none`: a jam in which no z is a root. */
static inline friction_t smith_slide(smith_t *s, mask_t *none) {
    const lanes_t zero = lane_zero();
    lanes_t low, high, inside, rounding;
    smith_bounds(s, &low, &high);
    const lanes_t straight = smith_straight(s);
    s->pulls = s->infinite;
    s->sign = lane_set(1);
    smith_at(s, straight, &inside, NULL);
    const mask_t weak =
        mask_andnot(mask_and(lane_lt(straight, high), lane_lt(inside, zero)), s->jam);
    high = lane_select(s->jam, high, lane_min(high, straight));
    low = lane_min(low, high);
    falsi_t root = smith_search(s, low, high);
    /* With infinite mu: p_n stays above 0 down to z = 0. */
    const mask_t reversed = mask_and(s->infinite, lane_le(zero, root.f_low));
    *none = mask_andnot(mask_and(s->jam, lane_le(zero, root.f_low)), s->infinite);
    root.done = mask_or(weak, mask_or(reversed, *none));
    mask_t apart = mask_not(root.done);
    smith_point_t point = smith_at(s, root.low, &inside, NULL);
    while (falsi_goes_on(&root)) {
        const mask_t open = mask_not(root.done);
        const lanes_t z = falsi_next(&root);
        const smith_point_t at = smith_at(s, z, &inside, &rounding);
        point = smith_point_select(open, &at, &point);
        const mask_t rest = lane_le(lane_abs(inside), rounding);
        apart = mask_andnot(apart, mask_and(open, rest));
        falsi_narrow(&root, z, inside, rest);
    }
    if (mask_any(apart)) {
        const smith_point_t between = smith_between(s, root.low, root.high);
        point = smith_point_select(apart, &between, &point);
    }
    const friction_t r = smith_friction(s, &point);
    if (!mask_any(weak)) return r;
    const friction_t w = smith_weak(s, straight);
    return friction_select(weak, &w, &r);
}

/* The least |u_t0| beside w, so that R and its square stay in range: 2^-56, and 2^-400. */
#define SLIP_BESIDE_LEAST (IMPINGE_REAL_BITS == 32 ? REAL(0x1p-56) : (real_t)0x1p-400)

/*
 * If rounding would hide the slip before beside w, the slip has no effect, and the law becomes
 * Whittaker's. Whether it is hidden depends on K's units: axis i adds up slips of the size of
 * sqrt(S_ii) times others. A slip along the softer axis that is less than a unit of |w| may be all
 * that friction opposes, and the impulse there is large: when it was neglected, friction once
 * gained energy. Where each u_t0 / sqrt(S_ii) is below a unit of the largest w / sqrt(S_ii), p_t .
 * u_t0 is below one of (sum sqrt(S_ii) |p_i|)^2 for an impulse that sticks.
 */
static inline mask_t smith_has_slip(const collision_t *c, tangent_t w) {
    const lanes_t unit = lane_set(REAL_UNIT);
    const lanes_t r0 = tangent_length(c->slip);
    const lanes_t others = lane_add(tangent_length(w), r0);
    /* Over sqrt(S_ii), and both times sqrt(S_11 S_22). */
    const lanes_t by_x = lane_sqrt(c->s.yy), by_y = lane_sqrt(c->s.xx);
    const lanes_t before =
        lane_max(lane_mul(lane_abs(c->slip.x), by_x), lane_mul(lane_abs(c->slip.y), by_y));
    const lanes_t after = lane_max(lane_mul(lane_abs(w.x), by_x), lane_mul(lane_abs(w.y), by_y));
    const mask_t even = lane_lt(lane_mul(unit, others), r0);
    const mask_t uneven = mask_and(lane_lt(lane_mul(unit, after), before),
                                   lane_lt(lane_mul(lane_set(SLIP_BESIDE_LEAST), others), r0));
    return mask_or(even, uneven);
}

/* The limit of p_I beside slips near 1, so that its products stay in range. */
#define NORMAL_MOST (IMPINGE_REAL_BITS == 32 ? REAL(0x1p120) : (real_t)0x1p1000)

/*
 * The problem in units of the slips, which may be small beside the first divisor; an easy problem
 * in lanes that are not wanted.
 */
static inline smith_t smith_of(const collision_t *c, const final_slip_t *given, mask_t wanted,
                               scale_t *scale) {
    const lanes_t one = lane_set(1);
    const tangent_t ones = {one, one};
    const tangent_t slip = tangent_select(wanted, c->slip, ones);
    smith_t s = {.f = easy_unless(wanted, given)};
    const lanes_t slips =
        max3(lane_abs(slip.x), lane_abs(slip.y), lane_max(lane_abs(s.f.w.x), lane_abs(s.f.w.y)));
    *scale = scale_of(lane_max(slips, lane_mul(s.f.p_i, lane_set(1 / NORMAL_MOST))));
    s.slip = (tangent_t){normalise_by(scale, slip.x), normalise_by(scale, slip.y)};
    s.f.w = (tangent_t){normalise_by(scale, s.f.w.x), normalise_by(scale, s.f.w.y)};
    s.f.p_i = normalise_by(scale, s.f.p_i);
    s.f.adjugate = tangent_tensor_adjugate(&s.f.s, s.f.w);
    s.r0 = tangent_length(s.slip);
    const lanes_t ratio = lane_div(lane_max(tangent_length(s.f.w), s.r0), s.r0);
    const lanes_t r = lane_power_of_two(lane_sqrt(ratio));
    s.over = lane_div(one, r);
    s.square = lane_mul(s.over, s.over);
    s.part = lane_mul(s.r0, s.over);
    s.reach = lane_mul(s.r0, r);
    s.slip = tangent_scale(s.over, s.slip);
    s.stiff = tangent_tensor_apply(&s.f.s, s.slip);
    s.z_0 = lane_sqrt(s.f.determinant);
    s.jam = lane_eq(s.f.p_i, lane_zero());
    const lanes_t most = lane_mul(c->beta, s.f.p_i);
    s.infinite = lane_le(s.f.alpha, lane_mul(lane_set(ALPHA_NONE), most));
    s.f.alpha = lane_select(s.infinite, lane_zero(), s.f.alpha);
    return s;
}

/* Solves for the wanted lanes; the others keep their friction. */
static inline words_t smith_rub(const collision_t *c, const final_slip_t *given, mask_t wanted,
                                friction_t *r) {
    mask_t none;
    scale_t scale;
    smith_t s = smith_of(c, given, wanted, &scale);
    friction_t slid = smith_slide(&s, &none);
    slid.p_t = (tangent_t){scale_velocity(&scale, slid.p_t.x), scale_velocity(&scale, slid.p_t.y)};
    slid.slip =
        (tangent_t){scale_velocity(&scale, slid.slip.x), scale_velocity(&scale, slid.slip.y)};
    /* With infinite mu it is zero but for rounding. */
    slid.p_n = lane_max(scale_velocity(&scale, slid.p_n), lane_zero());
    *r = friction_select(wanted, &slid, r);
    return word_where(mask_and(none, wanted), IMPINGE_OUTCOME_SEPARATING);
}

static inline law_answer_t smith(const collision_t *c, const impinge_options *options) {
    (void)options;
    const lanes_t zero = lane_zero();
    const final_slip_t f = final_slip_of(c, frictionless_impulse(c));
    const mask_t collides = mask_or(lane_lt(zero, f.p_i), lane_eq(c->u_n, zero));
    const mask_t rubs = mask_and(lane_lt(zero, c->beta), collides);
    const mask_t wanted = mask_and(rubs, smith_has_slip(c, f.w));
    friction_t r = {0};
    words_t outcome = word_where(mask_none(), 0);
    if (mask_any(mask_not(wanted))) r = final_slip(&f);
    if (mask_any(wanted)) outcome = smith_rub(c, &f, wanted, &r);
    return straight_answer(c, r.p_t, r.p_n, r.slip, rebound(c), outcome);
}

#endif
