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

EACH_USE void each(algebraic_law *law, impinge_law which, const NAME(impinge_contacts) * in,
                   const impinge_options *asked, const NAME(impinge_contact_results) * out,
                   impinge_report *report) {
    impinge_options options = *asked;
    options.law = which;
    for (size_t j = 0; j < in->count; j += LANES) {
        const size_t i = in->first + j;
        given_t g = matrix_at(in, i, in->count - j);
        coefficients_at(&g, &in->coefficients, which, i, in->count - j);
        resolved_t r = resolve_each(law, &g, &options);
        results_to(in, out, i, &r, in->count - j);
        report_lanes(report, r.outcome, i, in->count - j);
    }
}

void KERNEL_CLOSED(const NAME(impinge_contacts) * in, const impinge_options *options,
                   const NAME(impinge_contact_results) * out, impinge_report *report) {
    switch (options->law) {
    case IMPINGE_LAW_FRICTIONLESS:
        each(frictionless, IMPINGE_LAW_FRICTIONLESS, in, options, out, report);
        break;
    case IMPINGE_LAW_BILINEAR:
        each(bilinear, IMPINGE_LAW_BILINEAR, in, options, out, report);
        break;
    case IMPINGE_LAW_CHATTERJEE_RUINA:
        each(chatterjee_ruina, IMPINGE_LAW_CHATTERJEE_RUINA, in, options, out, report);
        break;
    default:
        each(brach, IMPINGE_LAW_BRACH, in, options, out, report);
    }
}
