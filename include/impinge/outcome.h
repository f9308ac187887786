/** The outcome of a contact: one word of bits per contact. */
#ifndef IMPINGE_OUTCOME_H
#define IMPINGE_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

#include <impinge/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Bits of an outcome word. A contact that got an impulse has one or more of SLID, STUCK and
 * DIVERGED, in whichever order they happened (an algebraic law: STUCK if u_t = 0 after it, else
 * SLID). A contact that got none has one of IMPINGE_OUTCOME_NO_IMPULSE; its impulse is zero, and
 * its velocity after is, bit for bit, that before.
 */
typedef enum impinge_outcome {
    /** The bodies did not approach (u_n >= 0): no impulse. */
    IMPINGE_OUTCOME_SEPARATING = 1u << 0,
    /** Neither body can move (K = 0): no impulse. */
    IMPINGE_OUTCOME_IMMOVABLE = 1u << 1,
    /** The contact slid during some of the collision, other than along the diverging ray. */
    IMPINGE_OUTCOME_SLID = 1u << 2,
    /** The slip vanished and stayed zero to the end: stable sticking (Mirtich 1996,
       corrected, 3.5, 3.6). */
    IMPINGE_OUTCOME_STUCK = 1u << 3,
    /** The slip was zero, could not stay zero, and grew along the diverging ray (Mirtich 1996,
       corrected, 3.7 to 3.9). */
    IMPINGE_OUTCOME_DIVERGED = 1u << 4,
    /** The tangential velocity after is opposed to that before: u_t . u_t0 < 0, where that product,
       in units of |u0|, is in the range. */
    IMPINGE_OUTCOME_SLIP_REVERSED = 1u << 5,
    /** Compression began again after restitution had begun; W_c and W_d are sums (Mirtich
       1996, corrected, 3.4). */
    IMPINGE_OUTCOME_RECOMPRESSED = 1u << 6,
    /** A grazing contact (u_n = 0) that friction pressed together: a jam, resolved on request. */
    IMPINGE_OUTCOME_JAMMED = 1u << 7,
    /**
     * The kinetic energy grew by more than rounding (Chatterjee and Ruina 1998, 3.2, condition 1):
     * by K and u0, with OUTSIDE_REGION; or, for contacts of bodies, by the velocities after, above
     * 64 units of rounding (2^-24, 2^-53) of the sum of |p_i| (|v_i| + |v_i'|) / 2 and |m_i|
     * (|omega_i| + |omega_i'|) / 2 over both bodies, m = r x p (and the smallest normal number
     * times the largest of p and m and of v and omega). Where K is nearly singular, its rounding
     * alone may add more than that. The rounding of a velocity that hardly changes is not counted,
     * which may be more beside a body of 1e12 times the mass. impinge_resolve_indexed, which writes
     * no velocities, judges by K and u0 alone. The composite law has the bit if one of its parts
     * has.
     */
    IMPINGE_OUTCOME_ENERGY_GAINED = 1u << 8,
    /**
     * The impulse is outside the permissible region by more than rounding: energy gained,
     * interpenetration, a pull, or outside the friction cone (Chatterjee and Ruina 1998, 3.2).
     */
    IMPINGE_OUTCOME_OUTSIDE_REGION = 1u << 9,
    /** Friction, or a bound, shortened the impulse that the tangential coefficients would give. */
    IMPINGE_OUTCOME_CLIPPED = 1u << 10,
    /** Planar contacts: the slip vanished during restitution, not during compression. */
    IMPINGE_OUTCOME_SLIP_ENDED_LATE = 1u << 11,
    /** Impulse ratios for which the bodies would have to pull (K_33 + k . mu <= 0): no impulse. */
    IMPINGE_OUTCOME_NO_SOLUTION = 1u << 12,
    /** Particles: they do not overlap. No impulse. */
    IMPINGE_OUTCOME_APART = 1u << 13,
    /**
     * Particles, with SEPARATING: they overlap, and u_n = 0 (impulse collision method, b.2), no
     * impulse. A step's contacts, with STUCK or SLID: an accumulated impulse holds them at rest.
     */
    IMPINGE_OUTCOME_RESTING = 1u << 14,
    /**
     * Routh's law: the slip still turned after 256 steps, and the rest of its path was taken as
     * straight. Friction allows the impulse, but its error may exceed the tolerance. There is no
     * proof that a legal contact cannot come to it: of those drawn to be hard none did in f64, and
     * in f32 one in millions, whose K was singular to rounding. Of those whose K is neither
     * definite nor refused beyond rounding (see impinge_law), one in thousands does. No other bound
     * of a loop has a bit (docs/bounds.md says why).
     */
    IMPINGE_OUTCOME_STEPS_EXHAUSTED = 1u << 15,

    /**
     * The input is wrong. One or more of the reasons below are set as well. A consequence of a
     * reason may be set, too: a NaN in an arm makes one in K.
     */
    IMPINGE_OUTCOME_INVALID = 1u << 16,
    /** K is not finite or not positive definite in the precision of the call. */
    IMPINGE_OUTCOME_INVALID_MATRIX = 1u << 17,
    /** A velocity, or the u0 computed from the velocities, is not finite. */
    IMPINGE_OUTCOME_INVALID_VELOCITY = 1u << 18,
    /** Restitution is not in [0, 1], or in [0, infinity) with options.restitution_above_one. */
    IMPINGE_OUTCOME_INVALID_RESTITUTION = 1u << 19,
    /** Friction is negative or NaN, or static friction is below (kinetic) friction. */
    IMPINGE_OUTCOME_INVALID_FRICTION = 1u << 20,
    /**
     * The normal is not of unit length (see impinge_body_pairs_f32); the centres of particles
     * coincide, or are not finite.
     */
    IMPINGE_OUTCOME_INVALID_NORMAL = 1u << 21,
    /**
     * An inverse mass or a diagonal element of an inverse inertia is negative or not finite, or a
     * mass matrix is not finite or not positive definite. impinge_resolve_indexed: or `sharing` has
     * 0 for a body that can move.
     */
    IMPINGE_OUTCOME_INVALID_MASS = 1u << 22,
    /** An arm or a Jacobian is not finite; a radius is negative or not finite. */
    IMPINGE_OUTCOME_INVALID_ARM = 1u << 23,
    /**
     * The input is legal, but the impulse or a velocity after it does not fit the precision, or
     * elements of K differ by more than the law can compute with (see impinge_law, spread K). No
     * other bit is set, and the contact does not count as invalid.
     */
    IMPINGE_OUTCOME_OUT_OF_RANGE = 1u << 24,
    /** Tangential restitution, mix, an impulse ratio or the damping fraction is out of its range.
     */
    IMPINGE_OUTCOME_INVALID_COEFFICIENT = 1u << 25,
    /** The law is for diagonal K only (bilinear). */
    IMPINGE_OUTCOME_NOT_DIAGONAL = 1u << 26,
    /** An orientation is not a rotation (see impinge_pair_side_f32). */
    IMPINGE_OUTCOME_INVALID_ORIENTATION = 1u << 27,
    /** An index is out of range, or a body or particle collides with itself. */
    IMPINGE_OUTCOME_INVALID_INDEX = 1u << 28,
    /**
     * A body or particle has several contacts. impinge_resolve_indexed: the impulse is that of a
     * share of the body's mass. impinge_apply_particle_pairs and impinge_apply_particle_planes: the
     * impulse stays that of the contact alone, and a share of it was added to the particle. The sum
     * of either loses energy and never gains it. Not invalid.
     */
    IMPINGE_OUTCOME_MASS_SPLIT = 1u << 29,
    /**
     * Routh's law: the error of the velocity after may exceed options.tolerance of |u0|. A contact
     * near a jam, or with almost no restitution, amplifies errors of its steps and of its input,
     * and an estimate of the result exceeds the tolerance. The estimate is on the safe side: in f32
     * six of a hundred contacts of boxes have the bit (by Poisson's rule seven, by Newton's two),
     * in f64 by Poisson's rule one in three hundred, and few of them have such an error. The bit is
     * also set where static friction would hold a slip that comes to zero, and K is within rounding
     * of where the slip passes instead, and with options.resolve_jams where u_n = 0 and rounding
     * decides whether the contact jams; then it may come with SEPARATING. Not invalid.
     */
    IMPINGE_OUTCOME_TOLERANCE_MISSED = 1u << 30
} impinge_outcome;

