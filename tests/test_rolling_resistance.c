/*
 * Rolling resistance in the rest of a step of particles: closed forms of one contact, heaps that
 * lie still, no gain of energy, and the same bits for every target and number of threads.
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "../tools/support/at_once.h"
#include "digest_bytes.h"
#include "scenes/world.h"
#include "targets.h"

#define BIT(name) ((uint32_t)IMPINGE_OUTCOME_##name)

/* A time step, gravity. */
#define H (1.0 / 256)
#define G 10.0

static int compare_numbers(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(double *numbers, size_t count) {
    qsort(numbers, count, sizeof *numbers, compare_numbers);
    return numbers[count / 2];
}

#define REAL       float
#define NAME(name) name##_f32
#define UNIT       (FLT_EPSILON / 2)
#include "test_rolling_resistance_real.inc"
#undef UNIT
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#define UNIT       (DBL_EPSILON / 2)
#include "test_rolling_resistance_real.inc"

#define TEST_TARGETS(name) TEST_ON_TARGETS(rolling_resistance, name)
#define TEST_EACH(name)                                                                            \
    Test(rolling_resistance, name##_f32) { name##_f32(); }                                         \
    Test(rolling_resistance, name##_f64) { name##_f64(); }

TEST_TARGETS(slope)
TEST_TARGETS(stops)
TEST_TARGETS(one_impulse)
TEST_TARGETS(pair)
TEST_TARGETS(driven)
TEST_TARGETS(bad_input)
TEST_TARGETS(barely_turns)
TEST_TARGETS(residual)
TEST_TARGETS(one_sweep)
TEST_EACH(heap_lies_still)
TEST_EACH(same_on_every_target_and_thread)
TEST_EACH(strides)
