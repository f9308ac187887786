/** Clusters of spheres at rest: by how far an answer misses the conditions that define it. */
#ifndef REFERENCE_CONTACT_DYNAMICS_H
#define REFERENCE_CONTACT_DYNAMICS_H

#include <stddef.h>
#include <stdint.h>

enum { REFERENCE_BODIES_MAX = 16, REFERENCE_CONTACTS_MAX = 128 };

/** Solid spheres that touch on the line of their centres, and the results computed for them. */
typedef struct reference_cluster {
    size_t bodies, contacts;
    /** Radius, 1/m, position, velocity and angular velocity before. */
    long double body[REFERENCE_BODIES_MAX][11];
    uint32_t a[REFERENCE_CONTACTS_MAX], b[REFERENCE_CONTACTS_MAX];
    long double friction[REFERENCE_CONTACTS_MAX];
    long double impulse[REFERENCE_CONTACTS_MAX][3]; /**< on A */
    long double after[REFERENCE_BODIES_MAX][6];     /**< velocity and angular velocity */
} reference_cluster;

/**
 * The largest violation, as a velocity, of: v = v_0 + M^-1 J^T p (of surfaces, too); Signorini's
 * conditions u_n >= 0, p_n >= 0, u_n p_n = 0; and Coulomb's, |p_t| <= mu p_n, with u_t = 0 inside
 * the cone and p_t = -mu p_n u_t / |u_t| on it. The collision matrix of all contacts is written out
 * and each contact's condition is taken as u = its projection onto what the impulse allows: nothing
 * is iterated, and nothing is shared with the library.
 */
long double reference_residual(const reference_cluster *c);

#endif
