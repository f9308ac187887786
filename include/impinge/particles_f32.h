/** The single-precision half of <impinge/particles.h>, which includes it and has the conventions.
 */
#ifndef IMPINGE_PARTICLES_F32_H
#define IMPINGE_PARTICLES_F32_H

#include <impinge/particles.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Particles: each has one element in every array. The calls that apply write the arrays that are
 * not const.
 */
typedef struct impinge_particles_f32 {
    size_t count;        /**< how many; indices are below it */
    const float *radius; /**< >= 0, m; required */
    /** >= 0, 1/kg; required. 0: immovable, though it may have velocities, as driven particles do.
     */
    const float *inverse_mass;
    /**
     * 1/I about the centre, >= 0, 1/(kg m^2). Null: solid spheres, I = 2/5 m R^2. Ignored for
     * points, for spheres of radius 0 (without an arm they have no spin) and for immovable ones.
     */
    const float *inverse_inertia;
    float *position_x, *position_y, *position_z; /**< m; required */
    float *velocity_x, *velocity_y, *velocity_z; /**< m/s; required */
    /** rad/s. All null: points, which do not spin. */
    float *angular_velocity_x, *angular_velocity_y, *angular_velocity_z;
    /**
     * Periods of space, m: a pair collides at its nearest images. 0: not periodic in that
     * direction. Positions may be anywhere, but a pair more than 2^22 periods apart has no nearest
     * image and is invalid. A pair that touches in a second image, too, is invalid
     * (INVALID_NORMAL), because it has two contacts but one result. With periods of at least 2 (R_A
     * + R_B) there is no such pair. Contacts with planes ignore periods, and no call wraps
     * positions.
     */
    float period_x, period_y, period_z;
    size_t radius_stride, inverse_mass_stride, inverse_inertia_stride, position_stride,
        velocity_stride, angular_velocity_stride;
} impinge_particles_f32;

/**
 * Planes: immovable surfaces {x : n.x = offset}, with particles on the side that n points to. The
 * distance has a sign, so a particle at any distance behind a plane overlaps it (impulse collision
 * method, modified 5.9): nothing tunnels.
 */
typedef struct impinge_planes_f32 {
    size_t count;                                      /**< how many; indices are below it */
    const float *normal_x, *normal_y, *normal_z;       /**< unit within 1e-3; required */
    const float *offset;                               /**< m; required */
    const float *velocity_x, *velocity_y, *velocity_z; /**< m/s; all null: at rest */
    size_t normal_stride, offset_stride, velocity_stride;
} impinge_planes_f32;

/** Restitution as a function of the approach speed. All zero: constant. */
typedef struct impinge_restitution_f32 {
    impinge_restitution_kind kind;
    float speed; /**< threshold and elastoplastic: that speed, >= 0, m/s */
    /** Viscoelastic: A >= 0, s; Young's modulus Y > 0, Pa; Poisson's ratio nu in (-1, 1/2]. */
    float dissipation_time, young_modulus, poisson_ratio;
    /**
     * Table: speeds >= 0, each above the one before, and e in [0, 1] at each; `points`, at least 1.
     */
    const float *table_speed, *table_restitution;
    size_t points;
} impinge_restitution_f32;

/** Contacts by index, and how they collide: pairs of particles, or particles and planes. */
typedef struct impinge_particle_contacts_f32 {
    size_t count; /**< how many there are */
    /** Particle A. Null (with planes only): contact i is of particle i. */
    const uint32_t *index_a;
    /** Particle B, or the plane. Null (with planes only): all are of plane 0. */
    const uint32_t *index_b;
    /**
     * restitution (unless its model gives it), friction and tangential_restitution (bilinear and
     * Chatterjee and Ruina's law). Particles have radii, so every model is legal here.
     */
    impinge_coefficients_f32 coefficients;
    /**
     * k_p in [0, 1] (impulse collision method, c.5): the share of the overlap that is projected
     * away if particles approach. With 0 nothing holds particles at rest: in each step of length h
     * gravity g moves a resting particle g h^2 deeper before its velocity is set to zero, so it
     * sinks at the speed g h for ever. With k_p > 0 it comes to rest g h^2 (1 - k_p) / k_p deep.
     */
    float projection_factor;
    bool project_all; /**< project wherever particles overlap, not only where they approach */
    /**
     * The number of impulses that each particle gets in a step, from impinge_count_impulses_f32 or
     * impinge_count_particle_rows_f32. The calls that add impulses up divide each impulse by the
     * larger number of its two particles, so that the sum adds no energy (see
     * <impinge/particles.h>). They do not divide projections. impinge_collide_particle_pairs_f32
     * counts by itself if this is null; the calls that resolve ignore it. A particle that can move
     * and gets an impulse although its number is 0 was not counted: the impulse is added to neither
     * particle (of lists: not to the one that has the list), and the call returns
     * IMPINGE_SOME_INVALID. Numbers above 0 are not checked.
     */
    const uint32_t *sharing;
    /**
     * Set this if no particle gets impulses of two contacts. Then impulses are not divided, and
     * `sharing` is ignored. If a particle gets two impulses nevertheless, energy may grow.
     */
    bool independent;
    size_t index_stride; /**< of index_a and index_b */
} impinge_particle_contacts_f32;

