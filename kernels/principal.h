/* The principal axes of a symmetric matrix of the tangent plane. */
#ifndef IMPINGE_KERNELS_PRINCIPAL_H
#define IMPINGE_KERNELS_PRINCIPAL_H

#include "lane/lane.h"

/* A turn of the tangent frame by an angle of at most 45 degrees, and the T that is diagonal after
 * it. */
typedef struct principal {
    lanes_t cosine, sine, t1, t2;
} principal_t;

/* Jacobi's rotation. The smaller eigenvalue comes from the determinant: a difference would lose it.
 */
static inline principal_t principal_frame(lanes_t a, lanes_t b, lanes_t c) {
    const lanes_t half = lane_mul(lane_set(REAL(0.5)), lane_sub(a, c));
    const lanes_t radius = lane_sqrt(lane_mul_add2(half, half, b, b));
    const lanes_t sum = lane_add(lane_abs(half), radius);
    const mask_t diagonal = lane_eq(b, lane_zero());
    const lanes_t tangent_size = lane_div(b, lane_select(diagonal, lane_set(1), sum));
    const mask_t first_larger = lane_le(lane_zero(), half);
    const lanes_t tangent = lane_select(first_larger, tangent_size, lane_neg(tangent_size));
    const lanes_t larger = lane_fma(tangent_size, b, lane_select(first_larger, a, c));
    const lanes_t smaller = lane_div(lane_difference_of_products(a, c, b, b), larger);
    principal_t p;
    const lanes_t cosine =
        lane_div(lane_set(1), lane_sqrt(lane_fma(tangent, tangent, lane_set(1))));
    const lanes_t sine = lane_mul(tangent, cosine);
    /* A vector that is turned there and back is multiplied by the sum of their squares. */
    const lanes_t excess = lane_fma(sine, sine, lane_fms(cosine, cosine, lane_set(1)));
    const lanes_t correction = lane_mul(lane_set(REAL(-0.5)), excess);
    p.cosine = lane_fma(cosine, correction, cosine);
    p.sine = lane_fma(sine, correction, sine);
    p.t1 = lane_select(first_larger, larger, smaller);
    p.t2 = lane_select(first_larger, smaller, larger);
    return p;
}

/* The same bits for a = c and b = 0, where the square of `a` does not leave the range. */
static inline principal_t principal_frame_in_plane(lanes_t a) {
    return (principal_t){.cosine = lane_set(1), .sine = lane_zero(), .t1 = a, .t2 = a};
}

#endif
