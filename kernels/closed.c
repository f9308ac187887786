/*
 * One target's closed forms in contact space, at memory's speed: each law is compiled with its
 * loads and stores around it. There is no latency to hide, as there is in the other kernels; so
 * lanes are one register, and most of a contact stays in registers.
 */
#define REGISTERS_PER_LANES 1
#include "contacts.h"
#include "laws/bilinear.h"
#include "laws/brach.h"
#include "laws/chatterjee_ruina.h"
#include "laws/frictionless.h"
#include "names.h"

/* One call, for all of its contacts. */
typedef struct call {
    const NAME(impinge_contacts) * in;
    const NAME(impinge_contact_results) * out;
    impinge_options options;
    impinge_report *report;
} call_t;

EACH_USE void some(algebraic_law *law, impinge_law which, const call_t *call, size_t i,
                   size_t count) {
    impinge_options options = call->options;
    options.law = which;
    given_t g = matrix_at(call->in, i, count);
    coefficients_at(&g, &call->in->coefficients, which, i, count);
    resolved_t r = resolve_each(law, &g, &options);
    results_to(call->in, call->out, i, &r, count);
    report_lanes(call->report, r.outcome, i, count);
}

/* Whole lanes, of which nothing has to be asked, and what is left. */
EACH_USE void each(algebraic_law *law, impinge_law which, const call_t *call) {
    const size_t end = call->in->first + call->in->count;
    size_t i = call->in->first;
    for (; end - i >= LANES; i += LANES)
        some(law, which, call, i, LANES);
    if (i < end) some(law, which, call, i, end - i);
}

void KERNEL_CLOSED(const NAME(impinge_contacts) * in, const impinge_options *options,
                   const NAME(impinge_contact_results) * out, impinge_report *report) {
    const call_t call = {in, out, *options, report};
    switch (options->law) {
    case IMPINGE_LAW_FRICTIONLESS:
        each(frictionless, IMPINGE_LAW_FRICTIONLESS, &call);
        break;
    case IMPINGE_LAW_BILINEAR:
        each(bilinear, IMPINGE_LAW_BILINEAR, &call);
        break;
    case IMPINGE_LAW_CHATTERJEE_RUINA:
        each(chatterjee_ruina, IMPINGE_LAW_CHATTERJEE_RUINA, &call);
        break;
    default:
        each(brach, IMPINGE_LAW_BRACH, &call);
    }
}
