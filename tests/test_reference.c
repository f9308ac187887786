/* The reference against published numbers, right answers, and the laws it must obey. */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../tools/support/random.h"
#include "conditioning.h"
#include "reference.h"
#include "routh_cases.h"

/*
 * The error of the reference in units of rounding, per unit of condition. Its steps leave less than
 * rounding does; extrapolation multiplies rounding by about ten in each, of some ten to a hundred
 * steps, most of them short beside the first few; and what the first steps leave acts on the rest
 * as a change of input would. 10 (double) and 20 (long double) were measured.
 */
#define UNITS 32
/* As the reference, which requires no more of a wider long double. */
#define ROUNDING_LONG (LDBL_EPSILON > 1e-19L ? LDBL_EPSILON : 1e-19L)

/* ---- Random contacts ---- */

/* K = L L^T + 0.1, with normal velocities small enough that all kinds of outcome happen. */
static reference_contact_long draw_contact(uint64_t *state) {
    double l[6];
    for (int i = 0; i < 6; i++)
        l[i] = random_between(state, -1, 1);
    reference_contact_long c = {0};
    c.k11 = l[0] * l[0] + 0.1;
    c.k12 = l[0] * l[1];
    c.k13 = l[0] * l[3];
    c.k22 = l[1] * l[1] + l[2] * l[2] + 0.1;
    c.k23 = l[1] * l[3] + l[2] * l[4];
    c.k33 = l[3] * l[3] + l[4] * l[4] + l[5] * l[5] + 0.1;
    c.u[0] = random_between(state, -2, 2);
    c.u[1] = random_between(state, -2, 2);
    c.u[2] = -2 * random_unit(state);
    c.restitution = random_unit(state);
    c.friction = c.friction_static = random_between(state, 0, 1.5);
    return c;
}

/* A check of a contact that prints it if it fails. */
#define CHECK(contact, condition, ...)                                                             \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            log_contact(contact, IMPINGE_RULE_STRONGE);                                            \
            cr_assert(false, __VA_ARGS__);                                                         \
        }                                                                                          \
    } while (0)

static reference_result_long resolve(const reference_contact_long *c,
                                     impinge_restitution_rule rule) {
    reference_result_long r;
    CHECK(c, reference_resolve_routh_long(c, rule, false, &r), "did not end");
    return r;
}

/* ---- Cases with right answers ---- */

static reference_contact_double contact_of(const routh_case *c) {
    return (reference_contact_double){.k11 = c->k11,
                                      .k12 = c->k12,
                                      .k13 = c->k13,
                                      .k22 = c->k22,
                                      .k23 = c->k23,
                                      .k33 = c->k33,
                                      .u = {c->u[0], c->u[1], c->u[2]},
                                      .restitution = c->restitution,
                                      .friction = c->friction,
                                      .friction_static = c->friction_static};
}

static void check_case(const routh_case *c, const long double p[3], uint32_t outcome,
                       long double rounding, const char *precision) {
    const long double error = distance3(p, c->p) / length3(c->p);
    const long double tolerance = UNITS * rounding * fmaxl(1, (long double)c->condition);
    cr_expect(error <= tolerance, "case %d in %s: error %.3Lg, allowed %.3Lg", c->id, precision,
              error, tolerance);
    cr_expect(routh_case_is(c, outcome), "case %d in %s: %s, but outcome %#x", c->id, precision,
              c->category, (unsigned)outcome);
    const bool recompressed = (outcome & IMPINGE_OUTCOME_RECOMPRESSED) != 0;
    cr_expect_eq(recompressed, strcmp(c->category, "two_compressions") == 0,
                 "case %d in %s: recompressed %d", c->id, precision, recompressed);
}

Test(reference, right_answers) {
    size_t count;
    routh_case *cases = routh_cases_load(&count);
    cr_assert_not_null(cases);
    cr_assert_eq(count, 362);
    for (size_t i = 0; i < count; i++) {
        const reference_contact_double c = contact_of(&cases[i]);
        const reference_contact_long wide = reference_contact_widened(&c);
        reference_result_long r_long;
        cr_expect(reference_resolve_routh_long(&wide, cases[i].rule, false, &r_long));
        check_case(&cases[i], r_long.p, r_long.outcome, ROUNDING_LONG, "long double");
        reference_result_double r;
        cr_expect(reference_resolve_routh_double(&c, cases[i].rule, false, &r));
        const long double p[3] = {r.p[0], r.p[1], r.p[2]};
        check_case(&cases[i], p, r.outcome, DBL_EPSILON, "double");
    }
    free(cases);
}

/* ---- Published numbers: the example of 1.2 ---- */

static void set_example_bodies(reference_body_long *a, reference_body_long *b) {
    *a = (reference_body_long){.inverse_mass = 1,
                               .inverse_inertia = {9, 6, -6, 6, -2, 9},
                               .arm = {1, 1, 1},
                               .velocity = {630, -780, -0.22L}};
    *b = (reference_body_long){.inverse_mass = 0};
}

typedef struct figure2 {
    int zeros, turns;
    long double zero[4], turn[4];
} figure2;

static void note_event(void *user, const reference_point_long *point) {
    figure2 *figure = user;
    if (point->event == REFERENCE_EVENT_ZERO && figure->zeros < 4) {
        figure->zero[figure->zeros++] = point->p[2];
    }
    if (point->event == REFERENCE_EVENT_TURN && figure->turns < 4) {
        figure->turn[figure->turns++] = point->p[2];
    }
}

/*
 * Contacts of which the reference said what was wrong, or nothing: with K33 far above T the end of
 * a collision was searched with a tolerance below rounding and then left where its step ended, up
 * to |u0| off; and slips along a ray on which they hardly change, mu being nearly |T^-1 k|, took
 * more than STEPS_MAX. The velocities are from 33 digits, a Taylor series of order 40.
 */
