/** The baseline for particles: a plain loop of the same physics. */
#ifndef BENCH_PLAIN_PARTICLES_H
#define BENCH_PLAIN_PARTICLES_H

#include <impinge/particle_rows.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Solid spheres by index: overlap, approach, Routh's impulse, projection, each added to `to` at
 * once, which has velocities, spins and places apart from those that are read, so that all contacts
 * use the same particles. One restitution, friction and projection factor for all.
 */
void plain_particles_f32(const impinge_particles_f32 *from,
                         const impinge_particle_contacts_f32 *contacts,
                         const impinge_particles_f32 *to);
void plain_particles_f64(const impinge_particles_f64 *from,
                         const impinge_particle_contacts_f64 *contacts,
                         const impinge_particles_f64 *to);

/**
 * What an expert would write: the same physics of rows (<impinge/particle_rows.h>) that are kept,
 * so that a particle is a cache line or two; first a list of the pairs that touch, written without
 * a jump, which no branch predictor has to guess; then the law of those. `to` has rows of its own,
 * to which each contact is added.
 */
void expert_particles_f32(const impinge_particle_rows_f32 *from,
                          const impinge_particle_contacts_f32 *contacts,
                          const impinge_particle_rows_f32 *to);
void expert_particles_f64(const impinge_particle_rows_f64 *from,
                          const impinge_particle_contacts_f64 *contacts,
                          const impinge_particle_rows_f64 *to);

#ifdef __cplusplus
}
#endif
#endif
