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
