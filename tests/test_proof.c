/*
 * The claims of the laws about every contact, for very many of them, as the permissible region
 * judges (Chatterjee and Ruina 1998, 3.2): in f64, on the best target. IMPINGE_PROOF in the
 * environment is the number of contacts a law; scripts/prove sets it to 1e8. IMPINGE_SEED is
 * another seed than 1.
 *
 * A hundred thousand contacts take longer to draw than to resolve. So some are drawn once, and
 * the matrix of one meets the velocity of another and the coefficients of a third: in round r they
 * stand r and r strides further on. All columns are there twice, so that this is a matter of
 * pointers.
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include <impinge/region.h>

#include "asked_for.h"
#include "batches.h"
#include "conditioning.h"
#include "random_contacts.h"

/* A law. */
#define CONTACTS 1e6

/* How many are drawn. */
#define DRAWN 50000

/* Strides of velocities and of coefficients: primes whose sums and differences do not divide DRAWN.
 */
#define VELOCITY_STRIDE    7919
#define COEFFICIENT_STRIDE 31337

/* Routh's law: the largest error of a velocity relative to |u0|; the call's default. */
#define TOLERANCE 1e-12L

/* The error of an impulse in closed form, in units of rounding of its size. */
#define UNITS 16

/* The contacts that are drawn, twice; those of a round, and their results. */
typedef struct proof {
    batch_f64 drawn, out, other;
    double *zeros, *energy, *interpenetration, *cone;
    uint32_t *mask;
    impinge_contacts_f64 contacts;
    impinge_options options;
    size_t counted; /* what a check counts */
} proof;

/* Is shown every round of contacts. */
typedef void round_check(proof *p);

static double *allocated(size_t count) {
    double *memory = calloc(count, sizeof *memory);
    cr_assert_not_null(memory);
    return memory;
}

static void draw(const batch_f64 *b) {
    uint64_t state = seed_from(1);
    for (size_t i = 0; i < DRAWN; i++) {
        double row[CONTACT_INPUTS];
        const random_kind kind = (random_kind)random_below(&state, RANDOM_SEPARATING);
        random_contact(&state, kind, 0, row);
        batch_set_row_f64(b, i, row);
        batch_set_row_f64(b, DRAWN + i, row);
    }
}

static proof proof_new(const impinge_options *options) {
    proof p = {.drawn = batch_new_f64(LEVEL_CONTACTS, 2 * (size_t)DRAWN),
               .out = batch_new_f64(LEVEL_CONTACTS, DRAWN),
               .other = batch_new_f64(LEVEL_CONTACTS, DRAWN),
               .options = *options};
    p.zeros = allocated(DRAWN);
    p.energy = allocated(DRAWN);
    p.interpenetration = allocated(DRAWN);
    p.cone = allocated(DRAWN);
    p.mask = calloc(DRAWN, sizeof *p.mask);
    cr_assert_not_null(p.mask);
    draw(&p.drawn);
    return p;
}

static void proof_free(proof *p) {
    batch_free_f64(&p->drawn);
    batch_free_f64(&p->out);
    batch_free_f64(&p->other);
    free(p->zeros);
    free(p->energy);
    free(p->interpenetration);
    free(p->cone);
    free(p->mask);
}

static void set_round(proof *p, size_t round, size_t count) {
    const size_t moved = round * VELOCITY_STRIDE % DRAWN;
    const size_t with = round * COEFFICIENT_STRIDE % DRAWN;
    impinge_contacts_f64 *c = &p->contacts;
    *c = batch_contacts_f64(&p->drawn, count);
    c->u1 += moved;
    c->u2 += moved;
    c->u3 += moved;
    impinge_coefficients_f64 *of = &c->coefficients;
    impinge_coefficient_f64 *const columns[COEFFICIENT_INPUTS] = {
        &of->restitution, &of->friction,         &of->friction_static, &of->tangential_restitution,
        &of->mix,         &of->impulse_ratio_t1, &of->impulse_ratio_t2};
    for (size_t i = 0; i < COEFFICIENT_INPUTS; i++)
        columns[i]->values += with;
}

