/*
 * The stage: contacts that name their bodies are gathered on it, some at a time, as the arrays of
 * body pairs that the kernels resolve.
 */
#ifndef IMPINGE_SOLVE_STAGE_H
#define IMPINGE_SOLVE_STAGE_H

#include <string.h>

#include <impinge/bodies.h>

#include "bodies.h"
#include "fields.h"
#include "vector.h"

/*
 * The number of contacts at a time: enough to keep Routh's law's lanes full, few enough for the
 * nearer caches and small stacks. Time of Routh's law on boxes by the count of a call, relative to
 * 256:
 *
 *                    64    128   192   384
 *     AVX2 f32      1.40   1.12  1.01  0.94
 *     AVX2 f64      1.16   1.05  1.00  0.98
 *     AVX-512 f32   2.35   1.36  1.13  0.87
 *     AVX-512 f64   1.43   1.09  0.97  0.94
 */
#if IMPINGE_REAL_BITS == 32
#define STAGED 256
#else
#define STAGED 192
#endif

/* The columns of one side of body pairs, of results, and of coefficients. */
#define COLUMN(name) COLUMN_##name,

enum body_column {
    FIELDS_MASS(COLUMN) FIELDS_PRODUCTS(COLUMN) FIELDS_MOTION(COLUMN) /* */
    ORIENTATION, /* w, x, y, z, or the nine elements of a matrix */
    BODY_COLUMNS = ORIENTATION + FIELDS(FIELDS_ROTATION)
};

enum result_column { FIELDS_RESULTS(COLUMN) RESULT_COLUMNS };

enum coefficient_column { FIELDS_COEFFICIENTS(COLUMN) COEFFICIENT_COLUMNS };

/* One side of the contacts that are staged. */
typedef struct staged_side {
    uint32_t index[STAGED];  /* of the body; the world's is not used */
    bool is_world[STAGED];   /* or no body at all */
    bool is_split[STAGED];   /* the body has other contacts, and each sees a share of its mass */
    bool any_world, no_body; /* of all of them; no_body: they all are */
    real_t column[BODY_COLUMNS][STAGED];
    real_t arm[3][STAGED];
} staged_side_t;

typedef struct staged {
    const NAME(impinge_bodies) * bodies;
    const NAME(impinge_indexed_contacts) * contacts;
    size_t count;
    uint32_t number[STAGED]; /* of the contacts */
    bool consecutive;        /* are they */
    bool bad_index[STAGED];
    staged_side_t a, b;
    real_t normal[3][STAGED];
    real_t coefficient[COEFFICIENT_COLUMNS][STAGED];
    real_t result[RESULT_COLUMNS][STAGED];
    uint32_t outcome[STAGED];
} staged_t;

static inline void gather(real_t *restrict to, const real_t *restrict from, size_t stride,
                          const uint32_t *restrict index, size_t count) {
    if (from && stride > 1) {
        for (size_t j = 0; j < count; j++)
            to[j] = from[index[j] * stride];
        return;
    }
    for (size_t j = 0; j < count; j++)
        to[j] = from ? from[index[j]] : 0;
}

/* The same of bodies. The world has none to read: its numbers are zero. */
static inline void gather_unless_world(real_t *restrict to, const real_t *restrict from,
                                       size_t stride, const staged_side_t *side, size_t count) {
    static const real_t none = 0;
    for (size_t j = 0; j < count; j++) {
        /* A choice of addresses, not of loads: half of all contacts may be with the world. */
        const real_t *const number =
            !from || side->is_world[j] ? &none : &from[element(side->index[j], stride)];
        to[j] = *number;
    }
}

