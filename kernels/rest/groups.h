/* Groups of pairs: their columns, the rows of their bodies, and the impulses upon those. */
#ifndef IMPINGE_KERNELS_REST_GROUPS_H
#define IMPINGE_KERNELS_REST_GROUPS_H

#include "../algebraic.h"
#include "body_rows.h"

static inline real_t *slot_at(const rest_t *r, const rest_group *group, size_t slot) {
    return r->column + (group->slot + slot * LANES) * REST_COLUMNS;
}

static inline const uint32_t *numbers_at(const rest_t *r, const rest_group *group, size_t slot) {
    return r->number + group->slot + slot * LANES;
}

static inline real_t *pair_at(const rest_t *r, const rest_group *group) {
    return r->pair_column + group->lane * PAIR_COLUMNS;
}

static inline lanes_t load_column(const real_t *columns, int which) {
    return lane_load(columns + which * LANES);
}

static inline void store_column(real_t *columns, int which, lanes_t a) {
    lane_store(columns + which * LANES, a);
}

static inline vector_t vector_in(const real_t *columns, int which) {
    return (vector_t){load_column(columns, which), load_column(columns, which + 1),
                      load_column(columns, which + 2)};
}

static inline void store_vector(real_t *columns, int which, vector_t a) {
    store_column(columns, which, a.x);
    store_column(columns, which + 1, a.y);
    store_column(columns, which + 2, a.z);
}

static inline tangent_t tangent_in(const real_t *columns, int which) {
    return (tangent_t){load_column(columns, which), load_column(columns, which + 1)};
}

static inline void store_tangent(real_t *columns, int which, tangent_t a) {
    store_column(columns, which, a.x);
    store_column(columns, which + 1, a.y);
}

/* The velocities of the two bodies of each lane. */
/*
 * Rows are the velocities at the start plus those that impulses give. What rounding takes from them
 * while impulses are large they do not get back when sweeps take these away: see body_swamped.c. If
 * the impulses of n contacts of a body add up to so many times its velocity, that is at most 5 n /
 * 2 units of rounding of the velocity.
 */
#define SWAMPING REAL(4.0)

typedef struct two_bodies {
    vector_t v_a, w_a, v_b, w_b;
} two_bodies_t;

INLINE void load_two_bodies(const rest_t *r, const real_t *rows, const rest_group *group,
                            two_bodies_t *c) {
    from_row(rows, r->from_a + group->lane, &c->v_a, &c->w_a);
    from_row(rows, r->from_b + group->lane, &c->v_b, &c->w_b);
}

INLINE void store_two_bodies(const rest_t *r, real_t *rows, const rest_group *group,
                             const two_bodies_t *c) {
    to_row(rows, r->to_a + group->lane, c->v_a, c->w_a);
    to_row(rows, r->to_b + group->lane, c->v_b, c->w_b);
}

/* Sums over several contacts of a pair: their impulses, and the moments about both centres. */
typedef struct pair_push {
    vector_t impulse, moment_a, moment_b;
} pair_push_t;

static inline pair_push_t push_none(void) {
    const vector_t none = {lane_zero(), lane_zero(), lane_zero()};
    return (pair_push_t){none, none, none};
}

/* b + s a. */
static inline vector_t vector_fma(lanes_t s, vector_t a, vector_t b) {
    return (vector_t){lane_fma(s, a.x, b.x), lane_fma(s, a.y, b.y), lane_fma(s, a.z, b.z)};
}

static inline void push_add(pair_push_t *p, vector_t arm_a, vector_t arm_b, vector_t impulse) {
    p->impulse = vector_add(p->impulse, impulse);
    p->moment_a = vector_add(p->moment_a, vector_cross_coarse(arm_a, impulse));
    p->moment_b = vector_add(p->moment_b, vector_cross_coarse(arm_b, impulse));
}

