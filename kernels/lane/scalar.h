/*
 * One contact at a time, in portable C. This file also defines every operation: the other targets
 * give the same bits.
 */
#ifndef IMPINGE_KERNELS_LANE_SCALAR_H
#define IMPINGE_KERNELS_LANE_SCALAR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "../real.h"

#define LANE_TARGET         scalar
#define REGISTER_WIDTH      1
#define REGISTERS_PER_LANES 1

typedef real_t reg_t;
typedef int reg_mask_t;
typedef uint32_t reg_word_t;

static inline reg_t reg_set(real_t a) { return a; }
static inline reg_t reg_load(const real_t *a) { return *a; }
static inline void reg_store(real_t *to, reg_t a) { *to = a; }
/* The first `count` lanes alone: all of them, if it is more. Zero in the others. */
static inline reg_t reg_load_first(const real_t *a, size_t count) { return count > 0 ? *a : 0; }
static inline void reg_store_first(real_t *to, reg_t a, size_t count) {
    if (count > 0) *to = a;
}
/* a[i[0]], a[i[1]], ... */
static inline reg_t reg_gather(const real_t *a, const uint32_t *i) { return a[*i]; }

/* Four numbers of rows: x[k] is a[i[0] stride + k], a[i[1] stride + k], ... */
static inline void reg_gather4(const real_t *a, size_t stride, const uint32_t *i, reg_t x[4]) {
    for (size_t k = 0; k < 4; k++)
        x[k] = a[*i * stride + k];
}
/* Back, to rows one after the other. */
static inline void reg_store4(real_t *to, size_t stride, const reg_t x[4]) {
    (void)stride;
    for (size_t k = 0; k < 4; k++)
        to[k] = x[k];
}
/* Back, to the row at to[*i]. */
static inline void reg_scatter4(real_t *to, const uint32_t *i, const reg_t x[4]) {
    reg_store4(to + *i, 0, x);
}

/*
 * Adds to each four numbers of a row, or subtracts from them, those of another row times the fourth
 * of `to`, rounded twice. The other row's fourth number is zero, so `to` keeps its fourth. Then the
 * same without a factor.
 */
typedef struct row4 {
    real_t x[4];
} row4_t;

static inline row4_t row4_load(const real_t *a) { return (row4_t){{a[0], a[1], a[2], a[3]}}; }
static inline void row4_add_times(real_t *to, row4_t row) {
    const real_t by = to[3];
    for (int k = 0; k < 4; k++)
        to[k] += by * row.x[k];
}
static inline void row4_sub_times(real_t *to, row4_t row) {
    const real_t by = to[3];
    for (int k = 0; k < 4; k++)
        to[k] -= by * row.x[k];
}
static inline void row4_add(real_t *to, row4_t row) {
    for (int k = 0; k < 4; k++)
        to[k] += row.x[k];
}
static inline void row4_sub(real_t *to, row4_t row) {
    for (int k = 0; k < 4; k++)
        to[k] -= row.x[k];
}
/* Whether all numbers are finite: infinities and NaN less themselves are NaN. */
static inline bool row4_are_finite(row4_t a, row4_t b, row4_t c) {
    real_t sum = 0;
    for (int k = 0; k < 4; k++)
        sum += (a.x[k] - a.x[k]) + (b.x[k] - b.x[k]) + (c.x[k] - c.x[k]);
    return sum == 0;
}
/*
 * The first three numbers of a, and `by` times those of `row`, rounded twice. Where that of `row`
 * is zero, a keeps its bits, and its fourth number.
 */
static inline row4_t row4_with(row4_t a, real_t by, row4_t row) {
    for (int k = 0; k < 3; k++)
        a.x[k] = row.x[k] == 0 ? a.x[k] : a.x[k] + by * row.x[k];
    return a;
}
static inline void row4_store(real_t *to, row4_t a) { memcpy(to, a.x, sizeof a.x); }

#include "row4_twice.h"

static inline reg_t reg_add(reg_t a, reg_t b) { return a + b; }
static inline reg_t reg_sub(reg_t a, reg_t b) { return a - b; }
static inline reg_t reg_mul(reg_t a, reg_t b) { return a * b; }
static inline reg_t reg_div(reg_t a, reg_t b) { return a / b; }
#if IMPINGE_REAL_BITS == 32
static inline reg_t reg_sqrt(reg_t a) { return sqrtf(a); }
static inline reg_t reg_fma(reg_t a, reg_t b, reg_t c) { return fmaf(a, b, c); }
static inline reg_t reg_fnma(reg_t a, reg_t b, reg_t c) { return fmaf(-a, b, c); }
static inline reg_t reg_fms(reg_t a, reg_t b, reg_t c) { return fmaf(a, b, -c); }
static inline reg_t reg_abs(reg_t a) { return fabsf(a); }
static inline reg_t reg_copysign(reg_t a, reg_t sign) { return copysignf(a, sign); }
#else
static inline reg_t reg_sqrt(reg_t a) { return sqrt(a); }
static inline reg_t reg_fma(reg_t a, reg_t b, reg_t c) { return fma(a, b, c); }
static inline reg_t reg_fnma(reg_t a, reg_t b, reg_t c) { return fma(-a, b, c); }
static inline reg_t reg_fms(reg_t a, reg_t b, reg_t c) { return fma(a, b, -c); }
static inline reg_t reg_abs(reg_t a) { return fabs(a); }
static inline reg_t reg_copysign(reg_t a, reg_t sign) { return copysign(a, sign); }
#endif
static inline reg_t reg_neg(reg_t a) { return -a; }

