/* A step of particles, whole and in its parts. */
#include <impinge/particle_step.h>

#include "../solve/particle_step.h"
#include "call.h"

static bool is_size(real_t a) { return isfinite(a) && a < REAL(0x1p38) && a > -REAL(0x1p38); }

static impinge_status check_arrays(const NAME(impinge_particle_step) * s) {
    const NAME(impinge_contact_state) *const in = &s->state;
    const NAME(impinge_step_results) *const out = &s->results;
    const NAME(impinge_rolling_resistance) *const r = s->rolling_resistance;
    if (r && SOME_LACK(r->couple_x, r->couple_y, r->couple_z)) return IMPINGE_ERROR_NULL_POINTER;
    if (SOME_LACK(in->aim_x, in->aim_y, in->aim_z) ||
        SOME_LACK(in->impulse_x, in->impulse_y, in->impulse_z) ||
        SOME_LACK(in->normal_x, in->normal_y, in->normal_z) ||
        SOME_LACK(s->kick.each_x, s->kick.each_y, s->kick.each_z) ||
        SOME_LACK(out->impulse_x, out->impulse_y, out->impulse_z) ||
        SOME_LACK(out->impact_x, out->impact_y, out->impact_z) ||
        SOME_LACK(out->normal_x, out->normal_y, out->normal_z))
        return IMPINGE_ERROR_NULL_POINTER;
    return is_size(s->kick.x) && is_size(s->kick.y) && is_size(s->kick.z) ? IMPINGE_OK
                                                                          : IMPINGE_ERROR_ARGUMENT;
}

/* Makes the same checks as the calls on particles, by checking a call of no contacts. */
static impinge_status check_like_particles(const NAME(impinge_particle_step) * s) {
    const NAME(impinge_particle_results) nothing = {.outcome = NULL};
    NAME(impinge_particle_contacts) none = *s->contacts;
    none.count = 0;
    none.projection_factor = 0;
    if (!s->planes)
        return NAME(impinge_resolve_particle_pairs)(s->particles, &none, NULL, s->impact_options,
                                                    &nothing, NULL);
    return NAME(impinge_resolve_particle_planes)(s->particles, s->planes, &none, NULL,
                                                 s->impact_options, &nothing, NULL);
}

/* Checks a step; its options, complete, into *options. */
static impinge_status check_step(const NAME(impinge_particle_step) * s,
                                 impinge_step_options *options) {
    if (!s || !s->particles || !s->contacts || !s->options || !s->workspace)
        return IMPINGE_ERROR_NULL_POINTER;
    const NAME(impinge_particle_contacts) *const c = s->contacts;
    if (c->count > 0 && ANY_NULL(c->index_a, c->index_b)) return IMPINGE_ERROR_NULL_POINTER;
    const size_t planes = s->planes ? s->planes->count : 0;
    impinge_status status = impinge_check_count(c->count, sizeof(real_t));
    if (status != IMPINGE_OK) return status;
    if (NAME(impinge_particle_step_size)(s->particles->count, planes, c->count) == SIZE_MAX)
        return IMPINGE_ERROR_COUNT;
    status = check_like_particles(s);
    if (status != IMPINGE_OK) return status;
    if (s->impact_options && s->impact_options->restitution_above_one) return IMPINGE_ERROR_OPTION;
    status = impinge_check_step_options(s->options, (double)REAL_MAX, options);
    if (status == IMPINGE_OK) status = impinge_check_team(s->team);
    if (status == IMPINGE_OK && !particle_step_fits(s)) return IMPINGE_ERROR_COUNT;
    return status == IMPINGE_OK ? check_arrays(s) : status;
}

static impinge_status run(const NAME(impinge_particle_step) * step, step_parts_t parts,
                          impinge_step_report *report) {
    impinge_step_options options;
    impinge_status status = check_step(step, &options);
    if (status != IMPINGE_OK) return status;
    const impinge_target_entry *target;
    status = impinge_current_target(&target);
    if (status != IMPINGE_OK) return status;
    parts.positions &= !options.positions.skip;
    const size_t invalid = NAME(impinge_run_particle_step)(target->NAME(kernels)->particle_step,
                                                           step, &options, parts, report);
    return invalid > 0 ? IMPINGE_SOME_INVALID : IMPINGE_OK;
}

size_t NAME(impinge_step_particles_workspace)(size_t particles, size_t planes, size_t contacts) {
    return NAME(impinge_particle_step_size)(particles, planes, contacts);
}

impinge_status NAME(impinge_step_particles)(const NAME(impinge_particle_step) * step,
                                            impinge_step_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    return run(step, (step_parts_t){.impacts = true, .rest = true, .positions = true}, report);
}

impinge_status NAME(impinge_collide_particle_rounds)(const NAME(impinge_particle_step) * step,
                                                     impinge_step_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    return run(step, (step_parts_t){.impacts = true}, report);
}

impinge_status NAME(impinge_rest_particles)(const NAME(impinge_particle_step) * step,
                                            impinge_step_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    return run(step, (step_parts_t){.rest = true}, report);
}

impinge_status NAME(impinge_project_particle_positions)(const NAME(impinge_particle_step) * step,
                                                        impinge_step_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    return run(step, (step_parts_t){.positions = true}, report);
}
