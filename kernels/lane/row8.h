/*
 * Rows of eight numbers, a row for each lane, as columns and back. For lanes of one register;
 * lane.h has rows of four.
 *
 * Rows are loaded whole and turned into columns in registers: 40 instructions for 16 rows of eight
 * in f32, where gathering instructions take 8 times 17 cycles.
 */
#ifndef IMPINGE_KERNELS_LANE_ROW8_H
#define IMPINGE_KERNELS_LANE_ROW8_H

#include "lane.h"

#if REGISTERS_PER_LANES != 1
#error "lane/row8.h is for lanes of one register"
#endif

#if defined IMPINGE_TARGET_AVX512 && IMPINGE_REAL_BITS == 32

/* Two rows of eight. */
static inline reg_t reg_row_pair(const real_t *lower, const real_t *upper) {
    const __m512d first = _mm512_castps_pd(_mm512_castps256_ps512(_mm256_loadu_ps(lower)));
    return _mm512_castpd_ps(_mm512_insertf64x4(first, _mm256_castps_pd(_mm256_loadu_ps(upper)), 1));
}

static inline void reg_to_row_pair(real_t *lower, real_t *upper, reg_t a) {
    _mm256_storeu_ps(lower, _mm512_castps512_ps256(a));
    _mm256_storeu_ps(upper, _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(a), 1)));
}

/* Selects quarters of two registers: the even ones of both, or the odd ones. */
#define EVEN_QUARTERS 0x88
#define ODD_QUARTERS  0xdd

/* Columns of 16 rows: k and k + 4 in the first four registers, k + 8 and k + 12 in the others. */
static inline void reg_pairs_to_columns(const reg_t pairs[8], lanes_t x[8]) {
    reg_t first[4], last[4];
    reg_transpose4(pairs, first);
    reg_transpose4(pairs + 4, last);
    for (int k = 0; k < 4; k++) {
        x[k].lo = _mm512_shuffle_f32x4(first[k], last[k], EVEN_QUARTERS);
        x[k + 4].lo = _mm512_shuffle_f32x4(first[k], last[k], ODD_QUARTERS);
    }
}

static inline void reg_gather_row8(const real_t *a, size_t stride, const uint32_t *i,
                                   lanes_t x[8]) {
    reg_t pairs[8];
    for (int k = 0; k < 4; k++) {
        pairs[k] = reg_row_pair(a + i[k] * stride, a + i[k + 4] * stride);
        pairs[k + 4] = reg_row_pair(a + i[k + 8] * stride, a + i[k + 12] * stride);
    }
    reg_pairs_to_columns(pairs, x);
}

static inline void lane_scatter_row8(real_t *to, const uint32_t *i, const lanes_t x[8]) {
    /* Joins columns k and k + 4, quarter by quarter, within each half. */
    const __m512i lower = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    const __m512i upper = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    reg_t first[4], last[4], rows[8];
    for (int k = 0; k < 4; k++) {
        const __m512d low = _mm512_castps_pd(x[k].lo);
        const __m512d high = _mm512_castps_pd(x[k + 4].lo);
        first[k] = _mm512_castpd_ps(_mm512_permutex2var_pd(low, lower, high));
        last[k] = _mm512_castpd_ps(_mm512_permutex2var_pd(low, upper, high));
    }
    reg_transpose4(first, rows);
    reg_transpose4(last, rows + 4);
    for (int k = 0; k < 4; k++) {
        reg_to_row_pair(to + i[k], to + i[k + 4], rows[k]);
        reg_to_row_pair(to + i[k + 8], to + i[k + 12], rows[k + 4]);
    }
}

#elif defined IMPINGE_TARGET_AVX512

/* Selects pairs of numbers from two registers: the even quarters, or the odd ones. */
#define EVEN_QUARTERS 0x88
#define ODD_QUARTERS  0xdd

/* Eight rows of eight to columns, or back. */
static inline void reg_transpose8(const reg_t x[8], reg_t y[8]) {
    reg_t pairs[8], quads[8];
    for (int k = 0; k < 8; k += 2) {
        pairs[k] = _mm512_unpacklo_pd(x[k], x[k + 1]);     /* columns 0, 2, 4, 6 */
        pairs[k + 1] = _mm512_unpackhi_pd(x[k], x[k + 1]); /* columns 1, 3, 5, 7 */
    }
    for (int k = 0; k < 2; k++) {
        quads[k] = _mm512_shuffle_f64x2(pairs[k], pairs[k + 2], EVEN_QUARTERS);
        quads[k + 2] = _mm512_shuffle_f64x2(pairs[k], pairs[k + 2], ODD_QUARTERS);
        quads[k + 4] = _mm512_shuffle_f64x2(pairs[k + 4], pairs[k + 6], EVEN_QUARTERS);
        quads[k + 6] = _mm512_shuffle_f64x2(pairs[k + 4], pairs[k + 6], ODD_QUARTERS);
    }
    for (int k = 0; k < 4; k++) {
        y[k] = _mm512_shuffle_f64x2(quads[k], quads[k + 4], EVEN_QUARTERS);
        y[k + 4] = _mm512_shuffle_f64x2(quads[k], quads[k + 4], ODD_QUARTERS);
    }
}

