/* Contacts of particles. */
#include <impinge/particle_rows.h>

#include <math.h>

#include "../solve/solve.h"
#include "call.h"
#include "check_model.h"

static bool lacks_particles(const NAME(impinge_particles) * p) {
    return ANY_NULL(p->radius, p->inverse_mass, p->position_x, p->position_y, p->position_z,
                    p->velocity_x, p->velocity_y, p->velocity_z);
}

static bool lacks_planes(const NAME(impinge_planes) * p) {
    return ANY_NULL(p->normal_x, p->normal_y, p->normal_z, p->offset);
}

static bool is_period(real_t period) { return period >= 0 && isfinite(period); }

static impinge_status check_particles(const NAME(impinge_particles) * p) {
    if (p->count > 0 && lacks_particles(p)) return IMPINGE_ERROR_NULL_POINTER;
    if (SOME_LACK(p->angular_velocity_x, p->angular_velocity_y, p->angular_velocity_z))
        return IMPINGE_ERROR_NULL_POINTER;
    const bool periods = is_period(p->period_x) && is_period(p->period_y) && is_period(p->period_z);
    return periods ? IMPINGE_OK : IMPINGE_ERROR_ARGUMENT;
}

static impinge_status check_planes(const NAME(impinge_planes) * p) {
    if (p->count > 0 && lacks_planes(p)) return IMPINGE_ERROR_NULL_POINTER;
    return SOME_LACK(p->velocity_x, p->velocity_y, p->velocity_z) ? IMPINGE_ERROR_NULL_POINTER
                                                                  : IMPINGE_OK;
}

static impinge_status check_contacts(const NAME(impinge_particle_contacts) * c) {
    if (!(c->projection_factor >= 0 && c->projection_factor <= 1)) return IMPINGE_ERROR_ARGUMENT;
    return c->coefficients.model ? NAME(impinge_check_restitution)(c->coefficients.model)
                                 : IMPINGE_OK;
}

static impinge_status particles_begin(call_t *call, const NAME(impinge_particles) * particles,
                                      const NAME(impinge_particle_contacts) * contacts,
                                      const impinge_selection *selection,
                                      const impinge_options *options) {
    impinge_status status = call_begin(call, selection, contacts->count, options);
    if (status != IMPINGE_OK) return status;
    if (!law_has(call->options.law, IMPINGE_LAW_RESOLVES_PARTICLES)) return IMPINGE_ERROR_OPTION;
    status = impinge_check_count(particles->count, sizeof(real_t));
    if (status == IMPINGE_OK && !(particles_fit(particles) && particle_contacts_fit(contacts)))
        return IMPINGE_ERROR_COUNT;
    if (status == IMPINGE_OK) status = check_particles(particles);
    if (status == IMPINGE_OK) status = check_contacts(contacts);
    if (status != IMPINGE_OK) return status;
    const NAME(impinge_restitution) *const model = contacts->coefficients.model;
    const bool viscoelastic = model && model->kind == IMPINGE_RESTITUTION_VISCOELASTIC;
    return viscoelastic && !impinge_target_has_pow(call->target) ? IMPINGE_ERROR_UNAVAILABLE
                                                                 : IMPINGE_OK;
}

impinge_status NAME(impinge_resolve_particle_pairs)(
    const NAME(impinge_particles) * particles, const NAME(impinge_particle_contacts) * contacts,
    const impinge_selection *selection, const impinge_options *options,
    const NAME(impinge_particle_results) * results, impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!particles || !contacts || !results) return IMPINGE_ERROR_NULL_POINTER;
    if (contacts->count > 0 && ANY_NULL(contacts->index_a, contacts->index_b))
        return IMPINGE_ERROR_NULL_POINTER;
    call_t call;
    const impinge_status status = particles_begin(&call, particles, contacts, selection, options);
    if (status != IMPINGE_OK) return status;
    if (!particle_results_fit(results, contacts->count)) return IMPINGE_ERROR_COUNT;
    call_kernels_for(&call, IMPINGE_CALL_GATHER, call.selected.count)
        ->particles->resolve_pairs(particles, contacts, call.selected, &call.options, results,
                                   &call.report);
    return call_end(&call, report);
}

