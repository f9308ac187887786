/* Promises of the law for every contact, checked from inputs and outputs alone. */
#include <criterion/criterion.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../tools/support/random.h"
#include "batches.h"
#include "conditioning.h"
#include "random_contacts.h"
#include "reference.h"
#include "targets.h"

/*
 * Units of rounding: what some 13 steps (slow contacts: 50) add to a velocity, relative to the
 * largest number added up on the way, S = |u0| + |K| |p|.
 */
#define UNITS 32

/* A sensitivity is the worst of some samples, not of all. */
#define SAMPLED 2

/* Contacts of each kind. */
#define EACH 200

static const impinge_restitution_rule rules[3] = {IMPINGE_RULE_STRONGE, IMPINGE_RULE_POISSON,
                                                  IMPINGE_RULE_NEWTON};

static long double square(long double x) { return x * x; }

/* A symmetric matrix as xx, xy, xz, yy, yz, zz. */
static void apply6(const long double t[6], const long double v[3], long double product[3]) {
    product[0] = t[0] * v[0] + t[1] * v[1] + t[2] * v[2];
    product[1] = t[1] * v[0] + t[3] * v[1] + t[4] * v[2];
    product[2] = t[2] * v[0] + t[4] * v[1] + t[5] * v[2];
}

static long double norm6(const long double t[6]) {
    return sqrtl(square(t[0]) + square(t[3]) + square(t[5]) +
                 2 * (square(t[1]) + square(t[2]) + square(t[4])));
}

/* A rotation of the tangent frame by an angle, of K and of u0. */
static reference_contact_long turned(const reference_contact_long *c, long double angle) {
    const long double p = cosl(angle), q = sinl(angle);
    reference_contact_long d = *c;
    d.k11 = p * p * c->k11 + 2 * p * q * c->k12 + q * q * c->k22;
    d.k22 = q * q * c->k11 - 2 * p * q * c->k12 + p * p * c->k22;
    d.k12 = p * q * (c->k22 - c->k11) + (p * p - q * q) * c->k12;
    d.k13 = p * c->k13 + q * c->k23;
    d.k23 = p * c->k23 - q * c->k13;
    d.u[0] = p * c->u[0] + q * c->u[1];
    d.u[1] = p * c->u[1] - q * c->u[0];
    return d;
}

static void row_of_contact(const reference_contact_long *c, double row[CONTACT_INPUTS]) {
    const double values[CONTACT_INPUTS] = {
        (double)c->k11,  (double)c->k12,         (double)c->k13,      (double)c->k22,
        (double)c->k23,  (double)c->k33,         (double)c->u[0],     (double)c->u[1],
        (double)c->u[2], (double)c->restitution, (double)c->friction, (double)c->friction_static};
    memcpy(row, values, sizeof values);
}

/* The results of one contact, in long double. */
typedef struct outputs {
    reference_contact_long c;
    impinge_restitution_rule rule;
    long double p[3], u[3], work_c, work_d, work_f;
    uint32_t outcome;
    const char *target, *precision;
} outputs;

#define CHECK(o, condition, ...)                                                                   \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            log_contact(&(o)->c, (o)->rule);                                                       \
            cr_log_error("%s %s: p %La %La %La u %La %La %La works %La %La %La outcome %#x",       \
                         (o)->target, (o)->precision, (o)->p[0], (o)->p[1], (o)->p[2], (o)->u[0],  \
                         (o)->u[1], (o)->u[2], (o)->work_c, (o)->work_d, (o)->work_f,              \
                         (unsigned)(o)->outcome);                                                  \
            cr_assert(false, __VA_ARGS__);                                                         \
        }                                                                                          \
    } while (0)

/* K^-1 v . v / 2: what an impulse can change of the kinetic energy. */
static long double energy(const reference_contact_long *c, const long double v[3]) {
    long double momentum[3];
    apply_inverse(c, v, momentum);
    return dot3(momentum, v) / 2;
}

/*
 * `du` bounds the error of a velocity (see bound_of). Then u' - u0 - K p errs by twice that: u' as
 * computed and K times the p that was computed.
 */
static void check_velocity(const outputs *o, long double du) {
    long double expected[3];
    velocity_after(&o->c, o->p, expected);
    CHECK(o, distance3(o->u, expected) <= 2 * du, "u - u0 - K p is %.3Lg, allowed %.3Lg",
          distance3(o->u, expected), 2 * du);
}

/*
 * E errs by |K^-1 u'| du <= |K^-1| S du; each of the three works, integrals of u . dp, by
 * |p| du + S dp with dp <= |K^-1| du and |p| <= |K^-1| 2 S: so by 3 |K^-1| S du.
 */
static long double work_bound(const outputs *o, long double du) {
    return 3 * inverse_norm(&o->c) * speed_scale(&o->c, o->p) * du;
}

