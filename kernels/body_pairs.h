/* Level 2: contacts given by their two bodies. */
#ifndef IMPINGE_KERNELS_BODY_PAIRS_H
#define IMPINGE_KERNELS_BODY_PAIRS_H

#include "body.h"
#include "contact_space.h"

INLINE body_t load_body(layout_t layout, const NAME(impinge_pair_side) * in, size_t i,
                        size_t count) {
    return (body_t){
        .inverse_mass = load_lanes_by(COLUMN_OF(layout, in, inverse_mass), i, count),
        .inverse_inertia = load_tensor_by(TENSOR_OF(layout, in), i, count),
        .arm = load_vector_by(VECTOR_OF(layout, in, arm), i, count),
        .velocity = load_vector_by(VECTOR_OF(layout, in, velocity), i, count),
        .angular_velocity = load_vector_by(VECTOR_OF(layout, in, angular_velocity), i, count),
    };
}

INLINE frame_t load_frame(layout_t layout, const NAME(impinge_body_pairs) * in, size_t i,
                          size_t count, mask_t *unit) {
    const vector_t z = {lane_zero(), lane_zero(), lane_set(1)};
    const vector_t n = load_vector_by(stride_of(layout, in->normal_stride), in->normal_x,
                                      in->normal_y, in->normal_z, i, count);
    return frame_of(unit_normal(n, z, unit));
}

INLINE contact_t load_pairs_as(layout_t layout, const batch_t *batch, size_t i, size_t count) {
    const NAME(impinge_body_pairs) *const in = batch->in;
    body_t a = load_body(layout, &in->a, i, count);
    body_t b = load_body(layout, &in->b, i, count);
    mask_t unit;
    const frame_t f = load_frame(layout, in, i, count, &unit);
    words_t invalid = word_or(word_or(body_check(&a), body_check(&b)),
                              word_where(mask_not(unit), IMPINGE_OUTCOME_INVALID_NORMAL));
    invalid = word_or(invalid, body_to_world(layout, &a, &in->a.orientation, i, count));
    invalid = word_or(invalid, body_to_world(layout, &b, &in->b.orientation, i, count));
    contact_t contact = contact_of_bodies(&a, &b, &f);
    load_coefficients(&contact, layout, &in->coefficients, batch->options->law, i, count);
    contact.invalid = word_or(contact.invalid, invalid);
    return contact;
}

static contact_t load_pairs(const batch_t *batch, size_t i, size_t count) {
    return load_pairs_as(CONTIGUOUS, batch, i, count);
}

static contact_t load_pairs_strided(const batch_t *batch, size_t i, size_t count) {
    return load_pairs_as(AS_GIVEN, batch, i, count);
}

/* Adds `change`, but keeps the bits of `a` if it is zero: -0 + 0 would be 0. */
static inline lanes_t unless_zero(lanes_t a, lanes_t change) {
    return lane_select(lane_eq(change, lane_zero()), a, lane_add(a, change));
}

static inline vector_t vector_change(vector_t a, vector_t change) {
    return (vector_t){unless_zero(a.x, change.x), unless_zero(a.y, change.y),
                      unless_zero(a.z, change.z)};
}

/*
 * v += p / m, omega += I^-1 (r x p) (Mirtich 1996, corrected, eq. 1). A body in its own frame
 * (`from` not null, its rotation to the world) takes up the moment in that frame.
 */
static inline void body_push(body_t *b, vector_t impulse, const rotation_t *from) {
    vector_t torque = vector_cross(b->arm, impulse);
    if (from) {
        const rotation_t back = transposed(from);
        torque = rotate(&back, torque);
    }
    b->velocity = vector_change(b->velocity, vector_scale(b->inverse_mass, impulse));
    b->angular_velocity =
        vector_change(b->angular_velocity, tensor_apply(&b->inverse_inertia, torque));
}

static inline mask_t body_in_range(const body_t *b) {
    return mask_and(vector_finite(b->velocity), vector_finite(b->angular_velocity));
}

INLINE void store_body(layout_t layout, const NAME(impinge_body_results) * out, size_t i,
                       const body_t *b, size_t count) {
    const size_t v = stride_of(layout, out->velocity_stride);
    const size_t w = stride_of(layout, out->angular_velocity_stride);
    store_lanes_by(v, out->velocity_x, i, b->velocity.x, count);
    store_lanes_by(v, out->velocity_y, i, b->velocity.y, count);
    store_lanes_by(v, out->velocity_z, i, b->velocity.z, count);
    store_lanes_by(w, out->angular_velocity_x, i, b->angular_velocity.x, count);
    store_lanes_by(w, out->angular_velocity_y, i, b->angular_velocity.y, count);
    store_lanes_by(w, out->angular_velocity_z, i, b->angular_velocity.z, count);
}

static inline vector_t world_impulse(const frame_t *f, const response_t *r) {
    return vector_add(vector_add(vector_scale(r->p1, f->t1), vector_scale(r->p2, f->t2)),
                      vector_scale(r->p3, f->n));
}

