#include "world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *resized(void *old, size_t count, size_t size) {
    void *const memory = realloc(old, count * size + 1);
    if (!memory || size == SIZE_MAX) {
        fputs("world: out of memory\n", stderr);
        abort();
    }
    return memory;
}

#define REAL       float
#define NAME(name) name##_f32
#include "world_real.inc"
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#include "world_real.inc"