impinge_status NAME(impinge_resolve_particle_planes)(
    const NAME(impinge_particles) * particles, const NAME(impinge_planes) * planes,
    const NAME(impinge_particle_contacts) * contacts, const impinge_selection *selection,
    const impinge_options *options, const NAME(impinge_particle_results) * results,
    impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!particles || !planes || !contacts || !results) return IMPINGE_ERROR_NULL_POINTER;
    call_t call;
    impinge_status status = particles_begin(&call, particles, contacts, selection, options);
    if (status == IMPINGE_OK) status = impinge_check_count(planes->count, sizeof(real_t));
    if (status == IMPINGE_OK) status = check_planes(planes);
    if (status != IMPINGE_OK) return status;
    if (!planes_fit(planes) || !particle_results_fit(results, contacts->count))
        return IMPINGE_ERROR_COUNT;
    call.kernels->particles->resolve_planes(particles, planes, contacts, call.selected,
                                            &call.options, results, &call.report);
    return call_end(&call, report);
}

size_t NAME(impinge_collide_particle_pairs_workspace)(size_t particles) {
    const size_t row = 2 * (size_t)IMPINGE_PARTICLE_ROW * sizeof(real_t) + sizeof(uint32_t);
    const size_t spare = IMPINGE_ROWS_SPARE;
    /* Indices are 32 bit. */
    if (particles > UINT32_MAX || particles > SIZE_MAX / row - 2 * spare) return SIZE_MAX;
    return (particles + spare) / spare * spare * row + IMPINGE_CACHE_LINE;
}

impinge_status NAME(impinge_collide_particle_pairs)(const NAME(impinge_particles) * particles,
                                                    const NAME(impinge_particle_contacts) *
                                                        contacts,
                                                    const impinge_selection *selection,
                                                    const impinge_options *options, void *workspace,
                                                    impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!particles || !contacts || !workspace) return IMPINGE_ERROR_NULL_POINTER;
    if (contacts->count > 0 && ANY_NULL(contacts->index_a, contacts->index_b))
        return IMPINGE_ERROR_NULL_POINTER;
    call_t call;
    const impinge_status status = particles_begin(&call, particles, contacts, selection, options);
    if (status != IMPINGE_OK) return status;
    const size_t size = NAME(impinge_collide_particle_pairs_workspace)(particles->count);
    if (size == SIZE_MAX) return IMPINGE_ERROR_COUNT;
    const pair_kernels_t kernels = {
        call.kernels->particles,
        call_kernels_for(&call, IMPINGE_CALL_GATHER, call.selected.count)->particles,
        call.target->kernels_f32->particles};
    const NAME(impinge_particle_results) nothing = {.outcome = NULL};
    bool fits = true;
    if (particles->count == 0) /* then no index is valid */
        kernels.columns->resolve_pairs(particles, contacts, call.selected, &call.options, &nothing,
                                       &call.report);
    else
        fits = NAME(impinge_collide_pairs)(&kernels, particles, contacts, call.selected,
                                           &call.options, workspace, size, &call.report);
    const impinge_status ended = call_end(&call, report);
    return fits ? ended : IMPINGE_SOME_INVALID;
}

/* Impulses are added up only if the number that each particle gets is given, or is one. */
static bool lacks_sharing(const NAME(impinge_particle_contacts) * c) {
    return !c->independent && !c->sharing;
}

static impinge_status check_apply(const NAME(impinge_particles) * p,
                                  const NAME(impinge_particle_contacts) * c,
                                  const NAME(impinge_particle_results) * r) {
    impinge_status status = impinge_check_count(c->count, sizeof(real_t));
    if (status == IMPINGE_OK) status = impinge_check_count(p->count, sizeof(real_t));
    if (status != IMPINGE_OK || p->count == 0 || c->count == 0) return status;
    if (!particles_fit(p) || !particle_contacts_fit(c) || !particle_results_fit(r, c->count))
        return IMPINGE_ERROR_COUNT;
    const bool spheres = p->angular_velocity_x || p->angular_velocity_y || p->angular_velocity_z;
    if (lacks_particles(p) ||
        SOME_LACK(p->angular_velocity_x, p->angular_velocity_y, p->angular_velocity_z) ||
        ANY_NULL(r->impulse_x, r->impulse_y, r->impulse_z))
        return IMPINGE_ERROR_NULL_POINTER;
    if ((spheres || r->projection) && ANY_NULL(r->normal_x, r->normal_y, r->normal_z))
        return IMPINGE_ERROR_NULL_POINTER;
    return lacks_sharing(c) ? IMPINGE_ERROR_NULL_POINTER : IMPINGE_OK;
}

