/* Pointers that must or may be given. */
#ifndef IMPINGE_API_POINTERS_H
#define IMPINGE_API_POINTERS_H

#include <stddef.h>

/* The number of null pointers among `count`. */
static inline size_t count_null(const void *const *pointers, size_t count) {
    size_t nulls = 0;
    for (size_t i = 0; i < count; i++)
        nulls += !pointers[i];
    return nulls;
}

#define POINTERS(...)   ((const void *const[]){__VA_ARGS__})
#define COUNT_OF(...)   (sizeof POINTERS(__VA_ARGS__) / sizeof(void *))
#define COUNT_NULL(...) count_null(POINTERS(__VA_ARGS__), COUNT_OF(__VA_ARGS__))
#define ANY_NULL(...)   (COUNT_NULL(__VA_ARGS__) > 0)
#define ANY_GIVEN(...)  (COUNT_NULL(__VA_ARGS__) < COUNT_OF(__VA_ARGS__))

/* True if only some of the pointers are given. */
#define SOME_LACK(...) (ANY_GIVEN(__VA_ARGS__) && ANY_NULL(__VA_ARGS__))

#endif
