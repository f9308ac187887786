/* What came of contacts. Every law ends here. */
#ifndef IMPINGE_KERNELS_RESOLVED_H
#define IMPINGE_KERNELS_RESOLVED_H

#include <impinge/batch.h>

#include "lane/lane.h"

#define OUTCOME_NO_IMPULSE                                                                         \
    ((uint32_t)IMPINGE_OUTCOME_SEPARATING | IMPINGE_OUTCOME_IMMOVABLE | IMPINGE_OUTCOME_INVALID)

/* What came of contacts, in contact space and the caller's units and frame. */
typedef struct resolved {
    lane_t p1, p2, p3, u1, u2, u3;
    lane_t work_compression, work_restitution, work_friction;
    word_t outcome;
    mask_t untouched; /* no impulse: the velocity after is the one before */
} resolved_t;

/* Zero impulses, and no word of what was computed, where there is nothing to tell. */
static inline void withhold(resolved_t *r) {
    const lane_t zero = lane_zero();
    const mask_t fits = mask_and(finite3(r->p1, r->p2, r->p3), finite3(r->u1, r->u2, r->u3));
    const mask_t none = word_has(r->outcome, OUTCOME_NO_IMPULSE);
    const mask_t lost = mask_andnot(
        mask_or(mask_not(fits), word_has(r->outcome, IMPINGE_OUTCOME_OUT_OF_RANGE)), none);
    r->outcome = word_select(lost, word_where(lost, IMPINGE_OUTCOME_OUT_OF_RANGE), r->outcome);
    r->untouched = mask_or(none, lost);
    r->p1 = lane_select(r->untouched, zero, r->p1);
    r->p2 = lane_select(r->untouched, zero, r->p2);
    r->p3 = lane_select(r->untouched, zero, r->p3);
    r->work_compression = lane_select(r->untouched, zero, r->work_compression);
    r->work_restitution = lane_select(r->untouched, zero, r->work_restitution);
    r->work_friction = lane_select(r->untouched, zero, r->work_friction);
}

#endif
