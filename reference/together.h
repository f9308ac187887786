/**
 * Contacts together, slowly: the velocities and impulses of Coulomb's and Signorini's conditions at
 * all contacts of some bodies, in long double, with dense matrices.
 */
#ifndef REFERENCE_TOGETHER_H
#define REFERENCE_TOGETHER_H

#include <stddef.h>

/** A body, world frame. */
typedef struct together_body {
    double inverse_mass, inverse_inertia[3][3];
    double velocity[3], angular_velocity[3];
} together_body;

/** A contact; b < 0: the world. */
typedef struct together_contact {
    int a, b;
    double arm_a[3], arm_b[3], normal[3];
    double friction;
} together_contact;

/**
 * Solves u = u0 + W p with 0 <= u_n, 0 <= p_n, u_n p_n = 0 and p_t = -mu p_n u_t / |u_t|, or u_t =
 * 0 and |p_t| <= mu p_n, by De Saxce's projection: p = P(p - r (u + mu |u_t| n)), P being that onto
 * the friction cone, for one contact after the other.
 *
 * @param impulse written: on A, world frame
 * @param velocity written: v and omega of each body, after
 * Returns the largest change of an impulse in the last sweep, over the largest impulse.
 */
double together_solve(const together_body *bodies, size_t body_count,
                      const together_contact *contacts, size_t contact_count, size_t sweeps,
                      double (*impulse)[3], double (*velocity)[6]);

/**
 * The error of u and p at a contact as a solution: the largest of -u_n, -p_n W, min(u_n, p_n W),
 * the slip that friction opposes by less than mu p_n, and |p_t| W beyond mu p_n W; m/s.
 *
 * @param stiffness W, 1/kg, which brings impulses to velocities
 */
double together_residual(const double u[3], const double p[3], const double normal[3],
                         double friction, double stiffness);

#endif
