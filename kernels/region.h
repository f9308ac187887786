/*
 * The permissible region of impulses (Chatterjee and Ruina 1998, 3.2): the slack of each of its
 * conditions, and bounds of the slacks' rounding errors. Every law's answer is tested against it;
 * the API's region.h lists the conditions.
 *
 * Everything is in normalised units, or in any others in which K, u and p go together.
 */
#ifndef IMPINGE_KERNELS_REGION_H
#define IMPINGE_KERNELS_REGION_H

#include <impinge/region.h>

#include "contact.h"

/* A contact's region. */
typedef struct region {
    lanes_t k11, k12, k13, k22, k23, k33;
    lanes_t u1, u2, u3;  /* u0 */
    lanes_t alpha, beta; /* of the cone: 1 / max(1, mu) and mu / max(1, mu), finite for any mu */
} region_t;

/* An impulse, and the velocity after it. */
typedef struct candidate {
    lanes_t p1, p2, p3, u1, u2, u3;
} candidate_t;

/* Positive inside; and bounds on their rounding errors. */
typedef struct slacks {
    lanes_t energy, interpenetration, pull, cone;
    lanes_t energy_rounding, interpenetration_rounding, cone_rounding;
} slacks_t;

/*
 * The allowance for rounding, relative to the sizes of the terms. A slack's own rounding is below 8
 * units. The rest is for impulses: one counts as exact if it is exact for a K_ij that is off by
 * some units of sqrt(K_ii K_jj) (the effect of elimination on K) and for a u0 that is off by some
 * units. A slack that should be zero is then off by as many units of the sizes below.
 */
#define REGION_UNITS (32 * REAL_UNIT)

/* Numbers near the end of the range are rounded more coarsely, but by less than this. */
#define REGION_LEAST ((real_t)(IMPINGE_REAL_BITS == 32 ? FLT_MIN : DBL_MIN))

static inline region_t region_of(const contact_t *contact) {
    const lanes_t one = lane_set(1);
    return (region_t){.k11 = contact->k11,
                      .k12 = contact->k12,
                      .k13 = contact->k13,
                      .k22 = contact->k22,
                      .k23 = contact->k23,
                      .k33 = contact->k33,
                      .u1 = contact->u1,
                      .u2 = contact->u2,
                      .u3 = contact->u3,
                      .alpha = lane_div(one, lane_max(one, contact->friction)),
                      .beta = lane_min(one, contact->friction)};
}

/* sqrt(a^2 + b^2) where squares would leave the range. */
static inline lanes_t hypotenuse(lanes_t a, lanes_t b) {
    const lanes_t one = lane_set(1);
    const lanes_t larger = lane_max(lane_abs(a), lane_abs(b));
    const lanes_t smaller = lane_min(lane_abs(a), lane_abs(b));
    const mask_t none = lane_eq(larger, lane_zero());
    const lanes_t ratio = lane_div(smaller, lane_select(none, one, larger));
    return lane_mul(larger, lane_sqrt(lane_fma(ratio, ratio, one)));
}

/* u0 + K p */
static inline candidate_t candidate_of(const region_t *r, lanes_t p1, lanes_t p2, lanes_t p3) {
    candidate_t c = {.p1 = p1, .p2 = p2, .p3 = p3};
    c.u1 = lane_fma(r->k11, p1, lane_fma(r->k12, p2, lane_fma(r->k13, p3, r->u1)));
    c.u2 = lane_fma(r->k12, p1, lane_fma(r->k22, p2, lane_fma(r->k23, p3, r->u2)));
    c.u3 = lane_fma(r->k13, p1, lane_fma(r->k23, p2, lane_fma(r->k33, p3, r->u3)));
    return c;
}

/*
 * The sum of sqrt(K_ii) |p_i|: since K_ij^2 < K_ii K_jj, the terms of p . K p add up to less than
 * its square, and those of (K p)_i to less than sqrt(K_ii) times it.
 */
static inline lanes_t impulse_size(const region_t *r, const candidate_t *c) {
    lanes_t size = lane_mul(lane_sqrt(r->k11), lane_abs(c->p1));
    size = lane_fma(lane_sqrt(r->k22), lane_abs(c->p2), size);
    return lane_fma(lane_sqrt(r->k33), lane_abs(c->p3), size);
}

static inline lanes_t allowance_of(lanes_t size, real_t units) {
    return lane_fma(lane_set(units), size, lane_set(REGION_LEAST));
}

