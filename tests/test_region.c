/*
 * The permissible region: slacks, masks, projection, spherical coordinates, bounds on impulse
 * ratios, against a reference that judges points and bisects lines.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <impinge/impinge.h>

#include "conditioning.h"
#include "random_contacts.h"
#include "ratio_error.h"
#include "reference_region.h"
#include "targets.h"

/* As documented in region.h, in units of rounding: what counts as permissible; and the error. */
#define ALLOWANCE 32
#define ERROR     8

/* Columns of what goes in and of what comes out. */
enum { REGION_FRICTION = IN_U3 + 1, REGION_P1, REGION_P2, REGION_P3, REGION_INPUTS };
enum { SLACK_ENERGY, SLACK_INTERPENETRATION, SLACK_PULL, SLACK_CONE, REGION_OUTPUTS };
enum { PROJECTED_P1, PROJECTED_P2, PROJECTED_P3, PROJECTED_FRACTION };

/* Which of the two calls. */
typedef enum region_call { CALL_JUDGE, CALL_PROJECT, CALLS } region_call;

static long double largest3(const long double v[3]) {
    return fmaxl(fabsl(v[0]), fmaxl(fabsl(v[1]), fabsl(v[2])));
}

static long double largest_of_matrix(const reference_contact_long *c) {
    return fmaxl(c->k11, fmaxl(c->k22, c->k33));
}

/* The sizes that the smallest normal number stands beside: u with what K p adds. */
static long double velocity_size(const reference_contact_long *c, const long double p[3]) {
    return fmaxl(largest3(c->u), largest_of_matrix(c) * largest3(p));
}

static void random_direction(uint64_t *state, double d[3]) {
    double size = 0;
    while (!(size > 0.01 && size <= 1)) {
        for (int i = 0; i < 3; ++i) {
            d[i] = random_between(state, -1, 1);
        }
        size = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    }
}

/* How far out a random impulse is, relative to the boundary: inside, near it on either side, far.
 */
static long double random_reach(uint64_t *state) {
    switch (random_below(state, 8)) {
    case 0:
        return 1;
    case 1:
        return 1 + ldexp(random_between(state, -1, 1), -10 - (int)random_below(state, 45));
    case 2:
        return random_between(state, 1, 3);
    case 3:
        return ldexp(1, (int)random_below(state, 60));
    case 4:
        return 0;
    default:
        return random_between(state, 0, 1);
    }
}

/*
 * An impulse in or about the region: along a line from the inner point; the lines are as even as
 * the ellipsoid lets them be. Of frictionless contacts, half are on the normal axis.
 */
static void random_impulse(uint64_t *state, const reference_contact_long *c, long double p[3]) {
    double d[3];
    random_direction(state, d);
    if (c->friction == 0 && random_below(state, 2) == 0) {
        d[0] = d[1] = 0;
    }
    const long double diagonal[3] = {c->k11, c->k22, c->k33};
    long double direction[3];
    for (int i = 0; i < 3; ++i) {
        direction[i] = d[i] / sqrtl(diagonal[i]);
    }
    /* Within the cone for some friction, too, where it is narrow. */
    if (c->friction > 0 && random_below(state, 3) == 0) {
        const long double narrow = fminl(c->friction, 1) * random_between(state, 0, 2);
        direction[0] *= narrow;
        direction[1] *= narrow;
    }
    const long double boundary = reference_boundary_long(c, direction, 0);
    const long double unit = boundary > 0 && boundary < 0x1p4000L ? boundary : 1;
    const long double reach = random_reach(state) * unit;
    reference_inner_point_long(c, p);
    for (int i = 0; i < 3; ++i) {
        p[i] += reach * direction[i];
    }
}

static bool kind_is_legal(random_kind kind) {
    return kind != RANDOM_INVALID && kind != RANDOM_IMMOVABLE;
}

