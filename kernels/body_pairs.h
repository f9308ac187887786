/* Level 2: contacts given by their two bodies. */
#ifndef IMPINGE_KERNELS_BODY_PAIRS_H
#define IMPINGE_KERNELS_BODY_PAIRS_H

#include "body.h"
#include "contact_space.h"
#include "region.h"

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

/* A contact's frame, and the sums over its bodies. */
typedef struct meeting {
    frame_t frame;
    tensor_t matrix; /* K */
    velocity_apart_t apart;
    words_t invalid;
} meeting_t;

INLINE void load_one_as(layout_t layout, const NAME(impinge_pair_side) * side, bool is_b, size_t i,
                        size_t count, meeting_t *m) {
    body_t body = load_body(layout, side, i, count);
    m->invalid = word_or(m->invalid, body_check(&body));
    m->invalid = word_or(m->invalid, body_to_world(layout, &body, &side->orientation, i, count));
    add_share(&m->matrix, &body, &m->frame);
    const vector_t turning = turning_velocity(&body);
    m->apart.centre = is_b ? vector_sub(m->apart.centre, body.velocity) : body.velocity;
    m->apart.turning = is_b ? vector_sub(m->apart.turning, turning) : turning;
}

/*
 * One body after the other, each in its own stack frame: both at once would take twice the stack.
 */
static APART void load_one(const NAME(impinge_pair_side) * side, bool is_b, size_t i, size_t count,
                           meeting_t *m) {
    load_one_as(CONTIGUOUS, side, is_b, i, count, m);
}

static APART void load_one_strided(const NAME(impinge_pair_side) * side, bool is_b, size_t i,
                                   size_t count, meeting_t *m) {
    load_one_as(AS_GIVEN, side, is_b, i, count, m);
}

INLINE contact_t contact_as(layout_t layout, const batch_t *batch, size_t i, size_t count,
                            const meeting_t *m) {
    const NAME(impinge_body_pairs) *const in = batch->in;
    contact_t contact;
    set_matrix(&contact, &m->matrix);
    set_velocity(&contact, &m->apart, &m->frame);
    load_coefficients(&contact, layout, &in->coefficients, batch->options->law, i, count);
    contact.invalid = word_or(contact.invalid, m->invalid);
    return contact;
}

static APART contact_t contact_of(const batch_t *batch, size_t i, size_t count,
                                  const meeting_t *m) {
    return contact_as(CONTIGUOUS, batch, i, count, m);
}

static APART contact_t contact_of_strided(const batch_t *batch, size_t i, size_t count,
                                          const meeting_t *m) {
    return contact_as(AS_GIVEN, batch, i, count, m);
}

INLINE void meet_as(layout_t layout, const NAME(impinge_body_pairs) * in, size_t i, size_t count,
                    meeting_t *m) {
    mask_t unit;
    m->frame = load_frame(layout, in, i, count, &unit);
    tensor_clear(&m->matrix);
    m->invalid = word_where(mask_not(unit), IMPINGE_OUTCOME_INVALID_NORMAL);
}

static contact_t load_pairs(const batch_t *batch, size_t i, size_t count) {
    const NAME(impinge_body_pairs) *const in = batch->in;
    meeting_t m;
    meet_as(CONTIGUOUS, in, i, count, &m);
    load_one(&in->a, false, i, count, &m);
    load_one(&in->b, true, i, count, &m);
    return contact_of(batch, i, count, &m);
}

static contact_t load_pairs_strided(const batch_t *batch, size_t i, size_t count) {
    const NAME(impinge_body_pairs) *const in = batch->in;
    meeting_t m;
    meet_as(AS_GIVEN, in, i, count, &m);
    load_one_strided(&in->a, false, i, count, &m);
    load_one_strided(&in->b, true, i, count, &m);
    return contact_of_strided(batch, i, count, &m);
}

/* Adds `change`, but keeps the bits of `a` if it is zero: -0 + 0 would be 0. */
static inline lanes_t unless_zero(lanes_t a, lanes_t change) {
    return lane_select(lane_eq(change, lane_zero()), a, lane_add(a, change));
}

static inline vector_t vector_change(vector_t a, vector_t change) {
    return (vector_t){unless_zero(a.x, change.x), unless_zero(a.y, change.y),
                      unless_zero(a.z, change.z)};
}

/* The moment of an impulse, in the frame of the body's angular velocity: that of `from`, if any. */
static inline vector_t moment_of(const body_t *b, vector_t impulse, const rotation_t *from) {
    const vector_t moment = vector_cross(b->arm, impulse);
    if (!from) return moment;
    const rotation_t back = transposed(from);
    return rotate(&back, moment);
}

