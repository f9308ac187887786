/** Converts spheres to body pairs. */
#ifndef TOOLS_SPHERES_H
#define TOOLS_SPHERES_H

#include "batch.h"

/** The inputs of two spheres besides their velocities; three in a row are x, y, z. */
enum sphere_column { SPHERE_FIELDS(FIELD_INDEX, ) SPHERE_COLUMNS };

/**
 * Makes the normal, arms, inverse masses and inverse inertias of contacts `first` to
 * `first + count - 1` of a batch of pairs.
 *
 * Solid spheres, inertia 2/5 m r^2, the contact on the line between the centres: normal =
 * (position_a - position_b) / distance, arm_a = -radius_a normal, arm_b = radius_b normal. All of
 * it is computed in f64 and rounded once: in f32 the difference of two positions would lose the
 * digits that make the normal. Centres that coincide, masses and radii that are not positive give
 * what the library finds invalid.
 *
 * @param columns SPHERE_COLUMNS arrays in f64
 */
void spheres_to_pairs(const numbers *columns, const batch *pairs, size_t first, size_t count);

#endif
