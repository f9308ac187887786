/**
 * The impacts of one step of an engine: bodies and contacts are added one by one, as engines have
 * them, and collide by a law of Impinge. The adapters to Bullet and ODE share it; an adapter to
 * another engine can begin here.
 *
 * Conventions are Impinge's (<impinge/batch.h>): the normal is a unit vector from B to A, arms go
 * from the centres of mass to the contact point, everything is in the world frame, SI units; the
 * separation velocity is u = v_A + w_A x r_A - v_B - w_B x r_B, and u_n < 0 approaches.
 *
 * Velocities are those of the time of the positions. An engine whose step is v += h f / m and then
 * x += h v (Bullet and ODE do that) has in v the velocity half a step before: x advances by h v, as
 * if v were that of the middle between two positions. So the velocity at the positions is
 *
 *     v + h/2 f / m        (and w + h/2 I^-1 torque).
 *
 * Give that to the list, and add the change of velocity to the engine's own v. An elastic ball then
 * keeps 1/2 m (v + h/2 g)^2 - m g.x to the last bits for any h. From v alone it would lose
 * m g h |v| at each bounce, from v + h g gain as much.
 *
 * A list serves one thread at a time. Its arrays grow when they have to, and then stay.
 */
#ifndef IMPACT_LIST_H
#define IMPACT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <impinge/impinge.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct impact_list impact_list;

/** A body, in the world frame. Inverse mass and inertia of zero: immovable, with a velocity. */
typedef struct impact_body {
    double inverse_mass;       /**< 1/kg */
    double inverse_inertia[6]; /**< xx, xy, xz, yy, yz, zz, 1/(kg m^2) */
    double velocity[3];        /**< of the centre of mass, m/s */
    double angular_velocity[3];
} impact_body;

/** A contact. A and B are numbers of bodies, in the order in which they were added. */
typedef struct impact_contact {
    uint32_t a, b;      /**< or IMPINGE_WORLD, which is at rest */
    double arm_a[3];    /**< from A's centre of mass, m */
    double arm_b[3];    /**< from B's; of the world: anything finite */
    double normal[3];   /**< from B to A */
    double gap;         /**< the distance of the surfaces, m; below 0 they overlap */
    double restitution; /**< 0 to 1 */
    double friction;    /**< >= 0 */
} impact_contact;

typedef struct impact_options {
    impinge_options law; /**< all zero: Routh's law, Stronge's restitution */
    double rest_speed;   /**< m/s; contacts that approach no faster are not impacts */
    double time_step;    /**< h, s */
} impact_options;

typedef struct impact_report {
    size_t contacts;         /**< all that were added */
    size_t collisions;       /**< impulses; of a contact that collides again, each */
    size_t rounds;           /**< of impinge_collide_body_rounds_f64 */
    size_t left_approaching; /**< contacts that still approach faster: the engine stops them */
    double energy_lost;      /**< kinetic energy that restitution and friction took, J */
} impact_report;

/** Null: there is no memory. */
impact_list *impact_list_new(void);
void impact_list_free(impact_list *list);

/** Takes out all bodies and contacts. */
void impact_list_clear(impact_list *list);

/** Return false if there is no memory, and then add nothing. */
bool impact_list_add_body(impact_list *list, const impact_body *body);
bool impact_list_add_contact(impact_list *list, const impact_contact *contact);

/**
 * Lets the contacts collide: those that touch (gap <= 0), and those that would close their gap
 * within the time step at their velocity, since an engine that looks ahead would otherwise brake
 * them to arrive at rest. Contacts that approach because of another impact collide as well.
 *
 * Returns IMPINGE_OK, IMPINGE_SOME_INVALID (the others collided), or an error, and then nothing
 * changed: IMPINGE_ERROR_OPTION or IMPINGE_ERROR_ARGUMENT for options out of their range,
 * IMPINGE_ERROR_COUNT if there is no memory.
 */
impinge_status impact_list_collide(impact_list *list, const impact_options *options,
                                   impact_report *report);

/**
 * The change of a body's velocities by collisions since it was added. Returns whether there is one.
 */
bool impact_list_change(const impact_list *list, size_t body, double velocity[3],
                        double angular_velocity[3]);

/** The normal separation velocity of a contact as the collisions left it, m/s. */
double impact_list_separation(const impact_list *list, size_t contact);

/** A body's position and velocities after the engine's step. */
typedef struct impact_pose {
    double position[3];   /**< of the centre of mass, m */
    double quaternion[4]; /**< w, x, y, z: from the body's axes to the world's */
    double velocity[3], angular_velocity[3];
} impact_pose;

/** How overlaps are pushed back. */
typedef struct impact_push {
    double time_step; /**< h, s */
    double factor;    /**< the share of the overlap beyond the slop that is undone; 0: 0.2 */
    double slop;      /**< the overlap that stays, m */
    /** Overlaps that open faster are left alone, m/s: a body that rebounds leaves by itself, and
     * to push it would lift it higher than it fell. */
    double rest_speed;
} impact_push;

/**
 * For engines that have no split impulses, after their step: pushes the bodies of the list's
 * contacts apart, by positions and orientations alone, so that velocities do not change
 * (impinge_project_body_positions_f64). The gap of a contact is that at which it was added, plus
 * its change by the velocities after the step.
 *
 * @param pose of each body of the list; positions and quaternions are written
 * Returns as impact_list_collide does.
 */
impinge_status impact_list_push_apart(impact_list *list, const impact_push *push,
                                      impact_pose *poses);

/** The sum of a contact's impulses on A, kg m/s. Returns whether there was any. */
bool impact_list_impulse(const impact_list *list, size_t contact, double impulse[3]);

/** Gives an adapter's own array room for so many elements; `array` is the address of its pointer.
 * Returns false, and leaves it as it is, if there is no memory. */
bool impact_list_grow(void *array, size_t room, size_t size);

#ifdef __cplusplus
}
#endif
#endif
