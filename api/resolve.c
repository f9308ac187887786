/* Contacts given by K and u0, and by their two bodies. */
#include <impinge/batch.h>

#include "../solve/fields.h"
#include "call.h"
#include "check_bodies.h"
#include "check_model.h"

static bool lacks_matrix(const NAME(impinge_contacts) * p) {
    return ANY_NULL(FIELDS_CONTACT(FIELD_OF_P));
}

static bool lacks_body(const NAME(impinge_pair_side) * p) {
    return ANY_NULL(FIELDS_MASS(FIELD_OF_P) FIELDS_PRODUCTS(FIELD_OF_P) FIELDS_ARM(FIELD_OF_P)
                        FIELDS_MOTION(FIELD_OF_P));
}

static bool lacks_pair(const NAME(impinge_body_pairs) * p) {
    return lacks_body(&p->a) || lacks_body(&p->b) ||
           ANY_NULL(p->normal_x, p->normal_y, p->normal_z);
}

static impinge_status check_pair(const NAME(impinge_body_pairs) * p) {
    if (lacks_pair(p)) return IMPINGE_ERROR_NULL_POINTER;
    const impinge_status status = NAME(impinge_check_orientation)(&p->a.orientation);
    return status == IMPINGE_OK ? NAME(impinge_check_orientation)(&p->b.orientation) : status;
}

impinge_status NAME(impinge_resolve_contacts)(const NAME(impinge_contacts) * contacts,
                                              const impinge_selection *selection,
                                              const impinge_options *options,
                                              const NAME(impinge_contact_results) * results,
                                              impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!contacts || !results) return IMPINGE_ERROR_NULL_POINTER;
    if (contacts->count > 0 && lacks_matrix(contacts)) return IMPINGE_ERROR_NULL_POINTER;
    if (!contacts_fit(contacts) || !contact_results_fit(results, contacts->count))
        return IMPINGE_ERROR_COUNT;
    impinge_status status = NAME(impinge_check_model)(&contacts->coefficients);
    if (status != IMPINGE_OK) return status;
    call_t call;
    status = call_begin(&call, selection, contacts->count, options);
    if (status != IMPINGE_OK) return status;
    call_kernels_for(&call, call_kind_of(call.options.law), call.selected.count)
        ->resolve_contacts(contacts, call.selected, &call.options, results, &call.report);
    return call_end(&call, report);
}

impinge_status NAME(impinge_resolve_body_pairs)(const NAME(impinge_body_pairs) * pairs,
                                                const impinge_selection *selection,
                                                const impinge_options *options,
                                                const NAME(impinge_body_pair_results) * results,
                                                impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!pairs || !results) return IMPINGE_ERROR_NULL_POINTER;
    if (!pairs_fit(pairs) || !pair_results_fit(results, pairs->count)) return IMPINGE_ERROR_COUNT;
    impinge_status status = pairs->count > 0 ? check_pair(pairs) : IMPINGE_OK;
    if (status == IMPINGE_OK) status = NAME(impinge_check_model)(&pairs->coefficients);
    if (status != IMPINGE_OK) return status;
    call_t call;
    status = call_begin(&call, selection, pairs->count, options);
    if (status != IMPINGE_OK) return status;
    call_kernels_for(&call, call_kind_of(call.options.law), call.selected.count)
        ->resolve_body_pairs(pairs, call.selected, &call.options, results, &call.report);
    return call_end(&call, report);
}
