/*
 * All rays of constant sliding by search: the circle is divided into arcs, and each is searched for
 * roots of eq. (7). No quartic, no tan(theta / 2).
 */
#include <float.h>
#include <math.h>

#include "reference.h"

/* Arcs of half a degree. Eq. (7) has at most four extrema; two of them hardly ever share an arc. */
#define ARCS 720

static const double two_pi = 6.283185307179586476925;

/*
 * The angle at which the search starts and ends. It must not be one at which a symmetric contact
 * has a ray: rounding could make the search find that twice or not at all.
 */
static const double start = 0.1;

typedef struct circle {
    const impinge_collision_matrix *k;
    double friction;
    double noise; /* what rounding may make of a zero of eq. (7) */
} circle;

/* The right-hand side of eq. (7). */
static double turn(const circle *c, double theta) {
    const double x = cos(theta);
    const double y = sin(theta);
    return -c->friction * c->k->k12 * (x * x - y * y) +
           c->friction * (c->k->k11 - c->k->k22) * y * x + c->k->k23 * x - c->k->k13 * y;
}

static double turn_slope(const circle *c, double theta) {
    const double x = cos(theta);
    const double y = sin(theta);
    return 4 * c->friction * c->k->k12 * y * x +
           c->friction * (c->k->k11 - c->k->k22) * (x * x - y * y) - c->k->k23 * y - c->k->k13 * x;
}

typedef double function(const circle *c, double theta);

/* The zero of f between two angles where it has different signs, by bisection to the last bit. */
static double zero_between(const circle *c, function *f, double low, double high) {
    const bool rises = f(c, low) < 0;
    for (;;) {
        const double middle = low + (high - low) / 2;
        if (!(middle > low && middle < high)) return middle;
        *((f(c, middle) < 0) == rises ? &low : &high) = middle;
    }
}

static impinge_ray ray_at(const circle *c, double theta) {
    const impinge_collision_matrix *k = c->k;
    impinge_ray ray;
    ray.angle = theta;
    ray.s1 = cos(theta);
    ray.s2 = sin(theta);
    const double rate1 = k->k13 - c->friction * (k->k11 * ray.s1 + k->k12 * ray.s2);
    const double rate2 = k->k23 - c->friction * (k->k12 * ray.s1 + k->k22 * ray.s2);
    ray.rate = ray.s1 * rate1 + ray.s2 * rate2; /* the dot product of 3.8 */
    ray.normal_rate = k->k33 - c->friction * (k->k13 * ray.s1 + k->k23 * ray.s2);
    ray.kind = ray.rate > c->noise    ? IMPINGE_RAY_DIVERGING
               : ray.rate < -c->noise ? IMPINGE_RAY_CONVERGING
                                      : IMPINGE_RAY_STATIONARY;
    return ray;
}

/* The search, in order of angles. */
typedef struct search {
    circle circle;
    impinge_ray *rays;
    size_t count;
} search;

static void add(search *s, double theta) {
    if (s->count == IMPINGE_RAYS_MAX) return;
    const impinge_ray ray = ray_at(&s->circle, theta < two_pi ? theta : theta - two_pi);
    size_t place = s->count++;
    for (; place > 0 && s->rays[place - 1].angle > ray.angle; place--) {
        s->rays[place] = s->rays[place - 1];
    }
    s->rays[place] = ray;
}

/*
 * True if f changes its sign between two values. The low end belongs to the arc, the high end does
 * not.
 */
static bool changes_sign(double low, double high) { return (low < 0) != (high < 0); }

/* An arc in which eq. (7) has an extremum that may reach zero: two roots, a double one, or none. */
static void search_extremum(search *s, double low, double high) {
    const circle *c = &s->circle;
    const double top = zero_between(c, turn_slope, low, high);
    const double value = turn(c, top);
    if (fabs(value) <= c->noise) {
        add(s, top);
    } else if (changes_sign(turn(c, low), value)) {
        add(s, zero_between(c, turn, low, top));
        add(s, zero_between(c, turn, top, high));
    }
}

static void search_arc(search *s, double low, double high) {
    const circle *c = &s->circle;
    if (changes_sign(turn(c, low), turn(c, high))) {
        add(s, zero_between(c, turn, low, high));
    } else if (changes_sign(turn_slope(c, low), turn_slope(c, high))) {
        search_extremum(s, low, high);
    }
}

void reference_rays(const impinge_collision_matrix *matrix, double friction, impinge_ray *rays,
                    size_t *count) {
    const double size = friction * (matrix->k11 + matrix->k22) + hypot(matrix->k13, matrix->k23);
    search s = {{matrix, friction, 8 * DBL_EPSILON * size}, rays, 0};
    const double uneven = friction * hypot(matrix->k12, (matrix->k11 - matrix->k22) / 2) +
                          hypot(matrix->k13, matrix->k23);
    if (uneven <= s.circle.noise) {
        *count = IMPINGE_RAYS_EVERY_DIRECTION;
        return;
    }
    for (int i = 0; i < ARCS; i++) {
        search_arc(&s, start + i * (two_pi / ARCS), start + (i + 1) * (two_pi / ARCS));
    }
    *count = s.count;
}
