/* Counts the impulses of each particle, for callers that add them up themselves. */
#include <impinge/particles.h>

#include "../kernels/columns.h"
#include "call.h"

static bool pushes(const NAME(impinge_particle_results) * r, size_t i) {
    real_t p[3];
    numbers_at(VECTOR_OF(AS_GIVEN, r, impulse), i, p);
    return p[0] != 0 || p[1] != 0 || p[2] != 0;
}

/* Immovable particles are not counted: they can gain no energy, so they need no share. */
static void count(const NAME(impinge_particles) * p, size_t i, uint32_t *counts) {
    if (number_at(COLUMN_OF(AS_GIVEN, p, inverse_mass), i) > 0) counts[i]++;
}

impinge_status NAME(impinge_count_impulses)(const NAME(impinge_particles) * particles,
                                            const NAME(impinge_particle_contacts) * contacts,
                                            bool planes,
                                            const NAME(impinge_particle_results) * results,
                                            uint32_t *counts) {
    FLOAT_ENVIRONMENT_OF_CALL;
    const NAME(impinge_particle_contacts) *const c = contacts;
    if (!particles || !c || !results) return IMPINGE_ERROR_NULL_POINTER;
    const impinge_status status = impinge_check_count(c->first, c->count, sizeof(real_t));
    if (status != IMPINGE_OK || c->count == 0 || particles->count == 0) return status;
    if (ANY_NULL(particles->inverse_mass, results->impulse_x, results->impulse_y,
                 results->impulse_z, counts) ||
        (!planes && ANY_NULL(c->index_a, c->index_b)))
        return IMPINGE_ERROR_NULL_POINTER;
    for (size_t i = c->first; i < c->first + c->count; i++) {
        const size_t a = c->index_a ? index_a_of(AS_GIVEN, c, i) : i;
        const size_t b = planes ? 0 : index_b_of(AS_GIVEN, c, i);
        if (!pushes(results, i) || a >= particles->count) continue;
        if (!planes && (b >= particles->count || b == a)) continue;
        count(particles, a, counts);
        if (!planes) count(particles, b, counts);
    }
    return IMPINGE_OK;
}