typedef struct hard_answer {
    impinge_restitution_rule rule;
    double row[12];
    long double u[3];
} hard_answer;

static const hard_answer hard_answers[] = {
    {IMPINGE_RULE_STRONGE,
     {0x1.2289f379b7834p-38, -0x1.09a388596c7d8p-41, 0x1.a4d478ec1edafp-30, 0x1.0389fdd7955aep-44,
      -0x1.30d4b805b69p-33, 0x1.0befb8328085cp-20, 0x1.5d31ca8ea3e89p-9, -0x1.0fee3d4fb0791p-9,
      -0x1.a4cef0ed17bep-4, 0x1.7606d3cbcc458p-2, 0x1.6e8a9f0b98899p+4, 0x1.6e8a9f0b98899p+4},
     {0.00287402981696380035367L, -0.00209338052326707398362L, 0.0375179160607723236872L}},
    {IMPINGE_RULE_POISSON,
     {0x1.25cd12p-12, 0x1.ed86p-16, 0x1.17bdf2p-5, 0x1.448876p-18, -0x1.e7ee66p-8, 0x1.2eeb96p+6,
      0x1.63da6ap-10, 0x1.2b2a46p-12, -0x1.29c9c8p-1, 0x1.137e6p-2, 0x1.6aaacp+2, 0x1.6aaacp+2},
     {0.00167553521773561127388L, 0.000210915790705414689018L, 0.156470668645455716698L}},
    {IMPINGE_RULE_STRONGE,
     {0x1.88bb1f3655712p+7, 0x1.361e2fc1f3454p+6, -0x1.6725c59bb3a34p+7, 0x1.ecfda30af643ap+4,
      -0x1.1be8e0badd628p+6, 0x1.48e12114990a5p+7, -0x1.8402951895872p-36, 0x1.47444c3863e58p-36,
      -0x1.71c7be5bab99p-5, 0x1.0adc71c52b821p-1, 0x1.b55aafb33aa83p-1, 0x1.b55aafb33aa83p-1},
     {-2.41995744499295772174e-09L, -1.22345577086475067173e-09L, 0.0235271377394123347084L}},
    {IMPINGE_RULE_NEWTON,
     {0x1.0290ffde2a984p+0, 0x1.10bf17482f04fp-1, -0x1.dd8c9fdaa9498p-1, 0x1.2968fab4d410ap-2,
      -0x1.fb9589253a942p-2, 0x1.ba74e8c58e5bp-1, 0x1.7405e874a3193p-29, 0x1.3c79a8f0c70dp-31,
      -0x1.f4a944c9beaa5p-1, 0x1.6107851948cf4p-2, 0x1.a24c93ce1ecc6p-1, 0x1.a24c93ce1ecc6p-1},
     {0, 0, 0.337120270602677914363L}},
};

/* To a tenth of the library's tolerance in f64: the rounding of K s is amplified by the slow ray.
 */
Test(reference, hard_answers) {
    for (size_t i = 0; i < sizeof hard_answers / sizeof *hard_answers; i++) {
        const reference_contact_long c = contact_of_row(hard_answers[i].row);
        const reference_result_long r = resolve(&c, hard_answers[i].rule);
        const long double off = distance3(r.u, hard_answers[i].u) / length3(c.u);
        CHECK(&c, off <= 1e-13L, "%zu: errs by %Lg of |u0|", i, off);
    }
}

Test(reference, example_of_1_2) {
    reference_body_long a, b;
    set_example_bodies(&a, &b);
    const long double normal[3] = {0, 0, 1};
    reference_contact_long c = {.restitution = 0.9L, .friction = 0.5L, .friction_static = 0.5L};
    reference_frame_long frame;
    cr_assert_eq(reference_contact_from_bodies_long(&a, &b, normal, &frame, &c), 0);
    cr_assert(c.k11 == 20 && c.k12 == -23 && c.k13 == 4 && c.k22 == 31 && c.k23 == -7 &&
              c.k33 == 4);

    figure2 figure = {0, 0, {0}, {0}};
    reference_result_long r;
    cr_assert(reference_trace_routh_long(&c, IMPINGE_RULE_STRONGE, false, note_event, &figure, &r));
    cr_assert_eq(figure.zeros, 3, "%d", figure.zeros);
    const long double zeros[3] = {14.6L, 29.8L, 56.0L};
    for (int i = 0; i < 3; i++) { /* as many digits as were printed */
        cr_expect(fabsl(figure.zero[i] - zeros[i]) < 0.05L, "%.6Lg", figure.zero[i]);
    }
    cr_assert_geq(figure.turns, 1);
    cr_expect(fabsl(figure.turn[0] - 22.5L) < 0.05L, "%.6Lg", figure.turn[0]);
    cr_expect(r.outcome & IMPINGE_OUTCOME_RECOMPRESSED);
}

/* ---- Published numbers: figure 4 ---- */

static const impinge_collision_matrix figure4 = {20, 0, 1, 4, 6, 10};
static const double degree = 0.017453292519943295;

Test(reference, rays_of_figure_4) {
    const double angles[4] = {87, 209, 281, 323};
    impinge_ray rays[IMPINGE_RAYS_MAX];
    size_t count;
    reference_rays(&figure4, 0.7, rays, &count);
    cr_assert_eq(count, 4);
    for (int i = 0; i < 4; i++) {
        cr_expect(fabs(rays[i].angle / degree - angles[i]) < 0.5, "%.6g", rays[i].angle / degree);
        cr_expect_eq(rays[i].kind, i == 0 ? IMPINGE_RAY_DIVERGING : IMPINGE_RAY_CONVERGING);
    }
}

