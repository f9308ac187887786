/** Random numbers that are the same on every machine: no function of libm makes them. */
#ifndef TOOLS_RANDOM_H
#define TOOLS_RANDOM_H

#include <stdint.h>

/** Steele, Lea and Flood's splitmix64 (2014); the state is any number. */
uint64_t random_bits(uint64_t *state);

/** In [0, 1), all 53 bits. */
double random_unit(uint64_t *state);

/** Below `limit`, which is at least 1 (to within limit / 2^64 as probable as the others). */
uint64_t random_below(uint64_t *state, uint64_t limit);

/**
 * Mean 0, variance 1: twelve uniform numbers less six. Its kurtosis is 0.1 below that of a normal
 * number, which collisions mend within a few per particle.
 */
double random_bell(uint64_t *state);

#endif
