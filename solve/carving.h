/* Parts of a caller's workspace, one after the other; or only their sizes. */
#ifndef IMPINGE_SOLVE_CARVING_H
#define IMPINGE_SOLVE_CARVING_H

#include <stddef.h>

/* A cache line: lanes are aligned in it, and threads that write to different parts share none. */
#define CARVING_LINE 64

typedef struct carving {
    char *at; /* null: only measured */
    size_t size;
} carving_t;

/* Each part begins a cache line, counted from the beginning. */
static inline void *carve(carving_t *c, size_t count, size_t element) {
    void *const part = c->at ? c->at + c->size : NULL;
    c->size += (count * element + CARVING_LINE - 1) / CARVING_LINE * CARVING_LINE;
    return part;
}

#endif
