/*
 * What the algebraic laws share: the collision that a law reads, the answer that it returns, and
 * the conversion to its units and back to the caller's.
 *
 * K and u0 are divided by powers of two as for Routh's law, and friction enters in the same way as
 * alpha = 1 / max(1, mu) and beta = mu / max(1, mu); alpha is zero if mu is infinite. Eliminating
 * p_n by the known u_n gives
 *
 *     u_t = w + S p_t,   S = T - k k^T / K33,   p_n = p_I - kappa . p_t,   kappa = k / K33,
 *
 * where p_I is the normal impulse without friction and w the slip after it: block elimination, so
 * that K is positive definite if K33 and S are.
 */
#ifndef IMPINGE_KERNELS_ALGEBRAIC_H
#define IMPINGE_KERNELS_ALGEBRAIC_H

#include "batch.h"
#include "laws/list.h"
#include "region.h"

typedef struct tangent {
    lanes_t x, y; /* along t1 and t2 */
} tangent_t;

static inline tangent_t tangent_scale(lanes_t s, tangent_t a) {
    return (tangent_t){lane_mul(s, a.x), lane_mul(s, a.y)};
}

/* b + s a */
static inline tangent_t tangent_fma(lanes_t s, tangent_t a, tangent_t b) {
    return (tangent_t){lane_fma(s, a.x, b.x), lane_fma(s, a.y, b.y)};
}

/* b - s a */
static inline tangent_t tangent_fnma(lanes_t s, tangent_t a, tangent_t b) {
    return (tangent_t){lane_fnma(s, a.x, b.x), lane_fnma(s, a.y, b.y)};
}

static inline tangent_t tangent_neg(tangent_t a) {
    return (tangent_t){lane_neg(a.x), lane_neg(a.y)};
}

static inline tangent_t tangent_abs(tangent_t a) {
    return (tangent_t){lane_abs(a.x), lane_abs(a.y)};
}

static inline tangent_t tangent_select(mask_t m, tangent_t a, tangent_t b) {
    return (tangent_t){lane_select(m, a.x, b.x), lane_select(m, a.y, b.y)};
}

static inline lanes_t tangent_dot(tangent_t a, tangent_t b) {
    return lane_mul_add2(a.x, b.x, a.y, b.y);
}

/* Sizes whose squares are in the range of the normal numbers, both ways. */
#define SQUARES_LEAST (IMPINGE_REAL_BITS == 32 ? REAL(0x1p-60) : (real_t)0x1p-500)
#define SQUARES_MOST  (IMPINGE_REAL_BITS == 32 ? REAL(0x1p60) : (real_t)0x1p500)

/* Works for any size: lanes whose squares would overflow or underflow take a longer path. */
static inline lanes_t tangent_length(tangent_t a) {
    const lanes_t larger = lane_max(lane_abs(a.x), lane_abs(a.y));
    const lanes_t length = lane_sqrt(tangent_dot(a, a));
    const mask_t plain =
        mask_and(lane_le(lane_set(SQUARES_LEAST), larger), lane_le(larger, lane_set(SQUARES_MOST)));
    const mask_t odd = mask_not(plain);
    if (!mask_any(odd)) return length;
    /* A zero, such as a contact that does not rub, is no reason for the longer path. */
    if (!mask_any(mask_andnot(odd, lane_eq(larger, lane_zero())))) return length;
    return lane_select(odd, hypotenuse(a.x, a.y), length);
}

/* A symmetric matrix of the tangent plane. */
typedef struct tangent_tensor {
    lanes_t xx, xy, yy;
} tangent_tensor_t;

static inline tangent_t tangent_tensor_apply(const tangent_tensor_t *t, tangent_t a) {
    return (tangent_t){lane_mul_add2(t->xx, a.x, t->xy, a.y),
                       lane_mul_add2(t->xy, a.x, t->yy, a.y)};
}

static inline lanes_t tangent_tensor_determinant(const tangent_tensor_t *t) {
    return lane_difference_of_products(t->xx, t->yy, t->xy, t->xy);
}

