/*
 * A root of f between `low`, where f < 0, and `high`, where f >= 0: regula falsi with the Illinois
 * rule (the value at an end that stays is halved, so that both ends move), and a bisection wherever
 * that fails.
 *
 * The root may have any of many powers of ten. It is measured from -offset, and at least every
 * other step halves the exponents of a bracket whose ends are far apart in that measure. After
 * FALSI_FREE evaluations only bisections follow, so that the number of evaluations is bounded: log2
 * of the ratio's exponent to reach a ratio of 4, and then one for each bit.
 */
#ifndef IMPINGE_KERNELS_FALSI_H
#define IMPINGE_KERNELS_FALSI_H

#include "lane/lane.h"

#define FALSI_FREE 24
/* 2 * FALSI_FREE, 11 for the exponents of any two numbers, and the bits of one. */
#define FALSI_MOST (FALSI_FREE + 12 + MANTISSA_BITS + 3)

typedef struct falsi {
    lanes_t low, high, f_low, f_high, offset;
    mask_t was_low, was_high; /* which end moved last */
    mask_t done;              /* no number left between the ends, or set by the caller */
    int steps;
} falsi_t;

static inline falsi_t falsi_begin(lanes_t low, lanes_t high, lanes_t f_low, lanes_t f_high,
                                  lanes_t offset) {
    return (falsi_t){low, high, f_low, f_high, offset, mask_none(), mask_none(), mask_none(), 0};
}

/* Ends that differ by more than this ratio are far apart. */
#define BRACKET_WIDE 16

/* Between the ends, in their exponents where these are far apart; both >= -offset. */
static inline lanes_t bracket_middle(lanes_t low, lanes_t high, lanes_t offset, mask_t *wide) {
    const lanes_t from = lane_add(low, offset);
    const lanes_t to = lane_add(high, offset);
    *wide =
        mask_and(lane_lt(lane_zero(), from), lane_lt(lane_mul(lane_set(BRACKET_WIDE), from), to));
    const lanes_t even = lane_fma(lane_set(REAL(0.5)), lane_sub(high, low), low);
    if (!mask_any(*wide)) return even;
    const lanes_t mean = lane_sub(lane_mul(lane_sqrt(from), lane_sqrt(to)), offset);
    return lane_select(*wide, mean, even);
}

/* Numbers between the ends change the result by no more than its rounding. */
static inline mask_t bracket_is_tight(lanes_t low, lanes_t high, lanes_t offset) {
    const lanes_t unit = lane_mul(lane_set(2 * REAL_UNIT), lane_add(low, offset));
    return lane_le(lane_sub(high, low), unit);
}

/* The next point to evaluate. */
static inline lanes_t falsi_next(falsi_t *r) {
    mask_t wide;
    const lanes_t middle = bracket_middle(r->low, r->high, r->offset, &wide);
    const lanes_t part = lane_div(lane_neg(r->f_low), lane_sub(r->f_high, r->f_low));
    const lanes_t next = lane_fma(part, lane_sub(r->high, r->low), r->low);
    mask_t kept = mask_and(lane_lt(r->low, next), lane_lt(next, r->high));
    if (r->steps % 2 == 1) kept = mask_andnot(kept, wide);
    if (r->steps >= FALSI_FREE) kept = mask_none();
    r->steps++;
    return lane_select(kept, next, middle);
}

/*
 * Narrows the bracket by f(x); `rounding` marks the lanes in which that value is only rounding.
 * Lanes that are done keep their bracket.
 */
static inline void falsi_narrow(falsi_t *r, lanes_t x, lanes_t f, mask_t rounding) {
    const lanes_t half = lane_set(REAL(0.5));
    const mask_t open = mask_not(r->done);
    const mask_t below = mask_and(open, lane_lt(f, lane_zero()));
    const mask_t above = mask_andnot(open, below);
    const lanes_t f_low =
        lane_select(mask_and(above, r->was_high), lane_mul(half, r->f_low), r->f_low);
    const lanes_t f_high =
        lane_select(mask_and(below, r->was_low), lane_mul(half, r->f_high), r->f_high);
    r->low = lane_select(below, x, r->low);
    r->f_low = lane_select(below, f, f_low);
    r->high = lane_select(above, x, r->high);
    r->f_high = lane_select(above, f, f_high);
    r->was_low = below;
    r->was_high = above;
    r->done = mask_or(r->done, mask_or(rounding, bracket_is_tight(r->low, r->high, r->offset)));
}

/* True if some lane is not done and evaluations are left. */
static inline bool falsi_goes_on(const falsi_t *r) {
    return mask_any(mask_not(r->done)) && r->steps < FALSI_MOST;
}

#endif
