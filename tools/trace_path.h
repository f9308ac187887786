/**
 * Shared parts of the commands about one contact: its path, numbers from the command line, words.
 */
#ifndef TOOLS_TRACE_PATH_H
#define TOOLS_TRACE_PATH_H

#include <impinge/impinge.h>

typedef struct trace_path {
    impinge_trace_point *points;
    size_t count, room;
    uint32_t outcome;
} trace_path;

/** Traces a contact. Fails, saying why, if it is invalid or the call returns an error. */
trace_path trace_path_of(const impinge_trace_input *contact, const impinge_options *options,
                         size_t points_per_step);
void trace_path_free(trace_path *path);

/** K from the first six of an array of numbers, in the order k11, k12, k13, k22, k23, k33. */
impinge_collision_matrix matrix_of_numbers(const double *values);

/** "stationary", "diverging" or "converging". */
const char *ray_kind_name(impinge_ray_kind kind);

#endif
