/** Scenes of spheres for tests, benchmarks and examples. */
#ifndef SCENES_SPHERES_H
#define SCENES_SPHERES_H

#include <stddef.h>
#include <stdint.h>

enum { SCENE_PLANES_MAX = 8 };

/** Spheres and planes at the beginning. In SI units, or in those of the gas: diameter, mass, kT. */
typedef struct sphere_scene {
    size_t count, planes;
    double *position[3], *velocity[3], *spin[3], *radius, *inverse_mass;
    double normal[3][SCENE_PLANES_MAX], offset[SCENE_PLANES_MAX],
        plane_velocity[3][SCENE_PLANES_MAX];
    double period;     /**< of space, in all directions; 0: none */
    double gravity[3]; /**< m/s^2 */
    double restitution, friction;
} sphere_scene;

/** `count` immovable spheres of radius 0 at the origin, at rest; aborts without memory.
 */
sphere_scene sphere_scene_new(size_t count);
void sphere_scene_free(sphere_scene *s);

/** Makes sphere i solid, of that density at that place; with density 0 it cannot move. */
void sphere_set(sphere_scene *s, size_t i, double x, double y, double z, double radius,
                double density);
void sphere_scene_add_plane(sphere_scene *s, double x, double y, double z, double offset);

/**
 * Spheres of 5 mm +-10 %, 2500 kg/m^3, e = 0.6, mu = 0.4, that fall into a box of 14 by 14 of them
 * for 2,000, and wider for more.
 */
sphere_scene scene_pour(size_t count);
/**
 * A gas without gravity of unit spheres of unit mass at kT = 1, at that packing fraction. Seeds are
 * as many samples of its velocities.
 */
sphere_scene scene_gas(size_t count, double packing, double restitution, uint64_t seed);
/** A sphere that falls at unit speed on three fixed ones. */
sphere_scene scene_on_three(double restitution, double friction);
/**
 * A ball of mass 3 on the ground, and one of mass 1 on top of it, that both come down at unit
 * speed; elastic.
 */
sphere_scene scene_ball_on_ball(void);
/** `count` spheres in a row that touch; the first comes at 2. */
sphere_scene scene_cradle(size_t count);
/** A sphere that falls at unit speed between two planes at this angle to the ground, radians. */
sphere_scene scene_valley(double angle, double restitution);

#endif
