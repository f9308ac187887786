/* The entry points of judging impulses. */
#include "call.h"

/* There is nothing to integrate: any that is legal. */
#define NO_TOLERANCE 1e-6

#define IMPINGE_REAL       float
#define IMPINGE_NAME(name) name##_f32
#define IMPINGE_TABLE      f32
#include "region_real.inc"
#undef IMPINGE_TABLE
#undef IMPINGE_NAME
#undef IMPINGE_REAL

#define IMPINGE_REAL       double
#define IMPINGE_NAME(name) name##_f64
#define IMPINGE_TABLE      f64
#include "region_real.inc"
