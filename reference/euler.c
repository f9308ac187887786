/*
 * The algorithm of Mirtich 1996, corrected, section 4, steps 2 to 7, in contact space: Euler's
 * method with a fixed step. The peer that the kernels' speed is measured against; so it is plain C
 * without detours.
 */
#include <math.h>

#include "reference.h"

typedef reference_contact_double contact;
typedef reference_result_double result;

/* The last column of K^-1, over its last element: w = (-(K^-1)_13, -(K^-1)_23) / (K^-1)_33. */
typedef struct inverse_column {
    double w1, w2;
    double rate; /* 1 / (K^-1)_33 */
} inverse_column;

static inverse_column inverse_column_of(const contact *c) {
    const double determinant = c->k11 * c->k22 - c->k12 * c->k12;
    inverse_column column;
    column.w1 = (c->k22 * c->k13 - c->k12 * c->k23) / determinant;
    column.w2 = (c->k11 * c->k23 - c->k12 * c->k13) / determinant;
    column.rate = c->k33 - c->k13 * column.w1 - c->k23 * column.w2;
    return column;
}

/* p = K^-1 (u - u0), by elimination of the tangential block (step 7). */
static void impulse_of(const contact *c, const inverse_column *column, const double u[3],
                       double p[3]) {
    const double d1 = u[0] - c->u[0];
    const double d2 = u[1] - c->u[1];
    const double d3 = u[2] - c->u[2];
    const double determinant = c->k11 * c->k22 - c->k12 * c->k12;
    p[2] = (d3 - column->w1 * d1 - column->w2 * d2) / column->rate;
    p[0] = (c->k22 * d1 - c->k12 * d2) / determinant - column->w1 * p[2];
    p[1] = (c->k11 * d2 - c->k12 * d1) / determinant - column->w2 * p[2];
}

/* "Approximately 0": a slip that one step can undo, |T| being the larger eigenvalue of T. */
static double least_slip(const contact *c, double step) {
    const double middle = (c->k11 + c->k22) / 2;
    const double size = middle + hypot((c->k11 - c->k22) / 2, c->k12);
    return step * (c->friction * size + hypot(c->k13, c->k23));
}

/* The state of the algorithm; `restored` and `compressed` are x_d and x_c under Poisson's rule. */
typedef struct state {
    double u1, u2, u3;
    double work_c, work_d;
    double restored, compressed;
    uint32_t outcome;
    unsigned steps;
} state;

/* Step 3c. W_d >= -e^2 W_c also holds before compression is over if e = 0; hence u_n >= 0. */
static bool has_ended(const contact *c, impinge_restitution_rule rule, const state *s) {
    if (s->u3 < 0) return false;
    const double e = c->restitution;
    switch (rule) {
    case IMPINGE_RULE_POISSON:
        return s->restored >= e * s->compressed;
    case IMPINGE_RULE_NEWTON:
        return s->u3 >= -e * c->u[2];
    case IMPINGE_RULE_STRONGE:
        break;
    }
    return s->work_d >= -e * e * s->work_c;
}

/* The integration loop, step 3. Returns whether the collision ended in it. */
static bool integrate(const contact *c, impinge_restitution_rule rule, double step, state *s) {
    const double least = least_slip(c, step);
    while (s->steps < REFERENCE_EULER_STEPS_MAX) {
        const double slip = sqrt(s->u1 * s->u1 + s->u2 * s->u2);
        if (slip <= least) return false;
        s->steps++;
        s->outcome |= IMPINGE_OUTCOME_SLID;
        if (s->u3 < 0) {
            if (s->work_d > 0) s->outcome |= IMPINGE_OUTCOME_RECOMPRESSED;
            s->work_c += s->u3 * step;
            s->compressed += step;
        } else {
            s->work_d += s->u3 * step;
            s->restored += step;
        }
        const double p1 = -c->friction * s->u1 / slip;
        const double p2 = -c->friction * s->u2 / slip;
        s->u1 += step * (c->k11 * p1 + c->k12 * p2 + c->k13);
        s->u2 += step * (c->k12 * p1 + c->k22 * p2 + c->k23);
        s->u3 += step * (c->k13 * p1 + c->k23 * p2 + c->k33);
        if (has_ended(c, rule, s)) return true;
    }
    return false;
}

/* Steps 5b and 5c, 6c and 6d: u_n at the end, on a line along which it grows by `rate`. */
static double final_normal_velocity(const contact *c, impinge_restitution_rule rule, double rate,
                                    state *s) {
    const double e = c->restitution;
    if (s->u3 < 0) {
        s->work_c -= s->u3 * s->u3 / (2 * rate);
        s->compressed -= s->u3 / rate;
        s->u3 = 0;
    }
    double end = -e * c->u[2];
    if (rule == IMPINGE_RULE_POISSON) {
        end = s->u3 + rate * fmax(e * s->compressed - s->restored, 0);
    } else if (rule == IMPINGE_RULE_STRONGE) {
        end = sqrt(2 * rate * fmax(-e * e * s->work_c - s->work_d, 0) + s->u3 * s->u3);
    }
    s->work_d += (end * end - s->u3 * s->u3) / (2 * rate);
    return end;
}

