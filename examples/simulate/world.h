/**
 * Spheres that move and collide: the step of a simulation, in either precision, as docs/stepping.md
 * has it. Half a step of motion and half of gravity's kick; neighbours and contacts; the impulses
 * that these had in the last step; impacts, the other half of the kick, rest, the energy guard and
 * positions by impinge_step_particles; half a step of motion.
 *
 * The list of neighbours has those closer than their radii and a skin, and is made anew when a
 * sphere has moved by half of the skin. Which contacts there are does not depend on the list, but
 * their order does; so the places where the list was made, and the impulses, are part of the state.
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
    /** The share of overlaps beyond the slop that is pushed back in a step; 0: none. */
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
    double slop;    /**< m: overlaps that stay */
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
    double overlap; /**< the deepest of the last step's contacts, m */
} world_sums;

/** Times of the parts, in seconds of all threads, and counts of the work, since the world was made.
 */
typedef struct world_costs {
    double pairs, solve, move;
    uint64_t looked_at; /**< contacts that touched */
    uint64_t impacts;   /**< collisions of contacts */
    uint64_t lists;     /**< how often the list of neighbours was made */
    uint64_t steps;
} world_costs;

typedef struct world world;

/** A world of particles that are all zero. */
world *world_make(const world_setup *setup);
void world_free(world *of);

void world_set(world *of, size_t i, const world_particle *particle);
world_particle world_get(const world *of, size_t i);
size_t world_count(const world *of);

/** A contact of the last step, and the impulse that brought it to rest. */
typedef struct world_memory {
    uint64_t key;
    double impulse[3], normal[3];
} world_memory;

size_t world_memories(const world *of);
world_memory world_memory_get(const world *of, size_t i);
void world_memory_add(world *of, const world_memory *memory);

/** Makes the list of neighbours as it was made where the particles were `listed`. */
void world_list_again(world *of);

/** From now on particles collide like this. */
void world_collide(world *of, const collision_rule *collision);

void world_step(world *of, double step);
world_sums world_look(const world *of);
const world_costs *world_cost(const world *of);

#endif
