/** The single-precision half of <impinge/particle_step.h>, which includes it. */
#ifndef IMPINGE_PARTICLE_STEP_F32_H
#define IMPINGE_PARTICLE_STEP_F32_H

#include <impinge/contact_dynamics.h>
#include <impinge/export.h>
#include <impinge/particles.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The resistance of resting contacts to rolling and to spinning. Besides its impulse each contact
 * has a couple M on A, and -M on B. With R = R_A R_B / (R_A + R_B), on a plane R = R_A, its part
 * along the normal is at most torsional R p_n in size, and its part in the tangent plane at most
 * rolling R p_n. Within these bounds M stops the relative angular velocity; at them it opposes it.
 * Impacts have no couples. Points (of radius 0, or without angular velocities) have none either,
 * and neither do contacts whose R^2 / I_A + R^2 / I_B is below 2^-80 / kg (2^-320 in f64), which
 * hardly any couple could turn. A coefficient below 0 or NaN makes its contact invalid
 * (INVALID_FRICTION).
 */
typedef struct impinge_rolling_resistance_f32 {
    impinge_coefficient_f32 rolling; /**< of rolling friction, >= 0, infinity allowed; zero: none */
    impinge_coefficient_f32 torsional; /**< of torsional friction, likewise */
    /**
     * The couples on A, world frame, kg m^2/s. The rest starts from them and writes them; it writes
     * 0 for contacts that take no part in it. All null: each step starts from 0, and heaps creep. A
     * couple that is not finite, or too large for the precision or the velocities, counts as 0.
     */
    float *couple_x, *couple_y, *couple_z;
    size_t couple_stride;
} impinge_rolling_resistance_f32;

/** One step of particles. */
typedef struct impinge_particle_step_f32 {
    /** Velocities, angular velocities and positions are written. Required. */
    const impinge_particles_f32 *particles;
    const impinge_planes_f32 *planes; /**< null: none */
    /**
     * index_a and index_b are required. An index_b below particles->count is a particle;
     * particles->count + k is plane k. projection_factor and project_all are ignored. Required.
     */
    const impinge_particle_contacts_f32 *contacts;
    const impinge_options *impact_options; /**< null: the defaults. e must be <= 1 */
    const impinge_step_options *options;   /**< required */
    impinge_contact_state_f32 state;
    const impinge_rolling_resistance_f32 *rolling_resistance; /**< of the rest; null: none */
    impinge_kick_f32 kick; /**< added to velocities between impacts and rest */
    impinge_step_results_f32 results;
    /**
     * The outcomes of the impacts alone: an outcome has the bits of every collision of the contact,
     * or the reason why it had none. Null: not wanted. No law of particles gains energy, and
     * coefficients are checked whether a contact collides or not, so that `results.outcome` has
     * what is invalid, too.
     */
    uint32_t *impact_outcome;
    size_t impact_outcome_stride;
    /**
     * impinge_step_particles_workspace_f32 bytes, aligned for double, shared by the members of a
     * team.
     */
    void *workspace;
    const impinge_team *team; /**< null: one thread */
} impinge_particle_step_f32;

/**
 * The bytes of workspace that a step needs; SIZE_MAX if there are too many. There must be fewer
 * than 2^28 particles and planes together, and fewer than 2^29 contacts.
 */
IMPINGE_API size_t impinge_step_particles_workspace_f32(size_t particles, size_t planes,
                                                        size_t contacts);

/**
 * A step's contacts: impacts, kick, rest with the energy guard, and positions, in this order.
 *
 * @param step read only, except for arrays that are documented as written
 * @param report null: not wanted. Each member of a team may have one
 * Returns IMPINGE_OK, IMPINGE_SOME_INVALID, or an error and then has written nothing:
 * IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_COUNT, IMPINGE_ERROR_OPTION for a law that particles do
 * not have or for options out of their ranges, IMPINGE_ERROR_ARGUMENT for a period, a restitution
 * model, a kick or a team out of its range, IMPINGE_ERROR_UNAVAILABLE as
 * impinge_resolve_particle_pairs_f32, or what impinge_target_selected returns.
 */
IMPINGE_API impinge_status impinge_step_particles_f32(const impinge_particle_step_f32 *step,
                                                      impinge_step_report *report);

/** Part 1 alone: impacts in local rounds. Otherwise as impinge_step_particles_f32. */
IMPINGE_API impinge_status impinge_collide_particle_rounds_f32(
    const impinge_particle_step_f32 *step, impinge_step_report *report);

/** Parts 2 and 3 alone, with the kick before them: rest and energy guard. */
IMPINGE_API impinge_status impinge_rest_particles_f32(const impinge_particle_step_f32 *step,
                                                      impinge_step_report *report);

/** Part 4 alone: positions. The velocities give g_end. */
IMPINGE_API impinge_status impinge_project_particle_positions_f32(
    const impinge_particle_step_f32 *step, impinge_step_report *report);

#ifdef __cplusplus
}
#endif
#endif