static void check_energy(const outputs *o, long double du) {
    const long double gained = energy(&o->c, o->u) - energy(&o->c, o->c.u);
    const long double work = o->work_c + o->work_d + o->work_f;
    const long double bound = 4 * work_bound(o, du);
    CHECK(o, fabsl(gained - work) <= bound, "E' - E is %.9Lg, the works %.9Lg (allowed %.3Lg)",
          gained, work, bound);
    CHECK(o, o->work_c <= 0 && o->work_d >= 0 && o->work_f <= 0, "a work has the wrong sign");
    if (o->rule != IMPINGE_RULE_STRONGE) return;
    const long double excess = o->work_d + square(o->c.restitution) * o->work_c;
    CHECK(o, fabsl(excess) <= 2 * work_bound(o, du), "W_d + e^2 W_c is %.3Lg, allowed %.3Lg",
          excess, 2 * work_bound(o, du));
    CHECK(o, gained <= bound, "energy was gained: %.3Lg", gained);
}

/* The bound unless friction is infinite: p errs by |K^-1| du, and by mu times the error of p_n. */
static void check_cone(const outputs *o, long double du) {
    CHECK(o, o->p[2] >= 0, "p_n is negative");
    CHECK(o, o->u[2] >= 0, "still approaching");
    const bool stuck = (o->outcome & IMPINGE_OUTCOME_STUCK) != 0;
    const long double friction = stuck ? o->c.friction_static : o->c.friction;
    if (isinf(friction)) return;
    const long double bound = (1 + friction) * inverse_norm(&o->c) * du;
    const long double excess = hypotl(o->p[0], o->p[1]) - friction * o->p[2];
    CHECK(o, excess <= bound, "%.3Lg out of the friction cone, allowed %.3Lg", excess, bound);
}

/* The slip after is zero if it stuck, and never negative zero of anything when untouched. */
static void check_outcome(const outputs *o) {
    const uint32_t moved = IMPINGE_OUTCOME_GOT_IMPULSE;
    CHECK(o, (o->outcome & moved) != 0, "no impulse");
    CHECK(o, (o->outcome & IMPINGE_OUTCOME_INVALID) == 0, "invalid");
    if (o->outcome & IMPINGE_OUTCOME_STUCK) {
        CHECK(o, o->u[0] == 0 && o->u[1] == 0, "stuck, but slips");
    }
    const bool reversed = o->u[0] * o->c.u[0] + o->u[1] * o->c.u[1] < 0;
    /* The sign is that of a sum of two products, which rounding may turn if they all but cancel. */
    const long double size = hypotl(o->u[0], o->u[1]) * hypotl(o->c.u[0], o->c.u[1]);
    const bool is_clear = fabsl(o->u[0] * o->c.u[0] + o->u[1] * o->c.u[1]) > 1e-3L * size;
    if (is_clear && size > 0) {
        CHECK(o, ((o->outcome & IMPINGE_OUTCOME_SLIP_REVERSED) != 0) == reversed, "slip reversed");
    }
}

/* The error of the answer for errors of the input of this many units. */
static sensitivity sensitivity_to(const reference_contact_long *c, impinge_restitution_rule rule,
                                  const perturbation *by) {
    reference_result_long r;
    cr_assert(reference_resolve_routh_long(c, rule, false, &r));
    return sensitivity_of(c, rule, false, by, &r);
}

/* ---- Body pairs ---- */

/* A pair, before or after, wide. */
typedef struct pair {
    reference_body_long a, b;
    long double normal[3];
    reference_contact_long c; /* of the reference: K, u0 and the coefficients */
    reference_frame_long frame;
} pair;

static reference_body_long body_of_row(const double *row) {
    reference_body_long body = {.inverse_mass = row[BODY_INVERSE_MASS]};
    for (int i = 0; i < 6; i++)
        body.inverse_inertia[i] = row[BODY_INVERSE_INERTIA + i];
    for (int i = 0; i < 3; i++) {
        body.arm[i] = row[BODY_ARM + i];
        body.velocity[i] = row[BODY_VELOCITY + i];
        body.angular_velocity[i] = row[BODY_ANGULAR_VELOCITY + i];
    }
    return body;
}

static pair pair_of_row(const double row[PAIR_INPUTS]) {
    pair p = {.a = body_of_row(row + IN_BODY_A), .b = body_of_row(row + IN_BODY_B)};
    for (int i = 0; i < 3; i++)
        p.normal[i] = row[IN_NORMAL + i];
    p.c.restitution = row[IN_PAIR_RESTITUTION];
    p.c.friction = row[IN_PAIR_FRICTION];
    p.c.friction_static = row[IN_PAIR_FRICTION_STATIC];
    cr_assert_eq(reference_contact_from_bodies_long(&p.a, &p.b, p.normal, &p.frame, &p.c), 0);
    return p;
}

