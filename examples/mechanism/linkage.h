/**
 * Hinged rods that strike the ground, as a mechanism and as separate bodies (Chatterjee and Ruina
 * 1998, 6.4, 6.5): the pendulum of its figure 8, and the double pendulum of Morgan 2011.
 */
#ifndef MECHANISM_LINKAGE_H
#define MECHANISM_LINKAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Rods in a chain from a fixed hinge; the free end of the last one is at the ground. */
enum { LINKAGE_RODS_MAX = 2 };

/**
 * Rods of length 1 and mass 1. The angle of the first counts from x, those of the others from the
 * rod before; the ground is horizontal, and below.
 */
typedef struct linkage {
    size_t rods;
    double angle[LINKAGE_RODS_MAX]; /**< rad */
    double speed[LINKAGE_RODS_MAX]; /**< before, of those angles, rad/s */
    double restitution, friction;   /**< of the ground; Stronge's rule */
} linkage;

/** The result of its collision. */
typedef struct linkage_result {
    double energy; /**< after, as a share of that before */
    double slip;   /**< the end's velocity after, along the ground and off it, m/s */
    double normal;
    uint32_t outcome;  /**< as a mechanism: of the one collision */
    size_t collisions; /**< as separate bodies: how many there were */
    bool ended;        /**< and whether nothing approached after them */
    double left;       /**< the largest speed at which something still does, m/s */
} linkage_result;

/** The end's velocity before. */
void linkage_approach(const linkage *of, double *slip, double *normal);

/** One collision of the intact mechanism. */
linkage_result linkage_intact(const linkage *of);

/**
 * Rods that fly free, and collide with the ground and in their hinges; a hinge is a contact that is
 * plastic and sticks, whichever way it moves. One collision at a time, that of the greatest
 * approach speed; the first of equals. Ends when none approaches faster than `least`, or after
 * `most`.
 */
linkage_result linkage_separate(const linkage *of, double least, size_t most);

#endif
