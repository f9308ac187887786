/*
 * Two rows for each lane, of a contact's two particles, as columns of what lies between them: each
 * fourth number is added, and the others of the second row are taken from those of the first. Rows
 * are subtracted whole before they are turned into columns, which takes half of the permutations of
 * turning both.
 *
 * x - y is computed as -1 y + x, which rounds once: the same bits.
 */
#ifndef IMPINGE_KERNELS_LANE_ROW_PAIRS_H
#define IMPINGE_KERNELS_LANE_ROW_PAIRS_H

#include "row8.h"

#if (defined IMPINGE_TARGET_AVX2 || defined IMPINGE_TARGET_AVX512) && IMPINGE_REAL_BITS == 32

/* The bits of all rows that were read, combined by or. */
typedef struct row_signs {
    __m256 all;
} row_signs_t;

static inline row_signs_t no_row_signs(void) { return (row_signs_t){_mm256_setzero_ps()}; }

/* Whether a fourth number had a sign. */
static inline bool has_row_sign(row_signs_t s) { return (_mm256_movemask_ps(s.all) & 0x88) != 0; }

static inline __m256 between(__m256 a, __m256 b, row_signs_t *s) {
    const __m256 sign = _mm256_setr_ps(-1, -1, -1, 1, -1, -1, -1, 1);
    s->all = _mm256_or_ps(s->all, _mm256_or_ps(a, b));
    return _mm256_fmadd_ps(b, sign, a);
}

static inline __m256 sum(__m256 a, __m256 b, row_signs_t *s) {
    s->all = _mm256_or_ps(s->all, _mm256_or_ps(a, b));
    return _mm256_add_ps(a, b);
}

/* Two rows of four. */
static inline __m256 two_rows4(const real_t *lower, const real_t *upper) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(lower)), _mm_loadu_ps(upper),
                                1);
}
#ifdef IMPINGE_TARGET_AVX2

static inline void row8_columns(const __m256 rows[8], lanes_t x[8]) {
    reg_rows8_to_columns(rows, x);
}

/* Rows k and k + 4. */
static inline void row4_columns(const __m256 rows[4], lanes_t x[4]) {
    reg_t columns[4];
    reg_transpose4(rows, columns);
    for (int k = 0; k < 4; k++)
        x[k].lo = columns[k];
}

#else

static inline __m512 two_rows8(__m256 lower, __m256 upper) {
    const __m512d first = _mm512_castps_pd(_mm512_castps256_ps512(lower));
    return _mm512_castpd_ps(_mm512_insertf64x4(first, _mm256_castps_pd(upper), 1));
}

static inline void row8_columns(const __m256 rows[16], lanes_t x[8]) {
    reg_t pairs[8];
    for (int k = 0; k < 4; k++) {
        pairs[k] = two_rows8(rows[k], rows[k + 4]);
        pairs[k + 4] = two_rows8(rows[k + 8], rows[k + 12]);
    }
    reg_pairs_to_columns(pairs, x);
}

/* Rows k and k + 4 of eight, then of the next eight. */
static inline void row4_columns(const __m256 rows[8], lanes_t x[4]) {
    reg_t four[4], columns[4];
    for (int k = 0; k < 4; k++)
        four[k] = two_rows8(rows[k], rows[k + 4]);
    reg_transpose4(four, columns);
    for (int k = 0; k < 4; k++)
        x[k].lo = columns[k];
}

#endif

static inline void lane_between_rows8(const real_t *a, const uint32_t *i, const uint32_t *j,
                                      lanes_t x[8], row_signs_t *s) {
    __m256 rows[LANES];
    for (size_t k = 0; k < LANES; k++)
        rows[k] = between(_mm256_loadu_ps(a + i[k] * (size_t)8),
                          _mm256_loadu_ps(a + j[k] * (size_t)8), s);
    row8_columns(rows, x);
}

/* The lane of the lower of two rows in one register, the upper one's being four more. */
static inline size_t lower_row(size_t k) { return k / 4 * 8 + k % 4; }

