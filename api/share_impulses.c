/*
 * Impulses that saw the same velocities, shared so that their sum adds no energy. With each of them
 * times a factor f <= 1/n of both of its particles, n the number of a particle's contacts, Jensen's
 * inequality gives |sum f p|^2 <= sum f |p|^2 for a particle, linear and angular alike; so the
 * energy changes by no more than sum f (p.u_0 + 1/2 p.K p), and no term of this is positive.
 */
#include <impinge/particle_step.h>

#include "call.h"

typedef NAME(impinge_particle_contacts) contacts_t;
typedef NAME(impinge_particle_results) results_t;

static impinge_status check(const contacts_t *c, bool planes, const results_t *r, size_t particles,
                            const uint32_t *counts) {
    if (!c || !r || (particles > 0 && !counts)) return IMPINGE_ERROR_NULL_POINTER;
    const impinge_status status = impinge_check_count(c->first, c->count, sizeof(real_t));
    if (status != IMPINGE_OK || c->count == 0) return status;
    if (ANY_NULL(r->impulse_x, r->impulse_y, r->impulse_z)) return IMPINGE_ERROR_NULL_POINTER;
    return !planes && ANY_NULL(c->index_a, c->index_b) ? IMPINGE_ERROR_NULL_POINTER : IMPINGE_OK;
}

/* The particles of a contact. Returns how many there are; 0 if an index is none. */
static size_t particles_of(const contacts_t *c, bool planes, size_t i, size_t particles,
                           size_t of[2]) {
    of[0] = c->index_a ? c->index_a[i] : i;
    of[1] = planes ? of[0] : c->index_b[i];
    if (of[0] >= particles || of[1] >= particles || (!planes && of[0] == of[1])) return 0;
    return planes ? 1 : 2;
}

static bool pushes(const results_t *r, size_t i) {
    return r->impulse_x[i] != 0 || r->impulse_y[i] != 0 || r->impulse_z[i] != 0 ||
           (r->projection && r->projection[i] != 0);
}

impinge_status NAME(impinge_count_impulses)(const NAME(impinge_particle_contacts) * contacts,
                                            bool planes,
                                            const NAME(impinge_particle_results) * results,
                                            size_t particles, uint32_t *counts) {
    FLOAT_ENVIRONMENT_OF_CALL;
    const impinge_status status = check(contacts, planes, results, particles, counts);
    if (status != IMPINGE_OK) return status;
    for (size_t i = contacts->first; i < contacts->first + contacts->count; i++) {
        size_t of[2];
        if (!pushes(results, i)) continue;
        for (size_t k = particles_of(contacts, planes, i, particles, of); k > 0; k--)
            counts[of[k - 1]]++;
    }
    return IMPINGE_OK;
}

impinge_status NAME(impinge_share_impulses)(const NAME(impinge_particle_contacts) * contacts,
                                            bool planes,
                                            const NAME(impinge_particle_results) * results,
                                            size_t particles, const uint32_t *counts,
                                            size_t *shared) {
    FLOAT_ENVIRONMENT_OF_CALL;
    const impinge_status status = check(contacts, planes, results, particles, counts);
    if (status != IMPINGE_OK) return status;
    size_t found = 0;
    for (size_t i = contacts->first; i < contacts->first + contacts->count; i++) {
        size_t of[2];
        uint32_t most = 1;
        if (!pushes(results, i)) continue;
        for (size_t k = particles_of(contacts, planes, i, particles, of); k > 0; k--)
            most = counts[of[k - 1]] > most ? counts[of[k - 1]] : most;
        if (most == 1) continue;
        const real_t part = (real_t)most;
        results->impulse_x[i] /= part;
        results->impulse_y[i] /= part;
        results->impulse_z[i] /= part;
        if (results->projection) results->projection[i] /= part;
        found++;
    }
    if (shared) *shared = found;
    return IMPINGE_OK;
}