/* The determinant of t + s 1 for s >= 0. No terms cancel in it. */
static inline lanes_t determinant_plus(const tangent_tensor_t *t, lanes_t determinant, lanes_t s) {
    return lane_fma(s, lane_add(lane_add(t->xx, t->yy), s), determinant);
}

/* The adjugate: t^-1 a times the determinant, each component to some units. */
static inline tangent_t tangent_tensor_adjugate(const tangent_tensor_t *t, tangent_t a) {
    return (tangent_t){lane_difference_of_products(t->yy, a.x, t->xy, a.y),
                       lane_difference_of_products(t->xx, a.y, t->xy, a.x)};
}

/* t^-1 a by Cramer's rule, however singular t is. */
static inline tangent_t tangent_tensor_solve(const tangent_tensor_t *t, lanes_t determinant,
                                             tangent_t a) {
    const tangent_t adjugate = tangent_tensor_adjugate(t, a);
    return (tangent_t){lane_div(adjugate.x, determinant), lane_div(adjugate.y, determinant)};
}

/* Collisions, normalised, in lanes. */
typedef struct collision {
    tangent_tensor_t t, s; /* T and S */
    lanes_t s_determinant;
    tangent_t k, kappa;
    lanes_t k33;
    tangent_t slip;  /* u_t0 */
    lanes_t u_n;     /* u_n0 <= 0 where the contact collides */
    lanes_t plastic; /* -u_n0 / K33: p_I of e = 0 (Chatterjee and Ruina 1998, eq. 3) */
    lanes_t restitution, friction, alpha, beta;
    lanes_t tangential_restitution;
    tangent_t impulse_ratio;
    /*
     * Null except in ordinary.h, whose lanes have ordinary sizes and legal numbers, and which
     * decides afterwards. Functions with a shorter path for such lanes then remove those for which
     * it would have given other bits, and those that have no impulse.
     */
    mask_t *ordinary;
} collision_t;

/* An impulse, the velocity after it, the works on the way. */
typedef struct answer {
    tangent_t p_t, slip;
    lanes_t p_n, u_n;
    lanes_t work_compression, work_restitution, work_friction;
    words_t outcome; /* bits that only the law can set */
} law_answer_t;

typedef law_answer_t algebraic_law(const collision_t *c, const impinge_options *options);

INLINE collision_t collision_of(const contact_t *contact) {
    const lanes_t one = lane_set(1);
    collision_t c = {.ordinary = NULL};
    c.t = (tangent_tensor_t){contact->k11, contact->k12, contact->k22};
    c.k = (tangent_t){contact->k13, contact->k23};
    c.k33 = contact->k33;
    const lanes_t mass = lane_div(one, c.k33);
    c.kappa = tangent_scale(mass, c.k);
    c.s.xx = lane_fnma(c.kappa.x, c.k.x, c.t.xx);
    c.s.xy = lane_fnma(c.kappa.x, c.k.y, c.t.xy);
    c.s.yy = lane_fnma(c.kappa.y, c.k.y, c.t.yy);
    c.s_determinant = tangent_tensor_determinant(&c.s);
    c.slip = (tangent_t){contact->u1, contact->u2};
    c.u_n = contact->u3;
    c.plastic = lane_mul(lane_neg(contact->u3), mass);
    c.restitution = contact->restitution;
    c.friction = contact->friction;
    c.alpha = lane_div(one, lane_max(one, contact->friction)); /* 0: mu is infinite */
    c.beta = lane_min(one, contact->friction);
    c.tangential_restitution = contact->tangential_restitution;
    c.impulse_ratio = (tangent_t){contact->impulse_ratio_1, contact->impulse_ratio_2};
    return c;
}

INLINE mask_t collision_is_definite(const collision_t *c) {
    const lanes_t zero = lane_zero();
    return mask_and(mask_and(lane_lt(zero, c->s.xx), lane_lt(zero, c->s.yy)),
                    lane_lt(zero, c->s_determinant));
}

static inline lanes_t least_of_diagonal(const collision_t *c) {
    return lane_min(lane_min(c->t.xx, c->t.yy), c->k33);
}

