/** The single-precision half of <impinge/particle_rows.h>, which includes it and has the
 * conventions. */
#ifndef IMPINGE_PARTICLE_ROWS_F32_H
#define IMPINGE_PARTICLE_ROWS_F32_H

#include <impinge/particle_rows.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Particles, a row each of every table. */
typedef struct impinge_particle_rows_f32 {
    size_t count; /**< how many particles; indices are below it */
    /**
     * Place and velocity, IMPINGE_MOTION_ROW numbers a particle: x, y, z, R, v_x, v_y, v_z, 1/m; m,
     * m/s, 1/kg. R and 1/m are >= 0; 1/m = 0: immovable. Required.
     */
    float *motion;
    /**
     * Spin, IMPINGE_SPIN_ROW numbers a particle: R omega_x, R omega_y, R omega_z, m/s, and the arm
     * R^2 / I >= 0, 1/kg: 2.5 / m of a solid sphere, 0 of what does not turn. Looked at of pairs
     * that approach. Null: points, which do not spin.
     */
    float *spin;
    float period_x, period_y, period_z; /**< m; as in impinge_particles_f32 */
} impinge_particle_rows_f32;

/** Sums of the contacts' changes, one row of each table per particle. All zero before the first. */
typedef struct impinge_particle_sums_f32 {
    /**
     * IMPINGE_MOTION_ROW numbers a particle: the sum of projections along n, x, y, z, kg m, a zero;
     * the sum of impulses, x, y, z, kg m/s, a zero. Added for a contact's A, subtracted for its B.
     * Required.
     */
    float *push;
    /**
     * IMPINGE_SPIN_ROW numbers a particle: the sum of n x p, x, y, z, kg m/s, of both A and B, and
     * a zero. Required for spheres.
     */
    float *moment;
} impinge_particle_sums_f32;

/**
 * Writes rows of particles.
 *
 * @param particles read only
 * @param rows tables to write; spin null: none, and null where the particles have no angular
 * velocities. Its count and periods are ignored
 * @param first, count which particles, and rows
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_COUNT (first + count above
 * particles->count is one, too) or an error of the choice of target (impinge_target_select).
 * Numbers are packed unchecked, but that an infinite R gives R omega = R^2 / I = 0: the call that
 * collides reports what is invalid.
 */
IMPINGE_API impinge_status impinge_pack_particle_rows_f32(const impinge_particles_f32 *particles,
                                                          const impinge_particle_rows_f32 *rows,
                                                          size_t first, size_t count);

/**
 * Writes positions, velocities and, for spheres with a finite R > 0, angular velocities omega =
 * (R omega) / R from rows. Radii, masses and inertias are not written.
 *
 * @param rows read only; count and periods are ignored
 * @param particles its radii are read
 * @param first, count which particles, and rows
 * Returns as impinge_pack_particle_rows_f32.
 */
IMPINGE_API impinge_status impinge_unpack_particle_rows_f32(const impinge_particle_rows_f32 *rows,
                                                            const impinge_particles_f32 *particles,
                                                            size_t first, size_t count);

/**
 * Counts the impulses that each particle gets, for contacts->sharing. Use the same rows, contacts
 * and options in the call of impinge_collide_particle_rows_f32 that follows.
 *
 * @param rows read only
 * @param contacts index_a and index_b are required
 * @param options null: the defaults
 * @param counts one for each particle, added to: zeros before the first call. Particles that cannot
 * move have none
 * @param report null: not wanted
 * Returns as impinge_collide_particle_rows_f32.
 */
IMPINGE_API impinge_status impinge_count_particle_rows_f32(
    const impinge_particle_rows_f32 *rows, const impinge_particle_contacts_f32 *contacts,
    const impinge_options *options, uint32_t *counts, impinge_report *report);

