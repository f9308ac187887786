#include "dump.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/output.h"

/* No line is longer: 14 numbers. */
enum { LINE_SIZE = 640 };

__attribute__((format(printf, 1, 2))) static void write_line(const char *format, ...) {
    char line[LINE_SIZE];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    output_text(line);
}

bool path_ends_in(const char *path, const char *ending) {
    const size_t length = strlen(path);
    const size_t wanted = strlen(ending);
    return length > wanted && !strcmp(path + length - wanted, ending);
}

static bool is_vtk(const char *path) { return path_ends_in(path, ".vtk"); }

void dump_require_known(const char *option, const char *path) {
    if (!is_vtk(path) && !path_ends_in(path, ".dump") && !path_ends_in(path, ".lammpstrj"))
        fail("%s: '%s' ends in none of .dump, .lammpstrj (LAMMPS) and .vtk", option, path);
}

char *dump_path(const char *pattern, uint64_t step) {
    enum { DIGITS_MAX = 20 };
    const size_t size = strlen(pattern) + DIGITS_MAX + 1;
    char *path = allocate(size, 1);
    const char *star = strchr(pattern, '*');
    if (!star) {
        snprintf(path, size, "%s", pattern);
        return path;
    }
    snprintf(path, size, "%.*s%010llu%s", (int)(star - pattern), pattern, (unsigned long long)step,
             star + 1);
    return path;
}

static int compare_ids(const void *a, const void *b) {
    const uint32_t first = ((const world_particle *)a)->id;
    const uint32_t second = ((const world_particle *)b)->id;
    return (first > second) - (first < second);
}

world_particle *particles_by_id(const world *of) {
    const size_t count = world_count(of);
    world_particle *all = allocate(count, sizeof *all);
    for (size_t i = 0; i < count; i++)
        all[i] = world_get(of, i);
    qsort(all, count, sizeof *all, compare_ids);
    return all;
}

static void write_lammps(const motion *of, const world_particle *all) {
    const scene *in = &of->scene;
    write_line("ITEM: TIMESTEP\n%llu\n", (unsigned long long)of->step);
    write_line("ITEM: NUMBER OF ATOMS\n%zu\n", in->particles);
    write_line("ITEM: BOX BOUNDS %s\n", in->kind == SCENE_GAS ? "pp pp pp" : "ff ff ff");
    for (size_t axis = 0; axis < 3; axis++)
        write_line("%.16e %.16e\n", 0.0, in->size[axis]);
    output_text("ITEM: ATOMS id x y z radius mass vx vy vz omegax omegay omegaz\n");
    for (size_t i = 0; i < in->particles; i++) {
        const world_particle *p = &all[i];
        write_line("%lu %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g\n",
                   (unsigned long)p->id, p->position[0], p->position[1], p->position[2], p->radius,
                   1 / p->inverse_mass, p->velocity[0], p->velocity[1], p->velocity[2],
                   p->angular_velocity[0], p->angular_velocity[1], p->angular_velocity[2]);
    }
}

static void write_vectors(const char *name, const world_particle *all, size_t count, bool spin) {
    write_line("VECTORS %s double\n", name);
    for (size_t i = 0; i < count; i++) {
        const double *v = spin ? all[i].angular_velocity : all[i].velocity;
        write_line("%.9g %.9g %.9g\n", v[0], v[1], v[2]);
    }
}

static void write_vtk(const motion *of, const world_particle *all) {
    const size_t count = of->scene.particles;
    write_line("# vtk DataFile Version 3.0\nsimulate %s, step %llu, time %.9g\nASCII\n",
               scene_name(of->scene.kind), (unsigned long long)of->step, of->time);
    write_line("DATASET POLYDATA\nPOINTS %zu double\n", count);
    for (size_t i = 0; i < count; i++)
        write_line("%.9g %.9g %.9g\n", all[i].position[0], all[i].position[1], all[i].position[2]);
    write_line("VERTICES %zu %zu\n", count, 2 * count);
    for (size_t i = 0; i < count; i++)
        write_line("1 %zu\n", i);
    write_line("POINT_DATA %zu\nSCALARS radius double 1\nLOOKUP_TABLE default\n", count);
    for (size_t i = 0; i < count; i++)
        write_line("%.9g\n", all[i].radius);
    write_line("SCALARS id int 1\nLOOKUP_TABLE default\n");
    for (size_t i = 0; i < count; i++)
        write_line("%lu\n", (unsigned long)all[i].id);
    write_vectors("velocity", all, count, false);
    write_vectors("angular_velocity", all, count, true);
}

void dump_write(const motion *of, const char *path) {
    world_particle *all = particles_by_id(of->world);
    output_open(path);
    if (is_vtk(path))
        write_vtk(of, all);
    else
        write_lammps(of, all);
    output_finish();
    free(all);
}