/* The 16 trajectories, long enough to see where they go. */
static reference_contact_long figure4_start(int n) {
    const double theta = n * 22.5 * degree;
    /* e = 0 ends it at u_n = 0: at p_n of some 1e4 or so, when the slip has grown a thousand times.
     */
    return (reference_contact_long){.k11 = 20,
                                    .k13 = 1,
                                    .k22 = 4,
                                    .k23 = 6,
                                    .k33 = 10,
                                    .u = {cos(theta), sin(theta), -10000},
                                    .friction = 0.7,
                                    .friction_static = 0.7};
}

Test(reference, trajectories_of_figure_4) {
    for (int n = 0; n < 16; n++) {
        const reference_contact_long c = figure4_start(n);
        const reference_result_long r = resolve(&c, IMPINGE_RULE_STRONGE);
        const bool bottom = n >= 10 && n <= 14; /* 225 to 315 degrees */
        const bool through_origin = (r.outcome & IMPINGE_OUTCOME_DIVERGED) != 0;
        cr_expect_eq(through_origin, bottom, "trajectory %d: outcome %#x", n, (unsigned)r.outcome);
        const double angle = atan2((double)r.u[1], (double)r.u[0]) / degree;
        cr_expect(fabs(angle - 87) < 0.5, "trajectory %d ends at %.6g degrees", n, angle);
    }
}

/* ---- What the law promises ---- */

/* u' = u0 + K p and E(u') - E(u0) = (u0 + u').p / 2 = W_c + W_d + W_f. */
static void check_sums(const reference_contact_long *c, const reference_result_long *r) {
    long double u[3];
    velocity_after(c, r->p, u);
    const long double speed = length3(c->u) + length3(r->u);
    const long double tolerance = UNITS * ROUNDING_LONG;
    /* K is of order 1 and conditioned within 50. */
    CHECK(c, distance3(u, r->u) <= 50 * tolerance * speed, "u - u0 - K p: %.3Lg",
          distance3(u, r->u));
    long double energy = 0;
    for (int i = 0; i < 3; i++)
        energy += (c->u[i] + r->u[i]) * r->p[i] / 2;
    const long double work = r->work_compression + r->work_restitution + r->work_friction;
    CHECK(c, fabsl(energy - work) <= 50 * tolerance * speed * speed, "energy %.20Lg, work %.20Lg",
          energy, work);
    CHECK(c, r->work_compression <= 0 && r->work_restitution >= 0 && r->work_friction <= 0,
          "work %.3Lg %.3Lg %.3Lg", r->work_compression, r->work_restitution, r->work_friction);
}

static void check_cone(const reference_contact_long *c, const reference_result_long *r) {
    const long double tangential = hypotl(r->p[0], r->p[1]);
    const long double tolerance = 50 * UNITS * ROUNDING_LONG * length3(c->u);
    CHECK(c, r->p[2] >= 0 && r->u[2] >= 0, "p_n %.3Lg u_n %.3Lg", r->p[2], r->u[2]);
    CHECK(c, isinf(c->friction) || tangential <= c->friction_static * r->p[2] + tolerance,
          "|p_t| %.20Lg, p_n %.20Lg", tangential, r->p[2]);
}

static void check_stronge(const reference_contact_long *c, const reference_result_long *r) {
    const long double e = c->restitution;
    const long double excess = r->work_restitution + e * e * r->work_compression;
    const long double size = length3(c->u);
    const long double tolerance = 50 * UNITS * ROUNDING_LONG * size * size;
    CHECK(c, fabsl(excess) <= tolerance, "W_d + e^2 W_c = %.3Lg", excess);
    const long double work = r->work_compression + r->work_restitution + r->work_friction;
    CHECK(c, work <= tolerance, "gained %.3Lg", work);
}

static void set_special_coefficients(reference_contact_long *c, int i) {
    if (i % 7 == 0) c->restitution = 0;
    if (i % 7 == 1) c->restitution = 1;
    if (i % 5 == 0) c->friction = c->friction_static = 0;
    if (i % 5 == 1) c->friction = c->friction_static = INFINITY;
    if (i % 5 == 2) c->friction_static *= 2;
    if (i % 11 == 0) c->u[0] = c->u[1] = 0;
}

Test(reference, work_and_velocity_add_up) {
    uint64_t state = 1;
    for (int i = 0; i < 4000; i++) {
        reference_contact_long c = draw_contact(&state);
        set_special_coefficients(&c, i);
        const impinge_restitution_rule rule = (impinge_restitution_rule)(i % 3);
        const reference_result_long r = resolve(&c, rule);
        check_sums(&c, &r);
        check_cone(&c, &r);
        if (rule == IMPINGE_RULE_STRONGE && !isinf(c.friction)) check_stronge(&c, &r);
        if (rule == IMPINGE_RULE_NEWTON && !isinf(c.friction)) {
            const long double error = r.u[2] + c.restitution * c.u[2];
            CHECK(&c, fabsl(error) <= 50 * UNITS * ROUNDING_LONG, "u_n + e u_n0 = %.3Lg", error);
        }
        const bool reversed = r.u[0] * c.u[0] + r.u[1] * c.u[1] < 0;
        CHECK(&c, ((r.outcome & IMPINGE_OUTCOME_SLIP_REVERSED) != 0) == reversed, "slip reversed");
        CHECK(&c, (r.outcome & IMPINGE_OUTCOME_GOT_IMPULSE) != 0, "outcome %#x",
              (unsigned)r.outcome);
    }
}

/* Poisson's rule in its own terms: what the trace says of the phases. */
typedef struct phases {
    long double last, impulse[2]; /* p_n so far, of compression and of restitution */
    long double u_n;
} phases;

static void note_phase(void *user, const reference_point_long *point) {
    phases *sums = user;
    sums->impulse[sums->u_n + point->u[2] < 0 ? 0 : 1] += point->p[2] - sums->last;
    sums->last = point->p[2];
    sums->u_n = point->u[2];
}

