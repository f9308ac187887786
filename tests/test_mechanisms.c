/*
 * Mechanisms: K, u0 and the speeds after against the reference's explicit inverse; what happens in
 * between against the calls for contacts, bit for bit, and against the reference's laws; two bodies
 * written as a mechanism; Morgan's double pendulum by Morgan's algorithm; one coordinate; bad
 * input.
 */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "batches.h"
#include "conditioning.h"
#include "random_contacts.h"
#include "reference_mechanism.h"
#include "targets.h"

#define N_MAX IMPINGE_COORDINATES_MAX

#define TRIANGLE(n) ((n) * ((n) + 1) / 2)
#define COUNT_OF(a) (sizeof(a) / sizeof *(a))

/* Conditions of M to 1,000, and to 10,000, as powers of two; how many of the latter a size. */
#define SPREAD     10
#define SPREAD_ILL 13.3
#define ILL_EACH   200

/* A few whole vectors of any target, and a part of one. */
#define SOME 77

/* A sensitivity is the worst of some samples, not of all. */
#define SAMPLED 2
#define TRIALS  24

/* Columns of coefficients, as in batches.h from restitution on. */
enum { E, MU, MU_S, E_T, MIX, RATIO_1, RATIO_2, COEFFICIENTS };

/* Columns of outputs, but for the speeds, in space and in a plane. */
enum {
    OUT_P = 0,
    OUT_U_AFTER = 3,
    OUT_W = 6,
    OUT_K = 9,
    OUT_U_BEFORE = 15,
    OUTPUTS = 18,
    PLANAR_P = 0,
    PLANAR_U_AFTER = 2,
    PLANAR_W = 4,
    PLANAR_K = 7,
    PLANAR_U_BEFORE = 10,
    PLANAR_OUTPUTS = 12
};

/* Every law and rule. */
static const impinge_options ways[] = {
    {.rule = IMPINGE_RULE_STRONGE},
    {.rule = IMPINGE_RULE_POISSON},
    {.rule = IMPINGE_RULE_NEWTON, .resolve_jams = true},
    {.law = IMPINGE_LAW_FRICTIONLESS},
    {.law = IMPINGE_LAW_WHITTAKER, .restitution_above_one = true},
    {.law = IMPINGE_LAW_SMITH},
    {.law = IMPINGE_LAW_TWO_STAGE, .resolve_jams = true},
    {.law = IMPINGE_LAW_BILINEAR},
    {.law = IMPINGE_LAW_CHATTERJEE_RUINA},
    {.law = IMPINGE_LAW_BRACH},
    {.law = IMPINGE_LAW_BRACH, .limit_impulse_ratios = true},
    {.law = IMPINGE_LAW_COMPOSITE},
};
#define WAYS (sizeof ways / sizeof *ways)

static const impinge_options planar_ways[] = {
    {.rule = IMPINGE_RULE_STRONGE},
    {.rule = IMPINGE_RULE_POISSON},
    {.rule = IMPINGE_RULE_NEWTON},
    {.rule = IMPINGE_RULE_STRONGE, .resolve_jams = true},
};
#define PLANAR_WAYS (sizeof planar_ways / sizeof *planar_ways)

static const uint32_t no_impulse = (uint32_t)IMPINGE_OUTCOME_SEPARATING |
                                   IMPINGE_OUTCOME_IMMOVABLE | IMPINGE_OUTCOME_NO_SOLUTION |
                                   IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_OUT_OF_RANGE;

/* ---- Random mechanisms ---- */

/* A mechanism as the tests make it; the rows of J are as many as its call has. */
typedef struct drawn {
    size_t n, rows;
    double mass[TRIANGLE(N_MAX)], jacobian[3][N_MAX], speeds[N_MAX], coefficients[COEFFICIENTS];
} drawn;

/* Turned by a reflection about a random direction: A - 2 v (v.A), from both sides. */
static void reflect(uint64_t *state, size_t n, double a[N_MAX][N_MAX]) {
    double v[N_MAX], square = 0;
    for (size_t i = 0; i < n; i++) {
        v[i] = random_between(state, -1, 1);
        square += v[i] * v[i];
    }
    for (int side = 0; side < 2; side++)
        for (size_t j = 0; j < n; j++) {
            double along = 0;
            for (size_t i = 0; i < n; i++)
                along += v[i] * (side == 0 ? a[i][j] : a[j][i]);
            for (size_t i = 0; i < n; i++)
                *(side == 0 ? &a[i][j] : &a[j][i]) -= 2 * v[i] * along / square;
        }
}

