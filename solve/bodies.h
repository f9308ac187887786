/* Bodies at their contacts, one at a time: what an index names, approach velocities, pushes. */
#ifndef IMPINGE_SOLVE_BODIES_H
#define IMPINGE_SOLVE_BODIES_H

#include <stdbool.h>

#include <impinge/bodies.h>

#include "../kernels/real.h"

/* Whether a contact's indices are of two bodies, or of the world: else it is invalid. */
bool NAME(impinge_names_pair)(const NAME(impinge_bodies) * bodies,
                              const NAME(impinge_indexed_contacts) * contacts, size_t number);

/* Whether the index is of a body that an impulse moves. */
bool NAME(impinge_is_movable)(const NAME(impinge_bodies) * bodies, uint32_t index);

/* -u_n of a contact where it is positive and an impulse can change it; else 0. */
real_t NAME(impinge_approach)(const NAME(impinge_bodies) * bodies,
                              const NAME(impinge_indexed_contacts) * contacts, size_t number);

/* v += p / m and omega += I^-1 (r x p) of a body that the index names. */
void NAME(impinge_push)(const NAME(impinge_bodies) * bodies, uint32_t index, const real_t arm[3],
                        const real_t impulse[3]);

#endif
