/* The references of the algebraic laws: published numbers, the equations themselves, and what the
 * paper (Chatterjee and Ruina 1998) claims of each law. */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <string.h>

#include "conditioning.h"
#include "random_contacts.h"
#include "reference.h"

/* As the reference, which requires no more of a wider long double. */
#define ROUNDING_LONG (LDBL_EPSILON > 1e-19L ? LDBL_EPSILON : 1e-19L)

/*
 * The error of an answer in units of rounding of the sizes of what it adds up: a law takes some
 * twenty operations from K and u0 to p, of which each errs by half a unit.
 */
#define UNITS 32

/* A check of a contact that prints it if it fails. */
#define CHECK(contact, condition, ...)                                                             \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            log_contact(contact, IMPINGE_RULE_STRONGE);                                            \
            cr_assert(false, __VA_ARGS__);                                                         \
        }                                                                                          \
    } while (0)

static bool has_newton_restitution(impinge_law law) {
    return law != IMPINGE_LAW_ROUTH && law != IMPINGE_LAW_TWO_STAGE && law != IMPINGE_LAW_COMPOSITE;
}

static reference_result_long resolve_with(const reference_contact_long *c,
                                          const impinge_options *options) {
    reference_result_long r;
    CHECK(c, reference_resolve_long(c, options, &r), "law %d did not end", (int)options->law);
    return r;
}

static reference_result_long resolve_by(const reference_contact_long *c, impinge_law law) {
    return resolve_with(c, &(impinge_options){.law = law});
}

/* ---- Random contacts ---- */

/* Coefficients that only some laws have. */
static void draw_law_coefficients(uint64_t *state, reference_contact_long *c) {
    c->tangential_restitution = random_between(state, -1, 1);
    if (random_below(state, 4) == 0) c->tangential_restitution = (int)random_below(state, 3) - 1;
    c->mix = random_below(state, 8) == 0 ? random_below(state, 2) : random_positive(state);
    for (int i = 0; i < 2; i++)
        c->impulse_ratio[i] = random_between(state, -1, 1);
}

/* Any kind that collides. */
static reference_contact_long draw_contact(uint64_t *state) {
    double row[CONTACT_INPUTS];
    random_kind kind;
    do {
        kind = (random_kind)random_below(state, RANDOM_KINDS);
    } while (!random_kind_collides(kind));
    random_contact(state, kind, 0, row);
    reference_contact_long c = contact_of_row(row);
    draw_law_coefficients(state, &c);
    return c;
}

static void make_diagonal(reference_contact_long *c) { c->k12 = c->k13 = c->k23 = 0; }

/* A contact for a law: the bilinear one gets a diagonal K. */
static reference_contact_long draw_for(uint64_t *state, impinge_law law) {
    reference_contact_long c = draw_contact(state);
    if (law == IMPINGE_LAW_BILINEAR) make_diagonal(&c);
    return c;
}

/* K = L L^T + 0.01, which couples much, with u_n0 small beside the slip: solutions are many. */
static reference_contact_long draw_coupled(uint64_t *state) {
    double l[6];
    for (int i = 0; i < 6; i++)
        l[i] = random_between(state, -1, 1);
    const double friction = random_between(state, 0, 4);
    return (reference_contact_long){.k11 = l[0] * l[0] + 0.01,
                                    .k12 = l[0] * l[1],
                                    .k13 = l[0] * l[3],
                                    .k22 = l[1] * l[1] + l[2] * l[2] + 0.01,
                                    .k23 = l[1] * l[3] + l[2] * l[4],
                                    .k33 = l[3] * l[3] + l[4] * l[4] + l[5] * l[5] + 0.01,
                                    .u = {random_between(state, -2, 2),
                                          random_between(state, -2, 2),
                                          -0.05 * random_positive(state)},
                                    .restitution = random_positive(state),
                                    .friction = friction,
                                    .friction_static = friction};
}

/* ---- Sizes ---- */

static long double matrix_size(const reference_contact_long *c) {
    reference_contact_long still = *c;
    still.u[0] = still.u[1] = still.u[2] = 0;
    return speed_scale(&still, (const long double[3]){1, 0, 0});
}

/* How much elimination magnifies rounding: |K| |K^-1|. */
static long double condition(const reference_contact_long *c) {
    return matrix_size(c) * inverse_norm(c);
}

/* The error of a velocity, and of an impulse, by rounding. */
static long double velocity_bound(const reference_contact_long *c, const long double p[3]) {
    return UNITS * ROUNDING_LONG * condition(c) * speed_scale(c, p);
}

static long double impulse_bound(const reference_contact_long *c, const long double p[3]) {
    return velocity_bound(c, p) * inverse_norm(c);
}

static long double energy_change(const reference_contact_long *c, const reference_result_long *r) {
    long double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (c->u[i] + r->u[i]) * r->p[i] / 2;
    return sum;
}

static long double works(const reference_result_long *r) {
    return r->work_compression + r->work_restitution + r->work_friction;
}

/* ---- Published numbers ---- */

/*
 * Numbers are printed with 15 digits; the last may err by half of one, and theirs were worked out
 * in double.
 */
#define PRINTED 4e-15L

static void expect_printed(const char *what, int row, long double value, long double printed) {
    const long double tolerance = PRINTED * fmaxl(fabsl(printed), 0.1L);
    cr_expect(fabsl(value - printed) <= tolerance, "%s, row %d: %.18Lg, not %.18Lg", what, row,
              value, printed);
}

static const impinge_law sliding_laws[] = {IMPINGE_LAW_ROUTH, IMPINGE_LAW_WHITTAKER,
                                           IMPINGE_LAW_TWO_STAGE, IMPINGE_LAW_CHATTERJEE_RUINA,
                                           IMPINGE_LAW_COMPOSITE};

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* A solid sphere on a plane, with its slip in any direction. */
Test(law_reference, sphere) {
    const struct {
        long double friction, p_t, u_t, smith_p_t, smith_u_t;
    } rows[] = {{0, 0, 0.7L, 0, 0.7L},
                {0.05L, -0.075L, 0.4375L, -0.075L, 0.4375L},
                {0.2L, -0.2L, 0, -0.256155281280883L, -0.196543484483091L},
                {1, -0.2L, 0, -0.356917857360853L, -0.549212500762985L},
                {1e6L, -0.2L, 0, -0.4L, -0.7L},
                {INFINITY, -0.2L, 0, -0.4L, -0.7L}};
    for (int i = 0; i < (int)COUNT_OF(rows); i++) {
        reference_contact_long c = {.k11 = 3.5L,
                                    .k22 = 3.5L,
                                    .k33 = 1,
                                    .u = {0.7L * 0.6L, 0.7L * 0.8L, -1},
                                    .restitution = 0.5L,
                                    .friction = rows[i].friction,
                                    .friction_static = rows[i].friction,
                                    .mix = 0.3L};
        for (size_t law = 0; law < COUNT_OF(sliding_laws); law++) {
            const reference_result_long r = resolve_by(&c, sliding_laws[law]);
            expect_printed("p_t", i, 0.6L * r.p[0] + 0.8L * r.p[1], rows[i].p_t);
            expect_printed("u_t", i, 0.6L * r.u[0] + 0.8L * r.u[1], rows[i].u_t);
            expect_printed("p_n", i, r.p[2], 1.5L);
        }
        const reference_result_long walton = resolve_by(&c, IMPINGE_LAW_BILINEAR);
        expect_printed("Walton", i, 0.6L * walton.p[0] + 0.8L * walton.p[1], rows[i].p_t);
        const reference_result_long smith = resolve_by(&c, IMPINGE_LAW_SMITH);
        /* At 1e6 the limit is reached to 0.35 / 1.5e6 only (1 / (mu p_n) to first order). */
        const long double short_of = rows[i].friction == 1e6L ? 1e-6L : 0;
        cr_expect(fabsl(0.6L * smith.p[0] + 0.8L * smith.p[1] - rows[i].smith_p_t) <=
                  PRINTED + short_of);
        cr_expect(fabsl(0.6L * smith.u[0] + 0.8L * smith.u[1] - rows[i].smith_u_t) <=
                  PRINTED + short_of);
    }
}

/* A sphere that comes down at an angle. */
Test(law_reference, grazing_sphere) {
    const long double degree = 0.01745329251994329576924L;
    const struct {
        long double angle, p_n, p_x, smith, walton, energy;
    } rows[] = {{30, 1.558845726811990L, -0.142857142857143L, -0.245906261602746L, -0.2L,
                 0.329285714285714L},
                {60, 0.9L, -0.247435829652697L, -0.339841931591199L, -0.346410161513775L,
                 0.347857142857143L},
                {70, 0.615636257986204L, -0.268483605938831L, -0.299638516115089L,
                 -0.307818128993102L, 0.352797968229352L},
                {76, 0.435459412079402L, -0.217729706039701L, -0.217729706039701L,
                 -0.217729706039701L, 0.361163973664888L},
                {85, 0.156880336945785L, -0.078440168472892L, -0.078440168472892L,
                 -0.078440168472892L, 0.431258522873578L}};
    for (int i = 0; i < (int)COUNT_OF(rows); i++) {
        const long double angle = rows[i].angle * degree;
        reference_contact_long c = {.k11 = 3.5L,
                                    .k22 = 3.5L,
                                    .k33 = 1,
                                    .u = {sinl(angle), 0, -cosl(angle)},
                                    .restitution = 0.8L,
                                    .friction = 0.5L,
                                    .friction_static = 0.5L,
                                    .mix = 0.6L};
        for (size_t law = 0; law < COUNT_OF(sliding_laws); law++) {
            const reference_result_long r = resolve_by(&c, sliding_laws[law]);
            expect_printed("p_x", i, r.p[0], rows[i].p_x);
            expect_printed("p_n", i, r.p[2], rows[i].p_n);
            expect_printed("energy", i, 0.5L + works(&r), rows[i].energy);
        }
        expect_printed("Smith", i, resolve_by(&c, IMPINGE_LAW_SMITH).p[0], rows[i].smith);
        c.tangential_restitution = 0.4L;
        expect_printed("Walton", i, resolve_by(&c, IMPINGE_LAW_BILINEAR).p[0], rows[i].walton);
    }
}

