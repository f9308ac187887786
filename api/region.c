/* Impulses judged by the permissible region. */
#include <impinge/region.h>

#include "../solve/fields.h"
#include "call.h"

static bool lacks_input(const NAME(impinge_contacts) * p, const NAME(impinge_impulses) * impulses) {
    return ANY_NULL(FIELDS_CONTACT(FIELD_OF_P) impulses->p1, impulses->p2, impulses->p3);
}

static impinge_status begin(call_t *call, const NAME(impinge_contacts) * c,
                            const impinge_selection *selection, const NAME(impinge_impulses) * p) {
    if (!c || !p) return IMPINGE_ERROR_NULL_POINTER;
    if (c->count > 0 && lacks_input(c, p)) return IMPINGE_ERROR_NULL_POINTER;
    if (!contacts_fit(c) || !impulses_fit(p, c->count)) return IMPINGE_ERROR_COUNT;
    return call_begin(call, selection, c->count, NULL);
}

impinge_status NAME(impinge_judge_impulses)(const NAME(impinge_contacts) * contacts,
                                            const impinge_selection *selection,
                                            const NAME(impinge_impulses) * impulses,
                                            const NAME(impinge_judgements) * judgements,
                                            impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!judgements) return IMPINGE_ERROR_NULL_POINTER;
    call_t call;
    const impinge_status status = begin(&call, contacts, selection, impulses);
    if (status != IMPINGE_OK) return status;
    if (!judgements_fit(judgements, contacts->count)) return IMPINGE_ERROR_COUNT;
    call.kernels->judge_impulses(contacts, call.selected, impulses, judgements, &call.report);
    return call_end(&call, report);
}

impinge_status NAME(impinge_project_impulses)(const NAME(impinge_contacts) * contacts,
                                              const impinge_selection *selection,
                                              const NAME(impinge_impulses) * impulses,
                                              const NAME(impinge_projections) * projections,
                                              impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!projections) return IMPINGE_ERROR_NULL_POINTER;
    call_t call;
    const impinge_status status = begin(&call, contacts, selection, impulses);
    if (status != IMPINGE_OK) return status;
    if (!projections_fit(projections, contacts->count)) return IMPINGE_ERROR_COUNT;
    call.kernels->project_impulses(contacts, call.selected, impulses, projections, &call.report);
    return call_end(&call, report);
}
