/*
 * The laws on contacts that are drawn to break them (law_adversaries.h): each answer is held to the
 * law's own equations and to u = u0 + K p, in long double, and has the same bits alone, in company
 * and on every target. And the contacts that once were answered wrong, with their right values.
 *
 * IMPINGE_ADVERSARIAL in the environment is how many contacts a law, instead of CONTACTS, and
 * IMPINGE_SEED another seed than 1; scripts/prove hands on both.
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/region.h>
#include <impinge/target.h>

#include "asked_for.h"
#include "batches.h"
#include "law_adversaries.h"
#include "random_contacts.h"
#include "targets.h"

/* A law and precision, of the suite's own run. */
#define CONTACTS 20000

/* At a time: some whole vectors of any target, and a part of one. */
#define SOME 1001

/* Copies of a known contact: two whole vectors of any target, and a part of one. */
#define COMPANY 37

/*
 * The errors allowed to an answer, in units of rounding of the terms added up (adversarial_error).
 *
 * The law holds to what its own operations round, some ten in a row; and so does u = u0 + K p. That
 * holds where a root is sought (Whittaker, Smith, two-stage), too, since the impulse is that of the
 * root between two neighbouring numbers. The impulse of one of these was off by 2,600 units in 10^7
 * contacts in f64: where K is nearly singular, one unit of the root changes kappa . p_t by far more
 * than its rounding.
 *
 * p.(u0 + K p / 2) is p.(u0 + u) / 2 and what u0 + K p is off: from the law's equations and
 * from the sum, each as many units as these.
 */
#define LAW_UNITS    16
#define SUM_UNITS    16
#define ENERGY_UNITS (LAW_UNITS + SUM_UNITS)

/* Elements of K that count as zero by the bilinear law, relative to sqrt(K_ii K_jj). */
#define DIAGONAL_UNITS 64

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* A contact, a law, and right values; NaN: not looked at. */
typedef struct known {
    const char *what;
    impinge_law law;
    double row[CONTACT_INPUTS];
    double p[3], u[3];
    double p_error, u_error; /* relative to each, and absolute */
} known;

#define ANY (double)NAN

#define REAL         float
#define NAME(name)   name##_f32
#define SINGLE       true
#define REAL_EPSILON ((long double)FLT_EPSILON)
#define REAL_LEAST   ((long double)FLT_MIN)
#include "test_law_adversarial_real.inc"
#undef REAL_LEAST
#undef REAL_EPSILON
#undef SINGLE
#undef NAME
#undef REAL

#define REAL         double
#define NAME(name)   name##_f64
#define SINGLE       false
#define REAL_EPSILON ((long double)DBL_EPSILON)
#define REAL_LEAST   ((long double)DBL_MIN)
#include "test_law_adversarial_real.inc"

/* ---- Contacts that were answered wrong ---- */