/* Equal balls head on, the first of them rolling. */
Test(law_reference, rolling_ball) {
    const reference_body_long a = {.inverse_mass = 1,
                                   .inverse_inertia = {2.5L, 0, 0, 2.5L, 0, 2.5L},
                                   .arm = {1, 0, 0},
                                   .velocity = {1, 0, 0},
                                   .angular_velocity = {0, 1, 0}};
    const reference_body_long b = {
        .inverse_mass = 1, .inverse_inertia = {2.5L, 0, 0, 2.5L, 0, 2.5L}, .arm = {-1, 0, 0}};
    const long double normal[3] = {-1, 0, 0};
    reference_frame_long frame;
    reference_contact_long c = {
        .restitution = 0.89L, .friction = 0.05L, .friction_static = 0.05L, .mix = 0.5L};
    cr_assert_eq(reference_contact_from_bodies_long(&a, &b, normal, &frame, &c), 0);
    for (int law = 0; law < IMPINGE_LAW_COUNT; law++) {
        if (law == IMPINGE_LAW_FRICTIONLESS || law == IMPINGE_LAW_BRACH) continue;
        const reference_result_long r = resolve_by(&c, (impinge_law)law);
        reference_body_long after[2] = {a, b};
        reference_apply_impulse_long(&after[0], &after[1], &frame, r.p);
        expect_printed("v_Ax", law, after[0].velocity[0], 0.055L);
        expect_printed("v_Az", law, after[0].velocity[2], 0.04725L);
        expect_printed("v_Bx", law, after[1].velocity[0], 0.945L);
        expect_printed("v_Bz", law, after[1].velocity[2], -0.04725L);
        expect_printed("w_Ay", law, after[0].angular_velocity[1], 0.881875L);
        expect_printed("w_By", law, after[1].angular_velocity[1], -0.118125L);
    }
}

/* Spin about the normal of an inclined plane. */
Test(law_reference, spin_about_the_normal) {
    const long double normal[3] = {0.6L, 0, 0.8L};
    const long double p[3] = {0.55074869994768L, -0.10914103126635L, 1.46193847503924L};
    for (int spin = 0; spin <= 50; spin += 50) {
        reference_body_long a = {
            .inverse_mass = 1, .inverse_inertia = {10, 0, 0, 10, 0, 10}, .velocity = {1, 0.5L, -2}};
        for (int i = 0; i < 3; i++) {
            a.arm[i] = -0.5L * normal[i];
            a.angular_velocity[i] = spin * normal[i];
        }
        const reference_body_long b = {.inverse_mass = 0};
        reference_frame_long frame;
        reference_contact_long c = {
            .restitution = 0.5L, .friction = 0.3L, .friction_static = 0.3L, .mix = 0.5L};
        cr_assert_eq(reference_contact_from_bodies_long(&a, &b, normal, &frame, &c), 0);
        for (int law = 0; law < IMPINGE_LAW_COUNT; law++) {
            if (law == IMPINGE_LAW_FRICTIONLESS || law == IMPINGE_LAW_BRACH) continue;
            const reference_result_long r = resolve_by(&c, (impinge_law)law);
            for (int i = 0; i < 3; i++) {
                long double world = 0;
                for (int j = 0; j < 3; j++)
                    world += frame.rows[j][i] * r.p[j];
                /* 14 decimals were printed. */
                cr_expect(fabsl(world - p[i]) <= 1e-14L, "law %d: p[%d] = %.18Lg", law, i, world);
            }
        }
    }
}

/* A rod that slides on a ray, so that all laws agree but Walton's, which does not apply. */
Test(law_reference, coupling) {
    reference_contact_long c = {.k11 = 2.92L,
                                .k13 = 1.44L,
                                .k22 = 4,
                                .k33 = 2.08L,
                                .u = {1, 0, -1},
                                .restitution = 0.5L,
                                .friction = 0.1L,
                                .friction_static = 0.1L,
                                .mix = 0.25L,
                                .impulse_ratio = {-0.1L, 0}};
    for (int law = 0; law < IMPINGE_LAW_COUNT; law++) {
        if (law == IMPINGE_LAW_FRICTIONLESS || law == IMPINGE_LAW_BILINEAR) continue;
        const reference_result_long r = resolve_by(&c, (impinge_law)law);
        expect_printed("p_x", law, r.p[0], -0.0774793388429752L);
        expect_printed("p_n", law, r.p[2], 0.774793388429752L);
        expect_printed("u_x", law, r.u[0], 1.889462809917355L);
        expect_printed("u_n", law, r.u[2], 0.5L);
        expect_printed("energy", law, 0.985L + works(&r), 0.679364818830681L);
        cr_expect_eq(r.outcome & ~(uint32_t)IMPINGE_OUTCOME_CLIPPED, IMPINGE_OUTCOME_SLID);
    }
    cr_expect_eq(resolve_by(&c, IMPINGE_LAW_BILINEAR).outcome,
                 IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_NOT_DIAGONAL);
}

/* A small ball against a big one, by Walton's law. */
Test(law_reference, small_ball_against_big) {
    reference_contact_long c = {.k11 = 3503.5L,
                                .k22 = 3503.5L,
                                .k33 = 1001,
                                .u = {-0.3L, 0, -1},
                                .restitution = 0.9L,
                                .friction = 0.3L,
                                .friction_static = 0.3L,
                                .tangential_restitution = 0.4L};
    reference_result_long r = resolve_by(&c, IMPINGE_LAW_BILINEAR);
    expect_printed("1e3 p_n", 0, 1e3L * r.p[2], 1.898101898101898L);
    /* 14 digits were printed. */
    cr_expect(fabsl(1e4L * r.p[0] - 1.1988011988012L) <= 1e-13L, "%.18Lg", r.p[0]);
    expect_printed("u_t", 0, r.u[0], 0.12L);
    expect_printed("energy", 0, 0.526157L + works(&r), 0.526051305694306L);
    cr_expect_eq(r.outcome, IMPINGE_OUTCOME_SLID | IMPINGE_OUTCOME_SLIP_REVERSED);

    c.friction = c.friction_static = 0.05L;
    r = resolve_by(&c, IMPINGE_LAW_BILINEAR);
    expect_printed("1e5 p_t", 1, 1e5L * r.p[0], 9.49050949050949L);
    expect_printed("u_t", 1, r.u[0], 0.0325L);
    expect_printed("energy", 1, 0.526157L + works(&r), 0.526049401348651L);
    cr_expect_eq(r.outcome,
                 IMPINGE_OUTCOME_SLID | IMPINGE_OUTCOME_CLIPPED | IMPINGE_OUTCOME_SLIP_REVERSED);

    c.tangential_restitution = -1; /* no tangential impulse */
    r = resolve_by(&c, IMPINGE_LAW_BILINEAR);
    cr_expect(r.p[0] == 0 && r.u[0] == c.u[0]);
    c.tangential_restitution = c.restitution = 1; /* and energy is conserved */
    c.friction = c.friction_static = 100;
    r = resolve_by(&c, IMPINGE_LAW_BILINEAR);
    cr_expect(r.u[0] == -c.u[0] && fabsl(works(&r)) <= UNITS * ROUNDING_LONG, "%Lg", works(&r));
}

/* ---- The equations themselves ---- */

/* A.2 of Chatterjee and Ruina 1998, transcribed again, with the normal at index 2 and M by its
 * adjugate. */
static void collrule(const reference_contact_long *c, long double p[3]) {
    const long double mu = c->friction, e = c->restitution, e_t = c->tangential_restitution;
    const long double p_i[3] = {0, 0, -c->u[2] / c->k33};
    long double p_ii[3], p_hat[3];
    apply_inverse(c, c->u, p_ii);
    for (int i = 0; i < 3; i++)
        p_ii[i] = -p_ii[i];
    for (int i = 0; i < 3; i++)
        p_hat[i] = (1 + e) * p_i[i] + (1 + e_t) * (p_ii[i] - p_i[i]);
    long double kappa = 1 + e_t;
    if (hypotl(p_hat[0], p_hat[1]) > mu * p_hat[2]) {
        kappa = mu * (1 + e) * p_i[2] / (hypotl(p_ii[0], p_ii[1]) - mu * (p_ii[2] - p_i[2]));
    }
    for (int i = 0; i < 3; i++)
        p[i] = (1 + e) * p_i[i] + kappa * (p_ii[i] - p_i[i]);
}

