/**
 * The kernels of `scalar` once more, compiled for CPUs with FMA: the portable ones call fma(),
 * which would make any vector target look better than it is. The source is the same and so are the
 * bits.
 */
#ifndef BENCH_SCALAR_FMA_H
#define BENCH_SCALAR_FMA_H

#include <stdbool.h>

#include "../kernels/table.h"

extern const impinge_kernels_f32 bench_kernels_scalar_fma_f32;
extern const impinge_kernels_f64 bench_kernels_scalar_fma_f64;

/** True if this CPU can run them. */
bool scalar_fma_runs(void);

#endif
