/** How fast memory is: a = b + s c, beyond every cache. */
#ifndef BENCH_TRIAD_H
#define BENCH_TRIAD_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes the arrays; to be freed by triad_end. */
void triad_begin(void);
void triad_end(void);

void triad_run(void);

/** Read and written by one run. What a cache reads before it writes is not counted. */
size_t triad_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
