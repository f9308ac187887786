/*
 * Regula falsi with the Illinois rule: the value at an end that stays is halved, so that both ends
 * move. For a root of f between `low`, where f < 0, and `high`, where f >= 0.
 */
#ifndef IMPINGE_KERNELS_FALSI_H
#define IMPINGE_KERNELS_FALSI_H

#include "lane/lane.h"

typedef struct falsi {
    lane_t low, high, f_low, f_high;
    mask_t was_low, was_high; /* which end moved last */
} falsi_t;

static inline falsi_t falsi_begin(lane_t low, lane_t high, lane_t f_low, lane_t f_high) {
    return (falsi_t){low, high, f_low, f_high, mask_none(), mask_none()};
}

/* Where to look next: between the ends, or at `high` where there is nothing between them. */
static inline lane_t falsi_next(const falsi_t *r) {
    const lane_t rise = lane_sub(r->f_high, r->f_low);
    const mask_t rises = mask_and(lane_lt(lane_zero(), rise), lane_lt(r->low, r->high));
    const lane_t part = lane_div(lane_neg(r->f_low), lane_select(rises, rise, lane_set(1)));
    const lane_t next = lane_fma(part, lane_sub(r->high, r->low), r->low);
    return lane_select(rises, lane_min(lane_max(next, r->low), r->high), r->high);
}

/* What f was at x. */
static inline void falsi_narrow(falsi_t *r, lane_t x, lane_t f) {
    const lane_t half = lane_set(REAL(0.5));
    const mask_t below = lane_lt(f, lane_zero());
    const mask_t above = mask_not(below);
    const lane_t f_low =
        lane_select(mask_and(above, r->was_high), lane_mul(half, r->f_low), r->f_low);
    const lane_t f_high =
        lane_select(mask_and(below, r->was_low), lane_mul(half, r->f_high), r->f_high);
    r->low = lane_select(below, x, r->low);
    r->f_low = lane_select(below, f, f_low);
    r->high = lane_select(below, r->high, x);
    r->f_high = lane_select(below, f_high, f);
    r->was_low = below;
    r->was_high = above;
}

#endif
