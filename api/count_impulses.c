/* Counts the impulses of each particle, for callers that add them up themselves. */
#include <impinge/particles.h>

#include "../solve/solve.h"
#include "call.h"

impinge_status NAME(impinge_count_impulses)(const NAME(impinge_particles) * particles,
                                            const NAME(impinge_particle_contacts) * contacts,
                                            const impinge_selection *selection, bool planes,
                                            const NAME(impinge_particle_results) * results,
                                            uint32_t *counts) {
    FLOAT_ENVIRONMENT_OF_CALL;
    const NAME(impinge_particle_contacts) *const c = contacts;
    if (!particles || !c || !results) return IMPINGE_ERROR_NULL_POINTER;
    impinge_status status = impinge_check_count(c->count, sizeof(real_t));
    if (status != IMPINGE_OK) return status;
    selected_t selected;
    status = impinge_check_selection(selection, c->count, &selected);
    if (status != IMPINGE_OK || c->count == 0 || particles->count == 0) return status;
    if (ANY_NULL(particles->inverse_mass, results->impulse_x, results->impulse_y,
                 results->impulse_z, counts) ||
        (!planes && ANY_NULL(c->index_a, c->index_b)))
        return IMPINGE_ERROR_NULL_POINTER;
    if (!particles_fit(particles) || !particle_contacts_fit(c) ||
        !particle_results_fit(results, c->count))
        return IMPINGE_ERROR_COUNT;
    NAME(impinge_count_pushes)(particles, contacts, selected, planes, results, counts);
    return IMPINGE_OK;
}
