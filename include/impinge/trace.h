/**
 * The path of one contact: impulse, velocity and works in the course of a collision by Routh's law.
 *
 * The arithmetic is that of impinge_resolve_contacts_f64. Points between the steps come from the
 * Taylor series of the step.
 */
#ifndef IMPINGE_TRACE_H
#define IMPINGE_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include <impinge/batch.h>
#include <impinge/rays.h>
#include <impinge/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A contact in contact space; conventions are those of batch.h. */
typedef struct impinge_trace_input {
    impinge_collision_matrix matrix; /**< positive definite; all zero: neither body can move */
    double u1, u2, u3;               /**< the separation velocity before, m/s; u3 = u_n */
    double restitution;     /**< e, in [0, 1]; above 1 with options.restitution_above_one */
    double friction;        /**< mu >= 0, infinity allowed */
    double friction_static; /**< mu_s >= mu (see impinge_coefficients_f32); 0: same as friction */
} impinge_trace_input;

/**
 * The part of the collision that a point is in. A point that ends a phase belongs to that phase.
 */
typedef enum impinge_trace_phase {
    IMPINGE_TRACE_COMPRESSION = 0,
    IMPINGE_TRACE_RESTITUTION = 1
} impinge_trace_phase;

/** The state of the slip just before a point; at the first point, the state just after it. */
typedef enum impinge_trace_state {
    IMPINGE_TRACE_NO_IMPULSE = 0, /**< there is no collision */
    IMPINGE_TRACE_SLIDES = 1,     /**< friction is mu p_n, against the slip */
    IMPINGE_TRACE_STICKS = 2,     /**< the slip is zero and stays zero */
    IMPINGE_TRACE_DIVERGES = 3    /**< the slip was zero and leaves along the diverging ray */
} impinge_trace_state;

/** A point of the path. */
typedef struct impinge_trace_point {
    double p1, p2, p3; /**< the impulse on A so far, kg m/s */
    double u1, u2, u3; /**< the separation velocity, m/s */
    /** W_c <= 0, W_d >= 0 and that of friction <= 0 so far, J */
    double work_compression, work_restitution, work_friction;
    impinge_trace_phase phase;
    impinge_trace_state state;
} impinge_trace_point;

/** "compression" or "restitution"; null for other values. A constant text; thread safe. */
IMPINGE_API const char *impinge_trace_phase_name(impinge_trace_phase phase);
/** "no-impulse", "slides", "sticks" or "diverges"; null for other values. As above. */
IMPINGE_API const char *impinge_trace_state_name(impinge_trace_state state);

/**
 * Receives the points of a path in order. The point is valid only during the call. The visitor runs
 * in the default floating-point environment (batch.h) and must leave it unchanged.
 */
typedef void impinge_trace_visitor(void *user, const impinge_trace_point *point);

/**
 * Passes the path of a contact, from its state before the collision to the end, to a visitor.
 *
 * The first point is the contact as given, with no impulse. The last is bit for bit what
 * impinge_resolve_contacts_f64 returns for it. Between them are the ends of the steps and straight
 * lines that make up the path, every point at which a phase ends (u3 is 0 there), and
 * `points_per_step` - 1 points in each step and line. At every point u = u0 + K p within the
 * tolerance of the options, and p3 never falls by more than this tolerance.
 *
 * A contact without an impulse (separating, immovable, invalid) has only one point. Points whose
 * impulse or velocity does not fit the precision are left out; then the last point has no impulse.
 *
 * @param options null: the defaults, as for impinge_resolve_contacts_f64; the law must be Routh's
 * @param points_per_step at least 1
 * @param visitor is called in the thread of this call
 * @param user is passed to the visitor
 * @param outcome bits of impinge_outcome; null: not wanted
 * Returns IMPINGE_OK; IMPINGE_SOME_INVALID if the contact is invalid; or an error before any point:
 * IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_OPTION, or IMPINGE_ERROR_ARGUMENT (points_per_step 0).
 *
 * Thread safe; allocates nothing; its stack is stated in batch.h. Law and method: Mirtich 1996,
 * corrected, sections 3 and 4, as IMPINGE_LAW_ROUTH.
 */
IMPINGE_API impinge_status impinge_trace_contact(const impinge_trace_input *contact,
                                                 const impinge_options *options,
                                                 size_t points_per_step,
                                                 impinge_trace_visitor *visitor, void *user,
                                                 uint32_t *outcome);

#ifdef __cplusplus
}
#endif
#endif
