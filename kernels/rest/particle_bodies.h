/* Particles and planes as rows, and back; and the energy that the rest gave them. */
#ifndef IMPINGE_KERNELS_REST_PARTICLE_BODIES_H
#define IMPINGE_KERNELS_REST_PARTICLE_BODIES_H

#include "../lane/row8.h"
#include "../particles.h"
#include "particle_step.h"

#define BODY_INVALID(reason) (IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_INVALID_##reason)

/* A quarter of the range, since sums have four terms. False for NaN, too. */
static inline bool is_length(real_t a) { return a <= LENGTH_MAX / 4 && a >= -LENGTH_MAX / 4; }
static inline bool are_lengths(const real_t a[3]) {
    return is_length(a[0]) && is_length(a[1]) && is_length(a[2]);
}
static inline bool is_finite(real_t a) { return a <= REAL_MAX && a >= -REAL_MAX; }
static inline bool are_finite(const real_t a[3]) {
    return is_finite(a[0]) && is_finite(a[1]) && is_finite(a[2]);
}

/* Numbers of a quarter of the range, as above. */
INLINE mask_t are_vector_lengths(vector_t a) {
    return lane_le(vector_largest(a), lane_set(LENGTH_MAX / 4));
}

INLINE mask_t is_within(lanes_t low, lanes_t a, lanes_t high) {
    return mask_and(lane_le(low, a), lane_le(a, high));
}

/* The numbers of particles: their places and radii, v and 1/m, R omega and R^2 / I. */
typedef struct packed_particles {
    vector_t x, v, s;
    lanes_t radius, inverse_mass, turns;
} packed_particles_t;

/* The words of particles: BODY_MOVES, or the reasons why they take no part. */
INLINE words_t words_of_bodies(const packed_particles_t *b) {
    const lanes_t zero = lane_zero();
    const lanes_t most = lane_set(REAL_MAX);
    const mask_t masses = mask_and(is_within(zero, b->inverse_mass, most), lane_le(zero, b->turns));
    const mask_t speeds = mask_and(vector_finite(b->v), vector_finite(b->s));
    const words_t wrong =
        word_or(word_or(word_unless(vector_finite(b->x), BODY_INVALID(NORMAL)),
                        word_unless(is_within(zero, b->radius, most), BODY_INVALID(ARM))),
                word_or(word_unless(masses, BODY_INVALID(MASS)),
                        word_unless(speeds, BODY_INVALID(VELOCITY))));
    const mask_t mass =
        mask_or(lane_eq(b->inverse_mass, zero),
                is_within(lane_set(4 / MASS_MAX), b->inverse_mass, lane_set(MASS_MAX / 4)));
    const mask_t turns = lane_le(b->turns, lane_mul(lane_set(ARM_MAX), b->inverse_mass));
    const mask_t sizes =
        mask_and(mask_and(are_vector_lengths(b->x), are_vector_lengths(b->v)),
                 mask_and(are_vector_lengths(b->s), lane_le(b->radius, lane_set(LENGTH_MAX / 4))));
    const words_t fits = word_select(mask_and(sizes, mask_and(mass, turns)),
                                     word_where(lane_lt(zero, b->inverse_mass), BODY_MOVES),
                                     word_where(mask_all(), IMPINGE_OUTCOME_OUT_OF_RANGE));
    return word_select(word_has(wrong, ~UINT32_C(0)), wrong, fits);
}

/* Which kicks of a particle's velocity have a size that fits. */
INLINE mask_t are_kicks(const NAME(impinge_kick) * kick, size_t i, size_t count) {
    if (!kick->each_x) return mask_all();
    const vector_t by = load_vector_by(VECTOR_OF(AS_GIVEN, kick, each), i, count);
    return mask_and(vector_finite(by), are_vector_lengths(by));
}

/* Numbers of the rows of consecutive bodies: where each lane's row begins. */
INLINE void rows_from(uint32_t size, size_t i, uint32_t at[LANES]) {
    for (size_t k = 0; k < LANES; k++)
        at[k] = (uint32_t)(i + k) * size;
}

INLINE void store_packed(const NAME(impinge_particle_step_state) * w, size_t i, size_t count,
                         const packed_particles_t *b, words_t word) {
    const mask_t takes_part = mask_not(word_has(word, ~BODY_MOVES));
    const vector_t v = vector_where(takes_part, b->v);
    const vector_t s = vector_where(takes_part, b->s);
    const vector_t x = vector_where(takes_part, b->x);
    const lanes_t row[ROW] = {v.x, v.y, v.z, lane_where(takes_part, b->inverse_mass),
                              s.x, s.y, s.z, lane_where(takes_part, b->turns)};
    const lanes_t place[PLACE_ROW] = {x.x, x.y, x.z, lane_where(takes_part, b->radius)};
    real_t rows[LANES * ROW], places[LANES * PLACE_ROW];
    uint32_t at[LANES];
    const bool whole = count >= LANES;
    store_words(w->body, i, word, count);
    rows_from(ROW, 0, at);
    lane_scatter_row8(whole ? w->rows + i * ROW : rows, at, row);
    rows_from(PLACE_ROW, 0, at);
    lane_scatter4(whole ? w->place + i * PLACE_ROW : places, at, place);
    if (whole) return;
    memcpy(w->rows + i * ROW, rows, count * ROW * sizeof *rows);
    memcpy(w->place + i * PLACE_ROW, places, count * PLACE_ROW * sizeof *places);
}