Test(reference, poisson_sums_impulses_of_phases) {
    uint64_t state = 2;
    for (int i = 0; i < 1000; i++) {
        const reference_contact_long c = draw_contact(&state);
        phases sums = {0, {0, 0}, c.u[2]};
        reference_result_long r;
        cr_assert(
            reference_trace_routh_long(&c, IMPINGE_RULE_POISSON, false, note_phase, &sums, &r));
        const long double excess = sums.impulse[1] - c.restitution * sums.impulse[0];
        CHECK(&c, fabsl(excess) <= 50 * UNITS * ROUNDING_LONG, "excess %.3Lg", excess);
        CHECK(&c, sums.last == r.p[2], "the trace ends before the collision");
    }
}

/* The least slip of a path that does not come to zero; 0 if one does. */
static void note_least_slip(void *user, const reference_point_long *point) {
    long double *const least = user;
    *least = fminl(*least, hypotl(point->u[0], point->u[1]));
}

/*
 * True if the slip passes zero closer than double precision resolves, and mu_s > mu: the law is
 * discontinuous there. The path in long double goes on sliding, and that in double may stick.
 */
static bool passes_zero_within_rounding(const reference_contact_long *c,
                                        impinge_restitution_rule rule) {
    if (!(c->friction_static > c->friction)) return false;
    long double least = INFINITY;
    reference_result_long r;
    cr_assert(reference_trace_routh_long(c, rule, false, note_least_slip, &least, &r));
    return least > 0 && least <= UNITS * (long double)DBL_EPSILON * length3(c->u);
}

/*
 * The two precisions are one source; they agree to the lower, unless a slip passes zero within its
 * rounding. Of these 4000 contacts one does.
 */
Test(reference, precisions_agree) {
    uint64_t state = 3;
    int passed = 0;
    for (int i = 0; i < 4000; i++) {
        reference_contact_long c = draw_contact(&state);
        set_special_coefficients(&c, i);
        const reference_contact_double narrow = narrowed(&c);
        const reference_contact_long wide = reference_contact_widened(&narrow);
        const impinge_restitution_rule rule = (impinge_restitution_rule)(i % 3);
        if (passes_zero_within_rounding(&wide, rule)) {
            passed++;
            continue;
        }
        const reference_result_long exact = resolve(&wide, rule);
        reference_result_double r;
        CHECK(&c, reference_resolve_routh_double(&narrow, rule, false, &r), "did not end");
        const long double u[3] = {r.u[0], r.u[1], r.u[2]};
        const long double error = distance3(u, exact.u) / length3(c.u);
        CHECK(&c, error < 1e-12L, "error %.3Lg", error);
        CHECK(&c, r.outcome == exact.outcome, "outcomes %#x %#x", (unsigned)r.outcome,
              (unsigned)exact.outcome);
    }
    cr_expect_leq(passed, 1);
}

/* Units of mass and speed change nothing but the size; powers of two not even the bits. */
Test(reference, scales_exactly) {
    uint64_t state = 4;
    for (int i = 0; i < 300; i++) {
        const reference_contact_long wide = draw_contact(&state);
        const reference_contact_double c = narrowed(&wide);
        reference_contact_double scaled = c;
        double *const k[6] = {&scaled.k11, &scaled.k12, &scaled.k13,
                              &scaled.k22, &scaled.k23, &scaled.k33};
        for (int j = 0; j < 6; j++)
            *k[j] *= 0x1p200;
        for (int j = 0; j < 3; j++)
            scaled.u[j] *= 0x1p-600;
        reference_result_double r, r_scaled;
        cr_assert(reference_resolve_routh_double(&c, IMPINGE_RULE_STRONGE, false, &r));
        cr_assert(reference_resolve_routh_double(&scaled, IMPINGE_RULE_STRONGE, false, &r_scaled));
        for (int j = 0; j < 3; j++) {
            CHECK(&wide, r_scaled.p[j] == r.p[j] * 0x1p-800 && r_scaled.u[j] == r.u[j] * 0x1p-600,
                  "component %d: %.17g %.17g", j, r_scaled.p[j], r.p[j]);
        }
    }
}

/* ---- Corners with closed forms ---- */

static void expect_result(const reference_contact_long *c, const reference_result_long *r,
                          const long double p[3], uint32_t outcome) {
    CHECK(c, distance3(r->p, p) <= UNITS * ROUNDING_LONG * length3(p),
          "p %.20Lg %.20Lg %.20Lg, not %.20Lg %.20Lg %.20Lg", r->p[0], r->p[1], r->p[2], p[0], p[1],
          p[2]);
    CHECK(c, r->outcome == outcome, "outcome %#x, not %#x", (unsigned)r->outcome,
          (unsigned)outcome);
}

/* A solid sphere on a plane: K = diag(3.5, 3.5, 1); it slides until mu p_n = 0.2, all rules alike.
 */
Test(reference, sphere) {
    const uint32_t slid = IMPINGE_OUTCOME_SLID, stuck = slid | IMPINGE_OUTCOME_STUCK;
    const struct {
        long double friction, p1;
        uint32_t outcome;
    } rows[] = {
        {0, 0, slid},         {0.05L, -0.075L, slid}, {0.2L, -0.2L, stuck},    {1, -0.2L, stuck},
        {1e6L, -0.2L, stuck}, {1e300L, -0.2L, stuck}, {INFINITY, -0.2L, stuck}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int rule = 0; rule < 3; rule++) {
            const reference_contact_long c = {.k11 = 3.5L,
                                              .k22 = 3.5L,
                                              .k33 = 1,
                                              .u = {0.7L * 0.6L, 0.7L * 0.8L, -1},
                                              .restitution = 0.5L,
                                              .friction = rows[i].friction,
                                              .friction_static = rows[i].friction};
            const reference_result_long r = resolve(&c, (impinge_restitution_rule)rule);
            const long double p[3] = {0.6L * rows[i].p1, 0.8L * rows[i].p1, 1.5L};
            expect_result(&c, &r, p, rows[i].outcome);
        }
    }
}

