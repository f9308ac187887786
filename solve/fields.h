/*
 * The members of the public structs that checks and gathering go through, each listed once: X is
 * applied to every name. If a list lacks a member of its struct, the library does not compile.
 */
#ifndef IMPINGE_SOLVE_FIELDS_H
#define IMPINGE_SOLVE_FIELDS_H

#include <impinge/bodies.h>

#include "../kernels/real.h"

/* clang-format off */
#define FIELDS_CONTACT(X)                                                                          \
    X(k11) X(k12) X(k13) X(k22) X(k23) X(k33) X(u1) X(u2) X(u3)
#define FIELDS_COEFFICIENTS(X)                                                                     \
    X(restitution) X(friction) X(friction_static) X(tangential_restitution) X(mix)                 \
    X(impulse_ratio_t1) X(impulse_ratio_t2) X(damping_fraction)
#define FIELDS_INERTIA(X)                                                                          \
    X(inverse_inertia_xx) X(inverse_inertia_yy) X(inverse_inertia_zz)
#define FIELDS_MASS(X)                                                                             \
    X(inverse_mass) FIELDS_INERTIA(X)
#define FIELDS_PRODUCTS(X)                                                                         \
    X(inverse_inertia_xy) X(inverse_inertia_xz) X(inverse_inertia_yz)
#define FIELDS_VELOCITY(X)                                                                         \
    X(velocity_x) X(velocity_y) X(velocity_z)
#define FIELDS_TURNING(X)                                                                          \
    X(angular_velocity_x) X(angular_velocity_y) X(angular_velocity_z)
#define FIELDS_MOTION(X)                                                                           \
    FIELDS_VELOCITY(X) FIELDS_TURNING(X)
#define FIELDS_ARM(X)                                                                              \
    X(arm_x) X(arm_y) X(arm_z)
#define FIELDS_QUATERNION(X)                                                                       \
    X(w) X(x) X(y) X(z)
#define FIELDS_ROTATION(X)                                                                         \
    X(r11) X(r12) X(r13) X(r21) X(r22) X(r23) X(r31) X(r32) X(r33)
#define FIELDS_RESULTS(X)                                                                          \
    X(impulse_x) X(impulse_y) X(impulse_z)                                                         \
    X(work_compression) X(work_restitution) X(work_friction)
/* clang-format on */

/* The number of fields in a list. */
#define FIELD_ONE(name) +1
#define FIELDS(list)    ((size_t)(0 list(FIELD_ONE)))

/* A member of the struct that p points to, for ANY_NULL. */
#define FIELD_OF_P(name) p->name,

#define ALL_LISTED(type, bytes)                                                                    \
    _Static_assert(sizeof(NAME(type)) == (bytes), #type ": a list in fields.h is not complete")
#define POINTERS_OF(count) ((count) * sizeof(void *))
#define STRIDES_OF(count)  ((count) * sizeof(size_t))

ALL_LISTED(impinge_coefficients, FIELDS(FIELDS_COEFFICIENTS) * sizeof(NAME(impinge_coefficient)) +
                                     POINTERS_OF(1)); /* the model of restitution */
ALL_LISTED(impinge_contacts, sizeof(size_t) + POINTERS_OF(FIELDS(FIELDS_CONTACT)) +
                                 sizeof(NAME(impinge_coefficients)) + STRIDES_OF(2));
/* The last is whether angular velocities are in the world's frame. */
ALL_LISTED(impinge_orientation, POINTERS_OF(FIELDS(FIELDS_QUATERNION) + FIELDS(FIELDS_ROTATION)) +
                                    STRIDES_OF(1) + sizeof(size_t));
ALL_LISTED(impinge_pair_side, sizeof(NAME(impinge_orientation)) +
                                  POINTERS_OF(FIELDS(FIELDS_MASS) + FIELDS(FIELDS_PRODUCTS) +
                                              FIELDS(FIELDS_ARM) + FIELDS(FIELDS_MOTION)) +
                                  STRIDES_OF(5));
ALL_LISTED(impinge_bodies,
           sizeof(size_t) + sizeof(NAME(impinge_orientation)) +
               POINTERS_OF(FIELDS(FIELDS_MASS) + FIELDS(FIELDS_PRODUCTS) + FIELDS(FIELDS_MOTION)) +
               STRIDES_OF(4));
ALL_LISTED(impinge_body_results, POINTERS_OF(FIELDS(FIELDS_MOTION)) + STRIDES_OF(2));
/* The outcome is the one member that is not in the list. */
ALL_LISTED(impinge_indexed_results, POINTERS_OF(FIELDS(FIELDS_RESULTS) + 1) + STRIDES_OF(3));

#endif
