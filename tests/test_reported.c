/*
 * Cases from public reports of other people's solvers, as far as they concern one contact under the
 * incremental law; the numbers C02 to C16 are those of the collection. (C01 is the program's: who
 * calls the library gives the normal. C13 is in test_bad_input.c, C15 another law's, C16 in
 * test_bits.c.)
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "targets.h"

/* Every rule: in most of these cases the slip keeps its direction, and all three agree. */
static const impinge_restitution_rule rules[3] = {IMPINGE_RULE_STRONGE, IMPINGE_RULE_POISSON,
                                                  IMPINGE_RULE_NEWTON};

/* Against a wall: B is all zero. */
#define WALL                                                                                       \
    {                                                                                              \
        0, 0, {0}, {0}, { 0 }                                                                      \
    }

/* Two bodies, by names. */
typedef struct body {
    double inverse_mass;
    double inverse_inertia; /* of a sphere, a cube or anything else that is alike about all axes */
    double arm[3], velocity[3], angular_velocity[3];
} body;

typedef struct body_case {
    body a, b;
    double normal[3];
    double restitution, friction;
} body_case;

static void set_body(double *row, const body *b) {
    row[BODY_INVERSE_MASS] = b->inverse_mass;
    row[BODY_INVERSE_INERTIA] = row[BODY_INVERSE_INERTIA + 3] = row[BODY_INVERSE_INERTIA + 5] =
        b->inverse_inertia;
    memcpy(row + BODY_ARM, b->arm, sizeof b->arm);
    memcpy(row + BODY_VELOCITY, b->velocity, sizeof b->velocity);
    memcpy(row + BODY_ANGULAR_VELOCITY, b->angular_velocity, sizeof b->angular_velocity);
}

static void row_of_bodies(const body_case *c, double row[PAIR_INPUTS]) {
    memset(row, 0, PAIR_INPUTS * sizeof *row);
    set_body(row + IN_BODY_A, &c->a);
    set_body(row + IN_BODY_B, &c->b);
    memcpy(row + IN_NORMAL, c->normal, sizeof c->normal);
    row[IN_PAIR_RESTITUTION] = c->restitution;
    row[IN_PAIR_FRICTION] = row[IN_PAIR_FRICTION_STATIC] = c->friction;
}

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* C06 and C10: a solid sphere of radius and mass 1 on a plane. */
#define SPHERE_K 3.5, 0, 0, 3.5, 0, 1

/* C08 and C14: K of a cube's edge that is off centre. */
#define ROD_K 2.92, 0, 1.44, 4, 0, 2.08

#define REAL       float
#define NAME(name) name##_f32
#define PRECISION  "f32"
/* Answers in closed form: the tolerance of a call, and some rounding. */
#define ACCURACY     3e-6
#define REAL_EPSILON FLT_EPSILON
#include "test_reported_real.inc"
#undef REAL_EPSILON
#undef ACCURACY
#undef PRECISION
#undef NAME
#undef REAL

#define REAL         double
#define NAME(name)   name##_f64
#define PRECISION    "f64"
#define ACCURACY     3e-12
#define REAL_EPSILON DBL_EPSILON
#include "test_reported_real.inc"

#define FOR_BOTH(name)                                                                             \
    Test(reported, name##_f32) { for_each_target(name##_f32, NULL); }                              \
    Test(reported, name##_f64) { for_each_target(name##_f64, NULL); }

FOR_BOTH(c02_non_unit_normal)
FOR_BOTH(c03_both_immovable)
FOR_BOTH(c04_moving_wall)
FOR_BOTH(c05_mass_ratios)
FOR_BOTH(c06_tangential_mass)
FOR_BOTH(c07_relative_velocity)
FOR_BOTH(c08_separating_or_resolved)
FOR_BOTH(c09_no_threshold)
FOR_BOTH(c10_grazing_gains_no_energy)
FOR_BOTH(c11_rolls_on)
FOR_BOTH(c12_spin_about_the_normal)
FOR_BOTH(c14_coupling)
