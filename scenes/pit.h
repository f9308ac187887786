/** The recorded scene of boxes: data/boxes_pit.csv with what boxes_pit_index.csv says of its rows.
 */
#ifndef SCENES_PIT_H
#define SCENES_PIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Numbers of a row, in the order of the columns (data/README.md): inverse masses, inverse inertias,
 * arms, the normal, velocities and angular velocities of A and of B, restitution and friction.
 */
enum {
    PIT_MASS = 0,
    PIT_INERTIA = 2,
    PIT_ARM = 14,
    PIT_NORMAL = 20,
    PIT_VELOCITY = 23,
    PIT_ANGULAR = 26,
    PIT_SIDE = 6, /**< from A's inertia to B's, and from A's velocity to B's */
    PIT_RESTITUTION = 35,
    PIT_FRICTION = 36,
    PIT_NUMBERS = 37
};

typedef struct pit_row {
    double number[PIT_NUMBERS], normal_velocity;
    unsigned long substep;
    uint32_t a, b;
    bool of_set; /**< of a complete set of a substep's contacts, not an `impact` */
} pit_row;

/**
 * All rows, to be freed, in the order of the files, which is that of the substeps. Null: the files
 * in `folder` cannot be read, or a row of them is not as it should be.
 */
pit_row *pit_read(const char *folder, size_t *count);

/** Keeps the rows of complete sets, in their order; returns how many. */
size_t pit_keep_sets(pit_row *rows, size_t count);

#ifdef __cplusplus
}
#endif

#endif
