/** Converts bodies given in their own frames for the reference, which takes only the world's. */
#ifndef TOOLS_ORIENTATION_H
#define TOOLS_ORIENTATION_H

#include "reference.h"

/**
 * Turns the inverse inertia and the angular velocity of a body into the world's frame.
 *
 * @param quaternion w, x, y, z; its length must be 1 within 1e-3
 * Returns 0, or the outcome of a quaternion that is no rotation.
 */
uint32_t orientation_to_world(const long double quaternion[4], reference_body_long *body);

#endif
