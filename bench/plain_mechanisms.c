#include "plain_mechanisms.h"

#include <math.h>

#include <impinge/mechanisms.h>

#if PLAIN_BITS == 32
typedef float real_t;
#define NAME(name) name##_f32
#define SQRT       sqrtf
#else
typedef double real_t;
#define NAME(name) name##_f64
#define SQRT       sqrt
#endif

enum { MOST = IMPINGE_COORDINATES_MAX };

/* M = L L^T, by rows of the lower triangle. */
static void factor(size_t n, const real_t *mass, real_t l[MOST][MOST]) {
    for (size_t i = 0; i < n; i++) {
        const real_t *const row = mass + i * (i + 1) / 2;
        for (size_t j = 0; j <= i; j++) {
            real_t sum = row[j];
            for (size_t k = 0; k < j; k++)
                sum -= l[i][k] * l[j][k];
            l[i][j] = i == j ? SQRT(sum) : sum / l[j][j];
        }
    }
}

/* y = L^-1 b */
static void forward(size_t n, const real_t l[MOST][MOST], const real_t *b, real_t *y) {
    for (size_t i = 0; i < n; i++) {
        real_t sum = b[i];
        for (size_t k = 0; k < i; k++)
            sum -= l[i][k] * y[k];
        y[i] = sum / l[i][i];
    }
}

/* x = L^-T y, in place of y; column by column, which are rows of L. */
static void backward(size_t n, const real_t l[MOST][MOST], real_t *y) {
    for (size_t i = n; i-- > 0;) {
        y[i] /= l[i][i];
        for (size_t k = 0; k < i; k++)
            y[k] -= l[i][k] * y[i];
    }
}

void NAME(plain_mechanisms)(size_t count, size_t n, const real_t *mass, const real_t *normal,
                            const real_t *speeds, real_t restitution, real_t *after) {
    const size_t triangle = n * (n + 1) / 2;
    for (size_t m = 0; m < count; m++) {
        const real_t *const j = normal + m * n;
        const real_t *const before = speeds + m * n;
        real_t *const to = after + m * n;
        real_t l[MOST][MOST], x[MOST];
        real_t u_n = 0, k33 = 0;
        factor(n, mass + m * triangle, l);
        forward(n, (const real_t(*)[MOST])l, j, x);
        for (size_t i = 0; i < n; i++) {
            u_n += j[i] * before[i];
            k33 += x[i] * x[i];
        }
        const real_t p = u_n < 0 ? -(1 + restitution) * u_n / k33 : 0;
        backward(n, (const real_t(*)[MOST])l, x);
        for (size_t i = 0; i < n; i++)
            to[i] = before[i] + p * x[i];
    }
}
