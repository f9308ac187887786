/*
 * Balls in a row that touch, as a sequence of collisions: whose number is that of pi's digits, and
 * whose result does not depend on the order in which the contacts are listed.
 */
#include <criterion/criterion.h>

#include <math.h>
#include <stdlib.h>

#include <impinge/simultaneous.h>

#include "targets.h"

enum { BALLS_MAX = 8 };

#define REAL       float
#define NAME(name) name##_f32
#include "test_chains_real.inc"
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#include "test_chains_real.inc"

Test(chains, digits_of_pi_f32, .timeout = 120) { for_each_target(digits_of_pi_f32, NULL); }

Test(chains, digits_of_pi_f64, .timeout = 120) { for_each_target(digits_of_pi_f64, NULL); }

Test(chains, digits_of_pi_by_default_f32) { for_each_target(digits_of_pi_by_default_f32, NULL); }

Test(chains, digits_of_pi_by_default_f64) { for_each_target(digits_of_pi_by_default_f64, NULL); }

Test(chains, cradles_in_any_order_f32) { for_each_target(cradles_f32, NULL); }

Test(chains, cradles_in_any_order_f64) { for_each_target(cradles_f64, NULL); }