/*
 * The largest K_ij that counts as zero, relative to sqrt(K_ii K_jj): K of two spheres from their
 * arms and normal is diagonal but for some ten roundings of arms and cross products. Relative to
 * the largest element it could change u by K_ij p_j far above rounding, and so gain energy.
 */
#define DIAGONAL_UNITS (64 * REAL_UNIT)

static inline mask_t is_diagonal(const collision_t *c) {
    const lanes_t units = lane_set(DIAGONAL_UNITS);
    const lanes_t xy = lane_abs(c->t.xy), xz = lane_abs(c->k.x), yz = lane_abs(c->k.y);
    /* No root of two elements is smaller than the smallest. */
    const mask_t small = lane_le(max3(xy, xz, yz), lane_mul(units, least_of_diagonal(c)));
    if (mask_every(small)) return small;
    const lanes_t x = lane_sqrt(c->t.xx);
    const lanes_t y = lane_sqrt(c->t.yy);
    const lanes_t z = lane_mul(units, lane_sqrt(c->k33));
    const mask_t tangential = lane_le(xy, lane_mul(lane_mul(units, x), y));
    const mask_t normal = mask_and(lane_le(xz, lane_mul(x, z)), lane_le(yz, lane_mul(y, z)));
    /* Rounding must not make what is small here depend on the other lanes. */
    return mask_or(small, mask_and(tangential, normal));
}

/*
 * Laws with friction multiply elements of K, whose largest is 1 to 2, by each other: the least
 * ratio of two elements of the diagonal at which these products keep all their digits.
 */
#define SPREAD_LEAST (IMPINGE_REAL_BITS == 32 ? REAL(0x1p-48) : (real_t)0x1p-256)

static inline mask_t is_spread(const collision_t *c) {
    const lanes_t most = max3(c->t.xx, c->t.yy, c->k33);
    return lane_lt(least_of_diagonal(c), lane_mul(lane_set(SPREAD_LEAST), most));
}

/* p_II - p_I of a plastic collision (Chatterjee and Ruina 1998, eq. 4): changes no u_n, and leaves
 * no slip. */
static inline tangent_t sticking_impulse(const collision_t *c) {
    const tangent_t w = tangent_fma(c->plastic, c->k, c->slip);
    return tangent_tensor_solve(&c->s, lane_neg(c->s_determinant), w);
}

/*
 * From this squared length on, tangent_length takes the plain square root: the larger component's
 * square is at least half of it.
 */
#define LENGTH_SQUARE_LEAST (4 * SQUARES_LEAST * SQUARES_LEAST)

/*
 * The largest normalised impulses of ordinary lanes, along each axis; half of it for lengths, which
 * laws multiply by up to 2 (ordinary.h).
 */
#define ORDINARY_IMPULSE (IMPINGE_REAL_BITS == 32 ? REAL(0x1p16) : (real_t)0x1p128)

/* As tangent_length; in ordinary lanes the square root alone. */
static inline lanes_t collision_length(const collision_t *c, tangent_t a) {
    if (!c->ordinary) return tangent_length(a);
    const lanes_t square = tangent_dot(a, a);
    mask_t plain = mask_and(lane_le(lane_set(LENGTH_SQUARE_LEAST), square),
                            lane_le(square, lane_set(ORDINARY_IMPULSE * ORDINARY_IMPULSE / 4)));
    if (!mask_every(plain)) {
        const lanes_t larger = lane_max(lane_abs(a.x), lane_abs(a.y));
        plain = mask_or(plain, lane_eq(larger, lane_zero()));
    }
    *c->ordinary = mask_and(*c->ordinary, plain);
    return lane_sqrt(square);
}

/* |p_t| <= mu p_n */
static inline mask_t in_cone(const collision_t *c, tangent_t p_t, lanes_t p_n) {
    return lane_le(lane_mul(c->alpha, collision_length(c, p_t)), lane_mul(c->beta, p_n));
}

/* Newton's restitution: u_n after. */
static inline lanes_t rebound(const collision_t *c) {
    return lane_mul(c->restitution, lane_neg(c->u_n));
}

