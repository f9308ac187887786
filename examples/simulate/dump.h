/** The particles in files for other programs. */
#ifndef SIMULATE_DUMP_H
#define SIMULATE_DUMP_H

#include "motion.h"

/** Fails if a path's ending names none of the formats. */
void dump_require_known(const char *option, const char *path);

/**
 * Writes the particles in the order of their ids: as LAMMPS's dump text (.dump, .lammpstrj; OVITO)
 * or as VTK's legacy polydata (.vtk; ParaView), by the path's ending.
 */
void dump_write(const motion *of, const char *path);

/**
 * A path with the number of a step in place of its '*', in ten digits; to be freed.
 */
char *dump_path(const char *pattern, uint64_t step);

/** True if a path has that ending, such as ".csv". */
bool path_ends_in(const char *path, const char *ending);

/** All particles in the order of their ids; to be freed. */
world_particle *particles_by_id(const world *of);

#endif
