/* Neighbours against all pairs; the impulses of a step before by the keys of contacts. */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "../tools/support/at_once.h"
#include "random_contacts.h"
#include "scenes/spheres.h"
#include "targets.h"

/* Spheres of different sizes in a box, some of them in the same place or outside. */
enum { SPHERES = 700, MOST = SPHERES * SPHERES };

#define REAL       float
#define NAME(name) name##_f32
#include "test_neighbours_real.inc"
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#include "test_neighbours_real.inc"

#define TEST_EACH(name)                                                                            \
    Test(neighbours, name##_f32) { name##_f32(); }                                                 \
    Test(neighbours, name##_f64) { name##_f64(); }

Test(neighbours, many_periods_apart_f32) { for_each_target(many_periods_apart_f32, NULL); }
Test(neighbours, many_periods_apart_f64) { for_each_target(many_periods_apart_f64, NULL); }

Test(neighbours, planes_far_away_f32) { for_each_target(planes_far_away_f32, NULL); }
Test(neighbours, planes_far_away_f64) { for_each_target(planes_far_away_f64, NULL); }

TEST_EACH(all_pairs)
TEST_EACH(periodic)
TEST_EACH(sizes_and_crowds)
TEST_EACH(contacts_of_lists)
TEST_EACH(same_everywhere)
TEST_EACH(room_in_teams)
TEST_EACH(moved)
TEST_EACH(moved_out_of_range)
TEST_EACH(many_cells_and_images)
TEST_EACH(contacts_of_any_size)
TEST_EACH(neighbours_of_any_size)
TEST_EACH(least_cells)
TEST_EACH(too_small)
TEST_EACH(pointers_left_out)
TEST_EACH(matching)
TEST_EACH(shared_impulses)
TEST_EACH(sums_of_crowds)

Test(neighbours, no_turn_with_a_sign_f32) { for_each_target(no_turn_with_a_sign_f32, NULL); }
Test(neighbours, no_turn_with_a_sign_f64) { for_each_target(no_turn_with_a_sign_f64, NULL); }