/**
 * Results of particle contacts. Null: not wanted; the calls that apply require some of them.
 * Contacts without an impulse or a projection have zeros there.
 */
typedef struct impinge_particle_results_f32 {
    float *impulse_x, *impulse_y, *impulse_z; /**< on A, kg m/s */
    /** From B to A; zero if they do not overlap. */
    float *normal_x, *normal_y, *normal_z;
    /** R_A + R_B - |x_A - x_B|, or R_A - (n.x_A - offset); > 0: contact. 0 where invalid. */
    float *overlap;
    /**
     * k_p m_AB times the overlap, kg m: A moves by this over m_A along n, B by this over m_B the
     * other way.
     */
    float *projection;
    /** Works of the impulse, as in impinge_contact_results_f32. */
    float *work_compression, *work_restitution, *work_friction;
    /**
     * Bits of impinge_outcome: APART if the overlap is not positive; else IMMOVABLE if neither can
     * move; else SEPARATING if they do not approach, with RESTING if u_n = 0; else STUCK if no slip
     * is left, or SLID if some is, with CLIPPED if friction is too small for e_t, and SLIP_REVERSED
     * if e_t > 0 reversed the slip. ENERGY_GAINED with OUTSIDE_REGION only under
     * restitution_above_one.
     */
    uint32_t *outcome;
    size_t impulse_stride, normal_stride, overlap_stride, projection_stride, work_stride,
        outcome_stride;
} impinge_particle_results_f32;

/**
 * Resolves pairs of particles: computes an impulse for those that overlap and approach.
 *
 * @param particles read only
 * @param contacts index_a and index_b are required
 * @param selection which of them; null: all; an order is refused
 * @param options null: the defaults
 * @param results the arrays to write, at the indices of the contacts
 * @param report null: not wanted
 * The call checks indices, which must be in range and different (INVALID_INDEX); radii
 * (INVALID_ARM); and centres, which must be finite; the centres of particles that overlap must not
 * coincide, nor may such particles touch in two images (INVALID_NORMAL). If particles overlap, the
 * call also checks masses and inertias (INVALID_MASS), velocities and coefficients. A legal contact
 * is OUT_OF_RANGE, with neither impulse nor projection, if one of these does not fit the precision:
 * K_33, T, R / I (by which a moment turns a particle), the impulse, the projection, or a number
 * that a particle would have after this contact alone.
 * Returns IMPINGE_OK, IMPINGE_SOME_INVALID, or an error and then has written nothing: as
 * impinge_resolve_contacts_f32; IMPINGE_ERROR_ARGUMENT also for a period, a restitution model or a
 * factor out of its range; IMPINGE_ERROR_UNAVAILABLE for the viscoelastic model in a build without
 * SLEEF, or on the scalar target on a CPU without fused multiply-add.
 */
IMPINGE_API impinge_status impinge_resolve_particle_pairs_f32(
    const impinge_particles_f32 *particles, const impinge_particle_contacts_f32 *contacts,
    const impinge_selection *selection, const impinge_options *options,
    const impinge_particle_results_f32 *results, impinge_report *report);

/**
 * Particles against planes; otherwise as impinge_resolve_particle_pairs_f32. Normals that are not
 * of unit length and offsets that are not finite are INVALID_NORMAL. Normal and offset are both
 * divided by the normal's length.
 */
IMPINGE_API impinge_status impinge_resolve_particle_planes_f32(
    const impinge_particles_f32 *particles, const impinge_planes_f32 *planes,
    const impinge_particle_contacts_f32 *contacts, const impinge_selection *selection,
    const impinge_options *options, const impinge_particle_results_f32 *results,
    impinge_report *report);