Test(reference, frictionless_is_newton) {
    uint64_t state = 5;
    for (int i = 0; i < 300; i++) {
        reference_contact_long c = draw_contact(&state);
        c.friction = c.friction_static = 0;
        const reference_result_long r = resolve(&c, (impinge_restitution_rule)(i % 3));
        const long double p[3] = {0, 0, (1 + c.restitution) * -c.u[2] / c.k33};
        const uint32_t reversed = r.outcome & IMPINGE_OUTCOME_SLIP_REVERSED;
        expect_result(&c, &r, p, IMPINGE_OUTCOME_SLID | reversed);
        CHECK(&c, r.work_friction == 0, "friction works");
    }
}

/* Slip along a ray all the time: one direction, so the three rules agree. */
Test(reference, slides_on_a_ray) {
    for (int rule = 0; rule < 3; rule++) {
        const reference_contact_long c = {.k11 = 2.92L,
                                          .k13 = 1.44L,
                                          .k22 = 4,
                                          .k33 = 2.08L,
                                          .u = {1, 0, -1},
                                          .restitution = 0.5L,
                                          .friction = 0.1L,
                                          .friction_static = 0.1L};
        const reference_result_long r = resolve(&c, (impinge_restitution_rule)rule);
        const long double p_n = 1.5L / (2.08L - 0.1L * 1.44L);
        const long double p[3] = {-0.1L * p_n, 0, p_n};
        expect_result(&c, &r, p, IMPINGE_OUTCOME_SLID);
    }
}

/* |T^-1 k| = 1.44 / 2.92 lies between the two coefficients: the static one alone can hold. */
Test(reference, static_friction_holds) {
    reference_contact_long c = {.k11 = 2.92L,
                                .k13 = 1.44L,
                                .k22 = 4,
                                .k33 = 2.08L,
                                .u = {0, 0, -1},
                                .restitution = 0.5L,
                                .friction = 0.3L,
                                .friction_static = 0.5L};
    reference_result_long r = resolve(&c, IMPINGE_RULE_STRONGE);
    const long double stuck = 1.5L / (2.08L - 1.44L * 1.44L / 2.92L); /* eq. (5) */
    const long double p_stuck[3] = {-1.44L / 2.92L * stuck, 0, stuck};
    expect_result(&c, &r, p_stuck, IMPINGE_OUTCOME_STUCK);

    c.friction_static = 0.4L;
    r = resolve(&c, IMPINGE_RULE_STRONGE);
    const long double left = 1.5L / (2.08L - 0.3L * 1.44L);
    const long double p_left[3] = {-0.3L * left, 0, left};
    expect_result(&c, &r, p_left, IMPINGE_OUTCOME_DIVERGED);
}

/* A grazing contact that friction presses together: planar, so all of it is lines. */
Test(reference, jam) {
    reference_contact_long c = {.k11 = 2.92L,
                                .k13 = 1.44L,
                                .k22 = 4,
                                .k33 = 2.08L,
                                .u = {1, 0, 0},
                                .restitution = 0.5L,
                                .friction = 2,
                                .friction_static = 2};
    reference_result_long r;
    cr_assert(reference_resolve_routh_long(&c, IMPINGE_RULE_STRONGE, false, &r));
    cr_expect_eq(r.outcome, IMPINGE_OUTCOME_SEPARATING);
    cr_expect(r.p[2] == 0 && r.u[0] == 1 && r.u[1] == 0 && r.u[2] == 0);

    cr_assert(reference_resolve_routh_long(&c, IMPINGE_RULE_STRONGE, true, &r));
    const long double slid = 1 / (2 * 2.92L - 1.44L);       /* p_n until the slip vanishes */
    const long double u_n = (2.08L - 2 * 1.44L) * slid;     /* and u_n then */
    const long double rate = 2.08L - 1.44L * 1.44L / 2.92L; /* eq. (5) */
    const long double work_c = u_n * slid / 2 - u_n * u_n / (2 * rate);
    const long double after = sqrtl(-2 * rate * 0.25L * work_c);
    const long double stuck = (after - u_n) / rate;
    const long double p[3] = {-2 * slid - 1.44L / 2.92L * stuck, 0, slid + stuck};
    expect_result(&c, &r, p, IMPINGE_OUTCOME_SLID | IMPINGE_OUTCOME_STUCK | IMPINGE_OUTCOME_JAMMED);

    c.friction = c.friction_static = 1.4L; /* K33 > mu K13: no jam */
    cr_assert(reference_resolve_routh_long(&c, IMPINGE_RULE_STRONGE, true, &r));
    cr_expect_eq(r.outcome, IMPINGE_OUTCOME_SEPARATING);
}

/* Infinite friction is the limit of large friction; some of these end before the slip does. */
Test(reference, infinite_friction_is_a_limit) {
    uint64_t state = 6;
    int ended_sliding = 0;
    for (int i = 0; i < 2000; i++) {
        reference_contact_long c = draw_contact(&state);
        c.u[2] *= 0.05L;
        const impinge_restitution_rule rule = (impinge_restitution_rule)(i % 3);
        c.friction = c.friction_static = INFINITY;
        const reference_result_long limit = resolve(&c, rule);
        c.friction = c.friction_static = 1e13L;
        const reference_result_long r = resolve(&c, rule);
        /* The difference is of order 1/sqrt(mu) at worst: u_n = sqrt(2 u_n_rate W), W of order
         * 1/mu.
         */
        CHECK(&c, distance3(r.u, limit.u) <= 2e-6L, "distance %.3Lg", distance3(r.u, limit.u));
        if ((limit.outcome & IMPINGE_OUTCOME_STUCK) == 0) {
            ended_sliding++;
            CHECK(&c, limit.p[2] == 0, "p_n %.3Lg", limit.p[2]);
        }
    }
    cr_expect_geq(ended_sliding, 50, "%d", ended_sliding);
}

