/** Memory that the benchmark cannot do without. */
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include <stddef.h>

/** Zeroed; exits with a message if there is none. To be freed by free. */
void *allocated(size_t count, size_t size);

#endif
