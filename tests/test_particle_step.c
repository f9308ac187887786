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

#include "../tools/support/at_once.h"
#include "asked_for.h"
#include "digest_bytes.h"
#include "random_contacts.h"
#include "reference_contact_dynamics.h"
#include "scenes/world.h"
#include "targets.h"
#include "together.h"

#define PI 3.14159265358979323846

#define BIT(name)  ((uint32_t)IMPINGE_OUTCOME_##name)
#define INVALID(x) (BIT(INVALID) | BIT(INVALID_##x))

/* The laws of particles, and the models of restitution that need no tables. */
static const impinge_law laws[] = {IMPINGE_LAW_ROUTH, IMPINGE_LAW_FRICTIONLESS,
                                   IMPINGE_LAW_BILINEAR, IMPINGE_LAW_CHATTERJEE_RUINA};

/* Single contacts at a time; spheres of a random cluster, and its contacts. */
enum { SINGLES = 400, CLUSTER_MAX = 7, CLUSTER_CONTACTS = CLUSTER_MAX * (CLUSTER_MAX - 1) / 2 };

/* Contacts of one sphere: more than twice 64, the colours of a round. */
enum { HUB_CONTACTS = 150 };

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* True if tests of many seconds are asked for, as by scripts/prove. */
static bool is_long(void) { return getenv("IMPINGE_LONG") != NULL; }

/* Values to spoil in a world: a particle's, a contact's, a coefficient, an impulse from before. */
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

/*
 * Layers of `side` by `side` spheres; sphere i has the number i * numbered, modulo their count. In
 * pairs: only two neighbours along x touch each other. Aimed: contacts have aim velocities.
 */
typedef struct lattice {
    size_t side, layers, numbered;
    bool in_pairs, aimed;
} lattice;

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

/* The same on each target. Those that take long have the bits of one, as the digests say. */
#define TEST_TARGETS(name) TEST_ON_TARGETS(particle_step, name)

TEST_TARGETS(second_images_in_steps)
TEST_TARGETS(sphere_on_three)
TEST_TARGETS(three_one_by_one)
TEST_TARGETS(sphere_in_a_valley)
TEST_TARGETS(touch_listed_twice)
TEST_TARGETS(planes_add_up_in_halves)
TEST_TARGETS(cradle)
TEST_TARGETS(long_cradles)
TEST_TARGETS(tied_rows_never_gain)
TEST_TARGETS(cradle_in_steps)
TEST_TARGETS(ball_on_ball)
TEST_TARGETS(dropped_ball_on_ball)
TEST_TARGETS(outcomes_of_impacts)
TEST_TARGETS(ties_do_not_follow_the_list)
TEST_TARGETS(single_contacts_are_their_law)
TEST_EACH(tied_once)
TEST_EACH(ties_leave_others)
TEST_EACH(given_far_too_large)
TEST_EACH(given_to_one_at_rest)
TEST_EACH(light_grains_stick)
TEST_TARGETS(works_are_the_energy_lost)
TEST_TARGETS(resting_ball)
TEST_TARGETS(rest_speed)
TEST_TARGETS(no_mass)
TEST_TARGETS(resting_point)
TEST_TARGETS(conveyor)
TEST_TARGETS(warm_start)
TEST_TARGETS(moving_planes)
TEST_TARGETS(gaps)
TEST_TARGETS(period_of_one_axis)
TEST_TARGETS(kicks)
TEST_TARGETS(no_normal)
TEST_TARGETS(sizes_out_of_range)
TEST_TARGETS(guard_keeps_the_energy)
TEST_TARGETS(slop_and_factor)
TEST_TARGETS(overlaps_are_undone)
TEST_TARGETS(bouncing_ball)
TEST_EACH(clusters_never_gain)
TEST_EACH(swamped_clusters_never_gain)
TEST_EACH(couples_turn_clusters)
TEST_EACH(steps_never_gain)
TEST_TARGETS(islands_are_alone)
TEST_TARGETS(clusters_converge)
TEST_TARGETS(clusters_are_the_reference)
TEST_EACH(same_on_every_target_and_team)
TEST_EACH(teams_close_gaps)
TEST_EACH(teams_take_groups)
TEST_EACH(teams_take_groups_apart)
TEST_TARGETS(hub)
TEST_EACH(hub_has_the_same_bits)
TEST_TARGETS(parts_are_the_step)
TEST_TARGETS(parts_leave_impulses)
TEST_EACH(restart)
TEST_EACH(bad_input)
TEST_EACH(wrong_calls)
TEST_EACH(pour)
TEST_EACH(large_pour)
TEST_EACH(residual_falls)
TEST_EACH(elastic_gas)
TEST_EACH(haff)
