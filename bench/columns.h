/**
 * How fast memory is to the laws in closed form: it reads and writes as many columns of numbers as
 * they have, side by side, without any arithmetic. It bounds the speed of a law beyond the caches;
 * a triad of three arrays is not, since fewer columns are less work to a memory controller.
 */
#ifndef BENCH_COLUMNS_H
#define BENCH_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most columns of either kind. */
#define COLUMNS_MOST 16

/** Makes the arrays; to be freed by columns_end. */
void columns_begin(void);
void columns_end(void);

/**
 * Reads `in` columns and writes `out` of them to as many others.
 *
 * @param streaming if true, lines are written past the caches, provided the compiler supports it;
 * otherwise they are read before they are written
 */
void columns_run(size_t in, size_t out, bool streaming);

/** Bytes read and written by one run. Reads of a cache before a write are not counted. */
size_t columns_bytes(size_t in, size_t out);

#ifdef __cplusplus
}
#endif
#endif
