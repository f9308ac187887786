/**
 * The permissible region of impulses (Chatterjee and Ruina 1998, 3.2, 4.1): testing an impulse,
 * projecting it into the region, and coordinates of the region.
 *
 * An impulse p on A is permissible if (Chatterjee and Ruina 1998, 3.2)
 *
 *  1. no energy is gained: E(u0) - E(u) = -p . (u0 + K p / 2) >= 0 (eq. 6),
 *  2. the bodies do not go on into each other: u_n = u_n0 + (K p)_n >= 0,
 *  3. they do not pull: p_n >= 0,
 *  4. it is in the friction cone: |p_t| <= mu p_n. For mu = infinity that is p_n >= 0.
 *
 * These impulses are a closed, bounded and convex set: half an ellipsoid cut by a cone.
 *
 * The inner point. P0 = -(3/2) (u_n0 / K_33) n, the frictionless collision with e = 1/2. For u_n0 <
 * 0 and mu > 0 it is strictly inside: it leaves u_n = -u_n0 / 2 > 0 and p_t = 0 < mu p_n, and loses
 * (1 - e^2) / 2 u_n0^2 / K_33 = (3/8) u_n0^2 / K_33 of energy. For mu = 0 the region is the piece
 * of the normal axis from e = 0 to e = 1, and P0 its middle. For u_n0 >= 0 P0 = 0, which is
 * permissible but on the boundary: the apex of the cone, where the energy does not change either.
 * The region may then be no more than that point, and is so if u_n0 = 0 and friction cannot press
 * the bodies together.
 *
 * Rounding. An impulse counts as permissible if no slack is below zero by more than the rounding of
 * its terms; p_n has no allowance. With s = sqrt(K_11) |p_1| + sqrt(K_22) |p_2| + sqrt(K_33) |p_3|,
 * the allowances are 32 units of rounding (2^-24 in f32, 2^-53 in f64) times
 *
 *     energy             |p_1 u_1| + |p_2 u_2| + |p_3 u_n0| + s^2 / 2
 *     interpenetration   |u_n0| + sqrt(K_33) s
 *     cone               (mu |p_n| + |p_t|) / max(1, mu)
 *
 * and the smallest normal number times the size of p and u.
 */
#ifndef IMPINGE_REGION_H
#define IMPINGE_REGION_H

#include <stdbool.h>
#include <stdint.h>

#include <impinge/batch.h>
#include <impinge/rays.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Bits of the word that judges an impulse. Zero: permissible. IMPINGE_OUTCOME_INVALID and its
 * reasons, and IMPINGE_OUTCOME_OUT_OF_RANGE, have the same bits here as in an outcome, and are
 * set without a condition.
 */
typedef enum impinge_region_bit {
    IMPINGE_REGION_ENERGY = 1u << 0,           /**< energy is gained */
    IMPINGE_REGION_INTERPENETRATION = 1u << 1, /**< the bodies still approach */
    IMPINGE_REGION_PULL = 1u << 2,             /**< p_n < 0 */
    IMPINGE_REGION_CONE = 1u << 3,             /**< outside the friction cone */
    /** K = 0: neither body can move, so no impulse has an effect, and none is judged. */
    IMPINGE_REGION_IMMOVABLE = 1u << 4,
    /** The impulse is not finite: a reason of IMPINGE_OUTCOME_INVALID. */
    IMPINGE_REGION_INVALID_IMPULSE = 1u << 15
} impinge_region_bit;

/** The four conditions. */
#define IMPINGE_REGION_CONDITIONS                                                                  \
    ((uint32_t)IMPINGE_REGION_ENERGY | IMPINGE_REGION_INTERPENETRATION | IMPINGE_REGION_PULL |     \
     IMPINGE_REGION_CONE)

/** One contact, for the queries below. */
typedef struct impinge_region_contact {
    impinge_collision_matrix matrix; /**< positive definite */
    double velocity[3];              /**< u0 in (t1, t2, n), finite, m/s */
    double friction;                 /**< mu >= 0, infinity allowed */
} impinge_region_contact;