/*
 * M of a condition up to 2^spread times that of coordinates of unequal units; with `soft` one
 * direction alone is hardly resisted, and K is nearly singular as well.
 */
static void random_mass(uint64_t *state, double spread, bool soft, drawn *d) {
    double a[N_MAX][N_MAX] = {{0}}, unit[N_MAX];
    spread *= random_positive(state);
    for (size_t i = 0; i < d->n; i++) {
        const double stiff = random_positive(state);
        a[i][i] = exp2(spread * (!soft ? stiff : i == 0 ? 0 : 1));
        unit[i] = exp2(random_between(state, -3, 3));
    }
    reflect(state, d->n, a);
    reflect(state, d->n, a);
    for (size_t i = 0; i < d->n; i++)
        for (size_t j = 0; j <= i; j++)
            d->mass[TRIANGLE(i) + j] = a[i][j] * unit[i] * unit[j];
}

static void random_coefficients(uint64_t *state, double *c) {
    const double mu[] = {0, 0.1, 0.5, 1, 3, INFINITY};
    const double e = random_positive(state);
    c[E] = (const double[]){0, 1, e, e}[random_below(state, 4)];
    c[MU] = random_positive(state) * mu[random_below(state, 5)];
    if (random_below(state, 8) == 0) c[MU] = mu[5];
    const double more = random_positive(state);
    c[MU_S] = random_below(state, 3) == 0 ? c[MU] + more : c[MU];
    c[E_T] = random_between(state, -1, 1);
    c[MIX] = random_positive(state);
    c[RATIO_1] = random_between(state, -1, 1);
    c[RATIO_2] = random_between(state, -1, 1);
}

/* Most approach. */
static void random_mechanism(uint64_t *state, size_t n, size_t rows, double spread, bool soft,
                             drawn *d) {
    memset(d, 0, sizeof *d);
    d->n = n;
    d->rows = rows;
    random_mass(state, spread, soft, d);
    double approach = 0;
    for (size_t j = 0; j < n; j++) {
        for (size_t r = 0; r < rows; r++)
            d->jacobian[r][j] = random_between(state, -1, 1);
        d->speeds[j] = random_between(state, -1, 1);
        approach += d->jacobian[rows - 1][j] * d->speeds[j];
    }
    for (size_t j = 0; j < n && approach > 0 && random_below(state, 8) != 0; j++)
        d->speeds[j] = -d->speeds[j];
    random_coefficients(state, d->coefficients);
}

/* ---- What may be off ---- */

/* The same, with M^-1. */
static void to_reference(const drawn *d, reference_mechanism_long *m) {
    m->n = d->n;
    for (size_t i = 0; i < d->n; i++) {
        for (size_t j = 0; j <= i; j++)
            m->mass[i][j] = m->mass[j][i] = d->mass[TRIANGLE(i) + j];
        for (size_t r = 0; r < d->rows; r++)
            m->jacobian[r][i] = d->jacobian[r][i];
        m->speeds[i] = d->speeds[i];
    }
    cr_assert(reference_invert_mass_long(m));
}

/*
 * How much rounding makes of the scalar product that M^-1 is, relative to the lengths of what is
 * multiplied. Units that are powers of two change no bits, so let the diagonal be in [1, 4).
 * Cholesky's factor is that of M + E, and triangular systems are solved with L + dL, where (Higham,
 * theorems 8.5 and 10.3)
 *
 *     |E_ij| <= (n + 1) unit sqrt(M_ii M_jj),   |dL_ij| <= (n + 1) unit |L_ij|;
 *
 * 1 / L_ii is rounded once more, so n + 2. Then |E| <= 4 n (n + 2) unit, and |dL| |L| is as much;
 * it counts twice, and all of it times |M^-1|. The scalar product itself is some n roundings.
 */
