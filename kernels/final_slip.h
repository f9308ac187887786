/*
 * Friction that opposes the final slip, where the final u_n is known: the core of Whittaker's law
 * and of the two stages of Anitescu and Potra's (Chatterjee and Ruina 1998, 4.2.2 and 4.2.4).
 *
 * In the notation of algebraic.h, u_t = w + S p_t and p_n = p_I - kappa . p_t. Sticking, u_t = 0,
 * is p_t = -S^-1 w. Sliding is u_t = -nu p_t with nu > 0, so
 *
 *     p_t(nu) = -(S + nu 1)^-1 w     and     mu p_n(nu) = |p_t(nu)|.
 *
 * For nu to infinity p_t vanishes and p_n is p_I > 0, inside the cone; nu = 0 is sticking. So where
 * sticking is outside the cone there is a nu at which p_t(nu) is on it: a solution always exists.
 *
 * S + nu 1 is solved by Cramer's rule, its determinant a sum of positive terms and its adjugate
 * that of S and nu 1:
 *
 *     (S + nu 1)^-1 w = (adj S w + nu w) / (det S + nu (tr S + nu)).
 *
 * In S's principal axes it would be two divisions, but where K's units are uneven a turn of the
 * axes mixes a small component's size with a large one's rounding; and to round S + nu 1 itself
 * would lose S's lesser eigenvalue.
 */
#ifndef IMPINGE_KERNELS_FINAL_SLIP_H
#define IMPINGE_KERNELS_FINAL_SLIP_H

#include "algebraic.h"
#include "falsi.h"

/* A tangential impulse on or in the cone, and the slip per impulse at which it was found. */
typedef struct friction {
    tangent_t p_t, slip;
    lanes_t p_n;
} friction_t;

static inline friction_t friction_select(mask_t m, const friction_t *a, const friction_t *b) {
    return (friction_t){.p_t = tangent_select(m, a->p_t, b->p_t),
                        .slip = tangent_select(m, a->slip, b->slip),
                        .p_n = lane_select(m, a->p_n, b->p_n)};
}

/* The equation to be solved. */
typedef struct final_slip {
    tangent_tensor_t s;
    lanes_t determinant;
    tangent_t kappa, w, adjugate; /* adj S w */
    lanes_t p_i, alpha, beta;
} final_slip_t;

static inline tangent_t impulse_at(const final_slip_t *f, lanes_t nu) {
    const lanes_t divisor = lane_neg(determinant_plus(&f->s, f->determinant, nu));
    const tangent_t sum = tangent_fma(nu, f->w, f->adjugate);
    return (tangent_t){lane_div(sum.x, divisor), lane_div(sum.y, divisor)};
}

/* (S + nu 1)^-1 a, accurate enough for a slope. */
static inline tangent_t over_stiffness(const final_slip_t *f, lanes_t nu, tangent_t a) {
    const lanes_t over = lane_div(lane_set(1), determinant_plus(&f->s, f->determinant, nu));
    return tangent_scale(over, tangent_fma(nu, a, tangent_tensor_adjugate(&f->s, a)));
}

/* u_t = w + S p_t */
static inline tangent_t slip_at(const final_slip_t *f, tangent_t p_t) {
    const tangent_t turned = tangent_tensor_apply(&f->s, p_t);
    return (tangent_t){lane_add(f->w.x, turned.x), lane_add(f->w.y, turned.y)};
}

/*
 * An upper bound on S's larger eigenvalue, at most twice it; and a lower bound on the lesser, at
 * least half of it.
 */
static inline lanes_t stiffest(const final_slip_t *f) { return lane_add(f->s.xx, f->s.yy); }
static inline lanes_t softest(const final_slip_t *f) {
    return lane_div(f->determinant, stiffest(f));
}

static inline lanes_t normal_at(const final_slip_t *f, tangent_t p_t) {
    return lane_sub(f->p_i, tangent_dot(f->kappa, p_t));
}

/* The sum of the sizes of the terms of kappa . p_t. */
static inline lanes_t coupling_size(const final_slip_t *f, tangent_t p_t) {
    return lane_mul_add2(lane_abs(f->kappa.x), lane_abs(p_t.x), lane_abs(f->kappa.y),
                         lane_abs(p_t.y));
}

/* Quotients of numbers below it have lost bits at the end of the range. */
#define QUOTIENT_LEAST ((IMPINGE_REAL_BITS == 32 ? FLT_MIN : DBL_MIN) / REAL_UNIT)

/*
 * The law's p_n, top / divisor, with which p_t is on the cone; or p_I - kappa . p_t, if these are
 * at the end of the range and little cancels.
 */
