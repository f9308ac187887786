/** Contacts beside a border between two outcomes of Routh's law. */
#ifndef BORDER_CONTACTS_H
#define BORDER_CONTACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "batches.h"

/**
 * Draws a contact on which the law is discontinuous, or nearly: beside a border between two
 * outcomes, such as where u_n only just passes zero before it falls again, or friction only just
 * holds. Bisection finds the border between two contacts that differ in one input, by what the
 * library says in f64.
 *
 * @param bits 32 or 64, the precision of which the distance from the border is as small as rounding
 * @param row  the inputs, in the order of the columns in batches.h
 */
void border_contact(uint64_t *state, int bits, bool in_plane, double row[CONTACT_INPUTS]);

#endif
