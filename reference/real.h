/*
 * The type of the numbers and what depends on it. Included once per object file, by double.c and
 * long_double.c, which say which of the two they are.
 */
#ifndef REFERENCE_REAL_H
#define REFERENCE_REAL_H

#include <float.h>
#include <tgmath.h>

#include "reference.h"

#ifdef REFERENCE_LONG
typedef long double REAL;
#define NAME(name) name##_long
/*
 * If long double is wider than 64 bits, the extrapolation still stops at the rounding of 64 bits.
 */
#define ROUNDING ((REAL)(LDBL_EPSILON > 1e-19L ? LDBL_EPSILON : 1e-19L))
/*
 * The error estimate is that of the second-best column; the best is better by a factor of 50 and
 * more. So the tolerance may be some units of rounding, below which the estimate cannot fall
 * anyway: extrapolation multiplies rounding by about ten.
 */
#define STEP_TOLERANCE (64 * ROUNDING)
/* Order 2 x 10 is about the cheapest for 19 digits; two more rows for steps that turn out hard. */
#define ROWS        12
#define ROWS_WANTED 10
#else
typedef double REAL;
#define NAME(name)     name##_double
#define ROUNDING       ((REAL)DBL_EPSILON)
/* As above. */
#define STEP_TOLERANCE (64 * ROUNDING)
/* Order 2 x 8 is about the cheapest for 15 digits. */
#define ROWS           10
#define ROWS_WANTED    8
#endif

typedef NAME(reference_contact) contact_type;
typedef NAME(reference_result) result_type;
typedef NAME(reference_point) point_type;
typedef NAME(reference_visitor) visitor_type;
typedef NAME(reference_body) body_type;
typedef NAME(reference_frame) frame_type;

#endif
