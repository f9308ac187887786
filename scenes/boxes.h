/**
 * Boxes on a floor, for tests, the benchmark and the example: what a small simulator has around the
 * library. Compiled once for each precision.
 */
#ifndef SCENES_BOXES_H
#define SCENES_BOXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <impinge/impinge.h>

#include "real.h"

/** A contact as the detection finds it. */
typedef struct NAME(box_contact) {
    uint32_t a, b; /**< boxes; b may be IMPINGE_WORLD, the floor */
    double point[3], normal[3], gap;
    double local[3]; /**< the point in A's frame, by which it is found again */
    bool taken;      /**< its impulse is that of a new contact */
} NAME(box_contact);

/** All of it. Boxes are given in their own frame, with quaternions. */
typedef struct NAME(box_world) {
    size_t boxes, room;
    double (*half)[3]; /**< half the edges, m */
    /** inverse mass, inverse inertia (3), position (3), quaternion (4), velocity (3), angular (3)
     */
    real_t *column[17];

    size_t contacts, contact_room, old_contacts;
    NAME(box_contact) * contact, *old;
    uint32_t *index_a, *index_b, *outcome;
    real_t *contact_column[16]; /**< arms (6), normal (3), gap, impulse (3), old impulse (3) */

    double friction, restitution, gravity[3];
    double margin; /**< contacts are found up to this gap, m */
    bool floor, cold;
    impinge_options law;
    impinge_step_options how;
    impinge_step_report report; /**< of the last step */
    void *workspace;
    size_t workspace_size;
} NAME(box_world);

enum {
    BOX_MASS,
    BOX_INERTIA,
    BOX_POSITION = BOX_INERTIA + 3,
    BOX_QUATERNION = BOX_POSITION + 3,
    BOX_VELOCITY = BOX_QUATERNION + 4,
    BOX_ANGULAR = BOX_VELOCITY + 3,
    BOX_ARM_A = 0,
    BOX_ARM_B = 3,
    BOX_NORMAL = 6,
    BOX_GAP = 9,
    BOX_IMPULSE = 10,
    BOX_OLD_IMPULSE = 13
};

/** Room for so many boxes. A floor at z = 0, friction 0.5, gravity 9.81 down. */
NAME(box_world) * NAME(box_world_new)(size_t room);
void NAME(box_world_free)(NAME(box_world) * w);

/** A box at rest; returns its number. Mass 0: immovable. The quaternion of any length; or null. */
uint32_t NAME(box_add)(NAME(box_world) * w, const double half[3], double mass,
                       const double position[3], const double quaternion[4]);

/** Finds the contacts where the boxes are now, and the impulses of the step before at them. */
void NAME(box_detect)(NAME(box_world) * w);

/** As the library takes them. */
NAME(impinge_bodies) NAME(box_bodies)(const NAME(box_world) * w);
NAME(impinge_indexed_contacts) NAME(box_contacts)(const NAME(box_world) * w);

/** One step of length h, as docs/stepping.md has it. */
impinge_status NAME(box_step)(NAME(box_world) * w, double h);

/** J; the potential energy counts from the floor. */
double NAME(box_kinetic_energy)(const NAME(box_world) * w);
double NAME(box_potential_energy)(const NAME(box_world) * w);

/** The largest overlap of the last detection, m. */
double NAME(box_overlap)(const NAME(box_world) * w);

/** A corner of a box, 0 to 7, world frame. */
void NAME(box_corner)(const NAME(box_world) * w, size_t box, unsigned corner, double at[3]);

#endif
