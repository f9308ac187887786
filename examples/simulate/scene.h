/** The scene of a simulation: everything on which the motion depends, and its initial state. */
#ifndef SIMULATE_SCENE_H
#define SIMULATE_SCENE_H

#include "world.h"

typedef enum scene_kind { SCENE_POUR, SCENE_GAS } scene_kind;

/** All lengths, times and masses of the pour are in SI units; the gas begins with m = sigma = T
 * = 1. */
typedef struct scene {
    scene_kind kind;
    precision precision;
    size_t particles;
    uint64_t seed;
    collision_rule collision;
    double radius;  /**< the mean */
    double spread;  /**< radii are uniform within this share of the mean, both ways */
    double density; /**< kg/m^3; the gas has mass 1 */
    double gravity; /**< m/s^2 */
    double size[3]; /**< of the box; of the pour, z is how high the spheres begin */
    double packing; /**< phi: the share of the box, or of the column at first, that is sphere */
    /**
     * The pour's h, s; or, of the gas, the share of the diameter that the thermal speed (T / m)^
     * (1/2) goes in a step (see scene_step).
     */
    double step;
    double equilibration;  /**< of the gas: elastic collisions per particle before time begins */
    uint64_t sample_every; /**< steps between samples of the series */
} scene;

/** "pour" or "gas". */
const char *scene_name(scene_kind kind);

/** The options that were given; NaN: not given. */
typedef struct scene_choices {
    double step, restitution, friction, tangential_restitution, projection, packing, spread,
        equilibration, speed;
} scene_choices;

/** Fills in what is not given and what follows from the rest. */
void scene_complete(scene *of, const scene_choices *given);

/** The world with the particles where they begin, before they are equilibrated. */
world *scene_begin(const scene *of, size_t threads);

/** A world of that scene with particles that are all zero. */
world *scene_world(const scene *of, size_t threads);

/**
 * The step for a temperature T = <m v^2> / 3: of the gas h = c sigma (m / T)^(1/2).
 *
 * A pair is found up to h after it has touched, when the centres' line has turned and the approach
 * is slower. To first order the energy that a collision dissipates, averaged over Maxwell's
 * velocities and all impact parameters, is less by the share (16/15) (h/2) <g^4>/<g^3> / sigma with
 * the relative speed g, <g^4>/<g^3> = 3.32 (T/m)^(1/2): 1.77 c. Pairs whose chord is so short that
 * they part before they are found collide without it: the share 8/3 c^2 of the collisions, but only
 * of the order of c^4 of the energy. With c = 0.003 that is 0.5 %.
 */
double scene_step(const scene *of, double temperature);

#endif
