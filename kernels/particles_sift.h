/*
 * Finds the contacts of a list that may touch, where few do: places and radii alone are packed into
 * rows, and only the numbers of those contacts are kept, including all that are not ordinary. The
 * others are apart, whatever their velocities, masses and coefficients are, which are not read.
 *
 * Places in f64 are rounded to f32, and radii are enlarged by as much as that may move them:
 * contacts that are kept by mistake are found to be apart later.
 */
#ifndef IMPINGE_KERNELS_PARTICLES_SIFT_H
#define IMPINGE_KERNELS_PARTICLES_SIFT_H

#include "particles_collide.h"

#if IMPINGE_REAL_BITS == 32

/* Contacts whose bits are collected. */
#define SIFTED 64

/* Returns whether no square of a distance overflows and no square of a reach underflows. */
INLINE bool pack_places_lanes(const NAME(impinge_particles) * p, layout_t layout, real_t *places,
                              size_t i, size_t count) {
    const vector_t x = load_vector_by(VECTOR_OF(layout, p, position), i, count);
    const lanes_t radius = load_lanes_by(COLUMN_OF(layout, p, radius), i, count);
    const lanes_t place[4] = {x.x, x.y, x.z, radius};
    lane_store4(places + i * ROW4, ROW4, place);
    /* Each is tested: the maximum of several numbers may drop a NaN. */
    const mask_t near = lane_le(vector_largest(x), lane_set(LENGTH_MAX / 4));
    return mask_every(mask_and(mask_and(near, vector_finite(x)), is_radius_ordinary(radius)));
}

INLINE bool pack_places_by(const NAME(impinge_particles) * p, layout_t layout, real_t *places) {
    bool ordinary = true;
    size_t i = 0;
    for (; p->count - i >= LANES; i += LANES)
        ordinary &= pack_places_lanes(p, layout, places, i, LANES);
    if (i < p->count) ordinary &= pack_places_lanes(p, layout, places, i, p->count - i);
    return ordinary;
}

STAGE bool pack_places(const NAME(impinge_particles) * p, layout_t layout, real_t *places) {
    return layout == CONTIGUOUS ? pack_places_by(p, CONTIGUOUS, places)
                                : pack_places_by(p, AS_GIVEN, places);
}

/* The bits of those of LANES contacts, or as many as are left, that may touch. */
INLINE uint64_t sift_lanes(const collide_t *c, from_t source, const uint32_t *a, const uint32_t *b,
                           size_t left) {
    ids_t is;
    looked_t l;
    mask_t odd;
    load_ids(&is, a, b, left);
    lanes_t between[ROW8];
    row_signs_t signs = no_row_signs();
    numbers_between(c, source, &is, false, between, &signs);
    const mask_t touches = may_touch(c, source, between, &l, &odd);
    mask_t may = mask_or(touches, odd);
    if (!is_checked(source) && has_row_sign(signs)) may = mask_all();
    if (left < LANES) may = mask_and(may, mask_first(left));
    return mask_bits(may);
}

/* The bits of SIFTED contacts, or as many as are left. */
INLINE uint64_t sift_some(const collide_t *c, from_t source, const uint32_t *a, const uint32_t *b,
                          size_t left) {
    uint64_t may = 0;
    if (left >= SIFTED) /* mostly; without a test of how many are left for each vector */
        for (size_t j = 0; j < SIFTED; j += LANES)
            may |= sift_lanes(c, source, a + j, b + j, LANES) << j;
    else
        for (size_t j = 0; j < left; j += LANES)
            may |= sift_lanes(c, source, a + j, b + j, left - j) << j;
    return may;
}

/*
 * The contacts from `first` on, counted from that of the call. A jump for each 64 of them, not for
 * each vector: where one contact in 25 touches, every second jump could not be predicted.
 */
INLINE size_t sift_through(const collide_t *call, from_t source, size_t first, size_t count,
                           uint32_t *to) {
    const collide_t copy = *call; /* see look_through */
    const collide_t *const c = &copy;
    const size_t number = first - c->call.selected.first;
    size_t found = 0;
    for (size_t i = 0; i < count; i += SIFTED) {
        uint64_t may = sift_some(c, source, c->span_a + i, c->span_b + i, count - i);
        for (; may != 0; may &= may - 1)
            to[found++] = (uint32_t)(number + i + (size_t)__builtin_ctzll(may));
    }
    return found;
}

STAGE size_t sift_span(const collide_t *c, size_t first, size_t count, uint32_t *to) {
    return sift_through(c, FROM_PLACES, first, count, to);
}