/* From zero slip the contact leaves along the one diverging ray, or stays. */
Test(reference, leaves_zero_slip_along_the_ray) {
    uint64_t state = 7;
    int diverged = 0;
    for (int i = 0; i < 1000; i++) {
        reference_contact_long c = draw_contact(&state);
        c.u[0] = c.u[1] = 0;
        const reference_contact_double narrow = narrowed(&c);
        const impinge_collision_matrix matrix = {narrow.k11, narrow.k12, narrow.k13,
                                                 narrow.k22, narrow.k23, narrow.k33};
        impinge_ray rays[IMPINGE_RAYS_MAX];
        size_t count;
        reference_rays(&matrix, narrow.friction, rays, &count);
        int diverging = 0;
        for (size_t j = 0; j < count; j++)
            diverging += rays[j].kind == IMPINGE_RAY_DIVERGING;
        const reference_result_long r = resolve(&c, IMPINGE_RULE_STRONGE);
        const bool left = r.outcome == IMPINGE_OUTCOME_DIVERGED;
        CHECK(&c, left || r.outcome == IMPINGE_OUTCOME_STUCK, "outcome %#x", (unsigned)r.outcome);
        CHECK(&c, diverging == left, "%d diverging rays of %zu", diverging, count);
        diverged += left;
        for (size_t j = 0; j < count && left; j++) {
            if (rays[j].kind != IMPINGE_RAY_DIVERGING) continue;
            /* The angle of two rays that are near each other is known to the root of rounding. */
            CHECK(&c,
                  hypotl(r.p[0] + c.friction * r.p[2] * rays[j].s1,
                         r.p[1] + c.friction * r.p[2] * rays[j].s2) < 1e-12L * length3(r.p),
                  "left in another direction");
        }
    }
    cr_expect(diverged > 100 && diverged < 900, "%d", diverged);
}

/* ---- Rays ---- */

Test(reference, rays_are_rays) {
    uint64_t state = 8;
    int seen[IMPINGE_RAYS_MAX + 1] = {0};
    for (int i = 0; i < 1000; i++) {
        const reference_contact_long wide = draw_contact(&state);
        const reference_contact_double c = narrowed(&wide);
        const impinge_collision_matrix matrix = {c.k11, c.k12, c.k13, c.k22, c.k23, c.k33};
        impinge_ray rays[IMPINGE_RAYS_MAX];
        size_t count;
        reference_rays(&matrix, c.friction, rays, &count);
        CHECK(&wide, count >= 1 && count <= IMPINGE_RAYS_MAX, "%zu rays", count);
        seen[count]++;
        for (size_t j = 0; j < count; j++) {
            const impinge_ray *ray = &rays[j];
            const double t1 = c.k13 - c.friction * (c.k11 * ray->s1 + c.k12 * ray->s2);
            const double t2 = c.k23 - c.friction * (c.k12 * ray->s1 + c.k22 * ray->s2);
            CHECK(&wide, fabs(t1 - ray->rate * ray->s1) + fabs(t2 - ray->rate * ray->s2) < 1e-13,
                  "ray %zu turns", j);
            CHECK(&wide, j == 0 || rays[j - 1].angle < ray->angle, "ray %zu is out of order", j);
        }
    }
    cr_expect(seen[1] == 0 && seen[3] == 0, "simple roots come in pairs");
    cr_expect(seen[2] > 100 && seen[4] > 100, "%d %d", seen[2], seen[4]);
}

Test(reference, rays_of_symmetric_contacts) {
    const impinge_collision_matrix sphere = {3.5, 0, 0, 3.5, 0, 1};
    const impinge_collision_matrix planar = {2.92, 0, 1.44, 4, 0, 2.08};
    impinge_ray rays[IMPINGE_RAYS_MAX];
    size_t count;
    reference_rays(&sphere, 0.5, rays, &count);
    cr_expect_eq(count, IMPINGE_RAYS_EVERY_DIRECTION);
    reference_rays(&planar, 0, rays, &count); /* only along k and against it */
    cr_assert_eq(count, 2);
    cr_expect(rays[0].kind == IMPINGE_RAY_DIVERGING && fabs(rays[0].angle) < 1e-15);
    cr_expect(rays[1].kind == IMPINGE_RAY_CONVERGING && fabs(rays[1].angle / degree - 180) < 1e-12);
    /* With mu (K22 - K11) = K13 three rays meet at 0 degrees: a triple root of eq. (7). */
    reference_rays(&planar, 2, rays, &count);
    cr_assert_eq(count, 4);
}

/*
 * A double root of eq. (7), at 1 radian: with K12 = 0 and d = mu (K11 - K22), both eq. (7) and its
 * derivative vanish at theta if k = d (cos^3, -sin^3). With less k there are two roots, with more
 * none.
 */
Test(reference, rays_that_nearly_meet) {
    const struct {
        double scale;
        size_t count;
    } rows[] = {{1 - 1e-7, 4}, {1, 3}, {1 + 1e-7, 2}};
    for (int i = 0; i < 3; i++) {
        const double k = 2 * rows[i].scale;
        const impinge_collision_matrix matrix = {4, 0, k * pow(cos(1), 3), 2, -k * pow(sin(1), 3),
                                                 5};
        impinge_ray rays[IMPINGE_RAYS_MAX];
        size_t count;
        reference_rays(&matrix, 1, rays, &count);
        cr_expect_eq(count, rows[i].count, "%zu rays, not %zu", count, rows[i].count);
        size_t near = 0;
        for (size_t j = 0; j < count; j++)
            near += fabs(rays[j].angle - 1) < 1e-3;
        cr_expect_eq(near, rows[i].count - 2, "%zu rays near", near);
    }
}