Test(law_reference, chatterjee_ruina_is_appendix_a2) {
    uint64_t state = 1;
    int clipped = 0, compared = 0;
    for (int i = 0; i < 20000; i++) {
        const reference_contact_long c = draw_contact(&state);
        if (isinf(c.friction)) continue;
        const reference_result_long r = resolve_by(&c, IMPINGE_LAW_CHATTERJEE_RUINA);
        long double p[3];
        collrule(&c, p);
        CHECK(&c, distance3(r.p, p) <= impulse_bound(&c, p), "p errs by %Lg of %Lg",
              distance3(r.p, p), length3(p));
        clipped += (r.outcome & IMPINGE_OUTCOME_CLIPPED) != 0;
        compared++;
    }
    cr_expect(clipped > compared / 10 && clipped < compared * 9 / 10, "%d of %d", clipped,
              compared);
}

/*
 * Whittaker's equations: sticking within the cone, or friction on the cone that opposes the final
 * slip. What is left of each is rounding, of the impulse that friction might have.
 */
static void check_whittaker(const reference_contact_long *c, const reference_result_long *r) {
    const long double p_t = hypotl(r->p[0], r->p[1]), u_t = hypotl(r->u[0], r->u[1]);
    const long double a = 1 / fmaxl(1, c->friction), b = fminl(1, c->friction);
    const long double bound = impulse_bound(c, r->p);
    if (r->outcome & IMPINGE_OUTCOME_STUCK) {
        CHECK(c, u_t == 0 && a * p_t <= b * r->p[2] + bound, "stuck: u_t %Lg, p_t %Lg, p_n %Lg",
              u_t, p_t, r->p[2]);
        return;
    }
    CHECK(c, fabsl(a * p_t - b * r->p[2]) <= bound, "not on the cone: p_t %Lg, p_n %Lg", p_t,
          r->p[2]);
    const long double along = r->p[0] * r->u[0] + r->p[1] * r->u[1];
    CHECK(c, along <= -(p_t - bound) * u_t, "does not oppose the slip: %Lg of %Lg", along,
          p_t * u_t);
}

/*
 * No solution has more slip per tangential impulse than the chosen one: |p_t| < mu p_n for every
 * larger nu. Here p_t = -(S + nu)^-1 w by Cramer's rule.
 */
static bool is_inside(const reference_contact_long *c, long double nu) {
    const long double p_i = -(1 + c->restitution) * c->u[2] / c->k33;
    const long double w[2] = {c->u[0] + c->k13 * p_i, c->u[1] + c->k23 * p_i};
    const long double s11 = c->k11 - c->k13 * c->k13 / c->k33 + nu;
    const long double s12 = c->k12 - c->k13 * c->k23 / c->k33;
    const long double s22 = c->k22 - c->k23 * c->k23 / c->k33 + nu;
    const long double determinant = s11 * s22 - s12 * s12;
    const long double p1 = -(s22 * w[0] - s12 * w[1]) / determinant;
    const long double p2 = -(s11 * w[1] - s12 * w[0]) / determinant;
    return hypotl(p1, p2) < c->friction * (p_i - (c->k13 * p1 + c->k23 * p2) / c->k33);
}

static void check_largest_ratio(const reference_contact_long *c, const reference_result_long *r) {
    if ((r->outcome & IMPINGE_OUTCOME_STUCK) || c->friction == 0 || isinf(c->friction)) return;
    const long double chosen = hypotl(r->u[0], r->u[1]) / hypotl(r->p[0], r->p[1]);
    /* A hundredth above it, then by five hundredths up to where friction is a ten millionth. */
    for (long double nu = 1.01L * chosen; nu < 1e7L * chosen; nu *= 1.05L)
        CHECK(c, is_inside(c, nu), "another solution above nu = %Lg: %Lg", chosen, nu);
}

Test(law_reference, whittaker_opposes_the_final_slip) {
    uint64_t state = 2;
    int stuck = 0, several = 0;
    for (int i = 0; i < 20000; i++) {
        const reference_contact_long c = i % 2 == 0 ? draw_contact(&state) : draw_coupled(&state);
        const reference_result_long r = resolve_by(&c, IMPINGE_LAW_WHITTAKER);
        check_whittaker(&c, &r);
        if (i % 10 == 1) check_largest_ratio(&c, &r);
        CHECK(&c, r.solutions >= 1, "no solution");
        stuck += (r.outcome & IMPINGE_OUTCOME_STUCK) != 0;
        several += r.solutions > 1;
    }
    cr_log_info("Whittaker's law: several solutions %d times in 20,000, stuck %d times", several,
                stuck);
    cr_expect(stuck > 2000 && stuck < 18000 && several > 50, "stuck %d, several %d", stuck,
              several);
}

/* Eq. (8), its tangential part, with friction on the other side if it is infinite. */
static void check_smith(const reference_contact_long *c, const reference_result_long *r) {
    const long double r0 = hypotl(c->u[0], c->u[1]), r1 = hypotl(r->u[0], r->u[1]);
    const long double a = 1 / fmaxl(1, c->friction), b = fminl(1, c->friction);
    const long double sum = r0 * r0 + r1 * r1;
    if (r0 == 0) return;
    for (int i = 0; i < 2; i++) {
        const long double mean = (r0 * c->u[i] + r1 * r->u[i]) / sum;
        const long double left = a * r->p[i] + b * r->p[2] * mean;
        /* At infinite friction p_n is not zero where the mean vanishes, to rounding. */
        const long double bound = impulse_bound(c, r->p) * (1 + b * r->p[2] * inverse_norm(c) / r0);
        CHECK(c, fabsl(left) <= bound, "eq. (8) is left with %Lg, allowed %Lg", left, bound);
    }
}

/* Smith's law for the y of the solution: y = mu p_n r0 / (r0^2 + r^2), from the impulse. */
static long double smith_y(const reference_contact_long *c, const reference_result_long *r) {
    const long double r0 = hypotl(c->u[0], c->u[1]), r1 = hypotl(r->u[0], r->u[1]);
    return c->friction * r->p[2] * r0 / (r0 * r0 + r1 * r1);
}

/* s = (1 + m S)^-1 (w - y S s0), for m = rho y; by Cramer's rule. */
static void smith_slip(const reference_contact_long *c, const long double w[2], long double y,
                       long double m, long double s[2]) {
    const long double s11 = c->k11 - c->k13 * c->k13 / c->k33;
    const long double s12 = c->k12 - c->k13 * c->k23 / c->k33;
    const long double s22 = c->k22 - c->k23 * c->k23 / c->k33;
    const long double b1 = w[0] - y * (s11 * c->u[0] + s12 * c->u[1]);
    const long double b2 = w[1] - y * (s12 * c->u[0] + s22 * c->u[1]);
    const long double d11 = 1 + m * s11, d22 = 1 + m * s22, d12 = m * s12;
    const long double determinant = d11 * d22 - d12 * d12;
    s[0] = (d22 * b1 - d12 * b2) / determinant;
    s[1] = (d11 * b2 - d12 * b1) / determinant;
}

/* True if friction with this y would be less than Coulomb's: mu p_n r0 > y (r0^2 + r^2). */
static bool smith_is_inside(const reference_contact_long *c, long double y) {
    const long double p_i = -(1 + c->restitution) * c->u[2] / c->k33;
    const long double w[2] = {c->u[0] + c->k13 * p_i, c->u[1] + c->k23 * p_i};
    const long double r0 = hypotl(c->u[0], c->u[1]);
    long double s[2];
    long double low = 0, high = 2 + hypotl(w[0], w[1]) / r0; /* of rho; |s| / r0 - rho falls */
    for (int i = 0; i < 50; i++) {
        const long double rho = (low + high) / 2;
        smith_slip(c, w, y, rho * y, s);
        *(hypotl(s[0], s[1]) > rho * r0 ? &low : &high) = rho;
    }
    const long double p1 = -y * (c->u[0] + low * s[0]), p2 = -y * (c->u[1] + low * s[1]);
    const long double p_n = p_i - (c->k13 * p1 + c->k23 * p2) / c->k33;
    return c->friction * p_n > y * (1 + low * low) * r0;
}

static void check_least_y(const reference_contact_long *c, const reference_result_long *r) {
    if (c->friction == 0 || isinf(c->friction) || (c->u[0] == 0 && c->u[1] == 0)) return;
    const long double chosen = smith_y(c, r);
    for (long double y = 0.99L * chosen; y > 1e-4L * chosen; y *= 0.93L)
        CHECK(c, smith_is_inside(c, y), "another solution below y = %Lg: %Lg", chosen, y);
}

Test(law_reference, smith_solves_equation_8) {
    uint64_t state = 3;
    int several = 0;
    for (int i = 0; i < 20000; i++) {
        const reference_contact_long c = i % 2 == 0 ? draw_contact(&state) : draw_coupled(&state);
        const reference_result_long r = resolve_by(&c, IMPINGE_LAW_SMITH);
        check_smith(&c, &r);
        if (i % 10 == 1) check_least_y(&c, &r);
        CHECK(&c, r.solutions >= 1, "no solution");
        several += r.solutions > 1;
    }
    cr_log_info("Smith's law: several solutions %d times in 20,000", several);
    cr_expect(several > 5, "%d", several);
}

/*
 * The two stages, from what is said of them: compression is Whittaker's with e = 0, and the rest of
 * the impulse, the expansion, has e times its normal part, or more and then u_n = 0.
 */
