/** The single-precision half of <impinge/body_step.h>, which includes it and has the conventions.
 */
#ifndef IMPINGE_BODY_STEP_F32_H
#define IMPINGE_BODY_STEP_F32_H

#include <impinge/body_step.h>
#include <impinge/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Positions and orientations of bodies. Each group of pointers: all, or none. */
typedef struct impinge_poses_f32 {
    float *position_x, *position_y, *position_z; /**< of the centre of mass, m */
    /**
     * Orientation as a quaternion from the body's frame to the world's, of unit length within 1e-3;
     * the call leaves it at unit length up to rounding. If the orientation of `bodies` is given as
     * quaternions, give the same arrays here. Null: the caller turns the bodies.
     */
    float *w, *x, *y, *z;
    size_t position_stride, orientation_stride; /**< of the positions; of the quaternions */
} impinge_poses_f32;

/** One step of bodies. */
typedef struct impinge_body_step_f32 {
    /** Velocities are written. At most 2^28 bodies. Required. */
    const impinge_bodies_f32 *bodies;
    /**
     * The contacts, at most 2^27. Rest uses friction, and impacts use the coefficients of their
     * law. Required.
     */
    const impinge_indexed_contacts_f32 *contacts;
    /**
     * The distance of the surfaces of each contact along the normal, m; below 0: they overlap.
     * Contacts with a gap above 0 have no impacts, and rest lets them close the gap within the time
     * step. Null: all zero.
     */
    const float *gap;
    size_t gap_stride;
    const impinge_options *impact_options; /**< null: the defaults. e must be <= 1 */
    const impinge_step_options *options;   /**< required */
    /**
     * IMPINGE_REST_UNORDERED takes contacts in the order of their keys, so its bits do not depend
     * on the order of the list. Give the impulses (and the normals) that the step before computed
     * for the same contacts, or for the nearest contacts of the same pair.
     */
    impinge_contact_state_f32 state;
    impinge_kick_f32 kick;   /**< added to the velocities of movable bodies before the rest. A body
                              * whose velocity then is not finite keeps its own, and is invalid */
    impinge_poses_f32 poses; /**< without positions, part 4 is left out */
    impinge_step_results_f32 results;
    /**
     * The outcomes of the impacts alone: an outcome has the bits of every collision of the contact,
     * or the reason why it had none. Null: not wanted.
     */
    uint32_t *impact_outcome;
    size_t impact_outcome_stride;
    /**
     * impinge_step_bodies_workspace_f32 bytes, aligned to 64, shared by the members of a team.
     * Required.
     */
    void *workspace;
    const impinge_team *team; /**< null: one thread */
} impinge_body_step_f32;

/**
 * The bytes of workspace that a step needs; SIZE_MAX if there are too many contacts or bodies.
 */
IMPINGE_API size_t impinge_step_bodies_workspace_f32(size_t contacts, size_t bodies);

/**
 * A step's contacts: impacts, kick, rest with the energy guard, and positions, in this order.
 *
 * @param step read only, except for arrays that are documented as written
 * @param report null: not wanted. Each member of a team may have one. Its energies are those of the
 * movable bodies, in the directions in which they have mass
 *
 * An outcome is INVALID with its reasons; or IMMOVABLE; or RESTING with STUCK or SLID if the rest
 * gave an impulse; otherwise SEPARATING. An invalid contact gets no impulse, and the others are
 * solved without it. This includes a contact whose impact the law refuses because of its
 * coefficients. (Coefficients that rest does not use are checked only when a contact collides.) If
 * an impact gained energy, the outcome also has ENERGY_GAINED. OUT_OF_RANGE:
 * the velocities of its island after the rest do not fit the precision, and were not written.
 * Reasons are as in impinge_resolve_indexed_f32; a gap that is not finite is INVALID_ARM, an aim
 * INVALID_VELOCITY.
 *
 * Returns IMPINGE_OK, IMPINGE_SOME_INVALID, or an error and then has written nothing:
 * IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_COUNT, IMPINGE_ERROR_OPTION for a law or an option out
 * of its range, IMPINGE_ERROR_ARGUMENT for an orientation given twice, a restitution model, or a
 * kick or a team out of its range; or an error of impinge_target_selected.
 */
IMPINGE_API impinge_status impinge_step_bodies_f32(const impinge_body_step_f32 *step,
                                                   impinge_step_report *report);

/** Part 1 alone: impacts in local rounds. */
IMPINGE_API impinge_status impinge_collide_body_rounds_f32(const impinge_body_step_f32 *step,
                                                           impinge_step_report *report);

/** Parts 2 and 3 alone, with the kick before them: rest and energy guard. */
IMPINGE_API impinge_status impinge_rest_bodies_f32(const impinge_body_step_f32 *step,
                                                   impinge_step_report *report);

/** Part 4 alone: positions. The velocities give g_end. */
IMPINGE_API impinge_status impinge_project_body_positions_f32(const impinge_body_step_f32 *step,
                                                              impinge_step_report *report);

/**
 * Moves bodies: x += t v, and the orientation turns by t omega, by Cayley's formula with Pade's
 * approximant of the tangent (right to 1e-5 for a turn of 1 rad, 1e-8 for one of 0.3; a turn of
 * more than 2.8 rad is limited to that). Velocities do not change: without a torque, a body whose
 * angular velocity is in its own frame keeps its kinetic energy, but not its angular momentum.
 *
 * @param bodies its velocities are read
 * @param poses written, except for bodies whose velocities or pose are not finite
 * @param time t, s
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_COUNT or IMPINGE_ERROR_ARGUMENT (a
 * time that is not finite, or an orientation given twice).
 */
IMPINGE_API impinge_status impinge_advance_bodies_f32(const impinge_bodies_f32 *bodies,
                                                      const impinge_poses_f32 *poses, double time);

#ifdef __cplusplus
}
#endif
#endif