static double contacts_wanted(void) {
    const char *asked = getenv("IMPINGE_PROOF");
    if (!asked) return CONTACTS;
    char *end;
    const double count = strtod(asked, &end);
    cr_assert(end != asked && *end == 0 && count >= 1 && count <= 1e12,
              "IMPINGE_PROOF=%s is not a number of contacts", asked);
    return count;
}

/* Returns what was counted, as a share of all. */
static double prove(round_check *check, const impinge_options *options) {
    proof p = proof_new(options);
    const double wanted = contacts_wanted();
    double done = 0;
    for (size_t round = 0; done < wanted; round++) {
        const double left = wanted - done;
        const size_t count = left < DRAWN ? (size_t)left + 1 : DRAWN;
        set_round(&p, round, count);
        check(&p);
        done += (double)count;
    }
    const double share = (double)p.counted / done;
    proof_free(&p);
    return share;
}

/* ---- One contact of a round ---- */

static long double value_at(const impinge_coefficient_f64 *c, size_t i) {
    return c->values ? c->values[i] : c->value;
}

static reference_contact_long contact_at(const proof *p, size_t i) {
    const impinge_contacts_f64 *c = &p->contacts;
    const impinge_coefficients_f64 *of = &c->coefficients;
    return (reference_contact_long){
        .k11 = c->k11[i],
        .k12 = c->k12[i],
        .k13 = c->k13[i],
        .k22 = c->k22[i],
        .k23 = c->k23[i],
        .k33 = c->k33[i],
        .u = {c->u1[i], c->u2[i], c->u3[i]},
        .restitution = value_at(&of->restitution, i),
        .friction = value_at(&of->friction, i),
        .friction_static = value_at(&of->friction_static, i),
        .tangential_restitution = value_at(&of->tangential_restitution, i),
        .mix = value_at(&of->mix, i),
    };
}

static void impulse_at(const batch_f64 *b, size_t i, long double p[3]) {
    for (size_t j = 0; j < 3; j++)
        p[j] = b->out[(OUT_P1 + j) * b->stride + i];
}

/* Fails, and says which contact it was. */
static void fail(const proof *p, size_t i, const char *what) {
    const reference_contact_long c = contact_at(p, i);
    long double a[3], b[3];
    impulse_at(&p->out, i, a);
    impulse_at(&p->other, i, b);
    log_contact(&c, p->options.rule);
    cr_log_error("e_t %La mix %La; slacks of energy %g, u_n %g, cone %g", c.tangential_restitution,
                 c.mix, p->energy[i], p->interpenetration[i], p->cone[i]);
    cr_assert(false, "%s: %s: p %La %La %La, the other %La %La %La, outcome %#x",
              impinge_law_name(p->options.law), what, a[0], a[1], a[2], b[0], b[1], b[2],
              (unsigned)p->out.outcome[i]);
}

static void resolve_into(const proof *p, const impinge_options *options, const batch_f64 *out) {
    const impinge_contact_results_f64 results = batch_contact_results_f64(out);
    cr_assert_eq(impinge_resolve_contacts_f64(&p->contacts, NULL, options, &results, NULL),
                 IMPINGE_OK);
}

static void resolve(const proof *p) { resolve_into(p, &p->options, &p->out); }

static bool is_incremental(impinge_law law) {
    return law == IMPINGE_LAW_ROUTH || law == IMPINGE_LAW_COMPOSITE;
}

/* The error of a velocity, relative to |u0|. */
static long double error_of(impinge_law law) {
    return is_incremental(law) ? TOLERANCE : UNITS * DBL_EPSILON / 2;
}

