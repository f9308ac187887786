/*
 * The pour of 2,000 spheres that LAMMPS is measured against: as its data file, or stepped by the
 * library to one second, with the CPU time and what is left of motion and overlap.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../tests/scenes/world.h"
#include "lammps_data.h"

enum { POURED = 2000 };
static const double time_step = 5e-4, seconds = 1;

static int write_pour(const char *name, const sphere_scene *s) {
    double *const mass = malloc(s->count * sizeof *mass);
    if (!mass) return 1;
    for (size_t i = 0; i < s->count; i++)
        mass[i] = 1 / s->inverse_mass[i];
    lammps_atoms atoms = {.count = s->count, .radius = s->radius, .mass = mass};
    for (size_t k = 0; k < 3; k++) {
        atoms.position[k] = s->position[k];
        atoms.motion[k] = s->velocity[k];
        atoms.motion[3 + k] = s->spin[k];
        /* Room for overlaps with the walls, and above for rebounds. */
        atoms.low[k] = -0.02;
        atoms.high[k] = k < 2 ? 0.02 - s->offset[2] : 0.6;
    }
    const bool written = lammps_write(name, "A pour of spheres", &atoms);
    if (!written) perror(name);
    free(mass);
    return written ? 0 : 1;
}

static void tell(clock_t begun, const world_figures *left) {
    printf("seconds %.4f kinetic %.3g potential %.6g overlap %.4f\n",
           (double)(clock() - begun) / CLOCKS_PER_SEC, left->kinetic, left->potential,
           left->overlap_max);
}

static void run_f32(const sphere_scene *s) {
    world_f32 w = world_new_f32(s, time_step);
    const clock_t begun = clock();
    for (int n = 0; n < (int)(seconds / time_step + 0.5); n++)
        (void)world_step_f32(&w);
    const world_figures left = world_measure_f32(&w);
    tell(begun, &left);
    world_free_f32(&w);
}

static void run_f64(const sphere_scene *s) {
    world_f64 w = world_new_f64(s, time_step);
    const clock_t begun = clock();
    for (int n = 0; n < (int)(seconds / time_step + 0.5); n++)
        (void)world_step_f64(&w);
    const world_figures left = world_measure_f64(&w);
    tell(begun, &left);
    world_free_f64(&w);
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: lammps-pour FILE|f32|f64\n");
        return 2;
    }
    sphere_scene s = scene_pour(POURED);
    int status = 0;
    if (strcmp(argv[1], "f32") == 0)
        run_f32(&s);
    else if (strcmp(argv[1], "f64") == 0)
        run_f64(&s);
    else
        status = write_pour(argv[1], &s);
    sphere_scene_free(&s);
    return status;
}
