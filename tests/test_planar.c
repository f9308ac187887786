/* Planar contacts: against Mirtich 1996, corrected, section 5, against the calls in space, and on
 * their own.
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "random_contacts.h"
#include "reference_planar.h"
#include "targets.h"

/* Random contacts against the reference, for each precision: all rules and jams in turn. */
#define MANY 1000000
/* Contacts that are tried in several ways. */
#define SOME 20011

/*
 * Units of rounding. A result comes of some ten operations, each with an error relative to the
 * largest number added up on the way, S = |u0| + |K| |p| for velocities. What an error of the rates
 * (differences of elements of K, of alpha and of beta) does beyond that is what the same error in
 * the input would do: it is measured by moving the input by as many units.
 */
#define UNITS 16
/* A sensitivity is the worst of some samples, not of all. */
#define SAMPLED 2
#define TRIALS  24

/* Columns. */
enum {
    IN_KTT,
    IN_KTN,
    IN_KNN,
    IN_UT,
    IN_UN,
    IN_E,
    IN_MU,
    IN_MU_S,
    INPUTS,
    OUT_PT = 0,
    OUT_PN,
    OUT_UT,
    OUT_UN,
    OUT_WC,
    OUT_WD,
    OUT_WF,
    OUTPUTS
};
/* The columns of pairs: inverse mass, inverse inertia, arm, velocity, angular velocity of either
 * body. */
enum {
    BODY_COLUMNS = 7,
    IN_NORMAL_2 = 2 * BODY_COLUMNS,
    IN_E_2 = IN_NORMAL_2 + 2,
    INPUTS_2 = IN_E_2 + 3,
    OUT_A_2 = 2,
    OUT_B_2 = 5,
    OUT_W_2 = 8,
    OUTPUTS_2 = 11
};

static const impinge_options ways[] = {
    {.rule = IMPINGE_RULE_STRONGE},
    {.rule = IMPINGE_RULE_POISSON},
    {.rule = IMPINGE_RULE_NEWTON},
    {.rule = IMPINGE_RULE_STRONGE, .resolve_jams = true},
    {.rule = IMPINGE_RULE_POISSON, .resolve_jams = true},
    {.rule = IMPINGE_RULE_NEWTON, .resolve_jams = true},
};
#define WAYS (sizeof ways / sizeof *ways)

/* ---- Random contacts ---- */

static double random_choice(uint64_t *state, const double *values, unsigned count) {
    return values[random_below(state, count)];
}

/* e, mu, mu_s. */
static void random_coefficients(uint64_t *state, double *row) {
    const double e = random_positive(state);
    row[0] = random_choice(state, (const double[]){0, 1, e, e, e, e}, 6);
    const double mu = 2 * random_positive(state);
    const double tiny = ldexp(mu, -(int)random_below(state, 30));
    const double huge = ldexp(mu, (int)random_below(state, 30));
    row[1] = random_choice(state, (const double[]){0, INFINITY, tiny, huge, mu, mu, mu, mu}, 8);
    const double above = row[1] + random_positive(state);
    row[2] =
        random_choice(state, (const double[]){above, INFINITY, row[1], row[1], row[1], row[1]}, 6);
}

/* Any K of a condition up to about 10^5, or a disc's; every start that decides between branches. */
static void random_planar(uint64_t *state, double *row) {
    const double a = random_positive(state) + 0.05, b = random_positive(state) + 0.05;
    const double correlation = random_between(state, -1, 1);
    row[IN_KTT] = 4 * a;
    row[IN_KNN] = 4 * b;
    const double coupling = 0.9995 * correlation * 4 * sqrt(a * b);
    row[IN_KTN] = random_choice(state, (const double[]){coupling, coupling, coupling, 0}, 4);
    const double slip = random_between(state, -1, 1);
    const double small = ldexp(slip, -(int)random_below(state, 40));
    row[IN_UT] = random_choice(state, (const double[]){0, small, slip, slip, slip, 4 * slip}, 6);
    const double approach = -random_positive(state);
    const double graze = ldexp(approach, -(int)random_below(state, 40));
    row[IN_UN] = random_choice(
        state, (const double[]){approach, approach, approach, approach, graze, 0, -approach}, 7);
    random_coefficients(state, row + IN_E);
}

/* Two rods, discs or blocks; one in eight is immovable. */
static void random_planar_body(uint64_t *state, double *row) {
    const bool immovable = random_below(state, 8) == 0;
    const double inverse_mass = 0.1 + 4 * random_positive(state);
    row[0] = immovable ? 0 : inverse_mass;
    row[1] = immovable ? 0 : inverse_mass * (0.5 + 6 * random_positive(state));
    for (int i = 2; i < BODY_COLUMNS; i++)
        row[i] = random_between(state, -1, 1);
}

