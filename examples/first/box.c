/*
 * Particles in a box: 512 smooth elastic spheres that all begin with the same speed along x.
 *
 * Collisions turn that into Maxwell's distribution: a third of the energy along each axis, and
 * <v^4> / <v^2>^2 = 5/3. No energy is lost. docs/stepping.md has the loop with gravity and
 * friction.
 */
#include <impinge/impinge.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 8, N = SIDE * SIDE * SIDE, WALLS = 6, NEAR = 32 * N, STEPS = 6000, SETTLED = 1500 };
static double x[3][N], v[3][N], w[3][N], was[3][N], radius[N], inverse_mass[N];
static uint32_t starts[N + 1], near[NEAR], a[NEAR], b[NEAR];
static uint64_t key[NEAR];
/* Normals point into the box; a plane is where normal . x = offset. */
static const double normal[3][WALLS] = {{1, -1}, {0, 0, 1, -1}, {0, 0, 0, 0, 1, -1}};
static const double offset[WALLS] = {0, -1, 0, -1, 0, -1};

int main(void) {
    const double step = 1e-3, skin = 0.03;
    double moment[3] = {0}, fourth = 0, second = 0;
    for (int i = 0; i < N; i++) {
        const int cell[3] = {i % SIDE, i / SIDE % SIDE, i / (SIDE * SIDE)};
        /* A little off the lattice, so that collisions are oblique. */
        for (int k = 0; k < 3; k++)
            x[k][i] = (cell[k] + 0.5 + 0.1 * ((i * (7 + k)) % 11 - 5) / 5) / SIDE;
        v[0][i] = i % 2 ? 1 : -1;
        radius[i] = 0.03, inverse_mass[i] = 1;
    }
    const impinge_particles_f64 spheres = {.count = N,
                                           .radius = radius,
                                           .inverse_mass = inverse_mass,
                                           .position_x = x[0],
                                           .position_y = x[1],
                                           .position_z = x[2],
                                           .velocity_x = v[0],
                                           .velocity_y = v[1],
                                           .velocity_z = v[2],
                                           .angular_velocity_x = w[0],
                                           .angular_velocity_y = w[1],
                                           .angular_velocity_z = w[2]};
    const impinge_planes_f64 walls = {.count = WALLS,
                                      .normal_x = normal[0],
                                      .normal_y = normal[1],
                                      .normal_z = normal[2],
                                      .offset = offset};
    impinge_particle_contacts_f64 contacts = {
        .index_a = a, .index_b = b, .coefficients.restitution.value = 1};
    const impinge_neighbour_options nearby = {.skin = skin};
    impinge_neighbours list = {starts, near, NEAR, 0};
    impinge_found_contacts found = {a, b, key, NEAR, 0, {0}};
    const impinge_step_options options = {.time_step = step};
    void *const search = malloc(impinge_find_neighbours_workspace_f64(N));
    void *const room = malloc(impinge_step_particles_workspace_f64(N, WALLS, NEAR));
    const impinge_particle_step_f64 one = {.particles = &spheres,
                                           .planes = &walls,
                                           .contacts = &contacts,
                                           .options = &options,
                                           .workspace = room};
    if (!search || !room) return 1;
    for (int s = 0; s < STEPS; s++) {
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 3; k++)
                x[k][i] += step * v[k][i];
        if (s == 0 || impinge_particles_moved_f64(&spheres, was[0], was[1], was[2], 1, skin / 2)) {
            if (impinge_find_neighbours_f64(&spheres, &walls, &nearby, search, NULL, &list) < 0)
                return 1;
            memcpy(was, x, sizeof x);
        }
        if (impinge_find_particle_contacts_f64(&spheres, &walls, &list, 0, NULL, &found) < 0)
            return 1;
        contacts.count = found.count;
        if (impinge_step_particles_f64(&one, NULL) < 0) return 1;
        for (int i = 0; s >= SETTLED && i < N; i++) {
            double square = 0;
            for (int k = 0; k < 3; k++)
                square += v[k][i] * v[k][i], moment[k] += v[k][i] * v[k][i];
            second += square, fourth += square * square;
        }
    }
    const double samples = (double)N * (STEPS - SETTLED), mean = second / samples;
    printf("energy of all, of 1 at the beginning: %.12f\n", mean);
    printf("its shares along x, y, z: %.4f %.4f %.4f\n", moment[0] / second, moment[1] / second,
           moment[2] / second);
    printf("<v^4> / <v^2>^2: %.4f\n", fourth / samples / (mean * mean));
    free(search), free(room);
    return fflush(stdout) != 0 || ferror(stdout); /* not all could be written */
}
