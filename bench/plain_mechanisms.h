/** The baseline for mechanisms: a plain loop that factors the mass matrix. */
#ifndef BENCH_PLAIN_MECHANISMS_H
#define BENCH_PLAIN_MECHANISMS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Contacts without friction of mechanisms of n coordinates, one after the other: `mass` has the
 * lower triangle of M of each, row by row, `normal` the row of J along the normal, `speeds` qdot,
 * and `after` receives qdot after. One restitution for all. K33 alone is formed, with one solution
 * of M x = J_n where the library has three.
 */
void plain_mechanisms_f32(size_t count, size_t n, const float *mass, const float *normal,
                          const float *speeds, float restitution, float *after);
void plain_mechanisms_f64(size_t count, size_t n, const double *mass, const double *normal,
                          const double *speeds, double restitution, double *after);

#ifdef __cplusplus
}
#endif
#endif
