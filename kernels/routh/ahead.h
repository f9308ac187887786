/*
 * Guesses the next operation of a contact under way from its present rates. A wrong guess only
 * costs time.
 */
#ifndef IMPINGE_KERNELS_ROUTH_AHEAD_H
#define IMPINGE_KERNELS_ROUTH_AHEAD_H

#include "rule.h"

/*
 * How far from the ray, in units of its attraction, a slip may be for an attempt to pay. Beyond it,
 * fewer than a third of the series are exact enough; the attempts that fail cost more than the
 * steps that the others save (docs/speed-routh.md).
 */
#define STOP_FAR   REAL(0.65)
#define STOP_BENDS (REAL(0.6) / 6)

/*
 * True if a slip will probably stop without an event before: by its present rates, it is close
 * enough to an attracting ray along which it shrinks. A wrong guess only costs time. The ray is
 * where f - 2 c z + 6 m z^2 = 0 to second order (stop_find), so there is none if 6 m f > c^2.
 */
static inline mask_t stop_ahead(const members_t *m, const polar_t *p, const routh_options_t *law) {
    const matrix_t *k = &m->matrix;
    const motion_t *at = &m->motion;
    const lanes_t zero = lane_zero();
    const lanes_t c = lane_add(p->g, p->q);
    const mask_t close = lane_le(lane_abs(p->f), lane_mul(lane_set(STOP_FAR), c));
    const lanes_t bending = lane_mul(lane_sub(p->f, p->g_slope), p->f);
    const mask_t has_ray = lane_le(bending, lane_mul(lane_set(STOP_BENDS), lane_mul(c, c)));
    const mask_t near = mask_and(mask_and(lane_lt(zero, c), close), has_ray);
    const mask_t shrinks = lane_lt(p->g, zero);
    const lanes_t q = lane_div(p->r, lane_neg(p->g));
    const lanes_t change = lane_mul(normal_rate(k, p->s1, p->s2), q);
    const lanes_t u_n = lane_add(at->u_n, change);
    const mask_t event = mask_select(state_has(m->state, STATE_EXPANDING),
                                     lane_le(owed(law, at, m->end), paid_along(law, m, q, change)),
                                     lane_le(zero, u_n));
    return mask_andnot(mask_and(near, shrinks), event);
}

/* The distance of an arc's middle, over the rates: about the reach of its series. */
#if IMPINGE_REAL_BITS == 32
#define ARC_REACH 0.9f
#else
#define ARC_REACH 0.8
#endif

/*
 * The largest distance of an event at which an arc pays, in reaches of its middle. An arc takes
 * three times as long as a step (docs/speed-routh.md).
 */
#define EVENT_FAR REAL(1.25)

/*
 * True if the collision probably turns or ends within that distance. A wrong guess only costs time.
 */
static inline mask_t event_ahead(const members_t *m, const polar_t *p, const routh_options_t *law) {
    const motion_t *at = &m->motion;
    const lanes_t tau = lane_div(lane_set(EVENT_FAR * ARC_REACH), rates_size(&m->matrix));
    const lanes_t q = lane_mul(p->r, tau);
    const lanes_t change = lane_mul(normal_rate(&m->matrix, p->s1, p->s2), q);
    const mask_t ends = lane_le(owed(law, at, m->end), paid_along(law, m, q, change));
    return mask_select(state_has(m->state, STATE_EXPANDING), ends,
                       lane_le(lane_zero(), lane_add(at->u_n, change)));
}

static inline ahead_t ahead_of(const members_t *m, const polar_t *p, mask_t which,
                               const routh_options_t *law) {
    const mask_t stops = mask_and(which, stop_ahead(m, p, law));
    const mask_t moves = mask_andnot(which, stops);
    const mask_t event = event_ahead(m, p, law);
    return (ahead_t){stops, mask_and(moves, event), mask_andnot(moves, event)};
}

#endif