static void random_planar_pair(uint64_t *state, double *row) {
    random_planar_body(state, row);
    random_planar_body(state, row + BODY_COLUMNS);
    const double x = random_between(state, -1, 1), y = random_positive(state);
    row[IN_NORMAL_2] = x / sqrt(x * x + y * y);
    row[IN_NORMAL_2 + 1] = y / sqrt(x * x + y * y);
    random_coefficients(state, row + IN_E_2);
}

/* ---- Errors that are allowed ---- */

static reference_planar_contact_long contact_of(const double *row) {
    return (reference_planar_contact_long){row[IN_KTT], row[IN_KTN], row[IN_KNN], row[IN_UT],
                                           row[IN_UN],  row[IN_E],   row[IN_MU],  row[IN_MU_S]};
}

static long double norm_of(const reference_planar_contact_long *c) {
    return sqrtl(c->ktt * c->ktt + 2 * c->ktn * c->ktn + c->knn * c->knn);
}

static long double inverse_norm_of(const reference_planar_contact_long *c) {
    return norm_of(c) / (c->ktt * c->knn - c->ktn * c->ktn);
}

/* By how much the input moves: units of K_ij relative to sqrt(K_ii K_jj), and of a speed. */
typedef struct moves {
    long double unit, slip, normal;
} moves;

static long double moved(uint64_t *state, long double value, long double by) {
    return random_below(state, 2) == 0 ? value + by : value - by;
}

static reference_planar_contact_long
neighbour(uint64_t *state, const reference_planar_contact_long *c, const moves *by) {
    reference_planar_contact_long d = *c;
    d.ktt = moved(state, c->ktt, by->unit * c->ktt);
    d.ktn = moved(state, c->ktn, by->unit * sqrtl(c->ktt * c->knn));
    d.knn = moved(state, c->knn, by->unit * c->knn);
    d.ut = moved(state, c->ut, by->slip);
    d.un = moved(state, c->un, fminl(by->normal, fabsl(c->un) / 2)); /* never through zero */
    d.restitution = moved(state, c->restitution, by->unit * c->restitution);
    if (isinf(c->friction)) return d;
    d.friction = moved(state, c->friction, by->unit * c->friction);
    d.friction_static = d.friction;
    if (c->friction_static > c->friction)
        d.friction_static =
            fmaxl(d.friction, moved(state, c->friction_static, by->unit * c->friction_static));
    return d;
}

/* The results of a contact, from a call or from the reference. */
typedef struct answer {
    long double p[2], u[2], work[3];
    uint32_t outcome;
} answer;

static answer answer_of(const reference_planar_contact_long *c, const impinge_options *way) {
    reference_planar_result_long r;
    reference_resolve_planar_long(c, way->rule, way->resolve_jams, &r);
    return (answer){{r.pt, r.pn},
                    {r.ut, r.un},
                    {r.work_compression, r.work_restitution, r.work_friction},
                    r.outcome};
}

/* Largest errors, and whether outcomes may differ. */
typedef struct errors {
    long double p, u, work;
    bool outcome;
} errors;

/* Outcomes that the reference does not have. */
static const uint32_t judged =
    (uint32_t)IMPINGE_OUTCOME_ENERGY_GAINED | IMPINGE_OUTCOME_OUTSIDE_REGION;
static const uint32_t not_of_the_law = (uint32_t)IMPINGE_OUTCOME_ENERGY_GAINED |
                                       IMPINGE_OUTCOME_OUTSIDE_REGION |
                                       IMPINGE_OUTCOME_TOLERANCE_MISSED;

static errors errors_between(const answer *a, const answer *b) {
    errors e = {hypotl(a->p[0] - b->p[0], a->p[1] - b->p[1]),
                hypotl(a->u[0] - b->u[0], a->u[1] - b->u[1]), 0,
                (a->outcome & ~not_of_the_law) != (b->outcome & ~not_of_the_law)};
    for (int i = 0; i < 3; i++)
        e.work = fmaxl(e.work, fabsl(a->work[i] - b->work[i]));
    return e;
}