static long double relative_error(const reference_mechanism_long *m, long double unit) {
    long double square = 0;
    for (size_t i = 0; i < m->n; i++)
        for (size_t j = 0; j < m->n; j++) {
            /* With a diagonal of 1, or more. */
            const long double sizes = m->mass[i][i] * m->mass[j][j];
            square += m->inverse[i][j] * m->inverse[i][j] * sizes;
        }
    const long double n = m->n;
    return unit * (12 * n * (n + 2) * sqrtl(square) + n + 3);
}

/*
 * The same for K alone, of the mechanism itself instead of the worst of its condition. With x_r =
 * M^-1 J_r^T, what E and the dL of each of two solutions make of K_rs is at most
 *
 *     3 (n + 2) unit a_r a_s,   a_r = sum of sqrt(M_ii) |x_ri|,
 *
 * since |L| |L^T| is at most sqrt(M_ii M_jj) as well. Where M is ill conditioned x_r is large along
 * what M hardly resists, and a_r^2 up to n times the condition of M, its diagonal scaled to 1,
 * times K_rr. Relative to sqrt(K_rr K_ss).
 */
static long double matrix_error(const reference_mechanism_long *m, size_t rows, long double unit) {
    long double worst = 0;
    for (size_t r = 0; r < rows; r++) {
        long double a = 0, k = 0;
        for (size_t i = 0; i < m->n; i++) {
            long double x = 0;
            for (size_t j = 0; j < m->n; j++)
                x += m->inverse[i][j] * m->jacobian[r][j];
            a += sqrtl(m->mass[i][i]) * fabsl(x);
            k += m->jacobian[r][i] * x;
        }
        worst = fmaxl(worst, a * a / k);
    }
    const long double n = m->n;
    return unit * (3 * (n + 2) * worst + n + 3);
}

/* Beyond it, what is of second order counts, too. */
#define RELATIVE_MOST 0.05L

/* The error of u0 in row r: n roundings of the terms of its sum. */
static long double velocity_error(const reference_mechanism_long *m, size_t r, long double unit) {
    long double sum = 0;
    for (size_t j = 0; j < m->n; j++)
        sum += fabsl(m->jacobian[r][j] * m->speeds[j]);
    return (long double)m->n * unit * sum;
}

/* ---- In a plane ---- */

/* The results of a planar mechanism: by a call, by Morgan's algorithm or by that of Mirtich 1996,
 * corrected. */
typedef struct planar_answer {
    long double p[2], u[2], work[3];
    uint32_t outcome;
} planar_answer;

/* By how much K may be off, relative to its diagonal, and u0. */
typedef struct planar_moves {
    long double matrix, slip, normal;
} planar_moves;

typedef struct planar_errors {
    long double p, u, work;
    bool outcome;
} planar_errors;

static planar_errors planar_difference(const planar_answer *a, const planar_answer *b) {
    planar_errors e = {hypotl(a->p[0] - b->p[0], a->p[1] - b->p[1]),
                       hypotl(a->u[0] - b->u[0], a->u[1] - b->u[1]), 0, a->outcome != b->outcome};
    for (int i = 0; i < 3; i++)
        e.work = fmaxl(e.work, fabsl(a->work[i] - b->work[i]));
    return e;
}

/* By Mirtich 1996, corrected, section 5. */
static planar_answer planar_answer_of(const reference_planar_contact_long *c,
                                      impinge_restitution_rule rule) {
    reference_planar_result_long r;
    reference_resolve_planar_long(c, rule, false, &r);
    return (planar_answer){{r.pt, r.pn},
                           {r.ut, r.un},
                           {r.work_compression, r.work_restitution, r.work_friction},
                           r.outcome};
}

static long double moved(uint64_t *state, long double value, long double by) {
    return random_below(state, 2) == 0 ? value + by : value - by;
}

/* How far the exact answer moves when K and u0 do. A slip of zero stays zero, since its terms are
 * zero. */
