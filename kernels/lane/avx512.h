/* AVX-512 F, DQ, BW, VL, with FMA: 16 contacts in f32, 8 in f64 per register. */
#ifndef IMPINGE_KERNELS_LANE_AVX512_H
#define IMPINGE_KERNELS_LANE_AVX512_H

#if !defined(__AVX512F__) || !defined(__AVX512DQ__) || !defined(__AVX512BW__) ||                   \
    !defined(__AVX512VL__) || !defined(__FMA__)
#error "lane/avx512.h needs -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma"
#endif

#include <immintrin.h>

#include "../real.h"
#include "x86_row4.h"

#define LANE_TARGET avx512

/* Words stay 32 bits wide in f64 too: a mask counts lanes, not bits, so that either kind fits. */
#if IMPINGE_REAL_BITS == 32
#define REGISTER_WIDTH     16
#define V(op)              _mm512_##op##_ps
#define COMPARE(a, b, how) _mm512_cmp_ps_mask(a, b, how)
#define WORD(op)           _mm512_##op
#define WORD_SI(op)        _mm512_##op##_si512
typedef __m512 reg_t;
typedef __mmask16 reg_mask_t;
typedef __m512i reg_word_t;
#else
#define REGISTER_WIDTH     8
#define V(op)              _mm512_##op##_pd
#define COMPARE(a, b, how) _mm512_cmp_pd_mask(a, b, how)
#define WORD(op)           _mm256_##op
#define WORD_SI(op)        _mm256_##op##_si256
typedef __m512d reg_t;
typedef __mmask8 reg_mask_t;
typedef __m256i reg_word_t;
#endif
/* As with AVX2: one chain of dependent operations hides the latency of the other. */
#ifndef REGISTERS_PER_LANES
#define REGISTERS_PER_LANES 2
#endif

static inline reg_t reg_set(real_t a) { return V(set1)(a); }
static inline reg_t reg_load(const real_t *a) { return V(loadu)(a); }
static inline void reg_store(real_t *to, reg_t a) { V(storeu)(to, a); }

static inline reg_mask_t reg_first(size_t count) {
    return (reg_mask_t)((1u << (count < REGISTER_WIDTH ? count : REGISTER_WIDTH)) - 1);
}
/* By a mask, as with AVX2. */
static inline reg_t reg_load_first(const real_t *a, size_t count) {
    return V(maskz_loadu)(reg_first(count), a);
}
static inline void reg_store_first(real_t *to, reg_t a, size_t count) {
    V(mask_storeu)(to, reg_first(count), a);
}

/* `count` lanes from `from` on, each to its place. */
static inline reg_mask_t reg_between(size_t from, size_t count) {
    return (reg_mask_t)(reg_first(count) << from);
}
static inline void reg_store_between(real_t *to, reg_t a, size_t from, size_t count) {
    V(mask_storeu)(to, reg_between(from, count), a);
}

/*
 * A register fills a cache line. The store bypasses the caches, to an address at which a line
 * begins.
 */
#define REGISTER_IS_LINE 1
static inline void reg_stream(real_t *to, reg_t a) { V(stream)(to, a); }
static inline void reg_stream_end(void) { _mm_sfence(); }
/* Loads one by one, as with AVX2. */
static inline reg_t reg_gather(const real_t *a, const uint32_t *i) {
#if IMPINGE_REAL_BITS == 32
    return _mm512_setr_ps(a[i[0]], a[i[1]], a[i[2]], a[i[3]], a[i[4]], a[i[5]], a[i[6]], a[i[7]],
                          a[i[8]], a[i[9]], a[i[10]], a[i[11]], a[i[12]], a[i[13]], a[i[14]],
                          a[i[15]]);
#else
    return _mm512_setr_pd(a[i[0]], a[i[1]], a[i[2]], a[i[3]], a[i[4]], a[i[5]], a[i[6]], a[i[7]]);
#endif
}

/* Rows of four numbers, turned into columns within each quarter of a register, or across them. */
#if IMPINGE_REAL_BITS == 32

/* Rows 0, 4, 8 and 12 in one register, 1, 5, 9 and 13 in the next, ..., to columns; and back. */
static inline void reg_transpose4(const reg_t x[4], reg_t y[4]) {
    const __m512d first01 = _mm512_castps_pd(_mm512_unpacklo_ps(x[0], x[1]));
    const __m512d first23 = _mm512_castps_pd(_mm512_unpacklo_ps(x[2], x[3]));
    const __m512d last01 = _mm512_castps_pd(_mm512_unpackhi_ps(x[0], x[1]));
    const __m512d last23 = _mm512_castps_pd(_mm512_unpackhi_ps(x[2], x[3]));
    y[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(first01, first23));
    y[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(first01, first23));
    y[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(last01, last23));
    y[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(last01, last23));
}