static void check_two_stage(const reference_contact_long *c, const reference_result_long *r) {
    reference_contact_long plastic = *c;
    plastic.restitution = 0;
    const reference_result_long half = resolve_by(&plastic, IMPINGE_LAW_WHITTAKER);
    const long double bound = impulse_bound(c, r->p);
    const long double p[3] = {r->p[0] - half.p[0], r->p[1] - half.p[1], r->p[2] - half.p[2]};
    const long double excess = p[2] - c->restitution * half.p[2];
    CHECK(c, fabsl(excess) <= bound || (excess > 0 && r->u[2] == 0), "Poisson is left with %Lg",
          excess);
    const long double p_t = hypotl(p[0], p[1]), u_t = hypotl(r->u[0], r->u[1]);
    if (!isinf(c->friction)) {
        CHECK(c, p_t <= c->friction * p[2] + (1 + c->friction) * bound,
              "beyond the cone: p_t %Lg, p_n %Lg", p_t, p[2]);
    }
    const long double along = p[0] * r->u[0] + p[1] * r->u[1];
    CHECK(c, along <= -(p_t - bound) * u_t, "does not oppose the slip: %Lg of %Lg", along,
          p_t * u_t);
    if (u_t > 0 && !isinf(c->friction)) {
        CHECK(c, p_t >= c->friction * p[2] - (1 + c->friction) * bound, "slides within the cone");
    }
}

Test(law_reference, two_stages_with_final_slip) {
    uint64_t state = 4;
    int reversed = 0;
    for (int i = 0; i < 20000; i++) {
        const reference_contact_long c = i % 2 == 0 ? draw_contact(&state) : draw_coupled(&state);
        const reference_result_long r = resolve_by(&c, IMPINGE_LAW_TWO_STAGE);
        check_two_stage(&c, &r);
        reversed += (r.outcome & IMPINGE_OUTCOME_SLIP_REVERSED) != 0;
    }
    cr_expect_gt(reversed, 50);
}

/*
 * One contact in some 300,000 of those coupled much would approach again after Poisson's impulse:
 * it gets more, until it does not. Of the two impulses that end with u_n = 0 one is less than
 * Poisson's.
 */
Test(law_reference, two_stages_expand_further) {
    const reference_contact_long c = {
        .k11 = 0.42313070991832408L,
        .k12 = 0.28753884708806582L,
        .k13 = -0.58137557217778701L,
        .k22 = 0.29350455704387396L,
        .k23 = -0.33284327920116474L,
        .k33 = 0.92278714612526436L,
        .u = {-0.62679952511765791L, -0.98718691494098909L, -0.091183019110498698L},
        .restitution = 0.92752345418323001L,
        .friction = 1.4008593812943149L,
        .friction_static = 1.4008593812943149L};
    reference_contact_long plastic = c;
    plastic.restitution = 0;
    const reference_result_long half = resolve_by(&plastic, IMPINGE_LAW_WHITTAKER);
    const reference_result_long r = resolve_by(&c, IMPINGE_LAW_TWO_STAGE);
    check_two_stage(&c, &r);
    const long double poisson = c.restitution * half.p[2];
    const long double expansion = r.p[2] - half.p[2];
    cr_expect(fabsl(poisson - 1.59455L) < 1e-5L && fabsl(expansion - 2.89242L) < 1e-5L,
              "%.6Lg %.6Lg", poisson, expansion);
    cr_expect(r.u[2] == 0 && r.work_restitution == 0);
}

/* ---- Several solutions ---- */

/* A contact in numbers of sixty-fourths. */
static reference_contact_long in_64ths(const int k[6], const int u[3], int e, int friction) {
    return (reference_contact_long){.k11 = k[0] / 64.0L,
                                    .k12 = k[1] / 64.0L,
                                    .k13 = k[2] / 64.0L,
                                    .k22 = k[3] / 64.0L,
                                    .k23 = k[4] / 64.0L,
                                    .k33 = k[5] / 64.0L,
                                    .u = {u[0] / 64.0L, u[1] / 64.0L, u[2] / 64.0L},
                                    .restitution = e / 64.0L,
                                    .friction = friction / 64.0L,
                                    .friction_static = friction / 64.0L};
}

/* How often contacts near a value of nu, or of y, come into or go out of the cone. */
typedef bool cone_test(const reference_contact_long *c, long double at);

static int crossings(const reference_contact_long *c, cone_test *inside, long double from,
                     long double to) {
    int count = 0;
    for (long double at = from; at < to; at *= 1.01L)
        count += inside(c, at) != inside(c, 1.01L * at);
    return count;
}

/* Sticking and two kinds of sliding are solutions; sticking is taken. */
Test(law_reference, whittaker_prefers_sticking) {
    const reference_contact_long c =
        in_64ths((int[]){44, 35, -45, 36, -26, 62}, (int[]){52, 123, -6}, 9, 226);
    const reference_result_long r = resolve_by(&c, IMPINGE_LAW_WHITTAKER);
    cr_expect_eq(r.solutions, 3);
    cr_expect(r.outcome & IMPINGE_OUTCOME_STUCK);
    cr_expect(is_inside(&c, 0) && !is_inside(&c, 1) && is_inside(&c, 20));
}

/* Three kinds of sliding are solutions; the one with the most slip per impulse is taken. */
Test(law_reference, whittaker_prefers_the_most_slip) {
    const reference_contact_long c =
        in_64ths((int[]){22, 29, 36, 62, 18, 112}, (int[]){-54, -101, -61}, 5, 228);
    const reference_result_long r = resolve_by(&c, IMPINGE_LAW_WHITTAKER);
    check_whittaker(&c, &r);
    cr_expect_eq(r.solutions, 3);
    cr_expect_eq(crossings(&c, is_inside, 1e-5L, 1e3L), 3);
    const long double nu = hypotl(r.u[0], r.u[1]) / hypotl(r.p[0], r.p[1]);
    cr_expect(fabsl(nu - 0.248456946831L) < 1e-11L, "nu = %.12Lg, of 0.000546, 0.0137 and 0.248",
              nu);
    cr_expect(fabsl(r.p[2] - 0.324271502L) < 1e-8L, "%.9Lg", r.p[2]);
}

/* Three solutions of eq. (8); the one with the least friction is taken. */
Test(law_reference, smith_prefers_the_least_friction) {
    const reference_contact_long c =
        in_64ths((int[]){38, -18, -46, 50, 53, 85}, (int[]){-127, -24, -1}, 19, 132);
    const reference_result_long r = resolve_by(&c, IMPINGE_LAW_SMITH);
    check_smith(&c, &r);
    cr_expect_eq(r.solutions, 3);
    cr_expect_eq(crossings(&c, smith_is_inside, 1e-4L, 1e4L), 3);
    check_least_y(&c, &r);
    cr_expect(fabsl(r.p[2] - 0.12553050961L) < 1e-10L, "%.12Lg", r.p[2]);
}

/* ---- What the laws claim ---- */

static void check_sums(const reference_contact_long *c, const reference_result_long *r) {
    long double u[3];
    velocity_after(c, r->p, u);
    const long double bound = velocity_bound(c, r->p);
    CHECK(c, distance3(u, r->u) <= bound, "u - u0 - K p: %Lg", distance3(u, r->u));
    const long double energy = energy_change(c, r);
    CHECK(c, fabsl(energy - works(r)) <= bound * length3(r->p), "energy %.20Lg, works %.20Lg",
          energy, works(r));
    /* p_n may be zero to rounding where friction is infinite. */
    const long double nothing = bound * length3(r->p);
    CHECK(c, r->work_compression <= nothing && r->work_restitution >= -nothing, "works %Lg %Lg",
          r->work_compression, r->work_restitution);
}

static void check_region(const reference_contact_long *c, const reference_result_long *r) {
    const long double bound = impulse_bound(c, r->p);
    const long double a = 1 / fmaxl(1, c->friction), b = fminl(1, c->friction);
    CHECK(c, r->p[2] >= -bound, "pulls: p_n %Lg", r->p[2]);
    CHECK(c, r->u[2] >= 0, "penetrates: u_n %Lg", r->u[2]);
    CHECK(c, a * hypotl(r->p[0], r->p[1]) <= b * r->p[2] + bound,
          "beyond the cone: p_t %Lg p_n %Lg", hypotl(r->p[0], r->p[1]), r->p[2]);
}

static void check_outcome(const reference_contact_long *c, const reference_result_long *r) {
    const bool stuck = r->u[0] == 0 && r->u[1] == 0;
    const uint32_t kinds = IMPINGE_OUTCOME_SLID | IMPINGE_OUTCOME_STUCK;
    CHECK(c, (r->outcome & kinds) == (stuck ? IMPINGE_OUTCOME_STUCK : IMPINGE_OUTCOME_SLID),
          "outcome %#x", (unsigned)r->outcome);
    const bool reversed = r->u[0] * c->u[0] + r->u[1] * c->u[1] < 0;
    CHECK(c, ((r->outcome & IMPINGE_OUTCOME_SLIP_REVERSED) != 0) == reversed, "outcome %#x",
          (unsigned)r->outcome);
}

static void check_energy(const reference_contact_long *c, const reference_result_long *r,
                         bool may_gain) {
    const long double bound = velocity_bound(c, r->p) * length3(r->p);
    const bool gained = (r->outcome & IMPINGE_OUTCOME_ENERGY_GAINED) != 0;
    CHECK(c, may_gain || works(r) <= bound, "gains %Lg", works(r));
    if (works(r) > bound) CHECK(c, gained, "does not say that it gains %Lg", works(r));
    if (works(r) < -bound) CHECK(c, !gained, "says that it gains %Lg", works(r));
    CHECK(c, !gained || (r->outcome & IMPINGE_OUTCOME_OUTSIDE_REGION), "outside the region");
}

