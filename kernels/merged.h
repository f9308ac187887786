/* Outcomes and works of contacts that collide several times. */
#ifndef IMPINGE_KERNELS_MERGED_H
#define IMPINGE_KERNELS_MERGED_H

#include <stddef.h>

#include <impinge/outcome.h>

#include "real.h"

/*
 * The outcome of a contact that is resolved again: all bits that occurred, or the reason why it
 * never collided.
 */
static inline uint32_t merged(uint32_t before, uint32_t now) {
    if (!(before & IMPINGE_OUTCOME_GOT_IMPULSE)) return now;
    return now & IMPINGE_OUTCOME_GOT_IMPULSE ? before | now : before;
}

/*
 * The work of two collisions: of compression (kind 0), restitution and friction. Where works do not
 * fit the precision, a sum of infinite ones may have no value: it is infinite, like one that does
 * not fit itself (response.h).
 */
static inline real_t sum_of_works(real_t a, real_t b, size_t kind) {
    const real_t sum = a + b;
    if (sum == sum) return sum;
    return kind == 1 ? (real_t)INFINITY : -(real_t)INFINITY;
}

#endif
