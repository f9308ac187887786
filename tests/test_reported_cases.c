/*
 * Cases from public reports of other people's solvers, as far as they concern one contact under the
 * incremental law. (Centres that coincide are in test_program.c, since the library is given the
 * normal; bad numbers in test_bad_input.c, a small ball against a big one in test_laws.c, contacts
 * at every place of a batch in test_bits.c.)
 *
 * Other cases that were answered wrong once have their right values where the calls are tested:
 *
 *   the composite law loses OUT_OF_RANGE of its part      law_adversarial/composite_is_honest
 *   Routh's law takes thousands of steps                  routh_adversarial/known_answers
 *   ... and ends, to the reference's answer               routh_adversarial/slow_rows
 *   particles of very unequal mass, alone or not          particles/heavy_beside_light_*
 *   a root just below the sticking threshold              law_adversarial/known_f64
 *   u0 = 0 is judged                                      law_adversarial/judged_at_rest
 *   Smith's law for elongated K                           law_adversarial/known_f32
 *   |u_n| far below |u_t|, and mu infinite                law_adversarial/known_*
 *   ... by Routh's law                                    routh_adversarial/known_answers
 *   ... in a plane                                        planar/little_approach_*
 *   Chatterjee and Ruina's law where p_n cancels          law_adversarial/known_f32
 *   Routh's law where K is nearly singular                routh_adversarial/far_on_a_ray
 *   numbers beyond the range, and no flag                 particles/out_of_range_*
 *   Routh's law near a jam                                routh_adversarial/tolerance_is_kept
 *   oblique rebounds that were measured                   rebound/oblique_*
 *   viscoelastic spheres, a wall's and pairs              rebound/viscoelastic_*
 *   the digits of pi                                      chains/digits_of_pi_*
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "body_cases.h"
#include "targets.h"

/* Every rule: in most of these cases the slip keeps its direction, and all three agree. */
static const impinge_restitution_rule rules[3] = {IMPINGE_RULE_STRONGE, IMPINGE_RULE_POISSON,
                                                  IMPINGE_RULE_NEWTON};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* A solid sphere of radius and mass 1 on a plane. */
#define SPHERE_K 3.5, 0, 0, 3.5, 0, 1

/* K of a cube's edge that is off centre. */
#define ROD_K 2.92, 0, 1.44, 4, 0, 2.08

#define REAL       float
#define NAME(name) name##_f32
#define PRECISION  "f32"
/* Answers in closed form: the tolerance of a call, and some rounding. */
#define ACCURACY     3e-6
#define REAL_EPSILON FLT_EPSILON
#include "test_reported_cases_real.inc"
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
#include "test_reported_cases_real.inc"

#define FOR_BOTH(name)                                                                             \
    Test(reported_cases, name##_f32) { for_each_target(name##_f32, NULL); }                        \
    Test(reported_cases, name##_f64) { for_each_target(name##_f64, NULL); }

FOR_BOTH(non_unit_normal)
FOR_BOTH(both_immovable)
FOR_BOTH(moving_wall)
FOR_BOTH(mass_ratios)
FOR_BOTH(tangential_mass)
FOR_BOTH(relative_velocity)
FOR_BOTH(separating_or_resolved)
FOR_BOTH(no_threshold)
FOR_BOTH(grazing_gains_no_energy)
FOR_BOTH(rolls_on)
FOR_BOTH(spin_about_the_normal)
FOR_BOTH(coupling)
FOR_BOTH(anisotropic_by_ratios)
