/** The single-precision half of <impinge/particle_rows.h>, which includes it and has the
 * conventions. */
#ifndef IMPINGE_PARTICLE_ROWS_F32_H
#define IMPINGE_PARTICLE_ROWS_F32_H

#include <impinge/particle_rows.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Particles: each has one row in every table. */
typedef struct impinge_particle_rows_f32 {
    size_t count; /**< how many particles; indices are below it */
    /**
     * Position and velocity, IMPINGE_MOTION_ROW numbers a particle: x, y, z, R, v_x, v_y, v_z, 1/m;
     * m, m/s, 1/kg. R and 1/m are >= 0; 1/m = 0: immovable. Required.
     */
    float *motion;
    /**
     * Spin, IMPINGE_SPIN_ROW numbers a particle: R omega_x, R omega_y, R omega_z, m/s, and the arm
     * R^2 / I >= 0, 1/kg: 2.5 / m for a solid sphere, 0 for a particle that does not turn. Read
     * only for pairs that approach. Null: points, which do not spin.
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
    /**
     * Marks, a byte for each particle, all 0 before the first: not 0 if something may have been
     * added to its sums. The calls that collide set it to 1; where many pairs touch, also for other
     * particles (lists: other selected ones). impinge_apply_particle_sums_f32 reads the sums of the
     * particles that are marked, and no others, which takes much less time where few pairs touch,
     * and sets the bytes to 0. Mark the particles to whose sums you add something yourself. Null:
     * the sums of all particles are read.
     */
    uint8_t *added;
} impinge_particle_sums_f32;

/**
 * Writes rows of particles.
 *
 * @param particles read only
 * @param selection which particles, and rows; null: all; an order is refused
 * @param rows tables to write; if spin is null, no spin is written; it must be null if the
 * particles have no angular velocities. Count and periods are ignored
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_COUNT, IMPINGE_ERROR_ARGUMENT for a
 * selection with an order, or an error of the choice of target (impinge_target_select).
 * Numbers are not checked: the call that collides reports invalid ones. An infinite R gives R omega
 * = R^2 / I = 0.
 */
IMPINGE_API impinge_status impinge_pack_particle_rows_f32(const impinge_particles_f32 *particles,
                                                          const impinge_selection *selection,
                                                          const impinge_particle_rows_f32 *rows);

/**
 * Writes positions, velocities and, for spheres with a finite R > 0, angular velocities omega =
 * (R omega) / R from rows. Radii, masses and inertias are not written.
 *
 * @param rows read only; periods are ignored
 * @param selection which rows, and particles; null: all; an order is refused
 * @param particles its radii are read; count is ignored
 * Returns as impinge_pack_particle_rows_f32.
 */
IMPINGE_API impinge_status impinge_unpack_particle_rows_f32(const impinge_particle_rows_f32 *rows,
                                                            const impinge_selection *selection,
                                                            const impinge_particles_f32 *particles);

/**
 * Counts the impulses that each particle gets, for contacts->sharing. Use the same rows, contacts
 * and options in the call of impinge_collide_particle_rows_f32 that follows.
 *
 * @param rows read only
 * @param contacts index_a and index_b are required
 * @param selection which of them; null: all; an order is refused
 * @param options null: the defaults
 * @param counts one for each particle, added to: zeros before the first call. Particles that cannot
 * move have none
 * @param report null: not wanted
 * Returns as impinge_collide_particle_rows_f32.
 */
IMPINGE_API impinge_status impinge_count_particle_rows_f32(
    const impinge_particle_rows_f32 *rows, const impinge_particle_contacts_f32 *contacts,
    const impinge_selection *selection, const impinge_options *options, uint32_t *counts,
    impinge_report *report);

