/* Queries about one contact, in double precision. */
#include <impinge/rays.h>
#include <impinge/region.h>
#include <impinge/trace.h>

#include "../query/query.h"
#include "check.h"
#include "float_environment.h"
#include "pointers.h"

/* ---- Rays ---- */

impinge_status impinge_find_rays(const impinge_collision_matrix *matrix, double friction,
                                 impinge_ray *rays, size_t *count) {
    FLOAT_ENVIRONMENT_OF_CALL;
    FLOAT_FROM_CALLER(friction);
    if (ANY_NULL(matrix, rays, count)) return IMPINGE_ERROR_NULL_POINTER;
    return impinge_query_rays(matrix, friction, rays, count);
}

impinge_status impinge_find_diverging_ray(const impinge_collision_matrix *matrix, double friction,
                                          impinge_ray *ray, bool *exists) {
    FLOAT_ENVIRONMENT_OF_CALL;
    FLOAT_FROM_CALLER(friction);
    if (ANY_NULL(matrix, ray, exists)) return IMPINGE_ERROR_NULL_POINTER;
    return impinge_query_diverging_ray(matrix, friction, ray, exists);
}

impinge_status impinge_sticking_is_stable(const impinge_collision_matrix *matrix,
                                          double friction_static, bool *stable) {
    FLOAT_ENVIRONMENT_OF_CALL;
    FLOAT_FROM_CALLER(friction_static);
    if (ANY_NULL(matrix, stable)) return IMPINGE_ERROR_NULL_POINTER;
    return impinge_query_sticking(matrix, friction_static, stable);
}

/* ---- The permissible region ---- */

impinge_status impinge_impulse_of_coordinates(const impinge_region_contact *contact,
                                              const impinge_region_coordinates *at,
                                              double impulse[3]) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (ANY_NULL(contact, at, impulse)) return IMPINGE_ERROR_NULL_POINTER;
    return impinge_query_impulse(contact, at, impulse);
}

impinge_status impinge_coordinates_of_impulse(const impinge_region_contact *contact,
                                              const double impulse[3],
                                              impinge_region_coordinates *at) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (ANY_NULL(contact, impulse, at)) return IMPINGE_ERROR_NULL_POINTER;
    return impinge_query_coordinates(contact, impulse, at);
}

impinge_status impinge_impulse_ratio_bound(const impinge_region_contact *contact,
                                           double restitution, const double direction[2],
                                           impinge_ratio_bounds *bounds) {
    FLOAT_ENVIRONMENT_OF_CALL;
    FLOAT_FROM_CALLER(restitution);
    if (ANY_NULL(contact, direction, bounds)) return IMPINGE_ERROR_NULL_POINTER;
    return impinge_query_ratio_bounds(contact, restitution, direction, bounds);
}

/* ---- The path of a contact ---- */

impinge_status impinge_trace_contact(const impinge_trace_input *contact,
                                     const impinge_options *options, size_t points_per_step,
                                     impinge_trace_visitor *visitor, void *user,
                                     uint32_t *outcome) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!contact || !visitor) return IMPINGE_ERROR_NULL_POINTER;
    if (points_per_step == 0) return IMPINGE_ERROR_ARGUMENT;
    impinge_options checked;
    const impinge_status status = impinge_check_options(options, DEFAULT_TOLERANCE_f64, &checked);
    if (status != IMPINGE_OK) return status;
    if (checked.law != IMPINGE_LAW_ROUTH) return IMPINGE_ERROR_OPTION;
    const uint32_t found = impinge_query_path(contact, &checked, points_per_step, visitor, user);
    if (outcome) *outcome = found;
    return found & IMPINGE_OUTCOME_INVALID ? IMPINGE_SOME_INVALID : IMPINGE_OK;
}
