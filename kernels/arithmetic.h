/*
 * What the library's arithmetic requires of the compiler. Results are defined to the last bit, and
 * invalid input is found by comparisons with NaN and infinity: options that let a compiler reorder
 * sums, assume that there are no NaN, or keep results wider than their type, give other bits on
 * every target and lose the `invalid` outcomes. Such a build stops here, with the reason.
 *
 * GCC defines a macro for each of these options. Clang does for -ffast-math and -ffinite-math-only,
 * but not for -funsafe-math-optimizations and its parts: the top meson.build refuses those by name.
 * This concerns only the library's own sources; programs that use it may be compiled with any
 * options.
 */
#ifndef IMPINGE_KERNELS_ARITHMETIC_H
#define IMPINGE_KERNELS_ARITHMETIC_H

#include <float.h>

#if defined __FAST_MATH__
#error "Impinge: -ffast-math and -Ofast change results and lose invalid outcomes; use -O2 or -O3"
#endif
#if defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__ != 0
#error "Impinge: -ffinite-math-only loses invalid outcomes, which are comparisons with NaN"
#endif
#if defined __ASSOCIATIVE_MATH__ || defined __RECIPROCAL_MATH__
#error "Impinge: -fassociative-math and -freciprocal-math change results"
#endif
#if defined __NO_SIGNED_ZEROS__
#error "Impinge: -fno-signed-zeros changes results"
#endif

/* Each operation rounds to its own type: not so on the x87, nor in some modes of other CPUs. */
#if !defined FLT_EVAL_METHOD || FLT_EVAL_METHOD != 0
#if defined __i386__
#error "Impinge: x87 arithmetic rounds otherwise (FLT_EVAL_METHOD); add -msse2 -mfpmath=sse"
#else
#error "Impinge: FLT_EVAL_METHOD has to be 0: float and double computed in their own precision"
#endif
#endif

/* IEEE 754's binary32 and binary64, and literals without a suffix that are double. */
_Static_assert(FLT_RADIX == 2 && FLT_MANT_DIG == 24 && FLT_MAX_EXP == 128 && FLT_MIN_EXP == -125 &&
                   DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024 && DBL_MIN_EXP == -1021,
               "Impinge: float and double have to be IEEE 754's binary32 and binary64");
_Static_assert(sizeof 1.0 == sizeof(double),
               "Impinge: -fsingle-precision-constant changes results");

#endif
