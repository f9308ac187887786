/*
 * Cholesky's factor of symmetric matrices in lanes, M = L L^T.
 *
 * Nothing has to be scaled for it: |L_ij| is at most the root of M_ii, and of what is solved no
 * number on the way is larger than what it makes of it, so that coordinates may have any units.
 * Units that are powers of two make the same bits.
 */
#ifndef IMPINGE_KERNELS_CHOLESKY_H
#define IMPINGE_KERNELS_CHOLESKY_H

#include <impinge/mechanisms.h>

#include "lane/lane.h"

#define TRIANGLE(n) ((n) * ((n) + 1) / 2)

/* Index of the first element of row i of a lower triangle. */
static inline size_t triangle_row(size_t i) { return TRIANGLE(i); }

typedef struct cholesky {
    size_t n;
    lanes_t *l; /* TRIANGLE(n): M, and then L with 1 / L_ii on its diagonal */
} cholesky_t;

/*
 * Factorizes in place. Returns the lanes in which the matrix is positive definite: each pivot i is
 * at least twice its uncertainty. Rounding contributes i + 1 units of M_ii (Higham, "Accuracy and
 * Stability", theorem 10.3), and errors of the elements contribute `units` more. In other lanes L
 * is undefined.
 */
static inline mask_t cholesky_factor(const cholesky_t *c, size_t units) {
    mask_t definite = mask_all();
    for (size_t i = 0; i < c->n; i++) {
        lanes_t *const row = c->l + triangle_row(i);
        const real_t doubt = (real_t)(2 * (units + i + 1)) * REAL_UNIT;
        const lanes_t least = lane_max(lane_mul(row[i], lane_set(doubt)), lane_zero());
        lanes_t pivot = row[i];
        for (size_t j = 0; j < i; j++) {
            const lanes_t *const other = c->l + triangle_row(j);
            lanes_t sum = row[j];
            for (size_t k = 0; k < j; k++)
                sum = lane_fnma(row[k], other[k], sum);
            row[j] = lane_mul(sum, other[j]);
            pivot = lane_fnma(row[j], row[j], pivot);
        }
        /* NaN is not above anything. */
        definite = mask_and(definite, lane_lt(least, pivot));
        row[i] = lane_div(lane_set(1), lane_sqrt(pivot));
    }
    return definite;
}

/* x becomes L^-1 x. */
static inline void cholesky_forward(const cholesky_t *c, lanes_t *x) {
    for (size_t i = 0; i < c->n; i++) {
        const lanes_t *const row = c->l + triangle_row(i);
        lanes_t sum = x[i];
        for (size_t j = 0; j < i; j++)
            sum = lane_fnma(row[j], x[j], sum);
        x[i] = lane_mul(sum, row[i]);
    }
}

/* x becomes L^-T x; so that both together solve M x = b. */
static inline void cholesky_backward(const cholesky_t *c, lanes_t *x) {
    for (size_t i = c->n; i-- > 0;) {
        lanes_t sum = x[i];
        for (size_t j = i + 1; j < c->n; j++)
            sum = lane_fnma(c->l[triangle_row(j) + i], x[j], sum);
        x[i] = lane_mul(sum, c->l[triangle_row(i) + i]);
    }
}

#endif
