/** The speed of memory: a = b + s c, beyond every cache. */
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

/** Bytes read and written by one run. Reads of a cache before a write are not counted. */
size_t triad_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
