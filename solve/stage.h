/*
 * The stage: contacts that name their bodies are gathered on it, some at a time, as the arrays of
 * body pairs that the kernels resolve.
 */
#ifndef IMPINGE_SOLVE_STAGE_H
#define IMPINGE_SOLVE_STAGE_H

#include <string.h>

#include <impinge/bodies.h>

#include "bodies.h"

/*
 * How many at a time: enough that Routh's law keeps its lanes full, and fits the nearer caches. Of
 * 64 to 1024, 256 was the fastest, or as fast as any; 64 took up to 1.7 times as long.
 */
#define STAGED 256

/* The columns of one side of body pairs. */
enum body_column {
    MASS,
    INERTIA, /* xx, xy, xz, yy, yz, zz */
    ARM = INERTIA + 6,
    VELOCITY = ARM + 3,
    ANGULAR_VELOCITY = VELOCITY + 3,
    ORIENTATION = ANGULAR_VELOCITY + 3, /* w, x, y, z, or the nine elements of a matrix */
    BODY_COLUMNS = ORIENTATION + 9
};

/* The columns of what comes of them. */
enum result_column { IMPULSE, WORKS = IMPULSE + 3, RESULT_COLUMNS = WORKS + 3 };

/* Coefficients, in the order of their struct. */
#define COEFFICIENTS 8

/* One side of the contacts that are staged. */
typedef struct side {
    uint32_t index[STAGED];  /* of the body; nothing is read where it is the world's */
    bool is_world[STAGED];   /* or no body at all */
    bool any_world, no_body; /* of all of them; no_body: there are only such */
    real_t column[BODY_COLUMNS][STAGED];
} side_t;

typedef struct stage {
    const NAME(impinge_bodies) * bodies;
    const NAME(impinge_indexed_contacts) * contacts;
    size_t count;
    uint32_t number[STAGED]; /* of the contacts */
    bool consecutive;        /* are they */
    bool bad_index[STAGED];
    side_t a, b;
    real_t normal[3][STAGED];
    real_t coefficient[COEFFICIENTS][STAGED];
    real_t result[RESULT_COLUMNS][STAGED];
    uint32_t outcome[STAGED];
} stage_t;

static inline void gather(real_t *restrict to, const real_t *restrict from,
                          const uint32_t *restrict index, size_t count) {
    for (size_t j = 0; j < count; j++)
        to[j] = from ? from[index[j]] : 0;
}

/* The same of bodies. The world has none to read: its numbers are zero. */
static inline void gather_unless_world(real_t *restrict to, const real_t *restrict from,
                                       const side_t *side, size_t count) {
    static const real_t none = 0;
    for (size_t j = 0; j < count; j++) {
        /* A choice of addresses, not of loads: half of all contacts may be with the world. */
        const real_t *const element = !from || side->is_world[j] ? &none : &from[side->index[j]];
        to[j] = *element;
    }
}

/* Where bodies have their columns, in the order of body_column; those of the arms are not set. */
static inline void body_sources(const NAME(impinge_bodies) * b, const real_t *from[BODY_COLUMNS]) {
    const NAME(impinge_orientation) *const o = &b->orientation;
    const real_t *const inertia[6] = {b->inverse_inertia_xx, b->inverse_inertia_xy,
                                      b->inverse_inertia_xz, b->inverse_inertia_yy,
                                      b->inverse_inertia_yz, b->inverse_inertia_zz};
    const real_t *const velocities[6] = {b->velocity_x,         b->velocity_y,
                                         b->velocity_z,         b->angular_velocity_x,
                                         b->angular_velocity_y, b->angular_velocity_z};
    const real_t *const quaternion[9] = {o->w, o->x, o->y, o->z};
    const real_t *const matrix[9] = {o->r11, o->r12, o->r13, o->r21, o->r22,
                                     o->r23, o->r31, o->r32, o->r33};
    from[MASS] = b->inverse_mass;
    memcpy(from + INERTIA, inertia, sizeof inertia);
    memcpy(from + VELOCITY, velocities, sizeof velocities);
    memcpy(from + ORIENTATION, o->w ? quaternion : matrix, sizeof matrix);
}

/* The world is not turned; the rest is zero already. */
static inline void make_world(side_t *side, size_t j, bool quaternion) {
    side->column[ORIENTATION][j] = 1; /* w, or r11 */
    if (quaternion) return;
    side->column[ORIENTATION + 4][j] = 1;
    side->column[ORIENTATION + 8][j] = 1;
}

static inline void gather_bodies(side_t *side, const NAME(impinge_bodies) * bodies, size_t count) {
    const real_t *from[BODY_COLUMNS] = {NULL};
    if (!side->no_body) body_sources(bodies, from);
    const bool oriented = bodies->orientation.w || bodies->orientation.r11;
    for (size_t c = 0; c < (oriented ? BODY_COLUMNS : ORIENTATION); c++) {
        if (c >= ARM && c < VELOCITY) continue;
        if (side->any_world)
            gather_unless_world(side->column[c], from[c], side, count);
        else
            gather(side->column[c], from[c], side->index, count);
    }
}

/* A contact's numbers: those of consecutive ones where they stand, others gathered into `to`. */
static const real_t *of_contacts(const stage_t *s, const real_t *from, real_t *to) {
    if (s->consecutive) return from + s->number[0];
    gather(to, from, s->number, s->count);
    return to;
}

static inline void make_worlds(side_t *side, size_t count, bool quaternion) {
    if (!side->any_world) return;
    for (size_t j = 0; j < count; j++)
        if (side->is_world[j]) make_world(side, j, quaternion);
}

