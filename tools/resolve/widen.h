/** Contacts of a batch as the reference takes them. */
#ifndef TOOLS_WIDEN_H
#define TOOLS_WIDEN_H

#include "batch.h"
#include "reference.h"

/** A contact's inputs in the order of the batch, exactly as the library got them. */
typedef struct widened_contact {
    batch_kind kind;
    bool turned[2]; /**< whether A and B have an orientation */
    long double inputs[BATCH_INPUTS_MAX];
    long double coefficients[COEFFICIENTS];
    long double unit; /**< reference_contact.unit, of the batch's precision */
} widened_contact;

widened_contact widen(const batch *from, size_t row);

/**
 * The contact in contact space, and its axes: the rows of the frame, in the axes in which the batch
 * has its impulses. Planar contacts lie in the plane of t1 and n, with any t2. Returns 0, or the
 * outcome of bodies that are invalid.
 */
uint32_t widened_set_up(const widened_contact *from, reference_contact_long *contact,
                        reference_frame_long *frame);

#endif
