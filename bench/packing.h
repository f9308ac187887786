/** A dense random packing of moving spheres, and the pairs that a neighbour list would have of it.
 */
#ifndef BENCH_PACKING_H
#define BENCH_PACKING_H

#include <stddef.h>
#include <stdint.h>

/** The size that is measured: beyond the second cache. */
enum { PACKING_PARTICLES = 50000 };

typedef struct packing {
    size_t particles, contacts;
    double *radius, *position[3]; /**< m */
    double *mass;                 /**< kg; 1 at the mean radius */
    double *motion[6];            /**< random: velocity, m/s, and angular velocity, rad/s */
    uint32_t *a, *b;              /**< nearer than 1.1 times the sum of their radii */
} packing;

/**
 * Spheres of 0.45 to 0.55 m at random places of a periodic cube, pushed apart until they fill 62 %
 * of it with little overlap, numbered along the cells of a grid; pairs across its faces are left
 * out. The same for the same count.
 */
packing packing_new(size_t particles);

/**
 * Shrinks the spheres until that share of the listed pairs touches, as in a gas with a generous
 * skin: places and lists stay. In [0, 1]; at 1 the spheres stay as they are.
 */
void packing_thin(packing *p, double share);

/** Pairs in a random order instead of that of particles A. The same always. */
void packing_shuffle(packing *p);

void packing_free(packing *p);

#endif
