/*
 * The contact of a mechanism of one coordinate in a plane, such as a pendulum that strikes a floor:
 * Routh's law in the limit of a K without a second eigenvalue (Chatterjee and Ruina 1998, "A
 * Collision with Unbounded M", and 4.2.1).
 *
 * With w the speed, u_t = J_t w and u_n = J_n w: the velocity moves to and fro on a line through
 * zero. On the way there friction opposes the coordinate's motion as the normal impulse does, so
 * that
 *
 *     du_n/dp_n = K_nn + mu |K_tn|,
 *
 * and compression ends where the slip does, at w = 0. Sticking needs |p_t| = p_n K_nn / |K_tn|,
 * since then no impulse moves the coordinate: if friction allows that, the collision is over.
 * Otherwise the slip reverses, and du_n/dp_n = K_nn - mu |K_tn| to the end.
 */
#ifndef IMPINGE_KERNELS_ONE_COORDINATE_H
#define IMPINGE_KERNELS_ONE_COORDINATE_H

#include "contact_space.h"

/* The normal impulse, the size of friction's, and the velocity at the end. */
typedef struct phase {
    lanes_t p_n, p_t, u_n, u_t;
} phase_t;

/* The phase from u0 to rest. */
static inline phase_t stopping(const contact_t *contact, lanes_t coupling) {
    const lanes_t one = lane_set(1);
    const mask_t rubs = lane_lt(lane_zero(), coupling);
    /* Divided by max(1, mu), so that mu may be infinite. */
    const lanes_t alpha = lane_select(rubs, lane_div(one, lane_max(one, contact->friction)), one);
    const lanes_t beta = lane_select(rubs, lane_min(one, contact->friction), lane_zero());
    const lanes_t rate = lane_mul_add2(alpha, contact->k33, beta, coupling);
    const lanes_t time = lane_div(lane_neg(contact->u3), rate);
    return (phase_t){.p_n = lane_mul(alpha, time),
                     .p_t = lane_mul(beta, time),
                     .u_n = lane_zero(),
                     .u_t = lane_zero()};
}

static inline lanes_t expansion(const contact_t *contact, const phase_t *stop, lanes_t rate,
                                impinge_restitution_rule rule) {
    const lanes_t approach = lane_neg(contact->u3);
    switch (rule) {
    case IMPINGE_RULE_POISSON:
        return lane_mul(contact->restitution, stop->p_n);
    case IMPINGE_RULE_NEWTON:
        return lane_div(lane_mul(contact->restitution, approach), rate);
    default: /* W_d = 1/2 rate p_n^2 = -e^2 W_c */
        return lane_mul(contact->restitution,
                        lane_sqrt(lane_div(lane_mul(approach, stop->p_n), rate)));
    }
}

/* The phase from rest in the other direction; absent if friction holds the contact. */
static inline phase_t rebounding(const contact_t *contact, const phase_t *stop, lanes_t coupling,
                                 impinge_restitution_rule rule) {
    const lanes_t zero = lane_zero();
    /* As for any contact: without friction the slip passes zero, and mu_s has no effect. */
    const mask_t rubs = mask_and(lane_lt(zero, coupling), lane_lt(zero, contact->friction));
    const mask_t held =
        mask_and(rubs, lane_le(contact->k33, lane_mul(contact->friction_static, coupling)));
    const lanes_t friction = lane_select(mask_andnot(rubs, held), contact->friction, zero);
    const lanes_t rate = lane_fnma(friction, coupling, contact->k33); /* > 0, since mu <= mu_s */
    const lanes_t p_n = lane_select(held, zero, expansion(contact, stop, rate, rule));
    const lanes_t u_n = lane_mul(rate, p_n);
    return (phase_t){.p_n = p_n,
                     .p_t = lane_mul(friction, p_n),
                     .u_n = u_n,
                     .u_t = lane_mul(lane_div(coupling, contact->k33), u_n)};
}