/*
 * v += p / m, omega += I^-1 (r x p) (Mirtich 1996, corrected, eq. 1). A body in its own frame
 * (`from` not null, its rotation to the world) takes up the moment in that frame. Adds twice the
 * change of its energy, p . (v + v') + (r x p) . (omega + omega').
 */
static inline void body_push(body_t *b, vector_t impulse, const rotation_t *from, lanes_t *twice) {
    const vector_t moment = moment_of(b, impulse, from);
    const vector_t v = vector_change(b->velocity, vector_scale(b->inverse_mass, impulse));
    const vector_t omega =
        vector_change(b->angular_velocity, tensor_apply(&b->inverse_inertia, moment));
    *twice = lane_add(*twice, vector_dot(impulse, vector_add(b->velocity, v)));
    *twice = lane_add(*twice, vector_dot(moment, vector_add(b->angular_velocity, omega)));
    b->velocity = v;
    b->angular_velocity = omega;
}

/* An impulse on a body, and the velocities before and after it. */
typedef struct pushed {
    vector_t impulse, moment, velocity[2], turning[2];
} pushed_t;

static inline pushed_t pushed_by(const body_t *before, vector_t impulse, const rotation_t *from) {
    body_t after = *before;
    lanes_t twice = lane_zero();
    body_push(&after, impulse, from, &twice);
    return (pushed_t){.impulse = impulse,
                      .moment = moment_of(before, impulse, from),
                      .velocity = {before->velocity, after.velocity},
                      .turning = {before->angular_velocity, after.angular_velocity}};
}

/* Powers of two that bring impulses and moments, and velocities of either kind, to at most 2. */
typedef struct push_scales {
    scale_t impulse, velocity;
} push_scales_t;

static inline lanes_t largest_of(vector_t a, vector_t b, lanes_t c) {
    return lane_max(lane_max(vector_largest(a), vector_largest(b)), c);
}

static inline push_scales_t scales_of(const pushed_t *a, const pushed_t *b) {
    lanes_t impulse = largest_of(a->impulse, a->moment, lane_set(REAL_MIN));
    lanes_t velocity = lane_set(REAL_MIN);
    impulse = largest_of(b->impulse, b->moment, impulse);
    for (int k = 0; k < 2; k++) {
        velocity = largest_of(a->velocity[k], a->turning[k], velocity);
        velocity = largest_of(b->velocity[k], b->turning[k], velocity);
    }
    return (push_scales_t){scale_of(impulse), scale_of(velocity)};
}

/* Twice the change of bodies' energy, and the sizes of its terms, in units of the scales. */
typedef struct work {
    lanes_t twice, size;
} work_t;

static inline void add_work(work_t *to, const push_scales_t *s, vector_t push,
                            const vector_t v[2]) {
    const vector_t p = vector_normalise_by(&s->impulse, push);
    const vector_t before = vector_normalise_by(&s->velocity, v[0]);
    const vector_t after = vector_normalise_by(&s->velocity, v[1]);
    const vector_t sizes = {lane_add(lane_abs(before.x), lane_abs(after.x)),
                            lane_add(lane_abs(before.y), lane_abs(after.y)),
                            lane_add(lane_abs(before.z), lane_abs(after.z))};
    const vector_t p_sizes = {lane_abs(p.x), lane_abs(p.y), lane_abs(p.z)};
    to->twice = lane_add(to->twice, vector_dot(p, vector_add(before, after)));
    to->size = lane_add(to->size, vector_dot(p_sizes, sizes));
}

/*
 * Of the sizes of its terms, a gain may have twice what the laws grant themselves of theirs, since
 * velocities are rounded, too.
 *
 * The laws judge energy by K and u0. Where K is nearly singular, its rounding changes p . K p / 2
 * by more than the bodies' energy may be, so that is judged as well, by the velocities after.
 */
#define WORK_UNITS (2 * REGION_UNITS)

static inline mask_t bodies_gain(const pushed_t *a, const pushed_t *b) {
    const push_scales_t s = scales_of(a, b);
    work_t w = {lane_zero(), lane_zero()};
    add_work(&w, &s, a->impulse, a->velocity);
    add_work(&w, &s, a->moment, a->turning);
    add_work(&w, &s, b->impulse, b->velocity);
    add_work(&w, &s, b->moment, b->turning);
    const lanes_t granted = lane_fma(lane_set(WORK_UNITS), w.size, lane_set(REAL_MIN));
    return lane_lt(granted, w.twice);
}

