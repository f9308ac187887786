/** The single-precision half of <impinge/contact_dynamics.h>, which includes it. */
#ifndef IMPINGE_CONTACT_DYNAMICS_F32_H
#define IMPINGE_CONTACT_DYNAMICS_F32_H

#include <impinge/contact_dynamics.h>
#include <impinge/export.h>
#include <impinge/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Further inputs of a step's contacts: each has one element in every array. All null: the rest
 * starts from impulses of 0 and aims at velocities of 0.
 */
typedef struct impinge_contact_state_f32 {
    /**
     * The identity of each contact, the same in every step. Contacts that are tied are solved in
     * the order of their keys; null: in the order of their bodies' indices.
     */
    const uint64_t *key;
    /**
     * The aim velocity: the separation velocity to which the rest brings each contact, m/s; all
     * null: 0. With (0.5, 0, 0) the surface of B carries A along at 0.5 m/s.
     */
    const float *aim_x, *aim_y, *aim_z;
    /**
     * The warm start: the impulse on A of the step before, world frame, kg m/s; all null: cold. An
     * impulse that is not finite, or too large for the precision, counts as 0; in a step of
     * particles also one that is too large for the velocities (particle_step.h).
     */
    const float *impulse_x, *impulse_y, *impulse_z;
    /**
     * The normals of the step before: p_n is kept, and p_t is turned into the new tangent plane
     * without a change of its length. All null: p itself is kept.
     */
    const float *normal_x, *normal_y, *normal_z;
    size_t aim_stride, impulse_stride, normal_stride;
} impinge_contact_state_f32;

/**
 * Results of a step's contacts. Null: not wanted. Arrays may be those of the contact state: then
 * one set of arrays carries impulses from step to step. If the parts of a step are called one by
 * one, each of them writes the normals. If impacts overwrite the normals of the state, the rest
 * lacks those of the step before.
 */
typedef struct impinge_step_results_f32 {
    float *impulse_x, *impulse_y, *impulse_z; /**< of the rest, on A, world frame, kg m/s */
    float *impact_x, *impact_y, *impact_z;    /**< the sum of the impacts, likewise */
    float *normal_x, *normal_y, *normal_z;    /**< from B to A; 0 if apart or invalid */
    float *gap;                               /**< the distance of the surfaces, m; < 0: overlap */
    /**
     * Bits of impinge_outcome: APART if the gap is above 0; IMMOVABLE if neither body can move;
     * SEPARATING if the rest gave no impulse; otherwise RESTING, with STUCK or SLID.
     */
    uint32_t *outcome;
    /**
     * Sums of the works of the impacts, as in impinge_contact_results_f32, J. Over all contacts
     * they add up to the change of the kinetic energy by impacts. Tied contacts collide in two
     * stages; their works are those along the straight line of each stage.
     */
    float *work_compression, *work_restitution, *work_friction;
    size_t impulse_stride, impact_stride, normal_stride, gap_stride, outcome_stride, work_stride;
} impinge_step_results_f32;

/**
 * A change of velocities between impacts and rest, m/s. All zero: none. x, y and z must be finite,
 * and for particles below 2^38 in size.
 */
typedef struct impinge_kick_f32 {
    float x, y, z; /**< for all that can move, such as g h / 2 */
    /** For each in addition, such as f h / (2 m); all null: none. */
    const float *each_x, *each_y, *each_z;
    size_t each_stride;
} impinge_kick_f32;

/** Contacts of a step, by their identities, and the impulses that they had. */
typedef struct impinge_contact_memory_f32 {
    size_t count;
    const uint64_t *key; /**< of each; of several equal keys the first counts */
    const float *impulse_x, *impulse_y, *impulse_z;
    const float *normal_x, *normal_y, *normal_z; /**< all null: not kept */
    size_t impulse_stride, normal_stride;
} impinge_contact_memory_f32;

/**
 * Finds for each contact, by its key, the impulse that it had in the step before; 0 if it is new.
 * If the keys ascend in both steps, as those of a neighbour list do, they are merged in linear
 * time; otherwise they are looked up in a table in the workspace. The result is the same.
 *
 * @param before the contacts of the step before; its arrays are read only
 * @param count, key the contacts of this step
 * @param results its impulses are required and written, its normals if before's are given; none of
 * them may be an array of `before`
 * @param workspace of impinge_match_impulses_workspace(before->count) bytes, aligned for uint64_t
 * @param matched null: not wanted; how many were found
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER or IMPINGE_ERROR_COUNT. Thread safe.
 */
IMPINGE_API impinge_status impinge_match_impulses_f32(const impinge_contact_memory_f32 *before,
                                                      size_t count, const uint64_t *key,
                                                      const impinge_step_results_f32 *results,
                                                      void *workspace, size_t *matched);

#ifdef __cplusplus
}
#endif
#endif
