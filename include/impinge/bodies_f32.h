/** The single-precision half of <impinge/bodies.h>, which includes it and has the conventions. */
#ifndef IMPINGE_BODIES_F32_H
#define IMPINGE_BODIES_F32_H

#include <impinge/bodies.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Bodies: each has one element in every array. All pointers are required except those of the
 * orientation and of the inertia's products. Calls that apply impulses write only velocities, and
 * never those of immovable bodies (inverse mass and inertia zero).
 */
typedef struct impinge_bodies_f32 {
    size_t count; /**< how many; indices are below it, or IMPINGE_WORLD */
    /**
     * As in impinge_pair_side_f32: if given, the inverse inertia is in the body's own frame, and so
     * is the angular velocity, unless world_angular_velocity is set.
     */
    impinge_orientation_f32 orientation;
    const float *inverse_mass; /**< >= 0, 1/kg; 0 (with a zero inertia): immovable */
    /**
     * The inverse of the inertia tensor about the centre of mass, 1/(kg m^2). If the products xy,
     * xz and yz are null, they are zero, as in a body's principal axes.
     */
    const float *inverse_inertia_xx, *inverse_inertia_xy, *inverse_inertia_xz, *inverse_inertia_yy,
        *inverse_inertia_yz, *inverse_inertia_zz;
    float *velocity_x, *velocity_y, *velocity_z; /**< of the centre of mass, m/s */
    float *angular_velocity_x, *angular_velocity_y, *angular_velocity_z; /**< rad/s */
    size_t inverse_mass_stride, inverse_inertia_stride, velocity_stride, angular_velocity_stride;
} impinge_bodies_f32;

/** Contacts between bodies by index, fewer than 2^32. All pointers but `sharing` are required. */
typedef struct impinge_indexed_contacts_f32 {
    size_t count;                             /**< how many there are */
    const uint32_t *index_a, *index_b;        /**< the bodies */
    const float *arm_a_x, *arm_a_y, *arm_a_z; /**< from A's centre of mass, world frame, m */
    const float *arm_b_x, *arm_b_y, *arm_b_z; /**< from B's; ignored if B is the world */
    /** From B to A. Its length must be 1 within 1e-3, and is normalised to 1. */
    const float *normal_x, *normal_y, *normal_z;
    impinge_coefficients_f32 coefficients;
    /**
     * The number of contacts of each body, from impinge_count_sharing. impinge_resolve_indexed_f32
     * requires it; other calls ignore it.
     */
    const uint32_t *sharing;
    size_t index_stride, arm_stride, normal_stride;
} impinge_indexed_contacts_f32;

/** Results of contacts by index. Null: not wanted. */
typedef struct impinge_indexed_results_f32 {
    float *impulse_x, *impulse_y, *impulse_z; /**< on A, world frame, kg m/s */
    /** As in impinge_contact_results_f32. */
    float *work_compression, *work_restitution, *work_friction;
    uint32_t *outcome; /**< bits of impinge_outcome */
    size_t impulse_stride, work_stride, outcome_stride;
} impinge_indexed_results_f32;

/**
 * Computes the impulse of every contact from the bodies' velocities and leaves them unchanged.
 *
 * Impulses computed from the same velocities can be added up only if each uses a share of the mass
 * of its bodies: each of the n contacts of a body uses a part with 1/n of its mass and inertia
 * (contacts->sharing). impinge_apply_impulses_f32 adds up the impulses of the parts. The body then
 * has no more kinetic energy than the parts have after their contacts, so for e <= 1 a law that
 * gains no energy for one contact gains none here. But energy is lost: bodies with several contacts
 * rebound too slowly (two equal touches at e = 1 end with u_n = 0 instead of -u_n0), and a body
 * that approaches at only one of its n contacts gets 1/n of the impulse. So this call suits many
 * light touches in any order; for exact impacts use <impinge/body_step.h>. The outcome of a contact
 * with a shared mass has MASS_SPLIT, and its works are those of the parts. If each body has one
 * contact, nothing is split.
 *
 * @param bodies read only
 * @param contacts the contacts; `sharing` is required. A body that can move and has a count of 0
 * was not counted: its contacts are invalid (INVALID_MASS), as are those of a body of which n / m
 * or n / I does not fit the precision
 * @param selection which of them; null: all; an order is taken
 * @param options null: the defaults
 * @param results the arrays to write, at the indices of the contacts
 * @param report null: not wanted; indices that were skipped count as invalid, and first_invalid
 * is the lowest index
 * A body's index out of range, or A = B, makes a contact invalid (INVALID_INDEX); the world against
 * itself is IMMOVABLE.
 * Returns IMPINGE_OK, IMPINGE_SOME_INVALID, or an error and then has written nothing: as
 * impinge_resolve_body_pairs_f32, but a selection with an order is legal here.
 */
IMPINGE_API impinge_status impinge_resolve_indexed_f32(const impinge_bodies_f32 *bodies,
                                                       const impinge_indexed_contacts_f32 *contacts,
                                                       const impinge_selection *selection,
                                                       const impinge_options *options,
                                                       const impinge_indexed_results_f32 *results,
                                                       impinge_report *report);

/**
 * As impinge_resolve_indexed_f32 with whole masses, but writes the velocities after to the bodies.
 * The call is meant for contacts of which no two share a movable body. Contacts that do share one
 * collide one after the other, in the order of the selection, which is slower: the lanes run empty
 * before each of them.
 */
IMPINGE_API impinge_status impinge_resolve_independent_f32(
    const impinge_bodies_f32 *bodies, const impinge_indexed_contacts_f32 *contacts,
    const impinge_selection *selection, const impinge_options *options,
    const impinge_indexed_results_f32 *results, impinge_report *report);

/**
 * Adds impulses to the bodies, v += p / m and omega += I^-1 (r x p), in the order of the
 * selection.
 *
 * @param changed only these bodies are changed, null: all; an order is refused. Threads that share
 * out the bodies, each with all contacts, get the same bits as one for all
 * @param contacts contacts whose indices are out of range or equal are skipped
 * @param selection which of them; null: all; an order is taken
 * @param results the impulses, all three required; other results are ignored
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_ARGUMENT (an orientation given
 * twice, or bodies by an order), or IMPINGE_ERROR_COUNT.
 */
IMPINGE_API impinge_status impinge_apply_impulses_f32(const impinge_bodies_f32 *bodies,
                                                      const impinge_selection *changed,
                                                      const impinge_indexed_contacts_f32 *contacts,
                                                      const impinge_selection *selection,
                                                      const impinge_indexed_results_f32 *results);

/**
 * Finds the bodies that no impulse moves: those whose inverse mass and inertia are zero.
 *
 * @param bodies only inverse mass and inertia are read
 * @param immovable written: 1 or 0 for each body; for impinge_contact_graph
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER or IMPINGE_ERROR_COUNT.
 */
IMPINGE_API impinge_status impinge_find_immovable_f32(const impinge_bodies_f32 *bodies,
                                                      uint8_t *immovable);

#ifdef __cplusplus
}
#endif

#endif
