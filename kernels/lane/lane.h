/*
 * The vocabulary of the kernels: lanes of contacts side by side, whatever the target.
 *
 * A target's header gives one register's operations (reg_*, a closed list, defined by scalar.h).
 * Lanes are one or two registers: `lo` and, where REGISTERS_PER_LANES is 2, `hi`. No operation
 * crosses lanes, so that no result depends on the width or on a neighbour.
 */
#ifndef IMPINGE_KERNELS_LANE_LANE_H
#define IMPINGE_KERNELS_LANE_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined IMPINGE_TARGET_SCALAR
#include "scalar.h"
#elif defined IMPINGE_TARGET_AVX2
#include "avx2.h"
#elif defined IMPINGE_TARGET_AVX512
#include "avx512.h"
#elif defined IMPINGE_TARGET_NEON
#include "neon.h"
#else
#error "no target"
#endif

#define LANES (REGISTER_WIDTH * REGISTERS_PER_LANES)

/* The bits of a mask of all lanes. */
#define ALL_LANES ((uint32_t)((UINT64_C(1) << LANES) - 1))

#if REGISTERS_PER_LANES == 1
#define REGISTERS(type)                                                                            \
    { type lo; }
#define EACH(lo, hi)                                                                               \
    { lo }
#define STORE_EACH(lo, hi) lo
#define BITS(lo, hi)       (lo)
#else
#define REGISTERS(type)                                                                            \
    { type lo, hi; }
#define EACH(lo, hi)                                                                               \
    { lo, hi }
#define STORE_EACH(lo, hi)                                                                         \
    do {                                                                                           \
        lo;                                                                                        \
        hi;                                                                                        \
    } while (0)
#define BITS(lo, hi) ((lo) | ((hi) << REGISTER_WIDTH))
#endif

typedef struct lanes_t REGISTERS(reg_t) lanes_t;
typedef struct mask_t REGISTERS(reg_mask_t) mask_t;
typedef struct words_t REGISTERS(reg_word_t) words_t;

#define LANE_UNARY(op)                                                                             \
    static inline lanes_t lane_##op(lanes_t a) {                                                   \
        return (lanes_t)EACH(reg_##op(a.lo), reg_##op(a.hi));                                      \
    }
#define LANE_BINARY(op)                                                                            \
    static inline lanes_t lane_##op(lanes_t a, lanes_t b) {                                        \
        return (lanes_t)EACH(reg_##op(a.lo, b.lo), reg_##op(a.hi, b.hi));                          \
    }
#define LANE_TERNARY(op)                                                                           \
    static inline lanes_t lane_##op(lanes_t a, lanes_t b, lanes_t c) {                             \
        return (lanes_t)EACH(reg_##op(a.lo, b.lo, c.lo), reg_##op(a.hi, b.hi, c.hi));              \
    }
#define LANE_COMPARE(op)                                                                           \
    static inline mask_t lane_##op(lanes_t a, lanes_t b) {                                         \
        return (mask_t)EACH(reg_##op(a.lo, b.lo), reg_##op(a.hi, b.hi));                           \
    }
#define MASK_BINARY(op)                                                                            \
    static inline mask_t mask_##op(mask_t a, mask_t b) {                                           \
        return (mask_t)EACH(reg_mask_##op(a.lo, b.lo), reg_mask_##op(a.hi, b.hi));                 \
    }

LANE_BINARY(add)
LANE_BINARY(sub)
LANE_BINARY(mul)
LANE_BINARY(div)
LANE_BINARY(min)
LANE_BINARY(max)
LANE_BINARY(copysign)
#ifdef IMPINGE_HAVE_SLEEF
LANE_BINARY(pow)
#endif
LANE_UNARY(sqrt)
LANE_UNARY(abs)
LANE_UNARY(neg)
LANE_UNARY(power_of_two)  /* of a normal number > 0: the largest that is not above it, */
LANE_UNARY(inverse_power) /* and its reciprocal, of numbers to 2^(EXPONENT_BIAS - 1) */
LANE_UNARY(log2_coarse)
LANE_UNARY(exp2_coarse)
LANE_TERNARY(fma)  /* a b + c, rounded once */
LANE_TERNARY(fnma) /* c - a b, rounded once */
LANE_TERNARY(fms)  /* a b - c, rounded once */
LANE_COMPARE(lt)
LANE_COMPARE(le)
LANE_COMPARE(eq)
MASK_BINARY(and)
MASK_BINARY(or)
MASK_BINARY(andnot) /* a and not b */

