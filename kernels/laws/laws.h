/* The laws, each in its file, and the switch that calls one. */
#ifndef IMPINGE_KERNELS_LAWS_LAWS_H
#define IMPINGE_KERNELS_LAWS_LAWS_H

#include "algebraic_laws.h"
#include "composite.h"
#include "list.h"

/* One loop for all laws that take longer than a call by pointer. */
static response_t resolve_by(algebraic_law *law, contact_t *contact,
                             const impinge_options *options) {
    return resolve_each(law, contact, options);
}

/* Resolves a batch by a law that takes longer than loading a contact. */
static void algebraic_resolve(const batch_t *b, algebraic_law *law) {
    for (size_t j = 0; j < b->count; j += LANES) {
        contact_t contact = b->load(b, b->first + j, b->count - j);
        response_t r = resolve_by(law, &contact, b->options);
        deliver(b, b->first + j, &r, b->count - j);
    }
}

/* The function that resolves a batch, by the law's kind. */
#define RESOLVE_CLOSED(b, law)        algebraic_resolve(b, law)
#define RESOLVE_EQUATION(b, law)      algebraic_resolve(b, law)
#define RESOLVE_INCREMENTAL(b, close) routh_resolve(b, close)
#define RESOLVE_MIXED(b, close)       routh_resolve(b, close)
#define RESOLVE_CASE(constant, name, kind, function, properties, summary)                          \
    case IMPINGE_LAW_##constant:                                                                   \
        RESOLVE_##kind(b, function);                                                               \
        break;

static inline void resolve_by_law(const batch_t *b) {
    switch (b->options->law) { LAWS(RESOLVE_CASE) }
}

#endif
