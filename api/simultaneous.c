/* Simultaneous contacts: sweeps over colours, and sequences of collisions in islands. */
#include <impinge/simultaneous.h>

#include <math.h>

#include "../solve/graph.h"
#include "../solve/solve.h"
#include "call.h"
#include "check_bodies.h"
#include "resolver.h"

#define SWEEPS_DEFAULT 100

/* Velocities that are equal by symmetry come out of some ten operations each. */
#define TIE_UNITS 64

static bool is_below(double x, double end) { return x >= 0 && x < end; }

/* ---- Sweeps ---- */

static bool are_colours(const impinge_contact_groups *c, size_t contacts) {
    if (c->count > IMPINGE_COLOURS_MAX || c->starts[0] != 0 || c->starts[c->count] > contacts)
        return false;
    for (size_t k = 0; k < c->count; k++)
        if (c->starts[k] > c->starts[k + 1]) return false;
    return true;
}

static impinge_status check_sweeps(const sweeps_t *s) {
    const impinge_contact_groups *const c = s->colours;
    const impinge_status status = NAME(impinge_check_indexed)(s->bodies, s->contacts);
    if (status != IMPINGE_OK) return status;
    if (!c || !s->results || !c->starts || (s->contacts->count > 0 && !c->order))
        return IMPINGE_ERROR_NULL_POINTER;
    if (!indexed_results_fit(s->results, s->contacts->count)) return IMPINGE_ERROR_COUNT;
    if (!are_colours(c, s->contacts->count)) return IMPINGE_ERROR_ARGUMENT;
    if (!is_below(s->options.rest_speed, (double)INFINITY)) return IMPINGE_ERROR_OPTION;
    return impinge_check_reserved(s->options.reserved, RESERVED(s->options));
}

impinge_status NAME(impinge_sweep)(const NAME(impinge_bodies) * bodies,
                                   const NAME(impinge_indexed_contacts) * contacts,
                                   const impinge_contact_groups *colours,
                                   const impinge_options *options,
                                   const impinge_sweep_options *sweep,
                                   const NAME(impinge_indexed_results) * results,
                                   impinge_sweep_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    sweeps_t s = {.bodies = bodies,
                  .contacts = contacts,
                  .colours = colours,
                  .options = sweep ? *sweep : (impinge_sweep_options){0},
                  .results = results};
    if (s.options.sweeps_max == 0) s.options.sweeps_max = SWEEPS_DEFAULT;
    impinge_status status = check_sweeps(&s);
    if (status != IMPINGE_OK) return status;
    call_t call;
    status = call_begin(&call, NULL, contacts->count, options);
    if (status != IMPINGE_OK) return status;
    const resolver_t by = resolver_of(&call);
    NAME(impinge_run_sweeps)(&by, &s, report);
    return call_end(&call, NULL);
}

/* ---- Sequences ---- */

static impinge_status check_sequence(const impinge_sequence_options *o) {
    const bool ranges = is_below(o->energy_fraction, 1) && is_below(o->tie_tolerance, 1) &&
                        is_below(o->rest_speed, (double)INFINITY);
    const bool tie = o->tie == IMPINGE_TIE_BY_INDEX || o->tie == IMPINGE_TIE_DRAWN;
    if (!ranges || !tie) return IMPINGE_ERROR_OPTION;
    return impinge_check_reserved(o->reserved, RESERVED(*o));
}

/* True if the islands are in order, and their contacts' numbers in range. */
static bool are_islands(const impinge_contact_groups *islands, selected_t selected,
                        size_t contacts) {
    const size_t first = selected.first, count = selected.count;
    for (size_t i = first; i < first + count; i++)
        if (islands->starts[i] > islands->starts[i + 1]) return false;
    if (count == 0) return true;
    if (islands->starts[first + count] > contacts) return false;
    for (size_t p = islands->starts[first]; p < islands->starts[first + count]; p++)
        if (islands->order[p] >= contacts) return false;
    return true;
}

static impinge_status check_sequences(sequences_t *s, const impinge_selection *selection) {
    const impinge_contact_groups *const islands = s->islands;
    impinge_status status = NAME(impinge_check_indexed)(s->bodies, s->contacts);
    if (status != IMPINGE_OK) return status;
    if (!islands || !s->results || !s->workspace) return IMPINGE_ERROR_NULL_POINTER;
    status = impinge_check_selection(selection, islands->count, &s->selected);
    if (status != IMPINGE_OK) return status;
    if (s->selected.count > 0 && (!islands->order || !islands->starts))
        return IMPINGE_ERROR_NULL_POINTER;
    if (s->contacts->count > CONTACTS_MAX / 2) return IMPINGE_ERROR_COUNT;
    if (!indexed_results_fit(s->results, s->contacts->count)) return IMPINGE_ERROR_COUNT;
    status = check_sequence(&s->options);
    if (status != IMPINGE_OK) return status;
    return are_islands(islands, s->selected, s->contacts->count) ? IMPINGE_OK
                                                                 : IMPINGE_ERROR_ARGUMENT;
}

size_t NAME(impinge_resolve_sequence_workspace)(size_t contacts, size_t bodies) {
    if (contacts > CONTACTS_MAX / 2 || bodies > BODIES_MAX) return SIZE_MAX;
    return NAME(impinge_sequences_size)(contacts, bodies);
}

impinge_status NAME(impinge_resolve_sequence)(
    const NAME(impinge_bodies) * bodies, const NAME(impinge_indexed_contacts) * contacts,
    const impinge_contact_groups *islands, const impinge_selection *selection,
    const impinge_options *options, const impinge_sequence_options *sequence, void *workspace,
    const NAME(impinge_indexed_results) * results,
    const NAME(impinge_island_results) * island_results, impinge_sequence_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    sequences_t s = {.bodies = bodies,
                     .contacts = contacts,
                     .islands = islands,
                     .options = sequence ? *sequence : (impinge_sequence_options){0},
                     .workspace = workspace,
                     .results = results,
                     .island_results = island_results};
    impinge_status status = check_sequences(&s, selection);
    if (status != IMPINGE_OK) return status;
    call_t call;
    status = call_begin(&call, NULL, contacts->count, options);
    if (status != IMPINGE_OK) return status;
    if (s.options.tie_tolerance == 0) s.options.tie_tolerance = TIE_UNITS * (double)REAL_UNIT;
    const resolver_t by = resolver_of(&call);
    NAME(impinge_run_sequences)(&by, &s, report);
    return call_end(&call, NULL);
}
