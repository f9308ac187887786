/**
 * The reference of two rigid bodies without friction: the formulas of Hakenberg, with its names and
 * signs. The normal points away from body 1, so that body 1 is our B and body 2 our A; lambda is
 * the impulse on body 2 along the normal.
 */
#ifndef REFERENCE_ELASTIC_H
#define REFERENCE_ELASTIC_H

#define REFERENCE_REAL       double
#define REFERENCE_NAME(name) name##_double
#include "reference_elastic_real.inc"
#undef REFERENCE_NAME
#undef REFERENCE_REAL

#define REFERENCE_REAL       long double
#define REFERENCE_NAME(name) name##_long
#include "reference_elastic_real.inc"
#undef REFERENCE_NAME
#undef REFERENCE_REAL

#endif