typedef bool push(const NAME(impinge_particles) *, selected_t changed,
                  const NAME(impinge_particle_contacts) *, selected_t selected,
                  const NAME(impinge_particle_results) *);

static impinge_status
apply(const NAME(impinge_particles) * particles, const impinge_selection *changed,
      const NAME(impinge_particle_contacts) * contacts, const impinge_selection *selection,
      const NAME(impinge_particle_results) * results, bool planes, push *push_these) {
    if (!particles || !contacts || !results) return IMPINGE_ERROR_NULL_POINTER;
    impinge_status status = check_apply(particles, contacts, results);
    if (status != IMPINGE_OK) return status;
    if (!planes && contacts->count > 0 && ANY_NULL(contacts->index_a, contacts->index_b))
        return IMPINGE_ERROR_NULL_POINTER;
    selected_t to, selected;
    status = impinge_check_selection(changed, particles->count, &to);
    if (status == IMPINGE_OK)
        status = impinge_check_selection(selection, contacts->count, &selected);
    if (status != IMPINGE_OK) return status;
    const bool fits =
        particles->count == 0 || push_these(particles, to, contacts, selected, results);
    return fits ? IMPINGE_OK : IMPINGE_SOME_INVALID;
}

impinge_status NAME(impinge_apply_particle_pairs)(const NAME(impinge_particles) * particles,
                                                  const impinge_selection *changed,
                                                  const NAME(impinge_particle_contacts) * contacts,
                                                  const impinge_selection *selection,
                                                  const NAME(impinge_particle_results) * results) {
    FLOAT_ENVIRONMENT_OF_CALL;
    return apply(particles, changed, contacts, selection, results, false, NAME(impinge_push_pairs));
}

impinge_status NAME(impinge_apply_particle_planes)(const NAME(impinge_particles) * particles,
                                                   const impinge_selection *changed,
                                                   const NAME(impinge_particle_contacts) * contacts,
                                                   const impinge_selection *selection,
                                                   const NAME(impinge_particle_results) * results) {
    FLOAT_ENVIRONMENT_OF_CALL;
    return apply(particles, changed, contacts, selection, results, true,
                 NAME(impinge_push_from_planes));
}

/* ---- Rows that the caller keeps ---- */

/* The selected rows of `rows` that there are. */
static impinge_status rows_begin(const impinge_selection *selection, size_t rows,
                                 selected_t *selected, const impinge_target_entry **target) {
    impinge_status status = impinge_check_count(rows, 8 * sizeof(real_t));
    if (status == IMPINGE_OK) status = impinge_check_selection(selection, rows, selected);
    return status == IMPINGE_OK ? impinge_current_target(target) : status;
}

/* True if rows, columns or, for rows with spins, angular velocities are missing. */
static bool lacks_columns(const NAME(impinge_particles) * p,
                          const NAME(impinge_particle_rows) * rows) {
    return !rows->motion || lacks_particles(p) ||
           (rows->spin &&
            ANY_NULL(p->angular_velocity_x, p->angular_velocity_y, p->angular_velocity_z));
}

/* Rows and columns that are copied to each other, of `count` that there are. */
static impinge_status copy_begin(const NAME(impinge_particles) * particles,
                                 const NAME(impinge_particle_rows) * rows,
                                 const impinge_selection *selection, size_t count,
                                 selected_t *selected, const impinge_target_entry **target) {
    const impinge_status status = rows_begin(selection, count, selected, target);
    if (status != IMPINGE_OK) return status;
    if (!particles_fit_of(particles, count)) return IMPINGE_ERROR_COUNT;
    return selected->count > 0 && lacks_columns(particles, rows) ? IMPINGE_ERROR_NULL_POINTER
                                                                 : IMPINGE_OK;
}

impinge_status NAME(impinge_pack_particle_rows)(const NAME(impinge_particles) * particles,
                                                const impinge_selection *selection,
                                                const NAME(impinge_particle_rows) * rows) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!particles || !rows) return IMPINGE_ERROR_NULL_POINTER;
    const impinge_target_entry *target;
    selected_t s;
    const impinge_status status =
        copy_begin(particles, rows, selection, particles->count, &s, &target);
    if (status != IMPINGE_OK) return status;
    target->NAME(kernels)->particles->pack_rows(particles, rows, s.first, s.count);
    return IMPINGE_OK;
}