static void judge(const proof *p) {
    const double *out = p->out.out;
    const impinge_impulses_f64 impulses = {
        .p1 = out + OUT_P1 * DRAWN, .p2 = out + OUT_P2 * DRAWN, .p3 = out + OUT_P3 * DRAWN};
    const impinge_judgements_f64 judgements = {.energy = p->energy,
                                               .interpenetration = p->interpenetration,
                                               .cone = p->cone,
                                               .mask = p->mask};
    cr_assert_eq(impinge_judge_impulses_f64(&p->contacts, NULL, &impulses, &judgements, NULL),
                 IMPINGE_OK);
}

static void make_diagonal(proof *p) {
    p->contacts.k12 = p->contacts.k13 = p->contacts.k23 = p->zeros;
}

/* ---- The permissible region ---- */

/* Sticking may use all of the static coefficient's cone: that is the one to be inside. */
static void judge_by_static_cone(proof *p) {
    const impinge_coefficient_f64 kinetic = p->contacts.coefficients.friction;
    if (is_incremental(p->options.law))
        p->contacts.coefficients.friction = p->contacts.coefficients.friction_static;
    judge(p);
    p->contacts.coefficients.friction = kinetic;
}

/*
 * A velocity errs by du <= `relative` |u0|, so that p does by K^-1 du, E by u . K^-1 du with K^-1 u
 * = K^-1 u0 + p, and the cone's slack by the error of p in both its terms.
 */
static bool is_within(const proof *p, size_t i, long double relative) {
    const reference_contact_long c = contact_at(p, i);
    long double impulse[3];
    impulse_at(&p->out, i, impulse);
    const long double speed = length3(c.u), mass = inverse_norm(&c);
    const long double du = relative * speed;
    return p->energy[i] >= -du * (mass * speed + length3(impulse)) &&
           p->interpenetration[i] >= -du && impulse[2] >= -mass * du &&
           p->cone[i] >= -2 * mass * du;
}

static void check_permissible(proof *p) {
    if (p->options.law == IMPINGE_LAW_BILINEAR) make_diagonal(p);
    resolve(p);
    judge_by_static_cone(p);
    for (size_t i = 0; i < p->contacts.count; i++) {
        if (!p->mask[i]) continue;
        if (!is_within(p, i, error_of(p->options.law))) fail(p, i, "outside the region");
        p->counted++;
    }
}

/*
 * Most are inside by the judgement's own allowance, for rounding of what it is given. It has none
 * for what p itself errs by: that matters on the boundary, where p_n is small beside p_I.
 */
static void prove_permissible(impinge_law law, impinge_restitution_rule rule) {
    const double share = prove(check_permissible, &(impinge_options){.law = law, .rule = rule});
    cr_log_info("%s, rule %d: %g are outside by no more than the law's error",
                impinge_law_name(law), (int)rule, share);
    cr_expect_lt(share, 0.01, "%g", share);
}

Test(proof, routh_stronge) { prove_permissible(IMPINGE_LAW_ROUTH, IMPINGE_RULE_STRONGE); }
Test(proof, routh_poisson) { prove_permissible(IMPINGE_LAW_ROUTH, IMPINGE_RULE_POISSON); }
Test(proof, composite_stronge) { prove_permissible(IMPINGE_LAW_COMPOSITE, IMPINGE_RULE_STRONGE); }
Test(proof, composite_poisson) { prove_permissible(IMPINGE_LAW_COMPOSITE, IMPINGE_RULE_POISSON); }
Test(proof, frictionless) { prove_permissible(IMPINGE_LAW_FRICTIONLESS, IMPINGE_RULE_STRONGE); }
Test(proof, smith) { prove_permissible(IMPINGE_LAW_SMITH, IMPINGE_RULE_STRONGE); }
Test(proof, two_stage) { prove_permissible(IMPINGE_LAW_TWO_STAGE, IMPINGE_RULE_STRONGE); }
Test(proof, bilinear) { prove_permissible(IMPINGE_LAW_BILINEAR, IMPINGE_RULE_STRONGE); }
Test(proof, chatterjee_ruina) {
    prove_permissible(IMPINGE_LAW_CHATTERJEE_RUINA, IMPINGE_RULE_STRONGE);
}

