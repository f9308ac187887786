/*
 * A composite law (Chatterjee and Ruina 1998, 5.3): p = sigma p_new + (1 - sigma) p_R of Chatterjee
 * and Ruina's impulse and Routh's. The velocity after is linear in the impulse, and so mixed in the
 * same way.
 */
#ifndef IMPINGE_KERNELS_LAWS_COMPOSITE_H
#define IMPINGE_KERNELS_LAWS_COMPOSITE_H

#include "../routh/routh.h"
#include "chatterjee_ruina.h"

static inline lanes_t mixed(lanes_t sigma, lanes_t a, lanes_t b) {
    return lane_mul_add2(sigma, a, lane_sub(lane_set(1), sigma), b);
}

/*
 * Without an impulse u0 stays as it is: one of the two laws may have a collision (a jam) where the
 * other has none.
 */
static inline void keep_still(response_t *r, const collision_t *c) {
    const lanes_t zero = lane_zero();
    r->untouched = word_has(r->outcome, OUTCOME_NO_IMPULSE);
    r->p1 = lane_select(r->untouched, zero, r->p1);
    r->p2 = lane_select(r->untouched, zero, r->p2);
    r->p3 = lane_select(r->untouched, zero, r->p3);
    r->u1 = lane_select(r->untouched, c->slip.x, r->u1);
    r->u2 = lane_select(r->untouched, c->slip.y, r->u2);
    r->u3 = lane_select(r->untouched, c->u_n, r->u3);
}

static inline law_answer_t mixed_answer(lanes_t sigma, const response_t *a, const response_t *r,
                                        const collision_t *c) {
    const tangent_t p_t = {mixed(sigma, a->p1, r->p1), mixed(sigma, a->p2, r->p2)};
    const tangent_t slip = {mixed(sigma, a->u1, r->u1), mixed(sigma, a->u2, r->u2)};
    return straight_answer(c, p_t, mixed(sigma, a->p3, r->p3), slip, mixed(sigma, a->u3, r->u3),
                           word_where(mask_none(), 0));
}

/* Bits that describe only one of the two laws, or its path; the mix gets bits of its own. */
#define OUTCOME_OF_ONE                                                                             \
    ((uint32_t)IMPINGE_OUTCOME_SEPARATING | IMPINGE_OUTCOME_SLID | IMPINGE_OUTCOME_STUCK |         \
     IMPINGE_OUTCOME_DIVERGED | IMPINGE_OUTCOME_SLIP_REVERSED | IMPINGE_OUTCOME_RECOMPRESSED)

/*
 * Routh's part may stick by mu_s, and the mix slide all the same: then its impulse may be outside
 * the cone, which is that of mu.
 */
static inline words_t sliding_outcome(const collision_t *c, const law_answer_t *mix) {
    const words_t slips = slip_outcome(c->slip.x, c->slip.y, mix->slip.x, mix->slip.y);
    const lanes_t tangential = lane_mul(c->alpha, hypotenuse(mix->p_t.x, mix->p_t.y));
    const lanes_t normal = lane_mul(c->beta, mix->p_n);
    const lanes_t rounding = allowance_of(lane_add(lane_abs(normal), tangential), REGION_UNITS);
    const mask_t leaves = slack_fails(lane_sub(normal, tangential), rounding);
    const mask_t outside = mask_and(leaves, word_has(slips, IMPINGE_OUTCOME_SLID));
    return word_or(slips, word_where(outside, IMPINGE_OUTCOME_OUTSIDE_REGION));
}

/*
 * Combines the two laws' words: a reason against an impulse in one counts for both, and a failure
 * of one is a failure of the mix.
 */
static inline words_t composite_outcome(const collision_t *c, const law_answer_t *mix,
                                        const response_t *a, const response_t *r) {
    const uint32_t invalid = IMPINGE_OUTCOME_INVALID_REASONS | IMPINGE_OUTCOME_INVALID;
    const words_t both = word_or(a->outcome, r->outcome);
    const words_t word = word_or(word_and(both, ~OUTCOME_OF_ONE), sliding_outcome(c, mix));
    const mask_t none = mask_or(mask_and(a->untouched, r->untouched), word_has(both, invalid));
    return word_select(none, both, word);
}

/* Routh's part, closed, with the other law's for the same contact. */
static APART response_t composite_of(const impinge_options *options, const closing_t *closing,
                                     contact_t *contact, const routh_options_t *law) {
    response_t r = turn_back(closing);
    r.outcome = closing_outcome(closing, law);

    const lanes_t sigma = contact->mix;
    collision_t c;
    scale_t k_scale, u_scale;
    const words_t word = check_and_scale(contact, options, &c, &k_scale, &u_scale);
    const law_answer_t new = chatterjee_ruina(&c, options);
    response_t a = response_of(&new);
    a.outcome = collision_outcome(&c, &new, options, word);

    keep_still(&r, &c);
    keep_still(&a, &c);
    const law_answer_t mix = mixed_answer(sigma, &a, &r, &c);
    response_t both = response_of(&mix);
    scale_back(closing, &both);
    both.outcome = composite_outcome(&c, &mix, &a, &r);
    withhold(&both);
    return both;
}

static response_t composite_close(const batch_t *b, closing_t *closing, size_t first, size_t count,
                                  const routh_options_t *law) {
    contact_t contact = b->load(b, first, count);
    close_all(closing, law);
    return composite_of(b->options, closing, &contact, law);
}

#endif