/* E(u0) - E(u) = -p . (u0 + u) / 2 */
static inline lanes_t energy_slack(const region_t *r, const candidate_t *c) {
    const lanes_t half = lane_set(REAL(0.5));
    const lanes_t p_1 = lane_mul(c->p1, lane_add(r->u1, c->u1));
    const lanes_t p_12 = lane_fma(c->p2, lane_add(r->u2, c->u2), p_1);
    const lanes_t p_123 = lane_fma(c->p3, lane_add(r->u3, c->u3), p_12);
    return lane_neg(lane_mul(half, p_123));
}

static inline lanes_t energy_rounding(const region_t *r, const candidate_t *c, lanes_t size,
                                      real_t units) {
    const lanes_t half = lane_set(REAL(0.5));
    lanes_t work = lane_abs(lane_mul(c->p1, r->u1));
    work = lane_fma(lane_abs(c->p2), lane_abs(r->u2), work);
    work = lane_fma(lane_abs(c->p3), lane_abs(r->u3), work);
    return allowance_of(lane_fma(lane_mul(half, size), size, work), units);
}

/* Judges an impulse with an allowance of `units`, REGION_UNITS or more. */
static inline slacks_t slacks_of(const region_t *r, const candidate_t *c, real_t units) {
    const lanes_t size = impulse_size(r, c);
    const lanes_t tangential = lane_mul(r->alpha, hypotenuse(c->p1, c->p2));
    const lanes_t normal = lane_mul(r->beta, c->p3);
    slacks_t s;
    s.energy = energy_slack(r, c);
    s.energy_rounding = energy_rounding(r, c, size, units);
    s.interpenetration = c->u3;
    s.interpenetration_rounding =
        allowance_of(lane_fma(lane_sqrt(r->k33), size, lane_abs(r->u3)), units);
    s.pull = c->p3;
    s.cone = lane_sub(normal, tangential);
    s.cone_rounding = allowance_of(lane_add(lane_abs(normal), tangential), units);
    return s;
}

/* True if a slack is below zero by more than its allowance. */
static inline mask_t slack_fails(lanes_t slack, lanes_t rounding) {
    return lane_lt(slack, lane_neg(rounding));
}

/* Bits of impinge_region_bit; none: permissible. A pull is not computed, and so not rounded. */
static inline words_t slacks_failed(const slacks_t *s) {
    const mask_t energy = slack_fails(s->energy, s->energy_rounding);
    const mask_t approach = slack_fails(s->interpenetration, s->interpenetration_rounding);
    const mask_t cone = slack_fails(s->cone, s->cone_rounding);
    const words_t sums = word_or(word_where(energy, IMPINGE_REGION_ENERGY),
                                 word_where(approach, IMPINGE_REGION_INTERPENETRATION));
    const words_t forces = word_or(word_where(lane_lt(s->pull, lane_zero()), IMPINGE_REGION_PULL),
                                   word_where(cone, IMPINGE_REGION_CONE));
    return word_or(sums, forces);
}

static inline mask_t energy_gained(const region_t *r, const candidate_t *c, real_t units) {
    return slack_fails(energy_slack(r, c), energy_rounding(r, c, impulse_size(r, c), units));
}

static inline mask_t outside_region(const region_t *r, const candidate_t *c, real_t units) {
    const slacks_t s = slacks_of(r, c, units);
    return word_has(slacks_failed(&s), IMPINGE_REGION_CONDITIONS);
}

/* The outcome bits of a law's answer: IMPINGE_OUTCOME_ENERGY_GAINED and _OUTSIDE_REGION. */
static inline words_t region_outcome(const region_t *r, const candidate_t *c, real_t units) {
    const slacks_t s = slacks_of(r, c, units);
    const words_t failed = slacks_failed(&s);
    const mask_t gained = word_has(failed, IMPINGE_REGION_ENERGY);
    const mask_t outside = word_has(failed, IMPINGE_REGION_CONDITIONS);
    return word_or(word_where(gained, IMPINGE_OUTCOME_ENERGY_GAINED),
                   word_where(outside, IMPINGE_OUTCOME_OUTSIDE_REGION));
}

/* The part of the given impulse ratios that is allowed, from none (0) to all (1). */
typedef struct ratio_bound {
    lanes_t energy, cone;
} ratio_bound_t;