static planar_errors planar_sensitivity(const reference_planar_contact_long *c,
                                        impinge_restitution_rule rule, const planar_moves *by) {
    const planar_answer exact = planar_answer_of(c, rule);
    planar_errors worst = {0, 0, 0, false};
    uint64_t state = 1;
    for (int i = 0; i < TRIALS; i++) {
        reference_planar_contact_long d = *c;
        d.ktt = moved(&state, c->ktt, by->matrix * c->ktt);
        d.ktn = moved(&state, c->ktn, by->matrix * sqrtl(c->ktt * c->knn));
        d.knn = moved(&state, c->knn, by->matrix * c->knn);
        d.ut = c->ut == 0 ? 0 : moved(&state, c->ut, by->slip);
        d.un = moved(&state, c->un, by->normal);
        const planar_answer a = planar_answer_of(&d, rule);
        const planar_errors e = planar_difference(&a, &exact);
        worst.p = fmaxl(worst.p, SAMPLED * e.p);
        worst.u = fmaxl(worst.u, SAMPLED * e.u);
        worst.work = fmaxl(worst.work, SAMPLED * e.work);
        worst.outcome = worst.outcome || e.outcome;
    }
    return worst;
}

/* Beside it, some sixteen operations of the law itself, as in test_planar.c. */
static planar_errors planar_rounding(const reference_planar_contact_long *c, const planar_answer *a,
                                     long double unit) {
    const long double norm = sqrtl(c->ktt * c->ktt + 2 * c->ktn * c->ktn + c->knn * c->knn);
    const long double inverse = norm / (c->ktt * c->knn - c->ktn * c->ktn);
    const long double speed = hypotl(c->ut, c->un) + norm * hypotl(a->p[0], a->p[1]);
    const long double du = 16 * unit * speed;
    return (planar_errors){inverse * du, du, 3 * speed * inverse * du, false};
}

/* The double pendulum, about to strike the floor. */
typedef struct strike {
    double q1, q2, m, r, speeds[2];
    double restitution, friction, friction_static;
} strike;

/* Morgan's figures: any fold of the arms, any speeds; the floor is below the tip. */
static strike random_strike(uint64_t *state) {
    strike s;
    s.q1 = random_between(state, -3, 0.5);
    const double fold = random_between(state, 0.3, 2.8);
    s.q2 = random_below(state, 2) == 0 ? fold : -fold;
    s.m = (const double[]){1, 2.5}[random_below(state, 2)];
    s.r = (const double[]){1, 0.75}[random_below(state, 2)];
    s.speeds[0] = random_between(state, -2, 2);
    s.speeds[1] = random_between(state, -2, 2);
    s.restitution = (const double[]){0, 0.25, 0.5, 0.75, 1}[random_below(state, 5)];
    s.friction = (const double[]){0, 0.125, 0.25, 0.5, 1, 2}[random_below(state, 6)];
    /* Without friction mu_s is not asked, which Morgan 2011 leaves open. */
    s.friction_static = s.friction + (const double[]){0, 0, 0.25}[random_below(state, 3)];
    if (s.friction == 0) s.friction_static = 0;
    return s;
}

/* As numbers for a call; with a coordinate of its own across the plane if rows is 3. */
static drawn draw_strike(const strike *s, size_t rows) {
    reference_mechanism_double m;
    drawn d = {.n = rows, .rows = rows};
    reference_double_pendulum_double(s->q1, s->q2, s->m, s->r, &m);
    for (size_t j = 0; j < 2; j++) {
        for (size_t k = 0; k <= j; k++)
            d.mass[TRIANGLE(j) + k] = m.mass[j][k];
        d.jacobian[0][j] = m.jacobian[0][j];
        d.jacobian[rows - 1][j] = m.jacobian[1][j];
        d.speeds[j] = s->speeds[j];
    }
    if (rows == 3) {
        d.mass[TRIANGLE(2) + 2] = s->m;
        d.jacobian[1][2] = 0.75;
    }
    d.coefficients[E] = s->restitution;
    d.coefficients[MU] = s->friction;
    d.coefficients[MU_S] = s->friction_static;
    return d;
}

