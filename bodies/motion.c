/* How bodies move at contacts, one contact at a time: approach velocities, and impulses applied. */
#include "collide.h"

#include <float.h>

#define IMPINGE_REAL       float
#define IMPINGE_REAL_MAX   FLT_MAX
#define IMPINGE_NAME(name) name##_f32
#include "motion_real.inc"
#undef IMPINGE_NAME
#undef IMPINGE_REAL_MAX
#undef IMPINGE_REAL

#define IMPINGE_REAL       double
#define IMPINGE_REAL_MAX   DBL_MAX
#define IMPINGE_NAME(name) name##_f64
#include "motion_real.inc"
