/**
 * Contacts together: the options and the report of a step in which many contacts share bodies.
 *
 * Impulses computed from the same velocities cannot be added up: energy would grow. A step has four
 * parts, each of which can be called alone (body_step.h, particle_step.h):
 *
 *  1. Impacts. Contacts that approach faster than the rest speed collide in local rounds: in a
 *     round, each contact that approaches fastest among all contacts of both its bodies collides by
 *     the single-contact law. Where contacts are apart, this is the sequence of Chatterjee and
 *     Ruina 1998, 6.4.
 *  2. Rest. Accumulated impulses bring each contact to its aim velocity (0 by default) within the
 *     friction cone: nonlinear Gauss-Seidel over colours, as in nonsmooth contact dynamics (Moreau
 *     1988; Jean 1999), warm started from the impulses of the step before.
 *  3. The energy guard. Rest at aim velocities of 0 never ends with more kinetic energy than it
 *     began with, but for rounding, after any number of sweeps and from any given impulses.
 *  4. Positions. Pseudo-velocities, which do not become part of the motion, reduce overlaps to a
 *     slop.
 *
 * Arrays, bits, threads and stack of the calls are those of <impinge/batch.h>.
 */
#ifndef IMPINGE_CONTACT_DYNAMICS_H
#define IMPINGE_CONTACT_DYNAMICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <impinge/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The treatment of contacts that still approach after the last round of impacts. */
typedef enum impinge_leftover {
    IMPINGE_LEFTOVER_REST = 0, /**< they come to rest plastically with the resting contacts */
    IMPINGE_LEFTOVER_WAIT      /**< they take no part in this step's rest; the next step has them */
} impinge_leftover;

/** Options of impacts. All zero: the defaults. */
typedef struct impinge_impact_options {
    /** Contacts that approach no faster than this do not collide but rest, >= 0, m/s. */
    double rest_speed;
    size_t rounds_max; /**< the most rounds; 0 stands for 64 */
    /**
     * Contacts whose approach velocity is within this share of the fastest are tied: those of one
     * pair of bodies are one impact at the mean of their points, those of several pairs are
     * resolved together and symmetrically. In [0, 1); 0: 1e-3.
     */
    double tie_tolerance;
    impinge_leftover leftover;
    uint64_t reserved[4]; /**< zero, as in impinge_options */
} impinge_impact_options;

/** How impulses of resting contacts reach each other within a sweep. */
typedef enum impinge_rest_method {
    /**
     * Gauss-Seidel, colour after colour: of particles forward and backward in turn; of bodies
     * always forward, each sweep from impulses that are extrapolated along their last change.
     */
    IMPINGE_REST_COLOURS = 0,
    /** Jacobi with split masses: no order, so ranks and the order of the contacts do not matter. */
    IMPINGE_REST_UNORDERED
} impinge_rest_method;

/** Options of resting contacts. All zero: the defaults. */
typedef struct impinge_rest_options {
    /**
     * The most sweeps; 0 stands for 2. If contacts of bodies take many sweeps by colours, some of
     * the sweeps include only the contacts that still change; the last includes all.
     */
    size_t sweeps_max;
    /** Sweeps end when no contact's residual is above this, >= 0, m/s; 0: all sweeps are done. */
    double residual_max;
    impinge_rest_method method;
    bool ignore_energy;   /**< the energy guard does not act */
    uint64_t reserved[4]; /**< zero, as in impinge_options */
} impinge_rest_options;

/** Options of position correction. All zero: the defaults. */
typedef struct impinge_position_options {
    double factor; /**< the share of the overlap beyond the slop that a step removes, at most 1;
                    * 0: 0.2 */
    double slop;   /**< the overlap that remains, >= 0, m */
    size_t sweeps; /**< how many; 0 stands for 1 */
    bool skip;     /**< positions are not corrected */
    uint64_t reserved[4]; /**< zero, as in impinge_options */
} impinge_position_options;

/** A step's contacts. All zero but the time step: the defaults. */
typedef struct impinge_step_options {
    double time_step; /**< h >= 0, s; 0: gaps do not close within the step */
    impinge_impact_options impacts;
    impinge_rest_options rest;
    impinge_position_options positions;
    uint64_t reserved[4]; /**< zero, as in impinge_options */
} impinge_step_options;

/** The defaults for a time step: all else zero. */
static inline impinge_step_options impinge_step_options_default(double time_step) {
    impinge_step_options options = IMPINGE_ALL_ZERO;
    options.time_step = time_step;
    return options;
}

/** The most threads that may make one call together. */
#define IMPINGE_TEAM_MAX 64

/**
 * Threads that make one call together: all of them make the same call with the same arguments,
 * except `member`, and return when the call is complete. The library starts no thread: it shares
 * out its loops among the members and calls the barrier between them. No result depends on their
 * number. Null, or members of 0 or 1: one thread.
 */
typedef struct impinge_team {
    size_t member;               /**< which of them this is, below `members` */
    size_t members;              /**< at most IMPINGE_TEAM_MAX */
    void (*barrier)(void *user); /**< returns once all members have called it; required if > 1 */
    void *user;                  /**< passed to the barrier */
} impinge_team;

/** The report of a step. Residuals are infinite above 1.8e19 m/s in f32, 1.3e154 m/s in f64. */
typedef struct impinge_step_report {
    size_t contacts;         /**< how many the step has */
    size_t invalid;          /**< how many of them are invalid, and took no part */
    size_t rounds;           /**< rounds of impacts */
    size_t collisions;       /**< impulses of impacts */
    /**
     * Contacts that still approached after the last round, also those that no law resolves after
     * they have collided; not those whose remaining approach is the rounding of their own
     * collision, nor those that never got an impulse because they are invalid or out of range.
     */
    size_t left_approaching;
    size_t sweeps;           /**< sweeps over the resting contacts */
    double residual;         /**< the largest of the last sweep, K_nn |change of p|, m/s */
    double residual_rms;     /**< its root mean square over the contacts */
    double energy_before;    /**< the kinetic energy before the rest, J */
    double energy_after;     /**< the kinetic energy after it, J */
    size_t guarded;          /**< islands in which the energy guard acted */
    uint64_t reserved[4];    /**< zero */
} impinge_step_report;

/** The bytes of workspace of impinge_match_impulses; SIZE_MAX if there cannot be so many. */
IMPINGE_API size_t impinge_match_impulses_workspace(size_t contacts_before);

#ifdef __cplusplus
}
#endif

#include <impinge/contact_dynamics_f32.h>
#include <impinge/contact_dynamics_f64.h>

#endif
