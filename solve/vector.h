/* Vectors and rotations, for one contact at a time. */
#ifndef IMPINGE_SOLVE_VECTOR_H
#define IMPINGE_SOLVE_VECTOR_H

#include <string.h>

#include <impinge/batch.h>

#include "../kernels/element.h"
#include "../kernels/real.h"

typedef struct triple {
    real_t x, y, z;
} triple_t;

static inline triple_t vector_at(const real_t *x, const real_t *y, const real_t *z, size_t i) {
    return (triple_t){x[i], y[i], z[i]};
}

static inline triple_t triple_of(const real_t a[3]) { return (triple_t){a[0], a[1], a[2]}; }

static inline void numbers_of(triple_t a, real_t to[3]) {
    to[0] = a.x;
    to[1] = a.y;
    to[2] = a.z;
}

static inline triple_t plus(triple_t a, triple_t b) {
    return (triple_t){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline triple_t minus(triple_t a, triple_t b) {
    return (triple_t){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline real_t dot(triple_t a, triple_t b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static inline real_t square_of(triple_t a) { return dot(a, a); }

static inline triple_t cross(triple_t a, triple_t b) {
    return (triple_t){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/*
 * The same in double precision, in both builds: ties iterate to 1e-14. For arrays, since most loops
 * are over the three coordinates. `to` may be a or b.
 */
static inline double wide_dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void wide_cross(const double a[3], const double b[3], double to[3]) {
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    memcpy(to, c, sizeof c);
}

/* A rotation from a body's frame to the world, as rows. */
typedef struct turn {
    triple_t x, y, z;
} turn_t;

static inline bool is_turned(const NAME(impinge_orientation) * o) { return o->w || o->r11; }

/* True if angular velocities are in the bodies' own frames. */
static inline bool has_own_turning(const NAME(impinge_orientation) * o) {
    return is_turned(o) && !o->world_angular_velocity;
}

static inline turn_t rotation_at(const NAME(impinge_orientation) * o, size_t number) {
    const size_t i = element(number, o->stride);
    if (!o->w)
        return (turn_t){vector_at(o->r11, o->r12, o->r13, i), vector_at(o->r21, o->r22, o->r23, i),
                        vector_at(o->r31, o->r32, o->r33, i)};
    const real_t w = o->w[i], x = o->x[i], y = o->y[i], z = o->z[i];
    /*
     * Divides by the squared length, so a quaternion whose length is not quite 1 still gives a
     * rotation.
     */
    const real_t s = 2 / (w * w + x * x + y * y + z * z);
    return (turn_t){{1 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y)},
                    {s * (x * y + w * z), 1 - s * (x * x + z * z), s * (y * z - w * x)},
                    {s * (x * z - w * y), s * (y * z + w * x), 1 - s * (x * x + y * y)}};
}

static inline triple_t to_world(const turn_t *r, triple_t a) {
    return (triple_t){dot(r->x, a), dot(r->y, a), dot(r->z, a)};
}

static inline triple_t to_body(const turn_t *r, triple_t a) {
    return (triple_t){r->x.x * a.x + r->y.x * a.y + r->z.x * a.z,
                      r->x.y * a.x + r->y.y * a.y + r->z.y * a.z,
                      r->x.z * a.x + r->y.z * a.y + r->z.z * a.z};
}

#endif
