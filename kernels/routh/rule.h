/* The rule of restitution: the end of a collision, and the distance to it. */
#ifndef IMPINGE_KERNELS_ROUTH_RULE_H
#define IMPINGE_KERNELS_ROUTH_RULE_H

#include "ring.h"

/* The amount by which the rule's quantity must still grow in restitution. */
static inline lanes_t owed(const routh_options_t *law, const motion_t *m, lanes_t end) {
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE: /* W_d = -e^2 W_c (Mirtich 1996, corrected, 3.4) */
        return lane_fnma(end, m->work_compression, lane_neg(m->work_restitution));
    case IMPINGE_RULE_POISSON: /* p_d = e p_c */
        return lane_fma(end, m->q_compression, lane_sub(m->q_compression, m->q));
    default: /* u_n = -e u_n0 */
        return lane_sub(end, m->u_n);
    }
}

/*
 * An extremum of u_n this close to a level, in tolerances of one step, may pass it or not. The rest
 * of the collision depends on that: whether there was an end, or a turn and how far away.
 */
#define GRAZES REAL(4.0)

/* For the extremum of u_n where the contact is. */
static inline mask_t grazes_level(const routh_options_t *law, lanes_t u_n, mask_t expanding,
                                  lanes_t end) {
    const lanes_t near = lane_set(GRAZES * law->tolerance);
    const mask_t zero = lane_le(lane_abs(u_n), near);
    if (law->rule != IMPINGE_RULE_NEWTON) return zero;
    return mask_or(zero, mask_and(expanding, lane_le(lane_abs(lane_sub(end, u_n)), near)));
}

/* Whether restitution may have been paid off just before, where it is not by the numbers. */
static inline mask_t payment_is_near(const routh_options_t *law, const motion_t *m,
                                     const matrix_t *k, lanes_t end) {
    const lanes_t error = lane_set(GRAZES * law->tolerance);
    const lanes_t left = owed(law, m, end);
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE:
        return lane_le(left, lane_mul(lane_mul(error, m->q), k->work_scale));
    case IMPINGE_RULE_POISSON:
        return lane_le(lane_mul(rates_size(k), left), error);
    default:
        return lane_le(left, error);
    }
}

/*
 * Whether compression that begins again, with u_n = 0, is in doubt: restitution may have been paid
 * off just before. By Poisson's rule, an error of u_n has also moved the turn: by too much, unless
 * u_n rose fast enough there. It was about a parabola since then, whose work and impulse give that
 * rate, 6 W / p_n^2. By Newton's rule the top of u_n decides (grazes_level).
 */
#define TURN_IS_SLOW (IMPINGE_REAL_BITS == 32 ? REAL(2.0) : REAL(0.5))

static inline mask_t recompression_is_doubtful(const routh_options_t *law, const motion_t *m,
                                               const matrix_t *k, lanes_t end) {
    if (law->rule == IMPINGE_RULE_NEWTON) return mask_none();
    const mask_t near = payment_is_near(law, m, k, end);
    if (law->rule == IMPINGE_RULE_STRONGE) return near;
    const lanes_t dq = lane_sub(m->q, m->q_compression);
    const lanes_t least = lane_mul(lane_set(TURN_IS_SLOW), lane_mul(rates_size(k), k->work_scale));
    const lanes_t work = lane_mul(lane_set(6), m->work_restitution);
    return mask_or(near, lane_le(work, lane_mul(lane_mul(least, dq), dq)));
}

/* The part of that amount that the next q contributes, on which u_n changes by `change`. */
static inline lanes_t paid_along(const routh_options_t *law, const members_t *m, lanes_t q,
                                 lanes_t change) {
    if (law->rule == IMPINGE_RULE_NEWTON) return change;
    if (law->rule == IMPINGE_RULE_POISSON) return q;
    return lane_mul(lane_mul(q, m->matrix.work_scale),
                    lane_fma(lane_set(REAL(0.5)), change, m->motion.u_n));
}

/* The normal impulse (as dq) that restitution still takes if du_n/dq stays as it is. */
static inline lanes_t impulse_owed(const routh_options_t *law, lanes_t amount, lanes_t u_n,
                                   lanes_t rate, lanes_t work_scale) {
    const lanes_t zero = lane_zero();
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE: { /* u_n'^2 = u_n^2 + 2 rate dW (Mirtich 1996, corrected, 3.6
                                    and 3.9), to that scale */
        const lanes_t twice = lane_mul(lane_set(2), amount);
        const lanes_t u = lane_mul(u_n, work_scale);
        const lanes_t square = lane_fma(lane_mul(rate, work_scale), twice, lane_mul(u, u));
        const lanes_t sum = lane_add(u, lane_sqrt(lane_max(square, zero)));
        return lane_select(lane_lt(zero, sum), lane_div(twice, sum), zero);
    }
    case IMPINGE_RULE_POISSON:
        return amount;
    default:
        return lane_div(amount, rate);
    }
}

/*
 * True if that amount is ever reached at this rate. Where works are only rounding, as they are in
 * f32 where u_n is far below 1e-18 of u_t, the amount may be negative, and counts as reached.
 */
static inline mask_t end_is_reached(const routh_options_t *law, lanes_t amount, lanes_t u_n,
                                    lanes_t rate, lanes_t work_scale) {
    const lanes_t zero = lane_zero();
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE: {
        const lanes_t u = lane_mul(u_n, work_scale);
        const lanes_t twice = lane_mul(lane_set(2), amount);
        const lanes_t square = lane_fma(lane_mul(rate, work_scale), twice, lane_mul(u, u));
        return mask_or(lane_le(zero, square), lane_le(amount, zero));
    }
    case IMPINGE_RULE_POISSON:
        return mask_all();
    default:
        return mask_or(lane_lt(zero, rate), lane_le(amount, zero));
    }
}

/*
 * The distance in q to the end of the collision if the slip goes straight on and u_n rises at
 * `rate` > 0.
 */
static inline lanes_t straight_rest(const members_t *m, lanes_t rate, const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    const motion_t *at = &m->motion;
    const lanes_t below = lane_max(lane_neg(at->u_n), zero);
    const lanes_t to_zero = lane_div(below, rate);
    motion_t turn = *at;
    turn.u_n = lane_max(at->u_n, zero);
    turn.q = lane_add(at->q, to_zero);
    turn.q_compression = lane_add(at->q_compression, to_zero);
    const lanes_t half = lane_mul(lane_set(REAL(0.5)), m->matrix.work_scale);
    turn.work_compression = lane_fnma(lane_mul(half, below), to_zero, at->work_compression);
    const lanes_t amount = lane_max(owed(law, &turn, m->end), zero);
    return lane_add(to_zero, impulse_owed(law, amount, turn.u_n, rate, m->matrix.work_scale));
}

#endif
