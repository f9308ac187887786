/* AArch64's Advanced SIMD: 4 contacts in f32, 2 in f64 per register. */
#ifndef IMPINGE_KERNELS_LANE_NEON_H
#define IMPINGE_KERNELS_LANE_NEON_H

/* 32-bit Arm has neither f64 lanes nor, by default, subnormals. */
#if !defined(__aarch64__) || !defined(__ARM_NEON)
#error "lane/neon.h needs AArch64"
#endif

#include <arm_neon.h>

#include "../real.h"

#define LANE_TARGET neon

/* Words are 32 bits a lane: in f64, half a register. */
#if IMPINGE_REAL_BITS == 32
#define REGISTER_WIDTH 4
#define V(op)          v##op##q_f32
#define U(op)          v##op##q_u32
#define SET            vdupq_n_f32
#define TO_BITS        vreinterpretq_u32_f32
#define FROM_BITS      vreinterpretq_f32_u32
#define WORD(op)       v##op##q_u32
#define WORD_SET       vdupq_n_u32
typedef float32x4_t reg_t;
typedef uint32x4_t reg_mask_t;
typedef uint32x4_t reg_word_t;
#else
#define REGISTER_WIDTH 2
#define V(op)          v##op##q_f64
#define U(op)          v##op##q_u64
#define SET            vdupq_n_f64
#define TO_BITS        vreinterpretq_u64_f64
#define FROM_BITS      vreinterpretq_f64_u64
#define WORD(op)       v##op##_u32
#define WORD_SET       vdup_n_u32
typedef float64x2_t reg_t;
typedef uint64x2_t reg_mask_t;
typedef uint32x2_t reg_word_t;
#endif
/* As with AVX2: one chain of dependent operations hides the latency of the other. */
#ifndef REGISTERS_PER_LANES
#define REGISTERS_PER_LANES 2
#endif

static inline reg_t reg_set(real_t a) { return SET(a); }
static inline reg_t reg_load(const real_t *a) { return V(ld1)(a); }
static inline void reg_store(real_t *to, reg_t a) { V(st1)(to, a); }
static inline reg_t reg_load_first(const real_t *a, size_t count) {
    real_t whole[REGISTER_WIDTH] = {0};
    for (size_t i = 0; i < REGISTER_WIDTH && i < count; i++)
        whole[i] = a[i];
    return reg_load(whole);
}
static inline void reg_store_first(real_t *to, reg_t a, size_t count) {
    real_t whole[REGISTER_WIDTH];
    reg_store(whole, a);
    for (size_t i = 0; i < REGISTER_WIDTH && i < count; i++)
        to[i] = whole[i];
}
static inline reg_t reg_gather(const real_t *a, const uint32_t *i) {
#if IMPINGE_REAL_BITS == 32
    return (reg_t){a[i[0]], a[i[1]], a[i[2]], a[i[3]]};
#else
    return (reg_t){a[i[0]], a[i[1]]};
#endif
}

#include "rows.h"

/* A row of four is one register or two. */
#define ROW4_REGISTERS (4 / REGISTER_WIDTH)

typedef struct row4 {
    reg_t x[ROW4_REGISTERS];
} row4_t;

