/** A scene in motion: its world, its time, its series. */
#ifndef SIMULATE_MOTION_H
#define SIMULATE_MOTION_H

#include "scene.h"
#include "series.h"

/** A checkpoint keeps all of it but the world's costs. */
typedef struct motion {
    scene scene;
    world *world;
    uint64_t step;
    double time, next_step; /**< next_step: h */
    uint64_t impacts;
    series series;
} motion;

/**
 * Begins; the gas is equilibrated, and its first sample is the state after that.
 *
 * @param equilibration_steps the most; fails if it takes more
 */
motion motion_begin(const scene *of, uint64_t equilibration_steps, size_t threads);
void motion_end(motion *of);

/** One step, and a sample where one is due. */
void motion_step(motion *of);

/** The state now. */
sample motion_sample(const motion *of);

/** Collisions per particle so far. */
double motion_collisions(const motion *of);

#endif
