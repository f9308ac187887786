/**
 * A recorded set as the program reads it. Apart from recorded.c, since batches of the program and
 * of the tests have quantities of the same names.
 */
#ifndef BENCH_RECORDED_TABLE_H
#define BENCH_RECORDED_TABLE_H

#include <stddef.h>

/** Numbers of a body in a row: inverse mass, inverse inertia, arm, velocity, angular velocity. */
enum { RECORDED_BODY = 1 + 6 + 3 + 3 + 3 };

/** Numbers of a row: body a, body b, the normal, restitution, friction. */
enum { RECORDED_NORMAL = 2 * RECORDED_BODY, RECORDED_NUMBERS = RECORDED_NORMAL + 3 + 2 };

/**
 * Reads a table of body or sphere pairs. Ends the program, saying why, if that cannot be.
 *
 * @param restitution, friction for all contacts, as text; null: the table has columns of them
 * @return `count` rows, to be freed
 */
double *recorded_table(const char *path, const char *restitution, const char *friction,
                       size_t *count);

#endif