/*
 * Newton's restitution with impulse ratios x (r1, r2) gives p_n = c / (K33 + x k.r), c = -(1 + e)
 * u_n0, p_t = x p_n r, and gains energy where A x^2 + B x + C > 0, with
 *
 *     A = 2 (u_t0.r) (k.r) + c r.T r,   B = 2 K33 u_t0.r - 2 e u_n0 k.r,   C = (1 - e) u_n0 K33.
 *
 * For e <= 1 that begins at the first root, or never: where A <= 0 and k.r > 0, B < 0 follows from
 * (k.r)^2 < K33 r.T r. For e > 1 the root is the last; where there is none, no smaller x helps.
 */
typedef struct ratio_energy {
    lanes_t a, b, c;
} ratio_energy_t;

static inline ratio_energy_t ratio_energy(const region_t *r, lanes_t restitution, lanes_t r1,
                                          lanes_t r2) {
    const lanes_t one = lane_set(1);
    const lanes_t two = lane_set(2);
    const lanes_t k_r = lane_mul_add2(r->k13, r1, r->k23, r2);
    const lanes_t u_r = lane_mul_add2(r->u1, r1, r->u2, r2);
    const lanes_t t_1 = lane_mul_add2(r->k11, r1, r->k12, r2);
    const lanes_t t_2 = lane_mul_add2(r->k12, r1, r->k22, r2);
    const lanes_t t_r = lane_mul_add2(r1, t_1, r2, t_2);
    const lanes_t c = lane_neg(lane_fma(restitution, r->u3, r->u3));
    const lanes_t e_u_n = lane_mul(restitution, r->u3);
    const lanes_t half_b = lane_difference_of_products(r->k33, u_r, e_u_n, k_r);
    return (ratio_energy_t){.a = lane_mul_add2(lane_mul(two, u_r), k_r, c, t_r),
                            .b = lane_mul(two, half_b),
                            .c = lane_mul(lane_mul(lane_sub(one, restitution), r->u3), r->k33)};
}

static inline lanes_t ratio_discriminant(const ratio_energy_t *e) {
    return lane_difference_of_products(e->b, e->b, lane_mul(lane_set(4), e->a), e->c);
}

/* |B| + sqrt(B^2 - 4 A C). But for signs, one root is this over 2 A, the other is 2 C over this. */
static inline lanes_t ratio_sum(const ratio_energy_t *e) {
    const lanes_t zero = lane_zero();
    return lane_add(lane_abs(e->b), lane_sqrt(lane_max(ratio_discriminant(e), zero)));
}

/* The largest x that is allowed. */
static inline lanes_t ratio_root(const ratio_energy_t *e) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const lanes_t two = lane_set(2);
    const mask_t real = lane_le(zero, ratio_discriminant(e));
    const mask_t opens = lane_lt(zero, e->a);
    const mask_t rises = mask_or(lane_lt(zero, e->b), mask_and(lane_eq(e->b, zero), opens));
    const mask_t first = mask_and(mask_and(real, rises), lane_le(e->c, zero));
    const mask_t last = mask_and(mask_and(real, opens), lane_lt(e->b, zero));
    const lanes_t sum = ratio_sum(e);
    const lanes_t divisor = lane_select(lane_eq(sum, zero), one, sum);
    const lanes_t by_c = lane_div(lane_mul(two, lane_abs(e->c)), divisor);
    const lanes_t by_a = lane_div(sum, lane_select(last, lane_mul(two, e->a), one));
    return lane_select(first, by_c, lane_select(last, by_a, lane_set((real_t)INFINITY)));
}

/*
 * For approaching contacts and any finite ratios. The ratios are first divided by a power of two,
 * and so is the resulting bound.
 */
static inline ratio_bound_t ratio_bound(const region_t *r, lanes_t restitution, lanes_t friction,
                                        lanes_t r1, lanes_t r2) {
    const lanes_t one = lane_set(1);
    const lanes_t largest = lane_max(lane_abs(r1), lane_abs(r2));
    const mask_t none = lane_eq(largest, lane_zero());
    const scale_t scale = scale_of(lane_select(none, one, largest));
    const lanes_t x = normalise_by(&scale, r1);
    const lanes_t y = normalise_by(&scale, r2);
    const ratio_energy_t e = ratio_energy(r, restitution, x, y);
    const lanes_t energy = ratio_root(&e);
    const lanes_t cone = lane_div(friction, lane_select(none, one, hypotenuse(x, y)));
    return (ratio_bound_t){
        .energy = lane_select(none, one, lane_min(normalise_by(&scale, energy), one)),
        .cone = lane_select(none, one, lane_min(normalise_by(&scale, cone), one))};
}

#endif