/* Returns how often it gains energy. */
static int check_law(impinge_law law) {
    uint64_t state = 100 + (uint64_t)law;
    int gained = 0;
    for (int i = 0; i < 20000; i++) {
        const reference_contact_long c = draw_for(&state, law);
        const impinge_options options = {.law = law, .limit_impulse_ratios = true};
        const reference_result_long r = resolve_with(&c, &options);
        check_sums(&c, &r);
        check_region(&c, &r);
        check_outcome(&c, &r);
        check_energy(&c, &r, law == IMPINGE_LAW_WHITTAKER);
        if (has_newton_restitution(law)) CHECK(&c, r.u[2] == -c.restitution * c.u[2], "Newton");
        gained += (r.outcome & IMPINGE_OUTCOME_ENERGY_GAINED) != 0;
    }
    return gained;
}

Test(law_reference, frictionless_is_permissible) { check_law(IMPINGE_LAW_FRICTIONLESS); }
Test(law_reference, whittaker_is_permissible_but_for_energy) {
    const int gained = check_law(IMPINGE_LAW_WHITTAKER);
    cr_log_info("Whittaker's law gains energy %d times in 20,000", gained);
    cr_expect_gt(gained, 100);
}
Test(law_reference, smith_is_permissible) { check_law(IMPINGE_LAW_SMITH); }
Test(law_reference, two_stage_is_permissible) { check_law(IMPINGE_LAW_TWO_STAGE); }
Test(law_reference, bilinear_is_permissible) { check_law(IMPINGE_LAW_BILINEAR); }
Test(law_reference, chatterjee_ruina_is_permissible) { check_law(IMPINGE_LAW_CHATTERJEE_RUINA); }
Test(law_reference, limited_brach_is_permissible) { check_law(IMPINGE_LAW_BRACH); }

/* Kane's paradox: a rod whose end sticks, so that all its energy comes back and more. */
Test(law_reference, whittaker_gains_energy) {
    const reference_contact_long c = {.k11 = 2.92L,
                                      .k13 = 1.44L,
                                      .k22 = 4,
                                      .k33 = 2.08L,
                                      .u = {-0.7L, 0, -1},
                                      .restitution = 1,
                                      .friction = 0.5L,
                                      .friction_static = 0.5L};
    const reference_result_long r = resolve_by(&c, IMPINGE_LAW_WHITTAKER);
    /* M11 = 0.52, M13 = -0.36, M33 = 0.73, and u = (0, 0, 1) after. */
    cr_expect(fabsl(r.p[0] + 0.356L) < 1e-17L && fabsl(r.p[2] - 1.208L) < 1e-17L);
    cr_expect(fabsl(works(&r) - (0.365L - 0.2404L)) < 1e-17L, "%.20Lg", works(&r));
    cr_expect_eq(r.outcome, IMPINGE_OUTCOME_STUCK | IMPINGE_OUTCOME_ENERGY_GAINED |
                                IMPINGE_OUTCOME_OUTSIDE_REGION);
    for (int law = 0; law < IMPINGE_LAW_COUNT; law++) {
        if (law == IMPINGE_LAW_WHITTAKER || law == IMPINGE_LAW_BILINEAR) continue;
        const reference_result_long other = resolve_by(&c, (impinge_law)law);
        cr_expect(works(&other) <= UNITS * ROUNDING_LONG, "law %d", law);
    }
}

/*
 * Figure 8: a pendulum strikes the floor; the hinge is a mass m at the far end of the rod (0.6, 0,
 * 0.8), K = rod rod^T / m + across across^T. Sticking bounces (0, 0, 0.3) along the rod: m (0.8 x
 * 0.3)^2 / 2 of energy, without bound as m grows. No other law gains any.
 */
Test(law_reference, whittaker_fails_at_figure_8) {
    for (int i = 0; i < 3; i++) {
        const long double masses[] = {1e2L, 1e4L, 1e6L};
        const long double m = masses[i];
        const reference_contact_long c = {.k11 = 0.36L / m + 0.64L,
                                          .k13 = 0.48L / m - 0.48L,
                                          .k22 = 1,
                                          .k33 = 0.64L / m + 0.36L,
                                          .u = {0.8L, 0, -0.6L},
                                          .restitution = 0.5L,
                                          .friction = 1,
                                          .friction_static = 1,
                                          .mix = 0.5L};
        const reference_result_long r = resolve_by(&c, IMPINGE_LAW_WHITTAKER);
        const long double gain = (0.0576L * m + 0.0324L - 1) / 2;
        /* K is given to rounding, which its condition of m magnifies in M: once in p, and in it. */
        cr_expect(fabsl(works(&r) - gain) <= UNITS * ROUNDING_LONG * m * m, "%.18Lg, not %.18Lg",
                  works(&r), gain);
        cr_expect(r.outcome & IMPINGE_OUTCOME_ENERGY_GAINED);
        for (int law = 0; law < IMPINGE_LAW_COUNT; law++) {
            if (law == IMPINGE_LAW_WHITTAKER || law == IMPINGE_LAW_BILINEAR) continue;
            const reference_result_long other = resolve_by(&c, (impinge_law)law);
            cr_expect(works(&other) <= 0, "law %d gains %Lg", law, works(&other));
        }
    }
}

/* Without friction all laws are one (Chatterjee and Ruina 1998, 4.2.5). */
Test(law_reference, agree_without_friction) {
    uint64_t state = 5;
    for (int i = 0; i < 2000; i++) {
        reference_contact_long c = draw_contact(&state);
        c.friction = c.friction_static = 0;
        c.impulse_ratio[0] = c.impulse_ratio[1] = 0;
        for (int law = 0; law < IMPINGE_LAW_COUNT; law++) {
            if (law == IMPINGE_LAW_BILINEAR) make_diagonal(&c);
            const long double p_n = -(1 + c.restitution) * c.u[2] / c.k33;
            const reference_result_long r = resolve_by(&c, (impinge_law)law);
            CHECK(&c, distance3(r.p, (const long double[3]){0, 0, p_n}) <= 8 * ROUNDING_LONG * p_n,
                  "law %d: p %Lg %Lg %Lg, not %Lg", law, r.p[0], r.p[1], r.p[2], p_n);
        }
    }
}

/* Chatterjee and Ruina's law is the bilinear one if K is diagonal (5.2); where T is isotropic, too,
 * so that the slip keeps its direction, Whittaker's is Routh's with Newton's rule (4.2.2). */
Test(law_reference, agree_for_diagonal_matrices) {
    uint64_t state = 6;
    for (int i = 0; i < 5000; i++) {
        reference_contact_long c = draw_contact(&state);
        make_diagonal(&c);
        const reference_result_long walton = resolve_by(&c, IMPINGE_LAW_BILINEAR);
        const reference_result_long fresh = resolve_by(&c, IMPINGE_LAW_CHATTERJEE_RUINA);
        const long double bound = impulse_bound(&c, walton.p);
        CHECK(&c, distance3(walton.p, fresh.p) <= bound, "bilinear errs by %Lg",
              distance3(walton.p, fresh.p));
        c.k22 = c.k11;
        c.friction_static = c.friction;
        const reference_result_long whittaker = resolve_by(&c, IMPINGE_LAW_WHITTAKER);
        const reference_result_long routh =
            resolve_with(&c, &(impinge_options){.rule = IMPINGE_RULE_NEWTON});
        CHECK(&c, distance3(whittaker.p, routh.p) <= bound, "Whittaker errs by %Lg",
              distance3(whittaker.p, routh.p));
    }
}

/* sigma P_new + (1 - sigma) P_R, with works along the straight line. */
Test(law_reference, composite_is_the_weighted_sum) {
    uint64_t state = 7;
    for (int i = 0; i < 3000; i++) {
        const reference_contact_long c = draw_contact(&state);
        const impinge_options options = {.law = IMPINGE_LAW_COMPOSITE,
                                         .rule = (impinge_restitution_rule)(i % 2)};
        const reference_result_long fresh = resolve_by(&c, IMPINGE_LAW_CHATTERJEE_RUINA);
        const reference_result_long routh =
            resolve_with(&c, &(impinge_options){.rule = options.rule});
        const reference_result_long r = resolve_with(&c, &options);
        for (int j = 0; j < 3; j++) {
            const long double p = c.mix * fresh.p[j] + (1 - c.mix) * routh.p[j];
            CHECK(&c,
                  fabsl(r.p[j] - p) <= 4 * ROUNDING_LONG * (fabsl(fresh.p[j]) + fabsl(routh.p[j])),
                  "p[%d] is %.20Lg, not %.20Lg", j, r.p[j], p);
        }
        /* Routh's p and u are as far apart as its integration leaves them. */
        const long double bound = 50 * velocity_bound(&c, r.p) * length3(r.p);
        CHECK(&c, fabsl(energy_change(&c, &r) - works(&r)) <= bound, "works");
        CHECK(&c, works(&r) <= bound && r.u[2] >= 0, "leaves the region");
        CHECK(&c, r.p[2] >= -50 * impulse_bound(&c, r.p), "pulls: p_n %Lg", r.p[2]);
        CHECK(&c, !(r.outcome & IMPINGE_OUTCOME_ENERGY_GAINED), "gains");
        check_outcome(&c, &r);
    }
}

