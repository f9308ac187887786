/* Level 1: contacts given by K and u0. */
#ifndef IMPINGE_KERNELS_CONTACT_SPACE_H
#define IMPINGE_KERNELS_CONTACT_SPACE_H

#include "routh/routh.h"

/* `count` elements from a + i, at most LANES; zeros in the lanes beyond. */
static inline lane_t lanes_at(const real_t *a, size_t i, size_t count) {
    return count >= LANES ? lane_load(a + i) : lane_load_first(a + i, count);
}

static inline void lanes_to(real_t *to, size_t i, lane_t a, size_t count) {
    if (!to) return;
    if (count >= LANES)
        lane_store(to + i, a);
    else
        lane_store_first(to + i, a, count);
}

static inline void words_to(uint32_t *to, size_t i, word_t a, size_t count) {
    if (!to) return;
    if (count >= LANES)
        word_store(to + i, a);
    else
        word_store_first(to + i, a, count);
}

static inline lane_t coefficient_at(const NAME(impinge_coefficient) * c, size_t i, size_t count) {
    return c->values ? lanes_at(c->values, i, count) : lane_set(c->value);
}

static inline void coefficients_at(given_t *g, const NAME(impinge_coefficients) * c, size_t i,
                                   size_t count) {
    const bool no_static = !c->friction_static.values && c->friction_static.value == 0;
    g->restitution = coefficient_at(&c->restitution, i, count);
    g->friction = coefficient_at(&c->friction, i, count);
    g->friction_static = no_static ? g->friction : coefficient_at(&c->friction_static, i, count);
}

static inline given_t contacts_at(const NAME(impinge_contacts) * in, size_t i, size_t count) {
    given_t g;
    g.k11 = lanes_at(in->k11, i, count);
    g.k12 = lanes_at(in->k12, i, count);
    g.k13 = lanes_at(in->k13, i, count);
    g.k22 = lanes_at(in->k22, i, count);
    g.k23 = lanes_at(in->k23, i, count);
    g.k33 = lanes_at(in->k33, i, count);
    g.u1 = lanes_at(in->u1, i, count);
    g.u2 = lanes_at(in->u2, i, count);
    g.u3 = lanes_at(in->u3, i, count);
    coefficients_at(&g, &in->coefficients, i, count);
    g.invalid = word_where(mask_none(), 0);
    return g;
}

static inline void contacts_to(const NAME(impinge_contacts) * in,
                               const NAME(impinge_contact_results) * out, size_t i,
                               const resolved_t *r, size_t count) {
    /* Before anything is written: outputs may be the inputs. */
    const lane_t u1 = lane_select(r->untouched, lanes_at(in->u1, i, count), r->u1);
    const lane_t u2 = lane_select(r->untouched, lanes_at(in->u2, i, count), r->u2);
    const lane_t u3 = lane_select(r->untouched, lanes_at(in->u3, i, count), r->u3);
    lanes_to(out->p1, i, r->p1, count);
    lanes_to(out->p2, i, r->p2, count);
    lanes_to(out->p3, i, r->p3, count);
    lanes_to(out->u1_after, i, u1, count);
    lanes_to(out->u2_after, i, u2, count);
    lanes_to(out->u3_after, i, u3, count);
    lanes_to(out->work_compression, i, r->work_compression, count);
    lanes_to(out->work_restitution, i, r->work_restitution, count);
    lanes_to(out->work_friction, i, r->work_friction, count);
    words_to(out->outcome, i, r->outcome, count);
}

static void load_contacts(const batch_t *b, ring_t *ring, size_t i, size_t first, size_t count) {
    for (size_t j = 0; j < count; j += LANES) {
        given_t g = contacts_at(b->in, first + j, count - j);
        normalise(ring, i + j, &g, &b->law);
    }
}

static void store_contacts(const batch_t *b, const ring_t *ring, size_t i, size_t first,
                           size_t count) {
    for (size_t j = 0; j < count; j += LANES) {
        resolved_t r = close_contacts(ring, i + j, &b->law);
        contacts_to(b->in, b->out, first + j, &r, count - j);
        report_lanes(b->report, r.outcome, first + j, count - j);
    }
}

static void resolve_contacts(const NAME(impinge_contacts) * in, const impinge_options *options,
                             const NAME(impinge_contact_results) * out, impinge_report *report) {
    const batch_t batch = {.in = in,
                           .out = out,
                           .law = law_of(options),
                           .report = report,
                           .first = in->first,
                           .count = in->count,
                           .load = load_contacts,
                           .store = store_contacts};
    routh_resolve(&batch);
}

#endif
