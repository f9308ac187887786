/* Contacts given by K and u0: reads them, and writes their results. */
#ifndef IMPINGE_KERNELS_CONTACTS_H
#define IMPINGE_KERNELS_CONTACTS_H

#include "batch.h"
#include "element.h"
#include "laws/list.h"
#include "speed.h"
#include "vector.h"

/*
 * The distance at which cache lines are prefetched. A contact's numbers come from more arrays than
 * a CPU's own prefetchers follow; eight lines of 64 bytes cover about the latency of memory. 0:
 * loads and stores prefetch nothing.
 */
#ifndef IMPINGE_AHEAD_LINES
#define IMPINGE_AHEAD_LINES 8
#endif
#define AHEAD ((size_t)IMPINGE_AHEAD_LINES * 64)

static lanes_t load_strided(const real_t *a, size_t stride, size_t i, size_t count) {
    real_t values[LANES] = {0};
    for (size_t j = 0; j < count && j < LANES; j++)
        values[j] = a[(i + j) * stride];
    return lane_load(values);
}

/* Elements `index`, one for each lane. */
static lanes_t gather_strided(const real_t *a, size_t stride, const uint32_t *index) {
    real_t values[LANES];
    for (size_t j = 0; j < LANES; j++)
        values[j] = a[index[j] * stride];
    return lane_load(values);
}

static void store_strided(real_t *to, size_t stride, size_t i, lanes_t a, size_t count) {
    real_t values[LANES];
    lane_store(values, a);
    for (size_t j = 0; j < count && j < LANES; j++)
        to[(i + j) * stride] = values[j];
}

static void store_words_strided(uint32_t *to, size_t stride, size_t i, words_t a, size_t count) {
    uint32_t values[LANES];
    word_store(values, a);
    for (size_t j = 0; j < count && j < LANES; j++)
        to[(i + j) * stride] = values[j];
}

/* `count` elements from a + i, at most LANES; zeros in the lanes beyond. */
INLINE lanes_t load_lanes(const real_t *a, size_t i, size_t count) {
    if (AHEAD > 0) lane_prefetch(a + i, AHEAD);
    return count >= LANES ? lane_load(a + i) : lane_load_first(a + i, count);
}

INLINE lanes_t load_lanes_by(size_t stride, const real_t *a, size_t i, size_t count) {
    return stride == 1 ? load_lanes(a, i, count) : load_strided(a, stride, i, count);
}

INLINE vector_t load_vector(const real_t *x, const real_t *y, const real_t *z, size_t i,
                            size_t count) {
    return (vector_t){load_lanes(x, i, count), load_lanes(y, i, count), load_lanes(z, i, count)};
}

INLINE vector_t load_vector_by(size_t stride, const real_t *x, const real_t *y, const real_t *z,
                               size_t i, size_t count) {
    return (vector_t){load_lanes_by(stride, x, i, count), load_lanes_by(stride, y, i, count),
                      load_lanes_by(stride, z, i, count)};
}

INLINE lanes_t gather_by(size_t stride, const real_t *a, const uint32_t *index) {
    return stride == 1 ? lane_gather(a, index) : gather_strided(a, stride, index);
}

INLINE vector_t gather_vector_by(size_t stride, const real_t *x, const real_t *y, const real_t *z,
                                 const uint32_t *index) {
    return (vector_t){gather_by(stride, x, index), gather_by(stride, y, index),
                      gather_by(stride, z, index)};
}

INLINE void store_lanes(real_t *to, size_t i, lanes_t a, size_t count) {
    if (!to) return;
    if (AHEAD > 0) lane_prefetch_write(to + i, AHEAD);
    if (count >= LANES)
        lane_store(to + i, a);
    else
        lane_store_first(to + i, a, count);
}

INLINE void store_lanes_by(size_t stride, real_t *to, size_t i, lanes_t a, size_t count) {
    if (stride == 1)
        store_lanes(to, i, a, count);
    else if (to)
        store_strided(to, stride, i, a, count);
}

INLINE void store_vector_by(size_t stride, real_t *x, real_t *y, real_t *z, size_t i, vector_t a,
                            size_t count) {
    store_lanes_by(stride, x, i, a.x, count);
    store_lanes_by(stride, y, i, a.y, count);
    store_lanes_by(stride, z, i, a.z, count);
}

INLINE void store_words(uint32_t *to, size_t i, words_t a, size_t count) {
    if (!to) return;
    if (count >= LANES)
        word_store(to + i, a);
    else
        word_store_first(to + i, a, count);
}

