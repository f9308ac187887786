/** Spheres as a LAMMPS data file (atom_style sphere). */
#ifndef BENCH_LAMMPS_DATA_H
#define BENCH_LAMMPS_DATA_H

#include <stdbool.h>
#include <stddef.h>

/** Spheres in a box, in columns; motion: velocity, then angular velocity. */
typedef struct lammps_atoms {
    size_t count;
    double low[3], high[3];
    const double *position[3], *motion[6], *radius, *mass;
} lammps_atoms;

/** Returns whether the file was written. */
bool lammps_write(const char *file, const char *title, const lammps_atoms *atoms);

#endif
