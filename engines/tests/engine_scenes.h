/**
 * The scenes in which adapters to engines are tested, the same for every engine, and a book of the
 * energy that an engine's steps change.
 */
#ifndef ENGINE_SCENES_H
#define ENGINE_SCENES_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scene_body {
    bool sphere;    /**< else a box */
    double half[3]; /**< half extents, or the radius in half[0], m */
    double mass;    /**< kg; 0: moved by its velocities alone (kinematic) */
    double x[3];    /**< of the centre, m */
    double turn[4]; /**< axis and angle, rad */
    double v[3], w[3];
} scene_body;

/** Bodies over a floor at z = 0, or without one. */
typedef struct scene {
    const char *name;
    size_t bodies;
    scene_body *body;
    bool floor;
    double gravity; /**< along z, m/s^2; 0 or below */
    double restitution, friction;
    double seconds; /**< how long it takes */
} scene;

/** Newton's cradle: four balls of 1 kg stand so far apart, m, a fifth comes with 2 m/s: 2 J. */
scene scene_cradle(double gap);
/** A cube that spins falls on a corner, bounces, and comes to rest. */
scene scene_corner(void);
/** Boxes fall upon each other and come to rest. */
scene scene_boxes(size_t boxes);
/** Two balls that spin, of unequal mass and size, touch and approach obliquely. */
scene scene_oblique(void);
/** A platform that rises at 1 m/s under a ball at rest. */
scene scene_platform(void);
/** A ball that falls on the floor. */
scene scene_ball(double restitution, double seconds);
void scene_free(scene *s);

/** The principal moments of inertia, kg m^2. */
void scene_inertia(const scene_body *body, double inertia[3]);

/** A body as an engine has it now. */
typedef struct body_now {
    double mass, inertia[3]; /**< principal moments */
    double x[3], v[3], w[3];
    double r[9]; /**< the rotation from the body's axes to the world's, by rows */
} body_now;

/**
 * What a step changed of the energy
 *
 *     H = sum 1/2 m |v + h/2 g|^2 + 1/2 w.I w - m g.x ,
 *
 * which an engine that does v += h g and then x += h v keeps exactly in free flight: v + h/2 g is
 * the velocity at the time of the positions.
 */
typedef struct energy_change {
    double energy;    /**< H after the step, J */
    double positions; /**< the work against gravity of moves that are not h v: of pushing overlaps
                         back */
    double turning;   /**< of turning bodies with w as it is: I turns, and 1/2 w.I w with it */
    double contacts;  /**< all else: impacts, rest, gyroscopic torques */
} energy_change;

double scene_energy(const body_now *bodies, size_t count, double gravity, double h);
energy_change scene_change(const body_now *before, const body_now *after, size_t count,
                           double gravity, double h);

/** The results of a run of steps. */
typedef struct energy_book {
    double first, last;        /**< H, J */
    double highest_rise;       /**< the most that H ever was above the least before it, J */
    double highest_unpushed;   /**< the same of H less the work of pushing bodies apart */
    double contacts_gained;    /**< the sum of what contacts gained in steps in which they gained */
    double contacts_worst;     /**< the most in one step */
    double contacts;           /**< the sum of all that contacts gained and lost */
    double beyond;             /**< the most that they gained in a step beyond what is allowed */
    double positions, turning; /**< sums */
    double least, least_unpushed;
    size_t steps;
} energy_book;

void book_begin(energy_book *book, double energy);
void book_step(energy_book *book, const energy_change *change, double allowed);

/**
 * The energy that an engine may gain at contacts in a step without an error of the impacts. A
 * contact that rests gets the impulse p and gains p.(u- + u+) / 2, u- and u+ being its separation
 * velocities before and after, at the time of the positions. Of those, gravity's halves cancel, and
 * are left:
 *  - (g h)^2 / 8 for each kg: a body that leaves at u- < g h is caught, with p = m (g h - u-). (A
 *    body at rest, v = 0, has so much in H.)
 *  - what a corner of a turning body rises off its tangent in a step, h w^2 r, r from the centre to
 *    the farthest corner, times p / 2 = m g h / 2;
 *  - what the iterations leave, `residual`, times m g h;
 *  - rounding: of every velocity and position a unit of its energy, some ten times.
 */
double scene_allowed(const scene *s, const body_now *bodies, double h, double residual,
                     double rounding);

/** An engine, with or without the adapter, as the checks use it. */
typedef struct engine_setting {
    bool impinge;      /**< with the adapter; else the engine alone, as it comes */
    int iterations;    /**< 0: as the engine comes */
    double look_ahead; /**< m; 0: as the engine comes. Bullet's alone */
    bool no_gyroscope; /**< without gyroscopic torques, so that contacts are all that is left */
} engine_setting;

typedef struct engine {
    const char *name;
    bool looks_ahead; /**< heeds engine_setting.look_ahead */
    double rounding;  /**< a unit of rounding of its numbers, relative */
    double residual;  /**< what its iterations leave of the velocity of a corner at rest, m/s */
    void *(*make)(const scene *s, const engine_setting *setting);
    void (*step)(void *world, double h);
    void (*read)(void *world, const scene *s, body_now *bodies);
    void (*end)(void *world);
} engine;

/** Runs a scene, and keeps the book. `bodies` are as they are at the end. */
energy_book scene_run(const engine *e, const scene *s, const engine_setting *setting, double h,
                      body_now *bodies);

/** All checks of an engine; returns what main returns, and says what failed. */
int engine_checks(const engine *e);

#ifdef __cplusplus
}
#endif
#endif
