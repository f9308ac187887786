/**
 * Mechanisms: contacts of systems in generalized coordinates, in single (f32) and double (f64)
 * precision.
 *
 * A mechanism of n coordinates q has the mass matrix M (kinetic energy 1/2 qdot.M qdot), the
 * generalized speeds qdot and the contact's Jacobian J, with u = J qdot in the contact frame. An
 * impulse p changes the speeds by M^-1 J^T p, so that
 *
 *     u0 = J qdot,   K = J M^-1 J^T
 *
 * (Morgan 2011, eqs. 2.1 to 2.5; Chatterjee and Ruina 1998, A.1).
 *
 * The laws then resolve a contact with this K and u0 as any other. The other body of the contact
 * may be the world, or part of the same mechanism; J is that of u_A - u_B.
 *
 * K has to be positive definite. This takes three coordinates or more in space, or two in a plane,
 * and a Jacobian whose rows are independent. One coordinate in a plane is a special case, the limit
 * in which the other eigenvalue of K goes to zero (Chatterjee and Ruina 1998, "A Collision with
 * Unbounded M"): the normal and the tangential velocity are one motion and vanish together. If
 * friction can then hold the contact (mu > 0, |J_n| <= mu_s |J_t|), nothing drives it back: the
 * collision ends at rest for any e (Chatterjee and Ruina 1998, 4.2.1). Otherwise it slides back. The
 * speed after is exact to some units of rounding for the M, J and speed given, even where K, which
 * has the squares of J, is not; so its outcome never has IMPINGE_OUTCOME_TOLERANCE_MISSED.
 *
 * Singular M and K. With eps as in batch.h and l the least eigenvalue of M_ij / sqrt(M_ii M_jj), M
 * counts as positive definite if l > n (n + 5) eps, and is refused (IMPINGE_OUTCOME_INVALID_MASS)
 * if l < -n (n + 5) eps. Between, rounding decides: even an M that is exactly singular may be
 * accepted, where small pivots pass their errors on to the last. Likewise K as it is computed
 * counts as definite if its l > (4 n + 24) eps, is refused (IMPINGE_OUTCOME_INVALID_MATRIX) if l <
 * -18 eps, and the laws have a band of their own (batch.h). The error of K itself, n^2 eps times
 * the condition of M, may lift or lower l by as much: rows of J that are exactly dependent are
 * refused only where it does not. What is accepted is resolved for the factor of M and the K that
 * rounding has made: the impulse and the speeds are finite, or IMPINGE_OUTCOME_OUT_OF_RANGE, and
 * u_after is u0 + K p; nothing else is claimed.
 *
 * Conventions, arrays, bits, threads and stack are as in batch.h. Each row of a matrix is an array
 * in that sense: rows are `stride` elements apart, and mechanism m is element m of each row.
 */
#ifndef IMPINGE_MECHANISMS_H
#define IMPINGE_MECHANISMS_H

#include <impinge/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The most coordinates that a mechanism may have. */
#define IMPINGE_COORDINATES_MAX 32

#ifdef __cplusplus
}
#endif

#include <impinge/mechanisms_f32.h>
#include <impinge/mechanisms_f64.h>

#endif
