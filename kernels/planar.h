/*
 * Planar contacts, in contact space and given by their two bodies (Mirtich note, section 5).
 *
 * A planar contact is one in space with t1 = t, t2 across the plane, and nothing across it: K12 =
 * K23 = 0, u2 = 0. Its slip keeps to the line along t, f of ring.h is exactly zero, and so Routh's
 * law has nothing to integrate: closing, in closed form, is all of it. |u_t| is then sqrt(u_t^2),
 * which is exact.
 */
#ifndef IMPINGE_KERNELS_PLANAR_H
#define IMPINGE_KERNELS_PLANAR_H

#include <impinge/planar.h>

#include "body_pairs.h"

/* Nothing across the plane. */
static inline void planar_embed(given_t *g) {
    const lane_t zero = lane_zero();
    g->u2 = zero;
    g->k12 = g->k23 = zero;
    g->k22 = g->k11; /* any positive number */
}

static given_t planar_contacts_at(const batch_t *batch, size_t i, size_t count) {
    const NAME(impinge_planar_contacts) *const in = batch->in;
    given_t g;
    g.k11 = lanes_at(in->ktt, i, count);
    g.k13 = lanes_at(in->ktn, i, count);
    g.k33 = lanes_at(in->knn, i, count);
    g.u1 = lanes_at(in->ut, i, count);
    g.u3 = lanes_at(in->un, i, count);
    planar_embed(&g);
    coefficients_at(&g, &in->coefficients, IMPINGE_LAW_ROUTH, i, count);
    return g;
}

/* Closes LANES contacts, and says where the slip ended in restitution. */
static resolved_t planar_close(const batch_t *b, const ring_t *ring, size_t i, size_t first,
                               size_t count, const law_t *law) {
    (void)b;
    (void)first;
    (void)count;
    closing_t c = closing_load(ring, i);
    const mask_t late = close_all(&c, law);
    c.word = word_or(c.word, word_where(late, IMPINGE_OUTCOME_SLIP_ENDED_LATE));
    return closing_result(ring, i, &c, law);
}

static void planar_contacts_to(const batch_t *batch, size_t i, resolved_t *r, size_t count) {
    const NAME(impinge_planar_contacts) *const in = batch->in;
    const NAME(impinge_planar_contact_results) *const out = batch->out;
    /* Before anything is written: outputs may be the inputs. */
    const lane_t ut = lane_select(r->untouched, lanes_at(in->ut, i, count), r->u1);
    const lane_t un = lane_select(r->untouched, lanes_at(in->un, i, count), r->u3);
    lanes_to(out->pt, i, r->p1, count);
    lanes_to(out->pn, i, r->p3, count);
    lanes_to(out->ut_after, i, ut, count);
    lanes_to(out->un_after, i, un, count);
    works_to(out->work_compression, out->work_restitution, out->work_friction, out->outcome, i, r,
             count);
}

/* Nothing is integrated, so that rounding is the only error. */
static inline impinge_options planar_options(const impinge_options *options) {
    impinge_options exact = *options;
    exact.tolerance = 0;
    return exact;
}

static void resolve_planar_contacts(const NAME(impinge_planar_contacts) * in,
                                    const impinge_options *options,
                                    const NAME(impinge_planar_contact_results) * out,
                                    impinge_report *report) {
    const impinge_options exact = planar_options(options);
    const batch_t batch = {.in = in,
                           .out = out,
                           .options = &exact,
                           .report = report,
                           .first = in->first,
                           .count = in->count,
                           .at = planar_contacts_at,
                           .to = planar_contacts_to};
    routh_resolve(&batch, planar_close);
}

static inline body_t planar_body_at(const NAME(impinge_planar_pair_side) * in, size_t i,
                                    size_t count) {
    const lane_t zero = lane_zero();
    return (body_t){
        .inverse_mass = lanes_at(in->inverse_mass, i, count),
        .inverse_inertia = {zero, zero, zero, zero, zero, lanes_at(in->inverse_inertia, i, count)},
        .arm = {lanes_at(in->arm_x, i, count), lanes_at(in->arm_y, i, count), zero},
        .velocity = {lanes_at(in->velocity_x, i, count), lanes_at(in->velocity_y, i, count), zero},
        .angular_velocity = {zero, zero, lanes_at(in->angular_velocity, i, count)},
    };
}

/* t = (n_y, -n_x); (t, t2, n) is right-handed. y's frame where n is no unit vector. */
static inline frame_t planar_frame_at(const NAME(impinge_planar_pairs) * in, size_t i, size_t count,
                                      mask_t *unit) {
    const lane_t zero = lane_zero();
    const lane_t one = lane_set(1);
    const lane_t x = lanes_at(in->normal_x, i, count);
    const lane_t y = lanes_at(in->normal_y, i, count);
    const vector_t n = unit_normal((vector_t){x, y, zero}, (vector_t){zero, one, zero}, unit);
    return (frame_t){.t1 = {n.y, lane_neg(n.x), zero}, .t2 = {zero, zero, lane_set(-1)}, .n = n};
}

static given_t planar_pairs_at(const batch_t *batch, size_t i, size_t count) {
    const NAME(impinge_planar_pairs) *const in = batch->in;
    const body_t a = planar_body_at(&in->a, i, count);
    const body_t b = planar_body_at(&in->b, i, count);
    mask_t unit;
    const frame_t f = planar_frame_at(in, i, count, &unit);
    given_t g = given_of_bodies(&a, &b, &f);
    planar_embed(&g);
    coefficients_at(&g, &in->coefficients, IMPINGE_LAW_ROUTH, i, count);
    const word_t bodies = word_or(body_check(&a), body_check(&b));
    g.invalid = word_or(word_or(g.invalid, bodies),
                        word_where(mask_not(unit), IMPINGE_OUTCOME_INVALID_NORMAL));
    return g;
}

static inline void planar_body_to(const NAME(impinge_planar_body_results) * out, size_t i,
                                  const body_t *b, size_t count) {
    lanes_to(out->velocity_x, i, b->velocity.x, count);
    lanes_to(out->velocity_y, i, b->velocity.y, count);
    lanes_to(out->angular_velocity, i, b->angular_velocity.z, count);
}

static void planar_pairs_to(const batch_t *batch, size_t i, resolved_t *r, size_t count) {
    const NAME(impinge_planar_pairs) *const in = batch->in;
    const NAME(impinge_planar_pair_results) *const out = batch->out;
    /* All is read before anything is written: outputs may be the inputs. */
    body_t a = planar_body_at(&in->a, i, count);
    body_t b = planar_body_at(&in->b, i, count);
    mask_t unit;
    const frame_t f = planar_frame_at(in, i, count, &unit);
    const vector_t impulse = push_apart(r, &f, &a, NULL, &b, NULL);
    lanes_to(out->impulse_x, i, impulse.x, count);
    lanes_to(out->impulse_y, i, impulse.y, count);
    planar_body_to(&out->a, i, &a, count);
    planar_body_to(&out->b, i, &b, count);
    works_to(out->work_compression, out->work_restitution, out->work_friction, out->outcome, i, r,
             count);
}

static void resolve_planar_pairs(const NAME(impinge_planar_pairs) * in,
                                 const impinge_options *options,
                                 const NAME(impinge_planar_pair_results) * out,
                                 impinge_report *report) {
    const impinge_options exact = planar_options(options);
    const batch_t batch = {.in = in,
                           .out = out,
                           .options = &exact,
                           .report = report,
                           .first = in->first,
                           .count = in->count,
                           .at = planar_pairs_at,
                           .to = planar_pairs_to};
    routh_resolve(&batch, planar_close);
}

#endif
