/** The numbers by which scenes draw bodies. */
#ifndef SCENES_DRAWN_H
#define SCENES_DRAWN_H

#include <stdint.h>

/**
 * In [0, 1), the same everywhere. Knuth's linear congruential generator, and not splitmix as
 * elsewhere: the figures of docs/stepping.md and docs/engines.md were measured on the boxes that it
 * draws.
 */
static inline double drawn(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

#endif