/*
 * True if twice the change, added up without scales, shows that no energy is gained: it is clearly
 * below zero, and no term left the range on either side.
 */
static inline bool surely_lose(mask_t changes, lanes_t twice) {
    const lanes_t least = lane_set(-REAL_MIN / REAL_UNIT);
    const mask_t lose = mask_and(lane_le(lane_set(-REAL_MAX), twice), lane_lt(twice, least));
    return !mask_any(mask_andnot(changes, lose));
}

static inline void mark_gain(response_t *r, mask_t gained) {
    r->outcome = word_or(r->outcome, word_where(gained, IMPINGE_OUTCOME_ENERGY_GAINED));
}

static inline mask_t body_in_range(const body_t *b) {
    return mask_and(vector_finite(b->velocity), vector_finite(b->angular_velocity));
}

static inline vector_t world_impulse(const frame_t *f, const response_t *r) {
    return vector_add(vector_add(vector_scale(r->p1, f->t1), vector_scale(r->p2, f->t2)),
                      vector_scale(r->p3, f->n));
}

/*
 * The contacts whose velocities change, if those of `fits` would fit the precision. The others get
 * no impulse.
 */
static inline mask_t settle(response_t *r, mask_t fits) {
    const mask_t changes = mask_andnot(fits, r->untouched);
    const mask_t lost = mask_andnot(mask_not(fits), r->untouched);
    r->outcome = word_or(r->outcome, word_where(lost, IMPINGE_OUTCOME_OUT_OF_RANGE));
    withhold(r);
    return changes;
}

static inline vector_t untouched_or(const response_t *r, vector_t impulse) {
    const vector_t none = {lane_zero(), lane_zero(), lane_zero()};
    return vector_select(r->untouched, none, impulse);
}

/* Velocities after the impulse. No velocity changes if one of them would not fit the precision. */
static inline vector_t push_apart(response_t *r, const frame_t *f, body_t *a, body_t *b) {
    const vector_t none = {lane_zero(), lane_zero(), lane_zero()};
    const vector_t impulse = untouched_or(r, world_impulse(f, r));
    body_t a_after = *a;
    body_t b_after = *b;
    lanes_t twice = lane_zero();
    body_push(&a_after, impulse, NULL, &twice);
    body_push(&b_after, vector_neg(impulse), NULL, &twice);
    const mask_t changes =
        settle(r, mask_and(mask_and(body_in_range(&a_after), body_in_range(&b_after)),
                           vector_finite(impulse)));
    if (!surely_lose(changes, twice)) {
        const pushed_t of_a = pushed_by(a, impulse, NULL);
        const pushed_t of_b = pushed_by(b, vector_neg(impulse), NULL);
        mark_gain(r, mask_and(changes, bodies_gain(&of_a, &of_b)));
    }
    a->velocity = vector_select(changes, a_after.velocity, a->velocity);
    b->velocity = vector_select(changes, b_after.velocity, b->velocity);
    a->angular_velocity = vector_select(changes, a_after.angular_velocity, a->angular_velocity);
    b->angular_velocity = vector_select(changes, b_after.angular_velocity, b->angular_velocity);
    return vector_select(changes, impulse, none);
}

INLINE void store_impulse(layout_t layout, const NAME(impinge_body_pair_results) * out, size_t i,
                          vector_t impulse, size_t count) {
    const size_t s = stride_of(layout, out->impulse_stride);
    store_lanes_by(s, out->impulse_x, i, impulse.x, count);
    store_lanes_by(s, out->impulse_y, i, impulse.y, count);
    store_lanes_by(s, out->impulse_z, i, impulse.z, count);
}

/* A body's velocities. */
typedef struct motion_of_body {
    vector_t velocity, angular_velocity;
} motion_of_body_t;

INLINE motion_of_body_t load_motion(layout_t layout, const NAME(impinge_pair_side) * side, size_t i,
                                    size_t count) {
    return (motion_of_body_t){load_vector_by(VECTOR_OF(layout, side, velocity), i, count),
                              load_vector_by(VECTOR_OF(layout, side, angular_velocity), i, count)};
}

INLINE void push_one_as(layout_t layout, const NAME(impinge_pair_side) * side, size_t i,
                        size_t count, const vector_t *impulse, motion_of_body_t *after,
                        lanes_t *twice) {
    body_t body = load_body(layout, side, i, count);
    rotation_t rotation;
    const rotation_t *const from =
        rotation_given(layout, &side->orientation, i, count, &body, &rotation);
    body_push(&body, *impulse, from, twice);
    after->velocity = body.velocity;
    after->angular_velocity = body.angular_velocity;
}

