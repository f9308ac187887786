/**
 * Contacts that are drawn to break a law, and what a law's answer is held to, in long double.
 *
 * Random contacts are kind: hardly one in a million is near a threshold, so near-singular, or so
 * uneven in its sizes that a difference cancels or a square underflows. These are drawn for that:
 * slip and friction over thirty decades, friction within 2^-20 to 2^-50 of where sticking, jamming
 * or a rolling ray begins, no slip at all, normal velocities far below the slip, collision
 * matrices of condition up to 1e12, and sizes about the thresholds of the kernels' scaling.
 */
#ifndef LAW_ADVERSARIES_H
#define LAW_ADVERSARIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "batches.h"
#include "reference.h"

/**
 * Draws a contact for a law, with all its coefficients.
 *
 * @param single whether its numbers are to be floats, else doubles
 * @param row the inputs, in the order of the columns in batches.h
 */
void law_adversary(uint64_t *state, impinge_law law, bool single, double row[CONTACT_INPUTS]);

/** A law's answer, widened. */
typedef struct adversarial_answer {
    long double p[3], u[3];
    long double first[3]; /**< of the two-stage law: the impulse of compression alone */
    uint32_t outcome;
} adversarial_answer;

/** The errors of an answer, each in units of rounding of the terms that it adds up. */
typedef struct adversarial_error {
    long double sum;  /**< of u = u0 + K p, as u_i over |u0_i| + sqrt(K_ii) sum sqrt(K_jj) |p_j| */
    long double law;  /**< of the law's own equations, by the impulse and velocity reported */
    long double cone; /**< of |p_t| <= mu p_n, where the law has friction */
    /** of what p.(u0 + K p / 2) gains, where the law claims not to: its terms |p_i u0_i| and
     *  (sum sqrt(K_ii) |p_i|)^2 / 2 */
    long double energy;
} adversarial_error;

/**
 * Computes the errors of the answer to a contact by the law's equations.
 *
 * @param unit the unit of rounding of the answer's precision
 * @param least the smallest normal number of that precision
 * @param contact as given, with exactly the kernel's numbers
 * Returns false if the answer has no impulse.
 */
bool adversarial_judge(const reference_contact_long *contact, impinge_law law, long double unit,
                       long double least, const adversarial_answer *answer,
                       adversarial_error *error);

/** A contact with all of a row's coefficients. */
reference_contact_long adversarial_contact_of_row(const double row[CONTACT_INPUTS]);

#endif
