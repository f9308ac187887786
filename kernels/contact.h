/* A contact as given by the caller: its checks, and its scale. Every law begins here. */
#ifndef IMPINGE_KERNELS_GIVEN_H
#define IMPINGE_KERNELS_GIVEN_H

#include <impinge/batch.h>

#include "lane/lane.h"
#include "vector.h"

/* Contacts in contact space as given, in lanes. */
typedef struct contact {
    lanes_t k11, k12, k13, k22, k23, k33;
    lanes_t u1, u2, u3;
    lanes_t restitution, friction, friction_static;
    /* Zero if the law does not read them. */
    lanes_t tangential_restitution, mix, impulse_ratio_1, impulse_ratio_2;
    words_t invalid; /* reasons found already */
} contact_t;

/*
 * A power of two that brings numbers up to m near 1. Multiplying the result of `normalise_by` by
 * scale * prescale gives the numbers back exactly. There are two factors, since the exponents of
 * subnormal numbers have no reciprocal in range. The larger one is applied first: the smaller one
 * would make a number far below m subnormal, and the digits lost would not come back.
 */
typedef struct scale {
    lanes_t scale, prescale; /* to go back */
    lanes_t inverse, inverse_prescale;
    lanes_t larger, smaller; /* of the inverses; not set if plain */
    bool plain; /* no lane needs the second factor: to multiply by it would change nothing */
} scale_t;

#if IMPINGE_REAL_BITS == 32
#define SCALE_FAR 0x1p60f /* numbers beyond it, or below its reciprocal, are prescaled */
#define PRESCALE  0x1p90f
#else
#define SCALE_FAR 0x1p480
#define PRESCALE  0x1p600
#endif

INLINE scale_t scale_of(lanes_t m) {
    const lanes_t one = lane_set(1);
    const mask_t small = lane_lt(m, lane_set(1 / SCALE_FAR));
    const mask_t large = lane_lt(lane_set(SCALE_FAR), m);
    scale_t s = {.prescale = one, .inverse_prescale = one};
    s.plain = !mask_any(mask_or(small, large));
    if (!s.plain) {
        const lanes_t up = lane_set(PRESCALE);
        const lanes_t down = lane_set(1 / PRESCALE);
        s.inverse_prescale = lane_select(small, up, lane_select(large, down, one));
        s.prescale = lane_select(small, down, lane_select(large, up, one));
        m = lane_mul(m, s.inverse_prescale);
    }
    s.scale = lane_power_of_two(m);
    s.inverse = lane_inverse_power(m);
    if (!s.plain) {
        s.larger = lane_max(s.inverse, s.inverse_prescale);
        s.smaller = lane_min(s.inverse, s.inverse_prescale);
    }
    return s;
}

INLINE lanes_t normalise_by(const scale_t *s, lanes_t a) {
    return s->plain ? lane_mul(a, s->inverse) : lane_mul(lane_mul(a, s->larger), s->smaller);
}

INLINE vector_t vector_normalise_by(const scale_t *s, vector_t a) {
    return (vector_t){normalise_by(s, a.x), normalise_by(s, a.y), normalise_by(s, a.z)};
}

/* An impulse is scale * prescale * postscale times the normalised one, in that order. */
typedef struct impulse_scale {
    lanes_t scale, prescale, postscale;
    bool plain; /* the last two are 1 in every lane */
} impulse_scale_t;

/* A factor that undoes some of the scale becomes part of it. */
INLINE void merge_factor(lanes_t *scale, lanes_t *factor) {
    const lanes_t one = lane_set(1);
    const mask_t undoes = mask_or(mask_and(lane_lt(*scale, one), lane_lt(one, *factor)),
                                  mask_and(lane_lt(one, *scale), lane_lt(*factor, one)));
    *scale = lane_select(undoes, lane_mul(*scale, *factor), *scale);
    *factor = lane_select(undoes, one, *factor);
}

/*
 * The three factors are all at least 1 or all at most 1, so that a product of some of them is in
 * range wherever that of all is: an impulse may be far smaller than u0 / K, and far larger.
 */
INLINE impulse_scale_t impulse_scale_of(const scale_t *k, const scale_t *u) {
    impulse_scale_t s = {.scale = lane_mul(u->scale, k->inverse),
                         .prescale = lane_set(1),
                         .postscale = lane_set(1),
                         .plain = k->plain && u->plain};
    if (s.plain) return s;
    /* Equal prescales cancel; others have no opposite effect. */
    const mask_t same = lane_eq(k->prescale, u->prescale);
    s.prescale = lane_select(same, s.prescale, k->inverse_prescale);
    s.postscale = lane_select(same, s.postscale, u->prescale);
    merge_factor(&s.scale, &s.prescale);
    merge_factor(&s.scale, &s.postscale);
    return s;
}

INLINE lanes_t scale_impulse(const impulse_scale_t *s, lanes_t a) {
    const lanes_t scaled = lane_mul(a, s->scale);
    return s->plain ? scaled : lane_mul(lane_mul(scaled, s->prescale), s->postscale);
}

/* Both factors at once, which are in range together: they are the largest number's exponent. */
INLINE lanes_t scale_velocity(const scale_t *s, lanes_t a) {
    return lane_mul(a, s->plain ? s->scale : lane_mul(s->scale, s->prescale));
}

INLINE lanes_t scale_work(const scale_t *u, const impulse_scale_t *p, lanes_t a) {
    return scale_velocity(u, scale_impulse(p, a));
}

/* The largest restitution that the options allow. */
static inline real_t restitution_max(const impinge_options *options) {
    return options->restitution_above_one ? REAL_MAX : 1;
}

