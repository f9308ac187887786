/* Bodies move on. */
#ifndef IMPINGE_SOLVE_ADVANCE_H
#define IMPINGE_SOLVE_ADVANCE_H

#include "body_stage.h"

/* All bodies, by their velocities in a time. */
void NAME(impinge_move_bodies)(const NAME(impinge_bodies) * bodies,
                               const NAME(impinge_poses) * poses, double time);

/*
 * Moves body i by a displacement and turns it, by a rotation vector in the world's frame or in its
 * own. Does nothing if a number is not finite.
 */
void NAME(impinge_move_pose)(const NAME(impinge_poses) * poses, size_t i, const double by[3],
                             const double turn[3], bool own);

#endif
