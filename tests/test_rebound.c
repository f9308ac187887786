/*
 * Spheres that rebound, against measurements and integrations by others: an oblique impact, the
 * restitution of viscoelastic spheres and of a cushion, and masses of any ratio.
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <impinge/impinge.h>

#include "support/random.h"
#include "targets.h"

static const double degree = 0.017453292519943295;

/* The results of one contact. */
typedef struct rebound {
    double impulse[3], spin[3]; /* and the angular velocity after */
    uint32_t outcome;
    impinge_status status;
} rebound;

#define REAL       float
#define NAME(name) name##_f32
#include "test_rebound_real.inc"
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#include "test_rebound_real.inc"

#define FOR_BOTH(name)                                                                             \
    Test(rebound, name##_f32) { for_each_target(name##_f32, NULL); }                               \
    Test(rebound, name##_f64) { for_each_target(name##_f64, NULL); }

FOR_BOTH(oblique)
FOR_BOTH(oblique_spin)
FOR_BOTH(viscoelastic)
FOR_BOTH(masses_of_any_ratio)
FOR_BOTH(table_of_a_cushion)
