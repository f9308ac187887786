/* Bodies at their contacts, one at a time: indices, approach velocities, pushes. */
#ifndef IMPINGE_SOLVE_BODIES_H
#define IMPINGE_SOLVE_BODIES_H

#include <stdbool.h>

#include <impinge/bodies.h>

#include "../kernels/real.h"
#include "vector.h"

/* The indices and numbers of contact i, for any stride. */
static inline uint32_t body_a_of(const NAME(impinge_indexed_contacts) * c, size_t i) {
    return c->index_a[element(i, c->index_stride)];
}

static inline uint32_t body_b_of(const NAME(impinge_indexed_contacts) * c, size_t i) {
    return c->index_b[element(i, c->index_stride)];
}

static inline triple_t arm_a_of(const NAME(impinge_indexed_contacts) * c, size_t i) {
    return vector_at(c->arm_a_x, c->arm_a_y, c->arm_a_z, element(i, c->arm_stride));
}

static inline triple_t arm_b_of(const NAME(impinge_indexed_contacts) * c, size_t i) {
    return vector_at(c->arm_b_x, c->arm_b_y, c->arm_b_z, element(i, c->arm_stride));
}

static inline triple_t normal_of(const NAME(impinge_indexed_contacts) * c, size_t i) {
    return vector_at(c->normal_x, c->normal_y, c->normal_z, element(i, c->normal_stride));
}

/*
 * True if both indices are of bodies or the world, and not of the same body; otherwise the contact
 * is invalid.
 */
static inline bool are_pair(size_t bodies, uint32_t a, uint32_t b) {
    return (a < bodies || a == IMPINGE_WORLD) && (b < bodies || b == IMPINGE_WORLD) &&
           (a != b || a == IMPINGE_WORLD);
}

/* A body's velocity and, apart from it, omega x r; the world is at rest. */
typedef struct contact_velocity {
    triple_t centre, turning;
} contact_velocity_t;

/* u = v_A - v_B. A common velocity, however large, cancels. */
static inline triple_t relative_velocity(const contact_velocity_t *a, const contact_velocity_t *b) {
    return plus(minus(a->centre, b->centre), minus(a->turning, b->turning));
}

/*
 * -u_n where it is above `least` and finite; else 0, as for NaN. The terms are in the kernels'
 * order (contact_of_bodies). The last bits may still differ from the kernels' u_n: those fuse
 * multiply-adds, which portable C has only as a slow call, and this is computed for each contact of
 * a body after each collision. The effect of the difference is corrected in the sequence's
 * prepare().
 */
static inline real_t approach_above(double least, triple_t n, const contact_velocity_t *a,
                                    const contact_velocity_t *b) {
    const real_t approach = -dot(n, relative_velocity(a, b));
    return (double)approach > least && approach <= REAL_MAX ? approach : 0;
}

bool NAME(impinge_names_pair)(const NAME(impinge_bodies) * bodies,
                              const NAME(impinge_indexed_contacts) * contacts, size_t number);

/* True if the index is of a body that an impulse moves. */
bool NAME(impinge_is_movable)(const NAME(impinge_bodies) * bodies, uint32_t index);

/* -u_n of a contact if it is positive and an impulse can change it; else 0. */
real_t NAME(impinge_approach)(const NAME(impinge_bodies) * bodies,
                              const NAME(impinge_indexed_contacts) * contacts, size_t number);

/*
 * The approach that rounding alone can leave to a contact after its impulse, whose effect the
 * velocities have: some units of rounding of the sizes of all terms. Those of u_n are |v| and
 * |omega| |r| of both bodies; those of K p are (1/m + |I^-1| |r|^2) |p|, and sums of them, in K, in
 * r x p or in u, may cancel. Velocities before the impulse are no larger than all of them together.
 */
double NAME(impinge_approach_by_rounding)(const NAME(impinge_bodies) * bodies,
                                          const NAME(impinge_indexed_contacts) * contacts,
                                          size_t number, const real_t impulse[3]);

/* u of a contact that names a pair. */
triple_t NAME(impinge_contact_velocity)(const NAME(impinge_bodies) * bodies,
                                        const NAME(impinge_indexed_contacts) * contacts,
                                        size_t number);

/* v += p / m and omega += I^-1 (r x p) of a body that the index names. */
void NAME(impinge_push)(const NAME(impinge_bodies) * bodies, uint32_t index, const real_t arm[3],
                        const real_t impulse[3]);

#endif