/* The speed of the contact point: |v| + |omega| |r|, which is what is rounded. */
static long double body_speed(const reference_body_long *b) {
    return length3(b->velocity) + length3(b->angular_velocity) * length3(b->arm);
}

/* How much faster an impulse of 1 makes the body's centre, and how it turns. */
static long double spin_rate(const reference_body_long *b) {
    return norm6(b->inverse_inertia) * length3(b->arm);
}

/* The inverse of a positive definite 3x3 matrix, by its adjugate. */
static void inverse6(const long double t[6], long double inverse[6]) {
    inverse[0] = t[3] * t[5] - t[4] * t[4];
    inverse[1] = t[2] * t[4] - t[1] * t[5];
    inverse[2] = t[1] * t[4] - t[2] * t[3];
    inverse[3] = t[0] * t[5] - t[2] * t[2];
    inverse[4] = t[1] * t[2] - t[0] * t[4];
    inverse[5] = t[0] * t[3] - t[1] * t[1];
    const long double determinant = t[0] * inverse[0] + t[1] * inverse[1] + t[2] * inverse[2];
    for (int i = 0; i < 6; i++)
        inverse[i] /= determinant;
}

/* ---- The energy of bodies ---- */

/* Pairs a law; of them some ten gain energy that only their bodies show. */
#define STRETCHED 20000

/* The change of two bodies' energy, what it may be above 0, and the rounding of both. */
typedef struct gain {
    long double gained, granted, rounded;
} gain;

static double decades(uint64_t *state, double most) {
    return pow(10, random_between(state, -most, most));
}

/* Masses and inertias over six decades, arms over three. */
static void stretch_pair(uint64_t *state, double row[PAIR_INPUTS]) {
    for (int side = 0; side < 2; side++) {
        double *const body = row + (side == 0 ? IN_BODY_A : IN_BODY_B);
        const double mass = decades(state, 3), turning = mass * decades(state, 3);
        const double reach = decades(state, 1.5);
        memset(body, 0, BODY_ARM * sizeof *body);
        body[BODY_INVERSE_MASS] = mass;
        body[BODY_INVERSE_INERTIA] = turning * decades(state, 1.5);
        body[BODY_INVERSE_INERTIA + 3] = turning * decades(state, 1.5);
        body[BODY_INVERSE_INERTIA + 5] = turning;
        for (int i = 0; i < 3; i++) {
            body[BODY_ARM + i] = random_between(state, -1, 1) * reach;
            body[BODY_VELOCITY + i] = random_between(state, -1, 1);
            body[BODY_ANGULAR_VELOCITY + i] = random_between(state, -1, 1);
        }
    }
    if (random_below(state, 3) == 0) row[IN_PAIR_RESTITUTION] = 1;
}

#define REAL       float
#define EPSILON    ((long double)FLT_EPSILON)
#define TOLERANCE  1e-6L
#define REAL_MAX   ((long double)FLT_MAX)
#define REAL_LEAST ((long double)FLT_MIN)
#define EXPONENTS  60  /* of K and u0, so that p and the works leave the range now and then */
#define FAR        140 /* so that all do */
#define OUT_OF_WORKS                                                                               \
    65 /* of velocities, so that works are out of range, and velocities are not                    \
        */
#define NAME(name) name##_f32
#define PRECISION  "f32"
#include "test_invariants_real.inc"
#undef PRECISION
#undef NAME
#undef OUT_OF_WORKS
#undef FAR
#undef EXPONENTS
#undef REAL_LEAST
#undef REAL_MAX
#undef TOLERANCE
#undef EPSILON
#undef REAL

#define REAL         double
#define EPSILON      ((long double)DBL_EPSILON)
#define TOLERANCE    1e-12L
#define REAL_MAX     ((long double)DBL_MAX)
#define REAL_LEAST   ((long double)DBL_MIN)
#define EXPONENTS    500
#define FAR          1060
#define OUT_OF_WORKS 520
#define NAME(name)   name##_f64
#define PRECISION    "f64"
#include "test_invariants_real.inc"

#define FOR_BOTH(name)                                                                             \
    Test(invariants, name##_f32) { for_each_target(name##_f32, NULL); }                            \
    Test(invariants, name##_f64) { for_each_target(name##_f64, NULL); }

FOR_BOTH(sums_and_signs)
FOR_BOTH(scaling)
FOR_BOTH(scaling_beyond_the_range)
FOR_BOTH(rotation_about_the_normal)
FOR_BOTH(pairs_agree_with_contact_space)
FOR_BOTH(pairs_keep_momentum)
FOR_BOTH(exchange_of_bodies)
FOR_BOTH(galilean_shift)
FOR_BOTH(scaling_of_pairs)
FOR_BOTH(bodies_gain_or_say_so)