INLINE words_t coefficients_check(const contact_t *contact, real_t e_max) {
    const lanes_t zero = lane_zero();
    const mask_t restitution = mask_and(lane_le(zero, contact->restitution),
                                        lane_le(contact->restitution, lane_set(e_max)));
    const mask_t friction = mask_and(lane_le(zero, contact->friction),
                                     lane_le(contact->friction, contact->friction_static));
    return word_or(word_where(mask_not(restitution), IMPINGE_OUTCOME_INVALID_RESTITUTION),
                   word_where(mask_not(friction), IMPINGE_OUTCOME_INVALID_FRICTION));
}

/*
 * Replaces contacts that cannot be resolved by K = 1 and u0 = 0, which are harmless in arithmetic.
 */
INLINE void neutralise(contact_t *contact, mask_t dead) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    contact->k11 = lane_select(dead, one, contact->k11);
    contact->k22 = lane_select(dead, one, contact->k22);
    contact->k33 = lane_select(dead, one, contact->k33);
    contact->k12 = lane_select(dead, zero, contact->k12);
    contact->k13 = lane_select(dead, zero, contact->k13);
    contact->k23 = lane_select(dead, zero, contact->k23);
    contact->u1 = lane_select(dead, zero, contact->u1);
    contact->u2 = lane_select(dead, zero, contact->u2);
    contact->u3 = lane_select(dead, zero, contact->u3);
    contact->friction = lane_select(dead, zero, contact->friction);
    contact->friction_static = lane_select(dead, zero, contact->friction_static);
    contact->restitution = lane_select(dead, zero, contact->restitution);
    contact->tangential_restitution = lane_select(dead, zero, contact->tangential_restitution);
    contact->mix = lane_select(dead, zero, contact->mix);
    contact->impulse_ratio_1 = lane_select(dead, zero, contact->impulse_ratio_1);
    contact->impulse_ratio_2 = lane_select(dead, zero, contact->impulse_ratio_2);
}

/* True if all are finite: 0 times a number is 0 only then. */
INLINE mask_t all_finite3(lanes_t a, lanes_t b, lanes_t c) {
    const lanes_t zero = lane_zero();
    const lanes_t none = lane_fma(a, zero, lane_mul_add2(b, zero, c, zero));
    return lane_eq(none, zero);
}

/* True if K is zero, so that no impulse can move anything. */
static inline mask_t matrix_is_zero(const contact_t *contact) {
    const lanes_t off_diagonal =
        max3(lane_abs(contact->k12), lane_abs(contact->k13), lane_abs(contact->k23));
    const lanes_t diagonal =
        max3(lane_abs(contact->k11), lane_abs(contact->k22), lane_abs(contact->k33));
    return lane_eq(lane_max(diagonal, off_diagonal), lane_zero());
}

/* Reasons found in the numbers themselves, and IMMOVABLE where neither body can move. */
INLINE words_t contact_check(const contact_t *contact, real_t e_max) {
    const lanes_t zero = lane_zero();
    const mask_t finite = mask_and(all_finite3(contact->k11, contact->k22, contact->k33),
                                   all_finite3(contact->k12, contact->k13, contact->k23));
    const mask_t positive =
        mask_and(mask_and(lane_lt(zero, contact->k11), lane_lt(zero, contact->k22)),
                 lane_lt(zero, contact->k33));
    words_t word = word_or(contact->invalid, coefficients_check(contact, e_max));
    word = word_or(word, word_where(mask_not(all_finite3(contact->u1, contact->u2, contact->u3)),
                                    IMPINGE_OUTCOME_INVALID_VELOCITY));
    const mask_t odd = mask_not(mask_and(finite, positive));
    if (!mask_any(odd)) return word;
    const mask_t none = mask_and(finite, matrix_is_zero(contact));
    word = word_or(word, word_where(mask_andnot(odd, none), IMPINGE_OUTCOME_INVALID_MATRIX));
    return word_or(word, word_where(none, IMPINGE_OUTCOME_IMMOVABLE));
}

/* An invalid contact has no bits but those of its reasons. */
INLINE words_t invalid_first(words_t word) {
    const mask_t invalid = word_has(word, IMPINGE_OUTCOME_INVALID_REASONS);
    const words_t reasons = word_and(word, IMPINGE_OUTCOME_INVALID_REASONS);
    return word_select(invalid, word_or(reasons, word_where(invalid, IMPINGE_OUTCOME_INVALID)),
                       word);
}

/* Divides K and u0 by given scales. */
INLINE void scale_matrix(contact_t *contact, const scale_t *scale) {
    contact->k11 = normalise_by(scale, contact->k11);
    contact->k12 = normalise_by(scale, contact->k12);
    contact->k13 = normalise_by(scale, contact->k13);
    contact->k22 = normalise_by(scale, contact->k22);
    contact->k23 = normalise_by(scale, contact->k23);
    contact->k33 = normalise_by(scale, contact->k33);
}

INLINE void scale_velocities(contact_t *contact, const scale_t *scale) {
    contact->u1 = normalise_by(scale, contact->u1);
    contact->u2 = normalise_by(scale, contact->u2);
    contact->u3 = normalise_by(scale, contact->u3);
}

INLINE void normalise_matrix(contact_t *contact, scale_t *scale) {
    *scale = scale_of(max3(contact->k11, contact->k22, contact->k33));
    scale_matrix(contact, scale);
}

INLINE void normalise_velocity(contact_t *contact, scale_t *scale) {
    const lanes_t largest =
        max3(lane_abs(contact->u1), lane_abs(contact->u2), lane_abs(contact->u3));
    const lanes_t one = lane_set(1);
    *scale = scale_of(lane_select(lane_eq(largest, lane_zero()), one, largest));
    scale_velocities(contact, scale);
}

#endif
