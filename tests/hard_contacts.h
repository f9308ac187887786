/**
 * Contacts on which Routh's law was off by more than its tolerance and did not say so, each by
 * another fault, and draws of their neighbours.
 */
#ifndef HARD_CONTACTS_H
#define HARD_CONTACTS_H

#include <stddef.h>
#include <stdint.h>

#include "batches.h"

/** A contact and its rule. */
typedef struct ruled_contact {
    impinge_restitution_rule rule;
    double row[CONTACT_INPUTS];
} ruled_contact;

extern const ruled_contact hard_contacts[];
extern const size_t hard_contact_count;

/** Contacts that ended with u_n < 0 at a wrong zero, which no rounding decides. */
extern const ruled_contact falling_contacts[];
extern const size_t falling_contact_count;

/**
 * Draws a neighbour of a hard contact: each input changes by up to 2^0 to 2^7 units of rounding of
 * the precision of `bits`, and mu_s stays mu if it is.
 *
 * @param row the inputs, in the order of the columns in batches.h
 */
void hard_neighbour(uint64_t *state, size_t contact, int bits, double row[CONTACT_INPUTS]);

/** The same of a falling contact, by up to 2^-4 to 2^-11 of each input. */
void falling_neighbour(uint64_t *state, size_t contact, int bits, double row[CONTACT_INPUTS]);

#endif