/* (1 + e) p_I, normal. */
static inline lanes_t frictionless_impulse(const collision_t *c) {
    return lane_mul(lane_add(lane_set(1), c->restitution), c->plastic);
}

/*
 * Adds the works of an impulse along a straight line, on which u changes linearly from its value
 * before to its value after. The part with u_n < 0 is compression.
 */
INLINE void work_straight(law_answer_t *a, tangent_t p_t, lanes_t p_n, tangent_t slip_before,
                          lanes_t u_n_before) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const lanes_t half = lane_set(REAL(0.5));
    const mask_t begins_below = lane_lt(u_n_before, zero);
    const mask_t crosses = mask_and(begins_below, lane_lt(zero, a->u_n));
    /* The part of the line before u_n = 0. */
    const lanes_t rise = lane_select(crosses, lane_sub(a->u_n, u_n_before), one);
    const lanes_t part = lane_div(lane_neg(u_n_before), rise);
    const lanes_t whole = lane_select(begins_below, one, zero);
    const lanes_t below = lane_add(lane_min(u_n_before, zero), lane_min(a->u_n, zero));
    const lanes_t above = lane_add(lane_max(u_n_before, zero), lane_max(a->u_n, zero));
    const lanes_t compression = lane_mul(p_n, lane_select(crosses, part, whole));
    const lanes_t expansion = lane_sub(p_n, compression);
    const tangent_t slips = {lane_add(slip_before.x, a->slip.x),
                             lane_add(slip_before.y, a->slip.y)};
    a->work_compression = lane_fma(lane_mul(half, compression), below, a->work_compression);
    a->work_restitution = lane_fma(lane_mul(half, expansion), above, a->work_restitution);
    a->work_friction = lane_fma(half, tangent_dot(p_t, slips), a->work_friction);
}

/*
 * The same starting from zero works, with u_n0 < 0 and u_n >= 0: all of the line is then either
 * compression or restitution.
 */
INLINE void work_rebound(law_answer_t *a, tangent_t slip_before, lanes_t u_n_before) {
    const lanes_t zero = lane_zero();
    const lanes_t half = lane_set(REAL(0.5));
    const lanes_t part = lane_div(lane_neg(u_n_before), lane_sub(a->u_n, u_n_before));
    const lanes_t compression = lane_mul(a->p_n, part);
    const lanes_t expansion = lane_sub(a->p_n, compression);
    const tangent_t slips = {lane_add(slip_before.x, a->slip.x),
                             lane_add(slip_before.y, a->slip.y)};
    a->work_compression = lane_fma(lane_mul(half, compression), u_n_before, zero);
    a->work_restitution = lane_fma(lane_mul(half, expansion), a->u_n, zero);
    a->work_friction = lane_fma(half, tangent_dot(a->p_t, slips), zero);
}

/* The answer of a law whose impulse is one straight line. */
INLINE law_answer_t straight_answer(const collision_t *c, tangent_t p_t, lanes_t p_n,
                                    tangent_t slip, lanes_t u_n, words_t outcome) {
    const lanes_t zero = lane_zero();
    law_answer_t a = {.p_t = p_t, .slip = slip, .p_n = p_n, .u_n = u_n, .outcome = outcome};
    a.work_compression = a.work_restitution = a.work_friction = zero;
    if (c->ordinary)
        work_rebound(&a, c->slip, c->u_n);
    else
        work_straight(&a, p_t, p_n, c->slip, c->u_n);
    return a;
}

/*
 * Grazing contacts that friction presses together: the sticking impulse is within the cone
 * (Chatterjee and Ruina 1998, 4.2). If sticking needs no impulse, nothing presses them.
 */
static inline mask_t jams(const collision_t *c) {
    const lanes_t zero = lane_zero();
    const tangent_t p_t = sticking_impulse(c);
    const lanes_t p_n = lane_neg(tangent_dot(c->kappa, p_t));
    return mask_and(lane_eq(c->u_n, zero), mask_and(lane_lt(zero, p_n), in_cone(c, p_t, p_n)));
}