/** The contact got an impulse: one or more of these. */
#define IMPINGE_OUTCOME_GOT_IMPULSE                                                                \
    ((uint32_t)IMPINGE_OUTCOME_SLID | IMPINGE_OUTCOME_STUCK | IMPINGE_OUTCOME_DIVERGED)

/** The contact got no impulse: one or more of these, and none of the bits above. */
#define IMPINGE_OUTCOME_NO_IMPULSE                                                                 \
    ((uint32_t)IMPINGE_OUTCOME_SEPARATING | IMPINGE_OUTCOME_IMMOVABLE |                            \
     IMPINGE_OUTCOME_NO_SOLUTION | IMPINGE_OUTCOME_APART | IMPINGE_OUTCOME_INVALID |               \
     IMPINGE_OUTCOME_OUT_OF_RANGE)

/** The reasons of an invalid contact: one or more of these, with IMPINGE_OUTCOME_INVALID. */
#define IMPINGE_OUTCOME_INVALID_REASONS                                                            \
    ((uint32_t)IMPINGE_OUTCOME_INVALID_MATRIX | IMPINGE_OUTCOME_INVALID_VELOCITY |                 \
     IMPINGE_OUTCOME_INVALID_RESTITUTION | IMPINGE_OUTCOME_INVALID_FRICTION |                      \
     IMPINGE_OUTCOME_INVALID_NORMAL | IMPINGE_OUTCOME_INVALID_MASS | IMPINGE_OUTCOME_INVALID_ARM | \
     IMPINGE_OUTCOME_INVALID_COEFFICIENT | IMPINGE_OUTCOME_NOT_DIAGONAL |                          \
     IMPINGE_OUTCOME_INVALID_ORIENTATION | IMPINGE_OUTCOME_INVALID_INDEX)