static inline void reg_rows8_to_columns(const reg_t rows[8], lanes_t x[8]) {
    reg_t columns[8];
    reg_transpose8(rows, columns);
    for (int k = 0; k < 8; k++)
        x[k].lo = columns[k];
}

static inline void reg_gather_row8(const real_t *a, size_t stride, const uint32_t *i,
                                   lanes_t x[8]) {
    reg_t rows[8];
    for (int k = 0; k < 8; k++)
        rows[k] = _mm512_loadu_pd(a + i[k] * stride);
    reg_rows8_to_columns(rows, x);
}

static inline void lane_scatter_row8(real_t *to, const uint32_t *i, const lanes_t x[8]) {
    reg_t rows[8], columns[8];
    for (int k = 0; k < 8; k++)
        columns[k] = x[k].lo;
    reg_transpose8(columns, rows);
    for (int k = 0; k < 8; k++)
        _mm512_storeu_pd(to + i[k], rows[k]);
}

#elif defined IMPINGE_TARGET_AVX2 && IMPINGE_REAL_BITS == 32

/* Selects halves of two registers: the lower ones, or the upper ones. */
#define LOWER_HALVES 0x20
#define UPPER_HALVES 0x31

static inline void reg_rows8_to_columns(const reg_t rows[8], lanes_t x[8]) {
    reg_t first[4], last[4];
    reg_transpose4(rows, first);
    reg_transpose4(rows + 4, last);
    for (int k = 0; k < 4; k++) {
        x[k].lo = _mm256_permute2f128_ps(first[k], last[k], LOWER_HALVES);
        x[k + 4].lo = _mm256_permute2f128_ps(first[k], last[k], UPPER_HALVES);
    }
}

static inline void reg_gather_row8(const real_t *a, size_t stride, const uint32_t *i,
                                   lanes_t x[8]) {
    reg_t rows[8];
    for (int k = 0; k < 8; k++)
        rows[k] = _mm256_loadu_ps(a + i[k] * stride);
    reg_rows8_to_columns(rows, x);
}

static inline void lane_scatter_row8(real_t *to, const uint32_t *i, const lanes_t x[8]) {
    reg_t first[4], last[4], rows[8];
    for (int k = 0; k < 4; k++) {
        first[k] = _mm256_permute2f128_ps(x[k].lo, x[k + 4].lo, LOWER_HALVES);
        last[k] = _mm256_permute2f128_ps(x[k].lo, x[k + 4].lo, UPPER_HALVES);
    }
    reg_transpose4(first, rows);
    reg_transpose4(last, rows + 4);
    for (int k = 0; k < 8; k++)
        _mm256_storeu_ps(to + i[k], rows[k]);
}

#else

static inline void reg_gather_row8(const real_t *a, size_t stride, const uint32_t *i,
                                   lanes_t x[8]) {
    lane_gather4(a, stride, i, x);
    lane_gather4(a + 4, stride, i, x + 4);
}

static inline void lane_scatter_row8(real_t *to, const uint32_t *i, const lanes_t x[8]) {
    lane_scatter4(to, i, x);
    lane_scatter4(to + 4, i, x + 4);
}

#endif

/* `i` has the number at which each lane's row begins. */
static inline void lane_gather_row8(const real_t *a, const uint32_t *i, lanes_t x[8]) {
    reg_gather_row8(a, 1, i, x);
}

/* `i` has each lane's row, the rows being one after the other. */
static inline void lane_gather_rows8(const real_t *a, const uint32_t *i, lanes_t x[8]) {
    reg_gather_row8(a, 8, i, x);
}

/* Rows one after the other: columns to rows, and back. */
static inline void lane_store_rows8(real_t *to, const lanes_t x[8]) {
    uint32_t i[LANES];
    for (uint32_t k = 0; k < LANES; k++)
        i[k] = 8 * k;
    lane_scatter_row8(to, i, x);
}
static inline void lane_load_rows8(const real_t *a, lanes_t x[8]) {
    uint32_t i[LANES];
    for (uint32_t k = 0; k < LANES; k++)
        i[k] = 8 * k;
    lane_gather_row8(a, i, x);
}

#endif
