/* A step of particles: its parts, around the kernels. Everything has been checked. */
#ifndef IMPINGE_SOLVE_PARTICLE_STEP_H
#define IMPINGE_SOLVE_PARTICLE_STEP_H

#include "../kernels/rest/particle_step.h"

/* The parts of a step that a call includes. */
typedef struct step_parts {
    bool impacts, rest, positions;
} step_parts_t;

/* The bytes of workspace; SIZE_MAX if there cannot be so many. */
size_t NAME(impinge_particle_step_size)(size_t particles, size_t planes, size_t contacts);

/* `options` are complete. Returns how many contacts are invalid. */
size_t NAME(impinge_run_particle_step)(const NAME(impinge_particle_step_kernels) * kernels,
                                       const NAME(impinge_particle_step) * step,
                                       const impinge_step_options *options, step_parts_t parts,
                                       impinge_step_report *report);

/*
 * Rounds of impacts, by one member. The first `some` of w->list[0] are the places that approach;
 * w->approach has all approach speeds.
 */
void NAME(impinge_collide_rounds)(const NAME(impinge_particle_step_state) * w,
                                  const NAME(impinge_particle_step_kernels) * kernels, size_t some);

/* Finds the places that touch each body that moves: w->touching, ascending in each. */
void NAME(impinge_find_touching)(const NAME(impinge_particle_step_state) * w);

/*
 * Collides tied places: those that a chain of shared bodies connects collide together. Sets
 * w->approach of places to 0 that approach by no more than rounding afterwards.
 */
void NAME(impinge_collide_ties)(const NAME(impinge_particle_step_state) * w,
                                const NAME(impinge_particle_step_kernels) * kernels,
                                uint32_t *places, size_t count);

#endif
