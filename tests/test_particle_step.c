/*
 * Steps of particles: what impacts, rest, guard and positions promise; single contacts against the
 * particle laws; clusters against an independent reference; and that nothing but the input matters.
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "random_contacts.h"
#include "reference_contact_dynamics.h"
#include "scenes/world.h"
#include "targets.h"

#define PI 3.14159265358979323846

#define BIT(name)  ((uint32_t)IMPINGE_OUTCOME_##name)
#define INVALID(x) (BIT(INVALID) | BIT(INVALID_##x))

/* The laws of particles, and the models of restitution that need no tables. */
static const impinge_law laws[] = {IMPINGE_LAW_ROUTH, IMPINGE_LAW_FRICTIONLESS,
                                   IMPINGE_LAW_BILINEAR, IMPINGE_LAW_CHATTERJEE_RUINA};

/* Single contacts at a time; spheres of a random cluster, and its contacts. */
enum { SINGLES = 400, CLUSTER_MAX = 7, CLUSTER_CONTACTS = CLUSTER_MAX * (CLUSTER_MAX - 1) / 2 };

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* Whether tests of many seconds are asked for: scripts/prove does. */
static bool is_long(void) { return getenv("IMPINGE_LONG") != NULL; }

/* Threads of a team meet here. */
static void wait_for_all(void *user) { pthread_barrier_wait(user); }

static uint64_t digest_of(uint64_t digest, const void *bytes, size_t count) {
    const unsigned char *const byte = bytes;
    for (size_t i = 0; i < count; i++)
        digest = (digest ^ byte[i]) * UINT64_C(0x100000001b3);
    return digest ^ digest >> 29;
}

/* What spoils a world: a particle, a contact, a coefficient, an impulse of before. */
typedef enum spoiling {
    SPOIL_VELOCITY,
    SPOIL_PLACE,
    SPOIL_MASS,
    SPOIL_RADIUS,
    SPOIL_INDEX,
    SPOIL_FRICTION,
    SPOIL_AIM,
    SPOIL_WARM,
    SPOIL_HUGE,
    SPOILINGS
} spoiling_t;

#define REAL       float
#define NAME(name) name##_f32
#define UNIT       (FLT_EPSILON / 2)
#define PRECISION  "f32"
#include "test_particle_step_real.inc"
#undef PRECISION
#undef UNIT
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#define UNIT       (DBL_EPSILON / 2)
#define PRECISION  "f64"
#include "test_particle_step_real.inc"

#define TEST_EACH(name)                                                                            \
    Test(particle_step, name##_f32) { name##_f32(); }                                              \
    Test(particle_step, name##_f64) { name##_f64(); }

TEST_EACH(sphere_on_three)
TEST_EACH(sphere_in_a_valley)
TEST_EACH(touch_listed_twice)
TEST_EACH(cradle)
TEST_EACH(ball_on_ball)
TEST_EACH(ties_do_not_follow_the_list)
TEST_EACH(single_contacts_are_their_law)
TEST_EACH(resting_ball)
TEST_EACH(conveyor)
TEST_EACH(bouncing_ball)
TEST_EACH(clusters_never_gain)
TEST_EACH(clusters_converge)
TEST_EACH(same_on_every_target_and_team)
TEST_EACH(teams_close_gaps)
TEST_EACH(restart)
TEST_EACH(bad_input)
TEST_EACH(wrong_calls)
TEST_EACH(pour)
TEST_EACH(large_pour)
TEST_EACH(residual_falls)
TEST_EACH(elastic_gas)
TEST_EACH(haff)
