/* Four numbers at once, as every x86-64 CPU with AVX has them. */
#ifndef IMPINGE_KERNELS_LANE_X86_ROW4_H
#define IMPINGE_KERNELS_LANE_X86_ROW4_H

#include <immintrin.h>

#include "../real.h"

static inline void row4_add(real_t *to, real_t by, const real_t *row) {
#if IMPINGE_REAL_BITS == 32
    const __m128 change = _mm_mul_ps(_mm_set1_ps(by), _mm_loadu_ps(row));
    _mm_storeu_ps(to, _mm_add_ps(_mm_loadu_ps(to), change));
#else
    const __m256d change = _mm256_mul_pd(_mm256_set1_pd(by), _mm256_loadu_pd(row));
    _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), change));
#endif
}

#endif