/* b + T a, where T is in columns from `which` on: xx, xy, xz, yy, yz, zz. */
INLINE vector_t tensor_fma(const real_t *columns, int which, vector_t a, vector_t b) {
    const lanes_t xy = load_column(columns, which + 1);
    const lanes_t xz = load_column(columns, which + 2);
    const lanes_t yz = load_column(columns, which + 4);
    return (vector_t){
        lane_fma(load_column(columns, which), a.x, lane_fma(xy, a.y, lane_fma(xz, a.z, b.x))),
        lane_fma(xy, a.x, lane_fma(load_column(columns, which + 3), a.y, lane_fma(yz, a.z, b.y))),
        lane_fma(xz, a.x, lane_fma(yz, a.y, lane_fma(load_column(columns, which + 5), a.z, b.z)))};
}

/* v += p / m, omega += I^-1 (r x p), with the group's masses and inertias; B gets -p. */
INLINE void push_two_bodies(two_bodies_t *c, const real_t *columns, const pair_push_t *p) {
    c->v_a = vector_fma(load_column(columns, INVERSE_MASS_A), p->impulse, c->v_a);
    c->v_b = vector_minus_times(c->v_b, load_column(columns, INVERSE_MASS_B), p->impulse);
    c->w_a = tensor_fma(columns, INERTIA_A, p->moment_a, c->w_a);
    c->w_b = tensor_fma(columns, INERTIA_B, vector_neg(p->moment_b), c->w_b);
}

/* c + a x b. */
static inline vector_t plus_cross(vector_t c, vector_t a, vector_t b) {
    return (vector_t){lane_fma(a.y, b.z, lane_fnma(a.z, b.y, c.x)),
                      lane_fma(a.z, b.x, lane_fnma(a.x, b.z, c.y)),
                      lane_fma(a.x, b.y, lane_fnma(a.y, b.x, c.z))};
}

/* c - a x b. */
static inline vector_t minus_cross(vector_t c, vector_t a, vector_t b) {
    return (vector_t){lane_fnma(a.y, b.z, lane_fma(a.z, b.y, c.x)),
                      lane_fnma(a.z, b.x, lane_fma(a.x, b.z, c.y)),
                      lane_fnma(a.x, b.y, lane_fma(a.y, b.x, c.z))};
}

/* u = u_A - u_B at a slot's contact, with v_A - v_B, which is the same for all of a pair. */
static inline vector_t slot_velocity(const two_bodies_t *c, vector_t apart, vector_t arm_a,
                                     vector_t arm_b) {
    return minus_cross(plus_cross(apart, c->w_a, arm_a), c->w_b, arm_b);
}

static inline vector_t two_bodies_apart(const two_bodies_t *c) {
    return vector_sub(c->v_a, c->v_b);
}

/* An impulse along the tangents and the normal, in the world's frame. */
static inline vector_t slot_world(const real_t *slot, tangent_t p_t, lanes_t p_n) {
    const vector_t normal = vector_scale(p_n, vector_in(slot, NORMAL));
    return vector_fma(p_t.x, vector_in(slot, TANGENT_1),
                      vector_fma(p_t.y, vector_in(slot, TANGENT_2), normal));
}

/* Adds the impulses of three columns from `which` on to the bodies. */
static void apply_column(const rest_t *r, size_t first, size_t count, int which) {
    for (size_t g = first; g < first + count; g++) {
        const rest_group *const group = &r->group[g];
        two_bodies_t c;
        load_two_bodies(r, r->rows, group, &c);
        pair_push_t push = push_none();
        for (uint32_t s = 0; s < group->depth; s++) {
            const real_t *const slot = slot_at(r, group, s);
            push_add(&push, vector_in(slot, ARM_A), vector_in(slot, ARM_B),
                     slot_world(slot, tangent_in(slot, which), load_column(slot, which + 2)));
        }
        push_two_bodies(&c, pair_at(r, group), &push);
        store_two_bodies(r, r->rows, group, &c);
    }
}

static void apply_impulses(const rest_t *r, size_t first, size_t count) {
    apply_column(r, first, count, IMPULSE);
}

static void apply_changes(const rest_t *r, size_t first, size_t count) {
    apply_column(r, first, count, LAST);
}

#endif
