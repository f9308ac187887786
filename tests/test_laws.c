/*
 * The kernels of the laws: against the reference, published numbers, and what the paper (Chatterjee
 * and Ruina 1998) says of each law. Routh's law has tests of its own in test_routh.c; what the laws
 * claim of very many contacts is in test_proof.c.
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/region.h>

#include "batches.h"
#include "body_cases.h"
#include "conditioning.h"
#include "random_contacts.h"
#include "reference.h"
#include "targets.h"

/*
 * Units of rounding of the largest number that is added up, |u0| + |K| |p|: a law takes some thirty
 * operations in a row from K and u0 to u, of half a unit each.
 */
#define UNITS 32

/* The error of an input: K33, S and what is solved with them take some sixteen operations. */
#define INPUT_UNITS 16

/* A sensitivity is the worst of some samples, not of all. */
#define SAMPLED 2

/* Contacts of each kind that collides. The reference integrates a composite law, which takes long.
 */
#define EACH           1000
#define EACH_COMPOSITE 60

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* A solid sphere of radius and mass 1 on a plane. */
#define SPHERE_K 3.5, 0, 0, 3.5, 0, 1

/* K of a cube's edge that is off centre. */
#define ROD_K 2.92, 0, 1.44, 4, 0, 2.08

#define JUDGED ((uint32_t)IMPINGE_OUTCOME_ENERGY_GAINED | IMPINGE_OUTCOME_OUTSIDE_REGION)

#define SLIPS                                                                                      \
    ((uint32_t)IMPINGE_OUTCOME_SLID | IMPINGE_OUTCOME_STUCK | IMPINGE_OUTCOME_SLIP_REVERSED)

static bool is_incremental(impinge_law law) {
    return law == IMPINGE_LAW_ROUTH || law == IMPINGE_LAW_COMPOSITE;
}

static bool has_tangential_restitution(impinge_law law) {
    return law == IMPINGE_LAW_BILINEAR || law == IMPINGE_LAW_CHATTERJEE_RUINA ||
           law == IMPINGE_LAW_COMPOSITE;
}

/* How random contacts are resolved. */
typedef struct trial {
    impinge_options options;
    double restitution; /* what e is multiplied by */
    bool level;         /* u_n0 = 0 */
} trial;

/* The members that contact_of_row does not set. */
static reference_contact_long law_contact_of_row(const double row[CONTACT_INPUTS],
                                                 long double unit) {
    reference_contact_long c = contact_of_row(row);
    c.tangential_restitution = row[IN_TANGENTIAL_RESTITUTION];
    c.mix = row[IN_MIX];
    c.impulse_ratio[0] = row[IN_IMPULSE_RATIO_T1];
    c.impulse_ratio[1] = row[IN_IMPULSE_RATIO_T2];
    c.unit = unit;
    return c;
}

/*
 * The residuals of eq. (8) of Chatterjee and Ruina 1998, over max(1, mu), of Newton's restitution
 * and of u = u0 + K p: the largest, as an impulse.
 */
static long double smith_residual(const reference_contact_long *c, const long double p[3]) {
    long double u[3];
    velocity_after(c, p, u);
    const long double r0 = hypotl(c->u[0], c->u[1]), r1 = hypotl(u[0], u[1]);
    const long double a = 1 / fmaxl(1, c->friction), b = fminl(1, c->friction);
    long double worst = fabsl(u[2] + c->restitution * c->u[2]) * inverse_norm(c);
    for (int i = 0; i < 2; i++) {
        const long double mean = (r0 * c->u[i] + r1 * u[i]) / (r0 * r0 + r1 * r1);
        worst = fmaxl(worst, fabsl(a * p[i] + b * p[2] * mean));
    }
    return worst;
}

/*
 * Friction that opposes the final slip: what is left of |p_t| = mu p_n, over max(1, mu), and of its
 * direction; within the cone, nothing, where there is no slip.
 */