/* One body after the other, as they are loaded. */
static APART void push_one(const NAME(impinge_pair_side) * side, size_t i, size_t count,
                           const vector_t *impulse, motion_of_body_t *after, lanes_t *twice) {
    push_one_as(CONTIGUOUS, side, i, count, impulse, after, twice);
}

static APART void push_one_strided(const NAME(impinge_pair_side) * side, size_t i, size_t count,
                                   const vector_t *impulse, motion_of_body_t *after,
                                   lanes_t *twice) {
    push_one_as(AS_GIVEN, side, i, count, impulse, after, twice);
}

INLINE pushed_t pushed_side(const NAME(impinge_pair_side) * side, size_t i, size_t count,
                            vector_t impulse) {
    body_t body = load_body(AS_GIVEN, side, i, count);
    rotation_t rotation;
    const rotation_t *const from =
        rotation_given(AS_GIVEN, &side->orientation, i, count, &body, &rotation);
    return pushed_by(&body, impulse, from);
}

static APART mask_t pairs_gain(const NAME(impinge_body_pairs) * in, size_t i, size_t count,
                               const vector_t *impulse) {
    const pushed_t a = pushed_side(&in->a, i, count, *impulse);
    const pushed_t b = pushed_side(&in->b, i, count, vector_neg(*impulse));
    return bodies_gain(&a, &b);
}

static inline mask_t motion_finite(const motion_of_body_t *m) {
    return mask_and(vector_finite(m->velocity), vector_finite(m->angular_velocity));
}

INLINE void store_motion(layout_t layout, const NAME(impinge_body_results) * out, size_t i,
                         mask_t changes, const motion_of_body_t *after,
                         const motion_of_body_t *before, size_t count) {
    const vector_t velocity = vector_select(changes, after->velocity, before->velocity);
    const vector_t turning =
        vector_select(changes, after->angular_velocity, before->angular_velocity);
    const size_t v = stride_of(layout, out->velocity_stride);
    const size_t w = stride_of(layout, out->angular_velocity_stride);
    store_lanes_by(v, out->velocity_x, i, velocity.x, count);
    store_lanes_by(v, out->velocity_y, i, velocity.y, count);
    store_lanes_by(v, out->velocity_z, i, velocity.z, count);
    store_lanes_by(w, out->angular_velocity_x, i, turning.x, count);
    store_lanes_by(w, out->angular_velocity_y, i, turning.y, count);
    store_lanes_by(w, out->angular_velocity_z, i, turning.z, count);
}

INLINE void store_pairs_as(layout_t layout, const batch_t *batch, size_t i, response_t *r,
                           size_t count) {
    const NAME(impinge_body_pairs) *const in = batch->in;
    const NAME(impinge_body_pair_results) *const out = batch->out;
    const vector_t none = {lane_zero(), lane_zero(), lane_zero()};
    motion_of_body_t a_after, b_after;
    mask_t unit;
    const frame_t f = load_frame(layout, in, i, count, &unit);
    vector_t impulse = untouched_or(r, world_impulse(&f, r));
    const vector_t back = vector_neg(impulse);
    lanes_t twice = lane_zero();
    if (layout == CONTIGUOUS) {
        push_one(&in->a, i, count, &impulse, &a_after, &twice);
        push_one(&in->b, i, count, &back, &b_after, &twice);
    } else {
        push_one_strided(&in->a, i, count, &impulse, &a_after, &twice);
        push_one_strided(&in->b, i, count, &back, &b_after, &twice);
    }
    const mask_t changes =
        settle(r, mask_and(mask_and(motion_finite(&a_after), motion_finite(&b_after)),
                           vector_finite(impulse)));
    if (!batch->impulses_alone && !surely_lose(changes, twice))
        mark_gain(r, mask_and(changes, pairs_gain(in, i, count, &impulse)));
    impulse = vector_select(changes, impulse, none);
    /* Reads everything before the first write: outputs may be the inputs. */
    const motion_of_body_t a = load_motion(layout, &in->a, i, count);
    const motion_of_body_t b = load_motion(layout, &in->b, i, count);
    store_impulse(layout, out, i, impulse, count);
    store_motion(layout, &out->a, i, changes, &a_after, &a, count);
    store_motion(layout, &out->b, i, changes, &b_after, &b, count);
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
