/**
 * The reference of the permissible region (Chatterjee and Ruina 1998, 3.2 and 4.1): each condition
 * as the paper has it, and the boundary by bisection of the region's own definition. Conventions
 * are those of <impinge/region.h>; a contact's restitution is read for impulse ratios only.
 */
#ifndef REFERENCE_REGION_H
#define REFERENCE_REGION_H

#include <stdbool.h>

#include "reference.h"

#define REFERENCE_REAL       double
#define REFERENCE_NAME(name) name##_double
#include "reference_region_real.inc"
#undef REFERENCE_NAME
#undef REFERENCE_REAL

#define REFERENCE_REAL       long double
#define REFERENCE_NAME(name) name##_long
#include "reference_region_real.inc"
#undef REFERENCE_NAME
#undef REFERENCE_REAL

#endif
