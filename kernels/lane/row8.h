/*
 * Rows of four and of eight numbers, a row for each lane, as columns and back: `i` has the number
 * at which each lane's row begins. For lanes of one register.
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

/* Transposes within each quarter of four registers; its own inverse. */
static inline void reg_transpose_quarters(const reg_t x[4], reg_t y[4]) {
    const __m512d first01 = _mm512_castps_pd(_mm512_unpacklo_ps(x[0], x[1]));
    const __m512d first23 = _mm512_castps_pd(_mm512_unpacklo_ps(x[2], x[3]));
    const __m512d last01 = _mm512_castps_pd(_mm512_unpackhi_ps(x[0], x[1]));
    const __m512d last23 = _mm512_castps_pd(_mm512_unpackhi_ps(x[2], x[3]));
    y[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(first01, first23));
    y[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(first01, first23));
    y[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(last01, last23));
    y[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(last01, last23));
}

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

static inline void lane_gather_row8(const real_t *a, const uint32_t *i, lanes_t x[8]) {
    reg_t rows[8], first[4], last[4];
    for (int k = 0; k < 4; k++) {
        rows[k] = reg_row_pair(a + i[k], a + i[k + 4]);
        rows[k + 4] = reg_row_pair(a + i[k + 8], a + i[k + 12]);
    }
    reg_transpose_quarters(rows, first);
    reg_transpose_quarters(rows + 4, last);
    for (int k = 0; k < 4; k++) {
        x[k].lo = _mm512_shuffle_f32x4(first[k], last[k], EVEN_QUARTERS);
        x[k + 4].lo = _mm512_shuffle_f32x4(first[k], last[k], ODD_QUARTERS);
    }
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
    reg_transpose_quarters(first, rows);
    reg_transpose_quarters(last, rows + 4);
    for (int k = 0; k < 4; k++) {
        reg_to_row_pair(to + i[k], to + i[k + 4], rows[k]);
        reg_to_row_pair(to + i[k + 8], to + i[k + 12], rows[k + 4]);
    }
}

static inline void lane_gather_row4(const real_t *a, const uint32_t *i, lanes_t x[4]) {
    reg_t rows[4], columns[4];
    for (int k = 0; k < 4; k++) {
        rows[k] = _mm512_castps128_ps512(_mm_loadu_ps(a + i[k]));
        rows[k] = _mm512_insertf32x4(rows[k], _mm_loadu_ps(a + i[k + 4]), 1);
        rows[k] = _mm512_insertf32x4(rows[k], _mm_loadu_ps(a + i[k + 8]), 2);
        rows[k] = _mm512_insertf32x4(rows[k], _mm_loadu_ps(a + i[k + 12]), 3);
    }
    reg_transpose_quarters(rows, columns);
    for (int k = 0; k < 4; k++)
        x[k].lo = columns[k];
}

