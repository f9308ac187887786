/*
 * Cholesky's factor of symmetric matrices in lanes, M = L L^T.
 *
 * It needs no scaling: |L_ij| is at most the root of M_ii, and in solving no intermediate number
 * exceeds its share of the result, so that coordinates may have any units. A change of units by
 * powers of two keeps the bits.
 */
#ifndef IMPINGE_KERNELS_CHOLESKY_H
#define IMPINGE_KERNELS_CHOLESKY_H

#include <impinge/mechanisms.h>

#include "contacts.h"

#define TRIANGLE(n) ((n) * ((n) + 1) / 2)

/* Index of the first element of row i of a lower triangle. */
static inline size_t triangle_row(size_t i) { return TRIANGLE(i); }

typedef struct cholesky {
    size_t n;
    lanes_t *l; /* TRIANGLE(n): M, and then L with 1 / L_ii on its diagonal */
} cholesky_t;

/*
 * The rows and columns that are computed at once: eight sums, for whose next terms six numbers are
 * read (docs/speed-closed-forms.md). Each sum has its terms in the order of the columns. Loops over
 * a tile have constant bounds, with a condition for its triangles: compilers then unroll them
 * before they decide what to keep in registers.
 */
enum { TILE_ROWS = 4, TILE_COLUMNS = 2 };

/* LANES matrices or rows as the caller has them: element k begins at from[k * stride]. */
typedef struct elements {
    const real_t *from;
    size_t stride, i, count;
} elements_t;

/*
 * Element j of the caller's row that begins at element `first`; or, if `of` is null, of `row`
 * itself.
 */
INLINE lanes_t element_of(const elements_t *of, size_t first, const lanes_t *row, size_t j) {
    return of ? load_lanes(of->from + (first + j) * of->stride, of->i, of->count) : row[j];
}

/* Columns j to j + columns - 1 of a tile of rows, of which all columns before j are known. */
INLINE void cholesky_tile(const cholesky_t *c, size_t rows, size_t columns, lanes_t *const *row,
                          const elements_t *of, const size_t *first, size_t j) {
    lanes_t x[TILE_ROWS][TILE_COLUMNS];
    const lanes_t *by[TILE_COLUMNS];
    for (size_t s = 0; s < columns; s++)
        by[s] = c->l + triangle_row(j + s);
    for (size_t r = 0; r < rows; r++)
        for (size_t s = 0; s < columns; s++)
            x[r][s] = element_of(of, of ? first[r] : 0, row[r], j + s);
    for (size_t k = 0; k < j; k++)
        for (size_t r = 0; r < rows; r++)
            for (size_t s = 0; s < columns; s++)
                x[r][s] = lane_fnma(row[r][k], by[s][k], x[r][s]);
    for (size_t s = 0; s < columns; s++)
        for (size_t r = 0; r < rows; r++) {
            for (size_t k = 0; k < columns; k++)
                if (k < s) x[r][s] = lane_fnma(x[r][k], by[s][j + k], x[r][s]);
            x[r][s] = lane_mul(x[r][s], by[s][j + s]);
            row[r][j + s] = x[r][s];
        }
}

/* All columns before `end` of a tile of rows. */
INLINE void cholesky_columns(const cholesky_t *c, size_t rows, lanes_t *const *row,
                             const elements_t *of, const size_t *first, size_t end) {
    size_t j = 0;
    for (; j + TILE_COLUMNS <= end; j += TILE_COLUMNS)
        cholesky_tile(c, rows, TILE_COLUMNS, row, of, first, j);
    for (; j < end; j++)
        cholesky_tile(c, rows, 1, row, of, first, j);
}

INLINE mask_t cholesky_diagonal(size_t rows, lanes_t *const *row, const elements_t *of,
                                const size_t *first, size_t i, size_t units) {
    lanes_t x[TILE_ROWS][TILE_ROWS], least[TILE_ROWS];
    mask_t definite = mask_all();
    for (size_t r = 0; r < rows; r++) {
        for (size_t s = 0; s < rows; s++)
            if (s <= r) x[r][s] = element_of(of, of ? first[r] : 0, row[r], i + s);
        const real_t doubt = (real_t)(2 * (units + i + r + 1)) * REAL_UNIT;
        least[r] = lane_max(lane_mul(x[r][r], lane_set(doubt)), lane_zero());
    }
    for (size_t k = 0; k < i; k++)
        for (size_t r = 0; r < rows; r++)
            for (size_t s = 0; s < rows; s++)
                if (s <= r) x[r][s] = lane_fnma(row[r][k], row[s][k], x[r][s]);
    for (size_t s = 0; s < rows; s++) {
        /* No comparison with NaN is true. */
        definite = mask_and(definite, lane_lt(least[s], x[s][s]));
        x[s][s] = lane_div(lane_set(1), lane_sqrt(x[s][s]));
        for (size_t r = 0; r < rows; r++) {
            if (r > s) x[r][s] = lane_mul(x[r][s], x[s][s]);
            for (size_t t = 0; t < rows; t++)
                if (s < t && t <= r) x[r][t] = lane_fnma(x[r][s], x[t][s], x[r][t]);
        }
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t s = 0; s < rows; s++)
            if (s <= r) row[r][i + s] = x[r][s];
    return definite;
}

