/* Level 1: contacts given by K and u0. */
#ifndef IMPINGE_KERNELS_CONTACT_SPACE_H
#define IMPINGE_KERNELS_CONTACT_SPACE_H

#include "contacts.h"
#include "laws/laws.h"
#include "names.h"

static contact_t load_contacts(const batch_t *b, size_t i, size_t count) {
    const NAME(impinge_contacts) *const in = b->in;
    contact_t contact = load_matrix(in, i, count);
    load_coefficients(&contact, &in->coefficients, b->options->law, i, count);
    return contact;
}

static void store_contacts(const batch_t *b, size_t i, response_t *r, size_t count) {
    store_results(b->in, b->out, i, r, count);
}

static void resolve_contacts(const NAME(impinge_contacts) * in, const impinge_options *options,
                             const NAME(impinge_contact_results) * out, impinge_report *report) {
    if (law_kind_of(options->law) == LAW_KIND_CLOSED) {
        KERNEL_CLOSED(in, options, out, report);
        return;
    }
    const batch_t batch = {.in = in,
                           .out = out,
                           .options = options,
                           .report = report,
                           .first = in->first,
                           .count = in->count,
                           .load = load_contacts,
                           .store = store_contacts};
    resolve_by_law(&batch);
}

#endif
