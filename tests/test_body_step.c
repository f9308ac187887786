/* A step of bodies; body_step_checks.c has the checks. */
#include <criterion/criterion.h>

#include "body_step_checks.h"
#include "targets.h"

#define ON_EACH_TARGET(name)                                                                       \
    static void name##_on_f32(const char *target, void *user) {                                    \
        (void)target, (void)user;                                                                  \
        body_step_##name##_f32();                                                                  \
    }                                                                                              \
    static void name##_on_f64(const char *target, void *user) {                                    \
        (void)target, (void)user;                                                                  \
        body_step_##name##_f64();                                                                  \
    }                                                                                              \
    Test(body_step, name##_f32) { for_each_target(name##_on_f32, NULL); }                          \
    Test(body_step, name##_f64) { for_each_target(name##_on_f64, NULL); }

#define ALONE(name)                                                                                \
    Test(body_step, name##_f32) { body_step_##name##_f32(); }                                      \
    Test(body_step, name##_f64) { body_step_##name##_f64(); }

BODY_STEP_CHECKS_OF_TARGETS(ON_EACH_TARGET)
BODY_STEP_CHECKS_OF_LIMITS(ON_EACH_TARGET)
BODY_STEP_CHECKS_ALONE(ALONE)
