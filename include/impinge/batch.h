/**
 * Batches of contacts and the calls that resolve them, in single (f32) and double (f64) precision.
 *
 * Conventions. Body A receives the impulse +p, body B receives -p. The unit normal n points from B
 * to A. The separation velocity is u = u_A - u_B at the contact; u_n < 0 approaches. The contact
 * frame is (t1, t2, n), right-handed. u = u0 + K p with the collision matrix
 *
 *     K = (1/m_A + 1/m_B) 1 - [r_A]x I_A^-1 [r_A]x - [r_B]x I_B^-1 [r_B]x      (000, 3.2).
 *
 * Arrays. Structure-of-arrays; contact i is element i of every array. Any alignment that the
 * element type itself allows, any count. An output array may be the same array as an input array or
 * apart from it, but may not overlap one at another offset, nor another output.
 *
 * Bits. The same input gives the same bits on every target, for every count, position, alignment
 * and way of dividing a batch among threads. This holds in the default floating-point environment:
 * round to nearest, subnormals not flushed to zero.
 *
 * Threads. A call allocates nothing, keeps no state and may run in any thread; concurrent calls
 * must not write the same elements. To share a batch out, give each thread a copy of the struct
 * with its own `first` and `count`.
 */
#ifndef IMPINGE_BATCH_H
#define IMPINGE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <impinge/outcome.h>
#include <impinge/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The law of contact. */
typedef enum impinge_law {
    /**
     * The incremental law: as the normal impulse grows, friction opposes the slip of the moment;
     * the contact slides, sticks, or leaves sticking along the diverging ray (seed 000, sections 3
     * and 4; seed 003, 4.2.1).
     */
    IMPINGE_LAW_ROUTH = 0
} impinge_law;

/** When a collision ends; all three agree if the slip keeps its direction. */
typedef enum impinge_restitution_rule {
    /** Energetic: W_d = -e^2 W_c; never gains energy (000, 3.4). */
    IMPINGE_RULE_STRONGE = 0,
    /** Kinetic: the normal impulse of restitution is e times that of compression (003, 4.2.1). */
    IMPINGE_RULE_POISSON = 1,
    /** Kinematic: u_n = -e u_n0; can gain energy when there is friction. */
    IMPINGE_RULE_NEWTON = 2
} impinge_restitution_rule;

/** How to resolve. All zero is the default: Routh's law, Stronge's rule, the default tolerance. */
typedef struct impinge_options {
    impinge_law law;
    impinge_restitution_rule rule;
    /**
     * The largest error of a velocity against the exact solution, relative to |u0|, apart from what
     * rounding does to the input. Zero: the default, 1e-6 in f32 and 1e-12 in f64. Otherwise in
     * (0, 0.01]; what is smaller than 4 units of rounding is taken as that.
     */
    double tolerance;
    /**
     * Whether a grazing contact (u_n = 0) that friction would press together (du_n/dp_n < 0) is
     * a collision. If not, u_n >= 0 is no impact.
     */
    bool resolve_jams;
} impinge_options;

/** What a call counted. */
typedef struct impinge_report {
    size_t contacts;      /**< contacts looked at: the count of the batch */
    size_t invalid;       /**< contacts whose outcome has IMPINGE_OUTCOME_INVALID */
    size_t first_invalid; /**< the index of the first of them; SIZE_MAX if there is none */
    uint64_t steps;       /**< integration steps of all contacts; the same on every target */
    uint64_t lane_slots;  /**< lanes that those steps had; steps / lane_slots is the occupancy */
} impinge_report;

#define IMPINGE_REAL       float
#define IMPINGE_NAME(name) name##_f32
#include <impinge/batch_real.inc>
#undef IMPINGE_NAME
#undef IMPINGE_REAL

#define IMPINGE_REAL       double
#define IMPINGE_NAME(name) name##_f64
#include <impinge/batch_real.inc>
#undef IMPINGE_NAME
#undef IMPINGE_REAL

#ifdef __cplusplus
}
#endif
#endif
