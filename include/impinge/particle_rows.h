/**
 * Particles as rows that the caller keeps from step to step.
 *
 * A pair of a neighbour list reads the numbers of two particles at random places in memory, and
 * adds to two. With a column for each number (<impinge/particles.h>) that is a cache line for each
 * number of each particle; impinge_collide_particle_pairs therefore packs all particles into rows
 * at every call. A simulator that holds rows need not: impinge_collide_particle_rows reads them as
 * they are, and adds the contacts' changes to rows of sums.
 *
 *     pack once                        impinge_pack_particle_rows
 *     each step: move; then            impinge_collide_particle_rows   (sums += impulses)
 *                                      impinge_apply_particle_sums     (rows += sums / m; sums = 0)
 *     columns when they are wanted     impinge_unpack_particle_rows
 *
 * What a contact does is that of <impinge/particles.h>: overlap, law, restitution, projection,
 * periods. Its bits are not quite those of impinge_collide_particle_pairs, for two reasons. Spin is
 * kept as R omega, the speed of the surface. And impulses are summed before they are divided by the
 * mass: v + (p_1 + p_2 + ...) / m, the sum in the order of the contacts, instead of v + p_1 / m +
 * p_2 / m + .... That order is the only one: the same bits on every target, however a list is split
 * into calls that follow each other.
 *
 * Threads share the particles out in impinge_collide_particle_lists: there each particle has a list
 * of its own with all its neighbours (impinge_find_neighbours, `full`), and only its own sums are
 * written, in its list's order. Each pair is resolved twice, so that is quicker than one thread
 * with pairs only from three threads on or so. Whatever comes in pairs instead may have sums of
 * each thread, which the caller adds; then bits depend on the division.
 *
 * Rows may be anywhere that their numbers may be; from a multiple of 64 bytes on none crosses a
 * cache line, and they are read fastest.
 *
 * Everything here may run in any thread, on rows and sums that no other thread writes. No call
 * allocates; stack: less than 64 KiB.
 */
#ifndef IMPINGE_PARTICLE_ROWS_H
#define IMPINGE_PARTICLE_ROWS_H

#include <impinge/export.h>
#include <impinge/neighbours.h>
#include <impinge/particles.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Numbers of a particle in a row of its motion, and of its spin. */
enum { IMPINGE_MOTION_ROW = 8, IMPINGE_SPIN_ROW = 4 };

#ifdef __cplusplus
}
#endif

#include <impinge/particle_rows_f32.h>
#include <impinge/particle_rows_f64.h>

#endif
