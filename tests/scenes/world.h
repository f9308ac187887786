/** A scene that is stepped by the library, as docs/stepping.md has it. */
#ifndef SCENES_WORLD_H
#define SCENES_WORLD_H

#include <stdbool.h>

#include <impinge/impinge.h>

#include "spheres.h"

/** Measured quantities of a world. */
typedef struct world_figures {
    double kinetic, potential;        /**< J; potential against `gravity`, from the origin */
    double spinning;                  /**< of the kinetic energy that of rotation */
    double held;                      /**< that of particles with three contacts or more */
    double overlap_max, overlap_mean; /**< of the contacts that overlap, in radii of A */
    double momentum[3];
} world_figures;

#define WORLD_DECLARE(bits, real)                                                                  \
    typedef struct world_f##bits {                                                                 \
        size_t count;                                                                              \
        real *position[3], *velocity[3], *spin[3], *radius, *inverse_mass;                         \
        real normal[3][SCENE_PLANES_MAX], offset[SCENE_PLANES_MAX],                                \
            plane_velocity[3][SCENE_PLANES_MAX];                                                   \
        double gravity[3];                                                                         \
        impinge_particles_f##bits particles;                                                       \
        impinge_planes_f##bits planes;                                                             \
        impinge_particle_contacts_f##bits contacts;                                                \
        impinge_step_options options;                                                              \
        impinge_options law;                                                                       \
        /* Of rolling; without coefficients there is none. Couples are set by world_find. */       \
        impinge_rolling_resistance_f##bits rolling_resistance;                                     \
        const impinge_team *team; /* of the step alone; null: none */                              \
        /* Neighbours, and where particles were when they were found. */                           \
        double skin;                                                                               \
        bool listed;                                                                               \
        impinge_neighbours list;                                                                   \
        real *was[3];                                                                              \
        /* The contacts of this step, and of the last one. */                                      \
        size_t capacity, remembered;                                                               \
        uint32_t *index_a, *index_b, *outcome;                                                     \
        uint64_t *key, *key_before;                                                                \
        real *impulse[3], *turned[3], *impulse_before[3], *normal_before[3], *gap;                 \
        real *couple[3], *couple_before[3];                                                        \
        const real *aim[3]; /* aim velocities of the contacts; null: 0 */                          \
        void *neighbours_workspace, *match_workspace, *step_workspace;                             \
        impinge_step_report report;                                                                \
        size_t lists, steps, collisions; /* so far */                                              \
    } world_f##bits;                                                                               \
                                                                                                   \
    /** The scene in this precision, at a step of h; rest speed 4 |g| h, slop 1 % of a radius. */  \
    world_f##bits world_new_f##bits(const sphere_scene *scene, double h);                          \
    void world_free_f##bits(world_f##bits *w);                                                     \
    /** The contacts at this moment, with the impulses that they had. */                           \
    void world_find_f##bits(world_f##bits *w);                                                     \
    /** The step that the library is to make. */                                                   \
    impinge_particle_step_f##bits world_step_of_f##bits(const world_f##bits *w);                   \
    impinge_status world_solve_f##bits(world_f##bits *w);                                          \
    /** A whole step; aborts if a call fails. Returns the status of the step. */                   \
    impinge_status world_step_f##bits(world_f##bits *w);                                           \
    world_figures world_measure_f##bits(const world_f##bits *w);

WORLD_DECLARE(32, float)
WORLD_DECLARE(64, double)

#endif
