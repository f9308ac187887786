/* The incremental law on every target and in both precisions, against right answers and the
 * reference. */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batches.h"
#include "conditioning.h"
#include "random_contacts.h"
#include "reference.h"
#include "routh_cases.h"
#include "targets.h"

/*
 * Units of rounding that a kernel's own arithmetic may leave: a contact takes some 13 steps (slow
 * ones some 50), each of which adds about one unit to a velocity and half a unit to what a step
 * reads of K and of the slip.
 */
#define UNITS 32

/* The sensitivity is the worst of some samples, not of all. */
#define SAMPLED 2

/* The reference's steps near zero slip are half as long as the slip: it sees the least to a factor.
 */
#define NEAR_ZERO_SLIP 4

static const impinge_restitution_rule rules[3] = {IMPINGE_RULE_STRONGE, IMPINGE_RULE_POISSON,
                                                  IMPINGE_RULE_NEWTON};

static void row_of_case(const routh_case *c, double row[CONTACT_INPUTS]) {
    const double values[CONTACT_INPUTS] = {
        c->k11,  c->k12,  c->k13,  c->k22,         c->k23,      c->k33,
        c->u[0], c->u[1], c->u[2], c->restitution, c->friction, c->friction_static};
    memcpy(row, values, sizeof values);
}

/* The reference's answer, and how near to zero its slip comes. */
typedef struct answer {
    reference_result_long result;
    long double least_slip;
} answer;

static void note_slip(void *user, const reference_point_long *point) {
    answer *a = user;
    a->least_slip = fminl(a->least_slip, hypotl(point->u[0], point->u[1]));
}

/*
 * With mu_s > mu the law itself is open where the slip passes zero within rounding: at zero it
 * would stick, anywhere else it slides on, and both are right.
 */
static bool is_open(const reference_contact_long *c, const answer *a, long double bound) {
    return c->friction_static > c->friction && a->least_slip <= NEAR_ZERO_SLIP * bound &&
           (a->result.outcome & IMPINGE_OUTCOME_STUCK) == 0;
}

static answer answer_of(const reference_contact_long *c, const impinge_options *options) {
    answer a = {.least_slip = hypotl(c->u[0], c->u[1])};
    if (!reference_trace_routh_long(c, options->rule, options->resolve_jams, note_slip, &a,
                                    &a.result)) {
        log_contact(c, options->rule);
        cr_assert(false, "the reference did not end");
    }
    return a;
}

/* How a set of random contacts is drawn and resolved. */
typedef struct trial {
    const char *name;
    uint64_t seed;
    size_t count;
    random_kind kind;
    impinge_options options;
    const double (*rows)[CONTACT_INPUTS]; /* contacts to take instead; null: none */
} trial;

#define REAL              float
#define EPSILON           ((long double)FLT_EPSILON)
#define DEFAULT_TOLERANCE 1e-6L
#define CASE_ERROR        2e-6L /* what the project promises for routh.csv */
#define NAME(name)        name##_f32
#define PRECISION         "f32"
#include "test_routh_real.inc"
#undef PRECISION
#undef NAME
#undef CASE_ERROR
#undef DEFAULT_TOLERANCE
#undef EPSILON
#undef REAL

#define REAL              double
#define EPSILON           ((long double)DBL_EPSILON)
#define DEFAULT_TOLERANCE 1e-12L
#define CASE_ERROR        1e-11L
#define NAME(name)        name##_f64
#define PRECISION         "f64"
#include "test_routh_real.inc"

/* ---- Right answers ---- */

Test(routh, right_answers_f32) { for_each_target(check_cases_f32, NULL); }
Test(routh, right_answers_f64) { for_each_target(check_cases_f64, NULL); }

Test(routh, diverges_from_rest) {
    for_each_target(diverges_from_rest_f32, NULL);
    for_each_target(diverges_from_rest_f64, NULL);
}

Test(routh, rounding_is_told) {
    for_each_target(rounding_is_told_f32, NULL);
    for_each_target(rounding_is_told_f64, NULL);
}

/* ---- Random contacts of every kind against the reference ---- */