/*
 * Both the outcome and the judgement err by less than a quarter of the allowance (region.h): they
 * may differ where the slack is within half of it from the allowance; Routh's, to its tolerance.
 */
static bool is_at_threshold(const proof *p, size_t i) {
    const reference_contact_long c = contact_at(p, i);
    long double impulse[3], size = 0, s = 0;
    impulse_at(&p->out, i, impulse);
    const long double diagonal[3] = {c.k11, c.k22, c.k33};
    for (int j = 0; j < 3; j++) {
        size += fabsl(impulse[j] * c.u[j]);
        s += sqrtl(diagonal[j]) * fabsl(impulse[j]);
    }
    const long double allowance = 32 * DBL_EPSILON / 2 * (size + s * s / 2);
    if (is_incremental(p->options.law)) return is_within(p, i, TOLERANCE);
    return fabsl(p->energy[i] + allowance) <= allowance / 2;
}

static void check_gains_are_said(proof *p) {
    resolve(p);
    judge_by_static_cone(p);
    for (size_t i = 0; i < p->contacts.count; i++) {
        const uint32_t said = p->out.outcome[i];
        const bool gains = (p->mask[i] & IMPINGE_REGION_ENERGY) != 0;
        const bool outside = (p->mask[i] & IMPINGE_REGION_CONDITIONS) != 0;
        const bool same = ((said & IMPINGE_OUTCOME_ENERGY_GAINED) != 0) == gains &&
                          ((said & IMPINGE_OUTCOME_OUTSIDE_REGION) != 0) == outside;
        if (!same && !is_at_threshold(p, i)) fail(p, i, "judged otherwise");
        p->counted += gains;
    }
}

/* These leave the region sometimes, and say so (Chatterjee and Ruina 1998, 4.2.2). */
Test(proof, whittaker_says_that_it_gains) {
    const double share =
        prove(check_gains_are_said, &(impinge_options){.law = IMPINGE_LAW_WHITTAKER});
    cr_expect(share > 0.005 && share < 0.1, "%g", share);
}

Test(proof, routh_newton_says_that_it_gains) {
    const double share =
        prove(check_gains_are_said, &(impinge_options){.rule = IMPINGE_RULE_NEWTON});
    cr_expect(share > 0.001 && share < 0.1, "%g", share);
}

Test(proof, brach_says_that_it_gains) {
    const double share = prove(check_gains_are_said, &(impinge_options){.law = IMPINGE_LAW_BRACH});
    cr_expect(share > 0.05 && share < 0.9, "%g", share);
}

/* ---- Laws that agree ---- */

/* True if two impulses of one contact agree, each with an error of `relative` |u0| in the velocity.
 */
static bool impulses_agree(const proof *p, size_t i, long double relative) {
    const reference_contact_long c = contact_at(p, i);
    long double a[3], b[3];
    impulse_at(&p->out, i, a);
    impulse_at(&p->other, i, b);
    const long double rounding = UNITS * DBL_EPSILON / 2 * length3(a);
    return distance3(a, b) <= rounding + relative * length3(c.u) * inverse_norm(&c);
}

/* `options`' law is the one that is compared with the round's own. */
static void check_agreement(proof *p, const impinge_options *options, long double relative) {
    resolve_into(p, options, &p->other);
    for (size_t i = 0; i < p->contacts.count; i++) {
        if (!impulses_agree(p, i, relative)) fail(p, i, impinge_law_name(options->law));
    }
}

static void set_one_for_all(impinge_coefficient_f64 *coefficient, double value) {
    *coefficient = (impinge_coefficient_f64){.value = value};
}

/* Without friction all laws are one (Chatterjee and Ruina 1998, 4.2.5); Routh's is so to its
 * tolerance. */
static void check_frictionless(proof *p) {
    set_one_for_all(&p->contacts.coefficients.friction, 0);
    set_one_for_all(&p->contacts.coefficients.friction_static, 0);
    set_one_for_all(&p->contacts.coefficients.impulse_ratio_t1, 0);
    set_one_for_all(&p->contacts.coefficients.impulse_ratio_t2, 0);
    if (p->options.law == IMPINGE_LAW_BILINEAR) make_diagonal(p);
    resolve(p);
    check_agreement(p, &(impinge_options){.law = IMPINGE_LAW_FRICTIONLESS},
                    is_incremental(p->options.law) ? TOLERANCE : 0);
}

