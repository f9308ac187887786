/* A step of bodies, whole and in its parts, and the motion of bodies. */
#include <impinge/body_step.h>

#include <math.h>

#include "../solve/advance.h"
#include "../solve/body_step.h"
#include "../solve/fields.h"
#include "call.h"
#include "check_bodies.h"
#include "resolver.h"

static impinge_status check_poses(const NAME(impinge_poses) * p) {
    return SOME_LACK(p->position_x, p->position_y, p->position_z) ||
                   SOME_LACK(p->w, p->x, p->y, p->z)
               ? IMPINGE_ERROR_NULL_POINTER
               : IMPINGE_OK;
}

static impinge_status check_state(const NAME(impinge_body_step) * step) {
    const NAME(impinge_contact_state) *const s = &step->state;
    const NAME(impinge_kick) *const k = &step->kick;
    if (SOME_LACK(s->aim_x, s->aim_y, s->aim_z) ||
        SOME_LACK(s->impulse_x, s->impulse_y, s->impulse_z) ||
        SOME_LACK(s->normal_x, s->normal_y, s->normal_z) ||
        SOME_LACK(k->each_x, k->each_y, k->each_z) || !step->workspace)
        return IMPINGE_ERROR_NULL_POINTER;
    if (!isfinite(k->x) || !isfinite(k->y) || !isfinite(k->z)) return IMPINGE_ERROR_ARGUMENT;
    return check_poses(&step->poses);
}

/* Checks everything before the first write, and puts the complete options into *options. */
static impinge_status check_step(const NAME(impinge_body_step) * step,
                                 impinge_step_options *options) {
    if (!step || !step->bodies || !step->contacts || !step->options)
        return IMPINGE_ERROR_NULL_POINTER;
    if (step->bodies->count > STEP_BODIES_MAX || step->contacts->count > STEP_CONTACTS_MAX)
        return IMPINGE_ERROR_COUNT;
    impinge_status status = NAME(impinge_check_indexed)(step->bodies, step->contacts);
    if (status == IMPINGE_OK) status = check_state(step);
    if (status == IMPINGE_OK && !body_step_fits(step)) return IMPINGE_ERROR_COUNT;
    if (status == IMPINGE_OK) status = impinge_check_team(step->team);
    if (status == IMPINGE_OK)
        status = impinge_check_step_options(step->options, (double)REAL_MAX, options);
    if (status == IMPINGE_OK && step->impact_options && step->impact_options->restitution_above_one)
        status = IMPINGE_ERROR_OPTION;
    return status;
}

static impinge_status run(const NAME(impinge_body_step) * step, impinge_step_report *report,
                          body_parts_t does) {
    impinge_step_options options;
    impinge_status status = check_step(step, &options);
    if (status != IMPINGE_OK) return status;
    call_t call;
    status = call_begin(&call, NULL, step->contacts->count, step->impact_options);
    if (status != IMPINGE_OK) return status;
    const resolver_t by = resolver_of(&call);
    const impinge_target_entry *const scalar = &impinge_target_entries[IMPINGE_TARGET_COUNT - 1];
    const size_t invalid = NAME(impinge_run_body_step)(&by, scalar->NAME(kernels)->body_rest, step,
                                                       &options, does, report);
    return invalid > 0 ? IMPINGE_SOME_INVALID : IMPINGE_OK;
}

size_t NAME(impinge_step_bodies_workspace)(size_t contacts, size_t bodies) {
    return NAME(impinge_body_step_size)(contacts, bodies);
}

impinge_status NAME(impinge_step_bodies)(const NAME(impinge_body_step) * step,
                                         impinge_step_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    return run(step, report,
               (body_parts_t){.impacts = true, .kick = true, .rest = true, .places = true});
}

impinge_status NAME(impinge_collide_body_rounds)(const NAME(impinge_body_step) * step,
                                                 impinge_step_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    return run(step, report, (body_parts_t){.impacts = true});
}

impinge_status NAME(impinge_rest_bodies)(const NAME(impinge_body_step) * step,
                                         impinge_step_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    return run(step, report, (body_parts_t){.kick = true, .rest = true});
}

impinge_status NAME(impinge_project_body_positions)(const NAME(impinge_body_step) * step,
                                                    impinge_step_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    return run(step, report, (body_parts_t){.places = true});
}

impinge_status NAME(impinge_advance_bodies)(const NAME(impinge_bodies) * bodies,
                                            const NAME(impinge_poses) * poses, double time) {
    FLOAT_ENVIRONMENT_OF_CALL;
    FLOAT_FROM_CALLER(time);
    if (!bodies || !poses) return IMPINGE_ERROR_NULL_POINTER;
    if (bodies->count > IMPINGE_WORLD || !bodies_fit(bodies) || !poses_fit(poses, bodies->count))
        return IMPINGE_ERROR_COUNT;
    const impinge_status status = check_poses(poses);
    if (status != IMPINGE_OK) return status;
    if (!isfinite(time)) return IMPINGE_ERROR_ARGUMENT;
    const impinge_status oriented = NAME(impinge_check_orientation)(&bodies->orientation);
    if (oriented != IMPINGE_OK) return oriented;
    if (bodies->count == 0) return IMPINGE_OK;
    if (ANY_NULL(poses->position_x, bodies->velocity_x, bodies->velocity_y, bodies->velocity_z,
                 bodies->angular_velocity_x, bodies->angular_velocity_y,
                 bodies->angular_velocity_z))
        return IMPINGE_ERROR_NULL_POINTER;
    NAME(impinge_move_bodies)(bodies, poses, time);
    return IMPINGE_OK;
}