/* Arms are in the world's frame. The world itself has no centre of mass, and so none. */
static inline void gather_arms(const stage_t *s, side_t *side, const real_t *const from[3],
                               NAME(impinge_pair_side) * to) {
    const real_t **const arm[3] = {&to->arm_x, &to->arm_y, &to->arm_z};
    for (size_t k = 0; k < 3; k++) {
        real_t *const column = side->column[ARM + k];
        if (!side->any_world) {
            *arm[k] = of_contacts(s, from[k], column);
            continue;
        }
        gather(column, from[k], s->number, s->count);
        for (size_t j = 0; j < s->count; j++)
            if (side->is_world[j]) column[j] = 0;
        *arm[k] = column;
    }
}

/* Coefficients of their own for each contact, at their numbers; what is the same for all stays. */
static inline NAME(impinge_coefficients) gather_coefficients(stage_t *s) {
    NAME(impinge_coefficients) c = s->contacts->coefficients;
    NAME(impinge_coefficient) *const each[COEFFICIENTS] = {
        &c.restitution, &c.friction,         &c.friction_static,  &c.tangential_restitution,
        &c.mix,         &c.impulse_ratio_t1, &c.impulse_ratio_t2, &c.damping_fraction};
    for (size_t k = 0; k < COEFFICIENTS; k++) {
        if (!each[k]->values) continue;
        each[k]->values = of_contacts(s, each[k]->values, s->coefficient[k]);
    }
    return c;
}

static inline void stage_body(side_t *side, size_t j, uint32_t index) {
    const bool is_world = index == IMPINGE_WORLD;
    side->index[j] = index;
    side->is_world[j] = is_world;
    side->any_world |= is_world;
    side->no_body &= is_world;
}

static inline void stage_contact(stage_t *s, uint32_t number) {
    const size_t j = s->count++;
    const bool bad = !NAME(impinge_names_pair)(s->bodies, s->contacts, number);
    s->number[j] = number;
    s->consecutive &= number - s->number[0] == j;
    s->bad_index[j] = bad;
    stage_body(&s->a, j, bad ? IMPINGE_WORLD : s->contacts->index_a[number]);
    stage_body(&s->b, j, bad ? IMPINGE_WORLD : s->contacts->index_b[number]);
}

static inline void stage_clear(stage_t *s) {
    s->count = 0;
    s->consecutive = true;
    s->a.any_world = s->b.any_world = false;
    s->a.no_body = s->b.no_body = true;
}

static inline NAME(impinge_pair_side)
    staged_bodies(const side_t *side, const NAME(impinge_bodies) * bodies) {
    const real_t(*const c)[STAGED] = side->column;
    NAME(impinge_pair_side)
    b = {.inverse_mass = c[MASS],
         .inverse_inertia_xx = c[INERTIA],
         .inverse_inertia_xy = c[INERTIA + 1],
         .inverse_inertia_xz = c[INERTIA + 2],
         .inverse_inertia_yy = c[INERTIA + 3],
         .inverse_inertia_yz = c[INERTIA + 4],
         .inverse_inertia_zz = c[INERTIA + 5],
         .velocity_x = c[VELOCITY],
         .velocity_y = c[VELOCITY + 1],
         .velocity_z = c[VELOCITY + 2],
         .angular_velocity_x = c[ANGULAR_VELOCITY],
         .angular_velocity_y = c[ANGULAR_VELOCITY + 1],
         .angular_velocity_z = c[ANGULAR_VELOCITY + 2]};
    const real_t(*const o)[STAGED] = c + ORIENTATION;
    if (bodies->orientation.w)
        b.orientation = (NAME(impinge_orientation)){.w = o[0], .x = o[1], .y = o[2], .z = o[3]};
    else if (bodies->orientation.r11)
        b.orientation = (NAME(impinge_orientation)){.r11 = o[0],
                                                    .r12 = o[1],
                                                    .r13 = o[2],
                                                    .r21 = o[3],
                                                    .r22 = o[4],
                                                    .r23 = o[5],
                                                    .r31 = o[6],
                                                    .r32 = o[7],
                                                    .r33 = o[8]};
    return b;
}

/* The velocities after overwrite those before. */
static inline NAME(impinge_body_results) staged_after(side_t *side) {
    real_t(*const c)[STAGED] = side->column;
    return (NAME(impinge_body_results)){
        c[VELOCITY],         c[VELOCITY + 1],         c[VELOCITY + 2],
        c[ANGULAR_VELOCITY], c[ANGULAR_VELOCITY + 1], c[ANGULAR_VELOCITY + 2]};
}

static inline NAME(impinge_body_pairs) staged_pairs(stage_t *s) {
    const NAME(impinge_indexed_contacts) *const c = s->contacts;
    const real_t *const arm_a[3] = {c->arm_a_x, c->arm_a_y, c->arm_a_z};
    const real_t *const arm_b[3] = {c->arm_b_x, c->arm_b_y, c->arm_b_z};
    NAME(impinge_body_pairs)
    pairs = {.count = s->count,
             .a = staged_bodies(&s->a, s->bodies),
             .b = staged_bodies(&s->b, s->bodies),
             .normal_x = of_contacts(s, c->normal_x, s->normal[0]),
             .normal_y = of_contacts(s, c->normal_y, s->normal[1]),
             .normal_z = of_contacts(s, c->normal_z, s->normal[2]),
             .coefficients = gather_coefficients(s)};
    gather_arms(s, &s->a, arm_a, &pairs.a);
    gather_arms(s, &s->b, arm_b, &pairs.b);
    return pairs;
}

#endif