static inline void reg_gather4(const real_t *a, size_t stride, const uint32_t *i, reg_t x[4]) {
    reg_t rows[4];
    for (int k = 0; k < 4; k++) {
        rows[k] = _mm512_castps128_ps512(_mm_loadu_ps(a + i[k] * stride));
        rows[k] = _mm512_insertf32x4(rows[k], _mm_loadu_ps(a + i[k + 4] * stride), 1);
        rows[k] = _mm512_insertf32x4(rows[k], _mm_loadu_ps(a + i[k + 8] * stride), 2);
        rows[k] = _mm512_insertf32x4(rows[k], _mm_loadu_ps(a + i[k + 12] * stride), 3);
    }
    reg_transpose4(rows, x);
}

static inline void reg_store4(real_t *to, size_t stride, const reg_t x[4]) {
    reg_t rows[4];
    reg_transpose4(x, rows);
    for (size_t k = 0; k < 4; k++) {
        _mm_storeu_ps(to + k * stride, _mm512_castps512_ps128(rows[k]));
        _mm_storeu_ps(to + (k + 4) * stride, _mm512_extractf32x4_ps(rows[k], 1));
        _mm_storeu_ps(to + (k + 8) * stride, _mm512_extractf32x4_ps(rows[k], 2));
        _mm_storeu_ps(to + (k + 12) * stride, _mm512_extractf32x4_ps(rows[k], 3));
    }
}

static inline void reg_scatter4(real_t *to, const uint32_t *i, const reg_t x[4]) {
    reg_t rows[4];
    reg_transpose4(x, rows);
    for (size_t k = 0; k < 4; k++) {
        _mm_storeu_ps(to + i[k], _mm512_castps512_ps128(rows[k]));
        _mm_storeu_ps(to + i[k + 4], _mm512_extractf32x4_ps(rows[k], 1));
        _mm_storeu_ps(to + i[k + 8], _mm512_extractf32x4_ps(rows[k], 2));
        _mm_storeu_ps(to + i[k + 12], _mm512_extractf32x4_ps(rows[k], 3));
    }
}

static inline reg_t reg_from_word(__m512i a) { return _mm512_castsi512_ps(a); }
static inline __m512i reg_to_word(reg_t a) { return _mm512_castps_si512(a); }

#else