static long double final_slip_residual(const long double p[3], const long double u[3],
                                       long double friction) {
    const long double slip = hypotl(u[0], u[1]), size = hypotl(p[0], p[1]);
    const long double a = 1 / fmaxl(1, friction), b = fminl(1, friction);
    const long double beyond = a * size - b * p[2];
    if (slip == 0) return fmaxl(beyond, 0);
    return fmaxl(fabsl(beyond), size + (p[0] * u[0] + p[1] * u[1]) / slip);
}

/* How far u is from u0 + K p, as an impulse. */
static long double sum_residual(const reference_contact_long *c, const long double p[3],
                                const long double u[3]) {
    long double sum[3];
    velocity_after(c, p, sum);
    return distance3(sum, u) * inverse_norm(c);
}

#define REAL       float
#define EPSILON    ((long double)FLT_EPSILON)
#define NAME(name) name##_f32
#define PRECISION  "f32"
/* Relative errors of closed forms, and of Routh's law: the tolerance of a call, and some rounding.
 */
#define CLOSED      1e-6
#define INCREMENTAL 3e-6
#include "test_laws_real.inc"
#undef INCREMENTAL
#undef CLOSED
#undef PRECISION
#undef NAME
#undef EPSILON
#undef REAL

#define REAL        double
#define EPSILON     ((long double)DBL_EPSILON)
#define NAME(name)  name##_f64
#define PRECISION   "f64"
#define CLOSED      1e-13
#define INCREMENTAL 3e-12
#include "test_laws_real.inc"

/* ---- Against the reference ---- */

static void check_law(const trial *t) {
    compare_f32(t);
    compare_f64(t);
}