static inline void lane_scatter_row4(real_t *to, const uint32_t *i, const lanes_t x[4]) {
    const reg_t columns[4] = {x[0].lo, x[1].lo, x[2].lo, x[3].lo};
    reg_t rows[4];
    reg_transpose_quarters(columns, rows);
    for (int k = 0; k < 4; k++) {
        _mm_storeu_ps(to + i[k], _mm512_castps512_ps128(rows[k]));
        _mm_storeu_ps(to + i[k + 4], _mm512_extractf32x4_ps(rows[k], 1));
        _mm_storeu_ps(to + i[k + 8], _mm512_extractf32x4_ps(rows[k], 2));
        _mm_storeu_ps(to + i[k + 12], _mm512_extractf32x4_ps(rows[k], 3));
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

static inline void lane_gather_row8(const real_t *a, const uint32_t *i, lanes_t x[8]) {
    reg_t rows[8], columns[8];
    for (int k = 0; k < 8; k++)
        rows[k] = _mm512_loadu_pd(a + i[k]);
    reg_transpose8(rows, columns);
    for (int k = 0; k < 8; k++)
        x[k].lo = columns[k];
}

static inline void lane_scatter_row8(real_t *to, const uint32_t *i, const lanes_t x[8]) {
    reg_t rows[8], columns[8];
    for (int k = 0; k < 8; k++)
        columns[k] = x[k].lo;
    reg_transpose8(columns, rows);
    for (int k = 0; k < 8; k++)
        _mm512_storeu_pd(to + i[k], rows[k]);
}

/* Four rows in the lower halves and four in the upper ones, to columns; and back. */
static inline void reg_transpose_halves(const reg_t x[4], reg_t y[4]) {
    const __m512i lower = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13); /* quarters 0 and 2 */
    const __m512i upper = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    const reg_t even01 = _mm512_unpacklo_pd(x[0], x[1]);
    const reg_t odd01 = _mm512_unpackhi_pd(x[0], x[1]);
    const reg_t even23 = _mm512_unpacklo_pd(x[2], x[3]);
    const reg_t odd23 = _mm512_unpackhi_pd(x[2], x[3]);
    y[0] = _mm512_permutex2var_pd(even01, lower, even23);
    y[1] = _mm512_permutex2var_pd(odd01, lower, odd23);
    y[2] = _mm512_permutex2var_pd(even01, upper, even23);
    y[3] = _mm512_permutex2var_pd(odd01, upper, odd23);
}

static inline void lane_gather_row4(const real_t *a, const uint32_t *i, lanes_t x[4]) {
    reg_t rows[4], columns[4];
    for (int k = 0; k < 4; k++) {
        rows[k] = _mm512_castpd256_pd512(_mm256_loadu_pd(a + i[k]));
        rows[k] = _mm512_insertf64x4(rows[k], _mm256_loadu_pd(a + i[k + 4]), 1);
    }
    reg_transpose_halves(rows, columns);
    for (int k = 0; k < 4; k++)
        x[k].lo = columns[k];
}

static inline void lane_scatter_row4(real_t *to, const uint32_t *i, const lanes_t x[4]) {
    const reg_t columns[4] = {x[0].lo, x[1].lo, x[2].lo, x[3].lo};
    reg_t rows[4];
    reg_transpose_halves(columns, rows);
    for (int k = 0; k < 4; k++) {
        _mm256_storeu_pd(to + i[k], _mm512_castpd512_pd256(rows[k]));
        _mm256_storeu_pd(to + i[k + 4], _mm512_extractf64x4_pd(rows[k], 1));
    }
}

#elif defined IMPINGE_TARGET_AVX2 && IMPINGE_REAL_BITS == 32

/* Transposes within each half of four registers; its own inverse. */
static inline void reg_transpose_halves(const reg_t x[4], reg_t y[4]) {
    const __m256d first01 = _mm256_castps_pd(_mm256_unpacklo_ps(x[0], x[1]));
    const __m256d first23 = _mm256_castps_pd(_mm256_unpacklo_ps(x[2], x[3]));
    const __m256d last01 = _mm256_castps_pd(_mm256_unpackhi_ps(x[0], x[1]));
    const __m256d last23 = _mm256_castps_pd(_mm256_unpackhi_ps(x[2], x[3]));
    y[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(first01, first23));
    y[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(first01, first23));
    y[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(last01, last23));
    y[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(last01, last23));
}

/* Selects halves of two registers: the lower ones, or the upper ones. */
#define LOWER_HALVES 0x20
#define UPPER_HALVES 0x31

static inline void lane_gather_row8(const real_t *a, const uint32_t *i, lanes_t x[8]) {
    reg_t rows[8], first[4], last[4];
    for (int k = 0; k < 8; k++)
        rows[k] = _mm256_loadu_ps(a + i[k]);
    reg_transpose_halves(rows, first);
    reg_transpose_halves(rows + 4, last);
    for (int k = 0; k < 4; k++) {
        x[k].lo = _mm256_permute2f128_ps(first[k], last[k], LOWER_HALVES);
        x[k + 4].lo = _mm256_permute2f128_ps(first[k], last[k], UPPER_HALVES);
    }
}

static inline void lane_scatter_row8(real_t *to, const uint32_t *i, const lanes_t x[8]) {
    reg_t first[4], last[4], rows[8];
    for (int k = 0; k < 4; k++) {
        first[k] = _mm256_permute2f128_ps(x[k].lo, x[k + 4].lo, LOWER_HALVES);
        last[k] = _mm256_permute2f128_ps(x[k].lo, x[k + 4].lo, UPPER_HALVES);
    }
    reg_transpose_halves(first, rows);
    reg_transpose_halves(last, rows + 4);
    for (int k = 0; k < 8; k++)
        _mm256_storeu_ps(to + i[k], rows[k]);
}

static inline void lane_gather_row4(const real_t *a, const uint32_t *i, lanes_t x[4]) {
    reg_t rows[4], columns[4];
    for (int k = 0; k < 4; k++) {
        rows[k] = _mm256_castps128_ps256(_mm_loadu_ps(a + i[k]));
        rows[k] = _mm256_insertf128_ps(rows[k], _mm_loadu_ps(a + i[k + 4]), 1);
    }
    reg_transpose_halves(rows, columns);
    for (int k = 0; k < 4; k++)
        x[k].lo = columns[k];
}

static inline void lane_scatter_row4(real_t *to, const uint32_t *i, const lanes_t x[4]) {
    const reg_t columns[4] = {x[0].lo, x[1].lo, x[2].lo, x[3].lo};
    reg_t rows[4];
    reg_transpose_halves(columns, rows);
    for (int k = 0; k < 4; k++) {
        _mm_storeu_ps(to + i[k], _mm256_castps256_ps128(rows[k]));
        _mm_storeu_ps(to + i[k + 4], _mm256_extractf128_ps(rows[k], 1));
    }
}

#else

#if defined IMPINGE_TARGET_AVX2

static inline void lane_turn_rows(const lanes_t x[4], lanes_t y[4]) {
    const reg_t even01 = _mm256_unpacklo_pd(x[0].lo, x[1].lo);
    const reg_t odd01 = _mm256_unpackhi_pd(x[0].lo, x[1].lo);
    const reg_t even23 = _mm256_unpacklo_pd(x[2].lo, x[3].lo);
    const reg_t odd23 = _mm256_unpackhi_pd(x[2].lo, x[3].lo);
    y[0].lo = _mm256_permute2f128_pd(even01, even23, 0x20); /* the lower halves of both */
    y[1].lo = _mm256_permute2f128_pd(odd01, odd23, 0x20);
    y[2].lo = _mm256_permute2f128_pd(even01, even23, 0x31); /* the upper ones */
    y[3].lo = _mm256_permute2f128_pd(odd01, odd23, 0x31);
}

static inline void lane_gather_row4(const real_t *a, const uint32_t *i, lanes_t x[4]) {
    const lanes_t rows[4] = {lane_load(a + i[0]), lane_load(a + i[1]), lane_load(a + i[2]),
                             lane_load(a + i[3])};
    lane_turn_rows(rows, x);
}

static inline void lane_scatter_row4(real_t *to, const uint32_t *i, const lanes_t x[4]) {
    lanes_t rows[4];
    lane_turn_rows(x, rows);
    for (int k = 0; k < 4; k++)
        lane_store(to + i[k], rows[k]);
}

#else

/* Number by number. */
static inline void lane_gather_row4(const real_t *a, const uint32_t *i, lanes_t x[4]) {
    for (int k = 0; k < 4; k++)
        x[k] = lane_gather(a + k, i);
}

static inline void lane_scatter_row4(real_t *to, const uint32_t *i, const lanes_t x[4]) {
    real_t columns[4][LANES];
    for (int k = 0; k < 4; k++)
        lane_store(columns[k], x[k]);
    for (size_t j = 0; j < LANES; j++)
        for (size_t k = 0; k < 4; k++)
            to[i[j] + k] = columns[k][j];
}

#endif

static inline void lane_gather_row8(const real_t *a, const uint32_t *i, lanes_t x[8]) {
    lane_gather_row4(a, i, x);
    lane_gather_row4(a + 4, i, x + 4);
}

static inline void lane_scatter_row8(real_t *to, const uint32_t *i, const lanes_t x[8]) {
    lane_scatter_row4(to, i, x);
    lane_scatter_row4(to + 4, i, x + 4);
}

#endif

#endif