static errors sensitivity_to(const reference_planar_contact_long *c, const impinge_options *way,
                             const answer *exact, const moves *by) {
    errors worst = {0, 0, 0, false};
    uint64_t state = 1;
    for (int i = 0; i < TRIALS; i++) {
        reference_planar_contact_long near = neighbour(&state, c, by);
        /* Zero slip is a point of its own: what is near it need not behave like it. */
        if (i == 0 && fabsl(c->ut) <= 2 * by->slip) near.ut = 0;
        const answer a = answer_of(&near, way);
        const errors e = errors_between(&a, exact);
        worst.p = fmaxl(worst.p, SAMPLED * e.p);
        worst.u = fmaxl(worst.u, SAMPLED * e.u);
        worst.work = fmaxl(worst.work, SAMPLED * e.work);
        worst.outcome = worst.outcome || e.outcome;
    }
    return worst;
}

/*
 * Errors of the operations alone: a velocity's, du, as above; an impulse's K^-1 du; a work's, an
 * integral of u . dp, S K^-1 du thrice, for |p| <= |K^-1| 2 S.
 */
static errors rounding_of(const reference_planar_contact_long *c, const answer *a,
                          long double unit) {
    const long double speed = hypotl(c->ut, c->un) + norm_of(c) * hypotl(a->p[0], a->p[1]);
    const long double du = UNITS * unit * speed;
    const long double dp = inverse_norm_of(c) * du;
    return (errors){dp, du, 3 * speed * dp, false};
}

static bool within(const errors *e, const errors *allowed) {
    return e->p <= allowed->p && e->u <= allowed->u && e->work <= allowed->work &&
           (!e->outcome || allowed->outcome);
}

static void log_planar(const reference_planar_contact_long *c, const impinge_options *way,
                       const answer *a) {
    cr_log_error("rule %d jams %d K %La %La %La u %La %La e %La mu %La mu_s %La", (int)way->rule,
                 way->resolve_jams, c->ktt, c->ktn, c->knn, c->ut, c->un, c->restitution,
                 c->friction, c->friction_static);
    cr_log_error("p %La %La u %La %La works %La %La %La outcome %#x", a->p[0], a->p[1], a->u[0],
                 a->u[1], a->work[0], a->work[1], a->work[2], (unsigned)a->outcome);
}

/* `by` is what the input may be off; the answer may be off by as much again for its own sake. */
static void expect_near(const reference_planar_contact_long *c, const impinge_options *way,
                        const answer *a, long double unit, const moves *by) {
    const answer exact = answer_of(c, way);
    const errors e = errors_between(a, &exact);
    errors allowed = rounding_of(c, &exact, unit);
    if (within(&e, &allowed)) return;
    const errors more = sensitivity_to(c, way, &exact, by);
    allowed.p += more.p;
    allowed.u += more.u;
    allowed.work += more.work;
    allowed.outcome = more.outcome;
    if (within(&e, &allowed)) return;
    log_planar(c, way, a);
    log_planar(c, way, &exact);
    cr_assert(false, "errors p %.3Lg of %.3Lg, u %.3Lg of %.3Lg, work %.3Lg of %.3Lg", e.p,
              allowed.p, e.u, allowed.u, e.work, allowed.work);
}

/* ---- Laws of conservation, and of the law ---- */

static long double energy_of(const reference_planar_contact_long *c, const long double u[2]) {
    const long double determinant = c->ktt * c->knn - c->ktn * c->ktn;
    return (c->knn * u[0] * u[0] - 2 * c->ktn * u[0] * u[1] + c->ktt * u[1] * u[1]) / determinant /
           2;
}

#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            log_planar(c, way, a);                                                                 \
            cr_assert(false, "not so: %s", #condition);                                            \
        }                                                                                          \
    } while (0)

/* The outcome has a gain of energy where it is more than rounding; only there. */
static void expect_judged(const reference_planar_contact_long *c, const impinge_options *way,
                          const answer *a, long double unit) {
    const errors allowed = rounding_of(c, a, unit);
    const long double before[2] = {c->ut, c->un};
    const long double gained = energy_of(c, a->u) - energy_of(c, before);
    HOLDS(!(a->outcome & judged) || gained > -4 * allowed.work);
    HOLDS((a->outcome & judged) == judged || gained < 4 * allowed.work);
    HOLDS((a->outcome & judged) == judged || (a->outcome & judged) == 0);
}

