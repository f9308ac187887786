/** A number by which tests compare the bits of arrays. */
#ifndef DIGEST_BYTES_H
#define DIGEST_BYTES_H

#include <stddef.h>
#include <stdint.h>

/** Adds bytes to a digest, which begins with 0. */
static inline uint64_t digest_of(uint64_t digest, const void *bytes, size_t count) {
    const unsigned char *const byte = bytes;
    for (size_t i = 0; i < count; i++)
        digest = (digest ^ byte[i]) * UINT64_C(0x100000001b3);
    return digest ^ digest >> 29;
}

#endif