/* f = 1 is an elastic collision, 1/2 a plastic one (Hakenberg); what f says, e need not. */
Test(law_reference, damping_fraction_is_restitution) {
    uint64_t state = 8;
    const long double fractions[] = {0.5L, 0.625L, 1};
    for (int i = 0; i < 300; i++) {
        reference_contact_long c = draw_contact(&state);
        c.damping_fraction = fractions[i % 3];
        const reference_result_long damped = resolve_by(&c, IMPINGE_LAW_FRICTIONLESS);
        reference_contact_long elastic = c;
        elastic.damping_fraction = 0;
        elastic.restitution = 1;
        const reference_result_long whole = resolve_by(&elastic, IMPINGE_LAW_FRICTIONLESS);
        CHECK(&c, damped.p[2] == c.damping_fraction * whole.p[2], "%Lg of %Lg", damped.p[2],
              whole.p[2]);
    }
}

/* ---- Brach's law (4.1) ---- */

static reference_result_long resolve_brach(const reference_contact_long *c, bool limited) {
    return resolve_with(
        c, &(impinge_options){.law = IMPINGE_LAW_BRACH, .limit_impulse_ratios = limited});
}

/* As given, ratios are kept to and judged. */
Test(law_reference, brach_is_judged) {
    uint64_t state = 9;
    int seen[4] = {0};
    for (int i = 0; i < 20000; i++) {
        const reference_contact_long c = draw_contact(&state);
        const reference_result_long r = resolve_brach(&c, false);
        const long double stiffness =
            c.k33 + c.k13 * c.impulse_ratio[0] + c.k23 * c.impulse_ratio[1];
        if (r.outcome == IMPINGE_OUTCOME_NO_SOLUTION) {
            CHECK(&c, stiffness <= ROUNDING_LONG * c.k33 * UNITS && r.p[2] == 0, "solution");
            seen[0]++;
            continue;
        }
        for (int j = 0; j < 2; j++) {
            CHECK(&c, fabsl(r.p[j] - c.impulse_ratio[j] * r.p[2]) <= 4 * ROUNDING_LONG * r.p[2],
                  "ratio");
        }
        CHECK(&c, r.u[2] == -c.restitution * c.u[2] && r.p[2] >= 0, "Newton");
        check_energy(&c, &r, true);
        const bool beyond = hypotl(c.impulse_ratio[0], c.impulse_ratio[1]) > c.friction;
        const bool gains = (r.outcome & IMPINGE_OUTCOME_ENERGY_GAINED) != 0;
        CHECK(&c, ((r.outcome & IMPINGE_OUTCOME_OUTSIDE_REGION) != 0) == (beyond || gains),
              "outcome %#x", (unsigned)r.outcome);
        seen[1] += beyond;
        seen[2] += gains;
        seen[3] += !beyond && !gains;
    }
    for (int i = 0; i < 4; i++)
        cr_expect_gt(seen[i], 100, "%d", i);
}

/* Limited, they are scaled back to the nearer bound: no further, and not if they need not be. */
Test(law_reference, brach_is_limited_to_the_nearer_bound) {
    uint64_t state = 10;
    int clipped = 0, by_energy = 0;
    for (int i = 0; i < 20000; i++) {
        reference_contact_long c = draw_contact(&state);
        if (c.restitution == 1) continue; /* then the bound is often zero: no length to test */
        const reference_result_long r = resolve_brach(&c, true);
        const reference_result_long free = resolve_brach(&c, false);
        if (!(r.outcome & IMPINGE_OUTCOME_CLIPPED)) {
            CHECK(&c, distance3(r.p, free.p) == 0, "changed, but not clipped");
            CHECK(&c, !(free.outcome & IMPINGE_OUTCOME_OUTSIDE_REGION), "not clipped");
            continue;
        }
        clipped++;
        const long double ratio = hypotl(c.impulse_ratio[0], c.impulse_ratio[1]);
        const long double length = hypotl(r.p[0], r.p[1]) / r.p[2];
        if (length == 0) continue; /* mu = 0: no friction is all there is */
        CHECK(&c, length < ratio, "not shortened: %Lg of %Lg", length, ratio);
        CHECK(&c, free.outcome & (IMPINGE_OUTCOME_OUTSIDE_REGION | IMPINGE_OUTCOME_NO_SOLUTION),
              "shortened without need");
        const bool at_cone = fabsl(length - c.friction) <= 8 * ROUNDING_LONG * length;
        const long double loss = works(&r);
        CHECK(&c, at_cone || fabsl(loss) <= velocity_bound(&c, r.p) * length3(r.p),
              "neither on the cone nor of the same energy: %Lg", loss);
        by_energy += !at_cone;
        /* A millionth further, energy grows or the cone is left. */
        for (int j = 0; j < 2; j++)
            c.impulse_ratio[j] *= (1 + 1e-6L) * length / ratio;
        CHECK(&c, resolve_brach(&c, false).outcome & IMPINGE_OUTCOME_OUTSIDE_REGION,
              "the bound is too near");
    }
    cr_expect(clipped > 2000 && by_energy > 500, "%d %d", clipped, by_energy);
}

/* A rod that would have to be pulled: K33 + k . mu = 2.08 - 2 x 1.44. */
Test(law_reference, brach_without_a_solution) {
    const reference_contact_long c = {.k11 = 2.92L,
                                      .k13 = 1.44L,
                                      .k22 = 4,
                                      .k33 = 2.08L,
                                      .u = {1, 0, -1},
                                      .restitution = 0.5L,
                                      .friction = 3,
                                      .friction_static = 3,
                                      .impulse_ratio = {-2, 0}};
    const reference_result_long r = resolve_brach(&c, false);
    cr_expect_eq(r.outcome, IMPINGE_OUTCOME_NO_SOLUTION);
    cr_expect(r.p[2] == 0 && r.u[0] == 1 && r.u[2] == -1);
    cr_expect(resolve_brach(&c, true).outcome & IMPINGE_OUTCOME_CLIPPED);
}

/* ---- Limits ---- */

static bool differs_by(const reference_contact_long *c, const long double a[3],
                       const long double b[3], long double relative) {
    return distance3(a, b) > relative * (length3(b) + length3(c->u) / matrix_size(c));
}

/* Infinite friction is the limit of large friction. */
Test(law_reference, infinite_friction_is_a_limit) {
    for (int law = IMPINGE_LAW_FRICTIONLESS; law < IMPINGE_LAW_COUNT; law++) {
        uint64_t state = 11;
        int differing = 0;
        for (int i = 0; i < 2000; i++) {
            reference_contact_long c = draw_coupled(&state);
            if (i % 2 == 0) c.u[2] *= 20;
            draw_law_coefficients(&state, &c);
            if (law == IMPINGE_LAW_BILINEAR) make_diagonal(&c);
            c.friction = c.friction_static = INFINITY;
            const reference_result_long limit = resolve_by(&c, (impinge_law)law);
            CHECK(&c, isfinite(limit.p[0]) && isfinite(limit.p[2]), "law %d", law);
            c.friction = c.friction_static = 1e15L;
            const reference_result_long r = resolve_by(&c, (impinge_law)law);
            /* The difference is 1 / mu times the condition; Routh's law, of order 1 / sqrt(mu). */
            const long double relative = law == IMPINGE_LAW_COMPOSITE ? 1e-5L : 1e-9L;
            differing += differs_by(&c, r.p, limit.p, relative);
        }
        /* If solutions are about to meet, friction of 1e15 may have fewer of them than infinite
         * friction. */
        cr_expect_leq(differing, 0, "law %d: %d of 2000", law, differing);
    }
}

/*
 * Grazing, u_n0 -> 0- (4.2.1 to 5.2): Newton's restitution gives no normal rebound, so what is left
 * is p_II where it is within the cone, and otherwise nothing; 1 + e_t times it by Chatterjee and
 * Ruina's law. Poisson's restitution of two stages adds e times the normal impulse of p_II, at zero
 * slip.
 */
static void check_grazing(const reference_contact_long *c, impinge_law law, bool within,
                          const long double p_ii[3]) {
    const reference_result_long r = resolve_by(c, law);
    const bool sticks = law == IMPINGE_LAW_WHITTAKER || law == IMPINGE_LAW_TWO_STAGE;
    const bool fresh = law == IMPINGE_LAW_CHATTERJEE_RUINA;
    const long double part = fresh ? 1 + c->tangential_restitution : sticks;
    long double limit[3] = {0};
    for (int i = 0; i < 3 && within; i++)
        limit[i] = part * p_ii[i];
    /* u_n0 is 1e-12 of the slip: what is left is of that order, times what magnifies it. */
    const long double little = 1e-5L * (1 + length3(p_ii));
    if (law == IMPINGE_LAW_TWO_STAGE) {
        limit[2] *= 1 + c->restitution;
        CHECK(c, fabsl(r.p[2] - limit[2]) <= little, "p_n %Lg, not %Lg", r.p[2], limit[2]);
        return;
    }
    CHECK(c, distance3(r.p, limit) <= little, "law %d: p %Lg %Lg %Lg, not %Lg %Lg %Lg", (int)law,
          r.p[0], r.p[1], r.p[2], limit[0], limit[1], limit[2]);
}

/* Friction that presses together a contact that slides all the time; then Chatterjee and Ruina's
 * "zero unless" of a plane does not hold in space. */
static bool slip_jams(const reference_contact_long *c) {
    const long double slip = hypotl(c->u[0], c->u[1]);
    return c->friction * (c->k13 * c->u[0] + c->k23 * c->u[1]) > 0.9999L * c->k33 * slip;
}

/* How far within (positive) or outside the cone p_II is, relative to its size. */
static long double margin_of(const reference_contact_long *c, const long double p_ii[3]) {
    return (c->friction * p_ii[2] - hypotl(p_ii[0], p_ii[1])) / length3(p_ii);
}