impinge_status NAME(impinge_unpack_particle_rows)(const NAME(impinge_particle_rows) * rows,
                                                  const impinge_selection *selection,
                                                  const NAME(impinge_particles) * particles) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!particles || !rows) return IMPINGE_ERROR_NULL_POINTER;
    const impinge_target_entry *target;
    selected_t s;
    const impinge_status status = copy_begin(particles, rows, selection, rows->count, &s, &target);
    if (status != IMPINGE_OK) return status;
    target->NAME(kernels)->particles->unpack_rows(rows, particles, s.first, s.count);
    return IMPINGE_OK;
}

static bool lacks_rows(const NAME(impinge_particle_rows) * rows,
                       const NAME(impinge_particle_sums) * sums) {
    return !rows->motion || !sums->push || (rows->spin && !sums->moment);
}

/* The lists from which contacts come: those of particles `row`, row + 1, ... `starts` null: none.
 */
typedef struct listed {
    const uint32_t *starts;
    size_t row;
} listed_t;

/* Collides rows: into sums or, without any, only counts impulses. */
static impinge_status collide_any_rows(const NAME(impinge_particle_rows) * rows,
                                       const NAME(impinge_particle_contacts) * contacts,
                                       const impinge_selection *selection, listed_t lists,
                                       const impinge_options *options,
                                       const NAME(impinge_particle_sums) * sums, uint32_t *counts,
                                       impinge_report *report) {
    if (rows->count > UINT32_MAX) return IMPINGE_ERROR_COUNT;
    /* Makes the checks of columns on a set of no particles. */
    const NAME(impinge_particles)
        none = {.period_x = rows->period_x, .period_y = rows->period_y, .period_z = rows->period_z};
    call_t call;
    impinge_status status = particles_begin(&call, &none, contacts, selection, options);
    if (status == IMPINGE_OK) status = impinge_check_count(rows->count, 8 * sizeof(real_t));
    if (status != IMPINGE_OK) return status;
    const NAME(impinge_particle_kernels) *const kernels = call.kernels->particles;
    const NAME(impinge_particle_results) nothing = {.outcome = NULL};
    bool fits = true;
    if (rows->count == 0) /* then no index is valid */
        kernels->resolve_pairs(&none, contacts, call.selected, &call.options, &nothing,
                               &call.report);
    else
        fits = kernels->collide_rows(rows, contacts, call.selected, lists.starts, lists.row,
                                     &call.options, sums, counts, &call.report);
    const impinge_status ended = call_end(&call, report);
    return fits ? ended : IMPINGE_SOME_INVALID;
}

static impinge_status collide_rows(const NAME(impinge_particle_rows) * rows,
                                   const NAME(impinge_particle_contacts) * contacts,
                                   const impinge_selection *selection,
                                   const impinge_options *options,
                                   const NAME(impinge_particle_sums) * sums, uint32_t *counts,
                                   impinge_report *report) {
    if (contacts->count > 0 && ANY_NULL(contacts->index_a, contacts->index_b))
        return IMPINGE_ERROR_NULL_POINTER;
    const listed_t none = {NULL, 0};
    return collide_any_rows(rows, contacts, selection, none, options, sums, counts, report);
}

/* Checks the lists of these particles, the only ones that will be read. */
static impinge_status check_lists(const impinge_neighbours *lists, selected_t of) {
    if (of.count == 0) return IMPINGE_OK;
    const uint32_t *const starts = lists->starts;
    if (!starts || (lists->count > 0 && !lists->index)) return IMPINGE_ERROR_NULL_POINTER;
    bool ascend = starts[of.first + of.count] <= lists->count;
    for (size_t i = of.first; i < of.first + of.count; i++)
        ascend &= starts[i] <= starts[i + 1];
    return ascend ? IMPINGE_OK : IMPINGE_ERROR_ARGUMENT;
}

