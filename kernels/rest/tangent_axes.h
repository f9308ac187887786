/* The principal axes of a symmetric matrix of the tangent plane, as world vectors. */
#ifndef IMPINGE_KERNELS_REST_TANGENT_AXES_H
#define IMPINGE_KERNELS_REST_TANGENT_AXES_H

#include "../algebraic.h"

/* A turn of the tangent frame by at most 45 degrees, and the eigenvalues. */
typedef struct tangent_axes {
    lanes_t cosine, sine;
    tangent_t sigma;
} tangent_axes_t;

/* Jacobi's rotation. The smaller eigenvalue comes from the determinant: a difference would lose it.
 */
static inline tangent_axes_t tangent_axes(const tangent_tensor_t *s) {
    const lanes_t one = lane_set(1);
    const lanes_t half = lane_mul(lane_set(REAL(0.5)), lane_sub(s->xx, s->yy));
    const lanes_t radius = lane_sqrt(lane_mul_add2(half, half, s->xy, s->xy));
    const lanes_t sum = lane_add(lane_abs(half), radius);
    const mask_t diagonal = lane_eq(s->xy, lane_zero());
    const lanes_t size = lane_div(s->xy, lane_select(diagonal, one, sum));
    const mask_t first_larger = lane_le(lane_zero(), half);
    const lanes_t tangent = lane_select(first_larger, size, lane_neg(size));
    const lanes_t larger = lane_fma(size, s->xy, lane_select(first_larger, s->xx, s->yy));
    const lanes_t smaller =
        lane_div(lane_difference_of_products(s->xx, s->yy, s->xy, s->xy), larger);
    tangent_axes_t a;
    a.cosine = lane_div(one, lane_sqrt(lane_fma(tangent, tangent, one)));
    a.sine = lane_mul(tangent, a.cosine);
    a.sigma = (tangent_t){lane_select(first_larger, larger, smaller),
                          lane_select(first_larger, smaller, larger)};
    return a;
}

static inline tangent_t to_axes(const tangent_axes_t *a, tangent_t v) {
    return (tangent_t){lane_mul_add2(a->cosine, v.x, a->sine, v.y),
                       lane_difference_of_products(a->cosine, v.y, a->sine, v.x)};
}

#endif
