#include "trace_path.h"

#include <stdlib.h>

#include "support/fail.h"

static void keep(void *user, const impinge_trace_point *point) {
    trace_path *path = user;
    if (path->count == path->room) {
        path->room = path->room ? 2 * path->room : 1024;
        path->points = reallocate(path->points, path->room, sizeof *path->points);
    }
    path->points[path->count++] = *point;
}

trace_path trace_path_of(const impinge_trace_input *contact, const impinge_options *options,
                         size_t points_per_step) {
    trace_path path = {.points = NULL};
    const impinge_status status =
        impinge_trace_contact(contact, options, points_per_step, keep, &path, &path.outcome);
    if (status < 0) fail("%s", impinge_status_text(status));
    if (path.outcome & IMPINGE_OUTCOME_INVALID) {
        char text[IMPINGE_OUTCOME_TEXT_SIZE];
        impinge_outcome_text(path.outcome, text, sizeof text);
        fail("there is no such contact: %s", text);
    }
    return path;
}

void trace_path_free(trace_path *path) {
    free(path->points);
    path->points = NULL;
}

impinge_collision_matrix matrix_of_numbers(const double *values) {
    return (impinge_collision_matrix){values[0], values[1], values[2],
                                      values[3], values[4], values[5]};
}

const char *ray_kind_name(impinge_ray_kind kind) {
    if (kind == IMPINGE_RAY_STATIONARY) return "stationary";
    return kind == IMPINGE_RAY_DIVERGING ? "diverging" : "converging";
}
