/* Particles: against impulse collision method step by step, against body pairs, and what both
 * papers promise. */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "../tools/support/at_once.h"
#include "random_contacts.h"
#include "reference_particles.h"
#include "targets.h"

#define BIT(name)  ((uint32_t)IMPINGE_OUTCOME_##name)
#define INVALID(x) (BIT(INVALID) | BIT(INVALID_##x))

/* The numbers of draws, for each precision. */
#define MANY 200000
/* The contacts that are tried in several ways; not a multiple of any width. */
#define SOME 1037
/* How many times SOME contacts of any size. */
#define EXTREME_ROUNDS 40

/*
 * Units of rounding. Some twenty operations lead to an impulse; each has an error relative to the
 * largest velocity on the way, S = |u| + R_A |omega_A| + R_B |omega_B|, over K_33. (Where friction
 * is clipped the direction of a small slip is uncertain; but then friction is no larger than (1 +
 * e_t) |slip| / T, and its error again in proportion to S.)
 */
#define UNITS 32

/* Columns of particles, */
enum {
    RADIUS,
    INVERSE_MASS,
    INVERSE_INERTIA,
    POSITION,
    VELOCITY = POSITION + 3,
    SPIN = VELOCITY + 3,
    PARTICLE_COLUMNS = SPIN + 3
};
/* of planes, */
enum { NORMAL, OFFSET = NORMAL + 3, PLANE_VELOCITY, PLANE_COLUMNS = PLANE_VELOCITY + 3 };
/* of contacts' coefficients, */
enum { RESTITUTION, FRICTION, TANGENTIAL, COEFFICIENTS };
/* and of results. */
enum {
    IMPULSE,
    RESULT_NORMAL = IMPULSE + 3,
    OVERLAP = RESULT_NORMAL + 3,
    PROJECTION,
    WORK_COMPRESSION,
    WORK_RESTITUTION,
    WORK_FRICTION,
    RESULTS
};

static const impinge_law laws[] = {IMPINGE_LAW_ROUTH, IMPINGE_LAW_FRICTIONLESS,
                                   IMPINGE_LAW_BILINEAR, IMPINGE_LAW_CHATTERJEE_RUINA};
#define LAWS (sizeof laws / sizeof *laws)

static bool has_tangential(impinge_law law) {
    return law == IMPINGE_LAW_BILINEAR || law == IMPINGE_LAW_CHATTERJEE_RUINA;
}

static double power_of_ten(uint64_t *state, double low, double high) {
    return pow(10, random_between(state, low, high));
}

static void random_vector(uint64_t *state, double size, double v[3]) {
    for (int k = 0; k < 3; k++)
        v[k] = random_between(state, -size, size);
}

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

/* Two particles that overlap, more often than not, and mostly approach. */
static void random_meeting(uint64_t *state, double a[PARTICLE_COLUMNS],
                           double b[PARTICLE_COLUMNS]) {
    double *const both[] = {a, b};
    for (int k = 0; k < 2; k++) {
        double *p = both[k];
        p[RADIUS] = power_of_ten(state, -3, 0);
        p[INVERSE_MASS] = power_of_ten(state, -3, 3);
        p[INVERSE_INERTIA] = 2.5 * p[INVERSE_MASS] / (p[RADIUS] * p[RADIUS]);
        if (random_below(state, 4) == 0) p[INVERSE_INERTIA] *= power_of_ten(state, -1, 1);
        random_vector(state, 1, p + VELOCITY);
        random_vector(state, 1 / p[RADIUS], p + SPIN);
    }
    if (random_below(state, 8) == 0) b[INVERSE_MASS] = b[INVERSE_INERTIA] = 0;
    if (random_below(state, 8) == 0) a[RADIUS] = 0;
    double d[3];
    random_vector(state, 1, d);
    const double distance = (a[RADIUS] + b[RADIUS]) * random_between(state, 0.5, 1.1);
    const double scale = distance / length_of(d);
    random_vector(state, 3, b + POSITION);
    double approach = 0;
    for (int k = 0; k < 3; k++) {
        a[POSITION + k] = b[POSITION + k] + scale * d[k];
        approach += d[k] * (a[VELOCITY + k] - b[VELOCITY + k]);
    }
    if (approach > 0 && random_below(state, 8) != 0) {
        for (int k = 0; k < 3; k++)
            a[VELOCITY + k] = -a[VELOCITY + k], b[VELOCITY + k] = -b[VELOCITY + k];
    }
}

