#include "triad.h"

#include <stdlib.h>

#include "memory.h"

/* 64 MiB an array. */
#define ELEMENTS ((size_t)1 << 24)

static float *a, *b, *c;

/* Written once: memory that was only reserved is one page of zeros, which every cache holds. */
static float *array_of(float value) {
    float *array = allocated(ELEMENTS, sizeof *array);
    for (size_t i = 0; i < ELEMENTS; i++)
        array[i] = value;
    return array;
}

void triad_begin(void) {
    a = array_of(0);
    b = array_of(1);
    c = array_of(2);
}

void triad_end(void) {
    free(a);
    free(b);
    free(c);
}

static void triad(float *restrict to, const float *restrict from, float s,
                  const float *restrict times) {
    for (size_t i = 0; i < ELEMENTS; i++)
        to[i] = from[i] + s * times[i];
}

void triad_run(void) { triad(a, b, 3, c); }

size_t triad_bytes(void) { return 3 * ELEMENTS * sizeof *a; }
