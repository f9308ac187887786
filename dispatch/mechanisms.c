/* The entry points of resolving mechanisms. */
#include <impinge/mechanisms.h>

#include "../solve/restitution.h"
#include "call.h"

enum { SPACE_ROWS = 3, PLANAR_ROWS = 2 };

/*
 * What a call's numbers are, before they are looked at: arrays of `rows` rows of J and all of M
 * have to be able to exist.
 */
static impinge_status check_shape(size_t first, size_t count, size_t coordinates, size_t stride,
                                  size_t rows, size_t element) {
    if (coordinates < 1 || coordinates > IMPINGE_COORDINATES_MAX) return IMPINGE_ERROR_ARGUMENT;
    const impinge_status status = impinge_check_count(first, count, element);
    if (status != IMPINGE_OK) return status;
    const size_t triangle = coordinates * (coordinates + 1) / 2;
    const size_t jacobian = coordinates * rows;
    const size_t most = (size_t)PTRDIFF_MAX / element / (triangle > jacobian ? triangle : jacobian);
    return first + count <= stride && stride <= most ? IMPINGE_OK : IMPINGE_ERROR_COUNT;
}

#define IMPINGE_REAL       float
#define IMPINGE_NAME(name) name##_f32
#define IMPINGE_TABLE      f32
#include "mechanisms_real.inc"
#undef IMPINGE_TABLE
#undef IMPINGE_NAME
#undef IMPINGE_REAL

#define IMPINGE_REAL       double
#define IMPINGE_NAME(name) name##_f64
#define IMPINGE_TABLE      f64
#include "mechanisms_real.inc"
