/* Sweeps over colours until nothing approaches. */
#include <impinge/simultaneous.h>

#include <string.h>

#include "collide.h"

#define SWEEPS_DEFAULT 100

#define IMPINGE_REAL       float
#define IMPINGE_NAME(name) name##_f32
#include "sweep_real.inc"
#undef IMPINGE_NAME
#undef IMPINGE_REAL

#define IMPINGE_REAL       double
#define IMPINGE_NAME(name) name##_f64
#include "sweep_real.inc"
