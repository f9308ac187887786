/**
 * The penalty model of J. Hakenberg, "Rigid body collision resolution", first section: bodies may
 * intrude each other; while they do, a force proportional to the depth drives them apart. In
 * double, plain C.
 *
 *     m_1 a_1 = -mu n,    R_1 I_1 tau_1 = -R_1 Omega_1 I_1 omega_1 - r_1 x (mu n)
 *     m_2 a_2 = +mu n,    R_2 I_2 tau_2 = -R_2 Omega_2 I_2 omega_2 + r_2 x (mu n)
 *
 * Names and signs are the paper's: the normal n points away from body 1, so that body 1 is our B
 * and body 2 our A; omega is in the body's frame, whose axes are the principal ones of its inertia.
 * The paper's mu, "proportional to the distance of intrusion", is stiffness * depth.
 *
 * The paper integrates by Euler's method; here it is the classical Runge-Kutta method of order 4.
 * Nothing allocates; everything is thread safe.
 */
#ifndef PENALTY_MODEL_H
#define PENALTY_MODEL_H

#include <stdbool.h>
#include <stddef.h>

/** The state of a moving body; also used for its rates of change. */
typedef struct penalty_motion {
    double position[3];    /**< p, world, m */
    double orientation[4]; /**< R as a quaternion w + x i + y j + z k; any length but 0 */
    double velocity[3];    /**< v, world, m/s */
    double omega[3];       /**< in the body's frame, rad/s */
} penalty_motion;

typedef struct penalty_body {
    double mass;       /**< m, kg; infinity: the body is immovable, and its inertia not looked at */
    double inertia[3]; /**< the principal moments, I = diag(inertia), kg m^2 */
    penalty_motion motion;
} penalty_body;

/** The point at which two bodies touch. */
typedef enum penalty_geometry {
    /**
     * Point and normal stay where they are in the world, as in a collision too short for anything
     * to move. The depth is the distance by which the bodies' points there have moved into each
     * other.
     */
    PENALTY_FIXED,
    /**
     * The tip of body 2, or the lowest point of its circular rim, meets a flat face of body 1. The
     * contact is at the tip.
     */
    PENALTY_FACE
} penalty_geometry;

typedef struct penalty_contact {
    size_t body1, body2; /**< indices of the system's bodies */
    penalty_geometry geometry;
    double normal[3]; /**< n, of unit length; fixed: world; face: body 1's frame */
    double point[3];  /**< fixed: the contact, world; face: a point of it in body 1's frame; m */
    double tip[3];    /**< face: the tip, or the centre of the rim, in body 2's frame, m */
    double rim;       /**< face: the radius of the rim about body 2's third axis, m; 0: a tip */
    double stiffness; /**< N/m */
    double damping;   /**< of the normal velocity, N s/m; the force never pulls */
    double friction;  /**< Coulomb's coefficient */
    double slip;      /**< friction grows with the slip up to about this, m/s; > 0 if friction is */
    double spin_drag; /**< torque against the bodies' relative angular velocity, N m s */
    double depth;     /**< fixed: the depth now, m; face: not looked at */
} penalty_contact;

enum { PENALTY_BODIES_MAX = 4, PENALTY_CONTACTS_MAX = 4 };

typedef struct penalty_system {
    size_t body_count, contact_count;
    penalty_body bodies[PENALTY_BODIES_MAX];
    penalty_contact contacts[PENALTY_CONTACTS_MAX];
    double gravity[3]; /**< m/s^2 */
} penalty_system;

/** A body's vector in the world, and a world's vector in the body's frame. */
void penalty_to_world(const penalty_motion *of, const double own[3], double world[3]);
void penalty_to_body(const penalty_motion *of, const double world[3], double own[3]);

/** How deep the bodies of a contact intrude each other, m; negative: they are apart. */
double penalty_depth(const penalty_system *of, size_t contact);

/** The separation velocity of a contact along n, m/s; negative: the bodies approach. */
double penalty_separation(const penalty_system *of, size_t contact);

/**
 * How long an elastic collision lasts if nothing moves far in it, s: half the period of the spring
 * with the mass that the bodies set against it, pi / sqrt(k / m_eff), where
 * 1 / m_eff = 1/m_1 + 1/m_2 + q_1 . I_1 q_1 + q_2 . I_2 q_2 is the denominator of lambda.
 */
double penalty_duration(const penalty_system *of, size_t contact);

/** One step of the Runge-Kutta method; quaternions have length 1 afterwards. Steps may go back. */
void penalty_step(penalty_system *system, double seconds);

/**
 * Lets a contact whose bodies just begin to touch run until they part: equal steps, of which
 * `steps` make penalty_duration; the last one is cut so that it ends at depth 0.
 *
 * @param lasted how long it took, s: 0 if they do not approach; null: not wanted
 * Returns whether they parted within eight times that duration.
 */
bool penalty_collide(penalty_system *system, size_t contact, size_t steps, double *lasted);

/** Kinetic energy, that of the springs, and that of height, J. */
double penalty_energy(const penalty_system *of);

/** M_lin, kg m/s, and M_ang about the origin, kg m^2/s, of the movable bodies. */
void penalty_momentum(const penalty_system *of, double linear[3], double angular[3]);

#endif