INLINE void store_words_by(size_t stride, uint32_t *to, size_t i, words_t a, size_t count) {
    if (stride == 1)
        store_words(to, i, a, count);
    else if (to)
        store_words_strided(to, stride, i, a, count);
}

/* The results that every level has besides impulses and velocities. */
typedef struct other_results {
    real_t *compression, *restitution, *friction; /* works */
    uint32_t *outcome;
    size_t work_stride, outcome_stride;
} other_results_t;

#define OTHER_RESULTS(out)                                                                         \
    ((other_results_t){(out)->work_compression, (out)->work_restitution, (out)->work_friction,     \
                       (out)->outcome, (out)->work_stride, (out)->outcome_stride})

INLINE void store_other_results(layout_t layout, other_results_t out, size_t i, const response_t *r,
                                size_t count) {
    const size_t work = stride_of(layout, out.work_stride);
    store_lanes_by(work, out.compression, i, r->work_compression, count);
    store_lanes_by(work, out.restitution, i, r->work_restitution, count);
    store_lanes_by(work, out.friction, i, r->work_friction, count);
    store_words_by(stride_of(layout, out.outcome_stride), out.outcome, i, r->outcome, count);
}

/* Elements from `index` on: in place, or a copy of LANES of them. */
INLINE const uint32_t *load_words_by(size_t stride, const uint32_t *index, size_t i,
                                     uint32_t copy[LANES]) {
    if (stride == 1) return index + i;
    for (size_t j = 0; j < LANES; j++)
        copy[j] = index[(i + j) * stride];
    return copy;
}

INLINE lanes_t load_coefficient(layout_t layout, const NAME(impinge_coefficient) * c, size_t i,
                                size_t count) {
    return c->values ? load_lanes_by(stride_of(layout, c->stride), c->values, i, count)
                     : lane_set(c->value);
}

/* The coefficient, or zero if the law does not read it: zero is legal for all of them. */
INLINE lanes_t load_coefficient_if(bool has, layout_t layout, const NAME(impinge_coefficient) * c,
                                   size_t i, size_t count) {
    return has ? load_coefficient(layout, c, i, count) : lane_zero();
}

/* Not given: all zero. */
static inline bool is_given(const NAME(impinge_coefficient) * c) {
    return c->values || c->value != 0 || c->given;
}

INLINE void require(contact_t *contact, mask_t legal) {
    contact->invalid =
        word_or(contact->invalid, word_where(mask_not(legal), IMPINGE_OUTCOME_INVALID_COEFFICIENT));
}

/* e = 2 f - 1, exact for f >= 1/2 (Hakenberg: a fraction f of the elastic impulse). */
INLINE lanes_t restitution_of_fraction(lanes_t f) { return lane_sub(lane_add(f, f), lane_set(1)); }

INLINE void require_fraction(contact_t *contact, lanes_t f) {
    const mask_t legal = mask_and(lane_le(lane_set(REAL(0.5)), f), lane_le(f, lane_set(1)));
    require(contact, legal);
    contact->restitution = lane_select(legal, restitution_of_fraction(f), lane_zero());
}

/* Restitution by the approach speed, in the lanes that approach. u_n must be set. */
static __attribute__((noinline)) lanes_t modelled_restitution(const NAME(impinge_restitution) * is,
                                                              lanes_t given, lanes_t u_n) {
    const mask_t approaches = lane_lt(u_n, lane_zero());
    const lanes_t speed = lane_select(approaches, lane_neg(u_n), lane_set(1));
    return lane_select(approaches, restitution_of_speed(is, given, speed), given);
}

