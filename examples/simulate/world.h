/**
 * Spheres that move and collide: the step of a simulation, in either precision.
 *
 * A step of h: velocities gain gravity's h g; contacts are resolved; positions gain h v. With
 * velocities taken as those of half a step earlier that is the leapfrog, and the impulses come in
 * its odd half-step, as the notes on the impulse collision method, c.6 asks for.
 *
 * Contacts that share a sphere are resolved one after the other, in rounds: within a round no
 * sphere collides twice, so that the impulses of a round do not see each other, and no collision of
 * e <= 1 can add energy. (The sum of the impulses of several contacts that all see the same
 * velocities can.) Each contact gets the first round in which neither sphere is taken, in the order
 * of the list of pairs; the walls come last, so that after a step nothing moves into them.
 *
 * The list of pairs has those closer than their radii and a skin, sorted by cell, and is made anew
 * when a sphere has moved by half of the skin. Which contacts there are does not depend on the
 * list, but the order of the sums does; so the places where the list was made are part of the
 * state.
 *
 * Bits. All is the same for any number of threads and any target.
 */
#ifndef SIMULATE_WORLD_H
#define SIMULATE_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <impinge/impinge.h>
#include <impinge/particles.h>

#include "support/number.h"

/** How spheres collide. */
typedef struct collision_rule {
    impinge_law law;
    double restitution, friction, tangential_restitution;
    impinge_restitution_kind model;
    double speed; /**< of the model */
    double dissipation_time, young_modulus, poisson_ratio;
    /**
     * k_p (the notes on the impulse collision method, c.5) of pairs. A projection that leaves the
     * velocities alone carries no weight: in a heap every contact would go on approaching, the
     * deeper the faster. So a pair is not moved apart but made to move apart, with k_p times the
     * overlap over h, as if it approached by that much more and did not bounce. Where nothing
     * moves, that is the spring of B.20 and B.22, k_s = k_p m_ab / h^2, with friction of its force;
     * it only ever pushes, and gives no energy back.
     */
    double projection;
} collision_rule;

typedef struct world_setup {
    precision precision;
    size_t count;
    bool spin;
    bool periodic;  /**< in all directions; else walls at 0 and size in x and y, a floor at z = 0 */
    double size[3]; /**< z is not looked at where there is a floor */
    double gravity; /**< m/s^2, downwards in z */
    double skin;    /**< m */
    collision_rule collision;
    size_t threads;
} world_setup;

/** One particle. `listed` is where it was when the list was made. */
typedef struct world_particle {
    uint32_t id;
    double position[3], velocity[3], angular_velocity[3], listed[3];
    double radius, inverse_mass;
} world_particle;

/** Sums over all particles. */
typedef struct world_sums {
    double translation, rotation, potential; /**< energies, J */
    double momentum[3];
    double fastest; /**< the greatest speed */
} world_sums;

/** Where the time went, in seconds of all threads, and what was done; since the world was made. */
typedef struct world_costs {
    double resolve, apply, pairs, move;
    uint64_t looked_at; /**< contacts given to the library */
    uint64_t impacts;   /**< of those, contacts that got an impulse */
    uint64_t lists;     /**< how often the list of pairs was made */
    uint64_t steps;
} world_costs;

typedef struct world world;

/** A world of particles that are all zero. */
world *world_make(const world_setup *setup);
void world_free(world *of);

void world_set(world *of, size_t i, const world_particle *particle);
world_particle world_get(const world *of, size_t i);
size_t world_count(const world *of);

/** Makes the list of pairs as it was made where the particles were `listed`. */
void world_list_again(world *of);

/** From now on particles collide like this. */
void world_collide(world *of, const collision_rule *collision);

void world_step(world *of, double step);
world_sums world_look(const world *of);
const world_costs *world_cost(const world *of);

#endif