static inline lanes_t left_of_normal(const final_slip_t *f, tangent_t p_t, lanes_t top,
                                     lanes_t divisor) {
    const lanes_t sum = normal_at(f, p_t);
    const lanes_t sizes = lane_add(f->p_i, coupling_size(f, p_t));
    const mask_t little = lane_lt(lane_add(sum, sum), sizes);
    const mask_t small = lane_lt(lane_min(top, divisor), lane_set((real_t)QUOTIENT_LEAST));
    return lane_select(mask_andnot(small, little), sum, lane_div(top, divisor));
}

/* beta p_n / |p_t| - alpha at nu, its slope, and a bound on its rounding. */
typedef struct inside {
    lanes_t value, slope, rounding;
} inside_t;

/*
 * Units of rounding in (p_I - kappa . p_t) / |p_t|, which takes a few operations.
 */
#define INSIDE_UNITS 2

/*
 * It grows almost in proportion to nu. The impulse is not zero for any nu that is tried, except at
 * the end of the range.
 */
static inline inside_t inside_at(const final_slip_t *f, lanes_t nu) {
    const lanes_t one = lane_set(1);
    const tangent_t p = impulse_at(f, nu);
    const lanes_t over = lane_div(one, tangent_length(p));
    const tangent_t s = tangent_scale(over, p);      /* its direction */
    const tangent_t fall = over_stiffness(f, nu, s); /* -dp_t/dnu over |p_t| */
    const lanes_t free = lane_mul(f->p_i, over);
    const lanes_t p_n = lane_sub(free, tangent_dot(f->kappa, s)); /* over |p_t| */
    inside_t i;
    i.slope = lane_mul(f->beta, lane_fma(p_n, tangent_dot(s, fall), tangent_dot(f->kappa, fall)));
    i.value = lane_fma(f->beta, p_n, lane_neg(f->alpha));
    i.rounding = lane_mul(lane_set(INSIDE_UNITS * REAL_UNIT),
                          lane_fma(f->beta, lane_add(free, coupling_size(f, s)), f->alpha));
    return i;
}

/* True if an impulse is outside the cone. */
static inline mask_t is_outside(const final_slip_t *f, tangent_t p) {
    return lane_lt(lane_mul(f->beta, normal_at(f, p)), lane_mul(f->alpha, tangent_length(p)));
}

/* A margin for rounding, because weak friction has its root at the bound. */
#define BOUND_UNITS 16

/*
 * No root is above this: |p_t| <= |w| / nu everywhere, and at a root |p_t| = mu p_n >= mu (p_I -
 * |kappa| |p_t|). Infinite where that does not fit.
 */
static inline lanes_t largest_nu(const final_slip_t *f) {
    const lanes_t spread = lane_fma(f->beta, tangent_length(f->kappa), f->alpha);
    const lanes_t bound =
        lane_div(lane_mul(tangent_length(f->w), spread), lane_mul(f->beta, f->p_i));
    return lane_fma(bound, lane_set(BOUND_UNITS * REAL_UNIT), bound);
}

/*
 * Finds the largest of several roots: tries values from the bound down, in even ratios of sigma +
 * nu, until p_t leaves the cone. If two roots lie between two trials, both are missed, and the next
 * is taken.
 */
#define NU_TRIALS 8

typedef struct bracket {
    lanes_t low, high; /* outside the cone, inside */
} bracket_t;

static inline bracket_t bracket_nu(const final_slip_t *f, lanes_t bound) {
    const lanes_t zero = lane_zero();
    const lanes_t sigma = softest(f);
    const lanes_t range = lane_div(sigma, lane_add(bound, sigma));
    const lanes_t ratio = lane_sqrt(lane_sqrt(lane_sqrt(range))); /* NU_TRIALS of it */
    bracket_t b = {zero, bound};
    mask_t found = mask_none();
    lanes_t shifted = lane_add(bound, sigma);
    for (int i = 1; i < NU_TRIALS; i++) {
        shifted = lane_mul(shifted, ratio);
        const lanes_t nu = lane_max(lane_sub(shifted, sigma), zero);
        const mask_t outside = is_outside(f, impulse_at(f, nu));
        b.low = lane_select(mask_andnot(outside, found), nu, b.low);
        found = mask_or(found, outside);
        b.high = lane_select(found, b.high, nu);
    }
    return b;
}

/*
 * Newton's iteration in the bracket. It ends when the residual of the equation, or the bracket, is
 * only rounding; after some four steps. A step that leaves the bracket is replaced by a bisection,
 * and after NU_FREE every step is: from some point on, the tangent at one end of a bracket may
 * always cut the axis outside it, as it does just below the sticking threshold.
 */
