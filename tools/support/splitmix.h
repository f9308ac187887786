/** Steele, Lea and Flood's splitmix64 (2014): for programs that are built alone, by one include. */
#ifndef TOOLS_SPLITMIX_H
#define TOOLS_SPLITMIX_H

#include <stdint.h>

/** 64 random bits; the state is any number. */
static inline uint64_t splitmix64(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#endif