static inline void lane_between_rows4(const real_t *a, size_t stride, const uint32_t *i,
                                      const uint32_t *j, lanes_t x[4], row_signs_t *s) {
    __m256 rows[LANES / 2];
    for (size_t k = 0; k < LANES / 2; k++) {
        const uint32_t *const of_i = i + lower_row(k);
        const uint32_t *const of_j = j + lower_row(k);
        rows[k] = between(two_rows4(a + of_i[0] * stride, a + of_i[4] * stride),
                          two_rows4(a + of_j[0] * stride, a + of_j[4] * stride), s);
    }
    row4_columns(rows, x);
}

static inline void lane_sum_rows4(const real_t *a, const uint32_t *i, const uint32_t *j,
                                  lanes_t x[4], row_signs_t *s) {
    __m256 rows[LANES / 2];
    for (size_t k = 0; k < LANES / 2; k++) {
        const uint32_t *const of_i = i + lower_row(k);
        const uint32_t *const of_j = j + lower_row(k);
        rows[k] = sum(two_rows4(a + of_i[0] * (size_t)4, a + of_i[4] * (size_t)4),
                      two_rows4(a + of_j[0] * (size_t)4, a + of_j[4] * (size_t)4), s);
    }
    row4_columns(rows, x);
}

#elif defined IMPINGE_TARGET_AVX2 || defined IMPINGE_TARGET_AVX512

/* The bits of all rows that were read, combined by or. */
typedef struct row_signs {
    __m256d four;
#ifdef IMPINGE_TARGET_AVX512
    __m512d eight;
#endif
} row_signs_t;

static inline __m256d row4_between(const real_t *a, const real_t *b, row_signs_t *s) {
    const __m256d sign = _mm256_setr_pd(-1, -1, -1, 1);
    const __m256d of_a = _mm256_loadu_pd(a);
    const __m256d of_b = _mm256_loadu_pd(b);
    s->four = _mm256_or_pd(s->four, _mm256_or_pd(of_a, of_b));
    return _mm256_fmadd_pd(of_b, sign, of_a);
}

static inline __m256d row4_sum(const real_t *a, const real_t *b, row_signs_t *s) {
    const __m256d of_a = _mm256_loadu_pd(a);
    const __m256d of_b = _mm256_loadu_pd(b);
    s->four = _mm256_or_pd(s->four, _mm256_or_pd(of_a, of_b));
    return _mm256_add_pd(of_a, of_b);
}

#ifdef IMPINGE_TARGET_AVX2

/* Eight numbers are twice four. */
typedef struct eight {
    __m256d first, last;
} eight_t;

static inline row_signs_t no_row_signs(void) { return (row_signs_t){_mm256_setzero_pd()}; }

static inline bool has_row_sign(row_signs_t s) { return (_mm256_movemask_pd(s.four) & 8) != 0; }

static inline eight_t row8_between(const real_t *a, const real_t *b, row_signs_t *s) {
    return (eight_t){row4_between(a, b, s), row4_between(a + 4, b + 4, s)};
}

static inline void row4_columns(const __m256d rows[4], lanes_t x[4]) {
    reg_t columns[4];
    reg_transpose4(rows, columns);
    for (int k = 0; k < 4; k++)
        x[k].lo = columns[k];
}

static inline void row8_columns(const eight_t rows[4], lanes_t x[8]) {
    const __m256d first[4] = {rows[0].first, rows[1].first, rows[2].first, rows[3].first};
    const __m256d last[4] = {rows[0].last, rows[1].last, rows[2].last, rows[3].last};
    row4_columns(first, x);
    row4_columns(last, x + 4);
}

#else

typedef __m512d eight_t;

static inline row_signs_t no_row_signs(void) {
    return (row_signs_t){_mm256_setzero_pd(), _mm512_setzero_pd()};
}

static inline bool has_row_sign(row_signs_t s) {
    const unsigned eight = _mm512_movepi64_mask(_mm512_castpd_si512(s.eight));
    return ((eight | (unsigned)_mm256_movemask_pd(s.four)) & 0x88) != 0;
}

static inline __m512d row8_between(const real_t *a, const real_t *b, row_signs_t *s) {
    const __m512d sign = _mm512_setr_pd(-1, -1, -1, 1, -1, -1, -1, 1);
    const __m512d of_a = _mm512_loadu_pd(a);
    const __m512d of_b = _mm512_loadu_pd(b);
    s->eight = _mm512_or_pd(s->eight, _mm512_or_pd(of_a, of_b));
    return _mm512_fmadd_pd(of_b, sign, of_a);
}