#define NU_FREE 16
/* As FALSI_MOST. */
#define NU_MOST (NU_FREE + 12 + MANTISSA_BITS + 3)

/*
 * The nu that was found; and, in lanes of `apart`, the other end of a bracket of one or two units,
 * in which the equation holds at neither end to its own rounding.
 */
typedef struct found_nu {
    lanes_t nu, other;
    mask_t apart;
} found_nu_t;

/* The other end of the bracket; a unit from nu where the bracket is not tight. */
static inline lanes_t other_end(lanes_t nu, bracket_t b, lanes_t sigma) {
    const lanes_t one = lane_set(1), unit = lane_set(2 * REAL_UNIT);
    const mask_t tight = bracket_is_tight(b.low, b.high, sigma);
    const lanes_t up = lane_min(lane_mul(nu, lane_add(one, unit)), b.high);
    const lanes_t down = lane_max(lane_mul(nu, lane_sub(one, unit)), b.low);
    return lane_select(lane_lt(nu, b.high), lane_select(tight, b.high, up),
                       lane_select(tight, b.low, down));
}

static inline found_nu_t solve_nu(const final_slip_t *f, bracket_t b, mask_t wanted) {
    const lanes_t sigma = softest(f);
    mask_t open = wanted, apart = wanted, wide;
    lanes_t nu = lane_fma(lane_set(REAL(0.5)), lane_sub(b.high, b.low), b.low);
    for (int i = 0; i < NU_MOST; i++) {
        const inside_t inside = inside_at(f, nu);
        const mask_t outside = lane_lt(inside.value, lane_zero());
        b.low = lane_select(outside, nu, b.low);
        b.high = lane_select(outside, b.high, nu);
        const mask_t rest = lane_le(lane_abs(inside.value), inside.rounding);
        const mask_t tight = bracket_is_tight(b.low, b.high, sigma);
        const lanes_t step = lane_div(inside.value, inside.slope);
        const lanes_t next = lane_sub(nu, step);
        const mask_t still = mask_and(lane_eq(next, nu), lane_finite(inside.slope));
        apart = mask_andnot(apart, mask_and(open, rest));
        open = mask_andnot(open, mask_or(mask_or(rest, tight), still));
        if (!mask_any(open)) break;
        mask_t kept = mask_and(lane_lt(b.low, next), lane_lt(next, b.high));
        const lanes_t middle = bracket_middle(b.low, b.high, sigma, &wide);
        if (i >= NU_FREE) kept = mask_none();
        nu = lane_select(open, lane_select(kept, next, middle), nu);
    }
    return (found_nu_t){nu, other_end(nu, b, sigma), apart};
}

/*
 * On the cone exactly, in p's direction s: p_t = mu p_n s and p_n = p_I - kappa . p_t together; q
 * is max(1, mu) p_n. At a root the divisor is p_I / q > 0; where it is only rounding, q is that of
 * the largest impulse that keeps this direction, |w| / `straight`.
 */
static inline friction_t on_cone(const final_slip_t *f, tangent_t p, lanes_t straight) {
    const lanes_t one = lane_set(1);
    const lanes_t size = tangent_length(p);
    const tangent_t s = {lane_div(p.x, size), lane_div(p.y, size)};
    const lanes_t divisor = lane_fma(f->beta, tangent_dot(f->kappa, s), f->alpha);
    const mask_t pushes = lane_lt(lane_zero(), divisor);
    const lanes_t most = lane_div(lane_div(size, straight), f->beta);
    const lanes_t found = lane_div(f->p_i, lane_select(pushes, divisor, one));
    const lanes_t q = lane_select(pushes, lane_min(found, most), most);
    friction_t r;
    r.p_t = tangent_scale(lane_mul(f->beta, q), s);
    r.p_n = lane_mul(f->alpha, q);
    return r;
}

/* The same problem in the lanes of `wanted`; an easy one in the others. */
static inline final_slip_t easy_unless(mask_t wanted, const final_slip_t *f) {
    const lanes_t one = lane_set(1);
    const tangent_t ones = {one, one};
    const tangent_t zeros = {lane_zero(), lane_zero()};
    return (final_slip_t){.s = {lane_select(wanted, f->s.xx, one),
                                lane_select(wanted, f->s.xy, lane_zero()),
                                lane_select(wanted, f->s.yy, one)},
                          .determinant = lane_select(wanted, f->determinant, one),
                          .kappa = tangent_select(wanted, f->kappa, zeros),
                          .w = tangent_select(wanted, f->w, ones),
                          .adjugate = tangent_select(wanted, f->adjugate, ones),
                          .p_i = lane_select(wanted, f->p_i, one),
                          .alpha = lane_select(wanted, f->alpha, one),
                          .beta = lane_select(wanted, f->beta, lane_set(REAL(0.5)))};
}