static void check_kind(random_kind kind) {
    for (int i = 0; i < 3; i++) {
        trial t = {
            random_kind_names[kind], 100 + (uint64_t)kind, 300, kind, {.rule = rules[i]}, NULL};
        compare_f32(&t);
        compare_f64(&t);
    }
}

Test(routh, boxes) { check_kind(RANDOM_BOXES); }
Test(routh, any_matrix) { check_kind(RANDOM_DEFINITE); }
Test(routh, spheres) { check_kind(RANDOM_SPHERES); }
Test(routh, planar) { check_kind(RANDOM_PLANAR); }
Test(routh, at_rest) { check_kind(RANDOM_AT_REST); }
Test(routh, nearly_at_rest) { check_kind(RANDOM_NEARLY_AT_REST); }
Test(routh, grazing) { check_kind(RANDOM_GRAZING); }
Test(routh, frictionless) { check_kind(RANDOM_FRICTIONLESS); }
Test(routh, infinite_friction) { check_kind(RANDOM_INFINITE_FRICTION); }
Test(routh, tiny_friction) { check_kind(RANDOM_TINY_FRICTION); }
Test(routh, huge_friction) { check_kind(RANDOM_HUGE_FRICTION); }
Test(routh, static_friction) { check_kind(RANDOM_STATIC_FRICTION); }
Test(routh, plastic) { check_kind(RANDOM_PLASTIC); }
Test(routh, elastic) { check_kind(RANDOM_ELASTIC); }
Test(routh, two_phase) { check_kind(RANDOM_TWO_PHASE); }
Test(routh, separating) { check_kind(RANDOM_SEPARATING); }
Test(routh, level) { check_kind(RANDOM_LEVEL); }

/* ---- Contacts that kernels got wrong once ---- */

/* In f64 if nothing is said. */
static const double once_wrong[][CONTACT_INPUTS] = {
    /* f32: said to be out of range. */
    {14.719680786132812, -1.1216437816619873, 6.8256621360778809, 21.455862045288086,
     -3.2913939952850342, 8.4292287826538086, 4.8237532610073686e-05, 3.1548592232866213e-05,
     -0.82545536756515503, 0.0091671235859394073, 0.47209396958351135, 0.47209396958351135},
    /* f32: the slip passes zero at a distance, but was taken to meet it, since mu is small. */
    {8.2776174545288086, 0.05060981959104538, 1.2867096662521362, 7.6826915740966797,
     0.62749952077865601, 2.389631986618042, -0.053350087255239487, -0.32320928573608398,
     -0.75836628675460815, 0.8029143214225769, 3.5774770732605043e-12, 3.5774770732605043e-12},
    {9.879915411342358, -2.4252493764454184, 2.4750096033457254, 7.2959602619601913,
     3.9284431656991545, 7.8194136947294961, -0.33437821733673356, -0.77448609645706479,
     -0.97902056107911473, 0.94859414556358146, 5.7352770588186199e-13, 5.7352770588186199e-13},
    /* f32, out of data/boxes_pit.csv: the slip passes close by an unstable zero, and lingers there.
     */
    {1.7701195478439331, -0.93656623363494873, -0.35768225789070129, 1.6003491878509521,
     -0.39218565821647644, 1.6322246789932251, -2.7808002347228467e-07, 7.5014150979768601e-07,
     -0.016343666240572929, 0.59700000286102295, 0.56999999284744263, 0.56999999284744263},
    /* mu = infinity: the velocity wrong by 5e-9; */
    {0.015364679579582895, 0.022454255259957825, 0.029572750893967163, 0.06075854827808208,
     0.07430576312578105, 0.1077442821436614, 0.48036501130506903, -0.8911730798707895,
     -0.3965687391953794, 0.42548928331686475, (double)INFINITY, (double)INFINITY},
    /* ... the friction work by 1e-10, or at a tolerance of 0.01 by 4000. */
    {1.13733158750544, -0.6376332465109837, -0.6052379989759528, 1.146502114130611,
     -0.05352729329758921, 1.7111668727958482, -0.9167874926025141, -0.32734865619185616,
     -0.08252069366309456, 0.0, (double)INFINITY, (double)INFINITY},
};