static const known known_f32[] = {
    {"Smith's law for elongated K",
     IMPINGE_LAW_SMITH,
     {.0026950832, -.326024294, -.100558758, 127.986885, 219.511856, 567.993896, -4.18e-8, -6.82e-6,
      -.250690132, .358437568, 1.16e-7, 1.16e-7},
     {3.188427337e-14, -6.954905356e-11, 5.9956085992e-4},
     {-6.033287261e-5, .131603888, .0898567614},
     1e-6,
     1e-7},
    {"an infinite friction is no number",
     IMPINGE_LAW_WHITTAKER,
     {1, 0, 0, 1, 0, 1, 1, 0, -1e-20, .5, INFINITY, INFINITY},
     {-1, 0, 1.5e-20},
     {0, 0, .5e-20},
     0,
     0},
    {"an infinite friction is no number",
     IMPINGE_LAW_TWO_STAGE,
     {1, 0, 0, 1, 0, 1, 1, 0, -1e-20, .5, INFINITY, INFINITY},
     {-1, 0, ANY},
     {0, 0, .5e-20},
     0,
     1e-26},
    {"an infinite friction is no number",
     IMPINGE_LAW_CHATTERJEE_RUINA,
     {1, 0, 0, 1, 0, 1, 1, 0, -1e-20, .5, INFINITY, INFINITY},
     {-1, 0, 1.5e-20},
     {0, 0, .5e-20},
     0,
     0},
    {"Smith's law where the slip before is small beside that of the stiffer axis only",
     IMPINGE_LAW_SMITH,
     {0x1.fd8df8p-39, 0x1.55305ap-20, 0x1.aef438p-42, 0x1.35056ap-1, 0x1.037d78p-22, 0x1.14919ep-43,
      0x1.50371cp-6, 0x1.90394ep-6, -0x1.8fa852p-2, 1, 0x1.0462aap-1, 0x1.0462aap-1},
     {1.1186916541e13, -57244399.3706, 8.41290125068e13},
     {-.0337481472, -.01989335198, ANY},
     1e-6,
     1e-7},
    {"weak friction by Smith's law where mu is 1 / |kappa|",
     IMPINGE_LAW_SMITH,
     {0x1.163c14p-35, -0x1.1192c4p-22, 0x1.0ceaa6p-18, 0x1.7c5a9ap-2, 0x1.90187cp-3, 0x1.5269c6p-1,
      -0x1.c54594p+34, 0x1.7529f6p+52, -0x1.64543cp-29, 0x1.b55d8p-1, 0x1.b110b8p+1, 0x1.b110b8p+1},
     {ANY, ANY, ANY},
     {ANY, ANY, 0x1.b55d8p-1 * 0x1.64543cp-29},
     0,
     1e-15},
    /* The slip hardly turns: p_n = (1 + e) |u_n| / (1 - mu k . s), s = (2, 1) / sqrt(5). */
    {"next to no approach",
     IMPINGE_LAW_WHITTAKER,
     {1, 0, .2, 1, .1, 1, 1, .5, -1e-19, .5, .3, .3},
     {-4.31433693e-20, -2.15716846e-20, 1.60785838e-19},
     {1, .5, .5e-19},
     1e-6,
     1e-25},
    {"next to no approach",
     IMPINGE_LAW_SMITH,
     {1, 0, .2, 1, .1, 1, 1, .5, -1e-19, .5, .3, .3},
     {-4.31433693e-20, -2.15716846e-20, 1.60785838e-19},
     {1, .5, .5e-19},
     1e-6,
     1e-25},
    {"next to no approach",
     IMPINGE_LAW_TWO_STAGE,
     {1, 0, .2, 1, .1, 1, 1, .5, -1e-19, .5, .3, .3},
     {-4.31433693e-20, -2.15716846e-20, 1.60785838e-19},
     {1, .5, .5e-19},
     1e-6,
     1e-25},
    {"Chatterjee and Ruina's law where little is left of p_n",
     IMPINGE_LAW_CHATTERJEE_RUINA,
     {149.40985107, 0, -.0290366336, 185.7174988, 0, 6.35163133e-6, 1.34041584, .347122103,
      -3.60837566e-6, .804302633, .954871595, .954871595},
     {-2.24168897861e-4, -5.2751093945e-6, 2.34828386366e-4},
     {ANY, ANY, .804302633 * 3.60837566e-6},
     1e-6,
     1e-12},
    /* Sticking: p_n = 1.5 / (1 - k13^2 / K11), p_1 = -k13 p_n. */
    {"Smith's law where the slip before is less than a unit, in units of the stiffer axis, too",
     IMPINGE_LAW_SMITH,
     {1, 0, .25, 0x1p-28, 0, 1, 0x1p-50, 0, -1, .5, 1, 1},
     {-.4, 0, 1.6},
     {0, 0, .5},
     2e-7,
     0},
};

