/* Neighbours of particles, and the contacts among them. */
#include <impinge/neighbours.h>

#include <float.h>
#include <math.h>

#include "../solve/neighbours.h"
#include "call.h"

/* Makes the same checks as the calls on particles, by checking a call of no contacts. */
static impinge_status check_particles(const NAME(impinge_particles) * p,
                                      const NAME(impinge_planes) * planes) {
    const NAME(impinge_particle_results) nothing = {.outcome = NULL};
    const NAME(impinge_particle_contacts) none = {.count = 0};
    if (!p) return IMPINGE_ERROR_NULL_POINTER;
    if (p->count >= IMPINGE_NEIGHBOUR_PARTICLES_MAX ||
        (planes && planes->count >= IMPINGE_NEIGHBOUR_PARTICLES_MAX))
        return IMPINGE_ERROR_COUNT;
    return planes
               ? NAME(impinge_resolve_particle_planes)(p, planes, &none, NULL, NULL, &nothing, NULL)
               : NAME(impinge_resolve_particle_pairs)(p, &none, NULL, NULL, &nothing, NULL);
}

static impinge_status kernels_of(const NAME(impinge_neighbour_kernels) * *kernels) {
    const impinge_target_entry *target;
    const impinge_status status = impinge_current_target(&target);
    if (status != IMPINGE_OK) return status;
    *kernels = target->NAME(kernels)->neighbours;
    return IMPINGE_OK;
}

size_t NAME(impinge_find_neighbours_workspace)(size_t particles) {
    return NAME(impinge_neighbours_size)(particles);
}

impinge_status NAME(impinge_find_neighbours)(const NAME(impinge_particles) * particles,
                                             const NAME(impinge_planes) * planes,
                                             const impinge_neighbour_options *options,
                                             void *workspace, const impinge_team *team,
                                             impinge_neighbours *list) {
    FLOAT_ENVIRONMENT_OF_CALL;
    const impinge_neighbour_options o = options ? *options : (impinge_neighbour_options){0};
    impinge_status status = check_particles(particles, planes);
    if (status != IMPINGE_OK) return status;
    if (!workspace || !list || !list->starts || (list->capacity > 0 && !list->index))
        return IMPINGE_ERROR_NULL_POINTER;
    if (list->capacity > UINT32_MAX) return IMPINGE_ERROR_COUNT;
    status = impinge_check_team(team);
    if (status != IMPINGE_OK) return status;
    if (!(o.skin >= 0 && isfinite(o.skin))) return IMPINGE_ERROR_OPTION;
    status = impinge_check_reserved(o.reserved, RESERVED(o));
    if (status != IMPINGE_OK) return status;
    const NAME(impinge_neighbour_kernels) * kernels;
    status = kernels_of(&kernels);
    if (status != IMPINGE_OK) return status;
    const bool fits =
        NAME(impinge_search_neighbours)(kernels, particles, planes, &o, workspace, team, list);
    return fits ? IMPINGE_OK : IMPINGE_ERROR_COUNT;
}

/* Of a power of two, with room for another factor and the sum of three squares. */
enum { EXPONENT_MOST = 1000 };

bool NAME(impinge_particles_moved)(const NAME(impinge_particles) * particles, const real_t *x,
                                   const real_t *y, const real_t *z, size_t stride,
                                   double distance) {
    FLOAT_ENVIRONMENT_OF_CALL;
    FLOAT_FROM_CALLER(distance);
    /* A power of two that keeps squares in range. Where it is cut off, that suffices. */
    int exponent;
    distance = fmin(distance, DBL_MAX);
    (void)frexp(distance, &exponent);
    exponent = distance == 0 ? EXPONENT_MOST : -exponent;
    exponent = exponent > EXPONENT_MOST ? EXPONENT_MOST : exponent;
    const double scale = ldexp(1, exponent < -EXPONENT_MOST ? -EXPONENT_MOST : exponent);
    const double most = distance * scale * (distance * scale);
    const double period[3] = {(double)particles->period_x, (double)particles->period_y,
                              (double)particles->period_z};
    const bool periodic = period[0] > 0 || period[1] > 0 || period[2] > 0;
    const bool strided = is_strided(stride) || is_strided(particles->position_stride);
    bool moved = false;
    for (size_t i = 0; i < particles->count && !(periodic || strided); i++) {
        /* The loop has no early exit, so that compilers vectorize it. */
        const double d[3] = {((double)particles->position_x[i] - (double)x[i]) * scale,
                             ((double)particles->position_y[i] - (double)y[i]) * scale,
                             ((double)particles->position_z[i] - (double)z[i]) * scale};
        moved |= !(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= most);
    }
    for (size_t i = 0; i < particles->count && (periodic || strided); i++) {
        real_t is[3], was[3];
        double d[3];
        numbers_at(VECTOR_OF(AS_GIVEN, particles, position), i, is);
        numbers_at(stride_of(AS_GIVEN, stride), x, y, z, i, was);
        for (size_t k = 0; k < 3; k++) {
            d[k] = (double)is[k] - (double)was[k];
            if (period[k] > 0) d[k] -= period[k] * rint(d[k] / period[k]);
            d[k] *= scale;
        }
        moved |= !(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] <= most);
    }
    return moved;
}

impinge_status NAME(impinge_find_particle_contacts)(const NAME(impinge_particles) * particles,
                                                    const NAME(impinge_planes) * planes,
                                                    const impinge_neighbours *list, double margin,
                                                    const impinge_team *team,
                                                    impinge_found_contacts *contacts) {
    FLOAT_ENVIRONMENT_OF_CALL;
    FLOAT_FROM_CALLER(margin);
    impinge_status status = check_particles(particles, planes);
    if (status != IMPINGE_OK) return status;
    if (!list || !contacts || !list->starts || (list->count > 0 && !list->index) ||
        (contacts->capacity > 0 && ANY_NULL(contacts->index_a, contacts->index_b)))
        return IMPINGE_ERROR_NULL_POINTER;
    if (contacts->capacity >= IMPINGE_NEIGHBOUR_PARTICLES_MAX) return IMPINGE_ERROR_COUNT;
    status = impinge_check_team(team);
    if (status != IMPINGE_OK) return status;
    if (!isfinite(margin)) return IMPINGE_ERROR_ARGUMENT;
    const NAME(impinge_neighbour_kernels) * kernels;
    status = kernels_of(&kernels);
    if (status != IMPINGE_OK) return status;
    const bool fits =
        NAME(impinge_search_contacts)(kernels, particles, planes, list, margin, team, contacts);
    return fits ? IMPINGE_OK : IMPINGE_ERROR_COUNT;
}
