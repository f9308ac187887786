/* The results of contacts. Every law ends here. */
#ifndef IMPINGE_KERNELS_RESOLVED_H
#define IMPINGE_KERNELS_RESOLVED_H

#include <impinge/batch.h>

#include "contact.h"

/* OUT_OF_RANGE is not included: the impulse of such a word is still to be withheld. */
#define OUTCOME_NO_IMPULSE (IMPINGE_OUTCOME_NO_IMPULSE & ~(uint32_t)IMPINGE_OUTCOME_OUT_OF_RANGE)

/* The only bits of a contact without an impulse: the reasons. */
#define OUTCOME_OF_NONE                                                                            \
    (IMPINGE_OUTCOME_NO_IMPULSE | IMPINGE_OUTCOME_RESTING | IMPINGE_OUTCOME_INVALID_REASONS |      \
     IMPINGE_OUTCOME_TOLERANCE_MISSED)

/* A gain of energy is outside the permissible region, too. */
#define OUTCOME_GAINED ((uint32_t)IMPINGE_OUTCOME_ENERGY_GAINED | IMPINGE_OUTCOME_OUTSIDE_REGION)

/* The results of contacts, in contact space and the caller's units and frame. */
typedef struct response {
    lanes_t p1, p2, p3, u1, u2, u3;
    lanes_t work_compression, work_restitution, work_friction;
    words_t outcome;
    mask_t untouched; /* no impulse: the velocity after is the one before */
} response_t;

/* Converts from normalised units to the caller's. */
INLINE void scale_response(response_t *r, const scale_t *u, const impulse_scale_t *p) {
    r->p1 = scale_impulse(p, r->p1);
    r->p2 = scale_impulse(p, r->p2);
    r->p3 = scale_impulse(p, r->p3);
    r->u1 = scale_velocity(u, r->u1);
    r->u2 = scale_velocity(u, r->u2);
    r->u3 = scale_velocity(u, r->u3);
    r->work_compression = scale_work(u, p, r->work_compression);
    r->work_restitution = scale_work(u, p, r->work_restitution);
    r->work_friction = scale_work(u, p, r->work_friction);
}

/* A work whose terms overflowed is reported as infinite, like one that overflows itself. */
static inline lanes_t work_or(lanes_t work, real_t instead) {
    return lane_select(lane_eq(work, work), work, lane_set(instead));
}

/*
 * Sets the impulses to zero, and drops the other bits, in lanes that get no impulse or whose
 * impulse does not fit.
 */
INLINE void withhold(response_t *r) {
    const lanes_t zero = lane_zero();
    const mask_t fits =
        mask_and(all_finite3(r->p1, r->p2, r->p3), all_finite3(r->u1, r->u2, r->u3));
    const mask_t none = word_has(r->outcome, OUTCOME_NO_IMPULSE);
    const mask_t lost = mask_andnot(
        mask_or(mask_not(fits), word_has(r->outcome, IMPINGE_OUTCOME_OUT_OF_RANGE)), none);
    /* Without an impulse no bits of slip are reported, only whether it should have had one. */
    r->outcome = word_select(none, word_and(r->outcome, OUTCOME_OF_NONE), r->outcome);
    r->outcome = word_select(lost, word_where(lost, IMPINGE_OUTCOME_OUT_OF_RANGE), r->outcome);
    r->untouched = mask_or(none, lost);
    const mask_t works = all_finite3(r->work_compression, r->work_restitution, r->work_friction);
    if (mask_any(mask_not(works))) {
        r->work_compression = work_or(r->work_compression, -(real_t)INFINITY);
        r->work_restitution = work_or(r->work_restitution, (real_t)INFINITY);
        r->work_friction = work_or(r->work_friction, -(real_t)INFINITY);
    }
    if (!mask_any(r->untouched)) return;
    r->p1 = lane_select(r->untouched, zero, r->p1);
    r->p2 = lane_select(r->untouched, zero, r->p2);
    r->p3 = lane_select(r->untouched, zero, r->p3);
    r->work_compression = lane_select(r->untouched, zero, r->work_compression);
    r->work_restitution = lane_select(r->untouched, zero, r->work_restitution);
    r->work_friction = lane_select(r->untouched, zero, r->work_friction);
}

/*
 * True if the energy has grown, by more than the error of the works, whose sum is the change. An
 * impulse within the cone that leaves no approach can violate the region only by that.
 */
static inline words_t energy_outcome(lanes_t compression, lanes_t restitution, lanes_t friction,
                                     real_t error) {
    const lanes_t change = lane_add(lane_add(compression, restitution), friction);
    const lanes_t size =
        lane_add(lane_add(lane_abs(compression), lane_abs(restitution)), lane_abs(friction));
    return word_where(lane_lt(lane_mul(lane_set(error), size), change), OUTCOME_GAINED);
}

#endif
