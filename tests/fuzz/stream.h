/** The bytes of a fuzzed input, taken in order; zeros behind its end. */
#ifndef FUZZ_STREAM_H
#define FUZZ_STREAM_H

#include <stddef.h>
#include <stdint.h>

typedef struct stream {
    const uint8_t *data;
    size_t size;
} stream;

static inline uint8_t take_byte(stream *s) {
    if (s->size == 0) return 0;
    s->size--;
    return *s->data++;
}

#endif
