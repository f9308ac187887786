/**
 * Batches of contacts and the calls that resolve them, in single (f32) and double (f64) precision.
 *
 * Conventions. Body A receives the impulse +p, body B receives -p. The unit normal n points from B
 * to A. The separation velocity is u = u_A - u_B at the contact; u_n < 0 approaches. The contact
 * frame is (t1, t2, n), right-handed. u = u0 + K p with the collision matrix
 *
 *     K = (1/m_A + 1/m_B) 1 - [r_A]x I_A^-1 [r_A]x - [r_B]x I_B^-1 [r_B]x
 *
 * (Mirtich 1996, corrected, 3.2).
 *
 * Arrays. Structure-of-arrays; contact i is element i of every array. Any alignment that the
 * element type itself allows, any count. An output array may be an input array itself, or separate
 * from it. It may not overlap an input array at another offset, nor another output array.
 *
 * Strides. Arrays of contacts, bodies, particles and planes in another layout, such as x[n][3] or
 * an array of structs, need not be copied: each quantity has a stride, the number of elements from
 * the value of one contact or body to that of the next. A stride of 0, as an initialiser leaves it,
 * means 1: values one after the other, which is the fastest. Elements in between are neither read
 * nor written. If a stride is so large that no such array can exist, the call returns
 * IMPINGE_ERROR_COUNT, whether the array is given or not. Bits do not depend on strides. For
 * x[n][3] give x = &x[0][0], y = &x[0][1], z = &x[0][2] and a stride of 3. These have no stride:
 * lists that one call writes for another (orders, starts, keys, neighbours, `sharing`,
 * `immovable`), the table of a restitution model, results of islands, and rows of particles
 * (<impinge/particle_rows.h>), which have a layout of their own.
 *
 * Bits. The same input gives the same bits on every target, for every count, position, alignment
 * and division of a batch among threads, and in any floating-point environment: a call computes in
 * the default environment (round to nearest, subnormal numbers kept, no traps) and restores the
 * caller's before it returns. This takes some 6 ns a call.
 *
 * Threads. A call allocates nothing, keeps no state and may run in any thread; concurrent calls
 * must not write the same elements. To share a batch out, give each thread a selection of its own
 * (<impinge/selection.h>).
 *
 * Stack. The table gives the largest stack that a call needs, in either precision and with every
 * target:
 *
 *     contacts, also planar ones, body pairs, bodies by index,
 *     mechanisms; sweeps and sequences; impacts of a step of bodies     64 KiB
 *     impinge_collide_particle_pairs, _rows and _lists                  64 KiB
 *     a step of particles, the rest of a step of bodies, neighbours     32 KiB
 *     all other calls                                                   16 KiB
 *
 * These are the figures of optimized builds by GCC 12; other compilers need about as much. If the
 * stack is too small, the library faults on the thread's guard page and never writes beyond it.
 * Half of the stack for contacts is a ring in which Routh's law keeps them.
 */
