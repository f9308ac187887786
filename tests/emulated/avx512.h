/*
 * AVX-512 on a CPU that has only AVX2, so that the source of lane/avx512.h and the kernels over it
 * run in every test. Included before all else (-include): SIMDe defines the intrinsics by halves
 * that AVX2 and FMA compute, and only then is the compiler's word on the target overruled. Its own
 * immintrin.h has been read by then, and included again gives nothing.
 */
#ifndef IMPINGE_TESTS_EMULATED_AVX512_H
#define IMPINGE_TESTS_EMULATED_AVX512_H

#pragma GCC system_header /* SIMDe's warnings are not ours. */

#if !defined(__AVX2__) || !defined(__FMA__)
#error "needs -mavx2 -mfma: without FMA, SIMDe rounds a multiply-add twice"
#endif
#ifdef __AVX512F__
#error "must be compiled without -mavx512*: it is to run where there is none"
#endif

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>

/* Operations that SIMDe 0.7.4 lacks, each as Intel defines it. */

static inline __m512 emulated_cvtepi32_ps(__m512i a) {
    simde__m512i_private from = simde__m512i_to_private(a);
    simde__m512_private to;
    for (int i = 0; i < 2; ++i) {
        to.m256[i] = _mm256_cvtepi32_ps(from.m256i[i]);
    }
    return simde__m512_from_private(to);
}

static inline __m512i emulated_cvttps_epi32(__m512 a) {
    simde__m512_private from = simde__m512_to_private(a);
    simde__m512i_private to;
    for (int i = 0; i < 2; ++i) {
        to.m256i[i] = _mm256_cvttps_epi32(from.m256[i]);
    }
    return simde__m512i_from_private(to);
}

static inline __m512d emulated_cvtepi64_pd(__m512i a) {
    simde__m512i_private from = simde__m512i_to_private(a);
    simde__m512d_private to;
    for (int i = 0; i < 8; ++i) {
        to.f64[i] = (double)from.i64[i];
    }
    return simde__m512d_from_private(to);
}

static inline __m512i emulated_cvtepu32_epi64(__m256i a) {
    simde__m256i_private from = simde__m256i_to_private(a);
    simde__m512i_private to;
    for (int i = 0; i < 8; ++i) {
        to.u64[i] = from.u32[i];
    }
    return simde__m512i_from_private(to);
}

/* Two quarters of a and two of b, as the pairs of bits of `which` say. */
static inline __m512 emulated_shuffle_quarters(__m512 a, __m512 b, int which) {
    simde__m512_private from[2] = {simde__m512_to_private(a), simde__m512_to_private(b)};
    simde__m512_private to;
    for (int i = 0; i < 4; ++i) {
        to.m128[i] = from[i / 2].m128[which >> 2 * i & 3];
    }
    return simde__m512_from_private(to);
}

/* Lanes that the mask has not are neither read nor written. */
#define EMULATED_MASKED(type, private, member, number, width, ps)                                  \
    static inline type emulated_maskz_loadu_##ps(unsigned mask, const void *from) {                \
      private                                                                                      \
        to = {0};                                                                                  \
        for (size_t i = 0; i < (width); ++i) {                                                     \
            if (mask >> i & 1)                                                                     \
                memcpy(&to.member[i], (const char *)from + i * sizeof(number), sizeof(number));    \
        }                                                                                          \
        return simde##type##_from_private(to);                                                     \
    }                                                                                              \
    static inline void emulated_mask_storeu_##ps(void *to, unsigned mask, type a) {                \
        const private from = simde##type##_to_private(a);                                          \
        for (size_t i = 0; i < (width); ++i) {                                                     \
            if (mask >> i & 1)                                                                     \
                memcpy((char *)to + i * sizeof(number), &from.member[i], sizeof(number));          \
        }                                                                                          \
    }
EMULATED_MASKED(__m512, simde__m512_private, f32, float, 16, ps)
EMULATED_MASKED(__m512d, simde__m512d_private, f64, double, 8, pd)

EMULATED_MASKED(__m512i, simde__m512i_private, i32, int32_t, 16, epi32)

/* Half as many words beside numbers of f64. */
static inline void emulated_mask_storeu_half(void *to, unsigned mask, __m256i a) {
    const simde__m256i_private from = simde__m256i_to_private(a);
    for (size_t i = 0; i < 8; ++i) {
        if (mask >> i & 1) memcpy((char *)to + 4 * i, &from.i32[i], 4);
    }
}

#define _mm512_mask_storeu_epi32(to, m, a) emulated_mask_storeu_epi32(to, m, a)
#define _mm256_mask_storeu_epi32(to, m, a) emulated_mask_storeu_half(to, m, a)
#define _mm512_maskz_loadu_ps(m, a)        emulated_maskz_loadu_ps(m, a)
#define _mm512_maskz_loadu_pd(m, a)        emulated_maskz_loadu_pd(m, a)
#define _mm512_mask_storeu_ps(to, m, a)    emulated_mask_storeu_ps(to, m, a)
#define _mm512_mask_storeu_pd(to, m, a)    emulated_mask_storeu_pd(to, m, a)
#define _mm512_cvtepi32_ps(a)              emulated_cvtepi32_ps(a)
#define _mm512_cvttps_epi32(a)             emulated_cvttps_epi32(a)
#define _mm512_cvtepi64_pd(a)              emulated_cvtepi64_pd(a)
#define _mm512_cvtepu32_epi64(a)           emulated_cvtepu32_epi64(a)
#define _mm512_shuffle_f32x4(a, b, w)      emulated_shuffle_quarters(a, b, w)
#define _mm512_shuffle_f64x2(a, b, w)                                                              \
    _mm512_castps_pd(emulated_shuffle_quarters(_mm512_castpd_ps(a), _mm512_castpd_ps(b), w))
#define _mm512_stream_ps(to, a)       _mm512_storeu_ps(to, a)
#define _mm512_stream_pd(to, a)       _mm512_storeu_pd(to, a)
#define _mm512_stream_si512(to, a)    _mm512_storeu_si512(to, a)
#define _mm256_maskz_set1_epi32(k, a) simde_mm256_maskz_mov_epi32(k, _mm256_set1_epi32(a))

#define __AVX512F__  1
#define __AVX512DQ__ 1
#define __AVX512BW__ 1
#define __AVX512VL__ 1

/*
 * SLEEF's own powers for AVX-512 need a CPU that has it; those of pow.c do not. Another name, so
 * that a program may hold both.
 */
#define Sleef_finz_powf16_u10avx512f emulated_powf16
#define Sleef_finz_powd8_u10avx512f  emulated_powd8

#endif