#undef LANE_UNARY
#undef LANE_BINARY
#undef LANE_TERNARY
#undef LANE_COMPARE
#undef MASK_BINARY

static inline lanes_t lane_set(real_t a) { return (lanes_t)EACH(reg_set(a), reg_set(a)); }
static inline lanes_t lane_zero(void) { return lane_set(0); }

static inline lanes_t lane_load(const real_t *a) {
    return (lanes_t)EACH(reg_load(a), reg_load(a + REGISTER_WIDTH));
}

/*
 * Indices for another gather by the same ones, read from memory again. Sixteen do not fit into the
 * general registers: compilers that keep them move them into vector registers and back, and
 * resolving particle pairs takes 1.8 times as long (f32, AVX-512). Eight are kept.
 */
static inline const uint32_t *lane_indices_again(const uint32_t *i) {
    if (REGISTER_WIDTH > 8) __asm__("" : "+r"(i));
    return i;
}

/* a[i[0]], a[i[1]], ...: an index for each lane. */
static inline lanes_t lane_gather(const real_t *a, const uint32_t *i) {
    return (lanes_t)EACH(reg_gather(a, i), reg_gather(a, i + REGISTER_WIDTH));
}

/*
 * Four numbers of a row for each lane, rows being `stride` numbers apart: x[k] is a[i[0] stride +
 * k], a[i[1] stride + k], ...
 */
static inline void lane_gather4(const real_t *a, size_t stride, const uint32_t *i, lanes_t x[4]) {
    reg_t lo[4], hi[4];
    (void)hi;
    STORE_EACH(reg_gather4(a, stride, i, lo), reg_gather4(a, stride, i + REGISTER_WIDTH, hi));
    for (int k = 0; k < 4; k++)
        x[k] = (lanes_t)EACH(lo[k], hi[k]);
}

/* Back, to rows one after the other from `to` on: to[k], to[stride + k], ... become x[k]. */
static inline void lane_store4(real_t *to, size_t stride, const lanes_t x[4]) {
#if REGISTERS_PER_LANES == 2
    const reg_t hi[4] = {x[0].hi, x[1].hi, x[2].hi, x[3].hi};
#endif
    const reg_t lo[4] = {x[0].lo, x[1].lo, x[2].lo, x[3].lo};
    STORE_EACH(reg_store4(to, stride, lo), reg_store4(to + REGISTER_WIDTH * stride, stride, hi));
}

/* Back to rows that begin at to[i[0]], to[i[1]], ...; where some are the same, the last lane's. */
static inline void lane_scatter4(real_t *to, const uint32_t *i, const lanes_t x[4]) {
#if REGISTERS_PER_LANES == 2
    const reg_t hi[4] = {x[0].hi, x[1].hi, x[2].hi, x[3].hi};
#endif
    const reg_t lo[4] = {x[0].lo, x[1].lo, x[2].lo, x[3].lo};
    STORE_EACH(reg_scatter4(to, i, lo), reg_scatter4(to, i + REGISTER_WIDTH, hi));
}

/* And from there. */
static inline void lane_load4(const real_t *a, size_t stride, lanes_t x[4]) {
    uint32_t i[LANES];
    for (uint32_t k = 0; k < LANES; k++)
        i[k] = k;
    lane_gather4(a, stride, i, x);
}

static inline void lane_store(real_t *to, lanes_t a) {
    STORE_EACH(reg_store(to, a.lo), reg_store(to + REGISTER_WIDTH, a.hi));
}

/*
 * The first `count` lanes of memory that ends there, and zero in the others: a whole load would
 * read past the end. The lanes of a second register begin where those of the first end.
 */
static inline size_t lanes_beyond(size_t count) {
    return count > REGISTER_WIDTH ? count - REGISTER_WIDTH : 0;
}
static inline lanes_t lane_load_first(const real_t *a, size_t count) {
    const size_t beyond = lanes_beyond(count);
    const real_t *const upper = a + (count - beyond);
    (void)upper;
    return (lanes_t)EACH(reg_load_first(a, count), reg_load_first(upper, beyond));
}
static inline void lane_store_first(real_t *to, lanes_t a, size_t count) {
    const size_t beyond = lanes_beyond(count);
    real_t *const upper = to + (count - beyond);
    (void)upper;
    STORE_EACH(reg_store_first(to, a.lo, count), reg_store_first(upper, a.hi, beyond));
}