#ifndef IMPINGE_BATCH_H
#define IMPINGE_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <impinge/export.h>
#include <impinge/outcome.h>
#include <impinge/selection.h>
#include <impinge/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The law of contact. Below, p_I = -(u_n0 / K_33) n is the impulse of a plastic frictionless
 * collision and p_II = -K^-1 u_0 that of a plastic sticking one (Chatterjee and Ruina 1998, eqs. 3
 * and 4).
 *
 * Routh's law follows the impulse as it grows and has works of its own. The others are algebraic:
 * they give the impulse at once. Their works are those along the straight line from 0 to the
 * impulse (for two-stage, along two lines), and the sum of the works is the change of energy.
 *
 * Accuracy. In every law u_after is the more accurate result; the error of p is that of u_after
 * times K^-1. With a unit of rounding eps (2^-24 in f32, 2^-53 in f64), u_after equals u0 + K p
 * with an error of at most
 *
 *     Routh, composite    the tolerance |u0| + 64 eps (|u0| + (K_11 + K_22 + K_33) |p|), in all
 *     the others          64 eps (|u0_i| + sqrt(K_ii) sum_j sqrt(K_jj) |p_j|) in component i, and
 *                           16 eps where no number is near the range's ends; 80 eps by the
 *                           bilinear law, if K is diagonal only to 64 eps
 *
 * By Routh's law this holds unless the outcome has IMPINGE_OUTCOME_TOLERANCE_MISSED: where K is
 * singular to some units of rounding, what p was computed from may be off by more (of 3.5 million
 * contacts that are drawn for it, 80). If the bodies still approach by either velocity, by more
 * than the tolerance, the outcome has IMPINGE_OUTCOME_OUTSIDE_REGION as well.
 *
 * For all laws but Routh's, u_after and p satisfy the equations of the law to 16 eps of the sum of
 * their terms. The restituted normal velocity has the same accuracy, even if it is small compared
 * with the slip. For nearly singular K, two impulses that differ by far more than eps give the same
 * velocity.
 *
 * Singular K. With l the least eigenvalue of K_ij / sqrt(K_ii K_jj), K counts as positive definite,
 * by every law, if l > 16 eps, and is refused (IMPINGE_OUTCOME_INVALID_MATRIX) if l < -16 eps.
 * Between, rounding decides, and even an indefinite K may be resolved. Then p and u_after are
 * finite, and u_after is u0 + K p as above, but not by the two-stage law; nothing else is claimed.
 *
 * Spread K. All of this holds where the least element of K's diagonal is at least 2^-48 (f32) or
 * 2^-256 (f64) of the largest. Beyond that, contacts that approach are IMPINGE_OUTCOME_OUT_OF_RANGE
 * by all laws but the frictionless and Routh's. By Routh's law they may have
 * IMPINGE_OUTCOME_TOLERANCE_MISSED, and then a gain of energy, or an approach that remains, is not
 * always marked.
 */
