/**
 * Particles as rows that the caller keeps from step to step.
 *
 * Each pair of a neighbour list reads and changes the numbers of two particles at random places in
 * memory. With a column for each number (<impinge/particles.h>), this takes a cache line for each
 * number of each particle. impinge_collide_particle_pairs therefore packs all particles into rows
 * in every call. A simulator that keeps rows avoids this: impinge_collide_particle_rows reads them
 * directly, and adds the changes by contacts to rows of sums.
 *
 *     pack once                        impinge_pack_particle_rows
 *     each step: move; then            impinge_collide_particle_rows   (sums += impulses)
 *                                      impinge_apply_particle_sums     (rows += sums / m; sums = 0)
 *     columns when they are wanted     impinge_unpack_particle_rows
 *
 * Contacts collide as in <impinge/particles.h>, with the same overlap, law, restitution, projection
 * and periods. Some bits differ from those of impinge_collide_particle_pairs, for two reasons. Spin
 * is kept as R omega, the speed of the surface. And impulses are summed before they are divided by
 * the mass: v + (p_1 + p_2 + ...) / m instead of v + p_1 / m + p_2 / m + .... The sum is always
 * taken in the order of the contacts, so the bits are the same on every target, and for every
 * division of a list into calls one after the other.
 *
 * Threads may share out the particles in impinge_collide_particle_lists. There each particle has a
 * list of all its neighbours (impinge_find_neighbours, `full`), and only its own sums are written,
 * in the order of its list. Each pair is resolved twice, so this is faster than one thread with
 * pairs only from about three threads on. Alternatively, each thread can collide some pairs into
 * sums of its own, which the caller adds up; then the bits depend on the division.
 *
 * Where few pairs touch, most sums stay zero. With an array for marks (impinge_particle_sums,
 * `added`), only the others are read; the bits are the same.
 *
 * Rows need only the alignment of their numbers. If they begin at a multiple of 64 bytes, no row
 * crosses a cache line, and they are read fastest.
 *
 * All calls may run in any thread, on rows and sums that no other thread writes. No call allocates.
 * Their stack is stated in <impinge/batch.h>.
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