/*
 * beta times the excess of the normal impulse that p leaves over the one that puts p on the cone.
 */
static inline lanes_t left_inside(const final_slip_t *f, tangent_t p) {
    return lane_fma(f->beta, normal_at(f, p), lane_neg(lane_mul(f->alpha, tangent_length(p))));
}

/*
 * The zero of f between two ends, at which it is f_a and f_b, as a fraction of the way from the
 * first.
 */
static inline lanes_t part_between(lanes_t f_a, lanes_t f_b) {
    const lanes_t zero = lane_zero();
    const lanes_t fall = lane_sub(f_a, f_b);
    const mask_t flat = lane_eq(fall, zero);
    const lanes_t part = lane_div(f_a, lane_select(flat, lane_set(1), fall));
    return lane_select(flat, zero, lane_max(lane_min(part, lane_set(1)), zero));
}

static inline tangent_t tangent_between(lanes_t part, tangent_t a, tangent_t b) {
    return (tangent_t){lane_fma(part, lane_sub(b.x, a.x), a.x),
                       lane_fma(part, lane_sub(b.y, a.y), a.y)};
}

/*
 * The impulse at the root. Where K is nearly singular, one unit of nu changes kappa . p_t, and with
 * it u_n, by far more than its rounding, though not p_t itself. There the impulse is interpolated
 * between those at two neighbouring nu.
 */
static inline tangent_t impulse_found(const final_slip_t *f, found_nu_t *found) {
    const tangent_t at = impulse_at(f, found->nu);
    if (!mask_any(found->apart)) return at;
    const tangent_t other = impulse_at(f, found->other);
    const lanes_t part = part_between(left_inside(f, at), left_inside(f, other));
    const lanes_t nu = lane_fma(part, lane_sub(found->other, found->nu), found->nu);
    found->nu = lane_select(found->apart, nu, found->nu);
    return tangent_select(found->apart, tangent_between(part, at, other), at);
}

/* On the cone as closely as nu is: the direction alone is too inexact in a near jam. */
static inline friction_t slide_at(const final_slip_t *f, found_nu_t found) {
    friction_t r;
    r.p_t = impulse_found(f, &found);
    r.slip = tangent_scale(lane_neg(found.nu), r.p_t);
    r.p_n = left_of_normal(f, r.p_t, lane_mul(f->alpha, tangent_length(r.p_t)), f->beta);
    return r;
}

/* Above this value, nu exceeds sigma by so much that the impulse's direction changes by no bit. */
static inline lanes_t straight_nu(const final_slip_t *f) {
    return lane_mul(lane_set(4 / REAL_UNIT), stiffest(f));
}

/*
 * If p_t is outside the cone at straight_nu, the largest root is above it: friction is too weak to
 * turn the slip, p_t is opposed to w, and the equation is linear. If it is inside, there is no root
 * above.
 */
static inline friction_t slide(const final_slip_t *f) {
    const lanes_t bound = largest_nu(f);
    const lanes_t straight = straight_nu(f);
    const mask_t weak = mask_and(lane_lt(straight, bound), is_outside(f, impulse_at(f, straight)));
    const lanes_t reach = lane_min(bound, straight);
    const friction_t strong = slide_at(f, solve_nu(f, bracket_nu(f, reach), mask_not(weak)));
    if (!mask_any(weak)) return strong;
    friction_t little = on_cone(f, tangent_neg(f->w), straight);
    little.slip = slip_at(f, little.p_t);
    return friction_select(weak, &little, &strong);
}

/*
 * Friction within the cone: the sticking impulse if it is within, else one on the cone; none if mu
 * p_I is zero.
 */
static inline friction_t final_slip(const final_slip_t *f) {
    const lanes_t zero = lane_zero();
    const tangent_t none = {zero, zero};
    friction_t r;
    r.p_t = impulse_at(f, zero);
    r.p_n = normal_at(f, r.p_t);
    const mask_t sticks =
        lane_le(lane_mul(f->alpha, tangent_length(r.p_t)), lane_mul(f->beta, r.p_n));
    const mask_t rubs = lane_lt(zero, lane_mul(f->beta, f->p_i));
    const mask_t slides = mask_andnot(rubs, sticks);
    r.p_t = tangent_select(sticks, r.p_t, none);
    r.p_n = lane_select(sticks, r.p_n, f->p_i);
    r.slip = tangent_select(sticks, none, f->w);
    if (!mask_any(slides)) return r;
    const final_slip_t sliding = easy_unless(slides, f);
    const friction_t s = slide(&sliding);
    return friction_select(slides, &s, &r);
}

#endif