/**
 * Counts the impulses that each particle gets, after impinge_resolve_particle_pairs_f32 or
 * impinge_resolve_particle_planes_f32, for contacts->sharing. In a step that has both, count both
 * into the same array. Particles that cannot move have none.
 *
 * @param particles only count and inverse masses are read
 * @param contacts only count and indices are read; contacts with indices out of range or equal are
 * skipped
 * @param selection which of them; null: all; an order is refused
 * @param planes true: contacts with planes; false: pairs
 * @param results impulses are required
 * @param counts one for each particle, added to: zeros before the first call
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_COUNT, or IMPINGE_ERROR_ARGUMENT
 * for a selection with an order.
 */
IMPINGE_API impinge_status impinge_count_impulses_f32(const impinge_particles_f32 *particles,
                                                      const impinge_particle_contacts_f32 *contacts,
                                                      const impinge_selection *selection,
                                                      bool planes,
                                                      const impinge_particle_results_f32 *results,
                                                      uint32_t *counts);

/**
 * Adds the results of pairs to particles: v += p / m, omega += r x p / I, and the projections, in
 * the order of the contacts, so that the sums always have the same bits. Particles that are
 * immovable, or to which no contact adds anything, keep their bits.
 *
 * @param changed only these particles are changed, null: all; an order is refused. Threads that
 * share out the particles, each with all contacts, get the same bits as one for all
 * @param contacts count, indices, `sharing` and `independent` are read; one of the last two is
 * required. Contacts with indices out of range or equal are skipped
 * @param selection which of them; null: all; an order is refused
 * @param results impulses and, for spheres, normals are required; projections may be null, and
 * normals, too, if nothing needs them. Impulses that are not finite are not added. The outcome, if
 * given, gets MASS_SPLIT if the impulse was divided; the impulse stays that of the contact alone
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_COUNT, or IMPINGE_ERROR_ARGUMENT
 * for a selection with an order; IMPINGE_SOME_INVALID if a contact would have made a velocity, a
 * spin or a position of a particle infinite or NaN: that particle then gets nothing from that
 * contact.
 */
IMPINGE_API impinge_status impinge_apply_particle_pairs_f32(
    const impinge_particles_f32 *particles, const impinge_selection *changed,
    const impinge_particle_contacts_f32 *contacts, const impinge_selection *selection,
    const impinge_particle_results_f32 *results);

/** The same for particles against planes: only A is changed. */
IMPINGE_API impinge_status impinge_apply_particle_planes_f32(
    const impinge_particles_f32 *particles, const impinge_selection *changed,
    const impinge_particle_contacts_f32 *contacts, const impinge_selection *selection,
    const impinge_particle_results_f32 *results);

/** The bytes of workspace of impinge_collide_particle_pairs_f32; SIZE_MAX: too many particles. */
IMPINGE_API size_t impinge_collide_particle_pairs_workspace_f32(size_t particles);

/**
 * Resolves pairs and applies their impulses and projections to all particles. The bits are those of
 * impinge_resolve_particle_pairs_f32 and impinge_apply_particle_pairs_f32 in sequence, but this is
 * faster: it packs the particles into rows or, where few of the pairs touch, only their places. For
 * one thread, or for threads that have particles of their own. If contacts->sharing is null and
 * `independent` is not set, it counts the impulses of these contacts as impinge_count_impulses_f32
 * does; if a particle gets two and many pairs touch, it starts again, and takes about twice as
 * long.
 *
 * @param particles positions, velocities and angular velocities are written
 * @param contacts index_a and index_b are required
 * @param selection which of them; null: all; an order is refused
 * @param options null: the defaults
 * @param workspace of impinge_collide_particle_pairs_workspace_f32(particles->count) bytes, aligned
 * for the numbers
 * @param report null: not wanted
 * Returns as impinge_resolve_particle_pairs_f32; IMPINGE_ERROR_COUNT also for too many
 * particles; IMPINGE_SOME_INVALID also if a contact is OUT_OF_RANGE, because there is no outcome
 * to hold that bit, and if impinge_apply_particle_pairs_f32 would return it.
 */
IMPINGE_API impinge_status impinge_collide_particle_pairs_f32(
    const impinge_particles_f32 *particles, const impinge_particle_contacts_f32 *contacts,
    const impinge_selection *selection, const impinge_options *options, void *workspace,
    impinge_report *report);

#ifdef __cplusplus
}
#endif

#endif
