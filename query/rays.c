/* Queries about one collision matrix: the rays of constant sliding (Mirtich 1996, corrected, 3.7
 * to 3.10). */
#include "query.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* This file compiles the kernels with lanes of one double. */
#define IMPINGE_TARGET_SCALAR
#define IMPINGE_REAL_BITS 64
#include "../kernels/routh/close.h"
#include "../kernels/routh/normalise.h"
#include "matrix.h"

static const double two_pi = 6.28318530717958647692;

static bool all_finite(const impinge_collision_matrix *k) {
    return isfinite(k->k11) && isfinite(k->k12) && isfinite(k->k13) && isfinite(k->k22) &&
           isfinite(k->k23) && isfinite(k->k33);
}

/* The matrix in the form that the kernels use: normalised, in its principal tangent frame. */
typedef struct query {
    principal_t frame;
    matrix_t matrix;
    sticking_t sticking;
    double scale; /* of K */
} query_t;

static impinge_status query_begin(const impinge_collision_matrix *k, double friction, query_t *q) {
    if (!(friction >= 0) || !all_finite(k) || !(k->k11 > 0 && k->k22 > 0 && k->k33 > 0))
        return IMPINGE_ERROR_ARGUMENT;
    contact_t g = contact_of_matrix(k);
    g.friction = lane_set(friction);
    scale_t scale;
    normalise_matrix(&g, &scale);
    q->scale = scale.scale.lo * scale.prescale.lo;
    q->frame = principal_frame(g.k11, g.k12, g.k22);
    q->matrix = matrix_of(&g, &q->frame);
    q->sticking = sticking_of(&q->matrix);
    return mask_any(positive_definite(&q->matrix, &q->sticking)) ? IMPINGE_OK
                                                                 : IMPINGE_ERROR_ARGUMENT;
}

/* The ray in the direction (s1, s2) of the principal frame. */
static impinge_ray ray_at(const query_t *q, double s1, double s2) {
    const matrix_t *k = &q->matrix;
    const polar_t p = polar_of(k, lane_set(s1), lane_set(s2));
    const double alpha = k->alpha.lo;
    const double c = q->frame.cosine.lo;
    const double s = q->frame.sine.lo;
    impinge_ray ray;
    ray.s1 = c * s1 - s * s2;
    ray.s2 = s * s1 + c * s2;
    ray.angle = atan2(ray.s2, ray.s1);
    if (ray.angle < 0) ray.angle += two_pi;
    if (ray.angle >= two_pi) ray.angle = 0; /* a tiny negative angle rounds up to it */
    ray.rate = p.g.lo / alpha * q->scale;
    ray.normal_rate = normal_rate(k, lane_set(s1), lane_set(s2)).lo / alpha * q->scale;
    /* g is a difference of terms of this size, each rounded a few times. */
    const double size =
        alpha * (fabs(k->k1.lo) + fabs(k->k2.lo)) + k->beta.lo * fmax(k->t1.lo, k->t2.lo);
    const double rounding = 16 * REAL_UNIT * size;
    ray.kind = p.g.lo > rounding    ? IMPINGE_RAY_DIVERGING
               : p.g.lo < -rounding ? IMPINGE_RAY_CONVERGING
                                    : IMPINGE_RAY_STATIONARY;
    return ray;
}

enum { QUARTIC = 4 };

static double polynomial(const double *c, int degree, double x) {
    double sum = c[degree];
    for (int i = degree - 1; i >= 0; i--)
        sum = sum * x + c[i];
    return sum;
}

/* The zero between two places where a polynomial has different signs, by bisection to the last bit.
 */
static double zero_between(const double *c, int degree, double low, double high) {
    const bool rises = polynomial(c, degree, low) < 0;
    for (;;) {
        const double middle = low + (high - low) / 2;
        if (!(middle > low && middle < high)) return middle;
        *((polynomial(c, degree, middle) < 0) == rises ? &low : &high) = middle;
    }
}

/*
 * The real zeros of a polynomial in [low, high], in order: between two zeros of its derivative it
 * has at most one. A zero of the derivative at which it is no larger than `noise` is a (double)
 * zero.
 */
static int zeros_within(const double *c, int degree, double low, double high, double noise,
                        double *zeros) {
    if (degree == 0) return 0;
    double slope[QUARTIC] = {0};
    for (int i = 0; i < degree; i++)
        slope[i] = (i + 1) * c[i + 1];
    double place[QUARTIC + 1];
    place[0] = low;
    const int places = 1 + zeros_within(slope, degree - 1, low, high, 0, place + 1);
    int count = 0;
    for (int i = 0; i < places; i++) {
        const double next = i + 1 < places ? place[i + 1] : high;
        const double here = polynomial(c, degree, place[i]);
        const double there = polynomial(c, degree, next);
        if (fabs(here) <= noise)
            zeros[count++] = place[i];
        else if (fabs(there) > noise && (here < 0) != (there < 0))
            zeros[count++] = zero_between(c, degree, place[i], next);
    }
    if (fabs(polynomial(c, degree, high)) <= noise && count < degree) zeros[count++] = high;
    return count;
}

