/** The most multiply-adds that one core does, per target and element type. */
#ifndef BENCH_PEAK_H
#define BENCH_PEAK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peak_kernel {
    const char *target;
    const char *precision;
    /** Does chains of dependent multiply-adds, side by side. */
    void (*run)(size_t rounds);
    /** Floating-point operations of one round; a multiply-add is two. */
    size_t flops;
} peak_kernel;

/** The peak kernels that this CPU can run. */
size_t peak_count(void);
/** Call peak_count first. */
const peak_kernel *peak_get(size_t i);

#ifdef __cplusplus
}
#endif
#endif