/* Velocities after the impulse. No velocity changes if one of them would not fit the precision. */
static inline vector_t push_apart(response_t *r, const frame_t *f, body_t *a,
                                  const rotation_t *from_a, body_t *b, const rotation_t *from_b) {
    const vector_t none = {lane_zero(), lane_zero(), lane_zero()};
    vector_t impulse = vector_select(r->untouched, none, world_impulse(f, r));
    body_t a_after = *a;
    body_t b_after = *b;
    body_push(&a_after, impulse, from_a);
    body_push(&b_after, vector_neg(impulse), from_b);
    const mask_t fits = mask_and(mask_and(body_in_range(&a_after), body_in_range(&b_after)),
                                 vector_finite(impulse));
    const mask_t changes = mask_andnot(fits, r->untouched);
    impulse = vector_select(changes, impulse, none);
    a->velocity = vector_select(changes, a_after.velocity, a->velocity);
    b->velocity = vector_select(changes, b_after.velocity, b->velocity);
    a->angular_velocity = vector_select(changes, a_after.angular_velocity, a->angular_velocity);
    b->angular_velocity = vector_select(changes, b_after.angular_velocity, b->angular_velocity);

    const mask_t lost = mask_andnot(mask_not(fits), r->untouched);
    r->outcome = word_or(r->outcome, word_where(lost, IMPINGE_OUTCOME_OUT_OF_RANGE));
    withhold(r);
    return impulse;
}

INLINE void store_impulse(layout_t layout, const NAME(impinge_body_pair_results) * out, size_t i,
                          vector_t impulse, size_t count) {
    const size_t s = stride_of(layout, out->impulse_stride);
    store_lanes_by(s, out->impulse_x, i, impulse.x, count);
    store_lanes_by(s, out->impulse_y, i, impulse.y, count);
    store_lanes_by(s, out->impulse_z, i, impulse.z, count);
}

INLINE void store_pairs_as(layout_t layout, const batch_t *batch, size_t i, response_t *r,
                           size_t count) {
    const NAME(impinge_body_pairs) *const in = batch->in;
    const NAME(impinge_body_pair_results) *const out = batch->out;
    /* All is read before anything is written: outputs may be the inputs. */
    body_t a = load_body(layout, &in->a, i, count);
    body_t b = load_body(layout, &in->b, i, count);
    mask_t unit;
    const frame_t f = load_frame(layout, in, i, count, &unit);
    rotation_t of_a, of_b;
    const rotation_t *from_a = rotation_given(layout, &in->a.orientation, i, count, &a, &of_a);
    const rotation_t *from_b = rotation_given(layout, &in->b.orientation, i, count, &b, &of_b);
    const vector_t impulse = push_apart(r, &f, &a, from_a, &b, from_b);
    store_impulse(layout, out, i, impulse, count);
    store_body(layout, &out->a, i, &a, count);
    store_body(layout, &out->b, i, &b, count);
    store_other_results(layout, OTHER_RESULTS(out), i, r, count);
}

static void store_pairs(const batch_t *batch, size_t i, response_t *r, size_t count) {
    store_pairs_as(CONTIGUOUS, batch, i, r, count);
}

static void store_pairs_strided(const batch_t *batch, size_t i, response_t *r, size_t count) {
    store_pairs_as(AS_GIVEN, batch, i, r, count);
}

static inline bool is_side_strided(const NAME(impinge_pair_side) * s,
                                   const NAME(impinge_body_results) * after) {
    return is_strided(s->orientation.stride) || is_strided(s->inverse_mass_stride) ||
           is_strided(s->inverse_inertia_stride) || is_strided(s->arm_stride) ||
           is_strided(s->velocity_stride) || is_strided(s->angular_velocity_stride) ||
           is_strided(after->velocity_stride) || is_strided(after->angular_velocity_stride);
}

static inline layout_t layout_of_pairs(const NAME(impinge_body_pairs) * in,
                                       const NAME(impinge_body_pair_results) * out) {
    const bool strided = are_coefficients_strided(&in->coefficients) ||
                         is_side_strided(&in->a, &out->a) || is_side_strided(&in->b, &out->b) ||
                         is_strided(in->normal_stride) || is_strided(out->impulse_stride) ||
                         is_strided(out->work_stride) || is_strided(out->outcome_stride);
    return strided ? AS_GIVEN : CONTIGUOUS;
}

static inline void resolve_body_pairs(const NAME(impinge_body_pairs) * in, selected_t selected,
                                      const impinge_options *options,
                                      const NAME(impinge_body_pair_results) * out,
                                      impinge_report *report) {
    const bool strided = layout_of_pairs(in, out) == AS_GIVEN;
    const batch_t batch = {.in = in,
                           .out = out,
                           .options = options,
                           .report = report,
                           .first = selected.first,
                           .count = selected.count,
                           .load = strided ? load_pairs_strided : load_pairs,
                           .store = strided ? store_pairs_strided : store_pairs};
    resolve_by_law(&batch);
}

#endif