/* The columns of bodies, in the order of body_column, and their strides. */
static inline void body_sources(const NAME(impinge_bodies) * p, const real_t *from[BODY_COLUMNS],
                                size_t stride[BODY_COLUMNS]) {
#define SOURCE(name)  from[COLUMN_##name] = p->name;
#define ELEMENT(name) o->name,
    const NAME(impinge_orientation) *const o = &p->orientation;
    const real_t *const quaternion[FIELDS(FIELDS_ROTATION)] = {FIELDS_QUATERNION(ELEMENT)};
    const real_t *const matrix[FIELDS(FIELDS_ROTATION)] = {FIELDS_ROTATION(ELEMENT)};
    FIELDS_MASS(SOURCE)
    FIELDS_PRODUCTS(SOURCE)
    FIELDS_MOTION(SOURCE)
    memcpy(from + ORIENTATION, o->w ? quaternion : matrix, sizeof matrix);
#define STRIDE(name, of)  stride[COLUMN_##name] = of;
#define OF_INERTIA(name)  STRIDE(name, p->inverse_inertia_stride)
#define OF_VELOCITY(name) STRIDE(name, p->velocity_stride)
#define OF_TURNING(name)  STRIDE(name, p->angular_velocity_stride)
    stride[COLUMN_inverse_mass] = p->inverse_mass_stride;
    FIELDS_INERTIA(OF_INERTIA)
    FIELDS_PRODUCTS(OF_INERTIA)
    FIELDS_VELOCITY(OF_VELOCITY)
    FIELDS_TURNING(OF_TURNING)
    for (size_t c = ORIENTATION; c < BODY_COLUMNS; c++)
        stride[c] = o->stride;
#undef OF_TURNING
#undef OF_VELOCITY
#undef OF_INERTIA
#undef STRIDE
#undef ELEMENT
#undef SOURCE
}

/* The world is not turned; the rest is zero already. */
static inline void make_world(staged_side_t *side, size_t j, bool quaternion) {
    side->column[ORIENTATION][j] = 1; /* w, or r11 */
    if (quaternion) return;
    side->column[ORIENTATION + 4][j] = 1;
    side->column[ORIENTATION + 8][j] = 1;
}

static inline void gather_bodies(staged_side_t *side, const NAME(impinge_bodies) * bodies,
                                 size_t count) {
    const real_t *from[BODY_COLUMNS] = {NULL};
    size_t stride[BODY_COLUMNS] = {0};
    if (!side->no_body) body_sources(bodies, from, stride);
    const bool oriented = is_turned(&bodies->orientation);
    for (size_t c = 0; c < (oriented ? BODY_COLUMNS : ORIENTATION); c++) {
        if (side->any_world)
            gather_unless_world(side->column[c], from[c], stride[c], side, count);
        else
            gather(side->column[c], from[c], stride[c], side->index, count);
    }
}

/*
 * A contact's numbers: those of consecutive ones where they stand, with their stride, others
 * gathered into `to`.
 */
static const real_t *of_contacts(const staged_t *s, const real_t *from, size_t stride, real_t *to) {
    if (s->consecutive) return from + element(s->number[0], stride);
    gather(to, from, stride, s->number, s->count);
    return to;
}

static size_t stride_staged(const staged_t *s, size_t stride) {
    return s->consecutive ? stride : 1;
}

static inline void make_worlds(staged_side_t *side, size_t count, bool quaternion) {
    if (!side->any_world) return;
    for (size_t j = 0; j < count; j++)
        if (side->is_world[j]) make_world(side, j, quaternion);
}

/* Arms are in the world's frame. The world itself has no centre of mass, and so none. */
static inline void gather_arms(const staged_t *s, staged_side_t *side, const real_t *const from[3],
                               NAME(impinge_pair_side) * to) {
    const real_t **const arm[3] = {&to->arm_x, &to->arm_y, &to->arm_z};
    to->arm_stride = side->any_world ? 1 : stride_staged(s, s->contacts->arm_stride);
    for (size_t k = 0; k < 3; k++) {
        real_t *const column = side->arm[k];
        if (!side->any_world) {
            *arm[k] = of_contacts(s, from[k], s->contacts->arm_stride, column);
            continue;
        }
        gather(column, from[k], s->contacts->arm_stride, s->number, s->count);
        for (size_t j = 0; j < s->count; j++)
            if (side->is_world[j]) column[j] = 0;
        *arm[k] = column;
    }
}

/*
 * Gathers the coefficients that each contact has of its own, by number; shared ones stay as they
 * are.
 */
