/* The entry points of resolving contacts and body pairs. */
#include "../solve/restitution.h"
#include "call.h"

#define IMPINGE_REAL       float
#define IMPINGE_NAME(name) name##_f32
#define IMPINGE_TABLE      f32
#include "resolve_real.inc"
#undef IMPINGE_TABLE
#undef IMPINGE_NAME
#undef IMPINGE_REAL

#define IMPINGE_REAL       double
#define IMPINGE_NAME(name) name##_f64
#define IMPINGE_TABLE      f64
#include "resolve_real.inc"
