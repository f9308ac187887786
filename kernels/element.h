/*
 * Elements of arrays: which of them a call takes, and where they are. With a stride, elements are
 * at every stride-th place; a stride of 0 in a struct means 1.
 */
#ifndef IMPINGE_KERNELS_ELEMENT_H
#define IMPINGE_KERNELS_ELEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Consecutive elements: those of a selection that has no order. */
typedef struct selected {
    size_t first, count;
} selected_t;

static inline bool is_selected(selected_t s, size_t i) { return i - s.first < s.count; }

/* The position of element i; a stride of 0 means 1. */
static inline size_t element(size_t i, size_t stride) { return stride == 0 ? i : i * stride; }

/*
 * The layout of a call's arrays. Loads and stores are compiled for CONTIGUOUS ones, and again for
 * AS_GIVEN ones, so that calls with contiguous columns do not read a stride for every contact.
 */
typedef enum layout { CONTIGUOUS, AS_GIVEN } layout_t;

/* The stride of a struct's member: 0 means 1. */
static inline size_t stride_of(layout_t layout, size_t stride) {
    return layout == CONTIGUOUS || stride == 0 ? 1 : stride;
}

static inline bool is_strided(size_t stride) { return stride > 1; }

/*
 * A column of a struct with its stride, and the three columns of a vector, as arguments: functions
 * that read and write columns take the stride first, so that a call without it does not compile.
 */
#define COLUMN_OF(layout, of, name) stride_of(layout, (of)->name##_stride), (of)->name
#define VECTOR_OF(layout, of, name)                                                                \
    stride_of(layout, (of)->name##_stride), (of)->name##_x, (of)->name##_y, (of)->name##_z

#endif