/**
 * Resolves pairs and adds their changes to sums. The rows are not written, so all contacts see the
 * same.
 *
 * @param rows read only
 * @param contacts index_a and index_b are required, and one of `sharing` and `independent`
 * @param options null: the defaults
 * @param sums written; other tables than the rows
 * @param report null: not wanted
 * Invalid contacts, and those that are OUT_OF_RANGE, add nothing;
 * impinge_resolve_particle_pairs_f32 reports which they are, except that this call does not check
 * the spins and arms of pairs that do not approach. Returns as impinge_collide_particle_pairs_f32.
 */
IMPINGE_API impinge_status impinge_collide_particle_rows_f32(
    const impinge_particle_rows_f32 *rows, const impinge_particle_contacts_f32 *contacts,
    const impinge_options *options, const impinge_particle_sums_f32 *sums, impinge_report *report);

/**
 * Counts the impulses that each of some particles gets by its list, for contacts->sharing. Threads
 * that share the particles out must all have ended this call before one of them begins
 * impinge_collide_particle_lists_f32, which takes the same arguments.
 *
 * @param counts one for each particle; those of particles first to first + count - 1 are added to:
 * zeros before the first call
 * The other parameters, and what it returns: as impinge_collide_particle_lists_f32.
 */
IMPINGE_API impinge_status impinge_count_particle_lists_f32(
    const impinge_particle_rows_f32 *rows, const impinge_neighbours *lists,
    const impinge_particle_contacts_f32 *contacts, const impinge_options *options, uint32_t *counts,
    size_t first, size_t count, impinge_report *report);

/**
 * Resolves the contacts of each of some particles with those in its list, and adds what it gets to
 * its own sums, in the order of its list. No other particle's sums are written, so that threads may
 * share the particles out; any division has the same bits.
 *
 * A pair is in the lists of both its particles and is resolved twice, which is about twice the work
 * of impinge_collide_particle_rows_f32. Both get exactly opposite impulses and projections: the
 * same bits but for the sign. That takes the same coefficients in both lists.
 *
 * @param rows read only
 * @param lists starts, index and count are read: as impinge_find_neighbours_f32 writes them, with
 * `full` and without planes, or any other lists of particles in any order. A particle that is
 * listed where the other's list does not have it gets an impulse that the other does not
 * @param contacts one of `sharing` and `independent` is required; first, count and indices are
 * ignored. A coefficient's `values` has an element for each element of lists->index
 * @param options null: the defaults
 * @param sums written, rows first to first + count - 1; other tables than the rows
 * @param first, count which particles
 * @param report null: not wanted. Its contacts are elements of lists->index, from 0 on
 * Invalid contacts, among them indices that are out of range or the particle's own, and those that
 * are OUT_OF_RANGE, add nothing. Returns as impinge_collide_particle_rows_f32; IMPINGE_ERROR_COUNT
 * if first + count is above rows->count, too; IMPINGE_ERROR_ARGUMENT if the starts of these
 * particles descend or are above lists->count.
 */
IMPINGE_API impinge_status impinge_collide_particle_lists_f32(
    const impinge_particle_rows_f32 *rows, const impinge_neighbours *lists,
    const impinge_particle_contacts_f32 *contacts, const impinge_options *options,
    const impinge_particle_sums_f32 *sums, size_t first, size_t count, impinge_report *report);

/**
 * Adds sums to rows, and makes the sums zero: place += push / m, velocity += push / m, and R omega
 * -= R^2 / I times the moment. Immovable particles, and places, velocities and spins to which only
 * zeros would be added, keep their bits.
 *
 * @param rows written; count is read, periods are ignored
 * @param sums written
 * @param first, count which rows: threads that share them out get the same bits as one
 * Returns as impinge_pack_particle_rows_f32, or IMPINGE_SOME_INVALID if a number of a row would
 * have become infinite or NaN: such a row is not changed.
 */
IMPINGE_API impinge_status impinge_apply_particle_sums_f32(const impinge_particle_rows_f32 *rows,
                                                           const impinge_particle_sums_f32 *sums,
                                                           size_t first, size_t count);

#ifdef __cplusplus
}
#endif

#endif
