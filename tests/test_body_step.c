/* A step of bodies; body_step_checks.c has the checks. */
#include <criterion/criterion.h>

#include "body_step_checks.h"

#define FOR_BOTH(name)                                                                             \
    Test(body_step, name##_f32) { body_step_##name##_f32(); }                                      \
    Test(body_step, name##_f64) { body_step_##name##_f64(); }

BODY_STEP_CHECKS(FOR_BOTH)
