/** The elements of its arrays that a call uses. */
#ifndef IMPINGE_SELECTION_H
#define IMPINGE_SELECTION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A subset of the elements that a struct describes: contacts, bodies, particles, islands. In every
 * call it is the argument after that struct. Null: all. Output i always belongs to element i, and
 * results of one element do not depend on which others are selected. Calls that add up do so in the
 * order of the selection. To split a call among threads, give each thread a selection of its own.
 *
 * IMPINGE_ERROR_COUNT: first + count overflows, or exceeds the count of the struct (or, with
 * `order`, the number of elements that an array can have). An empty selection (count = 0) is legal
 * as long as `first` is no larger than the count of the struct.
 */
typedef struct impinge_selection {
    size_t first; /**< the first element, or the first element of `order` */
    size_t count; /**< how many */
    /**
     * Null: elements first to first + count - 1. Otherwise the elements whose indices are
     * order[first] to order[first + count - 1], in this order. No index may occur twice; an index
     * out of range is skipped (and counted as invalid by calls with a report). Only for calls whose
     * documentation says that an order is taken; others return IMPINGE_ERROR_ARGUMENT.
     */
    const uint32_t *order;
} impinge_selection;

#ifdef __cplusplus
}
#endif
#endif