#define REAL             float
#define NAME(name)       name##_f32
#define REAL_EPSILON     FLT_EPSILON
#define REAL_MIN         FLT_MIN
#define REAL_TRUE_MIN    0x1p-149
#define REAL_MAX         FLT_MAX
#define EXPONENTS        60
#define ALL_BUT_SINGULAR 0x1p-18  /* more than that: K stays definite when it is rounded */
#define LEAST_PRECISE    0x1p-100 /* the smallest number that still has all of its bits, and some */
#include "test_region_real.inc"
#undef LEAST_PRECISE
#undef ALL_BUT_SINGULAR
#undef EXPONENTS
#undef REAL_MAX
#undef REAL_TRUE_MIN
#undef REAL_MIN
#undef REAL_EPSILON
#undef NAME
#undef REAL

#define REAL             double
#define NAME(name)       name##_f64
#define REAL_EPSILON     DBL_EPSILON
#define REAL_MIN         DBL_MIN
#define REAL_TRUE_MIN    0x1p-1074
#define REAL_MAX         DBL_MAX
#define EXPONENTS        500
#define ALL_BUT_SINGULAR 0x1p-44
#define LEAST_PRECISE    0x1p-960
#include "test_region_real.inc"

#define FOR_BOTH(name)                                                                             \
    Test(region, name##_f32) { name##_f32(); }                                                     \
    Test(region, name##_f64) { name##_f64(); }

FOR_BOTH(slacks_are_those_of_the_reference)
FOR_BOTH(projections_reach_the_boundary)
FOR_BOTH(projection_along_the_wall)
FOR_BOTH(huge_condition)
FOR_BOTH(known_impulses)
FOR_BOTH(energy_up_to_rounding)
FOR_BOTH(midpoints_are_permissible)
FOR_BOTH(targets_agree)
FOR_BOTH(in_any_number_and_place)
FOR_BOTH(onto_the_inputs)
FOR_BOTH(scaled_by_powers_of_two)
FOR_BOTH(corners)
FOR_BOTH(nothing_beside_something)
FOR_BOTH(bad_input)
FOR_BOTH(wrong_calls)

/* ---- The paper's words ---- */

/* Eq. (6) with M against the work. M by cofactors is off by some ten roundings times the square of
 * K's condition, which is 1000 at the most here. */
Test(region, energy_is_that_of_equation_6) {
    uint64_t state = 17;
    for (int i = 0; i < 2000; ++i) {
        double row[CONTACT_INPUTS];
        random_contact(&state, RANDOM_DEFINITE, 0, row);
        const reference_contact_long c = contact_of_row(row);
        long double p[3];
        random_impulse(&state, &c, p);
        const reference_slacks_long s = reference_judge_long(&c, p);
        const long double bound =
            LDBL_EPSILON * 10 * 1e6L *
            (s.energy_size + largest3(c.u) * largest3(c.u) * inverse_norm(&c));
        cr_expect(fabsl(reference_energy_lost_long(&c, p) - s.energy) <= bound, "%d: %Lg %Lg", i,
                  reference_energy_lost_long(&c, p), s.energy);
    }
}

/* The masks of one impulse of a contact in f64. */
static uint32_t mask_of(const double k[6], const double u[3], double friction, const double p[3],
                        double *u_n) {
    uint32_t mask = 0;
    const impinge_contacts_f64 contacts = {.count = 1,
                                           .k11 = &k[0],
                                           .k12 = &k[1],
                                           .k13 = &k[2],
                                           .k22 = &k[3],
                                           .k23 = &k[4],
                                           .k33 = &k[5],
                                           .u1 = &u[0],
                                           .u2 = &u[1],
                                           .u3 = &u[2],
                                           .coefficients.friction.value = friction};
    const impinge_impulses_f64 impulses = {.p1 = &p[0], .p2 = &p[1], .p3 = &p[2]};
    const impinge_judgements_f64 judgements = {.interpenetration = u_n, .mask = &mask};
    cr_assert(impinge_judge_impulses_f64(&contacts, NULL, &impulses, &judgements, NULL) ==
              IMPINGE_OK);
    return mask;
}

/*
 * Chatterjee and Ruina 1998, figure 9: a nearly grazing disk whose largest permissible e is 17. On
 * the cone, p_t = -mu p_n, energy allows p_n <= 2 (mu u_t + d) / (mu^2 K_t + K_n), d = -u_n0; e =
 * K_n p_n / d - 1 then is 17 for d = 2 mu / (18 (1 + mu^2 K_t / K_n) - 2) at u_t = 1.
 */
Test(region, figure_9_rebounds_faster_than_it_came) {
    const double mu = 0.3;
    const double k[6] = {3, 0, 0, 3, 0, 1};
    const double d = 2 * mu / (18 * (1 + 3 * mu * mu) - 2);
    const double u[3] = {1, 0, -d};
    double u_n;
    for (double e = 0.5; e < 16.95; e += 0.5) {
        const double p_n = (1 + e) * d;
        const double p[3] = {-mu * p_n, 0, p_n};
        cr_expect(mask_of(k, u, mu, p, &u_n) == 0, "e = %g", e);
        cr_expect(fabs(u_n / d - e) < 1e-12 * (1 + e));
    }
    for (double e = 17.05; e < 30; e += 0.5) {
        /* Less friction, down to none, is not permissible either. */
        for (double part = 0; part <= 1; part += 0.125) {
            const double p_n = (1 + e) * d;
            const double p[3] = {-part * mu * p_n, 0, p_n};
            cr_expect(mask_of(k, u, mu, p, &u_n) == IMPINGE_REGION_ENERGY, "e = %g", e);
        }
    }
}

/* ---- Spherical coordinates ---- */

static impinge_region_contact region_contact(const reference_contact_long *c) {
    return (impinge_region_contact){.matrix = {(double)c->k11, (double)c->k12, (double)c->k13,
                                               (double)c->k22, (double)c->k23, (double)c->k33},
                                    .velocity = {(double)c->u[0], (double)c->u[1], (double)c->u[2]},
                                    .friction = (double)c->friction};
}

static reference_contact_long random_region(uint64_t *state) {
    double row[CONTACT_INPUTS];
    random_kind kind;
    do {
        kind = (random_kind)random_below(state, RANDOM_KINDS);
    } while (!kind_is_legal(kind));
    random_contact(state, kind, 200, row);
    return contact_of_row(row);
}

static void coordinates_direction(const impinge_region_coordinates *at, long double d[3]) {
    const long double across = at->psi1 >= acos(-1.0) ? 0 : sinl(at->psi1);
    d[0] = across * cosl(at->psi2);
    d[1] = across * sinl(at->psi2);
    d[2] = cosl(at->psi1);
}

Test(region, every_coordinate_is_permissible) {
    const double pi = acos(-1.0);
    uint64_t state = 11;
    for (int i = 0; i < 20000; ++i) {
        const reference_contact_long c = random_region(&state);
        const impinge_region_contact contact = region_contact(&c);
        const double psi1[] = {0, pi, pi / 2, random_between(&state, 0, pi)};
        const double psi2[] = {0, 2 * pi, random_between(&state, 0, 2 * pi)};
        const double rho[] = {0, 1, random_positive(&state)};
        const impinge_region_coordinates at = {psi1[random_below(&state, 4)],
                                               psi2[random_below(&state, 3)],
                                               rho[random_below(&state, 3)]};
        double impulse[3];
        cr_assert(impinge_impulse_of_coordinates(&contact, &at, impulse) == IMPINGE_OK);
        const long double p[3] = {impulse[0], impulse[1], impulse[2]};
        if (largest3(p) < LEAST_PRECISE && largest3(p) > 0) {
            continue;
        }
        cr_expect(reference_is_permissible_long(&c, p, ALLOWANCE * DBL_EPSILON / 2), "%d", i);
        impinge_region_coordinates back;
        cr_expect(impinge_coordinates_of_impulse(&contact, impulse, &back) == IMPINGE_OK, "%d", i);
        cr_expect(back.psi1 >= 0 && back.psi1 <= pi && back.psi2 >= 0 && back.psi2 < 2 * pi &&
                  back.rho >= 0 && back.rho <= 1);
    }
}

/*
 * p to coordinates and back. With the errors of P0 and of p - P0, angles are off by up to 8 units
 * of rounding (of psi2, up to 2 pi, one alone is 6), which moves p across the line by as much of |p
 * - P0|, and along it as the boundary moves: that is measured by turning the line a little.
 */
Test(region, coordinates_and_back) {
    const long double unit = DBL_EPSILON / 2, nudge = 0x1p-30L;
    uint64_t state = 12;
    int compared = 0;
    for (int i = 0; i < 20000; ++i) {
        const reference_contact_long c = random_region(&state);
        const impinge_region_contact contact = region_contact(&c);
        long double p[3], inner[3];
        random_impulse(&state, &c, p);
        const double impulse[3] = {(double)p[0], (double)p[1], (double)p[2]};
        impinge_region_coordinates at;
        if (impinge_coordinates_of_impulse(&contact, impulse, &at) != IMPINGE_OK) {
            continue;
        }
        double again[3];
        cr_assert(impinge_impulse_of_coordinates(&contact, &at, again) == IMPINGE_OK);
        reference_inner_point_long(&c, inner);
        long double away[3], moved = 0, offset[3];
        for (int j = 0; j < 3; ++j) {
            away[j] = impulse[j] - inner[j];
            offset[j] = again[j] - impulse[j];
        }
        const long double length = length3(away);
        if (largest3(p) < LEAST_PRECISE || c.u[2] >= 0 || c.friction == 0) {
            continue; /* no extent in most directions */
        }
        const long double given[3] = {impulse[0], impulse[1], impulse[2]};
        if (!reference_is_permissible_long(&c, given, 0)) {
            continue; /* outside by less than the allowance: comes back to the boundary */
        }
        long double d[3];
        coordinates_direction(&at, d);
        const long double boundary = reference_boundary_long(&c, d, 0);
        for (int way = 0; way < 4; ++way) {
            const double by = (double)(way % 2 == 0 ? nudge : -nudge);
            impinge_region_coordinates near = at;
            *(way < 2 ? &near.psi1 : &near.psi2) += by;
            coordinates_direction(&near, d);
            const long double there = reference_boundary_long(&c, d, 0);
            moved += fabsl(logl(there / boundary)) / nudge;
        }
        if (!(moved * nudge < 0.1L)) {
            continue; /* an edge or a narrow cone: angles are too coarse there */
        }
        const long double bound = 8 * unit * (largest3(inner) + largest3(p) + length * (2 + moved));
        ++compared;
        cr_expect(length3(offset) <= bound, "%d: %Lg, not %Lg; moved %Lg", i, length3(offset),
                  bound, moved);
    }
    cr_expect(compared > 5000, "%d", compared);
}

Test(region, coordinates_of_known_impulses) {
    const impinge_region_contact contact = {{3.5, 0, 0, 3.5, 0, 1}, {0.7, 0, -1}, 0.5};
    impinge_region_coordinates at;
    const double inner[3] = {0, 0, 1.5};
    cr_assert(impinge_coordinates_of_impulse(&contact, inner, &at) == IMPINGE_OK);
    cr_expect(at.psi1 == 0 && at.psi2 == 0 && at.rho == 0);
    const double elastic[3] = {0, 0, 2}, plastic[3] = {0, 0, 1}, sliding[3] = {-0.1, 0, 1.5};
    cr_assert(impinge_coordinates_of_impulse(&contact, elastic, &at) == IMPINGE_OK);
    cr_expect(at.psi1 == 0 && fabs(at.rho - 1) < 1e-14);
    cr_assert(impinge_coordinates_of_impulse(&contact, plastic, &at) == IMPINGE_OK);
    cr_expect(at.psi1 == acos(-1.0) && fabs(at.rho - 1) < 1e-14);
    cr_assert(impinge_coordinates_of_impulse(&contact, sliding, &at) == IMPINGE_OK);
    cr_expect(fabs(at.psi1 - acos(0.0)) < 1e-15 && fabs(at.psi2 - acos(-1.0)) < 1e-15);
    const double outside[3] = {0, 0, 2.001};
    cr_expect(impinge_coordinates_of_impulse(&contact, outside, &at) == IMPINGE_ERROR_ARGUMENT);
}

Test(region, coordinates_where_there_is_no_extent) {
    impinge_region_contact contact = {{3, 0, 1, 3, 0, 1}, {0.7, 0, -1}, 0};
    const impinge_region_coordinates aside = {1, 2, 0.5}, up = {0, 0, 1}, down = {acos(-1.0), 1, 1};
    double p[3];
    cr_assert(impinge_impulse_of_coordinates(&contact, &aside, p) == IMPINGE_OK);
    cr_expect(p[0] == 0 && p[1] == 0 && p[2] == 1.5);
    cr_assert(impinge_impulse_of_coordinates(&contact, &up, p) == IMPINGE_OK);
    cr_expect(p[0] == 0 && p[1] == 0 && fabs(p[2] - 2) < 1e-14);
    cr_assert(impinge_impulse_of_coordinates(&contact, &down, p) == IMPINGE_OK);
    cr_expect(p[0] == 0 && p[1] == 0 && fabs(p[2] - 1) < 1e-14);
    /* Grazing, and nothing presses: k = 0. */
    contact = (impinge_region_contact){{3, 0, 0, 3, 0, 1}, {0.7, 0, 0}, 0.5};
    cr_assert(impinge_impulse_of_coordinates(&contact, &up, p) == IMPINGE_OK);
    cr_expect(p[0] == 0 && p[1] == 0 && p[2] == 0);
}

/* ---- Bounds on impulse ratios ---- */

/* The error that the reference allows, so that e = 1, which has no slack to begin with, has bounds.
 */
static const long double ratio_allowance = 0x1p-62L;

/*
 * Without a bound ratios may grow for ever: p_n then falls to 0, which takes k.r > 0. With k.r < 0
 * the impulse grows without limit, and has a bound even where A is not positive.
 */
Test(region, ratio_bounds_are_infinite_where_p_n_falls) {
    uint64_t state = 71;
    size_t infinite = 0, bounded = 0;
    for (int i = 0; i < 20000; i++) {
        double row[CONTACT_INPUTS];
        random_contact(&state, RANDOM_DEFINITE, 0, row);
        const impinge_region_contact contact = {.matrix = {row[IN_K11], row[IN_K12], row[IN_K13],
                                                           row[IN_K22], row[IN_K23], row[IN_K33]},
                                                .velocity = {row[IN_U1], row[IN_U2], row[IN_U3]},
                                                .friction = 0.5};
        const double angle = random_between(&state, 0, 6.283185307179586);
        const double r[2] = {cos(angle), sin(angle)}, e = random_between(&state, 0, 1.5);
        impinge_ratio_bounds bounds;
        if (!(row[IN_U3] < 0)) continue;
        cr_assert_eq(impinge_impulse_ratio_bound(&contact, e, r, &bounds), IMPINGE_OK);
        const double k_r = row[IN_K13] * r[0] + row[IN_K23] * r[1];
        const double u_r = row[IN_U1] * r[0] + row[IN_U2] * r[1];
        const double t_r =
            row[IN_K11] * r[0] * r[0] + 2 * row[IN_K12] * r[0] * r[1] + row[IN_K22] * r[1] * r[1];
        const double c = -(1 + e) * row[IN_U3], a = 2 * u_r * k_r + c * t_r;
        const double rounding = 1e-12 * (fabs(2 * u_r * k_r) + c * t_r);
        if (fabs(a) <= rounding) continue;
        cr_expect_eq(isinf(bounds.energy) != 0, k_r > 0 && a < 0, "%d: k.r %g, A %g, bound %g", i,
                     k_r, a, bounds.energy);
        infinite += isinf(bounds.energy) != 0;
        bounded += k_r < 0 && a < 0;
    }
    cr_expect_gt(infinite, 100);
    cr_expect_gt(bounded, 100);
}

Test(region, ratio_bounds_are_those_of_the_reference) {
    uint64_t state = 13;
    int infinite = 0, zero = 0;
    for (int i = 0; i < 20000; ++i) {
        reference_contact_long c = random_region(&state);
        if (!(c.u[2] < 0)) {
            continue;
        }
        const double angle = random_between(&state, 0, 2 * acos(-1.0));
        const double direction[2] = {3 * cos(angle), 3 * sin(angle)};
        const long double size = hypotl(direction[0], direction[1]);
        const impinge_region_contact contact = region_contact(&c);
        impinge_ratio_bounds bounds;
        cr_assert(impinge_impulse_ratio_bound(&contact, (double)c.restitution, direction,
                                              &bounds) == IMPINGE_OK);
        cr_expect(bounds.cone == (double)c.friction && bounds.energy_least == 0);
        const long double r1 = direction[0] / size, r2 = direction[1] / size;
        const long double right = reference_ratio_bound_long(&c, r1, r2, ratio_allowance);
        if (isinf(right)) {
            cr_expect(isinf(bounds.energy), "%d: %g", i, bounds.energy);
        } else if (bounds.energy == 0) { /* e = 1, and B > 0: none at all */
            const long double k_r = c.k13 * r1 + c.k23 * r2, u_r = c.u[0] * r1 + c.u[1] * r2;
            cr_expect(c.restitution == 1 && c.k33 * u_r > c.u[2] * k_r, "%d: %Lg", i, right);
        } else {
            const long double error = ratio_error(&c, r1, r2, right, ratio_allowance);
            cr_expect(fabsl(bounds.energy / right - 1) <= error, "%d: %g: %Lg is above %Lg", i,
                      bounds.energy, bounds.energy / right - 1, error);
        }
        infinite += isinf(bounds.energy) ? 1 : 0;
        zero += bounds.energy == 0;
    }
    cr_expect(infinite > 100 && zero > 10, "%d %d", infinite, zero);
}

Test(region, ratio_bounds_of_a_disk) {
    /* c = 1.5: 5.25 l^2 - 1.4 l - 0.5 <= 0 against the slip; 5.25 l^2 + 1.4 l with it. */
    const impinge_region_contact contact = {{3.5, 0, 0, 3.5, 0, 1}, {0.7, 0, -1}, 0.4};
    const double against[2] = {-1, 0}, along[2] = {2, 0};
    impinge_ratio_bounds b;
    cr_assert(impinge_impulse_ratio_bound(&contact, 0.5, against, &b) == IMPINGE_OK);
    cr_expect(fabs(b.energy - (1.4 + sqrt(1.96 + 10.5)) / 10.5) < 1e-15);
    cr_assert(impinge_impulse_ratio_bound(&contact, 0.5, along, &b) == IMPINGE_OK);
    cr_expect(fabs(b.energy - (sqrt(1.96 + 10.5) - 1.4) / 10.5) < 1e-15);
    /* e = 1: none is left along the slip, 1.4 / 7 against it. */
    cr_assert(impinge_impulse_ratio_bound(&contact, 1, along, &b) == IMPINGE_OK);
    cr_expect(b.energy == 0);
    cr_assert(impinge_impulse_ratio_bound(&contact, 1, against, &b) == IMPINGE_OK);
    cr_expect(fabs(b.energy - 0.2) < 1e-15);
    /* e = 1.05: 7.175 l^2 - 1.4 l + 0.05 <= 0 between its roots. e = 2: never. */
    cr_assert(impinge_impulse_ratio_bound(&contact, 1.05, against, &b) == IMPINGE_OK);
    cr_expect(fabs(b.energy - (1.4 + sqrt(1.96 - 1.435)) / 14.35) < 1e-14);
    cr_expect(fabs(b.energy_least - (1.4 - sqrt(1.96 - 1.435)) / 14.35) < 1e-14);
    cr_assert(impinge_impulse_ratio_bound(&contact, 2, against, &b) == IMPINGE_OK);
    cr_expect(b.energy == 0 && isinf(b.energy_least));
    /* 0.5 l^2 - 3 l + 3 <= 0 between 1.3 and 4.7, where the bodies would have to pull: l > 1. */
    const impinge_region_contact pulled = {{1.1, 0, -1, 1, 0, 1}, {2.5, 0, -1}, 0.4};
    cr_assert(impinge_impulse_ratio_bound(&pulled, 4, along, &b) == IMPINGE_OK);
    cr_expect(b.energy == 0 && isinf(b.energy_least));
    /* -0.6 l^2 + l + 2 <= 0 from 2.84 on, where the bodies press. */
    const impinge_region_contact pressed = {{1.1, 0, 1, 1, 0, 1}, {-2.5, 0, -1}, 0.4};
    cr_assert(impinge_impulse_ratio_bound(&pressed, 3, along, &b) == IMPINGE_OK);
    cr_expect(isinf(b.energy) && fabs(b.energy_least - (1 + sqrt(5.8)) / 1.2) < 1e-14);
    /* -3.6 l^2 + 2 l + 2 <= 0 from 1.07 on, where they would have to pull. */
    const impinge_region_contact fast = {{1.1, 0, -1, 1, 0, 1}, {4, 0, -1}, 0.4};
    cr_assert(impinge_impulse_ratio_bound(&fast, 3, along, &b) == IMPINGE_OK);
    cr_expect(b.energy == 0 && isinf(b.energy_least));
}

Test(region, queries_with_wrong_arguments) {
    const impinge_region_contact good = {{3.5, 0, 0, 3.5, 0, 1}, {0.7, 0, -1}, 0.5};
    const impinge_region_coordinates inside = {1, 1, 0.5};
    const double p[3] = {0, 0, 1.5}, direction[2] = {1, 0}, none[2] = {0, 0};
    const double nan = (double)NAN, infinity = (double)INFINITY;
    impinge_region_coordinates at;
    impinge_ratio_bounds bounds;
    double q[3];
    cr_expect(impinge_impulse_of_coordinates(NULL, &inside, q) == IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_impulse_of_coordinates(&good, NULL, q) == IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_impulse_of_coordinates(&good, &inside, NULL) == IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_coordinates_of_impulse(NULL, p, &at) == IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_coordinates_of_impulse(&good, NULL, &at) == IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_coordinates_of_impulse(&good, p, NULL) == IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_impulse_ratio_bound(NULL, 0, direction, &bounds) ==
              IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_impulse_ratio_bound(&good, 0, NULL, &bounds) == IMPINGE_ERROR_NULL_POINTER);
    cr_expect(impinge_impulse_ratio_bound(&good, 0, direction, NULL) == IMPINGE_ERROR_NULL_POINTER);
    const impinge_region_coordinates wrong[] = {{-0.1, 1, 0.5}, {3.2, 1, 0.5},  {1, -0.1, 0.5},
                                                {1, 6.3, 0.5},  {1, 1, -0.001}, {1, 1, 1.001},
                                                {nan, 1, 0.5},  {1, nan, 0.5},  {1, 1, nan}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        cr_expect(impinge_impulse_of_coordinates(&good, &wrong[i], q) == IMPINGE_ERROR_ARGUMENT);
    }
    impinge_region_contact bad[] = {good, good, good, good, good, good};
    bad[0].matrix.k12 = 4;
    bad[1].matrix.k33 = nan;
    bad[2].velocity[1] = infinity;
    bad[3].friction = -1;
    bad[4].friction = nan;
    bad[5].matrix = (impinge_collision_matrix){0, 0, 0, 0, 0, 0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        cr_expect(impinge_impulse_of_coordinates(&bad[i], &inside, q) == IMPINGE_ERROR_ARGUMENT);
        cr_expect(impinge_coordinates_of_impulse(&bad[i], p, &at) == IMPINGE_ERROR_ARGUMENT);
        cr_expect(impinge_impulse_ratio_bound(&bad[i], 0, direction, &bounds) ==
                  IMPINGE_ERROR_ARGUMENT);
    }
    const double far[3] = {0, infinity, 1};
    cr_expect(impinge_coordinates_of_impulse(&good, far, &at) == IMPINGE_ERROR_ARGUMENT);
    cr_expect(impinge_impulse_ratio_bound(&good, -0.1, direction, &bounds) ==
              IMPINGE_ERROR_ARGUMENT);
    cr_expect(impinge_impulse_ratio_bound(&good, infinity, direction, &bounds) ==
              IMPINGE_ERROR_ARGUMENT);
    cr_expect(impinge_impulse_ratio_bound(&good, 0, none, &bounds) == IMPINGE_ERROR_ARGUMENT);
    bad[0] = good;
    bad[0].velocity[2] = 0;
    cr_expect(impinge_impulse_ratio_bound(&bad[0], 0, direction, &bounds) ==
              IMPINGE_ERROR_ARGUMENT);
}