/**
 * Resolves pairs and adds their changes to sums. The rows are not written, so all contacts use the
 * same velocities.
 *
 * @param rows read only
 * @param contacts index_a and index_b are required, and one of `sharing` and `independent`
 * @param selection which of them; null: all; an order is refused
 * @param options null: the defaults
 * @param sums written; not the tables of the rows
 * @param report null: not wanted
 * Invalid contacts, and those that are OUT_OF_RANGE, add nothing. To find out which they are, call
 * impinge_resolve_particle_pairs_f32; it also checks the spins and arms of pairs that do not
 * approach, which this call does not.
 * Returns as impinge_collide_particle_pairs_f32.
 */
IMPINGE_API impinge_status impinge_collide_particle_rows_f32(
    const impinge_particle_rows_f32 *rows, const impinge_particle_contacts_f32 *contacts,
    const impinge_selection *selection, const impinge_options *options,
    const impinge_particle_sums_f32 *sums, impinge_report *report);

/**
 * Counts the impulses that each of some particles gets from its list, for contacts->sharing. If
 * threads share out the particles, all of them must have completed this call before one of them
 * begins impinge_collide_particle_lists_f32, which takes the same arguments.
 *
 * @param counts one for each particle; those of the selected particles are added to: zeros before
 * the first call
 * The other parameters and the returned values are those of impinge_collide_particle_lists_f32.
 */
IMPINGE_API impinge_status impinge_count_particle_lists_f32(
    const impinge_particle_rows_f32 *rows, const impinge_selection *selection,
    const impinge_neighbours *lists, const impinge_particle_contacts_f32 *contacts,
    const impinge_options *options, uint32_t *counts, impinge_report *report);

/**
 * Resolves the contacts of each of some particles with those in its list, and adds the changes to
 * its own sums, in the order of its list. It writes the sums and marks of no other particles, so
 * threads may share out the particles; every division gives the same bits.
 *
 * A pair is in the lists of both its particles and is resolved twice, which is about twice the work
 * of impinge_collide_particle_rows_f32. Both get exactly opposite impulses and projections, with
 * the same bits except the sign, if both lists have the same coefficients for the pair.
 *
 * @param rows read only
 * @param selection which particles, and lists; null: all; an order is refused
 * @param lists starts, index and count are read: as impinge_find_neighbours_f32 writes them, with
 * `full` and without planes, or any other lists of particles in any order. If a pair is in the list
 * of one particle only, only that particle gets the impulse
 * @param contacts one of `sharing` and `independent` is required; count and indices are ignored. A
 * coefficient's `values` has an element for each element of lists->index
 * @param options null: the defaults
 * @param sums written, rows of the selected particles; not the tables of the rows
 * @param report null: not wanted. Its contacts are elements of lists->index, from 0 on
 * Invalid contacts, among them indices that are out of range or the particle's own, and those that
 * are OUT_OF_RANGE, add nothing. Returns as impinge_collide_particle_rows_f32;
 * IMPINGE_ERROR_ARGUMENT also if the starts of these particles descend or are above lists->count.
 */
IMPINGE_API impinge_status impinge_collide_particle_lists_f32(
    const impinge_particle_rows_f32 *rows, const impinge_selection *selection,
    const impinge_neighbours *lists, const impinge_particle_contacts_f32 *contacts,
    const impinge_options *options, const impinge_particle_sums_f32 *sums, impinge_report *report);

/**
 * Adds sums to rows, and sets the sums to zero: position += push / m, velocity += push / m, and R
 * omega -= R^2 / I times the moment. Immovable particles keep their bits, and so does every number
 * to which zero would be added. Particles that sums->added does not mark keep their rows and sums.
 *
 * @param rows written; count is read, periods are ignored
 * @param selection which rows, and sums; null: all; an order is refused. Threads that share them
 * out get the same bits as one
 * @param sums written
 * Returns as impinge_pack_particle_rows_f32, or IMPINGE_SOME_INVALID if a number of a row would
 * have become infinite or NaN: such a row is not changed.
 */
IMPINGE_API impinge_status impinge_apply_particle_sums_f32(const impinge_particle_rows_f32 *rows,
                                                           const impinge_selection *selection,
                                                           const impinge_particle_sums_f32 *sums);

#ifdef __cplusplus
}
#endif

#endif
