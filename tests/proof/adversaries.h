/**
 * Generators of contacts that are hard for a law, as the proof program (prove.c) runs through them.
 * One more is one more line in adversaries.c: a name, its kinds, and a function that draws a
 * contact from a state, a kind and a law. Draws are legal contacts, but for singular ones.
 */
#ifndef ADVERSARIES_H
#define ADVERSARIES_H

#include <stddef.h>
#include <stdint.h>

#include "../batches.h"

typedef struct adversary {
    const char *name;
    size_t kinds;
    const char *const *kind_names;
    /**
     * Draws a contact of a kind, for a law.
     *
     * @param bits 32 or 64; with 32 the numbers must be exact as float
     * @param row zero at first; the inputs, in the order of batches.h
     */
    void (*draw)(uint64_t *state, size_t kind, impinge_law law, int bits,
                 double row[CONTACT_INPUTS]);
} adversary;

extern const adversary adversaries[];
extern const size_t adversary_count;

#endif
