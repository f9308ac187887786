/** The single-precision half of <impinge/planar.h>, which includes it and has the conventions. */
#ifndef IMPINGE_PLANAR_F32_H
#define IMPINGE_PLANAR_F32_H

#include <impinge/planar.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Planar contacts in contact space. Every pointer is required. */
typedef struct impinge_planar_contacts_f32 {
    size_t count; /**< how many there are */
    /** The collision matrix, symmetric positive definite, 1/kg; all zero: neither body can move. */
    const float *ktt, *ktn, *knn;
    const float *ut, *un; /**< the separation velocity before, m/s */
    /** Restitution or its model, friction and static friction; the others are ignored. */
    impinge_coefficients_f32 coefficients;
    size_t matrix_stride, velocity_stride; /**< strides of ktt to knn; of ut and un */
} impinge_planar_contacts_f32;

/** Results of planar contacts. Null: not wanted. */
typedef struct impinge_planar_contact_results_f32 {
    float *pt, *pn;             /**< the impulse on A, kg m/s */
    float *ut_after, *un_after; /**< the separation velocity after, m/s */
    /** As in impinge_contact_results_f32. */
    float *work_compression, *work_restitution, *work_friction;
    uint32_t *outcome; /**< bits of impinge_outcome */
    size_t impulse_stride, velocity_stride, work_stride, outcome_stride;
} impinge_planar_contact_results_f32;

/** One side of a batch of planar pairs. Every pointer is required. */
typedef struct impinge_planar_pair_side_f32 {
    const float *inverse_mass; /**< >= 0, 1/kg; 0 (with a zero inertia): immovable */
    /** The inverse of the moment of inertia about the centre of mass, >= 0, 1/(kg m^2). */
    const float *inverse_inertia;
    const float *arm_x, *arm_y;           /**< from the centre of mass to the contact, m */
    const float *velocity_x, *velocity_y; /**< of the centre of mass, m/s */
    const float *angular_velocity;        /**< anticlockwise, rad/s */
    size_t inverse_mass_stride, inverse_inertia_stride, arm_stride, velocity_stride,
        angular_velocity_stride;
} impinge_planar_pair_side_f32;

/** Planar contacts given by their two bodies, independent of each other. */
typedef struct impinge_planar_pairs_f32 {
    size_t count; /**< how many there are */
    impinge_planar_pair_side_f32 a, b;
    /** The normal, from B to A. Its length must be 1 within 1e-3, and is normalised to 1. */
    const float *normal_x, *normal_y;
    /** Restitution or its model, friction and static friction; the others are ignored. */
    impinge_coefficients_f32 coefficients;
    size_t normal_stride;
} impinge_planar_pairs_f32;

/** The velocities of one side after the collision. Null: not wanted. */
typedef struct impinge_planar_body_results_f32 {
    float *velocity_x, *velocity_y; /**< m/s */
    float *angular_velocity;        /**< rad/s */
    size_t velocity_stride, angular_velocity_stride;
} impinge_planar_body_results_f32;

/** Results of planar pairs. Null: not wanted. */
typedef struct impinge_planar_pair_results_f32 {
    float *impulse_x, *impulse_y; /**< on A, in x and y, kg m/s */
    impinge_planar_body_results_f32 a, b;
    /** As in impinge_contact_results_f32. */
    float *work_compression, *work_restitution, *work_friction;
    uint32_t *outcome; /**< bits of impinge_outcome */
    size_t impulse_stride, work_stride, outcome_stride;
} impinge_planar_pair_results_f32;

/**
 * Resolves planar contacts given by K and u0.
 *
 * @param contacts the batch
 * @param selection which of them; null: all; an order is refused
 * @param options null: the defaults
 * @param results the arrays to write, at the indices of the contacts
 * @param report null: not wanted; it counts no steps, since there are none
 * Returns as impinge_resolve_contacts_f32 does; IMPINGE_ERROR_OPTION also for a law that is not
 * IMPINGE_LAW_ROUTH.
 */
IMPINGE_API impinge_status impinge_resolve_planar_contacts_f32(
    const impinge_planar_contacts_f32 *contacts, const impinge_selection *selection,
    const impinge_options *options, const impinge_planar_contact_results_f32 *results,
    impinge_report *report);

/** Resolves planar contacts given by their bodies; otherwise as
 * impinge_resolve_planar_contacts_f32. */
IMPINGE_API impinge_status impinge_resolve_planar_pairs_f32(
    const impinge_planar_pairs_f32 *pairs, const impinge_selection *selection,
    const impinge_options *options, const impinge_planar_pair_results_f32 *results,
    impinge_report *report);

#ifdef __cplusplus
}
#endif

#endif
