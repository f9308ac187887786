/* Vectors of space, in lanes. */
#ifndef IMPINGE_KERNELS_VECTOR_H
#define IMPINGE_KERNELS_VECTOR_H

#include "lane/lane.h"

typedef struct vector {
    lanes_t x, y, z;
} vector_t;

static inline vector_t vector_add(vector_t a, vector_t b) {
    return (vector_t){lane_add(a.x, b.x), lane_add(a.y, b.y), lane_add(a.z, b.z)};
}

static inline vector_t vector_sub(vector_t a, vector_t b) {
    return (vector_t){lane_sub(a.x, b.x), lane_sub(a.y, b.y), lane_sub(a.z, b.z)};
}

static inline vector_t vector_scale(lanes_t s, vector_t a) {
    return (vector_t){lane_mul(s, a.x), lane_mul(s, a.y), lane_mul(s, a.z)};
}

static inline vector_t vector_neg(vector_t a) {
    return (vector_t){lane_neg(a.x), lane_neg(a.y), lane_neg(a.z)};
}

static inline lanes_t vector_dot(vector_t a, vector_t b) {
    return lane_fma(a.x, b.x, lane_mul_add2(a.y, b.y, a.z, b.z));
}

static inline vector_t vector_cross(vector_t a, vector_t b) {
    return (vector_t){lane_difference_of_products(a.y, b.z, a.z, b.y),
                      lane_difference_of_products(a.z, b.x, a.x, b.z),
                      lane_difference_of_products(a.x, b.y, a.y, b.x)};
}

/* b - s a. */
static inline vector_t vector_minus_times(vector_t b, lanes_t s, vector_t a) {
    return (vector_t){lane_fnma(s, a.x, b.x), lane_fnma(s, a.y, b.y), lane_fnma(s, a.z, b.z)};
}

/* Exact to the rounding of the products, not of their differences, with half the operations. */
static inline vector_t vector_cross_coarse(vector_t a, vector_t b) {
    return (vector_t){lane_fnma(a.z, b.y, lane_mul(a.y, b.z)),
                      lane_fnma(a.x, b.z, lane_mul(a.z, b.x)),
                      lane_fnma(a.y, b.x, lane_mul(a.x, b.y))};
}

/* a / b from `inverse` = 1 / b, with the bits of a division except for underflow (Markstein). */
static inline lanes_t lane_quotient(lanes_t a, lanes_t b, lanes_t inverse) {
    const lanes_t q = lane_mul(a, inverse);
    return lane_fma(lane_fnma(q, b, a), inverse, q);
}

/* a / b by one division; 1 / b must be in range. */
static inline vector_t vector_over(vector_t a, lanes_t b) {
    const lanes_t inverse = lane_div(lane_set(1), b);
    return (vector_t){lane_quotient(a.x, b, inverse), lane_quotient(a.y, b, inverse),
                      lane_quotient(a.z, b, inverse)};
}

static inline lanes_t vector_largest(vector_t a) {
    return max3(lane_abs(a.x), lane_abs(a.y), lane_abs(a.z));
}

static inline mask_t vector_finite(vector_t a) { return finite3(a.x, a.y, a.z); }

static inline vector_t vector_select(mask_t m, vector_t a, vector_t b) {
    return (vector_t){lane_select(m, a.x, b.x), lane_select(m, a.y, b.y), lane_select(m, a.z, b.z)};
}

#endif