static inline NAME(impinge_coefficients) gather_coefficients(staged_t *s) {
    NAME(impinge_coefficients) c = s->contacts->coefficients;
#define GATHER(name)                                                                               \
    if (c.name.values) {                                                                           \
        c.name.values =                                                                            \
            of_contacts(s, c.name.values, c.name.stride, s->coefficient[COLUMN_##name]);           \
        c.name.stride = stride_staged(s, c.name.stride);                                           \
    }
    FIELDS_COEFFICIENTS(GATHER)
#undef GATHER
    return c;
}

/* Each of n contacts of a body sees 1/n of its mass and inertia. */
static inline void split_masses(staged_side_t *side, const uint32_t *sharing, size_t count) {
    for (size_t j = 0; j < count; j++) {
        const uint32_t n = side->is_world[j] ? 1 : sharing[side->index[j]];
        side->is_split[j] = n > 1;
        if (n <= 1) continue;
#define SPLIT(name) side->column[COLUMN_##name][j] *= (real_t)n;
        FIELDS_MASS(SPLIT)
        FIELDS_PRODUCTS(SPLIT)
#undef SPLIT
    }
}

static inline void stage_body(staged_side_t *side, size_t j, uint32_t index) {
    const bool is_world = index == IMPINGE_WORLD;
    side->index[j] = index;
    side->is_world[j] = is_world;
    side->any_world |= is_world;
    side->no_body &= is_world;
}

static inline void stage_contact(staged_t *s, uint32_t number) {
    const size_t j = s->count++;
    const bool bad = !NAME(impinge_names_pair)(s->bodies, s->contacts, number);
    s->number[j] = number;
    s->consecutive &= number - s->number[0] == j;
    s->bad_index[j] = bad;
    stage_body(&s->a, j, bad ? IMPINGE_WORLD : body_a_of(s->contacts, number));
    stage_body(&s->b, j, bad ? IMPINGE_WORLD : body_b_of(s->contacts, number));
}

static inline void stage_clear(staged_t *s) {
    s->count = 0;
    s->consecutive = true;
    s->a.any_world = s->b.any_world = false;
    s->a.no_body = s->b.no_body = true;
}

static inline NAME(impinge_pair_side)
    staged_bodies(const staged_side_t *side, const NAME(impinge_bodies) * bodies) {
#define STAGED_AT(name) .name = c[COLUMN_##name],
    const real_t(*const c)[STAGED] = side->column;
    const real_t(*o)[STAGED] = c + ORIENTATION;
    NAME(impinge_pair_side)
    b = {FIELDS_MASS(STAGED_AT) FIELDS_PRODUCTS(STAGED_AT) FIELDS_MOTION(STAGED_AT)};
#define POINT(name) b.orientation.name = *o++;
    b.orientation.world_angular_velocity = bodies->orientation.world_angular_velocity;
    if (bodies->orientation.w) {
        FIELDS_QUATERNION(POINT)
    } else if (bodies->orientation.r11) {
        FIELDS_ROTATION(POINT)
    }
#undef POINT
#undef STAGED_AT
    return b;
}

/* The velocities after overwrite those before. */
static inline NAME(impinge_body_results) staged_after(staged_side_t *side) {
#define STAGED_AT(name) .name = side->column[COLUMN_##name],
    return (NAME(impinge_body_results)){FIELDS_MOTION(STAGED_AT)};
#undef STAGED_AT
}

static inline NAME(impinge_body_pairs) staged_pairs(staged_t *s) {
    const NAME(impinge_indexed_contacts) *const c = s->contacts;
    const real_t *const arm_a[3] = {c->arm_a_x, c->arm_a_y, c->arm_a_z};
    const real_t *const arm_b[3] = {c->arm_b_x, c->arm_b_y, c->arm_b_z};
    NAME(impinge_body_pairs)
    pairs = {.count = s->count,
             .a = staged_bodies(&s->a, s->bodies),
             .b = staged_bodies(&s->b, s->bodies),
             .normal_x = of_contacts(s, c->normal_x, c->normal_stride, s->normal[0]),
             .normal_y = of_contacts(s, c->normal_y, c->normal_stride, s->normal[1]),
             .normal_z = of_contacts(s, c->normal_z, c->normal_stride, s->normal[2]),
             .normal_stride = stride_staged(s, c->normal_stride),
             .coefficients = gather_coefficients(s)};
    gather_arms(s, &s->a, arm_a, &pairs.a);
    gather_arms(s, &s->b, arm_b, &pairs.b);
    return pairs;
}

#endif
