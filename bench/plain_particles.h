/** What is compared with: a plain loop of the same physics. */
#ifndef BENCH_PLAIN_PARTICLES_H
#define BENCH_PLAIN_PARTICLES_H

#include <impinge/particles.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Solid spheres by index: overlap, approach, Routh's impulse, projection, each added to `to` at
 * once, which has velocities, spins and places apart from those that are read, so that all contacts
 * see the same particles. One restitution, friction and projection factor for all.
 */
void plain_particles_f32(const impinge_particles_f32 *from,
                         const impinge_particle_contacts_f32 *contacts,
                         const impinge_particles_f32 *to);
void plain_particles_f64(const impinge_particles_f64 *from,
                         const impinge_particle_contacts_f64 *contacts,
                         const impinge_particles_f64 *to);

#ifdef __cplusplus
}
#endif
#endif
