/* AVX2 with FMA: 8 contacts in f32, 4 in f64 per register. */
#ifndef IMPINGE_KERNELS_LANE_AVX2_H
#define IMPINGE_KERNELS_LANE_AVX2_H

#if !defined(__AVX2__) || !defined(__FMA__)
#error "lane/avx2.h needs -mavx2 -mfma"
#endif

#include <immintrin.h>

#include "../real.h"
#include "avx2_packing.h"
#include "x86_row4.h"

#define LANE_TARGET avx2

#if IMPINGE_REAL_BITS == 32
#define REGISTER_WIDTH 8
#define V(op)          _mm256_##op##_ps
#define SUFFIX         "ps"
typedef __m256 reg_t;
#else
#define REGISTER_WIDTH 4
#define V(op)          _mm256_##op##_pd
#define SUFFIX         "pd"
typedef __m256d reg_t;
#endif
/* Two chains of dependent operations side by side hide the latency of either. */
#ifndef REGISTERS_PER_LANES
#define REGISTERS_PER_LANES 2
#endif

typedef reg_t reg_mask_t;
typedef __m256i reg_word_t;

static inline reg_t reg_set(real_t a) { return V(set1)(a); }
static inline reg_t reg_load(const real_t *a) { return V(loadu)(a); }
static inline void reg_store(real_t *to, reg_t a) { V(storeu)(to, a); }

static inline __m256i reg_first(size_t count) {
    const int least = (int)(count < REGISTER_WIDTH ? count : REGISTER_WIDTH);
#if IMPINGE_REAL_BITS == 32
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(least), lane);
#else
    return _mm256_cmpgt_epi64(_mm256_set1_epi64x(least), _mm256_setr_epi64x(0, 1, 2, 3));
#endif
}
/*
 * By a mask. If a part of a register is copied through memory, the load waits until the copy is in
 * the cache, some 15 cycles for each column.
 */
static inline reg_t reg_load_first(const real_t *a, size_t count) {
    return V(maskload)(a, reg_first(count));
}
static inline void reg_store_first(real_t *to, reg_t a, size_t count) {
    V(maskstore)(to, reg_first(count), a);
}
/* Loads one by one: the gathering instructions are no faster, and take 32-bit indices as signed. */
static inline reg_t reg_gather(const real_t *a, const uint32_t *i) {
#if IMPINGE_REAL_BITS == 32
    return _mm256_setr_ps(a[i[0]], a[i[1]], a[i[2]], a[i[3]], a[i[4]], a[i[5]], a[i[6]], a[i[7]]);
#else
    return _mm256_setr_pd(a[i[0]], a[i[1]], a[i[2]], a[i[3]]);
#endif
}

/* Rows of four numbers, turned into columns within each half of a register, or across them. */
#if IMPINGE_REAL_BITS == 32

static inline reg_t reg_rows(const real_t *lower, const real_t *upper) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(lower)), _mm_loadu_ps(upper),
                                1);
}

static inline void reg_to_rows(real_t *lower, real_t *upper, reg_t a) {
    _mm_storeu_ps(lower, _mm256_castps256_ps128(a));
    _mm_storeu_ps(upper, _mm256_extractf128_ps(a, 1));
}

/* Rows 0 and 4, 1 and 5, ... in one register each, to columns; and back. */
static inline void reg_transpose4(const reg_t x[4], reg_t y[4]) {
    const reg_t first01 = _mm256_unpacklo_ps(x[0], x[1]);
    const reg_t first23 = _mm256_unpacklo_ps(x[2], x[3]);
    const reg_t last01 = _mm256_unpackhi_ps(x[0], x[1]);
    const reg_t last23 = _mm256_unpackhi_ps(x[2], x[3]);
    y[0] = _mm256_shuffle_ps(first01, first23, 0x44); /* the lower halves of both */
    y[1] = _mm256_shuffle_ps(first01, first23, 0xee); /* the upper ones */
    y[2] = _mm256_shuffle_ps(last01, last23, 0x44);
    y[3] = _mm256_shuffle_ps(last01, last23, 0xee);
}

static inline void reg_gather4(const real_t *a, size_t stride, const uint32_t *i, reg_t x[4]) {
    reg_t rows[4];
    for (int k = 0; k < 4; k++)
        rows[k] = reg_rows(a + i[k] * stride, a + i[k + 4] * stride);
    reg_transpose4(rows, x);
}

static inline void reg_store4(real_t *to, size_t stride, const reg_t x[4]) {
    reg_t rows[4];
    reg_transpose4(x, rows);
    for (size_t k = 0; k < 4; k++)
        reg_to_rows(to + k * stride, to + (k + 4) * stride, rows[k]);
}

