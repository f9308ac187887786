/**
 * The speed of memory for the laws in closed form: a loop that reads and writes as many columns of
 * numbers as a law, side by side, without any arithmetic. It is the upper bound of a law's speed
 * beyond the caches; a triad of three arrays is not, because fewer columns are less work for a
 * memory controller.
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