INLINE void pack_lanes(const NAME(impinge_particle_step_state) * w, layout_t layout, size_t i,
                       size_t count) {
    const NAME(impinge_particles) *const p = w->step->particles;
    const lanes_t zero = lane_zero();
    packed_particles_t b = {.x = load_vector_by(VECTOR_OF(layout, p, position), i, count),
                            .v = load_vector_by(VECTOR_OF(layout, p, velocity), i, count),
                            .s = {zero, zero, zero},
                            .radius = load_lanes_by(COLUMN_OF(layout, p, radius), i, count),
                            .inverse_mass =
                                load_lanes_by(COLUMN_OF(layout, p, inverse_mass), i, count),
                            .turns = zero};
    if (w->spheres) {
        const vector_t omega = load_vector_by(VECTOR_OF(layout, p, angular_velocity), i, count);
        const lanes_t turns = turning_at(layout, p, i, count, b.radius, b.inverse_mass);
        const mask_t movable = mask_and(lane_lt(zero, b.radius), lane_lt(zero, b.inverse_mass));
        b.s = surface_speed(omega, b.radius);
        b.turns = lane_where(movable, turns); /* no NaN of an infinite radius */
    }
    const words_t word = word_select(are_kicks(&w->step->kick, i, count), words_of_bodies(&b),
                                     word_where(mask_all(), BODY_INVALID(VELOCITY)));
    store_packed(w, i, count, &b, word);
}

static void pack_plane(const NAME(impinge_particle_step_state) * w, size_t plane) {
    const NAME(impinge_planes) *const p = w->step->planes;
    const size_t i = w->particles + plane;
    const real_t offset = number_at(COLUMN_OF(AS_GIVEN, p, offset), plane);
    real_t n[3];
    real_t v[3] = {0, 0, 0};
    numbers_at(VECTOR_OF(AS_GIVEN, p, normal), plane, n);
    if (p->velocity_x) numbers_at(VECTOR_OF(AS_GIVEN, p, velocity), plane, v);
    uint32_t word = 0;
    /* A square off 1 by twice as much as a length; a NaN is not below it. */
    if (!are_finite(n) || !is_finite(offset)) word |= BODY_INVALID(NORMAL);
    if (!are_finite(v)) word |= BODY_INVALID(VELOCITY);
    if (!word && (!are_lengths(v) || !is_length(offset))) word = IMPINGE_OUTCOME_OUT_OF_RANGE;
    w->body[i] = word;
    memset(w->rows + i * ROW, 0, ROW * sizeof *w->rows);
    memset(w->place + i * PLACE_ROW, 0, PLACE_ROW * sizeof *w->place);
    for (size_t k = 0; k < 3 && !word; k++)
        w->rows[i * ROW + k] = v[k];
}

/* Bodies first to end - 1. */
static void pack_bodies(const NAME(impinge_particle_step_state) * w, size_t first, size_t end) {
    const bool strided = are_particles_strided(w->step->particles);
    const size_t last = end < w->particles ? end : w->particles;
    for (size_t i = first; i < last; i += LANES) {
        const size_t count = last - i < LANES ? last - i : LANES;
        if (strided)
            pack_lanes(w, AS_GIVEN, i, count);
        else
            pack_lanes(w, CONTIGUOUS, i, count);
    }
    for (size_t i = first < w->particles ? w->particles : first; i < end; i++)
        pack_plane(w, i - w->particles);
}

/* Adds the kick, and stores the state at the beginning of the rest. */
static void begin_bodies(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                         bool kicks) {
    const NAME(impinge_kick) *const kick = &w->step->kick;
    real_t by[4] = {kick->x, kick->y, kick->z, 0};
    for (size_t i = first; i < end; i++) {
        real_t *const row = w->rows + i * ROW;
        if (kicks && w->body[i] == BODY_MOVES) {
            if (kick->each_x) {
                real_t each[3];
                numbers_at(VECTOR_OF(AS_GIVEN, kick, each), i, each);
                by[0] = kick->x + each[0];
                by[1] = kick->y + each[1];
                by[2] = kick->z + each[2];
            }
            for (size_t k = 0; k < 4; k++)
                row[k] += by[k];
        }
        memcpy(w->before + i * ROW, row, ROW * sizeof *row);
    }
}

