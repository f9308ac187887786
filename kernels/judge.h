/*
 * Impulses of any size, judged and projected into the permissible region.
 *
 * The impulse is arbitrary, so it has a size of its own beside those of K and u0. All three are
 * divided by powers of two. Then u = u0 + K p still needs one more power of two, the ratio of K p
 * to u0. It may be far out of range, so it is kept as an exponent.
 */
#ifndef IMPINGE_KERNELS_JUDGE_H
#define IMPINGE_KERNELS_JUDGE_H

#include "exponents.h"
#include "project.h"
#include "response.h"
#include "routh/normalise.h"
#include "vector.h"

/* Impulses and their contacts, in lanes: each divided by its own power of two. */
typedef struct judged {
    region_t region;
    lanes_t p1, p2, p3;
    lanes_t velocity, impulse; /* exponents of u0 and of the impulse, */
    lanes_t natural;           /* of u0 / K */
    lanes_t ratio;             /* and of K p / u0 */
    words_t word;
} judged_t;

/* The exponent of K p over u0. A zero impulse has no size, so it never counts as the larger one. */
static inline lanes_t ratio_of(const judged_t *j) {
    const lanes_t zero = lane_zero();
    const lanes_t ratio = lane_sub(j->impulse, j->natural);
    const mask_t no_impulse =
        lane_eq(max3(lane_abs(j->p1), lane_abs(j->p2), lane_abs(j->p3)), zero);
    return lane_select(no_impulse, lane_min(ratio, zero), ratio);
}

/* u0 = 0 has no size of its own, so it takes that of K p. */
static inline void set_exponents(judged_t *j, const contact_t *contact, const scale_t *k,
                                 const scale_t *u) {
    const lanes_t stiffness = exponent_of(k);
    const mask_t at_rest = lane_eq(
        max3(lane_abs(contact->u1), lane_abs(contact->u2), lane_abs(contact->u3)), lane_zero());
    j->velocity = lane_select(at_rest, lane_add(j->impulse, stiffness), exponent_of(u));
    j->natural = lane_sub(j->velocity, stiffness);
    j->ratio = ratio_of(j);
}

static inline void normalise_impulse(judged_t *j) {
    const lanes_t one = lane_set(1);
    const lanes_t largest = max3(lane_abs(j->p1), lane_abs(j->p2), lane_abs(j->p3));
    const scale_t scale = scale_of(lane_select(lane_eq(largest, lane_zero()), one, largest));
    j->p1 = normalise_by(&scale, j->p1);
    j->p2 = normalise_by(&scale, j->p2);
    j->p3 = normalise_by(&scale, j->p3);
    j->impulse = exponent_of(&scale);
}

/* Reasons why a contact and its impulse are invalid, as bits of impinge_region_bit. */
static inline words_t judged_check(const contact_t *contact, const judged_t *j) {
    const mask_t finite = finite3(j->p1, j->p2, j->p3);
    const words_t word = contact_check(contact, 1);
    const words_t wrong = word_or(word_and(word, IMPINGE_OUTCOME_INVALID_REASONS),
                                  word_where(mask_not(finite), IMPINGE_REGION_INVALID_IMPULSE));
    const mask_t immovable = word_has(word, IMPINGE_OUTCOME_IMMOVABLE);
    return word_or(wrong, word_where(immovable, IMPINGE_REGION_IMMOVABLE));
}

#define JUDGED_INVALID (IMPINGE_OUTCOME_INVALID_REASONS | IMPINGE_REGION_INVALID_IMPULSE)

/* An invalid contact has no bits but those of its reasons. */
static inline words_t judged_invalid_first(words_t word) {
    const mask_t invalid = word_has(word, JUDGED_INVALID);
    const words_t reasons =
        word_or(word_and(word, JUDGED_INVALID), word_where(invalid, IMPINGE_OUTCOME_INVALID));
    return word_select(invalid, reasons, word);
}

static inline mask_t is_dead(words_t word) {
    return word_has(word, JUDGED_INVALID | IMPINGE_REGION_IMMOVABLE);
}