static inline void row8_columns(const __m512d rows[8], lanes_t x[8]) {
    reg_rows8_to_columns(rows, x);
}

static inline void row4_columns(const __m256d rows[8], lanes_t x[4]) {
    reg_t both[4], columns[4];
    for (int k = 0; k < 4; k++)
        both[k] = _mm512_insertf64x4(_mm512_castpd256_pd512(rows[k]), rows[k + 4], 1);
    reg_transpose4(both, columns);
    for (int k = 0; k < 4; k++)
        x[k].lo = columns[k];
}

#endif

/* Rows of eight one after the other: lane k has what is between rows i_k and j_k. */
static inline void lane_between_rows8(const real_t *a, const uint32_t *i, const uint32_t *j,
                                      lanes_t x[8], row_signs_t *s) {
    eight_t rows[LANES];
    for (size_t k = 0; k < LANES; k++)
        rows[k] = row8_between(a + i[k] * (size_t)8, a + j[k] * (size_t)8, s);
    row8_columns(rows, x);
}

/* The first four numbers of rows `stride` numbers apart. */
static inline void lane_between_rows4(const real_t *a, size_t stride, const uint32_t *i,
                                      const uint32_t *j, lanes_t x[4], row_signs_t *s) {
    __m256d rows[LANES];
    for (size_t k = 0; k < LANES; k++)
        rows[k] = row4_between(a + i[k] * stride, a + j[k] * stride, s);
    row4_columns(rows, x);
}

/* Sums of all four numbers of rows one after the other. */
static inline void lane_sum_rows4(const real_t *a, const uint32_t *i, const uint32_t *j,
                                  lanes_t x[4], row_signs_t *s) {
    __m256d rows[LANES];
    for (size_t k = 0; k < LANES; k++)
        rows[k] = row4_sum(a + i[k] * (size_t)4, a + j[k] * (size_t)4, s);
    row4_columns(rows, x);
}

#else

/* Which lanes read a negative fourth number. */
typedef struct row_signs {
    mask_t negative;
} row_signs_t;

static inline row_signs_t no_row_signs(void) { return (row_signs_t){mask_none()}; }

static inline bool has_row_sign(row_signs_t s) { return mask_any(s.negative); }

static inline void between_columns(const lanes_t a[4], const lanes_t b[4], lanes_t x[4],
                                   row_signs_t *s) {
    const lanes_t zero = lane_zero();
    for (int k = 0; k < 3; k++)
        x[k] = lane_sub(a[k], b[k]);
    x[3] = lane_add(a[3], b[3]);
    s->negative = mask_or(s->negative, mask_or(lane_lt(a[3], zero), lane_lt(b[3], zero)));
}

static inline void lane_between_rows4(const real_t *a, size_t stride, const uint32_t *i,
                                      const uint32_t *j, lanes_t x[4], row_signs_t *s) {
    lanes_t of_a[4], of_b[4];
    lane_gather4(a, stride, i, of_a);
    lane_gather4(a, stride, j, of_b);
    between_columns(of_a, of_b, x, s);
}

static inline void lane_between_rows8(const real_t *a, const uint32_t *i, const uint32_t *j,
                                      lanes_t x[8], row_signs_t *s) {
    lanes_t of_a[8], of_b[8];
    lane_gather_rows8(a, i, of_a);
    lane_gather_rows8(a, j, of_b);
    between_columns(of_a, of_b, x, s);
    between_columns(of_a + 4, of_b + 4, x + 4, s);
}

static inline void lane_sum_rows4(const real_t *a, const uint32_t *i, const uint32_t *j,
                                  lanes_t x[4], row_signs_t *s) {
    const lanes_t zero = lane_zero();
    lanes_t of_a[4], of_b[4];
    lane_gather4(a, 4, i, of_a);
    lane_gather4(a, 4, j, of_b);
    for (int k = 0; k < 4; k++)
        x[k] = lane_add(of_a[k], of_b[k]);
    s->negative = mask_or(s->negative, mask_or(lane_lt(of_a[3], zero), lane_lt(of_b[3], zero)));
}

#endif

#endif
