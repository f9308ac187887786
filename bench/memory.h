/** Memory: without it the benchmark ends. */
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include <stddef.h>

/** Allocates zeroed memory, or exits with a message. Release it with free. */
void *allocated(size_t count, size_t size);

#endif
