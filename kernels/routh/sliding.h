/*
 * The interface of sliding for the other kernels of a target. It is compiled separately (slide.c),
 * with lanes of the width that is fastest for it, and shares only the ring with them.
 */
#ifndef IMPINGE_KERNELS_ROUTH_SLIDING_H
#define IMPINGE_KERNELS_ROUTH_SLIDING_H

#include "../names.h"
#include "ring.h"

#define KERNEL_ROUTH KERNEL_NAME(impinge_kernels_routh_, LANE_TARGET, IMPINGE_REAL_BITS)

/* A step of some of the contacts under way. */
void KERNEL_ROUTH(ring_t *ring, const routh_options_t *law);

#endif
