/** Scenes of simultaneous contacts, in double; tests resolve them in both precisions. */
#ifndef SEQUENCE_SCENES_H
#define SEQUENCE_SCENES_H

#include <stddef.h>
#include <stdint.h>

#include "reference_sequence.h"

/** Bodies and contacts; the caller frees the arrays by scene_free. */
typedef struct scene {
    size_t bodies, contacts;
    reference_body_double *body; /**< its arm is not used */
    reference_sequence_contact *contact;
} scene;

/** A scene with nothing in it but room: bodies are immovable and at rest. */
scene scene_of(size_t bodies, size_t contacts);
scene scene_copy(const scene *from);
void scene_free(scene *s);

/** A solid sphere of radius 1. */
reference_body_double sphere_of(double mass, double vx, double vy);

/**
 * A contact of two spheres of radius 1, or of anything else with arms along the normal.
 *
 * @param normal from b to a, unit length
 */
reference_sequence_contact contact_of(uint32_t a, uint32_t b, const double normal[3],
                                      double restitution, double friction);

/** Balls of these masses in a row along x, contact i between ball i and i + 1; the first `in` of
 * them move at 1, the others are at rest. */
scene row_of_balls(size_t count, const double *mass, size_t in, double restitution);

/**
 * Uniform rods of mass 1 and length 2 along x, falling flat at speed 1 on immovable ground with
 * both tips: contacts 2 i and 2 i + 1 are those of rod i, the left tip first.
 */
scene rods(size_t count, double restitution);

/**
 * A pool break: 15 balls racked at rest, ball 15 hits the one in front at speed 1 along x, or off
 * centre, at `angle` from the line of centres; 30 contacts of the rack, then the cue ball's.
 */
scene pool_break(double angle, double restitution, double friction);

/** The scene in the mirror y -> -y, numbered as before. */
scene mirrored(const scene *s);

/**
 * Islands of 1 to `most` contacts between balls of several sizes, at random, some of them with body
 * 0, which is immovable but moves, or the world; contacts of islands are interleaved.
 */
scene random_islands(uint64_t *state, size_t islands, unsigned most);

double momentum_of(const scene *s, int axis);
double energy_of(const scene *s);

#endif
