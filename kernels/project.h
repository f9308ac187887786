/*
 * The way from the inner point of a permissible region to its boundary (Chatterjee and Ruina
 * 1998, 4.1).
 *
 * Along P0 + t D every condition is at most quadratic in t. P0 is on the normal axis, where the
 * cone's wall is linear in t: alpha |p_t| = t alpha |D_t|.
 */
#ifndef IMPINGE_KERNELS_PROJECT_H
#define IMPINGE_KERNELS_PROJECT_H

#include "region.h"

/* A half-line from the inner point. */
typedef struct ray {
    lanes_t start;      /* P0's normal impulse; it has no other */
    lanes_t d1, d2, d3; /* D, its largest component near 1 */
} ray_t;

/* -(3/2) u_n0 / K33: the frictionless collision with e = 1/2; 0 if there is none. */
static inline lanes_t inner_point(const region_t *r) {
    const lanes_t approach = lane_max(lane_neg(r->u3), lane_zero());
    return lane_div(lane_mul(lane_set(REAL(1.5)), approach), r->k33);
}

/* The limit t <= top / fall where `fall` is positive. */
static inline lanes_t limit(lanes_t top, lanes_t fall) {
    const mask_t falls = lane_lt(lane_zero(), fall);
    const lanes_t at = lane_div(top, lane_select(falls, fall, lane_set(1)));
    return lane_select(falls, at, lane_set((real_t)INFINITY));
}

/*
 * Energy: A t^2 + B t - C <= 0 with A = D . K D / 2, B = D . u(P0) and C = E(u0) - E(u(P0)) = P0
 * |u_n0| / 4, C's square root is taken first: C is tiny if the contact nearly grazes. None of the
 * terms cancel.
 */
static inline lanes_t limit_of_energy(const region_t *r, const ray_t *ray) {
    const lanes_t zero = lane_zero();
    const lanes_t half = lane_set(REAL(0.5));
    const candidate_t at = candidate_of(r, zero, zero, ray->start);
    const lanes_t k1 = lane_fma(r->k11, ray->d1, lane_mul_add2(r->k12, ray->d2, r->k13, ray->d3));
    const lanes_t k2 = lane_fma(r->k12, ray->d1, lane_mul_add2(r->k22, ray->d2, r->k23, ray->d3));
    const lanes_t k3 = lane_fma(r->k13, ray->d1, lane_mul_add2(r->k23, ray->d2, r->k33, ray->d3));
    const lanes_t d_k_d = lane_fma(ray->d1, k1, lane_mul_add2(ray->d2, k2, ray->d3, k3));
    const lanes_t a = lane_max(lane_mul(half, d_k_d), zero);
    const lanes_t b = lane_fma(ray->d1, at.u1, lane_mul_add2(ray->d2, at.u2, ray->d3, at.u3));
    const lanes_t sqrt_c =
        lane_mul(half, lane_mul(lane_sqrt(ray->start), lane_sqrt(lane_abs(r->u3))));
    const lanes_t two_sqrt_c = lane_add(sqrt_c, sqrt_c);
    const lanes_t sum = lane_add(lane_abs(b), hypotenuse(b, lane_mul(two_sqrt_c, lane_sqrt(a))));
    const mask_t gaining = lane_le(zero, b); /* from the start on */
    const mask_t flat = mask_and(lane_eq(sum, zero), lane_lt(zero, sqrt_c));
    const lanes_t divisor = lane_select(lane_eq(sum, zero), lane_set(1), sum);
    const lanes_t when_gaining = lane_select(flat, lane_set((real_t)INFINITY),
                                             lane_mul(two_sqrt_c, lane_div(sqrt_c, divisor)));
    return lane_select(gaining, when_gaining, limit(sum, lane_add(a, a)));
}

static inline lanes_t limit_of_interpenetration(const region_t *r, const ray_t *ray) {
    const lanes_t half = lane_set(REAL(0.5));
    const mask_t approaches = lane_lt(r->u3, lane_zero());
    const lanes_t u_n = lane_select(approaches, lane_mul(half, lane_neg(r->u3)), r->u3);
    const lanes_t rise = lane_fma(r->k13, ray->d1, lane_mul_add2(r->k23, ray->d2, r->k33, ray->d3));
    return limit(u_n, lane_neg(rise));
}

/*
 * beta (P0 + t D_n) - alpha t |D_t| >= 0. Where D is along the wall to half of what is granted for
 * rounding, the difference is nothing else, and does not limit t: P0 may be far below D.
 */
static inline lanes_t limit_of_cone(const region_t *r, const ray_t *ray) {
    const lanes_t across = lane_mul(r->alpha, hypotenuse(ray->d1, ray->d2));
    const lanes_t fall = lane_fnma(r->beta, ray->d3, across);
    const lanes_t rounding = lane_mul(lane_set(REGION_UNITS), across);
    const mask_t falls = lane_lt(rounding, fall);
    return limit(lane_mul(r->beta, ray->start), lane_select(falls, fall, lane_zero()));
}

/*
 * Inside by more than the error of t, which has a few roundings: even where P0 and t D_n nearly
 * cancel, p_n satisfies the cone.
 */
#define BOUNDARY_INSIDE (1 - 4 * REAL_UNIT)

/*
 * If the boundary is so near, relative to the region's own size, that rounding at the end of the
 * range could take t D beyond it, the result is the inner point itself, which is permissible.
 */
#define BOUNDARY_LEAST (REGION_LEAST * 4096)

/* The largest t >= 0 for which P0 + t D is permissible. */
static inline lanes_t boundary(const region_t *r, const ray_t *ray) {
    const lanes_t pull = limit(ray->start, lane_neg(ray->d3));
    const lanes_t forces = lane_min(limit_of_cone(r, ray), pull);
    const lanes_t motion = lane_min(limit_of_energy(r, ray), limit_of_interpenetration(r, ray));
    const lanes_t t = lane_mul(lane_min(motion, forces), lane_set(BOUNDARY_INSIDE));
    return lane_select(lane_lt(t, lane_set(BOUNDARY_LEAST)), lane_zero(), t);
}

#endif
