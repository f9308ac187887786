/**
 * Hakenberg's three scenes: two bodies each at the moment of contact, and the penalty model
 * compared with the paper's lambda there.
 *
 * The paper prints pictures, no numbers; those in penalty_scenes.c are ours. Bodies are ellipsoids
 * of even density, so that their inertia ellipsoid (in the paper's pictures: "not identical to the
 * exterior") is their surface, and they touch where they seem to. As the paper assumes, the centre
 * of total mass is at 0 and the total linear momentum is 0.
 */
#ifndef PENALTY_SCENES_H
#define PENALTY_SCENES_H

#include "penalty_model.h"

enum { PENALTY_SCENES = 3 };

/** "billiard", "baseball" and "stuntmen". */
extern const char *const penalty_scene_names[PENALTY_SCENES];

/**
 * The bodies of a scene, and their one contact: elastic, without friction, just touching.
 *
 * @param geometry fixed; or the plane in which they touch is a face of body 1
 * @param stiffness of the contact, N/m
 */
penalty_system penalty_scene(size_t scene, penalty_geometry geometry, double stiffness);

/** The semi-axes of the ellipsoid of even density that has a body's mass and inertia, m. */
void penalty_semi_axes(const penalty_body *body, double semi_axes[3]);

/**
 * The velocities after a fixed contact by the library's frictionless law, at once.
 *
 * @param fraction of the elastic impulse that is applied: 1 elastic, 1/2 plastic
 */
void penalty_resolve(penalty_system *system, size_t contact, double fraction);

/** How far the penalty model ends from lambda. */
typedef struct penalty_comparison {
    double lasted; /**< s */
    /** The largest difference of a body's velocity, over the largest velocity after. */
    double velocity_error;
    /** The same for the angular velocities, in the bodies' frames. */
    double omega_error;
} penalty_comparison;

/** Lets the bodies of a scene collide by both models. Steps: see penalty_collide. */
penalty_comparison penalty_compare(size_t scene, penalty_geometry geometry, double stiffness,
                                   size_t steps);

#endif
