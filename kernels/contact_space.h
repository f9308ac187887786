/* Level 1: contacts given by K and u0. */
#ifndef IMPINGE_KERNELS_CONTACT_SPACE_H
#define IMPINGE_KERNELS_CONTACT_SPACE_H

#include "contacts.h"
#include "laws/laws.h"
#include "names.h"

INLINE contact_t load_contacts_as(layout_t layout, const batch_t *b, size_t i, size_t count) {
    const NAME(impinge_contacts) *const in = b->in;
    contact_t contact = load_matrix(layout, in, i, count);
    load_coefficients(&contact, layout, &in->coefficients, b->options->law, i, count);
    return contact;
}

static contact_t load_contacts(const batch_t *b, size_t i, size_t count) {
    return load_contacts_as(CONTIGUOUS, b, i, count);
}

static contact_t load_contacts_strided(const batch_t *b, size_t i, size_t count) {
    return load_contacts_as(AS_GIVEN, b, i, count);
}

static void store_contacts(const batch_t *b, size_t i, response_t *r, size_t count) {
    store_results(CONTIGUOUS, b->in, b->out, i, r, count);
}

static void store_contacts_strided(const batch_t *b, size_t i, response_t *r, size_t count) {
    store_results(AS_GIVEN, b->in, b->out, i, r, count);
}

static inline void resolve_contacts(const NAME(impinge_contacts) * in, selected_t selected,
                                    const impinge_options *options,
                                    const NAME(impinge_contact_results) * out,
                                    impinge_report *report) {
    if (law_kind_of(options->law) == LAW_KIND_CLOSED) {
        KERNEL_CLOSED(in, selected, options, out, report);
        return;
    }
    const bool strided = layout_of_contacts(in, out) == AS_GIVEN;
    const batch_t batch = {.in = in,
                           .out = out,
                           .options = options,
                           .report = report,
                           .first = selected.first,
                           .count = selected.count,
                           .load = strided ? load_contacts_strided : load_contacts,
                           .store = strided ? store_contacts_strided : store_contacts};
    resolve_by_law(&batch);
}

#endif
