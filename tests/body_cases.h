/** Contacts of two bodies by names, for tests with published numbers. */
#ifndef BODY_CASES_H
#define BODY_CASES_H

#include "batches.h"

/** Against a wall: B is all zero. */
#define WALL                                                                                       \
    {                                                                                              \
        0, 0, {0}, {0}, { 0 }                                                                      \
    }

/** One of the two bodies. */
typedef struct body {
    double inverse_mass;
    double inverse_inertia; /**< of a sphere, a cube or anything else alike about all axes */
    double arm[3], velocity[3], angular_velocity[3];
} body;

/** Two bodies, the normal from B to A, and the coefficients that every law has. */
typedef struct body_case {
    body a, b;
    double normal[3];
    double restitution, friction;
} body_case;

/** Their row of inputs; the coefficients that only some laws have are 0. */
void row_of_bodies(const body_case *c, double row[PAIR_INPUTS]);

#endif
