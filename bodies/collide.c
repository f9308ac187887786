/*
 * Contacts by index: they are gathered, some at a time, into the arrays of body pairs, resolved by
 * the kernels in lanes, and what came of them goes back to their numbers and bodies.
 */
#include "collide.h"

#include "../solve/restitution.h"

#include <string.h>

/*
 * How many at a time: enough that Routh's law keeps its lanes full, and fits the nearer caches. Of
 * 64 to 1024, 256 was the fastest, or as fast as any; 64 took up to 1.7 times as long.
 */
#define STAGED 256

/* The columns of one side of body pairs. */
enum body_column {
    MASS,
    INERTIA, /* xx, xy, xz, yy, yz, zz */
    ARM = INERTIA + 6,
    VELOCITY = ARM + 3,
    ANGULAR_VELOCITY = VELOCITY + 3,
    ORIENTATION = ANGULAR_VELOCITY + 3, /* w, x, y, z, or the nine elements of a matrix */
    BODY_COLUMNS = ORIENTATION + 9
};

/* The columns of what comes of them. */
enum result_column { IMPULSE, WORKS = IMPULSE + 3, RESULT_COLUMNS = WORKS + 3 };

/* Coefficients, in the order of their struct. */
#define COEFFICIENTS 8

#define IMPINGE_REAL       float
#define IMPINGE_NAME(name) name##_f32
#define IMPINGE_TABLE      f32
#include "collide_real.inc"
#undef IMPINGE_TABLE
#undef IMPINGE_NAME
#undef IMPINGE_REAL

#define IMPINGE_REAL       double
#define IMPINGE_NAME(name) name##_f64
#define IMPINGE_TABLE      f64
#include "collide_real.inc"