typedef enum impinge_law {
    /**
     * The incremental law: as the normal impulse grows, friction opposes the slip of the moment;
     * the contact slides, sticks, or leaves sticking along the diverging ray (Mirtich 1996,
     * corrected, sections 3 and 4; Chatterjee and Ruina 1998, 4.2.1). Restitution by options.rule.
     */
    IMPINGE_LAW_ROUTH = 0,
    /**
     * p = (1 + e) p_I. Newton's, Poisson's and Stronge's restitution are the same here; e = 1 is
     * Hakenberg's lambda, and a fraction f of lambda is e = 2 f - 1
     * (coefficients.damping_fraction).
     */
    IMPINGE_LAW_FRICTIONLESS,
    /**
     * Whittaker's law, also Kane and Levinson's (Chatterjee and Ruina 1998, 4.2.2). Newton's
     * restitution, u_n = -e u_n0; and either u_t = 0 with |p_t| <= mu p_n, or p_t = -mu p_n u_t /
     * |u_t|: friction opposes the final slip. A solution always exists. If there are several, the
     * law takes sticking if it is one of them, and otherwise the one with the most slip per
     * tangential impulse: the largest nu = |u_t| / |p_t| that eight trials find (a pair of
     * solutions between two neighbouring trials is missed). Can gain energy; the outcome says so.
     */
    IMPINGE_LAW_WHITTAKER,
    /**
     * Smith's law (Chatterjee and Ruina 1998, 4.2.3, eq. 8). Newton's restitution; p_t = -mu p_n
     * (|u_t0| u_t0 + |u_t| u_t) / (|u_t0|^2 + |u_t|^2). Solutions with p_n < 0 are rejected;
     * another one always exists. If several remain, the law takes the one with the least y = mu p_n
     * |u_t0| / (|u_t0|^2 + |u_t|^2), the nearest to no friction, among those that sixteen trials
     * find. Without initial slip it is Whittaker's law. Never gains energy.
     */
    IMPINGE_LAW_SMITH,
    /**
     * Anitescu and Potra's law for one contact, with the friction cone in place of their
     * pyramid; in a plane it is Pfeiffer and Glocker's without tangential restitution (Chatterjee
     * and Ruina 1998, 4.2.4). Compression is Whittaker's law with e = 0. In expansion the normal
     * impulse is e times that of compression (Poisson), or more if the bodies would approach again,
     * and friction opposes the final slip. Pfeiffer and Glocker's tangential restitution (nu, e_t)
     * is not implemented: Chatterjee and Ruina 1998 mentions it without its equations.
     */
    IMPINGE_LAW_TWO_STAGE,
    /**
     * Walton's law for spheres and disks (Chatterjee and Ruina 1998, 4.2.5, eq. 9): p_n = -(1 + e)
     * u_n0 / K_33, and p_t = -(1 + e_t) T^-1 u_t0, shortened to |p_t| = mu p_n if it is longer. For
     * diagonal K only: K_ij above 64 units of rounding of sqrt(K_ii K_jj) are
     * IMPINGE_OUTCOME_NOT_DIAGONAL.
     */
    IMPINGE_LAW_BILINEAR,
    /**
     * Chatterjee and Ruina's law (Chatterjee and Ruina 1998, section 5 and A.2): p = (1 + e) p_I +
     * kappa (p_II - p_I), kappa = 1 + e_t, or less (eq. 13) where that would leave the friction
     * cone.
     */
    IMPINGE_LAW_CHATTERJEE_RUINA,
    /**
     * Brach's law (Chatterjee and Ruina 1998, 4.1): Newton's restitution and two impulse ratios,
     * p_t = (mu_1, mu_2) p_n with their signs. Ratios beyond friction's bound or energy's are
     * IMPINGE_OUTCOME_OUTSIDE_REGION, or, with options.limit_impulse_ratios, are scaled back to the
     * nearer bound. See impinge_impulse_ratio_bound.
     */
    IMPINGE_LAW_BRACH,
    /**
     * sigma times Chatterjee and Ruina's impulse and 1 - sigma times Routh's (Chatterjee and Ruina
     * 1998, 5.3); both are in the permissible region, which is convex. With mu_s > mu Routh's part
     * may stick beyond mu p_n, and the region of both is that of mu_s: if the mix slides with |p_t|
     * > mu p_n, the outcome has IMPINGE_OUTCOME_OUTSIDE_REGION.
     */
    IMPINGE_LAW_COMPOSITE
} impinge_law;

/** The number of laws. */
#define IMPINGE_LAW_COUNT 9

/** A law's name, such as "chatterjee-ruina"; null if there is no such law. Thread safe. */
IMPINGE_API const char *impinge_law_name(impinge_law law);

/** A short description of a law in English; null if there is no such law. Thread safe. */
IMPINGE_API const char *impinge_law_summary(impinge_law law);

/**
 * The coefficients that a law reads besides restitution, the calls that accept it, and its
 * properties.
 */
typedef enum impinge_law_property {
    IMPINGE_LAW_READS_FRICTION = 1 << 0,
    IMPINGE_LAW_READS_STATIC_FRICTION = 1 << 1,        /**< optional */
    IMPINGE_LAW_READS_TANGENTIAL_RESTITUTION = 1 << 2, /**< optional, 0 if it is not given */
    IMPINGE_LAW_READS_MIX = 1 << 3,                    /**< sigma; 0 if it is not given */
    IMPINGE_LAW_READS_IMPULSE_RATIOS = 1 << 4,         /**< both; 0 if they are not given */
    IMPINGE_LAW_READS_DAMPING_FRACTION = 1 << 5,       /**< optional, instead of restitution */
    IMPINGE_LAW_MAY_JAM = 1 << 6,            /**< options.resolve_jams makes a difference */
    IMPINGE_LAW_MAY_LEAVE_REGION = 1 << 7,   /**< the permissible one, even for e <= 1 */
    IMPINGE_LAW_NEEDS_DIAGONAL = 1 << 8,     /**< diagonal K */
    IMPINGE_LAW_RESOLVES_PARTICLES = 1 << 9, /**< <impinge/particles.h> accepts it */
    IMPINGE_LAW_RESOLVES_PLANAR = 1 << 10    /**< <impinge/planar.h> accepts it */
} impinge_law_property;

