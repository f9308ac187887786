#include "lammps_data.h"

#include <stdio.h>

/* 17 digits are every bit of a double. */
static void write_spheres(FILE *file, const lammps_atoms *atoms) {
    const double pi = 3.14159265358979323846;
    fprintf(file, "\nAtoms # sphere\n\n");
    for (size_t i = 0; i < atoms->count; i++) {
        const double r = atoms->radius[i];
        fprintf(file, "%zu 1 %.17g %.17g", i + 1, 2 * r, atoms->mass[i] / (4 * pi / 3 * r * r * r));
        for (size_t k = 0; k < 3; k++)
            fprintf(file, " %.17g", atoms->position[k][i]);
        fprintf(file, "\n");
    }
    fprintf(file, "\nVelocities\n\n");
    for (size_t i = 0; i < atoms->count; i++) {
        fprintf(file, "%zu", i + 1);
        for (size_t k = 0; k < 6; k++)
            fprintf(file, " %.17g", atoms->motion[k][i]);
        fprintf(file, "\n");
    }
}

bool lammps_write(const char *name, const char *title, const lammps_atoms *atoms) {
    FILE *const file = fopen(name, "w");
    if (!file) return false;
    fprintf(file, "%s\n\n%zu atoms\n1 atom types\n", title, atoms->count);
    for (size_t k = 0; k < 3; k++)
        fprintf(file, "%.17g %.17g %clo %chi\n", atoms->low[k], atoms->high[k], "xyz"[k], "xyz"[k]);
    write_spheres(file, atoms);
    const bool written = !ferror(file);
    return fclose(file) == 0 && written;
}
