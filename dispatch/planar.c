/* The entry points of resolving planar contacts. */
#include <impinge/planar.h>

#include "../solve/restitution.h"
#include "call.h"

/* As call_begin; but the one law that there is for planar contacts. */
static impinge_status planar_begin(call_t *call, size_t first, size_t count, size_t element,
                                   const impinge_options *options, double default_tolerance) {
    if (options && options->law != IMPINGE_LAW_ROUTH) return IMPINGE_ERROR_OPTION;
    return call_begin(call, first, count, element, options, default_tolerance);
}

#define IMPINGE_REAL       float
#define IMPINGE_NAME(name) name##_f32
#define IMPINGE_TABLE      f32
#include "planar_real.inc"
#undef IMPINGE_TABLE
#undef IMPINGE_NAME
#undef IMPINGE_REAL

#define IMPINGE_REAL       double
#define IMPINGE_NAME(name) name##_f64
#define IMPINGE_TABLE      f64
#include "planar_real.inc"