/* A double root that rounding has split, or a root at the seam of two ranges, is one ray. */
static void add_ray(const query_t *q, double s1, double s2, impinge_ray *rays, size_t *count) {
    const double same = 16 * sqrt(DBL_EPSILON);
    const impinge_ray ray = ray_at(q, s1, s2);
    for (size_t i = 0; i < *count; i++)
        if (hypot(rays[i].s1 - ray.s1, rays[i].s2 - ray.s2) < same) return;
    if (*count < IMPINGE_RAYS_MAX) rays[(*count)++] = ray;
}

static void sort_by_angle(impinge_ray *rays, size_t count) {
    for (size_t i = 1; i < count; i++) {
        const impinge_ray ray = rays[i];
        size_t j = i;
        for (; j > 0 && rays[j - 1].angle > ray.angle; j--)
            rays[j] = rays[j - 1];
        rays[j] = ray;
    }
}

/*
 * The rays are the zeros of f(theta) (Mirtich 1996, corrected, eq. 7). With p = tan(theta / 2), (1
 * + p^2)^2 f is the quartic of 3.8; in the principal frame K12 = 0 and with it a2. The half of the
 * circle where p is large is covered by 1 / p, for which the coefficients are reversed.
 */
impinge_status impinge_query_rays(const impinge_collision_matrix *matrix, double friction,
                                  impinge_ray *rays, size_t *count) {
    if (!isfinite(friction)) return IMPINGE_ERROR_ARGUMENT;
    query_t q;
    const impinge_status status = query_begin(matrix, friction, &q);
    if (status != IMPINGE_OK) return status;
    const double a1 = q.matrix.alpha.lo * q.matrix.k1.lo;
    const double a2 = q.matrix.alpha.lo * q.matrix.k2.lo;
    const double b1 = q.matrix.beta.lo * q.matrix.t1.lo;
    const double b2 = q.matrix.beta.lo * q.matrix.t2.lo;
    const double quartic[] = {a2, -2 * (a1 + b2 - b1), 0, -2 * (a1 - b2 + b1), -a2};
    const double reverse[] = {-a2, quartic[3], 0, quartic[1], a2};
    /* Each coefficient is the result of a few roundings of these. */
    const double noise = 8 * DBL_EPSILON * (fabs(a1) + fabs(a2) + b1 + b2);
    *count = 0;
    if (fmax(fabs(a2), fmax(fabs(quartic[1]), fabs(quartic[3]))) <= noise) {
        *count = IMPINGE_RAYS_EVERY_DIRECTION;
        return IMPINGE_OK;
    }
    double zeros[QUARTIC];
    int found = zeros_within(quartic, QUARTIC, -1, 1, noise, zeros);
    for (int i = 0; i < found; i++) {
        const double p = zeros[i];
        add_ray(&q, (1 - p * p) / (1 + p * p), 2 * p / (1 + p * p), rays, count);
    }
    found = zeros_within(reverse, QUARTIC, -1, 1, noise, zeros);
    for (int i = 0; i < found; i++) {
        const double p = zeros[i];
        add_ray(&q, (p * p - 1) / (1 + p * p), 2 * p / (1 + p * p), rays, count);
    }
    sort_by_angle(rays, *count);
    return IMPINGE_OK;
}

impinge_status impinge_query_diverging_ray(const impinge_collision_matrix *matrix, double friction,
                                           impinge_ray *ray, bool *exists) {
    query_t q;
    const impinge_status status = query_begin(matrix, friction, &q);
    if (status != IMPINGE_OK) return status;
    *exists = !mask_any(sticking_is_stable(&q.sticking, lane_set(friction)));
    if (!*exists) return IMPINGE_OK;
    lanes_t s1;
    lanes_t s2;
    const lanes_t lambda = diverging_ray(&q.matrix, mask_all(), &s1, &s2);
    *ray = ray_at(&q, s1.lo, s2.lo);
    ray->rate = lambda.lo / q.matrix.alpha.lo * q.scale;
    ray->kind = IMPINGE_RAY_DIVERGING;
    return IMPINGE_OK;
}

impinge_status impinge_query_sticking(const impinge_collision_matrix *matrix,
                                      double friction_static, bool *stable) {
    query_t q;
    const impinge_status status = query_begin(matrix, friction_static, &q);
    if (status != IMPINGE_OK) return status;
    *stable = mask_any(sticking_is_stable(&q.sticking, lane_set(friction_static)));
    return IMPINGE_OK;
}