static inline void reg_scatter4(real_t *to, const uint32_t *i, const reg_t x[4]) {
    reg_t rows[4];
    reg_transpose4(x, rows);
    for (size_t k = 0; k < 4; k++)
        reg_to_rows(to + i[k], to + i[k + 4], rows[k]);
}

#else

static inline void reg_transpose4(const reg_t x[4], reg_t y[4]) {
    const reg_t even01 = _mm256_unpacklo_pd(x[0], x[1]);
    const reg_t odd01 = _mm256_unpackhi_pd(x[0], x[1]);
    const reg_t even23 = _mm256_unpacklo_pd(x[2], x[3]);
    const reg_t odd23 = _mm256_unpackhi_pd(x[2], x[3]);
    y[0] = _mm256_permute2f128_pd(even01, even23, 0x20); /* the lower halves of both */
    y[1] = _mm256_permute2f128_pd(odd01, odd23, 0x20);
    y[2] = _mm256_permute2f128_pd(even01, even23, 0x31); /* the upper ones */
    y[3] = _mm256_permute2f128_pd(odd01, odd23, 0x31);
}

static inline void reg_gather4(const real_t *a, size_t stride, const uint32_t *i, reg_t x[4]) {
    const reg_t rows[4] = {reg_load(a + i[0] * stride), reg_load(a + i[1] * stride),
                           reg_load(a + i[2] * stride), reg_load(a + i[3] * stride)};
    reg_transpose4(rows, x);
}

static inline void reg_store4(real_t *to, size_t stride, const reg_t x[4]) {
    reg_t rows[4];
    reg_transpose4(x, rows);
    for (size_t k = 0; k < 4; k++)
        reg_store(to + k * stride, rows[k]);
}

static inline void reg_scatter4(real_t *to, const uint32_t *i, const reg_t x[4]) {
    reg_t rows[4];
    reg_transpose4(x, rows);
    for (size_t k = 0; k < 4; k++)
        reg_store(to + i[k], rows[k]);
}

#endif

#include "x86_arithmetic.h"

#ifdef IMPINGE_HAVE_SLEEF
#if IMPINGE_REAL_BITS == 32
__m256 Sleef_finz_powf8_u10avx2(__m256 a, __m256 b);
static inline reg_t reg_pow(reg_t a, reg_t b) { return Sleef_finz_powf8_u10avx2(a, b); }
#else
__m256d Sleef_finz_powd4_u10avx2(__m256d a, __m256d b);
static inline reg_t reg_pow(reg_t a, reg_t b) { return Sleef_finz_powd4_u10avx2(a, b); }
#endif
#endif

static inline reg_mask_t reg_lt(reg_t a, reg_t b) { return V(cmp)(a, b, _CMP_LT_OQ); }
static inline reg_mask_t reg_le(reg_t a, reg_t b) { return V(cmp)(a, b, _CMP_LE_OQ); }
static inline reg_mask_t reg_eq(reg_t a, reg_t b) { return V(cmp)(a, b, _CMP_EQ_OQ); }

/*
 * GCC 12 turns the intrinsic into a comparison (m < 0 ? a : b), and computes it wherever m is not
 * itself a comparison: one more operation for each mask that is a combination of others.
 */
#if defined __GNUC__ && !defined __clang__
static inline reg_t reg_select(reg_mask_t m, reg_t a, reg_t b) {
    __asm__("vblendv" SUFFIX " %3, %2, %1, %0" : "=x"(b) : "x"(b), "xm"(a), "x"(m));
    return b;
}
#else
static inline reg_t reg_select(reg_mask_t m, reg_t a, reg_t b) { return V(blendv)(b, a, m); }
#endif

static inline reg_mask_t reg_mask_and(reg_mask_t a, reg_mask_t b) { return V(and)(a, b); }
static inline reg_mask_t reg_mask_or(reg_mask_t a, reg_mask_t b) { return V(or)(a, b); }
static inline reg_mask_t reg_mask_andnot(reg_mask_t a, reg_mask_t b) { return V(andnot)(b, a); }
static inline uint32_t reg_mask_bits(reg_mask_t a) { return (uint32_t)V(movemask)(a); }

#if IMPINGE_REAL_BITS == 32

static inline reg_word_t reg_to_bits(reg_t a) { return _mm256_castps_si256(a); }
static inline reg_t reg_from_bits(reg_word_t a) { return _mm256_castsi256_ps(a); }
static inline reg_word_t reg_word_set(uint32_t a) { return _mm256_set1_epi32((int)a); }

