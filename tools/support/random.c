#include "random.h"

#include "splitmix.h"

uint64_t random_bits(uint64_t *state) { return splitmix64(state); }

double random_unit(uint64_t *state) { return (double)(random_bits(state) >> 11) * 0x1p-53; }

double random_positive(uint64_t *state) {
    return (double)((random_bits(state) >> 11) + 1) * 0x1p-53;
}

double random_between(uint64_t *state, double low, double high) {
    return low + (high - low) * random_positive(state);
}

unsigned random_below(uint64_t *state, unsigned n) { return (unsigned)(random_bits(state) % n); }

double random_bell(uint64_t *state) {
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_unit(state);
    return sum;
}
