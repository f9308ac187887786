/* The table of contacts' keys: open addresses, at least half of them empty. */
#ifndef IMPINGE_SOLVE_MATCH_SLOTS_H
#define IMPINGE_SOLVE_MATCH_SLOTS_H

#include <stddef.h>
#include <stdint.h>

/* A slot holds the number of a contact plus one, or 0. */
static inline size_t impinge_match_slots(size_t contacts) {
    size_t slots = 2;
    while (slots / 2 <= contacts)
        slots *= 2;
    return slots;
}

/* The slot: the upper bits of a product with the golden ratio (Knuth, 6.4). */
static inline size_t impinge_match_slot(uint64_t key, size_t slots) {
    key = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)((key ^ key >> 32) % slots);
}

#endif