static inline row4_t row4_load(const real_t *a) {
    row4_t row;
    for (int k = 0; k < ROW4_REGISTERS; k++)
        row.x[k] = reg_load(a + k * REGISTER_WIDTH);
    return row;
}
static inline void row4_add_times(real_t *to, row4_t row) {
    const reg_t by = reg_set(to[3]);
    for (int k = 0; k < ROW4_REGISTERS; k++) {
        real_t *const at = to + k * REGISTER_WIDTH;
        reg_store(at, V(add)(reg_load(at), V(mul)(by, row.x[k])));
    }
}
static inline void row4_sub_times(real_t *to, row4_t row) {
    const reg_t by = reg_set(to[3]);
    for (int k = 0; k < ROW4_REGISTERS; k++) {
        real_t *const at = to + k * REGISTER_WIDTH;
        reg_store(at, V(sub)(reg_load(at), V(mul)(by, row.x[k])));
    }
}
static inline void row4_add(real_t *to, row4_t row) {
    for (int k = 0; k < ROW4_REGISTERS; k++) {
        real_t *const at = to + k * REGISTER_WIDTH;
        reg_store(at, V(add)(reg_load(at), row.x[k]));
    }
}
static inline void row4_sub(real_t *to, row4_t row) {
    for (int k = 0; k < ROW4_REGISTERS; k++) {
        real_t *const at = to + k * REGISTER_WIDTH;
        reg_store(at, V(sub)(reg_load(at), row.x[k]));
    }
}
static inline bool row4_are_finite(row4_t a, row4_t b, row4_t c) {
    reg_t sum = reg_set(0);
    for (int k = 0; k < ROW4_REGISTERS; k++) {
        sum = V(add)(sum, V(sub)(a.x[k], a.x[k]));
        sum = V(add)(sum, V(add)(V(sub)(b.x[k], b.x[k]), V(sub)(c.x[k], c.x[k])));
    }
    real_t numbers[REGISTER_WIDTH];
    reg_store(numbers, sum);
    for (int k = 1; k < REGISTER_WIDTH; k++)
        numbers[0] += numbers[k];
    return numbers[0] == 0;
}
static inline row4_t row4_with(row4_t a, real_t by, row4_t row) {
    const real_t fourth = a.x[ROW4_REGISTERS - 1][REGISTER_WIDTH - 1];
    for (int k = 0; k < ROW4_REGISTERS; k++) {
        const reg_t sum = V(add)(a.x[k], V(mul)(reg_set(by), row.x[k]));
        a.x[k] = V(bsl)(V(ceqz)(row.x[k]), a.x[k], sum);
    }
    a.x[ROW4_REGISTERS - 1][REGISTER_WIDTH - 1] = fourth;
    return a;
}
static inline void row4_store(real_t *to, row4_t a) {
    for (int k = 0; k < ROW4_REGISTERS; k++)
        reg_store(to + k * REGISTER_WIDTH, a.x[k]);
}

#undef ROW4_REGISTERS

#include "row4_twice.h"

static inline reg_t reg_add(reg_t a, reg_t b) { return V(add)(a, b); }
static inline reg_t reg_sub(reg_t a, reg_t b) { return V(sub)(a, b); }
static inline reg_t reg_mul(reg_t a, reg_t b) { return V(mul)(a, b); }
static inline reg_t reg_div(reg_t a, reg_t b) { return V(div)(a, b); }
static inline reg_t reg_sqrt(reg_t a) { return V(sqrt)(a); }
static inline reg_t reg_fma(reg_t a, reg_t b, reg_t c) { return V(fma)(c, a, b); }
static inline reg_t reg_fnma(reg_t a, reg_t b, reg_t c) { return V(fms)(c, a, b); }
static inline reg_t reg_fms(reg_t a, reg_t b, reg_t c) { return V(fma)(V(neg)(c), a, b); }

#ifdef IMPINGE_HAVE_SLEEF
#if IMPINGE_REAL_BITS == 32
float32x4_t Sleef_finz_powf4_u10advsimd(float32x4_t a, float32x4_t b);
static inline reg_t reg_pow(reg_t a, reg_t b) { return Sleef_finz_powf4_u10advsimd(a, b); }
#else
float64x2_t Sleef_finz_powd2_u10advsimd(float64x2_t a, float64x2_t b);
static inline reg_t reg_pow(reg_t a, reg_t b) { return Sleef_finz_powd2_u10advsimd(a, b); }
#endif
#endif

static inline reg_t reg_abs(reg_t a) { return V(abs)(a); }
static inline reg_t reg_neg(reg_t a) { return V(neg)(a); }
static inline reg_t reg_copysign(reg_t a, reg_t sign) {
    return V(bsl)(TO_BITS(reg_set(REAL(-0.0))), sign, a);
}