/* Collides each of some particles with those in its list. */
static impinge_status collide_lists(const NAME(impinge_particle_rows) * rows, selected_t of,
                                    const impinge_neighbours *lists,
                                    const NAME(impinge_particle_contacts) * contacts,
                                    const impinge_options *options,
                                    const NAME(impinge_particle_sums) * sums, uint32_t *counts,
                                    impinge_report *report) {
    const impinge_status status = check_lists(lists, of);
    if (status != IMPINGE_OK) return status;
    NAME(impinge_particle_contacts) listed = *contacts;
    impinge_selection selection = {0, 0, NULL};
    if (of.count > 0) {
        selection.first = lists->starts[of.first];
        selection.count = lists->starts[of.first + of.count] - selection.first;
    }
    listed.count = selection.first + selection.count;
    listed.index_a = NULL;
    listed.index_b = lists->index;
    listed.index_stride = 1;
    const listed_t from = {lists->starts, of.first};
    return collide_any_rows(rows, &listed, &selection, from, options, sums, counts, report);
}

impinge_status NAME(impinge_collide_particle_rows)(const NAME(impinge_particle_rows) * rows,
                                                   const NAME(impinge_particle_contacts) * contacts,
                                                   const impinge_selection *selection,
                                                   const impinge_options *options,
                                                   const NAME(impinge_particle_sums) * sums,
                                                   impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!rows || !contacts || !sums) return IMPINGE_ERROR_NULL_POINTER;
    if (rows->count > 0 && lacks_rows(rows, sums)) return IMPINGE_ERROR_NULL_POINTER;
    if (contacts->count > 0 && lacks_sharing(contacts)) return IMPINGE_ERROR_NULL_POINTER;
    return collide_rows(rows, contacts, selection, options, sums, NULL, report);
}

impinge_status NAME(impinge_count_particle_rows)(const NAME(impinge_particle_rows) * rows,
                                                 const NAME(impinge_particle_contacts) * contacts,
                                                 const impinge_selection *selection,
                                                 const impinge_options *options, uint32_t *counts,
                                                 impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!rows || !contacts) return IMPINGE_ERROR_NULL_POINTER;
    if (rows->count > 0 && ANY_NULL(rows->motion, counts)) return IMPINGE_ERROR_NULL_POINTER;
    return collide_rows(rows, contacts, selection, options, NULL, counts, report);
}

impinge_status NAME(impinge_collide_particle_lists)(
    const NAME(impinge_particle_rows) * rows, const impinge_selection *selection,
    const impinge_neighbours *lists, const NAME(impinge_particle_contacts) * contacts,
    const impinge_options *options, const NAME(impinge_particle_sums) * sums,
    impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!rows || !lists || !contacts || !sums) return IMPINGE_ERROR_NULL_POINTER;
    if (rows->count > 0 && lacks_rows(rows, sums)) return IMPINGE_ERROR_NULL_POINTER;
    selected_t of;
    const impinge_status status = impinge_check_selection(selection, rows->count, &of);
    if (status != IMPINGE_OK) return status;
    if (of.count > 0 && lacks_sharing(contacts)) return IMPINGE_ERROR_NULL_POINTER;
    return collide_lists(rows, of, lists, contacts, options, sums, NULL, report);
}

impinge_status NAME(impinge_count_particle_lists)(const NAME(impinge_particle_rows) * rows,
                                                  const impinge_selection *selection,
                                                  const impinge_neighbours *lists,
                                                  const NAME(impinge_particle_contacts) * contacts,
                                                  const impinge_options *options, uint32_t *counts,
                                                  impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!rows || !lists || !contacts) return IMPINGE_ERROR_NULL_POINTER;
    if (rows->count > 0 && ANY_NULL(rows->motion, counts)) return IMPINGE_ERROR_NULL_POINTER;
    selected_t of;
    const impinge_status status = impinge_check_selection(selection, rows->count, &of);
    if (status != IMPINGE_OK) return status;
    return collide_lists(rows, of, lists, contacts, options, NULL, counts, report);
}

impinge_status NAME(impinge_apply_particle_sums)(const NAME(impinge_particle_rows) * rows,
                                                 const impinge_selection *selection,
                                                 const NAME(impinge_particle_sums) * sums) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!rows || !sums) return IMPINGE_ERROR_NULL_POINTER;
    const impinge_target_entry *target;
    selected_t s;
    const impinge_status status = rows_begin(selection, rows->count, &s, &target);
    if (status != IMPINGE_OK) return status;
    if (s.count > 0 && lacks_rows(rows, sums)) return IMPINGE_ERROR_NULL_POINTER;
    return target->NAME(kernels)->particles->apply_sums(rows, sums, s.first, s.count)
               ? IMPINGE_OK
               : IMPINGE_SOME_INVALID;
}
