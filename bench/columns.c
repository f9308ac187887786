#include "columns.h"

#include <stdint.h>
#include <stdlib.h>

#include "memory.h"

#if defined __SSE2__
#include <immintrin.h>
#endif

/* Each column has two million numbers in whole lines, as in the set "memory". */
enum { LINE = 16, LINES = 125000 };

/* As wide as this CPU stores past its caches at once. */
#if defined __AVX512F__
enum { BYTES = 64 };
#define STREAM(to, a) _mm512_stream_ps((float *)(to), (__m512)(a))
#elif defined __SSE2__
enum { BYTES = 16 };
#define STREAM(to, a) _mm_stream_ps((float *)(to), (__m128)(a))
#else
enum { BYTES = 16 };
#define STREAM(to, a) (*(to) = (a))
#endif

typedef float part __attribute__((vector_size(BYTES), may_alias));
enum { PARTS = 64 / BYTES }; /* of a line */

static float *memory[2], *column[2 * COLUMNS_MOST];

/*
 * Written once. Columns of one kind stand one after the other, as those of a batch do
 * (tests/batches.h): were each allocated alone, all would begin at the same place of a page, and
 * their streams would take up to half as long again.
 */
void columns_begin(void) {
    const size_t elements = (size_t)LINE * LINES;
    for (size_t kind = 0; kind < 2; kind++) {
        memory[kind] = allocated(COLUMNS_MOST * elements + LINE, sizeof *memory[kind]);
        const size_t first = (LINE - (uintptr_t)memory[kind] / sizeof(float) % LINE) % LINE;
        for (size_t c = 0; c < COLUMNS_MOST; c++)
            column[kind * COLUMNS_MOST + c] = memory[kind] + first + c * elements;
        for (size_t i = 0; i < COLUMNS_MOST * elements; i++)
            memory[kind][first + i] = 1;
    }
}

void columns_end(void) {
    for (size_t kind = 0; kind < 2; kind++)
        free(memory[kind]);
}

/* Read, and of no further use. */
static inline void drop(part a) { __asm__ volatile("" : : "m"(a)); }

static inline __attribute__((always_inline)) void line(size_t i, size_t in, size_t out,
                                                       bool streaming) {
    for (size_t c = 0; c < in; c++) {
        const part *const from = (const part *)(const void *)(column[c] + i);
        part *const to = (part *)(void *)(column[COLUMNS_MOST + c] + i);
        for (size_t k = 0; k < PARTS; k++) {
            if (c >= out)
                drop(from[k]);
            else if (streaming)
                STREAM(to + k, from[k]);
            else
                to[k] = from[k];
        }
    }
}

void columns_run(size_t in, size_t out, bool streaming) {
    for (size_t i = 0; i < (size_t)LINE * LINES; i += LINE) {
        if (streaming)
            line(i, in, out, true);
        else
            line(i, in, out, false);
    }
#if defined __SSE2__
    _mm_sfence();
#endif
}

size_t columns_bytes(size_t in, size_t out) {
    return (in + out) * (size_t)LINE * LINES * sizeof(float);
}
