/** Numbers from the environment: seeds, and counts of trials. */
#ifndef ASKED_FOR_H
#define ASKED_FOR_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/** The number in a variable of the environment, such as 1e6; `otherwise` if there is none. */
static inline size_t number_from(const char *name, size_t otherwise) {
    const char *const text = getenv(name);
    return text ? (size_t)strtod(text, NULL) : otherwise;
}

/** Seeds of tests are below it, so that those of two IMPINGE_SEEDs do not meet. */
enum { SEEDS_OF_TESTS = 1 << 20 };

/** A test's usual seed, or its seed for another IMPINGE_SEED than 1. */
static inline uint64_t seed_from(uint64_t usual) {
    return usual + (number_from("IMPINGE_SEED", 1) - 1) * SEEDS_OF_TESTS;
}

#endif