static inline words_t one_coordinate_outcome(const contact_t *contact, const response_t *r) {
    const lanes_t zero = lane_zero();
    const mask_t slid = mask_not(lane_eq(contact->u1, zero));
    const mask_t reversed = mask_not(lane_eq(r->u1, zero));
    const mask_t rubs = lane_lt(zero, contact->friction);
    words_t word = word_where(slid, IMPINGE_OUTCOME_SLID);
    word = word_or(word, word_where(mask_not(reversed), IMPINGE_OUTCOME_STUCK));
    word = word_or(word, word_where(mask_and(reversed, rubs), IMPINGE_OUTCOME_DIVERGED));
    word = word_or(word, word_where(reversed, IMPINGE_OUTCOME_SLIP_REVERSED));
    /* As for Routh's law: a work is off by some roundings of its size. */
    return word_or(word, energy_outcome(r->work_compression, r->work_restitution, r->work_friction,
                                        64 * REAL_UNIT));
}

/* As contact_check, but K need not be positive definite. */
static inline words_t one_coordinate_check(const contact_t *contact,
                                           const impinge_options *options) {
    const mask_t matrix = all_finite3(contact->k11, contact->k13, contact->k33);
    const mask_t velocity = all_finite3(contact->u1, contact->u3, lane_zero());
    words_t word = word_or(contact->invalid, coefficients_check(contact, restitution_max(options)));
    word = word_or(word, word_where(mask_not(matrix), IMPINGE_OUTCOME_INVALID_MATRIX));
    word = word_or(word, word_where(mask_not(velocity), IMPINGE_OUTCOME_INVALID_VELOCITY));
    word = word_or(word, word_where(matrix_is_zero(contact), IMPINGE_OUTCOME_IMMOVABLE));
    word = invalid_first(word);
    const mask_t alive = mask_not(word_has(word, OUTCOME_NO_IMPULSE));
    const mask_t separating = mask_and(alive, lane_le(lane_zero(), contact->u3));
    return word_or(word, word_where(separating, IMPINGE_OUTCOME_SEPARATING));
}

/* Works in normalised units. */
static inline response_t collide_one_coordinate(const contact_t *contact,
                                                impinge_restitution_rule rule) {
    const lanes_t half = lane_set(REAL(0.5));
    const lanes_t coupling = lane_abs(contact->k13);
    const phase_t stop = stopping(contact, coupling);
    const phase_t rebound = rebounding(contact, &stop, coupling, rule);
    response_t r;
    /*
     * The slip before is opposed to K_tn, since u_n is negative; friction is opposed to the slip.
     */
    r.p1 = lane_copysign(lane_set(1), contact->k13);
    r.u1 = lane_mul(r.p1, rebound.u_t);
    r.p1 = lane_mul(r.p1, lane_sub(stop.p_t, rebound.p_t));
    r.p2 = r.u2 = lane_zero();
    r.p3 = lane_add(stop.p_n, rebound.p_n);
    r.u3 = rebound.u_n;
    r.work_compression = lane_mul(half, lane_mul(contact->u3, stop.p_n));
    r.work_restitution = lane_mul(half, lane_mul(rebound.u_n, rebound.p_n));
    r.work_friction = lane_neg(
        lane_mul(half, lane_mul_add2(lane_abs(contact->u1), stop.p_t, rebound.u_t, rebound.p_t)));
    r.outcome = one_coordinate_outcome(contact, &r);
    return r;
}

static inline response_t resolve_one_coordinate(const contact_t *given,
                                                const impinge_options *options) {
    contact_t contact = *given;
    words_t word = one_coordinate_check(&contact, options);
    neutralise(&contact, word_has(word, OUTCOME_NO_IMPULSE));
    scale_t k_scale, u_scale;
    normalise_matrix(&contact, &k_scale);
    normalise_velocity(&contact, &u_scale);
    response_t r = collide_one_coordinate(&contact, options->rule);
    const impulse_scale_t p_scale = impulse_scale_of(&k_scale, &u_scale);
    scale_response(&r, &u_scale, &p_scale);
    const mask_t collides = mask_not(word_has(word, OUTCOME_NO_IMPULSE));
    r.outcome = word_or(word, word_select(collides, r.outcome, word_where(mask_none(), 0)));
    withhold(&r);
    return r;
}

#endif