INLINE words_t approaches(const collision_t *c, const impinge_options *options) {
    const mask_t separating = lane_le(lane_zero(), c->u_n);
    if (!options->resolve_jams || !law_has(options->law, IMPINGE_LAW_MAY_JAM))
        return word_where(separating, IMPINGE_OUTCOME_SEPARATING);
    const mask_t jammed = jams(c);
    return word_or(word_where(mask_andnot(separating, jammed), IMPINGE_OUTCOME_SEPARATING),
                   word_where(jammed, IMPINGE_OUTCOME_JAMMED));
}

/* The product of the slips before and after: below zero if friction has reversed the slip. */
INLINE lanes_t slips_along(lanes_t x_before, lanes_t y_before, lanes_t x, lanes_t y) {
    return lane_mul_add2(x_before, x, y_before, y);
}

/* Outcome bits that follow from the slips before and after. */
INLINE words_t slip_outcome(lanes_t x_before, lanes_t y_before, lanes_t x, lanes_t y) {
    const lanes_t zero = lane_zero();
    const mask_t stuck = mask_and(lane_eq(x, zero), lane_eq(y, zero));
    const lanes_t along = slips_along(x_before, y_before, x, y);
    const words_t is =
        word_select(stuck, word_set(IMPINGE_OUTCOME_STUCK), word_set(IMPINGE_OUTCOME_SLID));
    return word_or(is, word_where(lane_lt(along, zero), IMPINGE_OUTCOME_SLIP_REVERSED));
}

static inline bool may_leave_region(const impinge_options *options) {
    return law_has(options->law, IMPINGE_LAW_MAY_LEAVE_REGION) || options->restitution_above_one;
}

static inline region_t collision_region(const collision_t *c) {
    return (region_t){.k11 = c->t.xx,
                      .k12 = c->t.xy,
                      .k13 = c->k.x,
                      .k22 = c->t.yy,
                      .k23 = c->k.y,
                      .k33 = c->k33,
                      .u1 = c->slip.x,
                      .u2 = c->slip.y,
                      .u3 = c->u_n,
                      .alpha = lane_div(lane_set(1), lane_max(lane_set(1), c->friction)),
                      .beta = c->beta};
}

/*
 * The bits of region_outcome for ordinary lanes, if coarse tests suffice for all; otherwise false.
 * Where a slack is not negative, its sign suffices; for the cone, whose allowance is larger than
 * the rounding of squares, squares suffice. Energy counts as gained if the gain exceeds a bound on
 * the allowance: K and u0 are normalised, below 2, so that the allowance's sizes are below S (2 +
 * S) with S = |p1| + |p2| + |p3|; the bound is twice that. u_n is not negative after an approach;
 * lanes that separate get other bits.
 */
INLINE bool region_outcome_coarsely(const region_t *r, const candidate_t *c, words_t *bits) {
    const lanes_t zero = lane_zero();
    const lanes_t tangential =
        lane_mul(lane_mul(r->alpha, r->alpha), lane_mul_add2(c->p1, c->p1, c->p2, c->p2));
    const lanes_t normal = lane_mul(r->beta, c->p3);
    /* Smaller squares could underflow. */
    const lanes_t least = lane_max(tangential, lane_set(LENGTH_SQUARE_LEAST));
    const mask_t forces = mask_and(lane_le(zero, c->p3), lane_le(least, lane_mul(normal, normal)));

    const lanes_t size = lane_add(lane_add(lane_abs(c->p1), lane_abs(c->p2)), c->p3);
    const lanes_t sizes = lane_mul(size, lane_add(size, lane_set(2)));
    const lanes_t bound = allowance_of(sizes, 2 * REGION_UNITS);
    const lanes_t slack = energy_slack(r, c);
    const mask_t gained = lane_lt(slack, lane_neg(bound));
    *bits = word_where(gained, OUTCOME_GAINED);
    const mask_t energy = mask_or(lane_le(zero, slack), gained);
    return mask_every(mask_or(mask_and(forces, energy), lane_le(zero, r->u3)));
}