/** A law's properties, or'ed; 0 if there is no such law. Thread safe. */
IMPINGE_API uint32_t impinge_law_properties(impinge_law law);

/** When a collision ends; all three agree if the slip keeps its direction. */
typedef enum impinge_restitution_rule {
    /** Energetic: W_d = -e^2 W_c; never gains energy (Mirtich 1996, corrected, 3.4). */
    IMPINGE_RULE_STRONGE = 0,
    /** Kinetic: the normal impulse of restitution is e times that of compression (Chatterjee and
       Ruina 1998, 4.2.1). */
    IMPINGE_RULE_POISSON = 1,
    /** Kinematic: u_n = -e u_n0; can gain energy when there is friction. */
    IMPINGE_RULE_NEWTON = 2
} impinge_restitution_rule;

/**
 * Options of a call that resolves. All zero is the default: Routh's law, Stronge's rule, the
 * default tolerance. Members that are not set must be zero, as in impinge_options_default() and in
 * an initialiser that names some members.
 *
 * New members of options and reports take the place of reserved ones, so programs built with older
 * headers keep working: a new member is zero in their options, and zero is its default. An older
 * library returns IMPINGE_ERROR_OPTION if a reserved member is not zero, and writes zero to members
 * of a report that it does not have.
 */
typedef struct impinge_options {
    impinge_law law;
    impinge_restitution_rule rule; /**< of Routh's law, alone or in a composite */
    /**
     * Routh's law: the largest error of a velocity against the exact solution, relative to |u0|,
     * apart from the effect of rounding the input: a contact near a jam, or with almost no
     * restitution, may amplify a unit of rounding of K by hundreds. If the error may be larger, the
     * outcome has IMPINGE_OUTCOME_TOLERANCE_MISSED. The other laws are exact to rounding. Zero: the
     * default, 1e-6 in f32 and 1e-12 in f64. Otherwise in (0, 0.01]; a tolerance below 4 units of
     * rounding counts as 4 units.
     */
    double tolerance;
    /**
     * If true, a grazing contact (u_n = 0) that friction would press together is a collision: under
     * Routh's law where du_n/dp_n < 0, under Whittaker's, Smith's, the two-stage and Chatterjee and
     * Ruina's law where p_II is within the friction cone (Chatterjee and Ruina 1998, section 4.2).
     * If false, a contact with u_n >= 0 gets no impulse.
     */
    bool resolve_jams;
    /**
     * If true, restitution may be above 1 (and finite). The impulse is then tested against the
     * region: the outcome has ENERGY_GAINED and OUTSIDE_REGION if they apply.
     */
    bool restitution_above_one;
    /** Brach's law: if true, impulse ratios beyond their bounds are scaled back to them. */
    bool limit_impulse_ratios;
    uint64_t reserved[4]; /**< zero */
} impinge_options;

/** The defaults: all zero. */
static inline impinge_options impinge_options_default(void) {
    const impinge_options options = IMPINGE_ALL_ZERO;
    return options;
}

/** The counts of a call. */
typedef struct impinge_report {
    size_t contacts;      /**< contacts read: the count of the selection */
    size_t invalid;       /**< contacts whose outcome has IMPINGE_OUTCOME_INVALID */
    size_t first_invalid; /**< the index of the first of them; SIZE_MAX if there is none */
    uint64_t steps;       /**< integration steps of all contacts; the same on every target */
    uint64_t lane_slots;  /**< lane slots of those steps; steps / lane_slots is the occupancy */
    uint64_t reserved[3]; /**< zero */
} impinge_report;

#ifdef __cplusplus
}
#endif

#include <impinge/batch_f32.h>
#include <impinge/batch_f64.h>

#endif
