/*
 * Sets of bodies by pages of consecutive ones: whether two may have a body in common.
 */
#ifndef IMPINGE_SOLVE_PAGES_H
#define IMPINGE_SOLVE_PAGES_H

#include "../kernels/rest/particle_step.h"

/* Bodies of a page are 2^shift. */
static inline unsigned page_shift(const NAME(impinge_particle_step_state) * w) {
    unsigned shift = 0;
    while (w->bodies >> shift >= PAGES)
        shift++;
    return shift;
}

static inline void add_page(uint64_t *pages, size_t page) {
    pages[page / 64] |= UINT64_C(1) << page % 64;
}

static inline void add_pages(uint64_t *to, const uint64_t *from) {
    for (size_t k = 0; k < PAGE_WORDS; k++)
        to[k] |= from[k];
}

static inline bool share_pages(const uint64_t *a, const uint64_t *b) {
    uint64_t both = 0;
    for (size_t k = 0; k < PAGE_WORDS; k++)
        both |= a[k] & b[k];
    return both != 0;
}

#endif
