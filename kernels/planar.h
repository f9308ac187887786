/*
 * Planar contacts, in contact space and given by their two bodies (Mirtich 1996, corrected, section
 * 5).
 *
 * A planar contact is one in space with t1 = t, t2 across the plane, and nothing across it: K12 =
 * K23 = 0, u2 = 0. Its slip stays on the line along t, f of ring.h is exactly zero, and so Routh's
 * law has nothing to integrate: closing, in closed form, is all that remains. |u_t| is then
 * sqrt(u_t^2), which is exact.
 */
#ifndef IMPINGE_KERNELS_PLANAR_H
#define IMPINGE_KERNELS_PLANAR_H

#include <impinge/planar.h>

#include "body_pairs.h"

/* Sets the components across the plane to zero. */
static inline void planar_embed(contact_t *contact) {
    const lanes_t zero = lane_zero();
    contact->u2 = zero;
    contact->k12 = contact->k23 = zero;
    contact->k22 = contact->k11; /* any positive number */
}

static contact_t load_planar_contacts(const batch_t *batch, size_t i, size_t count) {
    const NAME(impinge_planar_contacts) *const in = batch->in;
    contact_t contact;
    const size_t k = stride_of(AS_GIVEN, in->matrix_stride);
    const size_t u = stride_of(AS_GIVEN, in->velocity_stride);
    contact.k11 = load_lanes_by(k, in->ktt, i, count);
    contact.k13 = load_lanes_by(k, in->ktn, i, count);
    contact.k33 = load_lanes_by(k, in->knn, i, count);
    contact.u1 = load_lanes_by(u, in->ut, i, count);
    contact.u3 = load_lanes_by(u, in->un, i, count);
    planar_embed(&contact);
    load_coefficients(&contact, AS_GIVEN, &in->coefficients, IMPINGE_LAW_ROUTH, i, count);
    return contact;
}

/* Completes LANES contacts, and records where the slip stopped in restitution. */
static response_t planar_close(const batch_t *b, closing_t *c, size_t first, size_t count,
                               const routh_options_t *law) {
    (void)b;
    (void)first;
    (void)count;
    const mask_t late = close_all(c, law);
    c->outcome = word_or(c->outcome, word_where(late, IMPINGE_OUTCOME_SLIP_ENDED_LATE));
    return closing_result(c, law);
}

static void store_planar_contacts(const batch_t *batch, size_t i, response_t *r, size_t count) {
    const NAME(impinge_planar_contacts) *const in = batch->in;
    const NAME(impinge_planar_contact_results) *const out = batch->out;
    /* Read before the first write: outputs may be the inputs. */
    const size_t u = stride_of(AS_GIVEN, in->velocity_stride);
    const lanes_t ut = lane_select(r->untouched, load_lanes_by(u, in->ut, i, count), r->u1);
    const lanes_t un = lane_select(r->untouched, load_lanes_by(u, in->un, i, count), r->u3);
    const size_t impulse = stride_of(AS_GIVEN, out->impulse_stride);
    const size_t after = stride_of(AS_GIVEN, out->velocity_stride);
    store_lanes_by(impulse, out->pt, i, r->p1, count);
    store_lanes_by(impulse, out->pn, i, r->p3, count);
    store_lanes_by(after, out->ut_after, i, ut, count);
    store_lanes_by(after, out->un_after, i, un, count);
    store_other_results(AS_GIVEN, OTHER_RESULTS(out), i, r, count);
}

static inline void resolve_planar_contacts(const NAME(impinge_planar_contacts) * in,
                                           selected_t selected, const impinge_options *options,
                                           const NAME(impinge_planar_contact_results) * out,
                                           impinge_report *report) {
    const batch_t batch = {.in = in,
                           .out = out,
                           .options = options,
                           .report = report,
                           .first = selected.first,
                           .count = selected.count,
                           .planar = true,
                           .load = load_planar_contacts,
                           .store = store_planar_contacts};
    routh_resolve(&batch, planar_close);
}