Test(proof, all_agree_without_friction) {
    for (int law = 0; law < IMPINGE_LAW_COUNT; law++) {
        for (int rule = 0; rule < (is_incremental((impinge_law)law) ? 3 : 1); rule++)
            prove(check_frictionless, &(impinge_options){.law = (impinge_law)law,
                                                         .rule = (impinge_restitution_rule)rule});
    }
}

static void check_diagonal(proof *p) {
    make_diagonal(p);
    resolve(p);
    check_agreement(p, &(impinge_options){.law = IMPINGE_LAW_BILINEAR}, 0);
}

/* Chatterjee and Ruina 1998, 5.2. */
Test(proof, chatterjee_ruina_is_bilinear_for_diagonal_matrices) {
    prove(check_diagonal, &(impinge_options){.law = IMPINGE_LAW_CHATTERJEE_RUINA});
}

/* With an isotropic T, so that the slip keeps its direction. */
static void check_isotropic(proof *p) {
    make_diagonal(p);
    p->contacts.k22 = p->contacts.k11;
    set_one_for_all(&p->contacts.coefficients.friction_static, 0);
    resolve(p);
    check_agreement(p, &(impinge_options){.rule = IMPINGE_RULE_NEWTON}, TOLERANCE);
}

/* Chatterjee and Ruina 1998, 4.2.2. */
Test(proof, whittaker_is_routh_with_newton_for_spheres) {
    prove(check_isotropic, &(impinge_options){.law = IMPINGE_LAW_WHITTAKER});
}

static bool slides_on(const batch_f64 *b, size_t i) {
    return (b->outcome[i] & ~(uint32_t)IMPINGE_OUTCOME_CLIPPED) == IMPINGE_OUTCOME_SLID;
}

/*
 * In a plane, where the slip does not vanish under Routh's law and Chatterjee and Ruina's
 * tangential restitution (none) is more than friction has: then p_t = -mu p_n throughout. Friction
 * may hold at another point, too, where it presses the bodies together: such contacts are left out,
 * mu k . s >= K33 for the direction s of slip.
 */
static void check_direction_kept(proof *p) {
    impinge_contacts_f64 *c = &p->contacts;
    c->k12 = c->k23 = c->u2 = p->zeros;
    set_one_for_all(&c->coefficients.friction_static, 0);
    set_one_for_all(&c->coefficients.tangential_restitution, 0);
    const impinge_options others[] = {
        {.rule = IMPINGE_RULE_STRONGE}, {.rule = IMPINGE_RULE_POISSON},
        {.rule = IMPINGE_RULE_NEWTON},  {.law = IMPINGE_LAW_WHITTAKER},
        {.law = IMPINGE_LAW_SMITH},     {.law = IMPINGE_LAW_TWO_STAGE},
        {.law = IMPINGE_LAW_COMPOSITE}};
    resolve(p);
    for (size_t law = 0; law < sizeof others / sizeof *others; law++) {
        resolve_into(p, &others[law], &p->other);
        for (size_t i = 0; i < c->count; i++) {
            if (law == 0 && !slides_on(&p->other, i)) p->out.outcome[i] = 0;
            if (p->out.outcome[i] != (IMPINGE_OUTCOME_SLID | IMPINGE_OUTCOME_CLIPPED)) continue;
            if (!impulses_agree(p, i, TOLERANCE)) fail(p, i, impinge_law_name(others[law].law));
            p->counted++;
        }
    }
}

Test(proof, all_agree_where_the_slip_keeps_its_direction) {
    const double share =
        prove(check_direction_kept, &(impinge_options){.law = IMPINGE_LAW_CHATTERJEE_RUINA});
    cr_expect_gt(share, 0.2);
}
