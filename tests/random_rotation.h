/** A random rotation, for generators of contacts. */
#ifndef RANDOM_ROTATION_H
#define RANDOM_ROTATION_H

#include <stdint.h>
#include <string.h>

#include "../tools/support/random.h"

static inline double random_signed(uint64_t *state) { return random_between(state, -1, 1); }

/** That of a quaternion of any length, exact but for roundings. */
static inline void random_rotation(uint64_t *state, double r[3][3]) {
    const double x = random_signed(state), y = random_signed(state), z = random_signed(state);
    const double w = random_positive(state) + 0x1p-10; /* so that the length is not 0 */
    const double s = 2 / (w * w + x * x + y * y + z * z);
    const double rotation[3][3] = {
        {1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
        {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
        {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)},
    };
    memcpy(r, rotation, sizeof rotation);
}

#endif