static inline body_t load_planar_body(const NAME(impinge_planar_pair_side) * in, size_t i,
                                      size_t count) {
    const lanes_t zero = lane_zero();
    const size_t arm = stride_of(AS_GIVEN, in->arm_stride);
    const size_t velocity = stride_of(AS_GIVEN, in->velocity_stride);
    const lanes_t inertia = load_lanes_by(stride_of(AS_GIVEN, in->inverse_inertia_stride),
                                          in->inverse_inertia, i, count);
    const lanes_t turning = load_lanes_by(stride_of(AS_GIVEN, in->angular_velocity_stride),
                                          in->angular_velocity, i, count);
    return (body_t){
        .inverse_mass =
            load_lanes_by(stride_of(AS_GIVEN, in->inverse_mass_stride), in->inverse_mass, i, count),
        .inverse_inertia = {zero, zero, zero, zero, zero, inertia},
        .arm = {load_lanes_by(arm, in->arm_x, i, count), load_lanes_by(arm, in->arm_y, i, count),
                zero},
        .velocity = {load_lanes_by(velocity, in->velocity_x, i, count),
                     load_lanes_by(velocity, in->velocity_y, i, count), zero},
        .angular_velocity = {zero, zero, turning},
    };
}

/*
 * t = (n_y, -n_x); (t, t2, n) is right-handed. The frame of the y axis where n is not a unit
 * vector.
 */
static inline frame_t load_planar_frame(const NAME(impinge_planar_pairs) * in, size_t i,
                                        size_t count, mask_t *unit) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const size_t stride = stride_of(AS_GIVEN, in->normal_stride);
    const lanes_t x = load_lanes_by(stride, in->normal_x, i, count);
    const lanes_t y = load_lanes_by(stride, in->normal_y, i, count);
    const vector_t n = unit_normal((vector_t){x, y, zero}, (vector_t){zero, one, zero}, unit);
    return (frame_t){.t1 = {n.y, lane_neg(n.x), zero}, .t2 = {zero, zero, lane_set(-1)}, .n = n};
}

static contact_t load_planar_pairs(const batch_t *batch, size_t i, size_t count) {
    const NAME(impinge_planar_pairs) *const in = batch->in;
    const body_t a = load_planar_body(&in->a, i, count);
    const body_t b = load_planar_body(&in->b, i, count);
    mask_t unit;
    const frame_t f = load_planar_frame(in, i, count, &unit);
    contact_t contact = contact_of_bodies(&a, &b, &f);
    planar_embed(&contact);
    load_coefficients(&contact, AS_GIVEN, &in->coefficients, IMPINGE_LAW_ROUTH, i, count);
    const words_t bodies = word_or(body_check(&a), body_check(&b));
    contact.invalid = word_or(word_or(contact.invalid, bodies),
                              word_where(mask_not(unit), IMPINGE_OUTCOME_INVALID_NORMAL));
    return contact;
}

static inline void store_planar_body(const NAME(impinge_planar_body_results) * out, size_t i,
                                     const body_t *b, size_t count) {
    const size_t velocity = stride_of(AS_GIVEN, out->velocity_stride);
    store_lanes_by(velocity, out->velocity_x, i, b->velocity.x, count);
    store_lanes_by(velocity, out->velocity_y, i, b->velocity.y, count);
    store_lanes_by(stride_of(AS_GIVEN, out->angular_velocity_stride), out->angular_velocity, i,
                   b->angular_velocity.z, count);
}

static void store_planar_pairs(const batch_t *batch, size_t i, response_t *r, size_t count) {
    const NAME(impinge_planar_pairs) *const in = batch->in;
    const NAME(impinge_planar_pair_results) *const out = batch->out;
    /* Reads everything before the first write: outputs may be the inputs. */
    body_t a = load_planar_body(&in->a, i, count);
    body_t b = load_planar_body(&in->b, i, count);
    mask_t unit;
    const frame_t f = load_planar_frame(in, i, count, &unit);
    const vector_t impulse = push_apart(r, &f, &a, &b);
    const size_t stride = stride_of(AS_GIVEN, out->impulse_stride);
    store_lanes_by(stride, out->impulse_x, i, impulse.x, count);
    store_lanes_by(stride, out->impulse_y, i, impulse.y, count);
    store_planar_body(&out->a, i, &a, count);
    store_planar_body(&out->b, i, &b, count);
    store_other_results(AS_GIVEN, OTHER_RESULTS(out), i, r, count);
}

static inline void resolve_planar_pairs(const NAME(impinge_planar_pairs) * in, selected_t selected,
                                        const impinge_options *options,
                                        const NAME(impinge_planar_pair_results) * out,
                                        impinge_report *report) {
    const batch_t batch = {.in = in,
                           .out = out,
                           .options = options,
                           .report = report,
                           .first = selected.first,
                           .count = selected.count,
                           .planar = true,
                           .load = load_planar_pairs,
                           .store = store_planar_pairs};
    routh_resolve(&batch, planar_close);
}

#endif