INLINE words_t answer_outcome(const collision_t *c, const law_answer_t *a,
                              const impinge_options *options) {
    const words_t slips = slip_outcome(c->slip.x, c->slip.y, a->slip.x, a->slip.y);
    const words_t word = word_or(a->outcome, slips);
    if (!may_leave_region(options)) return word;
    const region_t region = collision_region(c);
    const candidate_t answer = {.p1 = a->p_t.x,
                                .p2 = a->p_t.y,
                                .p3 = a->p_n,
                                .u1 = a->slip.x,
                                .u2 = a->slip.y,
                                .u3 = a->u_n};
    words_t bits;
    if (c->ordinary && region_outcome_coarsely(&region, &answer, &bits)) return word_or(word, bits);
    return word_or(word, region_outcome(&region, &answer, REGION_UNITS));
}

/* In normalised units, without an outcome. */
INLINE response_t response_of(const law_answer_t *a) {
    return (response_t){.p1 = a->p_t.x,
                        .p2 = a->p_t.y,
                        .p3 = a->p_n,
                        .u1 = a->slip.x,
                        .u2 = a->slip.y,
                        .u3 = a->u_n,
                        .work_compression = a->work_compression,
                        .work_restitution = a->work_restitution,
                        .work_friction = a->work_friction};
}

/*
 * Checks K, u0 and the coefficients, and that the bodies approach, in lanes without an earlier
 * reason.
 */
INLINE words_t collision_check(const collision_t *c, const impinge_options *options, words_t word) {
    const mask_t definite = collision_is_definite(c);
    word = word_or(word, word_where(mask_not(definite), IMPINGE_OUTCOME_INVALID_MATRIX));
    if (law_has(options->law, IMPINGE_LAW_NEEDS_DIAGONAL))
        word = word_or(word, word_where(mask_not(is_diagonal(c)), IMPINGE_OUTCOME_NOT_DIAGONAL));
    word = invalid_first(word);
    const mask_t alive = mask_not(word_has(word, OUTCOME_NO_IMPULSE));
    const words_t none = word_where(mask_none(), 0);
    word = word_or(word, word_select(alive, approaches(c, options), none));
    if (options->law == IMPINGE_LAW_FRICTIONLESS) return word;
    const mask_t beyond = mask_andnot(is_spread(c), word_has(word, OUTCOME_NO_IMPULSE));
    return word_or(word, word_where(beyond, IMPINGE_OUTCOME_OUT_OF_RANGE));
}

/* Makes collisions from contacts. Returns the reasons of those that are not collisions. */
INLINE words_t check_and_scale(contact_t *contact, const impinge_options *options, collision_t *c,
                               scale_t *k_scale, scale_t *u_scale) {
    const words_t word = contact_check(contact, restitution_max(options));
    const mask_t dead = word_has(word, IMPINGE_OUTCOME_INVALID_REASONS | IMPINGE_OUTCOME_IMMOVABLE);
    if (mask_any(dead)) neutralise(contact, dead);
    normalise_matrix(contact, k_scale);
    normalise_velocity(contact, u_scale);
    *c = collision_of(contact);
    return collision_check(c, options, word);
}

/* Adds the bits of the law's answer in lanes that have a collision. */
INLINE words_t collision_outcome(const collision_t *c, const law_answer_t *a,
                                 const impinge_options *options, words_t word) {
    const mask_t collides = mask_not(word_has(word, IMPINGE_OUTCOME_NO_IMPULSE));
    const words_t none = word_where(mask_none(), 0);
    return word_or(word, word_select(collides, answer_outcome(c, a, options), none));
}

/* Resolves contacts by a law, in the caller's units. */
INLINE response_t resolve_each(algebraic_law *law, contact_t *contact,
                               const impinge_options *options) {
    collision_t c;
    scale_t k_scale, u_scale;
    const words_t word = check_and_scale(contact, options, &c, &k_scale, &u_scale);
    const law_answer_t a = law(&c, options);
    response_t r = response_of(&a);
    const impulse_scale_t p_scale = impulse_scale_of(&k_scale, &u_scale);
    scale_response(&r, &u_scale, &p_scale);
    r.outcome = collision_outcome(&c, &a, options, word);
    withhold(&r);
    return r;
}

#endif