static inline reg_mask_t reg_lt(reg_t a, reg_t b) { return V(clt)(a, b); }
static inline reg_mask_t reg_le(reg_t a, reg_t b) { return V(cle)(a, b); }
static inline reg_mask_t reg_eq(reg_t a, reg_t b) { return V(ceq)(a, b); }
static inline reg_t reg_select(reg_mask_t m, reg_t a, reg_t b) { return V(bsl)(m, a, b); }

/* FMIN and FMAX order zeros and return a NaN of either operand; the vocabulary's do neither. */
static inline reg_t reg_min(reg_t a, reg_t b) { return reg_select(reg_lt(a, b), a, b); }
static inline reg_t reg_max(reg_t a, reg_t b) { return reg_select(reg_lt(b, a), a, b); }

static inline reg_mask_t reg_mask_and(reg_mask_t a, reg_mask_t b) { return U(and)(a, b); }
static inline reg_mask_t reg_mask_or(reg_mask_t a, reg_mask_t b) { return U(orr)(a, b); }
static inline reg_mask_t reg_mask_andnot(reg_mask_t a, reg_mask_t b) { return U(bic)(a, b); }

static inline reg_t reg_power_of_two(reg_t a) {
    /* Infinity's bits are the mask of the exponent. */
    return FROM_BITS(U(and)(TO_BITS(a), TO_BITS(reg_set((real_t)INFINITY))));
}

static inline reg_t reg_inverse_power(reg_t a) {
    /* The exponent's inverted bits are those of 2 over it. */
    const reg_t twice = FROM_BITS(U(bic)(TO_BITS(reg_set((real_t)INFINITY)), TO_BITS(a)));
    return V(mul)(twice, reg_set(REAL(0.5)));
}

static inline reg_word_t reg_word_load(const uint32_t *a) { return WORD(ld1)(a); }
static inline void reg_word_store(uint32_t *to, reg_word_t a) { WORD(st1)(to, a); }
static inline reg_word_t reg_word_set(uint32_t a) { return WORD_SET(a); }
static inline reg_word_t reg_word_or(reg_word_t a, reg_word_t b) { return WORD(orr)(a, b); }
static inline reg_word_t reg_word_add(reg_word_t a, uint32_t b) {
    return WORD(add)(a, WORD_SET(b));
}
static inline reg_word_t reg_word_and(reg_word_t a, uint32_t bits) {
    return WORD(and)(a, WORD_SET(bits));
}

#if IMPINGE_REAL_BITS == 32

/* No instruction collects the sign bits: each lane contributes its own power of two. */
static inline uint32_t reg_mask_bits(reg_mask_t a) {
    const uint32_t bits[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(a, vld1q_u32(bits)));
}

static inline reg_t reg_from_word(reg_word_t a) { return FROM_BITS(a); }
static inline reg_word_t reg_to_word(reg_t a) { return TO_BITS(a); }

static inline reg_t reg_log2_coarse(reg_t a) {
    const reg_t bits = vcvtq_f32_s32(vreinterpretq_s32_f32(a));
    return reg_fma(bits, reg_set(0x1p-23f), reg_set(-127.0f));
}

static inline reg_t reg_exp2_coarse(reg_t a) {
    const reg_t bits = reg_mul(reg_add(a, reg_set(127.0f)), reg_set(0x1p23f));
    return vreinterpretq_f32_s32(vcvtq_s32_f32(bits));
}

static inline reg_word_t reg_word_where(reg_mask_t m, uint32_t bits) {
    return vandq_u32(m, vdupq_n_u32(bits));
}

static inline reg_word_t reg_word_select(reg_mask_t m, reg_word_t a, reg_word_t b) {
    return vbslq_u32(m, a, b);
}

static inline reg_mask_t reg_word_has(reg_word_t a, uint32_t bits) {
    return vtstq_u32(a, vdupq_n_u32(bits));
}

