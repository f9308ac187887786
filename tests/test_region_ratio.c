/*
 * The bounds on impulse ratios of the kernel of Brach's law, in lanes one double wide, against the
 * query.
 */
#include <math.h>

#include <criterion/criterion.h>

#include <impinge/region.h>

#include "conditioning.h"
#include "random_contacts.h"
#include "ratio_error.h"

#define IMPINGE_TARGET_SCALAR
#define IMPINGE_REAL_BITS 64
#include "../kernels/region.h"

static region_t region_of_row(const double *row) {
    const contact_t g = {.k11 = lane_set(row[IN_K11]),
                         .k12 = lane_set(row[IN_K12]),
                         .k13 = lane_set(row[IN_K13]),
                         .k22 = lane_set(row[IN_K22]),
                         .k23 = lane_set(row[IN_K23]),
                         .k33 = lane_set(row[IN_K33]),
                         .u1 = lane_set(row[IN_U1]),
                         .u2 = lane_set(row[IN_U2]),
                         .u3 = lane_set(row[IN_U3]),
                         .friction = lane_set(row[IN_FRICTION])};
    return region_of(&g);
}

static ratio_bound_t bound_of(const double *row, double e, double r1, double r2) {
    const region_t r = region_of_row(row);
    return ratio_bound(&r, lane_set(e), lane_set(row[IN_FRICTION]), lane_set(r1), lane_set(r2));
}

/* Lengths of every size; both may be off by the error of A, B and C. */
Test(region_ratio, ratio_bounds_in_lanes) {
    uint64_t state = 15;
    int clipped = 0, whole = 0;
    for (int i = 0; i < 20000; ++i) {
        double row[CONTACT_INPUTS];
        random_contact(&state, random_below(&state, 2) ? RANDOM_BOXES : RANDOM_SPHERES, 0, row);
        const double angle = random_between(&state, 0, 6.3), e = row[IN_RESTITUTION] * 0.9;
        const double length = ldexp(1, (int)random_below(&state, 20) - 10);
        const double direction[2] = {length * cos(angle), length * sin(angle)};
        const impinge_region_contact contact = {.matrix = {row[IN_K11], row[IN_K12], row[IN_K13],
                                                           row[IN_K22], row[IN_K23], row[IN_K33]},
                                                .velocity = {row[IN_U1], row[IN_U2], row[IN_U3]},
                                                .friction = row[IN_FRICTION]};
        impinge_ratio_bounds bounds;
        cr_assert(impinge_impulse_ratio_bound(&contact, e, direction, &bounds) == IMPINGE_OK);
        const ratio_bound_t b = bound_of(row, e, direction[0], direction[1]);
        const double energy = fmin(bounds.energy / length, 1), cone = fmin(bounds.cone / length, 1);
        row[IN_RESTITUTION] = e;
        const reference_contact_long c = contact_of_row(row);
        const long double error =
            isinf(bounds.energy) ? 0 : ratio_error(&c, cos(angle), sin(angle), bounds.energy, 0);
        cr_expect(fabs(b.energy.lo - energy) <= 2 * (double)error * energy, "%d: %g %g", i,
                  b.energy.lo, energy);
        cr_expect(fabs(b.cone.lo - cone) <= 16 * DBL_EPSILON * cone);
        clipped += b.energy.lo < 1;
        whole += b.energy.lo == 1;
    }
    cr_expect(clipped > 1000 && whole > 1000, "%d %d", clipped, whole);
}

/* No ratios, ratios of any size, mu at both ends. */
Test(region_ratio, ratio_bounds_at_the_ends) {
    double row[CONTACT_INPUTS] = {3.5, 0, 0, 3.5, 0, 1, 0.7, 0, -1, 0, 0, 0};
    ratio_bound_t b = bound_of(row, 0.5, 0, 0);
    cr_expect(b.energy.lo == 1 && b.cone.lo == 1);
    b = bound_of(row, 0.5, 0x1p-1074, 0);
    cr_expect(b.energy.lo == 1 && b.cone.lo == 0);
    b = bound_of(row, 0.5, -0x1p1000, 0);
    cr_expect(fabs(ldexp(b.energy.lo, 1000) - (1.4 + sqrt(1.96 + 10.5)) / 10.5) < 1e-15);
    row[IN_FRICTION] = (double)INFINITY;
    b = bound_of(row, 0.5, 0x1p1023, 0x1p1023);
    cr_expect(b.cone.lo == 1 && b.energy.lo > 0);
    row[IN_FRICTION] = 0.5;
    b = bound_of(row, 0.5, 3, 4);
    cr_expect(fabs(b.cone.lo - 0.1) < 1e-16);
    /* e = 1: nothing along the slip; e = 2: no factor helps, and none is applied. */
    b = bound_of(row, 1, 1, 0);
    cr_expect(b.energy.lo == 0);
    b = bound_of(row, 2, -1, 0);
    cr_expect(b.energy.lo == 1);
}

/* A law's outcome for impulses on either side of the boundary. */
Test(region_ratio, outcomes_in_lanes) {
    const double row[CONTACT_INPUTS] = {4, 0, 0, 4, 0, 1, 1, 0, -1, 0, 0.5, 0.5};
    const region_t r = region_of_row(row);
    const lanes_t zero = lane_zero();
    const uint32_t outside = IMPINGE_OUTCOME_OUTSIDE_REGION;
    const struct {
        double p1, p3;
        uint32_t outcome;
    } cases[] = {{0, 2, 0},
                 {0, 2.001, outside | IMPINGE_OUTCOME_ENERGY_GAINED},
                 {0, 0.999, outside},
                 {-0.5, 1, 0},
                 {-0.501, 1, outside}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const candidate_t c = candidate_of(&r, lane_set(cases[i].p1), zero, lane_set(cases[i].p3));
        cr_expect(region_outcome(&r, &c, REGION_UNITS).lo == cases[i].outcome, "%zu", i);
        cr_expect(mask_any(outside_region(&r, &c, REGION_UNITS)) == (cases[i].outcome != 0));
        cr_expect(mask_any(energy_gained(&r, &c, REGION_UNITS)) ==
                  ((cases[i].outcome & IMPINGE_OUTCOME_ENERGY_GAINED) != 0));
    }
}
