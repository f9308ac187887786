/**
 * Contacts that random draws do not reach: at borders between a law's cases, with numbers of very
 * different sizes, and at sizes where scaling changes. All are legal and collide, but singular
 * ones.
 */
#ifndef ADVERSARIAL_CONTACTS_H
#define ADVERSARIAL_CONTACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "batches.h"

typedef enum adversarial_kind {
    ADVERSARIAL_GRID,      /**< slip and friction over 30 decades each, evenly by exponent */
    ADVERSARIAL_CRITICAL,  /**< mu within 2^-20 to 2^-50 of |T^-1 k|, with little or no slip */
    ADVERSARIAL_AT_REST,   /**< no slip, mu near or below |T^-1 k| */
    ADVERSARIAL_SHALLOW,   /**< |u_n| down to 1e-30 of the slip */
    ADVERSARIAL_STRETCHED, /**< K of condition to 1e12, of any orientation */
    ADVERSARIAL_GRADED,    /**< the same by scaling rows and columns: friction large or small */
    ADVERSARIAL_NEAR_JAM,  /**< little restitution, little u_n, mu to 3: the harsh set */
    ADVERSARIAL_SIZES,     /**< velocities and K about the sizes at which scaling changes */
    ADVERSARIAL_STATIC,    /**< mu_s > mu, infinite too, with little slip */
    ADVERSARIAL_SLOW,      /**< mu near |T^-1 k|, both small, and little slip: it hardly changes */
    ADVERSARIAL_FALLING,   /**< mu hardly above K33 / |k|: u_n falls in a narrow arc of slip only */
    ADVERSARIAL_SINGULAR,  /**< K of rank 1 or 2, exactly or but for rounding: legal, or hardly not
                            */
    ADVERSARIAL_KINDS
} adversarial_kind;

/** Names for messages. */
extern const char *const adversarial_kind_names[ADVERSARIAL_KINDS];

/** Whether K is positive definite, with some room for rounding in the precision of `bits`. */
bool is_clearly_definite(const double row[CONTACT_INPUTS], int bits);

/**
 * Draws a contact of a kind, exact in the precision of `bits`.
 *
 * @param row the inputs, in the order of the columns in batches.h
 */
void adversarial_contact(uint64_t *state, adversarial_kind kind, int bits,
                         double row[CONTACT_INPUTS]);

#endif
