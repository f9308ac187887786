#include "conditioning.h"

#include <criterion/criterion.h>

#include <math.h>

#include "random_contacts.h"

/* Twelve numbers move at once, each up or down: 24 draws find more than half of the worst. */
#define TRIALS 24

long double length3(const long double v[3]) { return hypotl(hypotl(v[0], v[1]), v[2]); }

long double distance3(const long double a[3], const long double b[3]) {
    const long double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return length3(d);
}

long double dot3(const long double a[3], const long double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void cross3(const long double a[3], const long double b[3], long double product[3]) {
    product[0] = a[1] * b[2] - a[2] * b[1];
    product[1] = a[2] * b[0] - a[0] * b[2];
    product[2] = a[0] * b[1] - a[1] * b[0];
}

static void apply_matrix(const reference_contact_long *c, const long double v[3],
                         long double product[3]) {
    product[0] = c->k11 * v[0] + c->k12 * v[1] + c->k13 * v[2];
    product[1] = c->k12 * v[0] + c->k22 * v[1] + c->k23 * v[2];
    product[2] = c->k13 * v[0] + c->k23 * v[1] + c->k33 * v[2];
}

void velocity_after(const reference_contact_long *c, const long double p[3], long double u[3]) {
    apply_matrix(c, p, u);
    for (int i = 0; i < 3; i++)
        u[i] += c->u[i];
}

static long double matrix_norm(const reference_contact_long *c) {
    const long double diagonal = c->k11 * c->k11 + c->k22 * c->k22 + c->k33 * c->k33;
    const long double rest = c->k12 * c->k12 + c->k13 * c->k13 + c->k23 * c->k23;
    return sqrtl(diagonal + 2 * rest);
}

long double speed_scale(const reference_contact_long *c, const long double p[3]) {
    return length3(c->u) + matrix_norm(c) * length3(p);
}

/* By its adjugate. */
static reference_contact_long inverse_of(const reference_contact_long *c) {
    reference_contact_long m = {0};
    m.k11 = c->k22 * c->k33 - c->k23 * c->k23;
    m.k12 = c->k13 * c->k23 - c->k12 * c->k33;
    m.k13 = c->k12 * c->k23 - c->k13 * c->k22;
    m.k22 = c->k11 * c->k33 - c->k13 * c->k13;
    m.k23 = c->k12 * c->k13 - c->k11 * c->k23;
    m.k33 = c->k11 * c->k22 - c->k12 * c->k12;
    const long double determinant = c->k11 * m.k11 + c->k12 * m.k12 + c->k13 * m.k13;
    m.k11 /= determinant;
    m.k12 /= determinant;
    m.k13 /= determinant;
    m.k22 /= determinant;
    m.k23 /= determinant;
    m.k33 /= determinant;
    return m;
}

void apply_inverse(const reference_contact_long *c, const long double v[3],
                   long double product[3]) {
    const reference_contact_long inverse = inverse_of(c);
    apply_matrix(&inverse, v, product);
}

long double inverse_norm(const reference_contact_long *c) {
    const reference_contact_long inverse = inverse_of(c);
    return matrix_norm(&inverse);
}

reference_contact_long contact_of_row(const double *row) {
    return (reference_contact_long){.k11 = row[IN_K11],
                                    .k12 = row[IN_K12],
                                    .k13 = row[IN_K13],
                                    .k22 = row[IN_K22],
                                    .k23 = row[IN_K23],
                                    .k33 = row[IN_K33],
                                    .u = {row[IN_U1], row[IN_U2], row[IN_U3]},
                                    .restitution = row[IN_RESTITUTION],
                                    .friction = row[IN_FRICTION],
                                    .friction_static = row[IN_FRICTION_STATIC]};
}

reference_contact_double narrowed(const reference_contact_long *c) {
    return (reference_contact_double){
        .k11 = (double)c->k11,
        .k12 = (double)c->k12,
        .k13 = (double)c->k13,
        .k22 = (double)c->k22,
        .k23 = (double)c->k23,
        .k33 = (double)c->k33,
        .u = {(double)c->u[0], (double)c->u[1], (double)c->u[2]},
        .restitution = (double)c->restitution,
        .friction = (double)c->friction,
        .friction_static = (double)c->friction_static,
        .tangential_restitution = (double)c->tangential_restitution,
        .mix = (double)c->mix,
        .impulse_ratio = {(double)c->impulse_ratio[0], (double)c->impulse_ratio[1]},
        .damping_fraction = (double)c->damping_fraction};
}

void log_contact(const reference_contact_long *c, impinge_restitution_rule rule) {
    cr_log_error("rule %d K %La %La %La %La %La %La u %La %La %La e %La mu %La mu_s %La", (int)rule,
                 c->k11, c->k12, c->k13, c->k22, c->k23, c->k33, c->u[0], c->u[1], c->u[2],
                 c->restitution, c->friction, c->friction_static);
}

perturbation rounding_of(const reference_contact_long *c, long double unit) {
    return (perturbation){.matrix = unit,
                          .slip = unit * hypotl(c->u[0], c->u[1]),
                          .normal = unit * fabsl(c->u[2]),
                          .coefficient = unit};
}

static long double moved(uint64_t *state, long double value, long double by) {
    return random_below(state, 2) == 0 ? value + by : value - by;
}

/* A zero stays zero, without a draw: other laws' draws do not depend on it. */
static void move_within_one(uint64_t *state, long double *value, long double by) {
    if (*value == 0) return;
    *value = fmaxl(-1, fminl(moved(state, *value, by * *value), 1));
}

static reference_contact_long perturbed(uint64_t *state, const reference_contact_long *c,
                                        const perturbation *by) {
    reference_contact_long d = *c;
    d.k11 = moved(state, c->k11, by->matrix * c->k11);
    d.k12 = moved(state, c->k12, by->matrix * sqrtl(c->k11 * c->k22));
    d.k13 = moved(state, c->k13, by->matrix * sqrtl(c->k11 * c->k33));
    d.k22 = moved(state, c->k22, by->matrix * c->k22);
    d.k23 = moved(state, c->k23, by->matrix * sqrtl(c->k22 * c->k33));
    d.k33 = moved(state, c->k33, by->matrix * c->k33);
    d.u[0] = moved(state, c->u[0], by->slip);
    d.u[1] = moved(state, c->u[1], by->slip);
    d.u[2] = moved(state, c->u[2], fminl(by->normal, fabsl(c->u[2]) / 2));
    d.restitution = moved(state, c->restitution, by->coefficient * c->restitution);
    if (c->restitution <= 1) d.restitution = fminl(d.restitution, 1);
    move_within_one(state, &d.tangential_restitution, by->coefficient);
    move_within_one(state, &d.mix, by->coefficient);
    for (int i = 0; i < 2; i++) {
        const long double ratio = c->impulse_ratio[i];
        if (ratio != 0) d.impulse_ratio[i] = moved(state, ratio, by->coefficient * ratio);
    }
    if (isinf(c->friction)) return d;
    d.friction = moved(state, c->friction, by->coefficient * c->friction);
    d.friction_static = d.friction;
    if (c->friction_static > c->friction && !isinf(c->friction_static)) {
        const long double change = by->coefficient * c->friction_static;
        d.friction_static = fmaxl(d.friction, moved(state, c->friction_static, change));
    }
    if (isinf(c->friction_static)) d.friction_static = c->friction_static;
    return d;
}

static void take_largest(long double *largest, long double value) {
    if (value > *largest) *largest = value;
}

sensitivity law_sensitivity_of(const reference_contact_long *contact,
                               const impinge_options *options, const perturbation *by,
                               const reference_result_long *answer) {
    sensitivity s = {0, 0, 0, false};
    uint64_t state = 1;
    for (int i = 0; i < TRIALS; i++) {
        reference_contact_long near = perturbed(&state, contact, by);
        /* Zero slip is a point of its own: what is near it on all sides need not behave like it. */
        if (i == 0 && hypotl(contact->u[0], contact->u[1]) <= 2 * by->slip)
            near.u[0] = near.u[1] = 0;
        reference_result_long r;
        if (!reference_resolve_long(&near, options, &r)) continue;
        take_largest(&s.u, distance3(r.u, answer->u));
        take_largest(&s.p, distance3(r.p, answer->p));
        take_largest(&s.work, fabsl(r.work_compression - answer->work_compression));
        take_largest(&s.work, fabsl(r.work_restitution - answer->work_restitution));
        take_largest(&s.work, fabsl(r.work_friction - answer->work_friction));
        s.outcome_changes = s.outcome_changes || r.outcome != answer->outcome;
    }
    return s;
}

sensitivity sensitivity_of(const reference_contact_long *contact, impinge_restitution_rule rule,
                           bool resolve_jams, const perturbation *by,
                           const reference_result_long *answer) {
    const impinge_options options = {.rule = rule, .resolve_jams = resolve_jams};
    return law_sensitivity_of(contact, &options, by, answer);
}