/* The rules of Morgan's way. */
static uint32_t outcome_of_path(unsigned path, long double slip, double friction) {
    uint32_t word = slip != 0 ? (uint32_t)IMPINGE_OUTCOME_SLID : 0;
    /* Without friction a slip that passes zero has no other outcome. */
    if (friction == 0 && (path & REFERENCE_PATH_TURNS)) return word | IMPINGE_OUTCOME_SLIP_REVERSED;
    if (path & REFERENCE_PATH_STICKS) word |= IMPINGE_OUTCOME_STUCK;
    if (path & (REFERENCE_PATH_TURNS | REFERENCE_PATH_LEAVES)) word |= IMPINGE_OUTCOME_DIVERGED;
    if (path & REFERENCE_PATH_TURNS) word |= IMPINGE_OUTCOME_SLIP_REVERSED;
    if (path & REFERENCE_PATH_D) word |= IMPINGE_OUTCOME_SLIP_ENDED_LATE;
    return word;
}

/* By Morgan's algorithm; m's speeds become those after. */
static planar_answer generalized_answer(reference_mechanism_long *m, const drawn *d,
                                        unsigned *path) {
    reference_generalized_result_long r;
    reference_planar_contact_long before, after;
    reference_planar_contact_of_mechanism_long(m, &before);
    reference_resolve_generalized_long(m, d->coefficients[E], d->coefficients[MU],
                                       d->coefficients[MU_S], &r);
    reference_planar_contact_of_mechanism_long(m, &after);
    *path = r.path;
    return (planar_answer){{r.pt, r.pn},
                           {after.ut, after.un},
                           {r.least, r.end - r.least, r.friction},
                           outcome_of_path(r.path, before.ut, d->coefficients[MU])};
}

static reference_planar_contact_long planar_contact(const drawn *d,
                                                    const reference_mechanism_long *m) {
    reference_planar_contact_long c = {.restitution = d->coefficients[E],
                                       .friction = d->coefficients[MU],
                                       .friction_static = d->coefficients[MU_S]};
    reference_planar_contact_of_mechanism_long(m, &c);
    return c;
}

static planar_moves planar_moves_of(const reference_mechanism_long *m, long double unit) {
    return (planar_moves){relative_error(m, unit), velocity_error(m, 0, unit),
                          velocity_error(m, 1, unit)};
}

static bool planar_within(const planar_errors *e, const planar_errors *allowed) {
    return e->p <= allowed->p && e->u <= allowed->u && e->work <= allowed->work && !e->outcome;
}

#define REAL       float
#define NAME(name) name##_f32
#define PRECISION  "f32"
#define UNIT       ((long double)FLT_EPSILON / 2)
#define TOLERANCE  1e-6L /* the default */
#define WORD       uint32_t
#define EXPONENTS  40
#define BITS       32
#include "test_mechanisms_real.inc"
#undef BITS
#undef EXPONENTS
#undef WORD
#undef TOLERANCE
#undef UNIT
#undef PRECISION
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#define PRECISION  "f64"
#define UNIT       ((long double)DBL_EPSILON / 2)
#define TOLERANCE  1e-12L
#define WORD       uint64_t
#define EXPONENTS  400
#define BITS       64
#include "test_mechanisms_real.inc"

#define FOR_BOTH(name)                                                                             \
    Test(mechanisms, name##_f32) { name##_f32(); }                                                 \
    Test(mechanisms, name##_f64) { name##_f64(); }

FOR_BOTH(matrix_and_speeds)
FOR_BOTH(as_contacts)
FOR_BOTH(as_the_reference)
FOR_BOTH(ill_conditioned)
FOR_BOTH(as_body_pairs)
FOR_BOTH(double_pendulum)
FOR_BOTH(double_pendulum_in_space)
FOR_BOTH(one_coordinate)
FOR_BOTH(one_coordinate_just_borne)
FOR_BOTH(one_coordinate_gains)
FOR_BOTH(one_coordinate_is_a_limit)
FOR_BOTH(one_coordinate_of_unequal_rows)
FOR_BOTH(one_coordinate_of_any_size)
FOR_BOTH(one_coordinate_rows_in_any_units)
FOR_BOTH(units_of_coordinates)
FOR_BOTH(same_bits_on_every_target)
FOR_BOTH(same_bits_alone_and_in_place)
FOR_BOTH(any_bytes)
FOR_BOTH(invalid_input)
FOR_BOTH(dependent_rows)
FOR_BOTH(singular_mass)
FOR_BOTH(too_few_coordinates)
FOR_BOTH(statuses)
