#include "memory.h"

#include <stdio.h>
#include <stdlib.h>

void *allocated(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory) return memory;
    fprintf(stderr, "no memory for %zu elements of %zu bytes\n", count, size);
    exit(1);
}
