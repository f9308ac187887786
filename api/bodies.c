/* Contacts that name their bodies. */
#include <impinge/bodies.h>

#include "../solve/bodies.h"
#include "../solve/fields.h"
#include "../solve/solve.h"
#include "call.h"
#include "check_bodies.h"
#include "resolver.h"

static impinge_status resolve(const NAME(impinge_bodies) * bodies,
                              const NAME(impinge_indexed_contacts) * contacts,
                              const impinge_selection *selection, const impinge_options *options,
                              const NAME(impinge_indexed_results) * results, impinge_report *report,
                              collide_mode_t mode) {
    impinge_status status = NAME(impinge_check_indexed)(bodies, contacts);
    if (status != IMPINGE_OK) return status;
    if (!results) return IMPINGE_ERROR_NULL_POINTER;
    if (!indexed_results_fit(results, contacts->count)) return IMPINGE_ERROR_COUNT;
    /*
     * Without `sharing`, sums of impulses would gain energy wherever bodies have several contacts.
     */
    if (mode.splits && contacts->count > 0 && !contacts->sharing) return IMPINGE_ERROR_NULL_POINTER;
    impinge_selection selected;
    status = impinge_check_ordered(selection, contacts->count, &selected);
    if (status != IMPINGE_OK) return status;
    call_t call;
    status = call_begin(&call, NULL, selected.count, options);
    if (status != IMPINGE_OK) return status;
    const resolver_t by = resolver_of(&call);
    NAME(impinge_collide)(&by, bodies, contacts, selected, &mode, results);
    return call_end(&call, report);
}

impinge_status NAME(impinge_resolve_indexed)(const NAME(impinge_bodies) * bodies,
                                             const NAME(impinge_indexed_contacts) * contacts,
                                             const impinge_selection *selection,
                                             const impinge_options *options,
                                             const NAME(impinge_indexed_results) * results,
                                             impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    return resolve(bodies, contacts, selection, options, results, report,
                   (collide_mode_t){.splits = true});
}

impinge_status NAME(impinge_resolve_independent)(const NAME(impinge_bodies) * bodies,
                                                 const NAME(impinge_indexed_contacts) * contacts,
                                                 const impinge_selection *selection,
                                                 const impinge_options *options,
                                                 const NAME(impinge_indexed_results) * results,
                                                 impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    return resolve(bodies, contacts, selection, options, results, report,
                   (collide_mode_t){.applies = true});
}

impinge_status NAME(impinge_apply_impulses)(const NAME(impinge_bodies) * bodies,
                                            const impinge_selection *changed,
                                            const NAME(impinge_indexed_contacts) * contacts,
                                            const impinge_selection *selection,
                                            const NAME(impinge_indexed_results) * results) {
    FLOAT_ENVIRONMENT_OF_CALL;
    impinge_status status = NAME(impinge_check_indexed)(bodies, contacts);
    if (status != IMPINGE_OK) return status;
    if (!results || (contacts->count > 0 &&
                     ANY_NULL(results->impulse_x, results->impulse_y, results->impulse_z)))
        return IMPINGE_ERROR_NULL_POINTER;
    if (!indexed_results_fit(results, contacts->count)) return IMPINGE_ERROR_COUNT;
    selected_t to;
    impinge_selection selected;
    status = impinge_check_selection(changed, bodies->count, &to);
    if (status == IMPINGE_OK) status = impinge_check_ordered(selection, contacts->count, &selected);
    if (status != IMPINGE_OK) return status;
    NAME(impinge_push_bodies)(bodies, to, contacts, selected, results);
    return IMPINGE_OK;
}

impinge_status NAME(impinge_find_immovable)(const NAME(impinge_bodies) * p, uint8_t *immovable) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!p) return IMPINGE_ERROR_NULL_POINTER;
    if (p->count > IMPINGE_WORLD || !bodies_fit(p)) return IMPINGE_ERROR_COUNT;
    if (p->count > 0 && ANY_NULL(immovable, FIELDS_MASS(FIELD_OF_P)))
        return IMPINGE_ERROR_NULL_POINTER;
    for (size_t i = 0; i < p->count; i++)
        immovable[i] = !NAME(impinge_is_movable)(p, (uint32_t)i);
    return IMPINGE_OK;
}
