/**
 * Random contacts of every kind, the same for the same seed on every machine: only operations that
 * IEEE 754 rounds in one way are used.
 *
 * Kinds are biased towards what is rare among contacts drawn evenly and decides between branches:
 * zero slip, grazing, coefficients at the ends of their ranges, sizes at the ends of the
 * exponents'.
 */
#ifndef RANDOM_CONTACTS_H
#define RANDOM_CONTACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "../tools/support/random.h"
#include "batches.h"

typedef enum random_kind {
    RANDOM_BOXES,             /**< two boxes, or a box and a wall, touching at a corner */
    RANDOM_DEFINITE,          /**< any K (level 2: inertia) with a condition number up to 1000 */
    RANDOM_SPHERES,           /**< k = 0 and an isotropic T */
    RANDOM_PLANAR,            /**< all motion in one plane */
    RANDOM_AT_REST,           /**< no slip at first */
    RANDOM_NEARLY_AT_REST,    /**< little slip at first */
    RANDOM_GRAZING,           /**< little normal velocity beside the slip */
    RANDOM_FRICTIONLESS,      /**< mu = 0 */
    RANDOM_INFINITE_FRICTION, /**< mu = infinity */
    RANDOM_TINY_FRICTION,     /**< mu down to 2^-40 */
    RANDOM_HUGE_FRICTION,     /**< mu up to 2^40 */
    RANDOM_STATIC_FRICTION,   /**< mu_s > mu */
    RANDOM_PLASTIC,           /**< e = 0 */
    RANDOM_ELASTIC,           /**< e = 1 */
    RANDOM_TWO_PHASE,  /**< about the example of Mirtich 1996, corrected, 1.2: compressed twice */
    RANDOM_SEPARATING, /**< u_n > 0 */
    RANDOM_LEVEL,      /**< u_n = 0 or -0 in contact space, as near as may be in level 2 */
    RANDOM_SCALED,     /**< masses and velocities of any size at all */
    RANDOM_IMMOVABLE,  /**< K = 0 */
    RANDOM_INVALID,    /**< one number is wrong, or at least out of place */
    RANDOM_KINDS
} random_kind;

/** Names for messages. */
extern const char *const random_kind_names[RANDOM_KINDS];

/**
 * True if contacts of the kind are legal, can move, and are of ordinary size, so that a law
 * applies.
 */
bool random_kind_collides(random_kind kind);

/**
 * Draws a contact, or a pair of bodies, of a kind.
 *
 * @param exponents the largest power of two of RANDOM_SCALED, up and down
 * @param row the inputs, in the order of the columns in batches.h
 */
void random_contact(uint64_t *state, random_kind kind, int exponents, double row[CONTACT_INPUTS]);
void random_pair(uint64_t *state, random_kind kind, int exponents, double row[PAIR_INPUTS]);

/** Fills the first `count` contacts of a batch with contacts of any kind. */
void random_fill_f32(uint64_t *state, const batch_f32 *batch, size_t count);
void random_fill_f64(uint64_t *state, const batch_f64 *batch, size_t count);

#endif