/* ---- Euler's method ---- */

static long double euler_error(const reference_contact_double *c, impinge_restitution_rule rule,
                               double step, const reference_result_long *accurate) {
    reference_result_double r;
    cr_assert(reference_resolve_routh_euler(c, rule, step, &r));
    const long double u[3] = {r.u[0], r.u[1], r.u[2]};
    const long double p[3] = {r.p[0], r.p[1], r.p[2]};
    const reference_contact_long wide = reference_contact_widened(c);
    long double expected[3];
    velocity_after(&wide, p, expected);
    CHECK(&wide, distance3(u, expected) < 1e-9L, "u is not u0 + K p");
    return distance3(u, accurate->u);
}

/* Sixteen times the steps, a sixteenth of the error: on the average, for that of one varies. */
static void check_first_order(impinge_restitution_rule rule) {
    uint64_t state = 9;
    long double coarse = 0, fine = 0;
    for (int i = 0; i < 200; i++) {
        reference_contact_long wide = draw_contact(&state);
        if (i % 5 == 0) wide.restitution = 0;
        const reference_contact_double c = narrowed(&wide);
        const reference_result_long accurate = resolve(&wide, rule);
        const double step = (double)accurate.p[2] / 1000;
        coarse += euler_error(&c, rule, step, &accurate);
        fine += euler_error(&c, rule, step / 16, &accurate);
    }
    cr_expect(coarse > 13 * fine && coarse < 19 * fine, "rule %d: ratio %.3Lg", (int)rule,
              coarse / fine);
}

Test(reference, euler_converges_at_first_order) {
    check_first_order(IMPINGE_RULE_STRONGE);
    check_first_order(IMPINGE_RULE_POISSON);
    check_first_order(IMPINGE_RULE_NEWTON);
}

Test(reference, euler_step_reaches_an_accuracy) {
    uint64_t state = 10;
    for (int i = 0; i < 50; i++) {
        const reference_contact_long wide = draw_contact(&state);
        const reference_contact_double c = narrowed(&wide);
        const reference_result_long accurate = resolve(&wide, IMPINGE_RULE_STRONGE);
        double step;
        CHECK(&wide, reference_euler_step(&c, IMPINGE_RULE_STRONGE, 1e-3, &step), "no step");
        const long double error =
            euler_error(&c, IMPINGE_RULE_STRONGE, step, &accurate) / length3(wide.u);
        CHECK(&wide, error <= 1.000001e-3L, "error %.3Lg", error);
    }
}

/* ---- Bodies ---- */

static reference_body_long draw_body(uint64_t *state) {
    reference_body_long body;
    double l[6];
    for (int i = 0; i < 6; i++)
        l[i] = random_between(state, -1, 1);
    body.inverse_mass = random_unit(state);
    body.inverse_inertia[0] = l[0] * l[0];
    body.inverse_inertia[1] = l[0] * l[1];
    body.inverse_inertia[2] = l[0] * l[3];
    body.inverse_inertia[3] = l[1] * l[1] + l[2] * l[2];
    body.inverse_inertia[4] = l[1] * l[3] + l[2] * l[4];
    body.inverse_inertia[5] = l[3] * l[3] + l[4] * l[4] + l[5] * l[5];
    for (int i = 0; i < 3; i++) {
        body.arm[i] = random_between(state, -1, 1);
        body.velocity[i] = random_between(state, -1, 1);
        body.angular_velocity[i] = random_between(state, -1, 1);
    }
    return body;
}

/* Unit vectors everywhere, and often at the poles, where the rotation has its special case. */
static void draw_normal(uint64_t *state, int i, long double normal[3]) {
    const double spread = i % 4 == 0 ? 0 : (i % 4 == 1 ? 1e-9 : 2);
    const double pole = random_unit(state) < 0.5 ? -1 : 1;
    normal[0] = random_between(state, -spread, spread);
    normal[1] = random_between(state, -spread, spread);
    normal[2] = pole * (spread < 1 ? 1 : random_unit(state));
    const long double length = length3(normal);
    for (int j = 0; j < 3; j++)
        normal[j] /= length;
}

/* u_A - u_B at the contact, in its frame. */
static void separation(const reference_body_long *a, const reference_body_long *b,
                       const reference_frame_long *frame, long double u[3]) {
    long double world[3] = {0, 0, 0};
    for (int side = 0; side < 2; side++) {
        const reference_body_long *body = side == 0 ? a : b;
        const long double sign = side == 0 ? 1 : -1;
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, k = (i + 2) % 3;
            world[i] += sign * (body->velocity[i] + body->angular_velocity[j] * body->arm[k] -
                                body->angular_velocity[k] * body->arm[j]);
        }
    }
    for (int i = 0; i < 3; i++) {
        const long double *row = frame->rows[i];
        u[i] = row[0] * world[0] + row[1] * world[1] + row[2] * world[2];
    }
}

static void check_frame(const reference_frame_long *frame, const long double normal[3]) {
    const long double(*r)[3] = frame->rows;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        cr_assert(fabsl(r[2][i] - normal[i]) < 1e-15L, "the last row is not the normal");
        /* t1 x t2 = n and t2 x n = t1: right-handed, and orthogonal if all have length 1. */
        cr_assert(fabsl(r[0][j] * r[1][k] - r[0][k] * r[1][j] - r[2][i]) < 1e-15L);
        cr_assert(fabsl(r[1][j] * r[2][k] - r[1][k] * r[2][j] - r[0][i]) < 1e-15L);
        cr_assert(fabsl(length3(r[i]) - 1) < 1e-15L);
    }
}

