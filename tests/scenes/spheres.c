#include "spheres.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../tools/support/random.h"

#define PI 3.14159265358979323846

/*
 * Evenly in (0, 1]. By the low bits, where random_positive takes the high ones: the figures of
 * docs/speed-particles.md were measured on the spheres that this draws.
 */
static double positive_of_scene(uint64_t *state) {
    return (double)(random_bits(state) % (UINT64_C(1) << 53) + 1) * 0x1p-53;
}

static double between_of_scene(uint64_t *state, double low, double high) {
    return low + (high - low) * positive_of_scene(state);
}

static double *numbers(size_t count) {
    double *a = calloc(count + 1, sizeof *a);
    if (!a) {
        fputs("scenes: out of memory\n", stderr);
        abort();
    }
    return a;
}

sphere_scene sphere_scene_new(size_t count) {
    sphere_scene s = {.count = count, .radius = numbers(count), .inverse_mass = numbers(count)};
    for (size_t k = 0; k < 3; k++) {
        s.position[k] = numbers(count);
        s.velocity[k] = numbers(count);
        s.spin[k] = numbers(count);
    }
    return s;
}

void sphere_scene_free(sphere_scene *s) {
    for (size_t k = 0; k < 3; k++) {
        free(s->position[k]);
        free(s->velocity[k]);
        free(s->spin[k]);
    }
    free(s->radius);
    free(s->inverse_mass);
}

void sphere_set(sphere_scene *s, size_t i, double x, double y, double z, double radius,
                double density) {
    s->position[0][i] = x;
    s->position[1][i] = y;
    s->position[2][i] = z;
    s->radius[i] = radius;
    s->inverse_mass[i] = density > 0 ? 1 / (density * 4 * PI / 3 * radius * radius * radius) : 0;
}

void sphere_scene_add_plane(sphere_scene *s, double x, double y, double z, double offset) {
    const size_t i = s->planes++;
    s->normal[0][i] = x;
    s->normal[1][i] = y;
    s->normal[2][i] = z;
    s->offset[i] = offset;
}

sphere_scene scene_pour(size_t count) {
    sphere_scene s = sphere_scene_new(count);
    uint64_t state = 11;
    const size_t row = 2 * (size_t)(7 * cbrt((double)count / 2000));
    const double pitch = 0.0114;
    const double side = pitch * (double)row + 0.0004;
    for (size_t i = 0; i < count; i++) {
        const double x = (double)(i % row);
        const double y = (double)(i / row % row);
        const double z = (double)(i / row / row);
        const double radius = 5e-3 * between_of_scene(&state, 0.9, 1.1);
        /* One after the other: arguments have no order. */
        const double off_x = 1e-4 * between_of_scene(&state, 0, 1);
        const double off_y = 1e-4 * between_of_scene(&state, 0, 1);
        sphere_set(&s, i, 0.0058 + pitch * x + off_x, 0.0058 + pitch * y + off_y, 0.006 + pitch * z,
                   radius, 2500);
        s.velocity[0][i] = between_of_scene(&state, -0.1, 0.1);
        s.velocity[1][i] = between_of_scene(&state, -0.1, 0.1);
        s.velocity[2][i] = -0.5;
    }
    sphere_scene_add_plane(&s, 0, 0, 1, 0);
    sphere_scene_add_plane(&s, 1, 0, 0, 0);
    sphere_scene_add_plane(&s, -1, 0, 0, -side);
    sphere_scene_add_plane(&s, 0, 1, 0, 0);
    sphere_scene_add_plane(&s, 0, -1, 0, -side);
    s.gravity[2] = -9.81;
    s.restitution = 0.6;
    s.friction = 0.4;
    return s;
}

/* By Box and Muller. */
static double random_normal(uint64_t *state) {
    const double radius = sqrt(-2 * log(positive_of_scene(state)));
    const double angle = 2 * PI * positive_of_scene(state);
    return radius * cos(angle);
}

/* No momentum, and a mean square of velocities of 3. */
static void heat(sphere_scene *s, uint64_t seed) {
    uint64_t state = seed;
    double square = 0;
    for (size_t k = 0; k < 3; k++) {
        double sum = 0;
        for (size_t i = 0; i < s->count; i++)
            sum += s->velocity[k][i] = random_normal(&state);
        for (size_t i = 0; i < s->count; i++) {
            s->velocity[k][i] -= sum / (double)s->count;
            square += s->velocity[k][i] * s->velocity[k][i];
        }
    }
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < s->count; i++)
            s->velocity[k][i] *= sqrt(3 * (double)s->count / square);
}

sphere_scene scene_gas(size_t count, double packing, double restitution, uint64_t seed) {
    sphere_scene s = sphere_scene_new(count);
    const size_t row = (size_t)ceil(cbrt((double)count));
    s.period = cbrt((double)count * PI / 6 / packing);
    const double pitch = s.period / (double)row;
    for (size_t i = 0; i < count; i++)
        sphere_set(&s, i, ((double)(i % row) + 0.5) * pitch,
                   ((double)(i / row % row) + 0.5) * pitch, ((double)(i / row / row) + 0.5) * pitch,
                   0.5, 6 / PI);
    heat(&s, seed);
    s.restitution = restitution;
    return s;
}

sphere_scene scene_on_three(double restitution, double friction) {
    sphere_scene s = sphere_scene_new(4);
    const double side = 2 / sqrt(3.0);
    for (size_t i = 0; i < 3; i++)
        sphere_set(&s, i, side * cos(2 * PI * (double)i / 3), side * sin(2 * PI * (double)i / 3), 0,
                   1, 0);
    sphere_set(&s, 3, 0, 0, sqrt(4 - side * side) * (1 - 1e-6), 1, 1);
    s.velocity[2][3] = -1;
    s.restitution = restitution;
    s.friction = friction;
    return s;
}

sphere_scene scene_ball_on_ball(void) {
    sphere_scene s = sphere_scene_new(2);
    sphere_set(&s, 0, 0, 0, 1 - 1e-6, 1, 3 / (4 * PI / 3));
    sphere_set(&s, 1, 0, 0, 3 - 2e-6, 1, 1 / (4 * PI / 3));
    s.velocity[2][0] = s.velocity[2][1] = -1;
    sphere_scene_add_plane(&s, 0, 0, 1, 0);
    s.restitution = 1;
    return s;
}

sphere_scene scene_cradle(size_t count) {
    sphere_scene s = sphere_scene_new(count);
    for (size_t i = 0; i < count; i++)
        sphere_set(&s, i, 2 * (double)i * (1 - 1e-6), 0, 0, 1, 1);
    s.velocity[0][0] = 2;
    s.restitution = 1;
    return s;
}

sphere_scene scene_valley(double angle, double restitution) {
    sphere_scene s = sphere_scene_new(1);
    sphere_set(&s, 0, 0, 0, 0, 0.5, 1);
    s.velocity[2][0] = -1;
    sphere_scene_add_plane(&s, sin(angle), 0, cos(angle), -0.5 + 1e-6);
    sphere_scene_add_plane(&s, -sin(angle), 0, cos(angle), -0.5 + 1e-6);
    s.restitution = restitution;
    return s;
}