#ifdef IMPINGE_HAVE_SLEEF
/*
 * a^b for a >= 0 by SLEEF's functions that have the same bits on every CPU with a fused
 * multiply-add; declared here, since SLEEF's header declares what the compiler's target has.
 */
#if IMPINGE_REAL_BITS == 32
float Sleef_finz_powf1_u10purecfma(float a, float b);
static inline reg_t reg_pow(reg_t a, reg_t b) { return Sleef_finz_powf1_u10purecfma(a, b); }
#else
double Sleef_finz_powd1_u10purecfma(double a, double b);
static inline reg_t reg_pow(reg_t a, reg_t b) { return Sleef_finz_powd1_u10purecfma(a, b); }
#endif
#endif

/* The second operand where they are equal or one is NaN. */
static inline reg_t reg_min(reg_t a, reg_t b) { return a < b ? a : b; }
static inline reg_t reg_max(reg_t a, reg_t b) { return a > b ? a : b; }

/* Comparisons with NaN are false. */
static inline reg_mask_t reg_lt(reg_t a, reg_t b) { return a < b; }
static inline reg_mask_t reg_le(reg_t a, reg_t b) { return a <= b; }
static inline reg_mask_t reg_eq(reg_t a, reg_t b) { return a == b; }
static inline reg_t reg_select(reg_mask_t m, reg_t a, reg_t b) { return m ? a : b; }

static inline reg_mask_t reg_mask_and(reg_mask_t a, reg_mask_t b) { return a & b; }
static inline reg_mask_t reg_mask_or(reg_mask_t a, reg_mask_t b) { return a | b; }
static inline reg_mask_t reg_mask_andnot(reg_mask_t a, reg_mask_t b) { return a & !b; }
/* Bit i is lane i. */
static inline uint32_t reg_mask_bits(reg_mask_t a) { return (uint32_t)a; }

static inline real_bits_t real_to_bits(real_t a) {
    real_bits_t bits;
    memcpy(&bits, &a, sizeof bits);
    return bits;
}

static inline real_t real_from_bits(real_bits_t bits) {
    real_t a;
    memcpy(&a, &bits, sizeof a);
    return a;
}

/* The power of two in a normal number's exponent; its sign is dropped. */
static inline reg_t reg_power_of_two(reg_t a) {
    const real_bits_t exponent = (real_bits_t)(2 * EXPONENT_BIAS + 1) << MANTISSA_BITS;
    return real_from_bits(real_to_bits(a) & exponent);
}

static inline reg_t reg_inverse_power(reg_t a) {
    /* The exponent's inverted bits are those of 2 over it. */
    const real_bits_t exponent = (real_bits_t)(2 * EXPONENT_BIAS + 1) << MANTISSA_BITS;
    return real_from_bits(~real_to_bits(a) & exponent) * REAL(0.5);
}

/*
 * log2 of a finite a >= 0 from its bits, the mantissa taken as linear: low by 0.087 at most; very
 * negative for 0. And its inverse for |a| <= EXPONENT_BIAS - 1: high by 6.2 % at most. They choose
 * step sizes; the same integer arithmetic on every target makes them the same everywhere.
 */
#if IMPINGE_REAL_BITS == 32
static inline reg_t reg_log2_coarse(reg_t a) {
    return fmaf((float)(int32_t)real_to_bits(a), 0x1p-23f, -127.0f);
}

static inline reg_t reg_exp2_coarse(reg_t a) {
    return real_from_bits((uint32_t)(int32_t)((a + 127.0f) * 0x1p23f));
}
#else
/* Only the upper half of the bits counts: 20 of the mantissa's, so that it fits a double exactly.
 */
static inline reg_t reg_log2_coarse(reg_t a) {
    return fma((double)(real_to_bits(a) >> 32), 0x1p-20, -1023.0);
}

/* The sum with 2^52 leaves the integer in the lower bits, as it does in vector registers. */
static inline reg_t reg_exp2_coarse(reg_t a) {
    return real_from_bits(real_to_bits(fma(a + 1023.0, 0x1p20, 0x1p52)) << 32);
}
#endif

/* Words of flags beside the numbers, one per lane, 32 bits in memory. */
static inline reg_word_t reg_word_load(const uint32_t *a) { return *a; }
static inline void reg_word_store(uint32_t *to, reg_word_t a) { *to = a; }
static inline reg_word_t reg_word_set(uint32_t a) { return a; }
static inline reg_word_t reg_word_or(reg_word_t a, reg_word_t b) { return a | b; }
static inline reg_word_t reg_word_where(reg_mask_t m, uint32_t bits) { return m ? bits : 0; }
static inline reg_word_t reg_word_select(reg_mask_t m, reg_word_t a, reg_word_t b) {
    return m ? a : b;
}
static inline reg_word_t reg_word_add(reg_word_t a, uint32_t b) { return a + b; }
static inline reg_word_t reg_word_and(reg_word_t a, uint32_t bits) { return a & bits; }
static inline reg_mask_t reg_word_has(reg_word_t a, uint32_t bits) { return (a & bits) != 0; }

static inline reg_t reg_from_word(reg_word_t a) { return real_from_bits(a); }
static inline reg_word_t reg_to_word(reg_t a) { return (reg_word_t)real_to_bits(a); }

/* Moves the lanes of a mask to the front, in order. The lanes behind them are undefined. */
typedef int reg_packing_t;
static inline reg_packing_t reg_packing(reg_mask_t m) { return m; }
static inline reg_t reg_pack(reg_packing_t p, reg_t a) {
    (void)p;
    return a;
}
static inline reg_word_t reg_word_pack(reg_packing_t p, reg_word_t a) {
    (void)p;
    return a;
}

#endif
