/**
 * The reference of simultaneous contacts: Chatterjee and Ruina 1998, 6.4, to the letter. Everything
 * is computed again after every collision; only the bodies are kept.
 */
#ifndef REFERENCE_SEQUENCE_H
#define REFERENCE_SEQUENCE_H

#include "reference.h"

/** The index of the immovable world. */
#define REFERENCE_WORLD UINT32_MAX

/** A contact of two of the bodies. The arms in the bodies themselves are not read. */
typedef struct reference_sequence_contact {
    uint32_t a, b;
    double arm_a[3], arm_b[3];
    double normal[3];                     /**< from B to A, of unit length */
    reference_contact_double coefficient; /**< K and u are not read */
} reference_sequence_contact;

/** The results of a sequence. */
typedef struct reference_sequence_result {
    size_t collisions;
    double left;     /**< the greatest approach velocity at the end, or 0 */
    double closest;  /**< the least share by which a pick, ties apart, was faster than all others */
    uint32_t *picks; /**< the caller's, with room for collisions_max: the contacts, one after the
                      * other */
    double (*impulse)[3]; /**< the caller's: each contact's sum, world frame */
} reference_sequence_result;

/**
 * The contact with the greatest approach velocity collides, or the first of those within
 * tie_tolerance of it, until no contact approaches faster than rest_speed, or there have been
 * collisions_max collisions.
 *
 * @param bodies world frame; their velocities are written
 */
void reference_sequence(reference_body_double *bodies, const reference_sequence_contact *contacts,
                        size_t count, const impinge_options *options, double tie_tolerance,
                        double rest_speed, size_t collisions_max,
                        reference_sequence_result *result);

#endif
