/** The single-precision half of <impinge/region.h>, which includes it and has the conventions. */
#ifndef IMPINGE_REGION_F32_H
#define IMPINGE_REGION_F32_H

#include <impinge/region.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Impulses to test, kg m/s. Every pointer is required. */
typedef struct impinge_impulses_f32 {
    const float *p1, *p2, *p3;
    size_t stride; /**< of all three */
} impinge_impulses_f32;

/**
 * Results of tests of impulses: the signed slack of each condition, positive inside. Null: not
 * wanted. A slack that does not fit the precision is infinite.
 */
typedef struct impinge_judgements_f32 {
    float *energy;                    /**< E(u0) - E(u), J: the energy lost */
    float *interpenetration;          /**< u_n after, m/s */
    float *pull;                      /**< p_n, kg m/s */
    float *cone;                      /**< (mu p_n - |p_t|) / max(1, mu), kg m/s */
    uint32_t *mask;                   /**< bits of impinge_region_bit: conditions that fail beyond
                                       * rounding */
    size_t slack_stride, mask_stride; /**< of the four slacks; of the mask */
} impinge_judgements_f32;

/** Impulses brought into the region. Null: not wanted. */
typedef struct impinge_projections_f32 {
    float *p1, *p2, *p3; /**< kg m/s */
    float *fraction;     /**< of the way from P0 to the given impulse, in [0, 1] */
    uint32_t *mask;      /**< bits of impinge_region_bit: those of the given impulse */
    size_t impulse_stride, fraction_stride, mask_stride;
} impinge_projections_f32;

/**
 * Judges impulses by the permissible region of their contacts. Friction is the only coefficient
 * that is read. Arrays, bits and threads are as in batch.h.
 *
 * An invalid contact, or an impulse that is not finite, has zero slacks and a mask with the reason.
 * The error of a slack is below a quarter of its allowance for rounding.
 *
 * @param contacts the batch
 * @param selection which of them; null: all; an order is refused
 * @param impulses one for each contact
 * @param judgements the arrays to write, at the indices of the contacts
 * @param report null: not wanted; steps and lane_slots are 0
 * Returns IMPINGE_OK, IMPINGE_SOME_INVALID, or an error and then has written nothing:
 * IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_COUNT, IMPINGE_ERROR_ARGUMENT for a selection with an
 * order, or what impinge_target_selected returns.
 */
IMPINGE_API impinge_status impinge_judge_impulses_f32(const impinge_contacts_f32 *contacts,
                                                      const impinge_selection *selection,
                                                      const impinge_impulses_f32 *impulses,
                                                      const impinge_judgements_f32 *judgements,
                                                      impinge_report *report);

/**
 * Brings impulses into the permissible region of their contacts, towards the inner point
 * (Chatterjee and Ruina 1998, 4.1, item 2): P0 + t (P - P0) with the largest t in [0, 1] that is
 * permissible.
 *
 * A permissible impulse is returned bit for bit. Any other becomes permissible up to rounding, that
 * of a component below the smallest number included; it becomes P0 if t (P - P0) would be below
 * 2^-114 (2^-1010 in f64) times the size of u0 / K. For mu = 0 an impulse off the normal axis
 * becomes P0. For u_n0 >= 0 P0 is 0 and projection shortens the impulse: to 0, unless its direction
 * leads into the region. The result is 0 for an invalid or immovable contact, for an impulse that
 * is not finite, and for a projection that does not fit the precision (with
 * IMPINGE_OUTCOME_OUT_OF_RANGE).
 *
 * Arguments, arrays and returned values are as for impinge_judge_impulses_f32.
 */
IMPINGE_API impinge_status impinge_project_impulses_f32(const impinge_contacts_f32 *contacts,
                                                        const impinge_selection *selection,
                                                        const impinge_impulses_f32 *impulses,
                                                        const impinge_projections_f32 *projections,
                                                        impinge_report *report);

#ifdef __cplusplus
}
#endif

#endif
