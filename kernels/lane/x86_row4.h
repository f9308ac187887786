/* Rows of four and of eight numbers at once, as every x86-64 CPU with AVX has them. */
#ifndef IMPINGE_KERNELS_LANE_X86_ROW4_H
#define IMPINGE_KERNELS_LANE_X86_ROW4_H

#include <immintrin.h>
#include <stdbool.h>

#include "../real.h"

/* The imm of a permutation by which each four numbers become their fourth. */
#define ROW_FOURTH 0xff

#if IMPINGE_REAL_BITS == 32
typedef __m128 row4_t;
typedef __m256 row8_t;
#define ROW4(op)   _mm_##op##_ps
#define ROW8(op)   _mm256_##op##_ps
#define FOURTH4(a) _mm_permute_ps(a, ROW_FOURTH)
#define FOURTH8(a) _mm256_permute_ps(a, ROW_FOURTH)
#else
/* Eight are twice four. */
typedef __m256d row4_t;
#define ROW4(op)   _mm256_##op##_pd
#define FOURTH4(a) _mm256_permute4x64_pd(a, ROW_FOURTH)
#endif

/*
 * Keeps a loaded value in its register: compilers would load it again for each use, and these
 * operations wait for loads.
 */
#define KEEP(a) __asm__("" : "+x"(a))

static inline row4_t row4_load(const real_t *a) {
    row4_t row = ROW4(loadu)(a);
    KEEP(row);
    return row;
}
static inline void row4_add_times(real_t *to, row4_t row) {
    const row4_t a = row4_load(to);
    ROW4(storeu)(to, ROW4(add)(a, ROW4(mul)(FOURTH4(a), row)));
}
static inline void row4_sub_times(real_t *to, row4_t row) {
    const row4_t a = row4_load(to);
    ROW4(storeu)(to, ROW4(sub)(a, ROW4(mul)(FOURTH4(a), row)));
}
static inline void row4_add(real_t *to, row4_t row) {
    ROW4(storeu)(to, ROW4(add)(ROW4(loadu)(to), row));
}
static inline void row4_sub(real_t *to, row4_t row) {
    ROW4(storeu)(to, ROW4(sub)(ROW4(loadu)(to), row));
}

#if IMPINGE_REAL_BITS == 64
static inline bool row4_are_finite(row4_t a, row4_t b, row4_t c) {
    const row4_t sum = ROW4(add)(ROW4(sub)(a, a), ROW4(add)(ROW4(sub)(b, b), ROW4(sub)(c, c)));
    return ROW4(movemask)(ROW4(cmp)(sum, ROW4(setzero)(), _CMP_UNORD_Q)) == 0;
}
#endif
static inline row4_t row4_with(row4_t a, real_t by, row4_t row) {
    const row4_t sum = ROW4(add)(a, ROW4(mul)(ROW4(set1)(by), row));
    const row4_t changed = ROW4(blendv)(sum, a, ROW4(cmp)(row, ROW4(setzero)(), _CMP_EQ_OQ));
    return ROW4(blend)(changed, a, 8); /* the fourth */
}
static inline void row4_store(real_t *to, row4_t a) { ROW4(storeu)(to, a); }

#if IMPINGE_REAL_BITS == 32

static inline row8_t row8_load(const real_t *a) {
    row8_t row = ROW8(loadu)(a);
    KEEP(row);
    return row;
}
static inline void row8_add_times(real_t *to, row8_t row) {
    const row8_t a = row8_load(to);
    ROW8(storeu)(to, ROW8(add)(a, ROW8(mul)(FOURTH8(a), row)));
}
static inline void row8_sub_times(real_t *to, row8_t row) {
    const row8_t a = row8_load(to);
    ROW8(storeu)(to, ROW8(sub)(a, ROW8(mul)(FOURTH8(a), row)));
}
static inline void row8_add(real_t *to, row8_t row) {
    ROW8(storeu)(to, ROW8(add)(ROW8(loadu)(to), row));
}
static inline void row8_sub(real_t *to, row8_t row) {
    ROW8(storeu)(to, ROW8(sub)(ROW8(loadu)(to), row));
}
static inline row8_t row8_with(row8_t a, real_t by, row8_t row) {
    const row8_t sum = ROW8(add)(a, ROW8(mul)(ROW8(set1)(by), row));
    const row8_t changed = ROW8(blendv)(sum, a, ROW8(cmp)(row, ROW8(setzero)(), _CMP_EQ_OQ));
    return ROW8(blend)(changed, a, 0x88); /* the fourth and the eighth */
}
static inline void row8_store(real_t *to, row8_t a) { ROW8(storeu)(to, a); }
static inline bool row8_are_finite(row8_t a, row4_t b) {
    const row8_t four = _mm256_insertf128_ps(ROW8(setzero)(), ROW4(sub)(b, b), 0);
    const row8_t sum = ROW8(add)(ROW8(sub)(a, a), four);
    return ROW8(movemask)(ROW8(cmp)(sum, ROW8(setzero)(), _CMP_UNORD_Q)) == 0;
}
#undef ROW8
#undef FOURTH8

#else

#include "row4_twice.h"

#endif

#undef KEEP
#undef ROW4
#undef FOURTH4
#undef ROW_FOURTH

#endif