STAGE size_t sift_ordinary_span(const collide_t *c, size_t first, size_t count, uint32_t *to) {
    return sift_through(c, FROM_ORDINARY_PLACES, first, count, to);
}

/* The same where an index is out of range: its vector is kept whole. */
STAGE size_t sift_odd_span(const collide_t *c, size_t first, size_t count, uint32_t *to) {
    const size_t number = first - c->call.selected.first;
    size_t found = 0;
    for (size_t j = 0; j < count; j += LANES) {
        const size_t lanes = count - j < LANES ? count - j : LANES;
        uint64_t may = 0;
        for (size_t k = j; k < j + lanes; k++)
            if (c->span_a[k] >= c->count || c->span_b[k] >= c->count) may = ALL_LANES;
        if (may == 0) may = sift_lanes(c, FROM_PLACES, c->span_a + j, c->span_b + j, lanes);
        for (size_t k = 0; k < lanes; k++)
            if (may >> k & 1) to[found++] = (uint32_t)(number + j + k);
    }
    return found;
}

_Static_assert((int)ROW4 == (int)IMPINGE_PLACE_ROW, "a place is a row of four");
_Static_assert(SPAN <= IMPINGE_SIFT_SPARE, "a span is searched whole");

/*
 * Writes the numbers, counted from selected.first, of contacts that may touch. Returns how many
 * they are, or, if they are more than `room`, some number above it. There is at least one particle.
 */
static size_t sift_pairs(const NAME(impinge_particles) * particles,
                         const NAME(impinge_particle_contacts) * in, selected_t selected,
                         real_t *places, uint32_t *numbers, size_t room) {
    const NAME(impinge_particle_results) nothing = {.outcome = NULL};
    const impinge_options options = {.law = IMPINGE_LAW_FRICTIONLESS};
    found_t spans; /* copies of indices that stand apart */
    collide_t c = {.call = call_of(particles, in, selected, &options, &nothing, NULL),
                   .count = particles->count,
                   .particles = particles,
                   .before8 = places};
    c.use.layout = layout_of(&c.call);
    const bool ordinary = pack_places(particles, c.use.layout, places);
    const size_t end = selected.first + selected.count;
    size_t found = 0;
    size_t count;
    for (size_t i = selected.first; i < end && found <= room; i += count) {
        count = end - i < SPAN ? end - i : SPAN;
        const bool in_range = take_span(&c, i, count, &spans);
        found += !in_range  ? sift_odd_span(&c, i, count, numbers + found)
                 : ordinary ? sift_ordinary_span(&c, i, count, numbers + found)
                            : sift_span(&c, i, count, numbers + found);
    }
    return found;
}

#else

/*
 * A coordinate x is rounded by 2^-24 |x|; the period by 2^-24 of itself, once for each period
 * between two particles; and a difference as its terms are. For each particle this is at most 2^-22
 * of the size below in each coordinate; twice that allows for the sum of three squares and the
 * rounding of the radius.
 */
#define PLACE_ERROR 0x1p-21f

/*
 * Places beyond the range of f32 become infinite, and NaN stays: sift_pairs keeps them. It keeps
 * negative radii, too, however small; so the sign stays. (A comparison would keep compilers from
 * vectors.)
 */
INLINE void coarsen_by(const NAME(impinge_particles) * p, layout_t layout, float *const to[4]) {
    const size_t place = stride_of(layout, p->position_stride);
    const size_t radius = stride_of(layout, p->radius_stride);
    const real_t *const x = p->position_x;
    const real_t *const y = p->position_y;
    const real_t *const z = p->position_z;
    const real_t *const of = p->radius;
    float *const restrict to_x = to[0];
    float *const restrict to_y = to[1];
    float *const restrict to_z = to[2];
    float *const restrict to_r = to[3];
    const float period = (float)(p->period_x + p->period_y + p->period_z);
    for (size_t i = 0; i < p->count; i++) {
        const float at_x = (float)x[i * place];
        const float at_y = (float)y[i * place];
        const float at_z = (float)z[i * place];
        const float r = (float)of[i * radius];
        const float far = fabsf(at_x) + fabsf(at_y) + fabsf(at_z) + period;
        const float larger = r * (1 + PLACE_ERROR) + PLACE_ERROR * far;
        to_x[i] = at_x;
        to_y[i] = at_y;
        to_z[i] = at_z;
        to_r[i] = copysignf(larger, r);
    }
}

STAGE void coarsen_places(const NAME(impinge_particles) * p, float *const to[4]) {
    are_particles_strided(p) ? coarsen_by(p, AS_GIVEN, to) : coarsen_by(p, CONTIGUOUS, to);
}

#endif

#endif