/** Spherical coordinates of a permissible impulse about P0 (Chatterjee and Ruina 1998, 4.1, item
 * 1). */
typedef struct impinge_region_coordinates {
    double psi1; /**< from n, in [0, pi] */
    double psi2; /**< about n, from t1 towards t2, in [0, 2 pi) */
    double rho;  /**< the fraction of the way from P0 to the boundary, in [0, 1] */
} impinge_region_coordinates;

/**
 * The impulse at given coordinates. Any coordinates give a permissible one (up to rounding).
 *
 * If the region has no extent in a direction, every rho gives P0. For mu = 0 these are all
 * directions but n and -n; for u_n0 >= 0 they are all directions that leave the region at P0 = 0.
 *
 * @param at psi1 in [0, pi], psi2 in [0, 2 pi], rho in [0, 1]
 * @param impulse kg m/s
 * Returns IMPINGE_OK, or IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_ARGUMENT (also if the impulse
 * does not fit a double), and then has written nothing. Thread safe.
 */
IMPINGE_API impinge_status impinge_impulse_of_coordinates(const impinge_region_contact *contact,
                                                          const impinge_region_coordinates *at,
                                                          double impulse[3]);

/**
 * The coordinates of a permissible impulse. Those of P0 are all 0. An angle that is undefined (psi2
 * on the normal axis) is 0.
 *
 * @param impulse permissible up to rounding; if it is outside by no more than that, rho = 1
 * Returns as impinge_impulse_of_coordinates; IMPINGE_ERROR_ARGUMENT also for an impulse outside.
 */
IMPINGE_API impinge_status impinge_coordinates_of_impulse(const impinge_region_contact *contact,
                                                          const double impulse[3],
                                                          impinge_region_coordinates *at);

/** Bounds on the length of impulse ratios in one direction. */
typedef struct impinge_ratio_bounds {
    /**
     * The longest that gains no energy. Infinite where p_n falls to 0 as ratios grow, and the
     * impulse stays inside the ellipsoid: for k.r > 0 and 2 (u_t0.r) (k.r) + (1 + e) |u_n0| r.T r
     * <= 0 (with e > 1: < 0), r the direction, k = (K_13, K_23), T the tangential block of K. Zero
     * if none is (e > 1 only).
     */
    double energy;
    /** The shortest that gains no energy: 0 for e <= 1; infinite if none is. */
    double energy_least;
    /** The longest inside the friction cone: mu. */
    double cone;
} impinge_ratio_bounds;

/**
 * Bounds on the impulse ratios of Brach's law (Chatterjee and Ruina 1998, 4.1, item 3;
 * IMPINGE_LAW_BRACH): Newton's restitution, u_n = -e u_n0, and p_t = l (r_1, r_2) p_n with a unit
 * direction (r_1, r_2) and a length l >= 0. Then
 *
 *     p_n = -(1 + e) u_n0 / (K_33 + l k.r)
 *
 * and no energy is gained if and only if A l^2 + B l + C <= 0, with c = -(1 + e) u_n0 and
 *
 *     A = 2 (u_t0.r) (k.r) + c r.T r,   B = 2 K_33 u_t0.r - 2 e u_n0 k.r,   C = (1 - e) u_n0 K_33.
 *
 * As K_33 + l k.r falls to 0 the impulse grows without limit, so the bound of energy is always
 * reached before: ratios within the bounds never make bodies pull each other.
 *
 * @param contact approaching: u_n0 < 0
 * @param restitution e >= 0, finite; above 1 too
 * @param direction (r_1, r_2), finite, of any length but 0
 * Returns IMPINGE_OK, or IMPINGE_ERROR_NULL_POINTER, IMPINGE_ERROR_ARGUMENT and then has written
 * nothing. Thread safe.
 */
IMPINGE_API impinge_status impinge_impulse_ratio_bound(const impinge_region_contact *contact,
                                                       double restitution,
                                                       const double direction[2],
                                                       impinge_ratio_bounds *bounds);

#ifdef __cplusplus
}
#endif

#include <impinge/region_f32.h>
#include <impinge/region_f64.h>

#endif