static void random_coefficients(uint64_t *state, double c[COEFFICIENTS]) {
    c[RESTITUTION] = random_below(state, 8) == 0 ? random_below(state, 2) : random_positive(state);
    c[FRICTION] = random_below(state, 8) == 0 ? (random_below(state, 2) ? (double)INFINITY : 0)
                                              : power_of_ten(state, -3, 1);
    c[TANGENTIAL] =
        random_below(state, 4) == 0 ? random_below(state, 3) - 1.0 : random_between(state, -1, 1);
}

/* By how much the nearest image but one overlaps, if any period is given. */
static long double second_overlap(const reference_particle_long *a,
                                  const reference_particle_long *b,
                                  const reference_particle_law_long *how) {
    long double most = -(long double)INFINITY;
    for (int axis = 0; axis < 3; axis++) {
        long double square = 0;
        if (!(how->period[axis] > 0)) continue;
        for (int k = 0; k < 3; k++) {
            long double d = a->position[k] - b->position[k];
            if (how->period[k] > 0) d -= how->period[k] * rintl(d / how->period[k]);
            if (k == axis) d = how->period[k] - fabsl(d);
            square += d * d;
        }
        const long double overlap = a->radius + b->radius - sqrtl(square);
        most = overlap > most ? overlap : most;
    }
    return most;
}

#define REAL        float
#define NAME(name)  name##_f32
#define UNIT        (FLT_EPSILON / 2)
#define LARGEST     ((long double)FLT_MAX)
#define SMALLEST    ((long double)FLT_MIN)
#define TINIEST     0x1p-149L
#define REAL_IS_F32 1
#define MILD        36 /* of ordinary particles, up to 2^this */
#define PRECISION   "f32"
#include "test_particles_real.inc"
#undef PRECISION
#undef MILD
#undef REAL_IS_F32
#undef TINIEST
#undef SMALLEST
#undef LARGEST
#undef UNIT
#undef NAME
#undef REAL

#define REAL        double
#define NAME(name)  name##_f64
#define UNIT        (DBL_EPSILON / 2)
#define LARGEST     ((long double)DBL_MAX)
#define SMALLEST    ((long double)DBL_MIN)
#define TINIEST     0x1p-1074L
#define REAL_IS_F32 0
#define MILD        290
#define PRECISION   "f64"
#include "test_particles_real.inc"
#undef PRECISION
#undef MILD
#undef REAL_IS_F32
#undef TINIEST
#undef SMALLEST
#undef LARGEST
#undef UNIT
#undef NAME
#undef REAL