static const known known_f64[] = {
    {"one unit of the root is 500 units of u_n",
     IMPINGE_LAW_SMITH,
     {0x1.b95a7dc8bc901p-39, 0x1.472c1cfea173ep-20, -0x1.0c0f53f2ce546p-34, 0x1.e7830495216d9p-1,
      -0x1.8f365573a5f3dp-15, 0x1.46e7e76f7e6c3p-29, 0x1.42618040141bp-49, -0x1.afc59928cabcap-50,
      -0x1.15ec7af747a85p-56, 0x1p-34, INFINITY, INFINITY},
     {ANY, ANY, ANY},
     {ANY, ANY, ANY},
     0,
     0},
    /* The slip hardly turns: p_n = (1 + e) |u_n| / (1 - mu k . s), s = (2, 1) / sqrt(5). */
    {"next to no approach",
     IMPINGE_LAW_WHITTAKER,
     {1, 0, .2, 1, .1, 1, 1, .5, -1e-169, .5, .3, .3},
     {-4.31433693e-170, -2.15716846e-170, 1.60785838e-169},
     {1, .5, .5e-169},
     1e-6,
     1e-175},
    {"next to no approach",
     IMPINGE_LAW_SMITH,
     {1, 0, .2, 1, .1, 1, 1, .5, -1e-169, .5, .3, .3},
     {-4.31433693e-170, -2.15716846e-170, 1.60785838e-169},
     {1, .5, .5e-169},
     1e-6,
     1e-175},
    {"next to no approach",
     IMPINGE_LAW_TWO_STAGE,
     {1, 0, .2, 1, .1, 1, 1, .5, -1e-169, .5, .3, .3},
     {-4.31433693e-170, -2.15716846e-170, 1.60785838e-169},
     {1, .5, .5e-169},
     1e-6,
     1e-175},
    {"just below the sticking threshold",
     IMPINGE_LAW_WHITTAKER,
     {2, 0, .5, 1, .5, 1.5, 0, 0, -1, .5, .55901699437494, .55901699437494},
     {-.33333333333333, -.666666666666654, 1.33333333333333},
     {0, 0, .5},
     3e-14,
     2e-14},
    {"just below the sticking threshold",
     IMPINGE_LAW_SMITH,
     {2, 0, .5, 1, .5, 1.5, 0, 0, -1, .5, .55901699437494, .55901699437494},
     {-.33333333333333, -.666666666666654, 1.33333333333333},
     {0, 0, .5},
     3e-14,
     2e-14},
    {"just below the sticking threshold",
     IMPINGE_LAW_TWO_STAGE,
     {2, 0, .5, 1, .5, 1.5, 0, 0, -1, .5, .55901699437494, .55901699437494},
     {-.33333333333333, -.666666666666654, 1.33333333333333},
     {0, 0, .5},
     3e-14,
     2e-14},
    {"just below the sticking threshold",
     IMPINGE_LAW_TWO_STAGE,
     {2, 0, .5, 1, .5, 1.5, 0, 0, -1, 0, .55901699437494, .55901699437494},
     {-.33333333333333 / 1.5, -.666666666666654 / 1.5, 1.33333333333333 / 1.5},
     {0, 0, 0},
     3e-14,
     2e-14},
    /*
     * p_t is (-95.6, 96.1) after compression, so that slips err by 3e-14. That turns a slip of
     * 5e-5, and with it friction of 135, by 6e-10: 8e-8 of p_t, and by k in the soft direction,
     * 1e-3, some 1e-10 of u_n.
     */
    {"friction turns round between the stages",
     IMPINGE_LAW_TWO_STAGE,
     {1, 0x1.ffff8694a90e4p-1, -0x1.9a0e8395cfd1ap-1, 1, -0x1.996da583071c7p-1,
      0x1.fffffffffffffp-1, 0x1.ae7abe3ba9ef8p-10, 0x1.7f2c2a0fbfeap-13, -0x1.5eeba25b1873ap-2, 1,
      0x1.b29724bf74818p+7, 0x1.b29724bf74818p+7},
     {.49881677398073585, .4988191443915752, 1.24774920052639306},
     {-3.6069385426375670e-5, 3.5882007985330054e-5, .10666705475754489},
     2e-7,
     1e-10},
};

static void check_known_f32(const char *target, void *user) {
    (void)user;
    for (size_t i = 0; i < COUNT_OF(known_f32); i++)
        check_one_f32(&known_f32[i], target);
}

