/** Running a check on each target that this build and this CPU have. */
#ifndef TARGETS_H
#define TARGETS_H

#include <stdbool.h>

/** Is called while its target is selected. */
typedef void target_check(const char *target, void *user);

/**
 * Runs the check on every target that is available, best first, and then goes back to the choice of
 * first use. The tests cross::avx2, ... name the others.
 */
void for_each_target(target_check *check, void *user);

/** Selects a target, which has to be available. */
void select_target(const char *name);

/**
 * Ends the running test and writes the reason to standard error: Criterion shows a skipped test
 * only in verbose runs, and its warnings make the whole run fail.
 */
_Noreturn void skip_test(const char *format, ...) __attribute__((format(printf, 1, 2)));

/**
 * Fails unless this target may lack powers, which viscoelastic spheres need: a build with SLEEF has
 * them on every target but the scalar one of a CPU without fused multiply-add.
 */
void expect_no_powers(const char *target);

/** Tests name_f32 and name_f64 of a suite: the functions of that name, on each target. */
#define TEST_ON_TARGETS(suite, name)                                                               \
    static void name##_on_f32(const char *target, void *user) {                                    \
        (void)target, (void)user;                                                                  \
        name##_f32();                                                                              \
    }                                                                                              \
    static void name##_on_f64(const char *target, void *user) {                                    \
        (void)target, (void)user;                                                                  \
        name##_f64();                                                                              \
    }                                                                                              \
    Test(suite, name##_f32) { for_each_target(name##_on_f32, NULL); }                              \
    Test(suite, name##_f64) { for_each_target(name##_on_f64, NULL); }

#endif
