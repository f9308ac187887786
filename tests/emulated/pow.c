/*
 * SLEEF's powers for AVX-512, a lane at a time by those for scalars: the library's own need a CPU
 * that has it. Compiled as the emulated kernels are, so that both pass 64-byte vectors alike.
 */
#include "avx512.h"

float Sleef_finz_powf1_u10purecfma(float a, float b);
double Sleef_finz_powd1_u10purecfma(double a, double b);
__m512 Sleef_finz_powf16_u10avx512f(__m512 a, __m512 b);
__m512d Sleef_finz_powd8_u10avx512f(__m512d a, __m512d b);

__m512 Sleef_finz_powf16_u10avx512f(__m512 a, __m512 b) {
    float x[16];
    float y[16];
    _mm512_storeu_ps(x, a);
    _mm512_storeu_ps(y, b);
    for (int i = 0; i < 16; ++i) {
        x[i] = Sleef_finz_powf1_u10purecfma(x[i], y[i]);
    }
    return _mm512_loadu_ps(x);
}

__m512d Sleef_finz_powd8_u10avx512f(__m512d a, __m512d b) {
    double x[8];
    double y[8];
    _mm512_storeu_pd(x, a);
    _mm512_storeu_pd(y, b);
    for (int i = 0; i < 8; ++i) {
        x[i] = Sleef_finz_powd1_u10purecfma(x[i], y[i]);
    }
    return _mm512_loadu_pd(x);
}