static void check_known_f64(const char *target, void *user) {
    (void)user;
    for (size_t i = 0; i < COUNT_OF(known_f64); i++)
        check_one_f64(&known_f64[i], target);
}

Test(law_adversarial, known_f32) { for_each_target(check_known_f32, NULL); }
Test(law_adversarial, known_f64) { for_each_target(check_known_f64, NULL); }

#define SEARCH(name, of)                                                                           \
    Test(law_adversarial, name##_f32, .timeout = 1e6) { search_f32(of); }                          \
    Test(law_adversarial, name##_f64, .timeout = 1e6) { search_f64(of); }

SEARCH(frictionless, IMPINGE_LAW_FRICTIONLESS)
SEARCH(whittaker, IMPINGE_LAW_WHITTAKER)
SEARCH(smith, IMPINGE_LAW_SMITH)
SEARCH(two_stage, IMPINGE_LAW_TWO_STAGE)
SEARCH(bilinear, IMPINGE_LAW_BILINEAR)
SEARCH(chatterjee_ruina, IMPINGE_LAW_CHATTERJEE_RUINA)
SEARCH(brach, IMPINGE_LAW_BRACH)

Test(law_adversarial, definite_f32) { for_each_target(check_definite_f32, NULL); }
Test(law_adversarial, definite_f64) { for_each_target(check_definite_f64, NULL); }

/*
 * Routh's part once had no answer here, and the composite was a mix of one answer and of half an
 * answer. Both have one.
 */
static void check_composite(const char *target, void *user) {
    (void)user;
    batch_f64 b = batch_new_f64(LEVEL_CONTACTS, COMPANY);
    const double row[CONTACT_INPUTS] = {1, 0, 0, 2, 0, 1, 1e-6, 1e-6, -1, .5, 1e-6, 1e-6};
    for (size_t i = 0; i < COMPANY; i++)
        batch_set_row_f64(&b, i, row);
    const impinge_options options = {.law = IMPINGE_LAW_COMPOSITE};
    cr_assert_eq(batch_resolve_f64(&b, 0, 1, &options, NULL), IMPINGE_OK);
    cr_assert_eq(batch_resolve_f64(&b, 1, COMPANY - 1, &options, NULL), IMPINGE_OK);
    const double right[6] = {-1e-6, -5e-7, 1.5, 0, 0, .5};
    for (size_t i = 0; i < COMPANY; i++) {
        cr_expect_eq(b.outcome[i] & IMPINGE_OUTCOME_NO_IMPULSE, 0, "%s, %zu: %#x", target, i,
                     (unsigned)b.outcome[i]);
        for (size_t k = 0; k < 6; k++)
            cr_expect(fabs(b.out[k * COMPANY + i] - right[k]) <= 3e-12, "%s, %zu, %zu: %.17g",
                      target, i, k, b.out[k * COMPANY + i]);
    }
    batch_free_f64(&b);
}

Test(law_adversarial, composite_is_honest) { for_each_target(check_composite, NULL); }

/* Without a velocity before, what an impulse makes of it is all there is to judge. */
static void check_judged_at_rest(const char *target, void *user) {
    (void)user;
    const double k[3] = {1, 0x1p-40, 0x1p300}, p_n[3] = {.25, .25, 0x1p-310};
    for (int i = 0; i < 3; i++) {
        const double one[1] = {k[i]}, zero[1] = {0}, p[1] = {p_n[i]}, mu = .5;
        double energy, interpenetration;
        const impinge_contacts_f64 c = {.count = 1,
                                        .k11 = one,
                                        .k12 = zero,
                                        .k13 = zero,
                                        .k22 = one,
                                        .k23 = zero,
                                        .k33 = one,
                                        .u1 = zero,
                                        .u2 = zero,
                                        .u3 = zero,
                                        .coefficients.friction.value = mu};
        const impinge_impulses_f64 given = {.p1 = zero, .p2 = zero, .p3 = p};
        const impinge_judgements_f64 out = {.energy = &energy,
                                            .interpenetration = &interpenetration};
        cr_assert_eq(impinge_judge_impulses_f64(&c, NULL, &given, &out, NULL), IMPINGE_OK);
        cr_assert_eq(energy, -k[i] * p_n[i] * p_n[i] / 2, "%s, %d: %.17g", target, i, energy);
        cr_assert_eq(interpenetration, k[i] * p_n[i], "%s, %d: %.17g", target, i, interpenetration);
    }
}

Test(law_adversarial, judged_at_rest) { for_each_target(check_judged_at_rest, NULL); }

/*
 * Numbers beyond 2^60 are divided by two powers of two. What is 2^100 times smaller than they are
 * lost digits in between, and the judge took an impulse that is inside the cone for one outside.
 */
static void check_far_below_f32(const char *target, void *user) {
    (void)user;
    const float mu = 0x1.7p-108f, p_n = 0x1.8p62f, k = 0x1p-62f, zero = 0, u_n = -1;
    for (int i = 0; i < 2; i++) {
        const float p_t = mu * p_n * (i == 0 ? 1 - 0x1p-16f : 1 + 0x1p-16f);
        uint32_t mask = ~0u;
        const impinge_contacts_f32 c = {.count = 1,
                                        .k11 = &k,
                                        .k12 = &zero,
                                        .k13 = &zero,
                                        .k22 = &k,
                                        .k23 = &zero,
                                        .k33 = &k,
                                        .u1 = &zero,
                                        .u2 = &zero,
                                        .u3 = &u_n,
                                        .coefficients.friction.value = mu};
        const impinge_impulses_f32 given = {.p1 = &p_t, .p2 = &zero, .p3 = &p_n};
        const impinge_judgements_f32 out = {.mask = &mask};
        cr_assert_eq(impinge_judge_impulses_f32(&c, NULL, &given, &out, NULL), IMPINGE_OK);
        cr_expect_eq((mask & IMPINGE_REGION_CONE) != 0, i == 1, "%s, %d: %#x", target, i,
                     (unsigned)mask);
    }
}

Test(law_adversarial, far_below_the_largest) { for_each_target(check_far_below_f32, NULL); }

/*
 * A component of the impulse at the end of the range, along a velocity 1e11 times the normal one:
 * its last digit was more energy than there is.
 */
static void check_coarse_component_f32(const char *target, void *user) {
    (void)user;
    const double row[CONTACT_INPUTS] = {2,
                                        0,
                                        .5,
                                        1,
                                        .5,
                                        1.5,
                                        -0x1.f61ebcp-59,
                                        0x1.958162p-66,
                                        -0x1.31eb5ep-96,
                                        0,
                                        0x1.855806p-6,
                                        0x1.855806p-6};
    const float given[3] = {8.71868768e-31f, 1.72849492e-28f, -6.00624942e-28f};
    float p[3];
    uint32_t mask[2];
    batch_f32 b = batch_new_f32(LEVEL_CONTACTS, 1);
    batch_set_row_f32(&b, 0, row);
    const impinge_contacts_f32 in = batch_contacts_f32(&b, 1);
    const impinge_impulses_f32 of = {.p1 = given, .p2 = given + 1, .p3 = given + 2};
    const impinge_projections_f32 out = {.p1 = p, .p2 = p + 1, .p3 = p + 2, .mask = mask};
    cr_assert_eq(impinge_project_impulses_f32(&in, NULL, &of, &out, NULL), IMPINGE_OK);
    const impinge_impulses_f32 brought = {.p1 = p, .p2 = p + 1, .p3 = p + 2};
    const impinge_judgements_f32 judged = {.mask = mask + 1};
    cr_assert_eq(impinge_judge_impulses_f32(&in, NULL, &brought, &judged, NULL), IMPINGE_OK);
    cr_expect_eq(mask[1] & IMPINGE_REGION_CONDITIONS, 0, "%s: %#x", target, (unsigned)mask[1]);
    batch_free_f32(&b);
}

Test(law_adversarial, coarse_component) { for_each_target(check_coarse_component_f32, NULL); }

/*
 * |u_n| is 2^-75 of |u_t|. An impulse far below the inner point was held for 2^-126 of u0 / K,
 * which is more than it is: friction did 50 times the work that is allowed, or left the cone.
 */
static void check_shallow_region_f32(const char *target, void *user) {
    (void)user;
    static const double rows[][CONTACT_INPUTS] = {
        {0x1.c5ae7fp-100, 0x1.96ccbcp-104, -0x1.6533dap-105, 0x1.1589bep-107, -0x1.8629bap-109,
         0x1.393a8ep-110, 0x1.eb036ap+83, 0x1.2018d4p+85, -0x1.45886ap+11, 0, 1, 1},
        {0x1.37fa6ep-96, -0x1.73ed24p-102, 0x1.1cab32p-93, 0x1.329d34p-102, -0x1.572fb8p-100,
         0x1.05cd42p-90, -0x1.bfd31p+60, 0, -0x1.33b37ep-41, 0x1.916fcp-1, 0x1.7167bep-33,
         0x1.7167bep-33}};
    const float one = 1;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        float p[3];
        uint32_t mask[2];
        batch_f32 b = batch_new_f32(LEVEL_CONTACTS, 1);
        batch_set_row_f32(&b, 0, rows[i]);
        const impinge_contacts_f32 in = batch_contacts_f32(&b, 1);
        const impinge_impulses_f32 of = {.p1 = &one, .p2 = &one, .p3 = &one};
        const impinge_projections_f32 out = {.p1 = p, .p2 = p + 1, .p3 = p + 2, .mask = mask};
        cr_assert_eq(impinge_project_impulses_f32(&in, NULL, &of, &out, NULL), IMPINGE_OK);
        const impinge_impulses_f32 brought = {.p1 = p, .p2 = p + 1, .p3 = p + 2};
        const impinge_judgements_f32 judged = {.mask = mask + 1};
        cr_assert_eq(impinge_judge_impulses_f32(&in, NULL, &brought, &judged, NULL), IMPINGE_OK);
        cr_expect_eq(mask[1] & IMPINGE_REGION_CONDITIONS, 0, "%s, %zu: %#x; p %.9g %.9g %.9g",
                     target, i, (unsigned)mask[1], (double)p[0], (double)p[1], (double)p[2]);
        /* Between the inner point and the impulse: friction is no more than was given. */
        cr_expect(p[0] >= 0 && p[0] <= 1 && p[1] >= 0 && p[1] <= 1, "%s, %zu: %.9g %.9g", target, i,
                  (double)p[0], (double)p[1]);
        batch_free_f32(&b);
    }
}

Test(law_adversarial, shallow_region) { for_each_target(check_shallow_region_f32, NULL); }

Test(law_adversarial, spread_f32) { for_each_target(check_spread_f32, NULL); }
Test(law_adversarial, spread_f64) { for_each_target(check_spread_f64, NULL); }

/*
 * K_ij is rounding of the largest element, but not of sqrt(K_ii K_jj): as a diagonal K the first
 * would have u1 = 0, where u0 + K p is 4096, and the second would gain 118,000 times the rounding.
 */
static void check_hardly_diagonal_f32(const char *target, void *user) {
    (void)user;
    static const double rows[][CONTACT_INPUTS] = {
        {1, 0, 0x1p-19, 1, 0, 0x1p-30, 0, 0, -1, 1, 0, 0},
        {0x1.3a32f8p-20, -0x1.23c686p-20, 0x1.279aa4p-4, 0x1.3a32f8p-20, -0x1.b94942p-5,
         0x1.10d40ep+15, 0x1.eb5e6ap-4, -0x1.4d024cp-4, -0x1.496f6ep-2, 0x1.589338p-3, INFINITY,
         INFINITY, 0x1.6eb73cp-1}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        batch_f32 b = batch_new_f32(LEVEL_CONTACTS, 1);
        batch_set_row_f32(&b, 0, rows[i]);
        resolve_f32(&b, 0, 1, IMPINGE_LAW_BILINEAR);
        cr_expect_eq(b.outcome[0], IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_NOT_DIAGONAL,
                     "%s, %zu: %#x", target, i, (unsigned)b.outcome[0]);
        batch_free_f32(&b);
    }
}

/*
 * Chatterjee and Ruina's law inside the cone, where p_n is what two terms leave: its sum was
 * rounded otherwise than in the test of the cone, by 4,470 units of |p_t| + mu p_n.
 */
static void check_little_pressure_f64(const char *target, void *user) {
    (void)user;
    static const double row[CONTACT_INPUTS] = {0x1.01928be2e6fecp-7,
                                               0,
                                               -0x1.9b011670b0a54p-14,
                                               0x1.5977acdd73a05p-8,
                                               0,
                                               0x1.176dae7485fc4p-18,
                                               0x1.6f58c1b70df2bp+4,
                                               -0x1.fb07c51de763dp-4,
                                               -0x1.ed07b60b492e3p-3,
                                               0x1.023c5ad9d5adap-2,
                                               0x1.ff0d12172df93p+8,
                                               0x1.ff0d12172df93p+8,
                                               -0x1.8abbb23858bp-7};
    batch_f64 b = batch_new_f64(LEVEL_CONTACTS, 1);
    batch_set_row_f64(&b, 0, row);
    resolve_f64(&b, 0, 1, IMPINGE_LAW_CHATTERJEE_RUINA);
    const long double p_t = hypotl(b.out[OUT_P1 * b.stride], b.out[OUT_P2 * b.stride]);
    const long double most = (long double)row[IN_FRICTION] * b.out[OUT_P3 * b.stride];
    cr_expect(p_t - most <= 16 * DBL_EPSILON * (p_t + most), "%s: %Lg of %Lg", target, p_t - most,
              p_t);
    batch_free_f64(&b);
}

Test(law_adversarial, little_pressure) { for_each_target(check_little_pressure_f64, NULL); }

/*
 * A jam by Smith's law with p_II within the cone. The bound of the search was of the size of both
 * eigenvalues of S, of which one is 3e8 of the other, and the root was above it: p = 0.
 */
static void check_elongated_jam_f64(const char *target, void *user) {
    (void)user;
    const double row[CONTACT_INPUTS] = {0x1.2e81dc79f4184p-2,
                                        0,
                                        -0x1.c7acfc282762ap-8,
                                        0x1.145bff9c955eap-30,
                                        0,
                                        0x1.cb67743c934a9p-8,
                                        -0x1.885232689daafp-1,
                                        0,
                                        0,
                                        0.3,
                                        0x1.37a50e6f7de82p+2,
                                        0x1.37a50e6f7de82p+2};
    const impinge_options options = {.law = IMPINGE_LAW_SMITH, .resolve_jams = true};
    batch_f64 b = batch_new_f64(LEVEL_CONTACTS, 1);
    batch_set_row_f64(&b, 0, row);
    cr_assert_eq(batch_resolve_f64(&b, 0, 1, &options, NULL), IMPINGE_OK);
    /* By mpmath, to four digits. */
    cr_expect(fabs(b.out[OUT_P1 * b.stride] - 4.808) < 5e-4 &&
                  fabs(b.out[OUT_P3 * b.stride] - 4.769) < 5e-4 &&
                  fabs(b.out[OUT_U1 * b.stride] - 0.621) < 5e-4,
              "%s: p %g, %g; u1 %g", target, b.out[OUT_P1 * b.stride], b.out[OUT_P3 * b.stride],
              b.out[OUT_U1 * b.stride]);
    batch_free_f64(&b);
}

Test(law_adversarial, elongated_jam) { for_each_target(check_elongated_jam_f64, NULL); }

Test(law_adversarial, hardly_diagonal) { for_each_target(check_hardly_diagonal_f32, NULL); }

static void search_projections(target_check *project) {
    const size_t contacts = number_from("IMPINGE_ADVERSARIAL", CONTACTS);
    for (size_t done = 0; done < contacts; done += SOME) {
        uint64_t state = number_from("IMPINGE_SEED", 1) * 1000000 + done;
        for_each_target(project, &state);
    }
}

Test(law_adversarial, projected_f32, .timeout = 1e6) { search_projections(project_f32); }
Test(law_adversarial, projected_f64, .timeout = 1e6) { search_projections(project_f64); }