static void expect_laws(const reference_planar_contact_long *c, const impinge_options *way,
                        const answer *a, long double unit) {
    const errors allowed = rounding_of(c, a, unit);
    const long double before[2] = {c->ut, c->un};
    HOLDS(fabsl(c->ut + c->ktt * a->p[0] + c->ktn * a->p[1] - a->u[0]) <= 2 * allowed.u);
    HOLDS(fabsl(c->un + c->ktn * a->p[0] + c->knn * a->p[1] - a->u[1]) <= 2 * allowed.u);

    const long double gained = energy_of(c, a->u) - energy_of(c, before);
    const long double work = a->work[0] + a->work[1] + a->work[2];
    HOLDS(fabsl(gained - work) <= 4 * allowed.work);
    HOLDS(a->work[0] <= 0 && a->work[1] >= 0 && a->work[2] <= 0);
    if (way->rule == IMPINGE_RULE_STRONGE) {
        const long double e = c->restitution;
        HOLDS(fabsl(a->work[1] + e * e * a->work[0]) <= 2 * allowed.work);
        HOLDS(gained <= 4 * allowed.work && (a->outcome & judged) == 0);
    }
    expect_judged(c, way, a, unit);

    HOLDS(a->p[1] >= 0 && a->u[1] >= 0);
    const bool stuck = (a->outcome & IMPINGE_OUTCOME_STUCK) != 0;
    HOLDS(!stuck || a->u[0] == 0);
    const long double friction = stuck ? c->friction_static : c->friction;
    HOLDS(isinf(friction) || fabsl(a->p[0]) - friction * a->p[1] <= (1 + friction) * allowed.p);
    HOLDS(((a->outcome & IMPINGE_OUTCOME_SLIP_REVERSED) != 0) == (a->u[0] * c->ut < 0));

    const bool slid = (a->outcome & IMPINGE_OUTCOME_SLID) != 0;
    const bool diverged = (a->outcome & IMPINGE_OUTCOME_DIVERGED) != 0;
    const bool late = (a->outcome & IMPINGE_OUTCOME_SLIP_ENDED_LATE) != 0;
    HOLDS(slid == (c->ut != 0));
    HOLDS(slid || stuck || diverged);
    HOLDS(!(stuck && diverged));
    HOLDS(!late || (slid && (stuck || diverged)));
    HOLDS((a->outcome & IMPINGE_OUTCOME_RECOMPRESSED) == 0);
}

static const uint32_t no_impulse = (uint32_t)IMPINGE_OUTCOME_SEPARATING |
                                   IMPINGE_OUTCOME_IMMOVABLE | IMPINGE_OUTCOME_INVALID |
                                   IMPINGE_OUTCOME_OUT_OF_RANGE;

/* a 2^exponent is b, exactly unless that is so small that it has been rounded. */
static void expect_scaled(long double a, int exponent, long double b, long double least) {
    const long double scaled = ldexpl(a, exponent);
    if (fabsl(scaled) >= least) cr_assert(scaled == b, "%La instead of %La", b, scaled);
}

#define REAL       float
#define LEAST      FLT_MIN
#define WORD       uint32_t
#define NAME(name) name##_f32
#define UNIT       ((long double)FLT_EPSILON / 2)
#define TOLERANCE  1e-6L /* the default */
/* At most so many random contacts have the bit: most of them for nothing (docs/precision.md). */
#define TOLD_PERCENT 15
#define EXPONENTS    20 /* of masses and speeds, so that works stay in range */
#include "test_planar_real.inc"
#undef EXPONENTS
#undef TOLD_PERCENT
#undef TOLERANCE
#undef UNIT
#undef NAME
#undef WORD
#undef LEAST
#undef REAL

#define REAL         double
#define LEAST        DBL_MIN
#define WORD         uint64_t
#define NAME(name)   name##_f64
#define UNIT         ((long double)DBL_EPSILON / 2)
#define TOLERANCE    1e-12L
#define TOLD_PERCENT 1
#define EXPONENTS    150
#include "test_planar_real.inc"

#define FOR_BOTH(name)                                                                             \
    Test(planar, name##_f32) { name##_f32(); }                                                     \
    Test(planar, name##_f64) { name##_f64(); }

FOR_BOTH(by_hand)
FOR_BOTH(as_in_the_paper)
FOR_BOTH(restitution_above_one)
FOR_BOTH(laws_hold)
FOR_BOTH(same_bits_on_every_target)
FOR_BOTH(velocity_is_the_sum)
FOR_BOTH(same_bits_alone_and_in_place)
FOR_BOTH(any_bytes)
FOR_BOTH(invalid_input)
FOR_BOTH(scaling)
FOR_BOTH(as_in_space)
FOR_BOTH(pairs_as_in_the_paper)
FOR_BOTH(pairs_as_in_space)
FOR_BOTH(pairs_keep_momentum)
FOR_BOTH(small_slips)
FOR_BOTH(little_approach)
FOR_BOTH(little_yields_along)
FOR_BOTH(tells_hard_contacts)
FOR_BOTH(tells_jam_ends)
FOR_BOTH(tells_what_it_misses)
FOR_BOTH(tolerance_has_no_effect_on_results)
FOR_BOTH(statuses)