#define AGAINST_REFERENCE(name, of)                                                                \
    Test(laws, name##_against_reference) { check_law(&(trial){{.law = of}, 1, false}); }

AGAINST_REFERENCE(frictionless, IMPINGE_LAW_FRICTIONLESS)
AGAINST_REFERENCE(whittaker, IMPINGE_LAW_WHITTAKER)
AGAINST_REFERENCE(smith, IMPINGE_LAW_SMITH)
AGAINST_REFERENCE(two_stage, IMPINGE_LAW_TWO_STAGE)
AGAINST_REFERENCE(bilinear, IMPINGE_LAW_BILINEAR)
AGAINST_REFERENCE(chatterjee_ruina, IMPINGE_LAW_CHATTERJEE_RUINA)
AGAINST_REFERENCE(brach, IMPINGE_LAW_BRACH)
AGAINST_REFERENCE(composite, IMPINGE_LAW_COMPOSITE)

Test(laws, limited_brach_against_reference) {
    check_law(&(trial){{.law = IMPINGE_LAW_BRACH, .limit_impulse_ratios = true}, 1, false});
}

Test(laws, composite_with_poisson_against_reference) {
    check_law(&(trial){{.law = IMPINGE_LAW_COMPOSITE, .rule = IMPINGE_RULE_POISSON}, 1, false});
}

/* Twice e, up to 2. */
Test(laws, restitution_above_one_against_reference) {
    for (int law = IMPINGE_LAW_FRICTIONLESS; law < IMPINGE_LAW_COUNT; law++)
        if (law != IMPINGE_LAW_COMPOSITE)
            check_law(&(trial){{.law = (impinge_law)law, .restitution_above_one = true}, 2, false});
}

Test(laws, jams_against_reference) {
    for (int law = IMPINGE_LAW_FRICTIONLESS; law < IMPINGE_LAW_COUNT; law++)
        check_law(&(trial){{.law = (impinge_law)law, .resolve_jams = true}, 1, true});
}

/*
 * Figure 8: a pendulum strikes the floor; the hinge is a mass m at the far end of the rod (0.6, 0,
 * 0.8), K = rod rod^T / m + across across^T. K is given to rounding, which its condition of m
 * magnifies in M.
 */
static void row_of_pendulum(double m, double e, double row[CONTACT_INPUTS]) {
    const double values[CONTACT_INPUTS] = {
        0.36 / m + 0.64, 0, 0.48 / m - 0.48, 1, 0, 0.64 / m + 0.36, 0.8, 0, -0.6, e, 2, 2};
    memcpy(row, values, sizeof values);
}

/*
 * Sticking bounces (0, 0, 0.3) along the rod: m (0.8 x 0.3)^2 / 2 of energy, without bound as m
 * grows. Chatterjee and Ruina's impulse stays that of 1 kg. Routh's law gives the dead collision
 * p_II = (-0.8, 0, 0.6), whatever e: what is left of restitution has M33 = 0.64 m against it.
 */
static void check_pendulum(double m) {
    double row[CONTACT_INPUTS];
    row_of_pendulum(m, 0.5, row);
    const single_f64 whittaker = resolve_f64(row, &(impinge_options){.law = IMPINGE_LAW_WHITTAKER});
    const double gain = (0.0576 * m + 0.0324 - 1) / 2, rounding = UNITS * DBL_EPSILON * m;
    cr_expect(fabs(gain_f64(&whittaker) - gain) <= rounding * m, "%.17g, not %.17g",
              gain_f64(&whittaker), gain);
    cr_expect_eq(whittaker.outcome & JUDGED, JUDGED);

    const single_f64 fresh =
        resolve_f64(row, &(impinge_options){.law = IMPINGE_LAW_CHATTERJEE_RUINA});
    cr_expect(gain_f64(&fresh) < 0 && hypot(fresh.p[0], fresh.p[2]) < 3, "%g %g", gain_f64(&fresh),
              hypot(fresh.p[0], fresh.p[2]));

    for (int rule = IMPINGE_RULE_STRONGE; rule <= IMPINGE_RULE_POISSON; rule++) {
        const impinge_options options = {.rule = (impinge_restitution_rule)rule};
        /* W_c is below 1/2: u_n^2 M33 / 2 = e^2 W_c by Stronge's rule; less by Poisson's. */
        const single_f64 routh = resolve_f64(row, &options);
        cr_expect(hypot(routh.u[0], routh.u[2]) <= 0.5 / sqrt(0.64 * m), "m %g: u %g %g", m,
                  routh.u[0], routh.u[2]);
        double plastic[CONTACT_INPUTS];
        row_of_pendulum(m, 0, plastic);
        const single_f64 dead = resolve_f64(plastic, &options);
        /* The call's tolerance in u, and K^-1 of m; a few of them. */
        const double error = 4 * m * 1e-12 + rounding;
        cr_expect(fabs(dead.p[0] + 0.8) <= error && fabs(dead.p[2] - 0.6) <= error,
                  "m %g: p %.17g %.17g", m, dead.p[0], dead.p[2]);
        cr_expect(hypot(dead.u[0], dead.u[2]) <= 4e-12, "m %g: u %g %g", m, dead.u[0], dead.u[2]);
    }
}

Test(laws, figure_8) {
    for (double m = 1e2; m <= 1e6; m *= 100)
        check_pendulum(m);
}

/* ---- Right values ---- */

#define FOR_BOTH(name)                                                                             \
    Test(laws, name##_f32) { for_each_target(name##_f32, NULL); }                                  \
    Test(laws, name##_f64) { for_each_target(name##_f64, NULL); }

FOR_BOTH(sphere)
FOR_BOTH(grazing_sphere)
FOR_BOTH(rolls_on)
FOR_BOTH(spin_about_the_normal)
FOR_BOTH(coupling)
FOR_BOTH(small_ball_against_big)
FOR_BOTH(appendix_a2)
FOR_BOTH(composite_outside_the_cone)
FOR_BOTH(grazing_rod)
FOR_BOTH(slip_reversal_of_spheres)
FOR_BOTH(kanes_paradox)
FOR_BOTH(two_stage_without_a_normal_impulse)
FOR_BOTH(brach_with_a_vast_ratio)
FOR_BOTH(brach_pulls_no_more_at_its_bound)
FOR_BOTH(smith_with_vast_friction)
FOR_BOTH(either_does_not_fit)
FOR_BOTH(normal_impulse_beside_stiff_tangents)
FOR_BOTH(several_solutions)
FOR_BOTH(brach_at_its_bounds)
FOR_BOTH(brach_without_a_solution)
FOR_BOTH(brach_turns_all_round)
FOR_BOTH(damping_fraction)
FOR_BOTH(restitution_above_one)
FOR_BOTH(looks_at_its_own_coefficients)
FOR_BOTH(not_diagonal)
