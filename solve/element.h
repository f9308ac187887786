/* Arrays whose elements may stand apart. */
#ifndef IMPINGE_SOLVE_ELEMENT_H
#define IMPINGE_SOLVE_ELEMENT_H

#include <stddef.h>

/* The position of element i; a stride of 0 stands for 1. */
static inline size_t element(size_t i, size_t stride) { return stride == 0 ? i : i * stride; }

#endif
