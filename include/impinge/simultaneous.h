/**
 * Simultaneous contacts: collisions one after the other, at one instant, until no contact
 * approaches.
 *
 * The sequence (Chatterjee and Ruina 1998, section 6.4): the contact of an island with the greatest
 * approach velocity collides by the single-contact law of the options, as if it were alone; then
 * the approach velocities of its bodies' other contacts are updated; and so on. Islands are
 * independent: many are resolved at once, each in a lane. An island of one contact has the bits of
 * that contact's law. A contact that does not approach never collides, so options.resolve_jams has
 * no effect. A contact that gets no impulse (it is invalid, or its law has no solution) is skipped
 * until a velocity of its bodies changes; it does not count as a collision, nor as approaching.
 *
 * Sweeps are cheaper for many contacts of one island: they take all contacts of a colour at once,
 * one colour after the other, in an order that does not depend on the velocities. From the second
 * sweep on a contact is left alone if it approaches by no more than rounding: 16 units of the sizes
 * of the terms of its approach and, if the results have impulses, of K times the sum of its own. So
 * the law is not applied to the rounding of its own collision.
 *
 * Both may need infinitely many collisions (a ball between two walls that approach; Chatterjee and
 * Ruina 1998, 6.4). They end at a cap, and report the contacts that still approach.
 *
 * Conventions, arrays, bits, threads and stack are those of <impinge/batch.h> and
 * <impinge/bodies.h>.
 */
#ifndef IMPINGE_SIMULTANEOUS_H
#define IMPINGE_SIMULTANEOUS_H

#include <impinge/bodies.h>
#include <impinge/groups.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Options of sweeps. All zero: they end when no contact approaches, after 100 sweeps at most. */
typedef struct impinge_sweep_options {
    size_t sweeps_max; /**< the most sweeps; 0 stands for 100 */
    /** Contacts that approach no faster than this are left alone, >= 0 and finite, m/s. */
    double rest_speed;
    uint64_t reserved[4]; /**< zero, as in impinge_options */
} impinge_sweep_options;

/** The defaults: all zero. */
static inline impinge_sweep_options impinge_sweep_options_default(void) {
    const impinge_sweep_options options = IMPINGE_ALL_ZERO;
    return options;
}

/** The report of sweeps. */
typedef struct impinge_sweep_report {
    size_t sweeps;     /**< how many, including the last one, in which no contact collided */
    size_t collisions; /**< contacts that got an impulse, once for each time */
    /** Contacts that still approach faster than the rest speed, and by more than rounding. */
    size_t approaching;
    double largest_approach; /**< the greatest approach velocity that is left, m/s */
    uint64_t reserved[4];    /**< zero */
} impinge_sweep_report;

/**
 * The first of several contacts with the same greatest approach velocity (Chatterjee and Ruina
 * 1998, 6.4).
 */
typedef enum impinge_tie {
    IMPINGE_TIE_BY_INDEX = 0, /**< the one with the lowest index */
    IMPINGE_TIE_DRAWN         /**< one of them at random, by `seed`; the same on every target */
} impinge_tie;

/** Options of a sequence. All zero: the defaults below, ties by index, no extrapolation. */
typedef struct impinge_sequence_options {
    /** Truncation by count: the most collisions of an island. 0: 1000 times its contacts. */
    size_t collisions_max;
    /**
     * Truncation by energy: an island ends when as many collisions in a row as it has contacts each
     * had a work of compression of no more than this fraction of the sum of all before. In [0, 1);
     * 0: not truncated.
     */
    double energy_fraction;
    /** Contacts that approach no faster than this are left alone, >= 0 and finite, m/s. */
    double rest_speed;
    impinge_tie tie;
    uint64_t seed; /**< of IMPINGE_TIE_DRAWN */
    /**
     * Contacts whose approach velocity is within this share of the greatest are tied, in [0, 1).
     * 0: 64 units of rounding. Velocities that are equal by symmetry differ by less after a few
     * collisions; the differences grow with the number of collisions.
     */
    double tie_tolerance;
    /**
     * If true, a geometric tail is summed up at once. If the same cycle of contacts has occurred
     * three times, each impulse r < 1 times that of the cycle before, the rest of the tail is
     * r / (1 - r) times the last cycle, provided that no other contact collides in between. The
     * search runs at every eighth collision, for cycles of at most 32. A tail counts as geometric
     * if the ratios of impulses differ from r by less than a thousandth of 1 - r in both pairs of
     * cycles. The relative error of the tail is then about a thousandth over r. The sequence
     * continues from there. A tail that would add energy is dropped: where restitution depends on
     * the speed, cycles may shrink by one ratio for a while and then by another.
     */
    bool extrapolate;
    uint64_t reserved[4]; /**< zero, as in impinge_options */
} impinge_sequence_options;

/** The defaults: all zero. */
static inline impinge_sequence_options impinge_sequence_options_default(void) {
    const impinge_sequence_options options = IMPINGE_ALL_ZERO;
    return options;
}

/** Why a sequence ended. */
typedef enum impinge_sequence_end {
    IMPINGE_SEQUENCE_COMPLETE = 0, /**< no contact approaches faster than the rest speed */
    IMPINGE_SEQUENCE_COUNT,        /**< truncated by count */
    IMPINGE_SEQUENCE_ENERGY        /**< truncated by energy */
} impinge_sequence_end;

/** The report of the sequences of all islands of a call. */
typedef struct impinge_sequence_report {
    size_t islands;          /**< how many */
    size_t collisions;       /**< of all islands */
    size_t truncated;        /**< islands that were truncated */
    size_t extrapolated;     /**< islands in which a tail was extrapolated */
    double largest_approach; /**< the greatest approach velocity that is left, m/s */
    uint64_t reserved[4];    /**< zero */
} impinge_sequence_report;

#ifdef __cplusplus
}
#endif

#include <impinge/simultaneous_f32.h>
#include <impinge/simultaneous_f64.h>

#endif
