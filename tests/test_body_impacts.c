/* Two bodies, against published tables: five pool shots, and a collision of two cars. */
#include <criterion/criterion.h>

#include <math.h>

#include "batches.h"
#include "body_cases.h"
#include "targets.h"

static const double degree = 0.017453292519943295;

/* Mathavan, Jackson and Parkin 2014, tables 1 and 2: m/s, degrees; and what was measured. */
typedef struct shot {
    double speed, cut;
    double cue_speed, object_speed, cue_angle, object_angle;
} shot;

static const shot shots[] = {
    {1.539, 33.83, 0.914, 0.831, 31.93, 32.20}, {1.032, 26.36, 0.520, 0.599, 32.45, 25.07},
    {1.364, 40.52, 0.917, 0.676, 29.91, 38.62}, {1.731, 46.50, 1.280, 0.780, 27.32, 44.38},
    {0.942, 18.05, 0.383, 0.579, 29.47, 17.15},
};

#define BALL_RADIUS 0.02625
#define BALL_MASS   0.1406

#define REAL       float
#define NAME(name) name##_f32
#define ACCURACY   3e-6
#include "test_body_impacts_real.inc"
#undef ACCURACY
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#define ACCURACY   3e-12
#include "test_body_impacts_real.inc"

#define FOR_BOTH(name)                                                                             \
    Test(body_impacts, name##_f32) { for_each_target(name##_f32, NULL); }                          \
    Test(body_impacts, name##_f64) { for_each_target(name##_f64, NULL); }

FOR_BOTH(pool_shots)
FOR_BOTH(two_cars)