/*
 * The changes of bodies by the rest: their shares of A = sum p.u_0 and of B = 1/2 sum p.W p, which
 * are m v_0.dv + ... and 1/2 m dv^2 + ...; and the bodies' energies before.
 */
static void weigh_bodies(const NAME(impinge_particle_step_state) * w, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        double *const to = w->energy + 3 * i;
        const real_t *const before = w->before + i * ROW;
        const real_t *const after = w->rows + i * ROW;
        to[0] = to[1] = to[2] = 0;
        if (w->body[i] != BODY_MOVES) continue;
        for (size_t part = 0; part < ROW; part += ROW_SURFACE) {
            if (!(before[part + 3] > 0)) continue;
            double linear = 0;
            double square = 0;
            double was = 0;
            for (size_t k = part; k < part + 3; k++) {
                const double change = (double)after[k] - (double)before[k];
                linear += (double)before[k] * change;
                square += change * change;
                was += (double)before[k] * (double)before[k];
            }
            const double mass = 1 / (double)before[part + 3];
            to[0] += mass * linear;
            to[1] += mass * square / 2;
            to[2] += mass * was / 2;
        }
    }
}

/* Scales back the changes by the rest, for bodies of islands that gained energy. */
static void scale_bodies(const NAME(impinge_particle_step_state) * w, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        const double alpha = w->gained[3 * (size_t)w->island[i]];
        if (w->body[i] != BODY_MOVES || !(alpha < 1)) continue;
        for (size_t k = 0; k < ROW; k++) {
            const double before = (double)w->before[i * ROW + k];
            const double change = (double)w->rows[i * ROW + k] - before;
            w->rows[i * ROW + k] = (real_t)(before + alpha * change);
        }
    }
}

/* Displacements of 0, in the rows of places. */
static void begin_places(const NAME(impinge_particle_step_state) * w, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        real_t *const to = w->place + i * PLACE_ROW;
        to[0] = to[1] = to[2] = 0;
        to[3] = w->rows[i * ROW + 3];
    }
}

/* Numbers that did not change keep their bits. */
INLINE vector_t vector_changed(vector_t was, vector_t change, vector_t now) {
    const lanes_t zero = lane_zero();
    return (vector_t){lane_select(lane_eq(change.x, zero), was.x, now.x),
                      lane_select(lane_eq(change.y, zero), was.y, now.y),
                      lane_select(lane_eq(change.z, zero), was.z, now.z)};
}

INLINE void unpack_lanes(const NAME(impinge_particle_step_state) * w, layout_t layout, size_t i,
                         size_t count, bool moved) {
    const NAME(impinge_particles) *const p = w->step->particles;
    const mask_t moves = word_has(word_load(w->body + i), BODY_MOVES);
    uint32_t at[LANES];
    lanes_t row[ROW];
    rows_from(ROW, i, at);
    lane_gather_row8(w->rows, at, row);
    const vector_t v = load_vector_by(VECTOR_OF(layout, p, velocity), i, count);
    store_vector_by(VECTOR_OF(layout, p, velocity), i,
                    vector_select(moves, (vector_t){row[0], row[1], row[2]}, v), count);
    if (w->spheres) {
        const lanes_t radius = load_lanes_by(COLUMN_OF(layout, p, radius), i, count);
        const mask_t turns = mask_and(moves, lane_lt(lane_zero(), radius));
        const vector_t omega = load_vector_by(VECTOR_OF(layout, p, angular_velocity), i, count);
        const vector_t s = {row[4], row[5], row[6]};
        const vector_t change = vector_sub(s, vector_scale(radius, omega));
        const vector_t by = {lane_div(change.x, radius), lane_div(change.y, radius),
                             lane_div(change.z, radius)};
        const vector_t now = vector_add(omega, by);
        store_vector_by(VECTOR_OF(layout, p, angular_velocity), i,
                        vector_select(turns, vector_changed(omega, change, now), omega), count);
    }
    if (!moved) return;
    lanes_t by[PLACE_ROW];
    rows_from(PLACE_ROW, i, at);
    lane_gather4(w->place, 1, at, by);
    const vector_t shift = {by[0], by[1], by[2]};
    const vector_t x = load_vector_by(VECTOR_OF(layout, p, position), i, count);
    const vector_t now = vector_changed(x, shift, vector_add(x, shift));
    store_vector_by(VECTOR_OF(layout, p, position), i, vector_select(moves, now, x), count);
}

static void unpack_bodies(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                          bool moved) {
    const bool strided = are_particles_strided(w->step->particles);
    const size_t last = end < w->particles ? end : w->particles;
    for (size_t i = first; i < last; i += LANES) {
        const size_t count = last - i < LANES ? last - i : LANES;
        if (strided)
            unpack_lanes(w, AS_GIVEN, i, count, moved);
        else
            unpack_lanes(w, CONTIGUOUS, i, count, moved);
    }
}

#endif
