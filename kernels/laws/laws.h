/* The laws, each in its file, and which of them a call asks for. */
#ifndef IMPINGE_KERNELS_LAWS_LAWS_H
#define IMPINGE_KERNELS_LAWS_LAWS_H

#include "bilinear.h"
#include "brach.h"
#include "chatterjee_ruina.h"
#include "composite.h"
#include "frictionless.h"
#include "smith.h"
#include "two_stage.h"
#include "whittaker.h"

/* A law that takes longer than a call by pointer does: one loop for all of them. */
static response_t resolve_by(algebraic_law *law, contact_t *contact,
                             const impinge_options *options) {
    return resolve_each(law, contact, options);
}

/* All of a batch, by a law that takes longer than getting at a contact does. */
static void algebraic_resolve(const batch_t *b, algebraic_law *law) {
    for (size_t j = 0; j < b->count; j += LANES) {
        contact_t contact = b->load(b, b->first + j, b->count - j);
        response_t r = resolve_by(law, &contact, b->options);
        deliver(b, b->first + j, &r, b->count - j);
    }
}

static inline void resolve_by_law(const batch_t *b) {
    switch (b->options->law) {
    case IMPINGE_LAW_FRICTIONLESS:
        algebraic_resolve(b, frictionless);
        break;
    case IMPINGE_LAW_WHITTAKER:
        algebraic_resolve(b, whittaker);
        break;
    case IMPINGE_LAW_SMITH:
        algebraic_resolve(b, smith);
        break;
    case IMPINGE_LAW_TWO_STAGE:
        algebraic_resolve(b, two_stage);
        break;
    case IMPINGE_LAW_BILINEAR:
        algebraic_resolve(b, bilinear);
        break;
    case IMPINGE_LAW_CHATTERJEE_RUINA:
        algebraic_resolve(b, chatterjee_ruina);
        break;
    case IMPINGE_LAW_BRACH:
        algebraic_resolve(b, brach);
        break;
    case IMPINGE_LAW_COMPOSITE:
        routh_resolve(b, composite_close);
        break;
    default:
        routh_resolve(b, routh_close_contacts);
    }
}

#endif
