/** Resolved impulses against the reference. */
#ifndef TOOLS_VERIFY_H
#define TOOLS_VERIFY_H

#include "batch.h"
#include "support/csv.h"

/** An impulse and how far it is from the reference's. */
typedef struct deviation {
    size_t row, line; /**< of the table, and of the file; 0: not known */
    double error;     /**< |p - p_ref| / |p_ref| */
    double allowed;   /**< the bound on that */
} deviation;

/** The result of a verification. */
typedef struct verification {
    size_t compared;   /**< contacts whose impulses were compared; the others are invalid or out of
                          range */
    size_t failed;     /**< contacts whose error is larger than allowed */
    deviation largest; /**< the largest error */
    deviation worst;   /**< the largest error as a multiple of the allowed error */
} verification;

/** The contacts of a batch that are verified. */
typedef struct verify_rows {
    size_t first;        /**< the row of the table that is the batch's first contact, from 0 */
    size_t every;        /**< rows whose number this divides */
    const csv_row *rows; /**< for their lines; null: not known */
} verify_rows;

/**
 * Resolves the contacts of a batch with the reference, which gets exactly the numbers that the
 * library got, and compares the impulses.
 *
 * The allowed error is 2e-6 (f32) or 1e-11 (f64), in proportion more if the call's tolerance is
 * looser than the default, times the condition number of the contact if that is above 1. The
 * condition number is only computed for contacts that need it. It is the larger of two effects on
 * the reference's impulse: that of small random relative changes of all inputs; and that of an
 * error of a velocity relative to |u0|, which the library bounds, and of the rounding of K.
 */
verification verify_batch(const batch *resolved, const impinge_options *options,
                          const verify_rows *rows);

/** Adds the result for other contacts. */
void verification_add(verification *sum, const verification *more);

#endif
