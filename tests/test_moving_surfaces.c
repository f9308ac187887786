/*
 * A sphere on surfaces that an engine drives: a belt, a piston and a turning plate. m = 0.2, R =
 * 0.05, e = 0.6, mu = 0.3. If the sphere sticks, it gets 2/7 of the surface's velocity; if it
 * slides, mu (1 + e) v_n.
 */
#include <criterion/criterion.h>

#include <math.h>

#include "batches.h"
#include "body_cases.h"
#include "targets.h"

#define MASS   0.2
#define RADIUS 0.05

/* The sphere comes down on a body that cannot move, and has a velocity and a spin. */
typedef struct surface_case {
    double velocity_z; /* of the sphere */
    double surface[3], spin[3], arm[3];
    double after[6]; /* the sphere's velocity and spin */
} surface_case;

static const surface_case cases[] = {
    /* A belt at 1.5 m/s: sticks; and too slow an impact to stick. */
    {-2, {1.5, 0, 0}, {0}, {0}, {0.428571428571429, 0, 1.2, 0, -21.4285714285714, 0}},
    {-0.2, {1.5, 0, 0}, {0}, {0}, {0.096, 0, 0.12, 0, -4.8, 0}},
    /* A piston comes up at 0.5 m/s. */
    {0, {0, 0, 0.5}, {0}, {0}, {0, 0, 0.8, 0, 0, 0}},
    /* A plate turns at 3 rad/s; the sphere comes down 0.4 m from its axis. */
    {-2, {0}, {0, 0, 3}, {0.4, 0, 0}, {0, 0.342857142857143, 1.2, 17.1428571428571, 0, 0}},
};

#define REAL       float
#define NAME(name) name##_f32
#define ACCURACY   3e-6 /* of the call, and some rounding; relative to the largest velocity */
#include "test_moving_surfaces_real.inc"
#undef ACCURACY
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#define ACCURACY   3e-12
#include "test_moving_surfaces_real.inc"

Test(moving_surfaces, as_bodies_f32) { for_each_target(check_surfaces_f32, NULL); }

Test(moving_surfaces, as_bodies_f64) { for_each_target(check_surfaces_f64, NULL); }