Test(law_reference, grazing) {
    uint64_t state = 12;
    int jams = 0, slides = 0;
    for (int i = 0; i < 5000; i++) {
        reference_contact_long c = draw_coupled(&state);
        draw_law_coefficients(&state, &c);
        c.u[2] = -1e-12L * hypotl(c.u[0], c.u[1]);
        long double p_ii[3];
        apply_inverse(&c, c.u, p_ii);
        for (int j = 0; j < 3; j++)
            p_ii[j] = -p_ii[j];
        const long double margin = margin_of(&c, p_ii);
        if (fabsl(margin) < 1e-3L) continue;
        const bool within = margin > 0;
        check_grazing(&c, IMPINGE_LAW_FRICTIONLESS, within, p_ii);
        check_grazing(&c, IMPINGE_LAW_CHATTERJEE_RUINA, within, p_ii);
        if (within || !slip_jams(&c)) {
            check_grazing(&c, IMPINGE_LAW_WHITTAKER, within, p_ii);
            check_grazing(&c, IMPINGE_LAW_TWO_STAGE, within, p_ii);
        }
        if (!slip_jams(&c)) check_grazing(&c, IMPINGE_LAW_SMITH, within, p_ii);
        /* Smith's, where friction presses: one impulse, whatever e is. */
        if (slip_jams(&c) && within) {
            const reference_result_long one = resolve_by(&c, IMPINGE_LAW_SMITH);
            c.restitution = 1;
            const reference_result_long other = resolve_by(&c, IMPINGE_LAW_SMITH);
            CHECK(&c, length3(one.p) > 1e-4L * length3(p_ii), "Smith's impulse vanishes");
            CHECK(&c, distance3(one.p, other.p) <= 1e-5L * length3(one.p), "it depends on e");
        }
        jams += within;
        slides += !within;
        make_diagonal(&c);
        check_grazing(&c, IMPINGE_LAW_BILINEAR, false, p_ii);
    }
    cr_expect(jams > 100 && slides > 1000, "%d %d", jams, slides);
}

/* A rod that grazes and jams: p_II = (-0.52, 0, 0.36), within the cone if mu > 13/9. */
static reference_contact_long grazing_rod(long double friction) {
    return (reference_contact_long){.k11 = 2.92L,
                                    .k13 = 1.44L,
                                    .k22 = 4,
                                    .k33 = 2.08L,
                                    .u = {1, 0, 0},
                                    .restitution = 0.5L,
                                    .friction = friction,
                                    .friction_static = friction,
                                    .tangential_restitution = 0.25L,
                                    .mix = 0.5L};
}

static reference_result_long resolve_jam(const reference_contact_long *c, impinge_law law) {
    return resolve_with(c, &(impinge_options){.law = law, .resolve_jams = true});
}

Test(law_reference, jams) {
    const reference_contact_long c = grazing_rod(2), loose = grazing_rod(1.4L);
    const bool collides[IMPINGE_LAW_COUNT] = {true,  false, true,  true, true,
                                              false, true,  false, true};
    for (int law = 0; law < IMPINGE_LAW_COUNT; law++) {
        if (law == IMPINGE_LAW_BILINEAR) continue; /* not diagonal */
        const reference_result_long r = resolve_jam(&c, (impinge_law)law);
        cr_expect_eq((r.outcome & IMPINGE_OUTCOME_JAMMED) != 0, collides[law], "law %d", law);
        cr_expect_eq(r.outcome == IMPINGE_OUTCOME_SEPARATING, !collides[law], "law %d", law);
        cr_expect_eq(resolve_by(&c, (impinge_law)law).outcome, IMPINGE_OUTCOME_SEPARATING);
        cr_expect_eq(resolve_jam(&loose, (impinge_law)law).outcome, IMPINGE_OUTCOME_SEPARATING);
    }
    const long double p_ii[3] = {-0.52L, 0, 0.36L};
    const long double bound = impulse_bound(&c, p_ii);
    const reference_result_long whittaker = resolve_jam(&c, IMPINGE_LAW_WHITTAKER);
    cr_expect(distance3(whittaker.p, p_ii) <= bound && whittaker.u[2] == 0);
    cr_expect_eq(whittaker.outcome, IMPINGE_OUTCOME_JAMMED | IMPINGE_OUTCOME_STUCK);
    const reference_result_long fresh = resolve_jam(&c, IMPINGE_LAW_CHATTERJEE_RUINA);
    cr_expect(fabsl(fresh.p[0] + 1.25L * 0.52L) <= bound && fresh.u[2] == 0);
    /* Poisson's expansion: half of 0.36, from zero slip, where w = 1.44 / 2.92 holds it. */
    const reference_result_long staged = resolve_jam(&c, IMPINGE_LAW_TWO_STAGE);
    cr_expect(fabsl(staged.p[2] - 0.54L) <= bound && staged.u[0] == 0 && staged.u[2] > 0);
    cr_expect(fabsl(staged.p[0] + 0.52L + 0.18L * 1.44L / 2.92L) <= bound);
    /* In the plane eq. (8) is 0.36 / 0.52 of it and more: y = 1 / (S (1 - rho)) and so on. */
    const reference_result_long smith = resolve_jam(&c, IMPINGE_LAW_SMITH);
    check_smith(&c, &smith);
    cr_expect(smith.p[2] > 0.36L && smith.u[0] < 0, "p_n %Lg", smith.p[2]);
}

/* ---- Precision and units ---- */

/*
 * In double, an answer errs by rounding of what it adds up, and by what rounding of the input would
 * do to it. The longest law, Brach's with its bound of energy, takes some thirty operations in a
 * row, of half a unit each. The trials find more than half of the worst.
 */
static void compare_precisions(impinge_law law) {
    uint64_t state = 200 + (uint64_t)law;
    int discontinuous = 0;
    long double worst = 0;
    for (int i = 0; i < 1500; i++) {
        const reference_contact_long drawn = draw_for(&state, law);
        const reference_contact_double narrow = narrowed(&drawn);
        reference_contact_long c = reference_contact_widened(&narrow);
        c.unit = DBL_EPSILON / 2;
        const impinge_options options = {.law = law, .limit_impulse_ratios = i % 2 == 0};
        const reference_result_long exact = resolve_with(&c, &options);
        reference_result_double r;
        CHECK(&c, reference_resolve_double(&narrow, &options, &r), "did not end");
        const perturbation by = rounding_of(&c, 16 * DBL_EPSILON);
        const sensitivity s = law_sensitivity_of(&c, &options, &by, &exact);
        const long double u[3] = {r.u[0], r.u[1], r.u[2]};
        const long double bound = UNITS * DBL_EPSILON * speed_scale(&c, exact.p) + 2 * s.u;
        const long double error = distance3(u, exact.u);
        CHECK(&c, error <= bound, "law %d: error %Lg, allowed %Lg", (int)law, error, bound);
        worst = fmaxl(worst, error / bound);
        if (r.outcome != exact.outcome) {
            CHECK(&c, s.outcome_changes || error <= bound, "outcomes %#x %#x", (unsigned)r.outcome,
                  (unsigned)exact.outcome);
            discontinuous++;
        }
    }
    cr_log_info("law %d: largest error %.2Lg of its bound, outcomes differ %d times", (int)law,
                worst, discontinuous);
    /* Only at thresholds: an energy that neither grows nor falls, a ratio on its bound. */
    cr_expect_leq(discontinuous, 60, "law %d: outcomes differ %d times", (int)law, discontinuous);
}

Test(law_reference, precisions_agree) {
    for (int law = IMPINGE_LAW_FRICTIONLESS; law < IMPINGE_LAW_COUNT; law++)
        if (law != IMPINGE_LAW_COMPOSITE) compare_precisions((impinge_law)law);
}

/* Units of mass and speed change nothing but the size; powers of two not even the bits. */
Test(law_reference, scales_exactly) {
    uint64_t state = 13;
    for (int i = 0; i < 2000; i++) {
        const impinge_law law = (impinge_law)(1 + i % (IMPINGE_LAW_COUNT - 1));
        if (law == IMPINGE_LAW_COMPOSITE) continue; /* half of it is Routh's, which takes steps */
        const reference_contact_long wide = draw_for(&state, law);
        const reference_contact_double c = narrowed(&wide);
        reference_contact_double scaled = c;
        double *const k[6] = {&scaled.k11, &scaled.k12, &scaled.k13,
                              &scaled.k22, &scaled.k23, &scaled.k33};
        for (int j = 0; j < 6; j++)
            *k[j] *= 0x1p200;
        for (int j = 0; j < 3; j++)
            scaled.u[j] *= 0x1p-600;
        const impinge_options options = {.law = law};
        reference_result_double r, r_scaled;
        cr_assert(reference_resolve_double(&c, &options, &r));
        cr_assert(reference_resolve_double(&scaled, &options, &r_scaled));
        CHECK(&wide, r.outcome == r_scaled.outcome, "law %d: outcomes", (int)law);
        for (int j = 0; j < 3; j++) {
            CHECK(&wide, r_scaled.p[j] == r.p[j] * 0x1p-800 && r_scaled.u[j] == r.u[j] * 0x1p-600,
                  "law %d, component %d: %.17g %.17g", (int)law, j, r_scaled.p[j], r.p[j]);
        }
    }
}

