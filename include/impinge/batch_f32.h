/** The single-precision half of <impinge/batch.h>, which includes it and has the conventions. */
#ifndef IMPINGE_BATCH_F32_H
#define IMPINGE_BATCH_F32_H

#include <impinge/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A coefficient: one per contact, or one for the whole batch. */
typedef struct impinge_coefficient_f32 {
    const float *values; /**< one per contact; null: `value` for all */
    float value;
    /**
     * True if a coefficient that may be left out is given. Only needed for a value of zero, which
     * otherwise means "not given".
     */
    bool given;
    size_t stride; /**< of values */
} impinge_coefficient_f32;

struct impinge_restitution_f32;

/** The coefficients of a batch's contacts. A law ignores those that it does not have. */
typedef struct impinge_coefficients_f32 {
    /** e, in [0, 1]; above 1 with options.restitution_above_one. */
    impinge_coefficient_f32 restitution;
    impinge_coefficient_f32 friction; /**< mu >= 0; infinity allowed */
    /**
     * mu_s >= mu, infinity allowed. It decides only whether a contact sticks when its slip is zero,
     * at the beginning or on the way. Not given (all zero): the same as friction. If mu_s > mu, the
     * law is discontinuous: a slip that reaches zero may stick, but one that passes zero, however
     * closely, does not. Rounding limits this distinction: a slip whose direction is within some
     * units of rounding of a ray to zero counts as on the ray, and the velocity after may then
     * differ by as much as |u0| from that of the exact law.
     */
    impinge_coefficient_f32 friction_static;
    /** e_t, in [-1, 1]: bilinear, Chatterjee and Ruina, composite. */
    impinge_coefficient_f32 tangential_restitution;
    impinge_coefficient_f32 mix; /**< sigma of the composite law, in [0, 1] */
    /** mu_1 and mu_2 of Brach's law: p_t / p_n, finite. */
    impinge_coefficient_f32 impulse_ratio_t1, impulse_ratio_t2;
    /**
     * f of the frictionless law, in [1/2, 1]: e = 2 f - 1, and restitution is ignored. Not given
     * (all zero): restitution is used.
     */
    impinge_coefficient_f32 damping_fraction;
    /**
     * e as a function of each contact's approach speed -u_n0 (<impinge/particles.h>): threshold,
     * elastoplastic, table or, for particles only (for others it is IMPINGE_ERROR_ARGUMENT),
     * viscoelastic. Null: e does not depend on it.
     */
    const struct impinge_restitution_f32 *model;
} impinge_coefficients_f32;

/** Contacts given by K and u0, in the contact frame. Every pointer is required. */
typedef struct impinge_contacts_f32 {
    size_t count; /**< how many there are */
    /** The collision matrix, symmetric positive definite, 1/kg; all zero: neither body can move. */
    const float *k11, *k12, *k13, *k22, *k23, *k33;
    const float *u1, *u2, *u3; /**< the separation velocity before, m/s; u3 = u_n */
    impinge_coefficients_f32 coefficients;
    size_t matrix_stride, velocity_stride; /**< of k11 to k33; of u1 to u3 */
} impinge_contacts_f32;

/** Results of contacts given by K and u0. Null: not wanted. */
typedef struct impinge_contact_results_f32 {
    float *p1, *p2, *p3;                   /**< the impulse on A, kg m/s */
    float *u1_after, *u2_after, *u3_after; /**< the separation velocity after, m/s */
    /**
     * The work of the normal impulse in compression, W_c <= 0, and in restitution, W_d >= 0, and
     * that of friction, <= 0 unless energy is gained, J (see impinge_law). They are zero where the
     * impulse is, infinite where they do not fit the precision.
     */
    float *work_compression, *work_restitution, *work_friction;
    uint32_t *outcome; /**< bits of impinge_outcome */
    size_t impulse_stride, velocity_stride, work_stride, outcome_stride;
} impinge_contact_results_f32;

/**
 * How bodies are turned: the rotation R from each body's frame to the world, as a unit quaternion
 * w + x i + y j + z k or as a matrix; one of the two, the other null. All null: bodies are given in
 * the world frame.
 */
typedef struct impinge_orientation_f32 {
    /** Its length must be 1 within 1e-3, and is normalised to 1. */
    const float *w, *x, *y, *z;
    /** R_ij, row by row; R^T R must be 1 within 1e-3 in every element, and det R positive. */
    const float *r11, *r12, *r13, *r21, *r22, *r23, *r31, *r32, *r33;
    size_t stride; /**< of the four, or the nine */
    /**
     * If true, angular velocities before and after are in the world's frame, as in Bullet and ODE;
     * only the inverse inertia is then in the body's frame.
     */
    bool world_angular_velocity;
} impinge_orientation_f32;