/* Rows 0 and 4, 1 and 5, ... in one register each, to columns; and back. */
static inline void reg_transpose4(const reg_t x[4], reg_t y[4]) {
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

static inline void reg_gather4(const real_t *a, size_t stride, const uint32_t *i, reg_t x[4]) {
    reg_t rows[4];
    for (int k = 0; k < 4; k++) {
        rows[k] = _mm512_castpd256_pd512(_mm256_loadu_pd(a + i[k] * stride));
        rows[k] = _mm512_insertf64x4(rows[k], _mm256_loadu_pd(a + i[k + 4] * stride), 1);
    }
    reg_transpose4(rows, x);
}

static inline void reg_store4(real_t *to, size_t stride, const reg_t x[4]) {
    reg_t rows[4];
    reg_transpose4(x, rows);
    for (size_t k = 0; k < 4; k++) {
        _mm256_storeu_pd(to + k * stride, _mm512_castpd512_pd256(rows[k]));
        _mm256_storeu_pd(to + (k + 4) * stride, _mm512_extractf64x4_pd(rows[k], 1));
    }
}

static inline void reg_scatter4(real_t *to, const uint32_t *i, const reg_t x[4]) {
    reg_t rows[4];
    reg_transpose4(x, rows);
    for (size_t k = 0; k < 4; k++) {
        _mm256_storeu_pd(to + i[k], _mm512_castpd512_pd256(rows[k]));
        _mm256_storeu_pd(to + i[k + 4], _mm512_extractf64x4_pd(rows[k], 1));
    }
}

static inline reg_t reg_from_word(__m256i a) {
    return _mm512_castsi512_pd(_mm512_cvtepu32_epi64(a));
}
static inline __m256i reg_to_word(reg_t a) { return _mm512_cvtepi64_epi32(_mm512_castpd_si512(a)); }

#endif

#include "x86_arithmetic.h"

#ifdef IMPINGE_HAVE_SLEEF
#if IMPINGE_REAL_BITS == 32
__m512 Sleef_finz_powf16_u10avx512f(__m512 a, __m512 b);
static inline reg_t reg_pow(reg_t a, reg_t b) { return Sleef_finz_powf16_u10avx512f(a, b); }
#else
__m512d Sleef_finz_powd8_u10avx512f(__m512d a, __m512d b);
static inline reg_t reg_pow(reg_t a, reg_t b) { return Sleef_finz_powd8_u10avx512f(a, b); }
#endif
#endif

static inline reg_mask_t reg_lt(reg_t a, reg_t b) { return COMPARE(a, b, _CMP_LT_OQ); }
static inline reg_mask_t reg_le(reg_t a, reg_t b) { return COMPARE(a, b, _CMP_LE_OQ); }
static inline reg_mask_t reg_eq(reg_t a, reg_t b) { return COMPARE(a, b, _CMP_EQ_OQ); }
static inline reg_t reg_select(reg_mask_t m, reg_t a, reg_t b) { return V(mask_blend)(m, b, a); }

static inline reg_mask_t reg_mask_and(reg_mask_t a, reg_mask_t b) { return (reg_mask_t)(a & b); }
static inline reg_mask_t reg_mask_or(reg_mask_t a, reg_mask_t b) { return (reg_mask_t)(a | b); }
static inline reg_mask_t reg_mask_andnot(reg_mask_t a, reg_mask_t b) {
    return (reg_mask_t)(a & ~b);
}
static inline uint32_t reg_mask_bits(reg_mask_t a) { return a; }

#if IMPINGE_REAL_BITS == 32

static inline reg_t reg_log2_coarse(reg_t a) {
    const reg_t bits = _mm512_cvtepi32_ps(_mm512_castps_si512(a));
    return reg_fma(bits, reg_set(0x1p-23f), reg_set(-127.0f));
}

static inline reg_t reg_exp2_coarse(reg_t a) {
    const reg_t bits = reg_mul(reg_add(a, reg_set(127.0f)), reg_set(0x1p23f));
    return _mm512_castsi512_ps(_mm512_cvttps_epi32(bits));
}

#else

static inline reg_t reg_log2_coarse(reg_t a) {
    const reg_t upper = _mm512_cvtepi64_pd(_mm512_srli_epi64(_mm512_castpd_si512(a), 32));
    return reg_fma(upper, reg_set(0x1p-20), reg_set(-1023.0));
}

static inline reg_t reg_exp2_coarse(reg_t a) {
    const reg_t sum = reg_fma(reg_add(a, reg_set(1023.0)), reg_set(0x1p20), reg_set(0x1p52));
    return _mm512_castsi512_pd(_mm512_slli_epi64(_mm512_castpd_si512(sum), 32));
}

#endif

static inline reg_word_t reg_word_load(const uint32_t *a) {
    return WORD_SI(loadu)((const void *)a);
}
static inline void reg_word_store(uint32_t *to, reg_word_t a) { WORD_SI(storeu)((void *)to, a); }
static inline void reg_word_store_between(uint32_t *to, reg_word_t a, size_t from, size_t count) {
    WORD(mask_storeu_epi32)((void *)to, reg_between(from, count), a);
}
/* In f64 the words are half a line, so streaming them gains nothing. */
static inline void reg_word_stream(uint32_t *to, reg_word_t a) {
#if IMPINGE_REAL_BITS == 32
    _mm512_stream_si512((void *)to, a);
#else
    reg_word_store(to, a);
#endif
}
static inline reg_word_t reg_word_set(uint32_t a) { return WORD(set1_epi32)((int)a); }
static inline reg_word_t reg_word_or(reg_word_t a, reg_word_t b) { return WORD_SI(or)(a, b); }

static inline reg_word_t reg_word_where(reg_mask_t m, uint32_t bits) {
    return WORD(maskz_set1_epi32)(m, (int)bits);
}

static inline reg_word_t reg_word_select(reg_mask_t m, reg_word_t a, reg_word_t b) {
    return WORD(mask_blend_epi32)(m, b, a);
}

static inline reg_word_t reg_word_add(reg_word_t a, uint32_t b) {
    return WORD(add_epi32)(a, WORD(set1_epi32)((int)b));
}

static inline reg_word_t reg_word_and(reg_word_t a, uint32_t bits) {
    return WORD_SI(and)(a, WORD(set1_epi32)((int)bits));
}

static inline reg_mask_t reg_word_has(reg_word_t a, uint32_t bits) {
    return WORD(test_epi32_mask)(a, WORD(set1_epi32)((int)bits));
}

typedef reg_mask_t reg_packing_t;
static inline reg_packing_t reg_packing(reg_mask_t m) { return m; }
static inline reg_t reg_pack(reg_packing_t p, reg_t a) { return V(maskz_compress)(p, a); }
static inline reg_word_t reg_word_pack(reg_packing_t p, reg_word_t a) {
    return WORD(maskz_compress_epi32)(p, a);
}

#undef V
#undef COMPARE
#undef WORD
#undef WORD_SI
#endif
