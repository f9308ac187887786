/*
 * Routh's law: sliding, one target's for one element type.
 *
 * With AVX-512, lanes are one register here. Two chains of dependent operations side by side would
 * hide the latency of either, but a series has hundreds of numbers: with one register there are
 * enough of them, and more vectors are full (docs/speed-routh.md).
 */
#ifdef IMPINGE_TARGET_AVX512
#define REGISTERS_PER_LANES 1
#endif
#include "slide.h"
#include "sliding.h"

void KERNEL_ROUTH(ring_t *ring, const routh_options_t *law) { slide_step(ring, law); }