/** One side of a batch of body pairs. Every pointer but those of the orientation is required. */
typedef struct impinge_pair_side_f32 {
    /**
     * If given, the inverse inertia is in the body's own frame (as in Hakenberg), and so are the
     * angular velocities before and after, unless world_angular_velocity is set. Everything else
     * is in the world's frame.
     */
    impinge_orientation_f32 orientation;
    const float *inverse_mass; /**< >= 0, 1/kg; 0 (with a zero inertia): immovable */
    /** The inverse of the inertia tensor about the centre of mass, 1/(kg m^2). */
    const float *inverse_inertia_xx, *inverse_inertia_xy, *inverse_inertia_xz, *inverse_inertia_yy,
        *inverse_inertia_yz, *inverse_inertia_zz;
    const float *arm_x, *arm_y, *arm_z; /**< from the centre of mass to the contact, m */
    const float *velocity_x, *velocity_y, *velocity_z; /**< of the centre of mass, m/s */
    const float *angular_velocity_x, *angular_velocity_y, *angular_velocity_z; /**< rad/s */
    size_t inverse_mass_stride, inverse_inertia_stride, arm_stride, velocity_stride,
        angular_velocity_stride;
} impinge_pair_side_f32;

/**
 * Contacts given by their two bodies, independent of each other: if a body is in several contacts,
 * each uses the velocity that is given for that contact.
 */
typedef struct impinge_body_pairs_f32 {
    size_t count; /**< how many there are */
    impinge_pair_side_f32 a, b;
    /** The normal, from B to A. Its length must be 1 within 1e-3, and is normalised to 1. */
    const float *normal_x, *normal_y, *normal_z;
    impinge_coefficients_f32 coefficients;
    size_t normal_stride;
} impinge_body_pairs_f32;

/** The velocities of one side after the collision. Null: not wanted. */
typedef struct impinge_body_results_f32 {
    float *velocity_x, *velocity_y, *velocity_z;                         /**< m/s */
    float *angular_velocity_x, *angular_velocity_y, *angular_velocity_z; /**< rad/s */
    size_t velocity_stride, angular_velocity_stride;
} impinge_body_results_f32;

/** Results of body pairs. Null: not wanted. */
typedef struct impinge_body_pair_results_f32 {
    float *impulse_x, *impulse_y, *impulse_z; /**< on A, world frame, kg m/s */
    impinge_body_results_f32 a, b;
    /** As in impinge_contact_results_f32. */
    float *work_compression, *work_restitution, *work_friction;
    uint32_t *outcome; /**< bits of impinge_outcome */
    size_t impulse_stride, work_stride, outcome_stride;
} impinge_body_pair_results_f32;

/**
 * Resolves contacts given by K and u0.
 *
 * @param contacts the batch
 * @param selection which of them; null: all; an order is refused
 * @param options null: the defaults
 * @param results the arrays to write, at the indices of the contacts
 * @param report null: not wanted
 * Returns IMPINGE_OK, IMPINGE_SOME_INVALID, or an error and then has written nothing:
 * IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_COUNT, IMPINGE_ERROR_OPTION, IMPINGE_ERROR_ARGUMENT
 * for an invalid coefficients.model or a selection with an order, or an error of
 * impinge_target_selected.
 */
IMPINGE_API impinge_status impinge_resolve_contacts_f32(const impinge_contacts_f32 *contacts,
                                                        const impinge_selection *selection,
                                                        const impinge_options *options,
                                                        const impinge_contact_results_f32 *results,
                                                        impinge_report *report);

/**
 * Resolves contacts given by their bodies; otherwise as impinge_resolve_contacts_f32. An
 * orientation with some pointers null is IMPINGE_ERROR_NULL_POINTER, too; one given both as a
 * quaternion and as a matrix is IMPINGE_ERROR_ARGUMENT.
 */
IMPINGE_API impinge_status impinge_resolve_body_pairs_f32(
    const impinge_body_pairs_f32 *pairs, const impinge_selection *selection,
    const impinge_options *options, const impinge_body_pair_results_f32 *results,
    impinge_report *report);

#ifdef __cplusplus
}
#endif

#endif