/*
 * Stores past the caches, if LANES numbers fill a cache line (LANES_ARE_LINE): `to` must begin a
 * line. Call lane_stream_end before anything that another thread may wait for.
 */
#if defined REGISTER_IS_LINE && REGISTERS_PER_LANES == 1
#define LANES_ARE_LINE true
static inline void lane_stream(real_t *to, lanes_t a) { reg_stream(to, a.lo); }
static inline void word_stream(uint32_t *to, words_t a) { reg_word_stream(to, a.lo); }
static inline void lane_stream_end(void) { reg_stream_end(); }
/* Stores `count` lanes from `from` on, so that whole lines begin before them or after. */
static inline void lane_store_between(real_t *to, lanes_t a, size_t from, size_t count) {
    reg_store_between(to, a.lo, from, count);
}
static inline void word_store_between(uint32_t *to, words_t a, size_t from, size_t count) {
    reg_word_store_between(to, a.lo, from, count);
}
#else
#define LANES_ARE_LINE false
static inline void lane_stream(real_t *to, lanes_t a) { lane_store(to, a); }
static inline void lane_stream_end(void) {}
#endif

static inline lanes_t lane_select(mask_t m, lanes_t a, lanes_t b) {
    return (lanes_t)EACH(reg_select(m.lo, a.lo, b.lo), reg_select(m.hi, a.hi, b.hi));
}

static inline uint32_t mask_bits(mask_t a) {
    return BITS(reg_mask_bits(a.lo), reg_mask_bits(a.hi));
}

static inline bool mask_any(mask_t a) { return mask_bits(a) != 0; }

static inline bool mask_every(mask_t a) { return mask_bits(a) == ALL_LANES; }

static inline words_t word_load(const uint32_t *a) {
    return (words_t)EACH(reg_word_load(a), reg_word_load(a + REGISTER_WIDTH));
}

static inline void word_store(uint32_t *to, words_t a) {
    STORE_EACH(reg_word_store(to, a.lo), reg_word_store(to + REGISTER_WIDTH, a.hi));
}

#if !defined REGISTER_IS_LINE || REGISTERS_PER_LANES != 1
static inline void word_stream(uint32_t *to, words_t a) { word_store(to, a); }
#endif

static inline words_t word_set(uint32_t bits) {
    return (words_t)EACH(reg_word_set(bits), reg_word_set(bits));
}

static inline words_t word_or(words_t a, words_t b) {
    return (words_t)EACH(reg_word_or(a.lo, b.lo), reg_word_or(a.hi, b.hi));
}

/* `bits` in the lanes of m, 0 in the others. */
static inline words_t word_where(mask_t m, uint32_t bits) {
    return (words_t)EACH(reg_word_where(m.lo, bits), reg_word_where(m.hi, bits));
}

static inline words_t word_select(mask_t m, words_t a, words_t b) {
    return (words_t)EACH(reg_word_select(m.lo, a.lo, b.lo), reg_word_select(m.hi, a.hi, b.hi));
}

static inline words_t word_add(words_t a, uint32_t b) {
    return (words_t)EACH(reg_word_add(a.lo, b), reg_word_add(a.hi, b));
}

static inline words_t word_and(words_t a, uint32_t bits) {
    return (words_t)EACH(reg_word_and(a.lo, bits), reg_word_and(a.hi, bits));
}

/* The lanes whose word has one of `bits`. */
static inline mask_t word_has(words_t a, uint32_t bits) {
    return (mask_t)EACH(reg_word_has(a.lo, bits), reg_word_has(a.hi, bits));
}

/*
 * Words below 2^23 as the bits of numbers, which are only moved: as they are in f32 (subnormal
 * numbers), in the lower half in f64.
 */
static inline lanes_t lane_from_word(words_t a) {
    return (lanes_t)EACH(reg_from_word(a.lo), reg_from_word(a.hi));
}

static inline words_t word_from_lane(lanes_t a) {
    return (words_t)EACH(reg_to_word(a.lo), reg_to_word(a.hi));
}

