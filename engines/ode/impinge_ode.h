/**
 * ODE with impacts by Impinge: contacts that approach fast collide by one of Impinge's laws, the
 * contact joints of ODE hold what rests, and overlaps are pushed back without energy.
 *
 *     impinge_ode *impacts = impinge_ode_new(world);
 *     impinge_ode_surface(impacts)->mu = 0.4;
 *     impinge_ode_surface(impacts)->bounce = 0.5;
 *     for (;;) {
 *         impinge_ode_gather(impacts, space);   // contacts
 *         impinge_ode_collide(impacts, h);      // impacts; joints of the rest
 *         dWorldQuickStep(world, h);            // or dWorldStep
 *         impinge_ode_finish(impacts, h);       // pushes overlaps back
 *     }
 *
 * A near callback of your own calls impinge_ode_add for each contact of dCollide in place of
 * dJointCreateContact and dJointAttach, with the surface that it would have given to the joint.
 *
 * To copy into a project: this header and its source, ../impacts/impact_list.h and .c. Works with
 * either precision of ODE; impacts are computed in double precision.
 *
 * How fields correspond.
 *  - Body A is the first body of the joint, B is the second; a null body is the world. The normal
 *    of a dContactGeom points into the first body, from B to A, as Impinge's does. Frames are the
 *    world's, on both sides.
 *  - The arms go from the positions of the bodies, which in ODE are their centres of mass, to the
 *    contact's pos. The inverse inertia is R I^-1 R^T of dBodyGetMass and dBodyGetRotation.
 *  - Velocities are those at the time of the positions, v + h/2 f / m, with gravity and all forces
 *    and torques that were added for this step. (ODE's v is that of half a step before.)
 *  - Restitution is surface.bounce (0 without dContactBounce), cut to 0 to 1; friction is
 *    surface.mu. ODE mixes nothing: what the near callback gives counts. Friction is isotropic, so
 *    mu2 and fdir1 are for the joints alone.
 *  - Impacts are contacts that approach faster than impinge_ode_options.rest_speed (surface's
 *    bounce_vel does not count). It is to be above h |f| / (2 m), the speed at which a resting
 *    contact approaches.
 *  - The joints have the surface that was given, but no bounce, and soft_erp = 0: ODE would turn an
 *    overlap of d into a velocity of erp d / h, and that is energy. With soft_cfm of 0 they do not
 *    sink. impinge_ode_finish pushes the overlaps back instead, by positions alone.
 *
 * Kinematic bodies take part with their velocities. Other joints do not see impacts; ODE corrects
 * them after. One impinge_ode serves one thread.
 */
#ifndef IMPINGE_ODE_H
#define IMPINGE_ODE_H

#include <ode/ode.h>
#include <stdbool.h>

#include "../impacts/impact_list.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct impinge_ode impinge_ode;

typedef struct impinge_ode_options {
    impinge_options law; /**< all zero: Routh's law with Stronge's restitution */
    double rest_speed;   /**< m/s; 0.2 unless changed: contacts that approach no faster rest */
    double push_factor;  /**< the share of an overlap that a step undoes; 0.2 unless changed */
    double push_slop;    /**< the overlap that stays, m; 1e-4 unless changed */
    /** Called for each contact that collided, with its impulse on the first body; null: not. */
    void (*impact)(void *user, const dContact *contact, dBodyID a, dBodyID b,
                   const double impulse[3]);
    void *user;
} impinge_ode_options;

/** Null: there is no memory. Does not own the world. */
impinge_ode *impinge_ode_new(dWorldID world);
void impinge_ode_free(impinge_ode *self);

/** To be read and changed between steps. */
impinge_ode_options *impinge_ode_options_of(impinge_ode *self);
/** The surface that impinge_ode_near gives to all contacts: bounce, and Coulomb's friction pyramid
 * (dContactApprox1). */
dSurfaceParameters *impinge_ode_surface(impinge_ode *self);

/** Gathers the contacts in a space and in all spaces inside it, each pair once. In a step a space
 * is gathered only the first time. */
void impinge_ode_gather(impinge_ode *self, dSpaceID space);

/** The near callback of impinge_ode_gather, whose data is `self`; it passes over bodies that a
 * joint connects. Of two spaces it gathers the contacts between them and inside each. With
 * dSpaceCollide it looks into all spaces but those that nothing else is near, for which ODE does
 * not call it. */
void impinge_ode_near(void *self, dGeomID a, dGeomID b);

/** Adds a contact. Returns false, and adds nothing, if there is no memory or nothing that moves. */
bool impinge_ode_add(impinge_ode *self, const dContact *contact, dBodyID a, dBodyID b);

/** The impacts of a step of h seconds; then makes the joints. Returns as impact_list_collide. */
impinge_status impinge_ode_collide(impinge_ode *self, dReal h);

/** After the step: pushes overlaps back, removes the joints, forgets the contacts. */
impinge_status impinge_ode_finish(impinge_ode *self, dReal h);

/** Sums over the impacts of all steps so far. */
const impact_report *impinge_ode_report(const impinge_ode *self);

#ifdef __cplusplus
}
#endif
#endif