Test(reference, bodies_move_as_the_contact_says) {
    uint64_t state = 11;
    for (int i = 0; i < 400; i++) {
        reference_body_long a = draw_body(&state), b = draw_body(&state);
        if (i % 3 == 0) memset(&b, 0, sizeof b);
        long double normal[3];
        draw_normal(&state, i, normal);
        reference_frame_long frame;
        reference_contact_long c = {.restitution = 0.5L, .friction = 0.4L, .friction_static = 0.4L};
        cr_assert_eq(reference_contact_from_bodies_long(&a, &b, normal, &frame, &c), 0);
        check_frame(&frame, normal);
        long double u[3], expected[3];
        separation(&a, &b, &frame, u);
        CHECK(&c, distance3(u, c.u) < 1e-15L, "u0");
        const long double p[3] = {random_unit(&state), random_unit(&state), random_unit(&state)};
        reference_apply_impulse_long(&a, &b, &frame, p);
        separation(&a, &b, &frame, u);
        velocity_after(&c, p, expected);
        CHECK(&c, distance3(u, expected) < 1e-15L, "u0 + K p: %.3Lg", distance3(u, expected));
    }
}

/* Momentum goes from one body to the other, and nothing goes into a body that cannot move. */
Test(reference, impulse_keeps_momentum) {
    reference_body_long a, b;
    set_example_bodies(&a, &b);
    const reference_body_long wall = b;
    const long double normal[3] = {0, 0.6L, 0.8L};
    reference_contact_long c = {0};
    reference_frame_long frame;
    cr_assert_eq(reference_contact_from_bodies_long(&a, &b, normal, &frame, &c), 0);
    const long double p[3] = {0, 0, 1};
    const reference_body_long before = a;
    reference_apply_impulse_long(&a, &b, &frame, p);
    for (int i = 0; i < 3; i++) {
        cr_expect(b.velocity[i] == wall.velocity[i]);
        cr_expect(fabsl(a.velocity[i] - before.velocity[i] - normal[i]) < 1e-13L);
    }
}

/* ---- Words for what is wrong ---- */

static uint32_t outcome_of(const reference_contact_long *c) {
    reference_result_long r;
    cr_assert(reference_resolve_routh_long(c, IMPINGE_RULE_STRONGE, false, &r));
    cr_assert(r.p[0] == 0 && r.p[1] == 0 && r.p[2] == 0);
    cr_assert(r.work_compression == 0 && r.work_restitution == 0 && r.work_friction == 0);
    return r.outcome;
}

Test(reference, names_what_is_wrong) {
    const reference_contact_long good = {.k11 = 3.5L,
                                         .k22 = 3.5L,
                                         .k33 = 1,
                                         .u = {0.7L, 0, -1},
                                         .restitution = 0.5L,
                                         .friction = 0.2L,
                                         .friction_static = 0.2L};
    const uint32_t invalid = IMPINGE_OUTCOME_INVALID;
    reference_contact_long c = good;
    c.k33 = -1;
    cr_expect_eq(outcome_of(&c), invalid | IMPINGE_OUTCOME_INVALID_MATRIX);
    c = good, c.k12 = 4;
    cr_expect_eq(outcome_of(&c), invalid | IMPINGE_OUTCOME_INVALID_MATRIX);
    c = good, c.k13 = 2;
    cr_expect_eq(outcome_of(&c), invalid | IMPINGE_OUTCOME_INVALID_MATRIX);
    c = good, c.k11 = NAN;
    cr_expect_eq(outcome_of(&c), invalid | IMPINGE_OUTCOME_INVALID_MATRIX);
    c = good, c.u[0] = INFINITY;
    cr_expect_eq(outcome_of(&c), invalid | IMPINGE_OUTCOME_INVALID_VELOCITY);
    c = good, c.restitution = 1.5L;
    cr_expect_eq(outcome_of(&c), invalid | IMPINGE_OUTCOME_INVALID_RESTITUTION);
    c = good, c.friction = NAN;
    cr_expect_eq(outcome_of(&c), invalid | IMPINGE_OUTCOME_INVALID_FRICTION);
    c = good, c.friction_static = 0.1L;
    cr_expect_eq(outcome_of(&c), invalid | IMPINGE_OUTCOME_INVALID_FRICTION);
    c = good, c.u[2] = 0;
    cr_expect_eq(outcome_of(&c), IMPINGE_OUTCOME_SEPARATING);
    c = good, c.k11 = c.k22 = c.k33 = 0;
    cr_expect_eq(outcome_of(&c), IMPINGE_OUTCOME_IMMOVABLE);
    c = good, c.k11 = c.k22 = c.k33 = LDBL_MIN, c.u[2] = -LDBL_MAX;
    cr_expect_eq(outcome_of(&c), invalid | IMPINGE_OUTCOME_OUT_OF_RANGE);
}

Test(reference, names_what_is_wrong_with_bodies) {
    reference_body_long a, b;
    set_example_bodies(&a, &b);
    reference_contact_long c = {0};
    reference_frame_long frame;
    const uint32_t invalid = IMPINGE_OUTCOME_INVALID;
    const long double up[3] = {0, 0, 1}, twice[3] = {0, 0, 2};
    cr_expect_eq(reference_contact_from_bodies_long(&a, &b, twice, &frame, &c),
                 invalid | IMPINGE_OUTCOME_INVALID_NORMAL);
    a.inverse_mass = -1;
    cr_expect_eq(reference_contact_from_bodies_long(&a, &b, up, &frame, &c),
                 invalid | IMPINGE_OUTCOME_INVALID_MASS);
    set_example_bodies(&a, &b);
    b.arm[1] = NAN;
    cr_expect_eq(reference_contact_from_bodies_long(&a, &b, up, &frame, &c),
                 invalid | IMPINGE_OUTCOME_INVALID_ARM);
    set_example_bodies(&a, &b);
    b.angular_velocity[2] = INFINITY;
    cr_expect_eq(reference_contact_from_bodies_long(&a, &b, up, &frame, &c),
                 invalid | IMPINGE_OUTCOME_INVALID_VELOCITY);
}
