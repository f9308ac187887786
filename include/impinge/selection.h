/** The elements of its arrays that a call takes. */
#ifndef IMPINGE_SELECTION_H
#define IMPINGE_SELECTION_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Some of the elements that a struct describes: contacts, bodies, particles, islands. In every call
 * it is the argument after that struct. A null pointer stands for all, 0 to count - 1 of the
 * struct. Results are at the numbers of the elements, whatever the selection is, and no bit of them
 * depends on it: threads share out a call by a selection each.
 *
 * IMPINGE_ERROR_COUNT: first + count overflows, or exceeds the count of the struct (or, with
 * `order`, the number of elements that an array can have). An empty selection (count = 0) is legal
 * as long as `first` is no larger than the count of the struct.
 */
typedef struct impinge_selection {
    size_t first; /**< the first element, or the first element of `order` */
    size_t count; /**< how many */
    /**
     * Null: elements first to first + count - 1. Otherwise the elements that order[first] to
     * order[first + count - 1] number, taken one after the other. No number may occur twice;
     * numbers that are not below the count of the struct are skipped and count as invalid. Only
     * for calls whose documentation says so; others return IMPINGE_ERROR_ARGUMENT.
     */
    const uint32_t *order;
} impinge_selection;

#ifdef __cplusplus
}
#endif
#endif
