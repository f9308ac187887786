/* Parts of a caller's workspace, one after the other; or only their sizes. */
#ifndef IMPINGE_SOLVE_CARVING_H
#define IMPINGE_SOLVE_CARVING_H

#include <stddef.h>
#include <stdint.h>

/*
 * The size of a cache line: lanes are aligned to it, and threads that write to different parts
 * share no line.
 */
#define CARVING_LINE 64

typedef struct carving {
    char *at; /* null: only measured */
    size_t size;
} carving_t;

/* The distance of the first cache line in a workspace from its beginning. */
static inline size_t carving_skips(const void *workspace) {
    return (CARVING_LINE - (uintptr_t)workspace % CARVING_LINE) % CARVING_LINE;
}

/* The workspace from its first cache line on: it has CARVING_LINE bytes more than its parts. */
static inline carving_t carving_aligned(void *workspace) {
    return (carving_t){(char *)workspace + carving_skips(workspace), 0};
}

/* Each part begins a cache line, counted from the beginning. */
static inline void *carve(carving_t *c, size_t count, size_t element) {
    void *const part = c->at ? c->at + c->size : NULL;
    c->size += (count * element + CARVING_LINE - 1) / CARVING_LINE * CARVING_LINE;
    return part;
}

#endif
