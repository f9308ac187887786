/*
 * The conditions of a resting cluster as one residual (Alart and Curnier 1991): p solves a contact
 * if and only if p_n = max(0, p_n - u_n / K) and p_t is p_t - u_t / K brought into the disc of
 * radius mu p_n, for any K > 0. Here K is 1/m_A + 1/m_B, so that K times what is off is a velocity.
 */
#include "reference_contact_dynamics.h"

#include <math.h>

static long double dot(const long double a[3], const long double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const long double a[3], const long double b[3], long double c[3]) {
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* The normal, from B to A. */
static void normal_of(const reference_cluster *c, size_t contact, long double n[3]) {
    for (int k = 0; k < 3; k++)
        n[k] = c->body[c->a[contact]][2 + k] - c->body[c->b[contact]][2 + k];
    const long double length = sqrtl(dot(n, n));
    for (int k = 0; k < 3; k++)
        n[k] /= length;
}

/*
 * The largest difference between velocities (and those of surfaces) and the ones before plus the
 * impulses' changes.
 */
static long double motion_residual(const reference_cluster *c) {
    long double worst = 0;
    for (size_t i = 0; i < c->bodies; i++) {
        const long double *body = c->body[i];
        long double v[3], w[3];
        for (int k = 0; k < 3; k++) {
            v[k] = body[5 + k];
            w[k] = body[8 + k];
        }
        for (size_t j = 0; j < c->contacts; j++) {
            if (c->a[j] != i && c->b[j] != i) continue;
            const long double sign = c->a[j] == i ? 1 : -1;
            long double n[3], arm[3], p[3], moment[3];
            normal_of(c, j, n);
            for (int k = 0; k < 3; k++) {
                arm[k] = -sign * body[0] * n[k];
                p[k] = sign * c->impulse[j][k];
            }
            cross(arm, p, moment);
            const long double inverse_inertia = 2.5L * body[1] / (body[0] * body[0]);
            for (int k = 0; k < 3; k++) {
                v[k] += body[1] * p[k];
                w[k] += inverse_inertia * moment[k];
            }
        }
        for (int k = 0; k < 3; k++) {
            worst = fmaxl(worst, fabsl(v[k] - c->after[i][k]));
            worst = fmaxl(worst, body[0] * fabsl(w[k] - c->after[i][3 + k]));
        }
    }
    return worst;
}

static void separation_of(const reference_cluster *c, size_t contact, const long double n[3],
                          long double u[3]) {
    const size_t of[2] = {c->a[contact], c->b[contact]};
    for (int k = 0; k < 3; k++)
        u[k] = 0;
    for (int side = 0; side < 2; side++) {
        const long double sign = side == 0 ? 1 : -1;
        const long double *after = c->after[of[side]];
        long double arm[3], turned[3];
        for (int k = 0; k < 3; k++)
            arm[k] = -sign * c->body[of[side]][0] * n[k];
        cross(after + 3, arm, turned);
        for (int k = 0; k < 3; k++)
            u[k] += sign * (after[k] + turned[k]);
    }
}

static long double contact_residual(const reference_cluster *c, size_t contact) {
    const long double *p = c->impulse[contact];
    const long double stiffness = c->body[c->a[contact]][1] + c->body[c->b[contact]][1];
    long double n[3], u[3], q_t[3];
    normal_of(c, contact, n);
    separation_of(c, contact, n, u);
    const long double p_n = dot(n, p);
    const long double q_n = fmaxl(0, p_n - dot(n, u) / stiffness);
    for (int k = 0; k < 3; k++)
        q_t[k] = (p[k] - p_n * n[k]) - (u[k] - dot(n, u) * n[k]) / stiffness;
    const long double length = sqrtl(dot(q_t, q_t));
    const long double most = c->friction[contact] * q_n;
    const long double share = length > most ? most / length : 1;
    long double square = 0;
    for (int k = 0; k < 3; k++) {
        const long double off = q_n * n[k] + share * q_t[k] - p[k];
        square += off * off;
    }
    return stiffness * sqrtl(square);
}

long double reference_residual(const reference_cluster *c) {
    long double worst = motion_residual(c);
    for (size_t j = 0; j < c->contacts; j++)
        worst = fmaxl(worst, contact_residual(c, j));
    return worst;
}
