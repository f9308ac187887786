#include "together.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

static real dot(const real a[3], const real b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The velocity of each coordinate of contact i by a unit impulse of each of contact j. */
typedef struct problem {
    size_t contacts;
    const together_contact *contact;
    real *delassus; /* (3 contacts)^2 */
    real *free;     /* u0, 3 a contact */
    real (*p)[3], *step;
} problem;

/* v and omega of a body by the unit impulse along axis k at an arm. */
static void response(const together_body *body, const double arm[3], size_t k, real sign,
                     real to[6]) {
    const real axis[3] = {k == 0, k == 1, k == 2};
    const real moment[3] = {arm[1] * axis[2] - arm[2] * axis[1],
                            arm[2] * axis[0] - arm[0] * axis[2],
                            arm[0] * axis[1] - arm[1] * axis[0]};
    for (size_t d = 0; d < 3; d++) {
        to[d] += sign * (real)body->inverse_mass * axis[d];
        for (size_t e = 0; e < 3; e++)
            to[3 + d] += sign * (real)body->inverse_inertia[d][e] * moment[e];
    }
}

/* The velocity of a body's point. */
static void point_velocity(const real v[6], const double arm[3], real sign, real u[3]) {
    u[0] += sign * (v[0] + v[4] * arm[2] - v[5] * arm[1]);
    u[1] += sign * (v[1] + v[5] * arm[0] - v[3] * arm[2]);
    u[2] += sign * (v[2] + v[3] * arm[1] - v[4] * arm[0]);
}

static void contact_velocity(const together_contact *c, real (*velocity)[6], real u[3]) {
    u[0] = u[1] = u[2] = 0;
    point_velocity(velocity[c->a], c->arm_a, 1, u);
    if (c->b >= 0) point_velocity(velocity[c->b], c->arm_b, -1, u);
}

static void push(const together_body *bodies, const together_contact *c, const real p[3],
                 real (*velocity)[6]) {
    for (size_t k = 0; k < 3; k++) {
        response(&bodies[c->a], c->arm_a, k, p[k], velocity[c->a]);
        if (c->b >= 0) response(&bodies[c->b], c->arm_b, k, -p[k], velocity[c->b]);
    }
}

static void assemble(const together_body *bodies, size_t count, problem *q, real (*work)[6]) {
    const size_t n = 3 * q->contacts;
    for (size_t j = 0; j < n; j++) {
        real unit[3] = {j % 3 == 0, j % 3 == 1, j % 3 == 2};
        memset(work, 0, count * sizeof *work);
        push(bodies, &q->contact[j / 3], unit, work);
        for (size_t i = 0; i < q->contacts; i++) {
            real u[3];
            contact_velocity(&q->contact[i], work, u);
            for (size_t k = 0; k < 3; k++)
                q->delassus[(3 * i + k) * n + j] = u[k];
        }
    }
    /* One over the trace of a contact's own block: no more than one over its largest eigenvalue. */
    for (size_t i = 0; i < q->contacts; i++) {
        real trace = 0;
        for (size_t k = 0; k < 3; k++)
            trace += q->delassus[(3 * i + k) * n + 3 * i + k];
        q->step[i] = 1 / trace;
    }
}

/* Onto the cone |p_t| <= mu p_n. */
static void project(const real normal[3], real mu, real p[3]) {
    const real p_n = dot(normal, p);
    real t[3];
    for (size_t k = 0; k < 3; k++)
        t[k] = p[k] - p_n * normal[k];
    const real size = sqrtl(dot(t, t));
    if (size <= mu * p_n) return;
    const real to = mu * size <= -p_n ? 0 : (p_n + mu * size) / (1 + mu * mu);
    for (size_t k = 0; k < 3; k++)
        p[k] = to * (normal[k] + (size > 0 ? mu * t[k] / size : 0));
}

/* Returns by how much the impulse has changed. */
static real solve_one(problem *q, size_t i) {
    const size_t n = 3 * q->contacts;
    const together_contact *const c = &q->contact[i];
    real normal[3] = {c->normal[0], c->normal[1], c->normal[2]};
    const real length = sqrtl(dot(normal, normal));
    real u[3], before[3];
    for (size_t k = 0; k < 3; k++) {
        normal[k] /= length;
        u[k] = q->free[3 * i + k];
        for (size_t j = 0; j < n; j++)
            u[k] += q->delassus[(3 * i + k) * n + j] * q->p[j / 3][j % 3];
        before[k] = q->p[i][k];
    }
    const real u_n = dot(normal, u);
    real t[3];
    for (size_t k = 0; k < 3; k++)
        t[k] = u[k] - u_n * normal[k];
    const real lift = (real)c->friction * sqrtl(dot(t, t));
    real change = 0;
    for (size_t k = 0; k < 3; k++)
        q->p[i][k] -= q->step[i] * (u[k] + lift * normal[k]);
    project(normal, c->friction, q->p[i]);
    for (size_t k = 0; k < 3; k++)
        change = fmaxl(change, fabsl(q->p[i][k] - before[k]));
    return change;
}

static real sweep(problem *q) {
    real change = 0;
    real largest = 0;
    for (size_t i = 0; i < q->contacts; i++) {
        change = fmaxl(change, solve_one(q, i));
        for (size_t k = 0; k < 3; k++)
            largest = fmaxl(largest, fabsl(q->p[i][k]));
    }
    return largest > 0 ? change / largest : 0;
}

static void *memory(size_t count, size_t size) {
    void *const a = calloc(count + 1, size);
    if (!a) abort();
    return a;
}

double together_solve(const together_body *bodies, size_t body_count,
                      const together_contact *contacts, size_t contact_count, size_t sweeps,
                      double (*impulse)[3], double (*velocity)[6]) {
    problem q = {.contacts = contact_count, .contact = contacts};
    real(*const work)[6] = memory(body_count, sizeof *work);
    q.delassus = memory(9 * contact_count * contact_count, sizeof(real));
    q.free = memory(3 * contact_count, sizeof(real));
    q.p = memory(contact_count, sizeof *q.p);
    q.step = memory(contact_count, sizeof(real));
    assemble(bodies, body_count, &q, work);
    for (size_t i = 0; i < body_count; i++) {
        for (size_t k = 0; k < 3; k++) {
            work[i][k] = bodies[i].velocity[k];
            work[i][3 + k] = bodies[i].angular_velocity[k];
        }
    }
    for (size_t i = 0; i < contact_count; i++)
        contact_velocity(&contacts[i], work, q.free + 3 * i);
    real change = 1;
    for (size_t s = 0; s < sweeps && change > 1e-17L; s++)
        change = sweep(&q);
    for (size_t i = 0; i < contact_count; i++) {
        push(bodies, &contacts[i], q.p[i], work);
        for (size_t k = 0; k < 3; k++)
            impulse[i][k] = (double)q.p[i][k];
    }
    for (size_t i = 0; i < body_count; i++)
        for (size_t k = 0; k < 6; k++)
            velocity[i][k] = (double)work[i][k];
    free(work);
    free(q.delassus);
    free(q.free);
    free(q.p);
    free(q.step);
    return (double)change;
}

double together_residual(const double u[3], const double p[3], const double normal[3],
                         double friction, double stiffness) {
    const double length =
        sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    double u_n = 0, p_n = 0, slip = 0, tangential = 0, missing = 0;
    double u_t[3], p_t[3];
    for (size_t k = 0; k < 3; k++) {
        u_n += u[k] * normal[k] / length;
        p_n += p[k] * normal[k] / length;
    }
    for (size_t k = 0; k < 3; k++) {
        u_t[k] = u[k] - u_n * normal[k] / length;
        p_t[k] = p[k] - p_n * normal[k] / length;
        slip += u_t[k] * u_t[k];
        tangential += p_t[k] * p_t[k];
    }
    slip = sqrt(slip);
    tangential = sqrt(tangential);
    /*
     * The direction of slip requires p_t = -mu p_n u_t / |u_t|; this is the impulse's distance from
     * it.
     */
    for (size_t k = 0; k < 3; k++) {
        const double off = slip > 0 ? p_t[k] + friction * p_n * u_t[k] / slip : 0;
        missing += off * off;
    }
    const double normal_part = fmax(fmax(-u_n, -p_n * stiffness), fmin(u_n, p_n * stiffness));
    const double beyond = (tangential - friction * p_n) * stiffness;
    return fmax(normal_part, fmax(beyond, fmin(slip, sqrt(missing) * stiffness)));
}