/* Routh's law by options is Routh's law. */
Test(law_reference, routh_by_options) {
    uint64_t state = 14;
    for (int i = 0; i < 300; i++) {
        const reference_contact_long c = draw_contact(&state);
        const impinge_options options = {.rule = (impinge_restitution_rule)(i % 3)};
        const reference_result_long r = resolve_with(&c, &options);
        reference_result_long same;
        cr_assert(reference_resolve_routh_long(&c, options.rule, false, &same));
        const uint32_t judged = IMPINGE_OUTCOME_ENERGY_GAINED | IMPINGE_OUTCOME_OUTSIDE_REGION;
        CHECK(&c, distance3(r.p, same.p) == 0 && (r.outcome & ~judged) == same.outcome, "differs");
        CHECK(&c, !(r.outcome & judged) || options.rule == IMPINGE_RULE_NEWTON, "gains");
    }
    const reference_contact_long c = draw_contact(&state);
    reference_result_long r, same;
    cr_assert(reference_resolve_long(&c, NULL, &r));
    cr_assert(reference_resolve_routh_long(&c, IMPINGE_RULE_STRONGE, false, &same));
    cr_expect_eq(distance3(r.p, same.p), 0);
}

/* ---- Words for what is wrong ---- */

static uint32_t outcome_of(const reference_contact_long *c, const impinge_options *options) {
    const reference_result_long r = resolve_with(c, options);
    cr_assert(r.p[0] == 0 && r.p[1] == 0 && r.p[2] == 0 && works(&r) == 0);
    return r.outcome;
}

#define SPHERE                                                                                     \
    (reference_contact_long) {                                                                     \
        .k11 = 3.5L, .k22 = 3.5L, .k33 = 1, .u = {0.7L, 0, -1}, .restitution = 0.5L,               \
        .friction = 0.2L, .friction_static = 0.2L                                                  \
    }

/* Input that is wrong for every law. */
static void check_reasons(impinge_law law) {
    const impinge_options options = {.law = law};
    const uint32_t invalid = IMPINGE_OUTCOME_INVALID;
    reference_contact_long c = SPHERE;
    c.k33 = -1;
    cr_expect_eq(outcome_of(&c, &options), invalid | IMPINGE_OUTCOME_INVALID_MATRIX);
    c = SPHERE, c.u[1] = NAN;
    cr_expect_eq(outcome_of(&c, &options), invalid | IMPINGE_OUTCOME_INVALID_VELOCITY);
    c = SPHERE, c.restitution = 1.5L;
    cr_expect_eq(outcome_of(&c, &options), invalid | IMPINGE_OUTCOME_INVALID_RESTITUTION);
    c = SPHERE, c.restitution = -0.5L;
    cr_expect_eq(outcome_of(&c, &options), invalid | IMPINGE_OUTCOME_INVALID_RESTITUTION);
    c = SPHERE, c.u[2] = -0.0L;
    cr_expect_eq(outcome_of(&c, &options), IMPINGE_OUTCOME_SEPARATING);
    c = SPHERE, c.k11 = c.k22 = c.k33 = 0;
    cr_expect_eq(outcome_of(&c, &options), IMPINGE_OUTCOME_IMMOVABLE);
    c = SPHERE, c.k11 = c.k22 = c.k33 = LDBL_MIN, c.u[0] = 0, c.u[2] = -LDBL_MAX;
    cr_expect_eq(outcome_of(&c, &options), IMPINGE_OUTCOME_OUT_OF_RANGE);
}

/* Friction and static friction are looked at by the laws that have them, and by no other. */
static void check_frictions(impinge_law law) {
    const bool has_static = law == IMPINGE_LAW_ROUTH || law == IMPINGE_LAW_COMPOSITE;
    reference_contact_long c = SPHERE;
    c.friction = NAN;
    cr_expect_eq((resolve_by(&c, law).outcome & IMPINGE_OUTCOME_INVALID_FRICTION) != 0,
                 law != IMPINGE_LAW_FRICTIONLESS, "law %d", (int)law);
    c = SPHERE, c.friction_static = 0.1L;
    cr_expect_eq((resolve_by(&c, law).outcome & IMPINGE_OUTCOME_INVALID_FRICTION) != 0, has_static,
                 "law %d", (int)law);
}

/* A coefficient is looked at by the laws that have it, and by no other. */
static void check_coefficient(impinge_law law, const reference_contact_long *wrong, bool has) {
    const reference_result_long r = resolve_by(wrong, law);
    const uint32_t reasons = IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_INVALID_COEFFICIENT;
    cr_expect_eq(r.outcome == reasons, has, "law %d: outcome %#x", (int)law, (unsigned)r.outcome);
    cr_expect_eq((r.outcome & IMPINGE_OUTCOME_INVALID) != 0, has, "law %d", (int)law);
}

Test(law_reference, names_what_is_wrong) {
    for (int i = 0; i < IMPINGE_LAW_COUNT; i++) {
        const impinge_law law = (impinge_law)i;
        const bool mixes = law == IMPINGE_LAW_COMPOSITE;
        const bool rebounds =
            mixes || law == IMPINGE_LAW_BILINEAR || law == IMPINGE_LAW_CHATTERJEE_RUINA;
        check_reasons(law);
        check_frictions(law);
        reference_contact_long c = SPHERE;
        c.tangential_restitution = 1.5L;
        check_coefficient(law, &c, rebounds);
        c = SPHERE, c.tangential_restitution = NAN;
        check_coefficient(law, &c, rebounds);
        c = SPHERE, c.mix = -0.1L;
        check_coefficient(law, &c, mixes);
        c = SPHERE, c.impulse_ratio[1] = INFINITY;
        check_coefficient(law, &c, law == IMPINGE_LAW_BRACH);
        c = SPHERE, c.damping_fraction = 0.25L;
        check_coefficient(law, &c, law == IMPINGE_LAW_FRICTIONLESS);
        c = SPHERE, c.damping_fraction = NAN;
        check_coefficient(law, &c, law == IMPINGE_LAW_FRICTIONLESS);
    }
    const reference_contact_long c = SPHERE;
    reference_result_long r;
    cr_expect_not(reference_resolve_long(&c, &(impinge_options){.law = IMPINGE_LAW_COUNT}, &r));
    const impinge_options no_rule = {.rule = (impinge_restitution_rule)(IMPINGE_RULE_NEWTON + 1)};
    cr_expect_not(reference_resolve_long(&c, &no_rule, &r));
}

/* 64 units of the precision that K came in. */
Test(law_reference, nearly_diagonal) {
    reference_contact_long c = SPHERE;
    const impinge_options options = {.law = IMPINGE_LAW_BILINEAR};
    c.unit = FLT_EPSILON / 2;
    c.k12 = 0.9999L * 64 * c.unit * 3.5L;
    const reference_result_long r = resolve_with(&c, &options);
    cr_expect(r.outcome == (IMPINGE_OUTCOME_SLID | IMPINGE_OUTCOME_STUCK) ||
                  r.outcome == IMPINGE_OUTCOME_STUCK,
              "outcome %#x", (unsigned)r.outcome);
    cr_expect(r.p[1] == 0, "off-diagonal elements are none");
    c.k12 *= 1.0002L;
    cr_expect_eq(outcome_of(&c, &options), IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_NOT_DIAGONAL);
    /* It is relative to sqrt(K_11 K_33), not to the largest element. */
    c.k12 = 0;
    c.k13 = 64 * c.unit * 3.5L;
    cr_expect_eq(outcome_of(&c, &options), IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_NOT_DIAGONAL);
    c.k13 = 0;
    c.unit = 0;
    c.k12 = ROUNDING_LONG * 3.5L;
    cr_expect_eq(resolve_with(&c, &options).outcome, IMPINGE_OUTCOME_STUCK);
}

/* e > 1 on request only, and judged; at grazing incidence friction may pay for it (3.5). */
Test(law_reference, restitution_above_one) {
    for (int i = 0; i < IMPINGE_LAW_COUNT; i++) {
        const impinge_options options = {.law = (impinge_law)i, .restitution_above_one = true};
        const uint32_t judged = IMPINGE_OUTCOME_ENERGY_GAINED | IMPINGE_OUTCOME_OUTSIDE_REGION;
        reference_contact_long c = SPHERE;
        c.restitution = 1.5L;
        c.tangential_restitution = -1;
        const reference_result_long r = resolve_with(&c, &options);
        cr_expect_eq(r.outcome & judged, judged, "law %d: %#x", i, (unsigned)r.outcome);
        cr_expect(works(&r) > 0);
        c.restitution = INFINITY;
        cr_expect_eq(outcome_of(&c, &options),
                     IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_INVALID_RESTITUTION);
    }
    /* Brach's: energy is gained already without friction, so that no ratio is within its bound. */
    reference_contact_long elastic = SPHERE;
    elastic.restitution = 1.5L;
    elastic.impulse_ratio[0] = -0.1L;
    const reference_result_long bounded =
        resolve_with(&elastic, &(impinge_options){.law = IMPINGE_LAW_BRACH,
                                                  .restitution_above_one = true,
                                                  .limit_impulse_ratios = true});
    cr_expect(bounded.p[0] == 0 && (bounded.outcome & IMPINGE_OUTCOME_CLIPPED));
    reference_contact_long c = SPHERE;
    c.restitution = 1.5L;
    c.u[0] = 7;
    const reference_result_long r = resolve_with(
        &c, &(impinge_options){.law = IMPINGE_LAW_WHITTAKER, .restitution_above_one = true});
    cr_expect(!(r.outcome & IMPINGE_OUTCOME_ENERGY_GAINED) && works(&r) < 0);
}
