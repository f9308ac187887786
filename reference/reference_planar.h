/**
 * The reference of planar contacts: the algorithm of Mirtich 1996, corrected, section 5, step by
 * step. Conventions are those of <impinge/planar.h>; x and y of the paper's contact frame are t and
 * n.
 */
#ifndef REFERENCE_PLANAR_H
#define REFERENCE_PLANAR_H

#include <stdbool.h>
#include <stdint.h>

#include <impinge/batch.h>

#include "reference.h"

#define REFERENCE_REAL       double
#define REFERENCE_NAME(name) name##_double
#include "reference_planar_real.inc"
#undef REFERENCE_NAME
#undef REFERENCE_REAL

#define REFERENCE_REAL       long double
#define REFERENCE_NAME(name) name##_long
#include "reference_planar_real.inc"
#undef REFERENCE_NAME
#undef REFERENCE_REAL

#endif
