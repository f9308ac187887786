/* Queries about one permissible region: its spherical coordinates, bounds on impulse ratios. */
#include "query.h"

#include <math.h>

/* This file compiles the kernels with lanes of one double. */
#define IMPINGE_TARGET_SCALAR
#define IMPINGE_REAL_BITS 64
#include "../kernels/judge.h"
#include "matrix.h"

static const double pi = 3.14159265358979323846;

/* The contact and an impulse, normalised. */
static impinge_status pose(const impinge_region_contact *c, const double p[3], judged_t *j) {
    contact_t g = contact_of_matrix(&c->matrix);
    g.u1 = lane_set(c->velocity[0]);
    g.u2 = lane_set(c->velocity[1]);
    g.u3 = lane_set(c->velocity[2]);
    g.friction = lane_set(c->friction);
    g.friction_static = lane_set(c->friction);
    *j = judged_of(&g, lane_set(p[0]), lane_set(p[1]), lane_set(p[2]));
    return mask_any(is_dead(j->word)) ? IMPINGE_ERROR_ARGUMENT : IMPINGE_OK;
}

static const double no_impulse[3] = {0, 0, 0};

static bool coordinates_are_legal(const impinge_region_coordinates *at) {
    return at->psi1 >= 0 && at->psi1 <= pi && at->psi2 >= 0 && at->psi2 <= 2 * pi && at->rho >= 0 &&
           at->rho <= 1;
}

/* Pi is not a double: its sine would leave the normal axis. */
static ray_t ray_of_angles(double start, double psi1, double psi2) {
    const double across = psi1 >= pi ? 0 : sin(psi1);
    return (ray_t){.start = lane_set(start),
                   .d1 = lane_set(across * cos(psi2)),
                   .d2 = lane_set(across * sin(psi2)),
                   .d3 = lane_set(cos(psi1))};
}

impinge_status impinge_query_impulse(const impinge_region_contact *contact,
                                     const impinge_region_coordinates *at, double impulse[3]) {
    if (!coordinates_are_legal(at)) return IMPINGE_ERROR_ARGUMENT;
    judged_t j;
    const impinge_status status = pose(contact, no_impulse, &j);
    if (status != IMPINGE_OK) return status;
    const ray_t ray = ray_of_angles(inner_point(&j.region).lo, at->psi1, at->psi2);
    const double t = at->rho > 0 ? at->rho * boundary(&j.region, &ray).lo : 0;
    const projected_t p = projected_at(&j, &ray, lane_set(t), lane_zero());
    if (!mask_any(finite3(p.p1, p.p2, p.p3))) return IMPINGE_ERROR_ARGUMENT;
    impulse[0] = p.p1.lo;
    impulse[1] = p.p2.lo;
    impulse[2] = p.p3.lo;
    return IMPINGE_OK;
}

static double angle_about_normal(double d1, double d2) {
    if (d1 == 0 && d2 == 0) return 0;
    const double angle = atan2(d2, d1);
    const double positive = angle < 0 ? angle + 2 * pi : angle;
    return positive >= 2 * pi ? 0 : positive; /* a tiny negative angle rounds up to it */
}

impinge_status impinge_query_coordinates(const impinge_region_contact *contact,
                                         const double impulse[3], impinge_region_coordinates *at) {
    judged_t j;
    const impinge_status status = pose(contact, impulse, &j);
    if (status != IMPINGE_OK) return status;
    const slacks_t s = judge(&j, lane_set(impulse[2]));
    lanes_t whole;
    const ray_t ray = ray_toward(&j, &whole);
    if (mask_any(word_has(slacks_failed(&s), IMPINGE_REGION_CONDITIONS)) || !isfinite(ray.start.lo))
        return IMPINGE_ERROR_ARGUMENT;
    const double d1 = ray.d1.lo;
    const double d2 = ray.d2.lo;
    const double d3 = ray.d3.lo;
    const lanes_t reciprocal = lane_set(1 / boundary(&j.region, &ray).lo);
    const bool is_inner = d1 == 0 && d2 == 0 && d3 == 0;
    at->psi1 = atan2(hypot(d1, d2), is_inner ? 1 : d3);
    at->psi2 = angle_about_normal(d1, d2);
    at->rho = is_inner ? 0 : fmin(times_power(reciprocal, whole).lo, 1);
    return IMPINGE_OK;
}

/* Lengths from `least` to `most` gain no energy. */
static void bound_by_energy(const ratio_energy_t *e, double k_r, double k33,
                            impinge_ratio_bounds *bounds) {
    const double a = e->a.lo;
    const double b = e->b.lo;
    const double c = e->c.lo;
    const double infinity = (double)INFINITY;
    bounds->energy = ratio_root(e).lo;
    bounds->energy_least = 0;
    if (c <= 0) return;
    /* e > 1: between the roots, or beyond the one where the impulse ends inside the ellipsoid. */
    const double sum = ratio_sum(e).lo;
    double least = infinity;
    if (b < 0)
        least = 2 * c / sum;
    else if (a < 0)
        least = sum / (-2 * a);
    const bool real = ratio_discriminant(e).lo >= 0;
    const bool exists = a > 0 ? real && k33 + least * k_r > 0 : k_r > 0;
    bounds->energy_least = exists ? least : infinity;
    if (!exists || !(least < infinity)) bounds->energy = 0;
}

impinge_status impinge_query_ratio_bounds(const impinge_region_contact *contact, double restitution,
                                          const double direction[2], impinge_ratio_bounds *bounds) {
    judged_t j;
    const impinge_status status = pose(contact, no_impulse, &j);
    if (status != IMPINGE_OK) return status;
    const bool legal = restitution >= 0 && isfinite(restitution) && isfinite(direction[0]) &&
                       isfinite(direction[1]) && contact->velocity[2] < 0;
    const double largest = fmax(fabs(direction[0]), fabs(direction[1]));
    if (!legal || largest == 0) return IMPINGE_ERROR_ARGUMENT;
    const double d1 = direction[0] / largest;
    const double d2 = direction[1] / largest;
    const double r1 = d1 / hypot(d1, d2);
    const double r2 = d2 / hypot(d1, d2);
    const region_t *r = &j.region;
    const ratio_energy_t e = ratio_energy(r, lane_set(restitution), lane_set(r1), lane_set(r2));
    bound_by_energy(&e, r->k13.lo * r1 + r->k23.lo * r2, r->k33.lo, bounds);
    bounds->cone = contact->friction;
    return IMPINGE_OK;
}
