/** The two sets that simulators recorded, as body pairs. */
#ifndef BENCH_RECORDED_H
#define BENCH_RECORDED_H

#include "rows.h"

/**
 * Both are read from the folder that the environment variable IMPINGE_BENCH_DATA names, or else
 * from the source tree. Spheres get restitution 0.9 and friction 0.4 (glass on glass). Return false
 * if there is no contact; end the program, saying why, if a file is not there or not as expected.
 */
bool recorded_boxes(contact_rows *rows);
bool recorded_spheres(contact_rows *rows);

#endif