/* For each mask, the bytes of its lanes, in order. */
#define ROW(a, b, c, d)                                                                            \
    { LANE(a), LANE(b), LANE(c), LANE(d) }
#define LANE(i) 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3
static const uint8_t lane_packing_rows[16][16] = {
    ROW(0, 0, 0, 0), ROW(0, 0, 0, 0), ROW(1, 0, 0, 0), ROW(0, 1, 0, 0),
    ROW(2, 0, 0, 0), ROW(0, 2, 0, 0), ROW(1, 2, 0, 0), ROW(0, 1, 2, 0),
    ROW(3, 0, 0, 0), ROW(0, 3, 0, 0), ROW(1, 3, 0, 0), ROW(0, 1, 3, 0),
    ROW(2, 3, 0, 0), ROW(0, 2, 3, 0), ROW(1, 2, 3, 0), ROW(0, 1, 2, 3),
};
#undef ROW
#undef LANE

typedef uint8x16_t reg_packing_t;

static inline reg_packing_t reg_packing(reg_mask_t m) {
    return vld1q_u8(lane_packing_rows[reg_mask_bits(m)]);
}

static inline reg_word_t reg_word_pack(reg_packing_t p, reg_word_t a) {
    return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(a), p));
}

static inline reg_t reg_pack(reg_packing_t p, reg_t a) {
    return FROM_BITS(reg_word_pack(p, TO_BITS(a)));
}

#else

static inline uint32_t reg_mask_bits(reg_mask_t a) {
    return (uint32_t)((vgetq_lane_u64(a, 0) & 1) | (vgetq_lane_u64(a, 1) & 2));
}

static inline reg_t reg_from_word(reg_word_t a) { return FROM_BITS(vmovl_u32(a)); }
static inline reg_word_t reg_to_word(reg_t a) { return vmovn_u64(TO_BITS(a)); }

static inline reg_t reg_log2_coarse(reg_t a) {
    const reg_t upper = vcvtq_f64_u64(vshrq_n_u64(TO_BITS(a), 32));
    return reg_fma(upper, reg_set(0x1p-20), reg_set(-1023.0));
}

static inline reg_t reg_exp2_coarse(reg_t a) {
    const reg_t sum = reg_fma(reg_add(a, reg_set(1023.0)), reg_set(0x1p20), reg_set(0x1p52));
    return FROM_BITS(vshlq_n_u64(TO_BITS(sum), 32));
}

static inline reg_word_t reg_word_where(reg_mask_t m, uint32_t bits) {
    return vand_u32(vmovn_u64(m), vdup_n_u32(bits));
}

static inline reg_word_t reg_word_select(reg_mask_t m, reg_word_t a, reg_word_t b) {
    return vbsl_u32(vmovn_u64(m), a, b);
}

static inline reg_mask_t reg_word_has(reg_word_t a, uint32_t bits) {
    /* Widened as signed numbers, so that all ones stay all ones. */
    const int32x2_t has = vreinterpret_s32_u32(vtst_u32(a, vdup_n_u32(bits)));
    return vreinterpretq_u64_s64(vmovl_s32(has));
}

/* All ones where the second lane must come first: in a mask of that lane alone. */
typedef uint64x2_t reg_packing_t;

static inline reg_packing_t reg_packing(reg_mask_t m) {
    return vbicq_u64(vdupq_laneq_u64(m, 1), vdupq_laneq_u64(m, 0));
}

static inline reg_t reg_pack(reg_packing_t p, reg_t a) {
    return vbslq_f64(p, vdupq_laneq_f64(a, 1), a);
}

static inline reg_word_t reg_word_pack(reg_packing_t p, reg_word_t a) {
    return vbsl_u32(vmovn_u64(p), vdup_lane_u32(a, 1), a);
}

#endif

#undef V
#undef U
#undef SET
#undef TO_BITS
#undef FROM_BITS
#undef WORD
#undef WORD_SET
#endif
