/* Impulses judged by the permissible region. */
#include <impinge/region.h>

#include "call.h"

static bool lacks_input(const NAME(impinge_contacts) * c, const NAME(impinge_impulses) * p) {
    return ANY_NULL(c->k11, c->k12, c->k13, c->k22, c->k23, c->k33, c->u1, c->u2, c->u3, p->p1,
                    p->p2, p->p3);
}

static impinge_status begin(call_t *call, const NAME(impinge_contacts) * c,
                            const NAME(impinge_impulses) * p) {
    if (!c || !p) return IMPINGE_ERROR_NULL_POINTER;
    if (c->count > 0 && lacks_input(c, p)) return IMPINGE_ERROR_NULL_POINTER;
    return call_begin(call, c->first, c->count, NULL);
}

impinge_status NAME(impinge_judge_impulses)(const NAME(impinge_contacts) * contacts,
                                            const NAME(impinge_impulses) * impulses,
                                            const NAME(impinge_judgements) * judgements,
                                            impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!judgements) return IMPINGE_ERROR_NULL_POINTER;
    call_t call;
    const impinge_status status = begin(&call, contacts, impulses);
    if (status != IMPINGE_OK) return status;
    call.kernels->judge_impulses(contacts, impulses, judgements, &call.report);
    return call_end(&call, report);
}

impinge_status NAME(impinge_project_impulses)(const NAME(impinge_contacts) * contacts,
                                              const NAME(impinge_impulses) * impulses,
                                              const NAME(impinge_projections) * projections,
                                              impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!projections) return IMPINGE_ERROR_NULL_POINTER;
    call_t call;
    const impinge_status status = begin(&call, contacts, impulses);
    if (status != IMPINGE_OK) return status;
    call.kernels->project_impulses(contacts, impulses, projections, &call.report);
    return call_end(&call, report);
}