/* A plan to store only the lanes of a mask, side by side. */
typedef struct packing {
    struct REGISTERS(reg_packing_t) how;
    size_t count, count_lo;
} packing_t;

static inline size_t lowest_bit(uint32_t bits) { return (size_t)__builtin_ctz(bits); }
static inline size_t count_bits(uint32_t bits) { return (size_t)__builtin_popcount(bits); }

static inline packing_t lane_packing(mask_t m) {
    return (packing_t){EACH(reg_packing(m.lo), reg_packing(m.hi)), count_bits(mask_bits(m)),
                       count_bits(reg_mask_bits(m.lo))};
}

/*
 * Overwrites LANES elements: the mask's lanes fill the first p->count, and the others are
 * undefined.
 */
static inline void lane_store_packed(real_t *to, const packing_t *p, lanes_t a) {
    STORE_EACH(reg_store(to, reg_pack(p->how.lo, a.lo)),
               reg_store(to + p->count_lo, reg_pack(p->how.hi, a.hi)));
}

static inline void word_store_packed(uint32_t *to, const packing_t *p, words_t a) {
    STORE_EACH(reg_word_store(to, reg_word_pack(p->how.lo, a.lo)),
               reg_word_store(to + p->count_lo, reg_word_pack(p->how.hi, a.hi)));
}

#undef EACH
#undef STORE_EACH
#undef REGISTERS
#undef BITS

/* The rest is composed of the operations above. */

/* Prefetches the cache line `bytes` beyond a, to read or to write. Any address is legal. */
static inline void lane_prefetch(const void *a, size_t bytes) {
    __builtin_prefetch((const void *)((uintptr_t)a + bytes), 0);
}
static inline void lane_prefetch_write(const void *a, size_t bytes) {
    __builtin_prefetch((const void *)((uintptr_t)a + bytes), 1);
}

static inline lanes_t lane_mul_add2(lanes_t a, lanes_t b, lanes_t c, lanes_t d) {
    return lane_fma(a, b, lane_mul(c, d));
}

/* a b - c d with an error of 1.5 units of rounding: Kahan's, by way of the rounding of c d. */
static inline lanes_t lane_difference_of_products(lanes_t a, lanes_t b, lanes_t c, lanes_t d) {
    const lanes_t cd = lane_mul(c, d);
    const lanes_t rounding = lane_fnma(c, d, cd);
    return lane_add(lane_fms(a, b, cd), rounding);
}

static inline mask_t lane_finite(lanes_t a) { return lane_le(lane_abs(a), lane_set(REAL_MAX)); }
static inline mask_t mask_all(void) { return lane_eq(lane_zero(), lane_zero()); }
static inline mask_t mask_not(mask_t a) { return mask_andnot(mask_all(), a); }

/* The first `count` lanes. */
static inline mask_t mask_first(size_t count) {
    static const real_t number[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                      11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                      22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    return lane_lt(lane_load(number), lane_set((real_t)count));
}

/*
 * first, first + 1, ...; from a table, since loading a vector of numbers that were just stored
 * waits.
 */
static inline words_t word_counting(uint32_t first) {
    static const uint32_t number[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                        11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                        22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    return word_add(word_load(number), first);
}

static inline mask_t mask_select(mask_t m, mask_t a, mask_t b) {
    return mask_or(mask_and(m, a), mask_andnot(b, m));
}
static inline mask_t mask_none(void) { return lane_lt(lane_zero(), lane_zero()); }

static inline lanes_t max3(lanes_t a, lanes_t b, lanes_t c) { return lane_max(lane_max(a, b), c); }

/* The largest of numbers that are not below zero. */
static inline real_t largest_lane(lanes_t a) {
    real_t lanes[LANES];
    lane_store(lanes, a);
    real_t largest = 0;
    for (size_t j = 0; j < LANES; j++)
        if (lanes[j] > largest) largest = lanes[j];
    return largest;
}

static inline mask_t finite3(lanes_t a, lanes_t b, lanes_t c) {
    return mask_and(mask_and(lane_finite(a), lane_finite(b)), lane_finite(c));
}

static inline void word_store_first(uint32_t *to, words_t a, size_t count) {
    uint32_t whole[LANES];
    word_store(whole, a);
    memcpy(to, whole, count * sizeof *to);
}

#endif