#define BOTH(name)                                                                                 \
    Test(particles, name##_f32) { for_each_target(name##_of_f32, NULL); }                          \
    Test(particles, name##_f64) { for_each_target(name##_of_f64, NULL); }

BOTH(pairs_agree_with_the_reference)
BOTH(planes_agree_with_the_reference)
BOTH(agree_with_body_pairs)
BOTH(reported)
BOTH(tiny_offsets)
BOTH(any_scale)
BOTH(nothing_depends_on_neighbours)
BOTH(any_bytes)
BOTH(one_output_alone)
BOTH(conserve)
BOTH(never_tunnels)
BOTH(projections_keep_the_centre)
BOTH(odd_cases)
BOTH(odd_batches)
BOTH(restitution_models)
BOTH(viscoelastic)
BOTH(images)
BOTH(shares_of_particles)
BOTH(in_one_go)
BOTH(one_go_of_near_misses)
BOTH(one_go_of_odd_contacts)
BOTH(one_go_of_wrong_coefficients)
BOTH(applying_keeps_bits)
BOTH(wrong_calls)
BOTH(rows_add_the_same)
BOTH(rows_of_any_bytes)
BOTH(sums_to_rows)
BOTH(marks_keep_bits)
BOTH(marked_alone)
BOTH(rows_and_back)
BOTH(rows_of_extreme_radii)
BOTH(wrong_calls_of_rows)
BOTH(lists_add_the_same)
BOTH(lists_are_opposite)
BOTH(lists_of_any_bytes)
BOTH(lists_mark_their_own)
BOTH(lists_by_threads)
BOTH(wrong_calls_of_lists)
BOTH(uncounted)
BOTH(extremes_are_right)
BOTH(extremes_in_company)
BOTH(heavy_beside_light)
BOTH(out_of_range)
BOTH(sums_out_of_range)
BOTH(sum_of_spins_out_of_range)
BOTH(one_go_keeps_zeros)
BOTH(places_out_of_range)
BOTH(far_below_a_plane)
BOTH(second_images)
BOTH(position_correction_gains_nothing)
BOTH(resting)
BOTH(moving_walls)

/* The bits are those of the first target. */
Test(particles, same_bits_f32) {
    scene_f32 first = {0};
    for_each_target(same_bits_f32, &first);
    scene_free_f32(&first);
}
Test(particles, same_bits_f64) {
    scene_f64 first = {0};
    for_each_target(same_bits_f64, &first);
    scene_free_f64(&first);
}
Test(particles, extremes_same_bits_f32) {
    scene_f32 first = {0};
    for_each_target(extremes_same_bits_f32, &first);
    scene_free_f32(&first);
}
Test(particles, extremes_same_bits_f64) {
    scene_f64 first = {0};
    for_each_target(extremes_same_bits_f64, &first);
    scene_free_f64(&first);
}

/* Elastic and perfectly plastic: e(v_y) = 1, and 1.185 (v_y / v)^(1/4) for fast ones. */
Test(particles, elastoplastic_reference) {
    cr_expect_eq(reference_elastoplastic_restitution_double(1, 1), 1);
    const double just_above = reference_elastoplastic_restitution_double(1 + 1e-12, 1);
    cr_expect(fabs(just_above - 1) < 1e-11, "%.17g", just_above);
    /* The next term is of order q = v_y / v. */
    const double fast = reference_elastoplastic_restitution_double(1e8, 1);
    const double limit = sqrt(1.2 * sqrt(3)) * pow(1 / (2 * sqrt(1.2)), 0.25);
    cr_expect(fabs(fast / (limit * 1e-2) - 1) < 1e-8);
    cr_expect(fabs(limit - 1.185) < 5e-4, "Thornton's 1.185: %g", limit);
}

/* Schwager and Poeschel's series: e = 1 - 1.153449 s^2 + 0.798267 s^4 + O(s^5). */
Test(particles, viscoelastic_reference) {
    for (double s = 0.01; s < 0.1; s *= 1.5) {
        const double e = reference_viscoelastic_restitution(s);
        const double s2 = s * s;
        const double rest = e - (1 - 1.153449 * s2 + 0.798267 * s2 * s2);
        /* The coefficient of s^5 is 0.48; the integration's error is 1e-9. */
        cr_expect(fabs(rest) < pow(s, 5) + 2e-9, "s = %g: %g", s, rest);
    }
}

Test(particles, projection_factor) {
    double k = -1;
    bool stable = false;
    cr_expect_eq(impinge_projection_factor(100, 2, 1, 0.01, &k, &stable), IMPINGE_OK);
    cr_expect(fabs(k - 0.03) < 1e-16 && stable);
    cr_expect_eq(impinge_projection_factor(1e4, 1, 0, 0.01, &k, &stable), IMPINGE_OK);
    cr_expect(fabs(k - 1) < 1e-15 && !stable);
    /* Only above the bound. */
    const double bound = IMPINGE_PROJECTION_FACTOR_STABLE;
    cr_expect_eq(impinge_projection_factor(bound, 1, 0, 1, &k, &stable), IMPINGE_OK);
    cr_expect(k == bound && stable);
    cr_expect_eq(impinge_projection_factor(1e4, 1, 0, 0.01, &k, NULL), IMPINGE_OK);
    /* Only the whole product needs to fit. */
    static const double far[][5] = {{1e300, 1e10, 0, 1e-100, 1e110},
                                    {1e-200, 1e-200, 0, 1e155, 1e-90},
                                    {1e-300, 1.7e308, 1.7e308, 1, 3.4e8},
                                    {1e300, 0, 1e-300, 1e-160, 1e-320},
                                    {1e300, 1e300, 0, 0, 0}};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++) {
        const double *f = far[i];
        cr_expect_eq(impinge_projection_factor(f[0], f[1], f[2], f[3], &k, &stable), IMPINGE_OK);
        cr_expect(fabs(k - f[4]) <= 16 * DBL_EPSILON * f[4] + DBL_TRUE_MIN, "%zu: %g", i, k);
        cr_expect(stable == (f[4] <= IMPINGE_PROJECTION_FACTOR_STABLE));
    }
    k = 7;
    stable = true;
    cr_expect_eq(impinge_projection_factor(-1, 1, 1, 1, &k, &stable), IMPINGE_ERROR_ARGUMENT);
    cr_expect_eq(impinge_projection_factor(1, -1, 1, 1, &k, &stable), IMPINGE_ERROR_ARGUMENT);
    cr_expect_eq(impinge_projection_factor(1, 1, (double)NAN, 1, &k, &stable),
                 IMPINGE_ERROR_ARGUMENT);
    cr_expect_eq(impinge_projection_factor(1, 1, 1, (double)INFINITY, &k, &stable),
                 IMPINGE_ERROR_ARGUMENT);
    /* Too large for a double is not a factor. */
    cr_expect_eq(impinge_projection_factor(1e300, 1e300, 1, 1, &k, &stable),
                 IMPINGE_ERROR_ARGUMENT);
    cr_expect(k == 7 && stable, "an error, and something is written");
    cr_expect_eq(impinge_projection_factor(1, 1, 1, 1, NULL, &stable), IMPINGE_ERROR_NULL_POINTER);
}

/*
 * The bound: in the densest packing the largest eigenvalue belongs to planes of spheres that move
 * against each other, (-1)^i along x; with a factor below 0.5 that dies out, above it grows.
 */
static double growth_in_densest_packing(double factor) {
    enum { CELLS = 4, SPHERES = 4 * CELLS * CELLS * CELLS, STEPS = 40 };
    static const double base[4][3] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
    const double small = 1e-7;
    scene_f64 s = scene_new_f64(SPHERES, 6 * SPHERES);
    for (size_t i = 0; i < SPHERES; i++) {
        const size_t cell = i / 4;
        const size_t at[3] = {cell % CELLS, cell / CELLS % CELLS, cell / CELLS / CELLS};
        double p[PARTICLE_COLUMNS] = {0.354 /* sqrt(1/8) and a little */, 1, 0};
        for (int k = 0; k < 3; k++)
            p[POSITION + k] = (double)at[k] + base[i % 4][k];
        p[POSITION] += fmod(p[POSITION], 1) > 0.25 ? small : -small;
        scene_set_f64(&s, i, p);
    }
    s.particles.angular_velocity_x = s.particles.angular_velocity_y =
        s.particles.angular_velocity_z = NULL;
    s.particles.period_x = s.particles.period_y = s.particles.period_z = CELLS;
    size_t contacts = 0;
    for (size_t i = 0; i < SPHERES; i++) {
        for (size_t j = 0; j < i; j++) {
            double d[3];
            for (int k = 0; k < 3; k++) {
                d[k] = s.column[POSITION + k][i] - s.column[POSITION + k][j];
                d[k] -= CELLS * rint(d[k] / CELLS);
            }
            if (length_of(d) > 0.708) continue;
            s.a[contacts] = (uint32_t)i;
            s.b[contacts++] = (uint32_t)j;
        }
    }
    cr_assert_eq(contacts, 6 * SPHERES);
    s.contacts.projection_factor = factor;
    s.contacts.project_all = true;
    const double before = s.column[POSITION][2] - s.column[POSITION][0] - 0.5;
    for (int step = 0; step < STEPS; step++) {
        cr_assert_eq(impinge_resolve_particle_pairs_f64(&s.particles, &s.contacts, NULL, NULL,
                                                        &s.results, NULL),
                     IMPINGE_OK);
        cr_assert_eq(
            impinge_apply_particle_pairs_f64(&s.particles, NULL, &s.contacts, NULL, &s.results),
            IMPINGE_OK);
    }
    const double after = s.column[POSITION][2] - s.column[POSITION][0] - 0.5;
    scene_free_f64(&s);
    return fabs(after / before);
}

Test(particles, bound_of_the_projection_factor) {
    const double below = growth_in_densest_packing(0.9 * IMPINGE_PROJECTION_FACTOR_STABLE);
    const double above = growth_in_densest_packing(1.1 * IMPINGE_PROJECTION_FACTOR_STABLE);
    cr_expect(below < 0.1, "%g", below);
    cr_expect(above > 10, "%g", above);
}
