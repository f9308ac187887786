/* Bytes of a cache line that are tested together. */
#ifndef IMPINGE_KERNELS_LANE_BYTES_H
#define IMPINGE_KERNELS_LANE_BYTES_H

#include <stddef.h>
#include <stdint.h>

#if defined IMPINGE_TARGET_AVX512 || defined IMPINGE_TARGET_AVX2
#include <immintrin.h>
#endif

/* As many as a word has bits. */
#define BYTES_TESTED 64

/* Bit k is set if byte k is not zero. */
#if defined IMPINGE_TARGET_AVX512

static inline uint64_t nonzero_bytes(const uint8_t *a) {
    const __m512i bytes = _mm512_loadu_si512(a);
    return _mm512_test_epi8_mask(bytes, bytes);
}

#elif defined IMPINGE_TARGET_AVX2

static inline uint32_t zero_bytes32(const uint8_t *a) {
    const __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)a);
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256()));
}

static inline uint64_t nonzero_bytes(const uint8_t *a) {
    return ~(zero_bytes32(a) | (uint64_t)zero_bytes32(a + 32) << 32);
}

#else

static inline uint64_t nonzero_bytes(const uint8_t *a) {
    uint64_t bits = 0;
    for (size_t k = 0; k < BYTES_TESTED; k++)
        bits |= (uint64_t)(a[k] != 0) << k;
    return bits;
}

#endif

#endif