Test(routh, once_wrong) {
    const double tolerances[] = {0, 0.01};
    for (size_t i = 0; i < 2; i++) {
        trial t = {.name = "once wrong",
                   .count = sizeof once_wrong / sizeof *once_wrong,
                   .options = {.tolerance = tolerances[i]},
                   .rows = once_wrong};
        compare_f32(&t);
        compare_f64(&t);
    }
}

/* ---- Options ---- */

static void check_tolerance(double tolerance, bool f32) {
    for (int i = 0; i < 3; i++) {
        const random_kind kinds[] = {RANDOM_BOXES, RANDOM_DEFINITE};
        for (int j = 0; j < 2; j++) {
            const impinge_options options = {.rule = rules[i], .tolerance = tolerance};
            trial t = {"tolerance", 200, 500, kinds[j], options, NULL};
            if (f32)
                compare_f32(&t);
            else
                compare_f64(&t);
        }
    }
}

Test(routh, tolerance_1e3_f32) { check_tolerance(1e-3, true); }
Test(routh, tolerance_1e5_f32) { check_tolerance(1e-5, true); }
Test(routh, tolerance_1e2_f64) { check_tolerance(1e-2, false); }
Test(routh, tolerance_1e3_f64) { check_tolerance(1e-3, false); }
Test(routh, tolerance_1e5_f64) { check_tolerance(1e-5, false); }
Test(routh, tolerance_1e8_f64) { check_tolerance(1e-8, false); }
Test(routh, tolerance_1e12_f64) { check_tolerance(1e-12, false); }

static void check_jams(random_kind kind) {
    for (int i = 0; i < 3; i++) {
        const impinge_options options = {.rule = rules[i], .resolve_jams = true};
        trial t = {"jams", 300, 1000, kind, options, NULL};
        compare_f32(&t);
        compare_f64(&t);
    }
}

Test(routh, jams) { check_jams(RANDOM_LEVEL); }
Test(routh, jams_leave_others_alone) { check_jams(RANDOM_BOXES); }

Test(routh, jams_happen_only_on_request) {
    for_each_target(check_jam_option_f32, NULL);
    for_each_target(check_jam_option_f64, NULL);
}

/* ---- Infinite friction is the limit of much friction ---- */

/*
 * With mu = 1e15, p_n grows by 1e-15 of |p_t| ~ |u0| |K^-1| while the contact slides. So u differs
 * from the limit's by about 1e-15 |K| |K^-1| |u0|, or 1e-12 |u0| for these K, times what the
 * contact makes of an error: 1e-9 |u0| leaves a thousand for that.
 */
static void check_limit(const char *target, void *user) {
    (void)user;
    enum { COUNT = 500 };
    batch_f64 b = batch_new_f64(LEVEL_CONTACTS, COUNT);
    uint64_t state = 400;
    for (size_t i = 0; i < COUNT; i++) {
        double row[CONTACT_INPUTS];
        random_contact(&state, RANDOM_DEFINITE, 0, row);
        row[IN_FRICTION] = row[IN_FRICTION_STATIC] = (double)INFINITY;
        batch_set_row_f64(&b, i, row);
    }
    cr_assert_eq(batch_resolve_f64(&b, 0, COUNT, NULL, NULL), IMPINGE_OK);
    for (size_t i = 0; i < COUNT; i++) {
        reference_contact_long c = contact_at_f64(&b, i);
        c.friction = c.friction_static = 1e15L;
        const reference_result_long r = answer_of(&c, &(impinge_options){0}).result;
        long double u[3];
        output_vector_f64(&b, i, OUT_U1, u);
        const long double error = distance3(u, r.u) / length3(c.u);
        if (error > 1e-9L) log_contact(&c, IMPINGE_RULE_STRONGE);
        cr_assert(error <= 1e-9L, "%s: %.3Lg from the limit", target, error);
    }
    batch_free_f64(&b);
}

Test(routh, infinite_friction_is_a_limit) { for_each_target(check_limit, NULL); }
