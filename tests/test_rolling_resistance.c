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
#include "scenes/world.h"
#include "targets.h"

#define BIT(name) ((uint32_t)IMPINGE_OUTCOME_##name)

/* A time step, gravity. */
#define H (1.0 / 256)
#define G 10.0

static uint64_t digest_of(uint64_t digest, const void *bytes, size_t count) {
    const unsigned char *const byte = bytes;
    for (size_t i = 0; i < count; i++)
        digest = (digest ^ byte[i]) * UINT64_C(0x100000001b3);
    return digest ^ digest >> 29;
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

#define TEST_TARGETS(name)                                                                         \
    static void name##_on_f32(const char *target, void *user) {                                    \
        (void)target, (void)user;                                                                  \
        name##_f32();                                                                              \
    }                                                                                              \
    static void name##_on_f64(const char *target, void *user) {                                    \
        (void)target, (void)user;                                                                  \
        name##_f64();                                                                              \
    }                                                                                              \
    Test(rolling_resistance, name##_f32) { for_each_target(name##_on_f32, NULL); }                 \
    Test(rolling_resistance, name##_f64) { for_each_target(name##_on_f64, NULL); }
#define TEST_EACH(name)                                                                            \
    Test(rolling_resistance, name##_f32) { name##_f32(); }                                         \
    Test(rolling_resistance, name##_f64) { name##_f64(); }

TEST_TARGETS(slope)
TEST_TARGETS(stops)
TEST_TARGETS(one_impulse)
TEST_TARGETS(pair)
TEST_TARGETS(driven)
TEST_TARGETS(bad_input)
TEST_TARGETS(residual)
TEST_TARGETS(one_sweep)
TEST_EACH(heap_lies_still)
TEST_EACH(same_on_every_target_and_thread)
TEST_EACH(strides)