/* contact->u3 must be set. */
INLINE void load_coefficients(contact_t *contact, layout_t layout,
                              const NAME(impinge_coefficients) * c, impinge_law law, size_t i,
                              size_t count) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const bool rubs = law_has(law, IMPINGE_LAW_READS_FRICTION);
    const bool holds = law_has(law, IMPINGE_LAW_READS_STATIC_FRICTION);
    const bool tangential = law_has(law, IMPINGE_LAW_READS_TANGENTIAL_RESTITUTION);
    const bool mixes = law_has(law, IMPINGE_LAW_READS_MIX);
    const bool ratios = law_has(law, IMPINGE_LAW_READS_IMPULSE_RATIOS);
    const bool damps = law_has(law, IMPINGE_LAW_READS_DAMPING_FRACTION);
    contact->invalid = word_where(mask_none(), 0);
    if (damps && is_given(&c->damping_fraction))
        require_fraction(contact, load_coefficient(layout, &c->damping_fraction, i, count));
    else
        contact->restitution = load_coefficient(layout, &c->restitution, i, count);
    if (c->model)
        contact->restitution = modelled_restitution(c->model, contact->restitution, contact->u3);
    contact->friction = load_coefficient_if(rubs, layout, &c->friction, i, count);
    contact->friction_static = holds && is_given(&c->friction_static)
                                   ? load_coefficient(layout, &c->friction_static, i, count)
                                   : contact->friction;
    contact->tangential_restitution =
        load_coefficient_if(tangential, layout, &c->tangential_restitution, i, count);
    contact->mix = load_coefficient_if(mixes, layout, &c->mix, i, count);
    contact->impulse_ratio_1 = load_coefficient_if(ratios, layout, &c->impulse_ratio_t1, i, count);
    contact->impulse_ratio_2 = load_coefficient_if(ratios, layout, &c->impulse_ratio_t2, i, count);
    if (tangential) require(contact, lane_le(lane_abs(contact->tangential_restitution), one));
    if (mixes) require(contact, mask_and(lane_le(zero, contact->mix), lane_le(contact->mix, one)));
    if (ratios)
        require(contact, all_finite3(contact->impulse_ratio_1, contact->impulse_ratio_2, zero));
}

INLINE contact_t load_matrix(layout_t layout, const NAME(impinge_contacts) * in, size_t i,
                             size_t count) {
    const size_t k = stride_of(layout, in->matrix_stride);
    const size_t u = stride_of(layout, in->velocity_stride);
    contact_t contact;
    contact.k11 = load_lanes_by(k, in->k11, i, count);
    contact.k12 = load_lanes_by(k, in->k12, i, count);
    contact.k13 = load_lanes_by(k, in->k13, i, count);
    contact.k22 = load_lanes_by(k, in->k22, i, count);
    contact.k23 = load_lanes_by(k, in->k23, i, count);
    contact.k33 = load_lanes_by(k, in->k33, i, count);
    contact.u1 = load_lanes_by(u, in->u1, i, count);
    contact.u2 = load_lanes_by(u, in->u2, i, count);
    contact.u3 = load_lanes_by(u, in->u3, i, count);
    return contact;
}

/* True if any array of the level has a stride other than 1. */
static inline bool are_coefficients_strided(const NAME(impinge_coefficients) * c) {
    return is_strided(c->restitution.stride) || is_strided(c->friction.stride) ||
           is_strided(c->friction_static.stride) || is_strided(c->tangential_restitution.stride) ||
           is_strided(c->mix.stride) || is_strided(c->impulse_ratio_t1.stride) ||
           is_strided(c->impulse_ratio_t2.stride) || is_strided(c->damping_fraction.stride);
}

static inline layout_t layout_of_contacts(const NAME(impinge_contacts) * in,
                                          const NAME(impinge_contact_results) * out) {
    const bool strided = are_coefficients_strided(&in->coefficients) ||
                         is_strided(in->matrix_stride) || is_strided(in->velocity_stride) ||
                         is_strided(out->impulse_stride) || is_strided(out->velocity_stride) ||
                         is_strided(out->work_stride) || is_strided(out->outcome_stride);
    return strided ? AS_GIVEN : CONTIGUOUS;
}

INLINE void store_results(layout_t layout, const NAME(impinge_contacts) * in,
                          const NAME(impinge_contact_results) * out, size_t i, response_t *r,
                          size_t count) {
    /* Read before the first write: outputs may be the inputs. */
    if (mask_any(r->untouched)) {
        const size_t u = stride_of(layout, in->velocity_stride);
        r->u1 = lane_select(r->untouched, load_lanes_by(u, in->u1, i, count), r->u1);
        r->u2 = lane_select(r->untouched, load_lanes_by(u, in->u2, i, count), r->u2);
        r->u3 = lane_select(r->untouched, load_lanes_by(u, in->u3, i, count), r->u3);
    }
    const size_t impulse = stride_of(layout, out->impulse_stride);
    const size_t velocity = stride_of(layout, out->velocity_stride);
    store_lanes_by(impulse, out->p1, i, r->p1, count);
    store_lanes_by(impulse, out->p2, i, r->p2, count);
    store_lanes_by(impulse, out->p3, i, r->p3, count);
    store_lanes_by(velocity, out->u1_after, i, r->u1, count);
    store_lanes_by(velocity, out->u2_after, i, r->u2, count);
    store_lanes_by(velocity, out->u3_after, i, r->u3, count);
    store_other_results(layout, OTHER_RESULTS(out), i, r, count);
}

#endif
