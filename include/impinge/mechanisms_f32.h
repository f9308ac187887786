/** The single-precision half of <impinge/mechanisms.h>, which includes it and has the conventions.
 */
#ifndef IMPINGE_MECHANISMS_F32_H
#define IMPINGE_MECHANISMS_F32_H

#include <impinge/mechanisms.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Mechanisms, each with one contact, all with the same number of coordinates. Every pointer is
 * required.
 */
typedef struct impinge_mechanisms_f32 {
    size_t count;       /**< how many there are */
    size_t coordinates; /**< n, 1 to IMPINGE_COORDINATES_MAX */
    size_t stride;      /**< elements from one row to the next, at least `count` */
    /**
     * M, symmetric positive definite, by its lower triangle: M_ij (i >= j, from 0) of mechanism m
     * is mass[(i (i + 1) / 2 + j) stride + m]. Units: those that make 1/2 qdot.M qdot an energy.
     */
    const float *mass;
    /**
     * J, row by row: along t1, t2 and n in space, along t and n in a plane. J_rj of mechanism m is
     * jacobian[(r n + j) stride + m].
     */
    const float *jacobian;
    const float *speeds; /**< qdot before; coordinate j has speeds[j stride + m] */
    impinge_coefficients_f32 coefficients;
} impinge_mechanisms_f32;

/**
 * Results of mechanisms in space. Null: not wanted. K, u0 and the velocity after are zero if the
 * mechanism is invalid.
 */
typedef struct impinge_mechanism_results_f32 {
    float *p1, *p2, *p3;                   /**< the impulse, contact frame, kg m/s */
    float *u1_after, *u2_after, *u3_after; /**< the separation velocity after, m/s */
    float *speeds; /**< qdot after, in rows as before; may be the array of those before */
    float *k11, *k12, *k13, *k22, *k23, *k33; /**< the collision matrix, 1/kg */
    float *u1, *u2, *u3;                      /**< u0, m/s */
    /** As in impinge_contact_results_f32. */
    float *work_compression, *work_restitution, *work_friction;
    uint32_t *outcome; /**< bits of impinge_outcome */
    /** Strides of the impulse; of u and u_after; of K; of the works; of the outcome. */
    size_t impulse_stride, velocity_stride, matrix_stride, work_stride, outcome_stride;
} impinge_mechanism_results_f32;

/** The same in a plane. */
typedef struct impinge_planar_mechanism_results_f32 {
    float *pt, *pn;             /**< the impulse, contact frame, kg m/s */
    float *ut_after, *un_after; /**< the separation velocity after, m/s */
    float *speeds;          /**< qdot after, in rows as before; may be the array of those before */
    float *ktt, *ktn, *knn; /**< the collision matrix, 1/kg */
    float *ut, *un;         /**< u0, m/s */
    /** As in impinge_contact_results_f32. */
    float *work_compression, *work_restitution, *work_friction;
    uint32_t *outcome; /**< bits of impinge_outcome */
    /** Strides of the impulse; of u and u_after; of K; of the works; of the outcome. */
    size_t impulse_stride, velocity_stride, matrix_stride, work_stride, outcome_stride;
} impinge_planar_mechanism_results_f32;

/**
 * Resolves the contacts of mechanisms in space, by any law.
 *
 * Outcomes are those of body pairs. INVALID_MASS: M is not finite, or not positive definite in this
 * precision (a pivot of its Cholesky factor is no larger than what its own rounding may have made
 * of the diagonal's element; <impinge/mechanisms.h> says when rounding decides). INVALID_ARM: J is
 * not finite. INVALID_MATRIX: K is not positive definite in the same sense, with K's own rounding
 * counted, or there are fewer than three coordinates.
 * IMMOVABLE: J is zero. OUT_OF_RANGE: also if the speeds after do not fit.
 *
 * Accuracy. For the computed K = J M^-1 J^T, the answer is as accurate as its law promises. The
 * error of K is that of an M whose elements have errors of some n units of rounding relative to
 * sqrt(M_ii M_jj): n^2 units times the condition of M with its diagonal scaled to 1. In f32, with
 * six coordinates and a condition of 10,000, that is a hundredth. Choose f64 for such mechanisms.
 *
 * @param mechanisms the batch
 * @param selection which of them; null: all; an order is refused
 * @param options null: the defaults
 * @param results the arrays to write, at the indices of the mechanisms
 * @param report null: not wanted
 * Returns as impinge_resolve_contacts_f32 does; also IMPINGE_ERROR_ARGUMENT for `coordinates` out
 * of its range, IMPINGE_ERROR_COUNT for a stride below `count` or so large that no such arrays can
 * exist.
 */
IMPINGE_API impinge_status impinge_resolve_mechanisms_f32(
    const impinge_mechanisms_f32 *mechanisms, const impinge_selection *selection,
    const impinge_options *options, const impinge_mechanism_results_f32 *results,
    impinge_report *report);

/**
 * Resolves the contacts of mechanisms in a plane, by Routh's law in closed form. Options and
 * outcomes are as in planar.h, everything else as for impinge_resolve_mechanisms_f32.
 * INVALID_MATRIX: K is not positive definite. With one coordinate K is never positive definite, and
 * need not be; the outcome is STUCK if u_t is zero after, otherwise SLIP_REVERSED, with DIVERGED if
 * there is friction.
 *
 * The report counts no steps, since there are none.
 */
IMPINGE_API impinge_status impinge_resolve_planar_mechanisms_f32(
    const impinge_mechanisms_f32 *mechanisms, const impinge_selection *selection,
    const impinge_options *options, const impinge_planar_mechanism_results_f32 *results,
    impinge_report *report);

#ifdef __cplusplus
}
#endif

#endif
