/*
 * The element type. Every kernel source is compiled once with IMPINGE_REAL_BITS=32 and once
 * with 64.
 */
#ifndef IMPINGE_KERNELS_REAL_H
#define IMPINGE_KERNELS_REAL_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "arithmetic.h"

#if IMPINGE_REAL_BITS == 32
typedef float real_t;
typedef uint32_t real_bits_t;
#define NAME(name)      name##_f32
#define REAL(literal)   literal##f
#define REAL_MAX        FLT_MAX
#define REAL_MIN        FLT_MIN
#define REAL_UNIT       (FLT_EPSILON / 2) /* the unit of rounding */
#define HALF_PRECISION  0x1p-12f          /* the square root of the unit of rounding */
#define THIRD_PRECISION 0x1p-8f           /* its cube root */
#define MANTISSA_BITS   23
#define EXPONENT_BIAS   127
#elif IMPINGE_REAL_BITS == 64
typedef double real_t;
typedef uint64_t real_bits_t;
#define NAME(name)      name##_f64
#define REAL(literal)   literal
#define REAL_MAX        DBL_MAX
#define REAL_MIN        DBL_MIN
#define REAL_UNIT       (DBL_EPSILON / 2)
#define HALF_PRECISION  0x1p-26
#define THIRD_PRECISION 0x1p-17
#define MANTISSA_BITS   52
#define EXPONENT_BIAS   1023
#else
#error "IMPINGE_REAL_BITS must be 32 or 64"
#endif

/*
 * For functions that are written once and compiled for each use, so that a use's constants fold:
 * coefficients that a law lacks, tests of them, calls by pointer.
 */
#define INLINE static inline __attribute__((always_inline))

/* A function with a stack frame of its own, so that its variables are not in its caller's frame. */
#define APART __attribute__((noinline))

#endif