/* Step 5. */
static void stick(const contact *c, impinge_restitution_rule rule, double rate, state *s) {
    s->outcome |= IMPINGE_OUTCOME_STUCK;
    s->u3 = final_normal_velocity(c, rule, rate, s);
    s->u1 = s->u2 = 0;
}

/* Step 6. */
static void diverge(const contact *c, impinge_restitution_rule rule, state *s) {
    const impinge_collision_matrix matrix = {c->k11, c->k12, c->k13, c->k22, c->k23, c->k33};
    impinge_ray rays[IMPINGE_RAYS_MAX];
    size_t count;
    reference_rays(&matrix, c->friction, rays, &count);
    s->outcome |= IMPINGE_OUTCOME_DIVERGED;
    size_t best = 0;
    for (size_t i = 1; i < count; i++) {
        if (rays[i].rate > rays[best].rate) best = i;
    }
    const double before = s->u3;
    s->u3 = final_normal_velocity(c, rule, rays[best].normal_rate, s);
    const double p_n = (s->u3 - before) / rays[best].normal_rate;
    s->u1 += p_n * rays[best].rate * rays[best].s1;
    s->u2 += p_n * rays[best].rate * rays[best].s2;
}

static void write_result(const contact *c, const inverse_column *column, const state *s,
                         result *r) {
    const double u[3] = {s->u1, s->u2, s->u3};
    impulse_of(c, column, u, r->p);
    double energy = 0; /* E(u) - E(u0) = (u + u0) . p / 2 */
    for (int i = 0; i < 3; i++) {
        r->u[i] = u[i];
        energy += (u[i] + c->u[i]) * r->p[i] / 2;
    }
    r->work_compression = s->work_c;
    r->work_restitution = s->work_d;
    r->work_friction = energy - s->work_c - s->work_d;
    r->outcome = s->outcome;
    r->evaluations = s->steps;
    if (u[0] * c->u[0] + u[1] * c->u[1] < 0) r->outcome |= IMPINGE_OUTCOME_SLIP_REVERSED;
}

static result no_impulse(const contact *c, uint32_t outcome) {
    return (result){{0, 0, 0}, {c->u[0], c->u[1], c->u[2]}, 0, 0, 0, outcome, 0, 0};
}

bool reference_resolve_routh_euler(const contact *c, impinge_restitution_rule rule, double step,
                                   result *r) {
    if (!(step > 0) || isinf(c->friction)) return false;
    *r = no_impulse(c, c->k33 == 0 ? IMPINGE_OUTCOME_IMMOVABLE : IMPINGE_OUTCOME_SEPARATING);
    if (c->k33 == 0 || c->u[2] >= 0) return true;

    const inverse_column column = inverse_column_of(c);
    state s = {c->u[0], c->u[1], c->u[2], 0, 0, 0, 0, 0, 0};
    if (!integrate(c, rule, step, &s)) {
        if (s.steps >= REFERENCE_EULER_STEPS_MAX) return false;
        if (hypot(column.w1, column.w2) <= c->friction_static) { /* step 4, (K^-1)_33 divided out */
            stick(c, rule, column.rate, &s);
        } else {
            diverge(c, rule, &s);
        }
    }
    write_result(c, &column, &s, r);
    return true;
}

static double error_of(const contact *c, const result *approximate,
                       const reference_result_long *accurate) {
    double error = 0;
    double size = 0;
    for (int i = 0; i < 3; i++) {
        error = hypot(error, (double)(approximate->u[i] - accurate->u[i]));
        size = hypot(size, c->u[i]);
    }
    return error / size;
}

bool reference_euler_step(const contact *c, impinge_restitution_rule rule, double accuracy,
                          double *step) {
    enum { HALVINGS = 30 };
    const reference_contact_long wide = reference_contact_widened(c);
    reference_result_long accurate;
    if (!reference_resolve_routh_long(&wide, rule, false, &accurate)) return false;
    double trial = (double)accurate.p[2];
    bool previous = false; /* one good step may be luck: Euler's error changes its sign */
    for (int i = 0; i < HALVINGS && trial > 0; i++) {
        trial /= 2;
        result r;
        if (!reference_resolve_routh_euler(c, rule, trial, &r)) return false;
        const bool good = error_of(c, &r, &accurate) <= accuracy;
        if (good && previous) {
            *step = 2 * trial;
            return true;
        }
        previous = good;
    }
    return false;
}

reference_contact_long reference_contact_widened(const contact *c) {
    return (reference_contact_long){.k11 = c->k11,
                                    .k12 = c->k12,
                                    .k13 = c->k13,
                                    .k22 = c->k22,
                                    .k23 = c->k23,
                                    .k33 = c->k33,
                                    .u = {c->u[0], c->u[1], c->u[2]},
                                    .restitution = c->restitution,
                                    .friction = c->friction,
                                    .friction_static = c->friction_static,
                                    .tangential_restitution = c->tangential_restitution,
                                    .mix = c->mix,
                                    .impulse_ratio = {c->impulse_ratio[0], c->impulse_ratio[1]},
                                    .damping_fraction = c->damping_fraction,
                                    .unit = c->unit};
}