static inline judged_t judged_of(contact_t *contact, lanes_t p1, lanes_t p2, lanes_t p3) {
    const lanes_t zero = lane_zero();
    judged_t j = {.p1 = p1, .p2 = p2, .p3 = p3};
    j.word = judged_check(contact, &j);
    const mask_t dead = is_dead(j.word);
    neutralise(contact, dead);
    j.p1 = lane_select(dead, zero, j.p1);
    j.p2 = lane_select(dead, zero, j.p2);
    j.p3 = lane_select(dead, zero, j.p3);
    scale_t k_scale, u_scale;
    normalise_matrix(contact, &k_scale);
    normalise_velocity(contact, &u_scale);
    normalise_impulse(&j);
    set_exponents(&j, contact, &k_scale, &u_scale);
    j.region = region_of(contact);
    const principal_t frame = principal_frame(contact->k11, contact->k12, contact->k22);
    const matrix_t matrix = matrix_of(contact, &frame);
    const sticking_t sticking = sticking_of(&matrix);
    const mask_t indefinite = mask_not(positive_definite(&matrix, &sticking));
    j.word = judged_invalid_first(
        word_or(j.word, word_where(indefinite, IMPINGE_OUTCOME_INVALID_MATRIX)));
    return j;
}

/* K and u0 in the impulse's units, in which the larger of K p and u0 is near 1. */
static inline region_t region_beside(const judged_t *j) {
    const power_down_t k = power_down(j->ratio);
    const power_down_t u = power_down(lane_neg(j->ratio));
    region_t r = j->region;
    r.k11 = times_down(r.k11, &k);
    r.k12 = times_down(r.k12, &k);
    r.k13 = times_down(r.k13, &k);
    r.k22 = times_down(r.k22, &k);
    r.k23 = times_down(r.k23, &k);
    r.k33 = times_down(r.k33, &k);
    r.u1 = times_down(r.u1, &u);
    r.u2 = times_down(r.u2, &u);
    r.u3 = times_down(r.u3, &u);
    return r;
}

/* `p_n` is as given, since only its sign matters for a pull. */
static inline slacks_t judge(const judged_t *j, lanes_t p_n) {
    const region_t r = region_beside(j);
    const candidate_t c = candidate_of(&r, j->p1, j->p2, j->p3);
    slacks_t s = slacks_of(&r, &c, REGION_UNITS);
    s.pull = p_n;
    return s;
}

/* The mask of an impulse: the reasons why it is invalid, or the conditions that it violates. */
static inline words_t judged_mask(const judged_t *j, const slacks_t *s) {
    const words_t none = word_where(mask_none(), 0);
    return word_or(j->word, word_select(is_dead(j->word), none, slacks_failed(s)));
}

/* An impulse brought to the boundary, in the caller's units, and how far from the inner point. */
typedef struct projected {
    lanes_t p1, p2, p3, fraction;
} projected_t;

/* The exponent of a number below 2^-16; 0 of others. */
static inline lanes_t exponent_if_small(lanes_t a) {
    const lanes_t zero = lane_zero();
    const mask_t small = mask_and(lane_lt(zero, a), lane_lt(a, lane_set(REAL(0x1p-16))));
    if (!mask_any(small)) return zero;
    const scale_t scale = scale_of(lane_select(small, a, lane_set(1)));
    return exponent_of(&scale);
}

static inline lanes_t over_power(lanes_t a, lanes_t exponent) {
    const mask_t plain = lane_eq(exponent, lane_zero());
    return mask_every(plain) ? a : times_power(a, lane_neg(exponent));
}

/*
 * The way from the inner point towards the impulse, in units of the region's own size, u0 / K.
 * Whatever the ratio of the two sizes, the impulse is at t = 2^whole. The difference is taken in
 * units of the larger: where u_n is far below u_t, the inner point is far below u0 / K, too, and a
 * p_t that is smaller still may be all of the energy.
 */
static inline ray_t ray_toward(const judged_t *j, lanes_t *whole) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    ray_t ray = {.start = inner_point(&j->region)};
    const lanes_t own = exponent_if_small(ray.start);
    const lanes_t unit = lane_select(lane_eq(ray.start, zero), j->ratio, lane_max(j->ratio, own));
    const power_down_t of_p = power_down(lane_sub(j->ratio, unit));
    const power_down_t of_start = power_down(lane_sub(own, unit));
    const lanes_t start = times_down(over_power(ray.start, own), &of_start);
    const lanes_t d1 = times_down(j->p1, &of_p);
    const lanes_t d2 = times_down(j->p2, &of_p);
    const lanes_t d3 = lane_sub(times_down(j->p3, &of_p), start);
    const lanes_t largest = max3(lane_abs(d1), lane_abs(d2), lane_abs(d3));
    const scale_t scale = scale_of(lane_select(lane_eq(largest, zero), one, largest));
    ray.d1 = normalise_by(&scale, d1);
    ray.d2 = normalise_by(&scale, d2);
    ray.d3 = normalise_by(&scale, d3);
    *whole = lane_add(exponent_of(&scale), unit);
    return ray;
}