/* Rows i to i + rows - 1. */
INLINE mask_t cholesky_rows(const cholesky_t *c, size_t rows, const elements_t *of, size_t i,
                            size_t units) {
    lanes_t *row[TILE_ROWS];
    size_t first[TILE_ROWS];
    for (size_t r = 0; r < rows; r++) {
        first[r] = triangle_row(i + r);
        row[r] = c->l + first[r];
    }
    cholesky_columns(c, rows, row, of, first, i);
    return cholesky_diagonal(rows, row, of, first, i, units);
}

/*
 * Factorizes `of`, or in place if it is null. Returns the lanes in which the matrix is positive
 * definite: each pivot i is at least twice its own uncertainty. Rounding contributes i + 1 units of
 * M_ii (Higham, "Accuracy and Stability", theorem 10.3), and errors of the elements contribute
 * `units` more. In other lanes L is undefined.
 *
 * What small pivots before it pass on to a pivot is not counted: that would take L^-1, as much work
 * as L. L L^T is M to n + 3 units of sqrt(M_ii M_jj), those of the theorem and three of a root, a
 * division and a product, so that M is definite or not, whatever rounding does, if the least
 * eigenvalue of M_ij / sqrt(M_ii M_jj) is beyond n (n + 5) units: n (n + 3) of the matrix of those
 * errors, and 2 n of the test.
 */
INLINE mask_t cholesky_factor(const cholesky_t *c, const elements_t *of, size_t units) {
    mask_t definite = mask_all();
    size_t i = 0;
    for (; i + TILE_ROWS <= c->n; i += TILE_ROWS)
        definite = mask_and(definite, cholesky_rows(c, TILE_ROWS, of, i, units));
    switch (c->n - i) {
    case 3:
        return mask_and(definite, cholesky_rows(c, 3, of, i, units));
    case 2:
        return mask_and(definite, cholesky_rows(c, 2, of, i, units));
    case 1:
        return mask_and(definite, cholesky_rows(c, 1, of, i, units));
    default:
        return definite;
    }
}

/* Each of so many rows x becomes L^-1 x. */
INLINE void cholesky_forward(const cholesky_t *c, size_t rows, lanes_t *const *x) {
    cholesky_columns(c, rows, x, NULL, NULL, c->n);
}

/*
 * Elements i to i + columns - 1 of L^-T x; those after them are known. The last one, for which the
 * next tile waits, is the last term of each sum.
 */
INLINE void cholesky_backward_tile(const cholesky_t *c, size_t columns, lanes_t *x, size_t i) {
    lanes_t sum[TILE_ROWS];
    for (size_t s = 0; s < columns; s++)
        sum[s] = x[i + s];
    for (size_t j = c->n; j-- > i + columns;)
        for (size_t s = 0; s < columns; s++)
            sum[s] = lane_fnma(c->l[triangle_row(j) + i + s], x[j], sum[s]);
    for (size_t t = columns; t-- > 0;) {
        const lanes_t *const row = c->l + triangle_row(i + t) + i;
        sum[t] = lane_mul(sum[t], row[t]);
        for (size_t s = 0; s < columns; s++)
            if (s < t) sum[s] = lane_fnma(row[s], sum[t], sum[s]);
        x[i + t] = sum[t];
    }
}

/* x becomes L^-T x; so that both together solve M x = b. */
INLINE void cholesky_backward(const cholesky_t *c, lanes_t *x) {
    size_t i = c->n - c->n % TILE_ROWS;
    if (c->n % TILE_ROWS == 3) cholesky_backward_tile(c, 3, x, i);
    if (c->n % TILE_ROWS == 2) cholesky_backward_tile(c, 2, x, i);
    if (c->n % TILE_ROWS == 1) cholesky_backward_tile(c, 1, x, i);
    while (i > 0)
        cholesky_backward_tile(c, TILE_ROWS, x, i -= TILE_ROWS);
}

#endif