/** Details of an impulse: any of these bits may be set with it. */
#define IMPINGE_OUTCOME_DETAILS                                                                    \
    ((uint32_t)IMPINGE_OUTCOME_SLIP_REVERSED | IMPINGE_OUTCOME_RECOMPRESSED |                      \
     IMPINGE_OUTCOME_JAMMED | IMPINGE_OUTCOME_ENERGY_GAINED | IMPINGE_OUTCOME_OUTSIDE_REGION |     \
     IMPINGE_OUTCOME_CLIPPED | IMPINGE_OUTCOME_SLIP_ENDED_LATE | IMPINGE_OUTCOME_MASS_SPLIT |      \
     IMPINGE_OUTCOME_RESTING | IMPINGE_OUTCOME_STEPS_EXHAUSTED | IMPINGE_OUTCOME_TOLERANCE_MISSED)

/** Every bit that an outcome may have. */
#define IMPINGE_OUTCOME_ALL                                                                        \
    (IMPINGE_OUTCOME_GOT_IMPULSE | IMPINGE_OUTCOME_NO_IMPULSE | IMPINGE_OUTCOME_INVALID_REASONS |  \
     IMPINGE_OUTCOME_DETAILS)

/** Enough for every word that impinge_outcome_text can write, with its terminating zero. */
#define IMPINGE_OUTCOME_TEXT_SIZE 512

/**
 * Writes an outcome word as words joined by '|', such as "slid|stuck": the names above in lower
 * case, '-' for '_', in the order of their bits. Unknown bits are left out; no bits give "none".
 * Writes at most `size` bytes with the terminating zero (nothing if size is 0), and returns the
 * length of the whole text, as snprintf does. Thread safe.
 */
IMPINGE_API size_t impinge_outcome_text(uint32_t outcome, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
