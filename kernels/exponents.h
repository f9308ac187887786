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

/* 2^e for e <= 0, in two factors: what is beyond the range of one becomes zero gradually. */
typedef struct power_down {
    lanes_t first, second;
    bool plain; /* the second is 1 in all lanes */
} power_down_t;

static inline power_down_t power_down(lanes_t e) {
    const lanes_t down = lane_min(e, lane_zero());
    const lanes_t part = exponent_in_range(down);
    power_down_t p = {.first = lane_exp2_coarse(part), .second = lane_set(1)};
    p.plain = mask_every(lane_eq(part, down));
    if (!p.plain) p.second = lane_exp2_coarse(exponent_in_range(lane_sub(down, part)));
    return p;
}

static inline lanes_t times_down(lanes_t a, const power_down_t *by) {
    const lanes_t once = lane_mul(a, by->first);
    return by->plain ? once : lane_mul(once, by->second);
}

#endif
