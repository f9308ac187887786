/**
 * Random numbers that are the same on every machine: no function of libm makes them. All of it is
 * in this header, for programs that are built alone (tests/cross).
 */
#ifndef TOOLS_RANDOM_H
#define TOOLS_RANDOM_H

#include <stdint.h>

/** 64 random bits: splitmix64 (Steele, Lea and Flood 2014). The state is any number. */
static inline uint64_t random_bits(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/** Random numbers in [0, 1), and in (0, 1], with all 53 bits. */
static inline double random_unit(uint64_t *state) {
    return (double)(random_bits(state) >> 11) * 0x1p-53;
}

static inline double random_positive(uint64_t *state) {
    return (double)((random_bits(state) >> 11) + 1) * 0x1p-53;
}

static inline double random_between(uint64_t *state, double low, double high) {
    return low + (high - low) * random_positive(state);
}

/** 0 to n - 1 (to within n / 2^64 as probable as each other). */
static inline unsigned random_below(uint64_t *state, unsigned n) {
    return (unsigned)(random_bits(state) % n);
}

/**
 * Mean 0, variance 1: twelve uniform numbers less six. Its kurtosis is 0.1 below that of a normal
 * number, which collisions mend within a few per particle.
 */
static inline double random_bell(uint64_t *state) {
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_unit(state);
    return sum;
}

#endif