/* True if a number has fewer digits in the caller's units than in the contact's own. */
static inline mask_t is_coarse(lanes_t in_units, lanes_t own) {
    return mask_andnot(lane_lt(lane_abs(in_units), lane_set(REGION_LEAST)),
                       lane_eq(own, lane_zero()));
}

/* True if an impulse is outside the region in the caller's units, as one that is given would be. */
static APART mask_t is_outside_rounded(const judged_t *j, const projected_t *p) {
    judged_t of = *j;
    of.p1 = p->p1;
    of.p2 = p->p2;
    of.p3 = p->p3;
    normalise_impulse(&of);
    of.ratio = ratio_of(&of);
    const slacks_t s = judge(&of, p->p3);
    return word_has(slacks_failed(&s), IMPINGE_REGION_CONDITIONS);
}

/* P0 + t D, divided by 2^*unit: where both P0 and t are small, the components of D may be tiny. */
static inline vector_t ray_at(const ray_t *ray, lanes_t t, lanes_t *unit) {
    *unit = exponent_if_small(lane_max(ray->start, t));
    const lanes_t part = over_power(t, *unit);
    return (vector_t){lane_mul(part, ray->d1), lane_mul(part, ray->d2),
                      lane_fma(part, ray->d3, over_power(ray->start, *unit))};
}

/*
 * The point at t in the caller's units. A component at the end of their range is rounded so
 * coarsely that the impulse may leave the cone, or gain energy where the velocity along it is
 * large: then the result is the inner point.
 */
static inline projected_t projected_at(const judged_t *j, const ray_t *ray, lanes_t t,
                                       lanes_t whole) {
    const lanes_t zero = lane_zero();
    lanes_t unit;
    const vector_t at = ray_at(ray, t, &unit);
    const lanes_t exponent = lane_add(j->natural, unit);
    projected_t p = {.p1 = times_power(at.x, exponent),
                     .p2 = times_power(at.y, exponent),
                     .p3 = times_power(at.z, exponent),
                     .fraction = lane_min(times_power(t, lane_neg(whole)), lane_set(1))};
    const mask_t coarse =
        mask_or(mask_or(is_coarse(p.p1, at.x), is_coarse(p.p2, at.y)), is_coarse(p.p3, at.z));
    if (!mask_any(coarse)) return p;
    const mask_t leaves = mask_and(coarse, is_outside_rounded(j, &p));
    p.p1 = lane_select(leaves, zero, p.p1);
    p.p2 = lane_select(leaves, zero, p.p2);
    p.p3 = lane_select(leaves, times_power(ray->start, j->natural), p.p3);
    p.fraction = lane_select(leaves, zero, p.fraction);
    return p;
}

static inline projected_t project(const judged_t *j) {
    lanes_t whole;
    const ray_t ray = ray_toward(j, &whole);
    return projected_at(j, &ray, boundary(&j->region, &ray), whole);
}

/* Keeps an impulse that is permissible; returns zero if there is no region to project into. */
static inline words_t projected_settle(projected_t *p, const lanes_t given[3], words_t mask) {
    const lanes_t zero = lane_zero();
    const mask_t kept = mask_not(
        word_has(mask, JUDGED_INVALID | IMPINGE_REGION_IMMOVABLE | IMPINGE_REGION_CONDITIONS));
    const mask_t fits = finite3(p->p1, p->p2, p->p3);
    const mask_t lost = mask_andnot(mask_not(fits), mask_or(kept, is_dead(mask)));
    const mask_t none = mask_or(lost, is_dead(mask));
    p->p1 = lane_select(kept, given[0], lane_select(none, zero, p->p1));
    p->p2 = lane_select(kept, given[1], lane_select(none, zero, p->p2));
    p->p3 = lane_select(kept, given[2], lane_select(none, zero, p->p3));
    p->fraction = lane_select(kept, lane_set(1), lane_select(none, zero, p->fraction));
    return word_select(lost, word_where(lost, IMPINGE_OUTCOME_OUT_OF_RANGE), mask);
}

#endif
