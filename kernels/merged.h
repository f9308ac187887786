/* Outcomes of contacts that collide several times. */
#ifndef IMPINGE_KERNELS_MERGED_H
#define IMPINGE_KERNELS_MERGED_H

#include <impinge/outcome.h>

/*
 * The outcome of a contact that is resolved again: all bits that occurred, or the reason why it
 * never collided.
 */
static inline uint32_t merged(uint32_t before, uint32_t now) {
    if (!(before & IMPINGE_OUTCOME_GOT_IMPULSE)) return now;
    return now & IMPINGE_OUTCOME_GOT_IMPULSE ? before | now : before;
}

#endif
