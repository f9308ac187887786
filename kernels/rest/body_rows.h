/* Copies bodies into rows of the workspace, in the world's frame, and their velocities back. */
#ifndef IMPINGE_KERNELS_REST_BODY_ROWS_H
#define IMPINGE_KERNELS_REST_BODY_ROWS_H

#include "../body.h"
#include "../lane/row8.h"
#include "body_rest.h"

typedef NAME(impinge_body_rest) rest_t;

/* A body of a set by itself, without a contact: it has no arm. */
static inline body_t load_body_alone(const NAME(impinge_bodies) * b, size_t i, size_t count) {
    return (body_t){
        .inverse_mass = load_lanes_by(COLUMN_OF(AS_GIVEN, b, inverse_mass), i, count),
        .inverse_inertia = load_tensor_by(TENSOR_OF(AS_GIVEN, b), i, count),
        .arm = {lane_zero(), lane_zero(), lane_zero()},
        .velocity = load_vector_by(VECTOR_OF(AS_GIVEN, b, velocity), i, count),
        .angular_velocity = load_vector_by(VECTOR_OF(AS_GIVEN, b, angular_velocity), i, count),
    };
}

static inline mask_t is_movable(const body_t *b) {
    const tensor_t *const t = &b->inverse_inertia;
    const vector_t diagonal = {t->xx, t->yy, t->zz};
    const vector_t products = {t->xy, t->xz, t->yz};
    const lanes_t largest = lane_max(vector_largest(diagonal), vector_largest(products));
    return mask_not(lane_eq(max3(lane_abs(b->inverse_mass), largest, lane_zero()), lane_zero()));
}

/* Lanes beyond `count` are written to rows that are never read. */
static inline void row_indices(const rest_t *r, size_t i, size_t count, uint32_t index[LANES]) {
    for (size_t j = 0; j < LANES; j++)
        index[j] = (uint32_t)((j < count ? i + j : r->bodies->count + 1) * BODY_ROW);
}

static inline void to_row(real_t *rows, const uint32_t index[LANES], vector_t v, vector_t w) {
    const lanes_t zero = lane_zero();
    const lanes_t row[8] = {v.x, v.y, v.z, zero, w.x, w.y, w.z, zero};
    lane_scatter_row8(rows, index, row);
}

static inline void from_row(const real_t *rows, const uint32_t index[LANES], vector_t *v,
                            vector_t *w) {
    lanes_t row[8];
    lane_gather_row8(rows, index, row);
    *v = (vector_t){row[0], row[1], row[2]};
    *w = (vector_t){row[4], row[5], row[6]};
}

static void pack_bodies(const rest_t *r, size_t first, size_t count) {
    const NAME(impinge_bodies) *const set = r->bodies;
    for (size_t i = first; i < first + count; i += LANES) {
        const size_t n = first + count - i < LANES ? first + count - i : LANES;
        uint32_t index[LANES];
        row_indices(r, i, n, index);
        body_t b = load_body_alone(set, i, n);
        const mask_t movable = is_movable(&b);
        words_t word = body_check(&b);
        word = word_or(word, body_to_world(AS_GIVEN, &b, &set->orientation, i, n));
        word = word_or(word, word_where(movable, BODY_MOVABLE));
        if (n == LANES)
            word_store(r->body_word + i, word);
        else
            word_store_first(r->body_word + i, word, n);
        to_row(r->rows, index, b.velocity, b.angular_velocity);
        to_row(r->start, index, b.velocity, b.angular_velocity);
        const tensor_t *const t = &b.inverse_inertia;
        const lanes_t mass[8] = {b.inverse_mass, t->xx, t->xy, t->xz,
                                 t->yy,          t->yz, t->zz, lane_zero()};
        lane_scatter_row8(r->mass, index, mass);
    }
}

/* The velocities of bodies that an impulse has changed. */
static void unpack_bodies(const rest_t *r, size_t first, size_t count) {
    const NAME(impinge_bodies) *const set = r->bodies;
    real_t *const to[6] = {set->velocity_x,         set->velocity_y,
                           set->velocity_z,         set->angular_velocity_x,
                           set->angular_velocity_y, set->angular_velocity_z};
    const size_t v_stride = stride_of(AS_GIVEN, set->velocity_stride);
    const size_t w_stride = stride_of(AS_GIVEN, set->angular_velocity_stride);
    const bool turned = is_oriented(&set->orientation) && !set->orientation.world_angular_velocity;
    for (size_t i = first; i < first + count; i += LANES) {
        const size_t n = first + count - i < LANES ? first + count - i : LANES;
        uint32_t index[LANES];
        row_indices(r, i, n, index);
        vector_t v, w, v0, w0;
        from_row(r->rows, index, &v, &w);
        from_row(r->start, index, &v0, &w0);
        const vector_t dv = vector_sub(v, v0);
        vector_t dw = vector_sub(w, w0);
        const mask_t same = lane_eq(lane_add(vector_largest(dv), vector_largest(dw)), lane_zero());
        uint32_t changed = mask_bits(mask_not(same));
        if (changed == 0) continue;
        if (turned) {
            mask_t valid;
            const rotation_t to_world = rotation_at(AS_GIVEN, &set->orientation, i, n, &valid);
            const rotation_t back = transposed(&to_world);
            dw = rotate(&back, dw);
            w = vector_add(load_vector_by(w_stride, to[3], to[4], to[5], i, n), dw);
        }
        real_t columns[6][LANES];
        const lanes_t after[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
        for (int k = 0; k < 6; k++)
            lane_store(columns[k], after[k]);
        for (size_t j = 0; j < n; j++) {
            const uint32_t word = r->body_word[i + j];
            if (!(changed >> j & 1) || word != BODY_MOVABLE) continue;
            for (int k = 0; k < 6; k++)
                to[k][(i + j) * (k < 3 ? v_stride : w_stride)] = columns[k][j];
        }
    }
}

#endif
