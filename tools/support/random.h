/** Random numbers that are the same on every machine: no function of libm makes them. */
#ifndef TOOLS_RANDOM_H
#define TOOLS_RANDOM_H

#include <stdint.h>

/** 64 of them (splitmix.h); the state is any number. */
uint64_t random_bits(uint64_t *state);

/** Random numbers in [0, 1), and in (0, 1], with all 53 bits. */
double random_unit(uint64_t *state);
double random_positive(uint64_t *state);

double random_between(uint64_t *state, double low, double high);

/** 0 to n - 1 (to within n / 2^64 as probable as each other). */
unsigned random_below(uint64_t *state, unsigned n);

/**
 * Mean 0, variance 1: twelve uniform numbers less six. Its kurtosis is 0.1 below that of a normal
 * number, which collisions mend within a few per particle.
 */
double random_bell(uint64_t *state);

#endif