static inline reg_t reg_log2_coarse(reg_t a) {
    return reg_fma(_mm256_cvtepi32_ps(reg_to_bits(a)), reg_set(0x1p-23f), reg_set(-127.0f));
}

static inline reg_t reg_exp2_coarse(reg_t a) {
    const reg_t bits = reg_mul(reg_add(a, reg_set(127.0f)), reg_set(0x1p23f));
    return reg_from_bits(_mm256_cvttps_epi32(bits));
}

static inline reg_word_t reg_word_load(const uint32_t *a) {
    return _mm256_loadu_si256((const __m256i *)(const void *)a);
}

static inline void reg_word_store(uint32_t *to, reg_word_t a) {
    _mm256_storeu_si256((__m256i *)(void *)to, a);
}

static inline reg_mask_t reg_word_zero(reg_word_t a) {
    return reg_from_bits(_mm256_cmpeq_epi32(a, _mm256_setzero_si256()));
}

#else

static inline reg_word_t reg_to_bits(reg_t a) { return _mm256_castpd_si256(a); }
static inline reg_t reg_from_bits(reg_word_t a) { return _mm256_castsi256_pd(a); }
static inline reg_word_t reg_word_set(uint32_t a) { return _mm256_set1_epi64x((long long)a); }

/* There is no conversion from 64-bit integers: the integer becomes the lower bits of 2^52 + it. */
static inline reg_t reg_log2_coarse(reg_t a) {
    const reg_t two_52 = reg_set(0x1p52);
    const reg_word_t upper = _mm256_srli_epi64(reg_to_bits(a), 32);
    const reg_t exact = reg_sub(reg_from_bits(_mm256_or_si256(upper, reg_to_bits(two_52))), two_52);
    return reg_fma(exact, reg_set(0x1p-20), reg_set(-1023.0));
}

static inline reg_t reg_exp2_coarse(reg_t a) {
    const reg_t sum = reg_fma(reg_add(a, reg_set(1023.0)), reg_set(0x1p20), reg_set(0x1p52));
    return reg_from_bits(_mm256_slli_epi64(reg_to_bits(sum), 32));
}

static inline reg_word_t reg_word_load(const uint32_t *a) {
    return _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)(const void *)a));
}

static inline void reg_word_store(uint32_t *to, reg_word_t a) {
    const __m256i lower_halves = _mm256_setr_epi32(0, 2, 4, 6, 0, 0, 0, 0);
    const __m256i packed = _mm256_permutevar8x32_epi32(a, lower_halves);
    _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(packed));
}

static inline reg_mask_t reg_word_zero(reg_word_t a) {
    return reg_from_bits(_mm256_cmpeq_epi64(a, _mm256_setzero_si256()));
}

#endif

/* Words are as wide as numbers. */
static inline reg_t reg_from_word(reg_word_t a) { return reg_from_bits(a); }
static inline reg_word_t reg_to_word(reg_t a) { return reg_to_bits(a); }

typedef __m256i reg_packing_t;

/* The row of a mask widens to the indices of its lanes' 32-bit elements, in order. */
static inline reg_packing_t reg_packing(reg_mask_t m) {
    const uint64_t *const row = &lane_packing_rows[reg_mask_bits(m)];
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)row));
}

static inline reg_word_t reg_word_pack(reg_packing_t p, reg_word_t a) {
    return _mm256_permutevar8x32_epi32(a, p);
}

static inline reg_t reg_pack(reg_packing_t p, reg_t a) {
    return reg_from_bits(reg_word_pack(p, reg_to_bits(a)));
}

static inline reg_word_t reg_word_or(reg_word_t a, reg_word_t b) { return _mm256_or_si256(a, b); }

static inline reg_word_t reg_word_where(reg_mask_t m, uint32_t bits) {
    return _mm256_and_si256(reg_to_bits(m), reg_word_set(bits));
}

static inline reg_word_t reg_word_select(reg_mask_t m, reg_word_t a, reg_word_t b) {
    return _mm256_blendv_epi8(b, a, reg_to_bits(m));
}

static inline reg_word_t reg_word_add(reg_word_t a, uint32_t b) {
    return _mm256_add_epi32(a, reg_word_set(b));
}

static inline reg_word_t reg_word_and(reg_word_t a, uint32_t bits) {
    return _mm256_and_si256(a, reg_word_set(bits));
}

static inline reg_mask_t reg_word_has(reg_word_t a, uint32_t bits) {
    const reg_mask_t zero = reg_word_zero(_mm256_and_si256(a, reg_word_set(bits)));
    return V(xor)(zero, reg_from_bits(_mm256_set1_epi32(-1)));
}

#undef V
#undef SUFFIX
#endif
