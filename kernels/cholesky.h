/*
 * Cholesky's factor of symmetric matrices in lanes, M = S L L^T S.
 *
 * S is diagonal, of powers of two: it brings M's diagonal into [1, 4), exactly, so that
 * coordinates may have any units and sizes without a number on the way leaving the range.
 */
#ifndef IMPINGE_KERNELS_CHOLESKY_H
#define IMPINGE_KERNELS_CHOLESKY_H

#include <impinge/mechanisms.h>

#include "lane/lane.h"

#define TRIANGLE(n) ((n) * ((n) + 1) / 2)

/* Where row i of a lower triangle begins. */
static inline size_t triangle_row(size_t i) { return TRIANGLE(i); }

typedef struct cholesky {
    size_t n;
    lane_t *l;             /* TRIANGLE(n): M, and then L with 1 / L_ii on its diagonal */
    lane_t *inverse_scale; /* n: of S */
} cholesky_t;

/* S from the diagonal, and S^-1 M S^-1. Returns where the diagonal is positive and finite. */
static inline mask_t cholesky_equilibrate(const cholesky_t *c) {
    mask_t legal = mask_all();
    for (size_t i = 0; i < c->n; i++) {
        lane_t *row = c->l + triangle_row(i);
        const mask_t positive = mask_and(lane_lt(lane_zero(), row[i]), lane_finite(row[i]));
        const lane_t size = lane_sqrt(lane_select(positive, row[i], lane_set(1)));
        /* The root of any number > 0, subnormal ones too, is a normal number. */
        c->inverse_scale[i] = lane_div(lane_set(1), lane_power_of_two(size));
        for (size_t j = 0; j <= i; j++)
            row[j] = lane_mul(lane_mul(row[j], c->inverse_scale[i]), c->inverse_scale[j]);
        legal = mask_and(legal, positive);
    }
    return legal;
}

/*
 * Factorizes in place. Returns where the matrix is positive definite: pivot i, of which rounding
 * leaves i + 1 units of M_ii in doubt (Higham, "Accuracy and Stability", theorem 10.3), and what
 * the elements are off `units` more, is twice that or more. Elsewhere L is anything.
 */
static inline mask_t cholesky_factor(const cholesky_t *c, size_t units) {
    mask_t definite = cholesky_equilibrate(c);
    for (size_t i = 0; i < c->n; i++) {
        lane_t *const row = c->l + triangle_row(i);
        const lane_t doubt = lane_mul(row[i], lane_set((real_t)(2 * (units + i + 1)) * REAL_UNIT));
        lane_t pivot = row[i];
        for (size_t j = 0; j < i; j++) {
            const lane_t *const other = c->l + triangle_row(j);
            lane_t sum = row[j];
            for (size_t k = 0; k < j; k++)
                sum = lane_fnma(row[k], other[k], sum);
            row[j] = lane_mul(sum, other[j]);
            pivot = lane_fnma(row[j], row[j], pivot);
        }
        /* NaN is not above anything. */
        definite = mask_and(definite, lane_lt(doubt, pivot));
        row[i] = lane_div(lane_set(1), lane_sqrt(pivot));
    }
    return definite;
}

/* x becomes L^-1 S^-1 x. */
static inline void cholesky_forward(const cholesky_t *c, lane_t *x) {
    for (size_t i = 0; i < c->n; i++) {
        const lane_t *const row = c->l + triangle_row(i);
        lane_t sum = lane_mul(x[i], c->inverse_scale[i]);
        for (size_t j = 0; j < i; j++)
            sum = lane_fnma(row[j], x[j], sum);
        x[i] = lane_mul(sum, row[i]);
    }
}

/* x becomes S^-1 L^-T x; so that both together solve M x = b. */
static inline void cholesky_backward(const cholesky_t *c, lane_t *x) {
    for (size_t i = c->n; i-- > 0;) {
        lane_t sum = x[i];
        for (size_t j = i + 1; j < c->n; j++)
            sum = lane_fnma(c->l[triangle_row(j) + i], x[j], sum);
        x[i] = lane_mul(sum, c->l[triangle_row(i) + i]);
    }
    for (size_t i = 0; i < c->n; i++)
        x[i] = lane_mul(x[i], c->inverse_scale[i]);
}

#endif
