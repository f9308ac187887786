/* Powers of two kept as exponents, because the powers themselves may be out of range. */
#ifndef IMPINGE_KERNELS_EXPONENTS_H
#define IMPINGE_KERNELS_EXPONENTS_H

#include "contact.h"

/* The largest exponent whose reciprocal power is a normal number, too. */
#define EXPONENT_MAX ((real_t)(EXPONENT_BIAS - 1))

/* The exponent of a scale, exactly. */
static inline lanes_t exponent_of(const scale_t *s) {
    return lane_add(lane_log2_coarse(s->scale), lane_log2_coarse(s->prescale));
}

static inline lanes_t exponent_in_range(lanes_t e) {
    return lane_max(lane_min(e, lane_set(EXPONENT_MAX)), lane_set(-EXPONENT_MAX));
}

/* a 2^e for an integer e, in three factors. Their ranges together cover three times that of one. */
static inline lanes_t times_power(lanes_t a, lanes_t e) {
    for (int i = 0; i < 3; i++) {
        const lanes_t part = exponent_in_range(e);
        a = lane_mul(a, lane_exp2_coarse(part));
        e = lane_sub(e, part);
    }
    return a;
}

/* 2^e, or the nearest that is in range, for e <= 0. */
static inline lanes_t power_down(lanes_t e) {
    return lane_exp2_coarse(exponent_in_range(lane_min(e, lane_zero())));
}

#endif
