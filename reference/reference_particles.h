/**
 * The reference of particles: impulse collision method, a.1 to c.6, step by step, for one contact.
 * Conventions are those of <impinge/particles.h>.
 */
#ifndef REFERENCE_PARTICLES_H
#define REFERENCE_PARTICLES_H

#include <stdbool.h>
#include <stdint.h>

#include <impinge/particles.h>

#define REFERENCE_REAL       double
#define REFERENCE_NAME(name) name##_double
#include "reference_particles_real.inc"
#undef REFERENCE_NAME
#undef REFERENCE_REAL

#define REFERENCE_REAL       long double
#define REFERENCE_NAME(name) name##_long
#include "reference_particles_real.inc"
#undef REFERENCE_NAME
#undef REFERENCE_REAL

/**
 * Restitution of viscoelastic spheres by integrating their contact: Hertz's force rho xi^(3/2) and
 * the dissipative 3/2 A rho xi^(1/2) dxi/dt, until the force vanishes (it does not attract).
 *
 * @param s beta^(1/2) v^(1/10) > 0, on which alone it depends
 */
double reference_viscoelastic_restitution(double s);

#endif
