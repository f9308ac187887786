/**
 * Dumps of LAMMPS as a table of sphere pairs: the pairs that touch from a `dump local`, and the
 * spheres from a `dump custom` of the same steps.
 *
 * The table has a row for every entry of the former: step, id_a, id_b, and the columns of sphere
 * pairs (format.c). B is at the periodic image that is nearest to A. Frames of the atoms whose
 * steps the former does not have are skipped. One frame of the atoms is in memory.
 */
#ifndef TOOLS_LAMMPS_H
#define TOOLS_LAMMPS_H

#include "support/input.h"

/**
 * @param pairs the dump local: the first two columns of one name with [1] and [2] are the ids, as
 * `compute property/local patom1 patom2` gives them
 * @param atoms the dump custom: id x y z radius mass vx vy vz omegax omegay omegaz, in any order
 * and with others among them
 * @return the table's text
 */
input *lammps_open(const char *pairs, const char *atoms);

#endif
