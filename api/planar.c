/* Planar contacts and pairs. */
#include <impinge/planar.h>

#include "call.h"
#include "check_model.h"

/* As call_begin, but planar contacts have only one law. */
static impinge_status planar_begin(call_t *call, const impinge_selection *selection, size_t count,
                                   const NAME(impinge_coefficients) * coefficients,
                                   const impinge_options *options) {
    if (options && !law_has(options->law, IMPINGE_LAW_RESOLVES_PLANAR)) return IMPINGE_ERROR_OPTION;
    const impinge_status status = NAME(impinge_check_model)(coefficients);
    if (status != IMPINGE_OK) return status;
    return call_begin(call, selection, count, options);
}

static bool lacks_matrix(const NAME(impinge_planar_contacts) * c) {
    return ANY_NULL(c->ktt, c->ktn, c->knn, c->ut, c->un);
}

static bool lacks_body(const NAME(impinge_planar_pair_side) * b) {
    return ANY_NULL(b->inverse_mass, b->inverse_inertia, b->arm_x, b->arm_y, b->velocity_x,
                    b->velocity_y, b->angular_velocity);
}

static bool lacks_pair(const NAME(impinge_planar_pairs) * p) {
    return lacks_body(&p->a) || lacks_body(&p->b) || ANY_NULL(p->normal_x, p->normal_y);
}

impinge_status NAME(impinge_resolve_planar_contacts)(const NAME(impinge_planar_contacts) * contacts,
                                                     const impinge_selection *selection,
                                                     const impinge_options *options,
                                                     const NAME(impinge_planar_contact_results) *
                                                         results,
                                                     impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!contacts || !results) return IMPINGE_ERROR_NULL_POINTER;
    if (contacts->count > 0 && lacks_matrix(contacts)) return IMPINGE_ERROR_NULL_POINTER;
    if (!planar_contacts_fit(contacts) || !planar_results_fit(results, contacts->count))
        return IMPINGE_ERROR_COUNT;
    call_t call;
    const impinge_status status =
        planar_begin(&call, selection, contacts->count, &contacts->coefficients, options);
    if (status != IMPINGE_OK) return status;
    call.kernels->resolve_planar_contacts(contacts, call.selected, &call.options, results,
                                          &call.report);
    return call_end(&call, report);
}

impinge_status NAME(impinge_resolve_planar_pairs)(const NAME(impinge_planar_pairs) * pairs,
                                                  const impinge_selection *selection,
                                                  const impinge_options *options,
                                                  const NAME(impinge_planar_pair_results) * results,
                                                  impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!pairs || !results) return IMPINGE_ERROR_NULL_POINTER;
    if (pairs->count > 0 && lacks_pair(pairs)) return IMPINGE_ERROR_NULL_POINTER;
    if (!planar_pairs_fit(pairs) || !planar_pair_results_fit(results, pairs->count))
        return IMPINGE_ERROR_COUNT;
    call_t call;
    const impinge_status status =
        planar_begin(&call, selection, pairs->count, &pairs->coefficients, options);
    if (status != IMPINGE_OK) return status;
    call.kernels->resolve_planar_pairs(pairs, call.selected, &call.options, results, &call.report);
    return call_end(&call, report);
}
