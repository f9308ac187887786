/*
 * The stage: contacts that name their bodies are gathered on it, some at a time, as the arrays of
 * body pairs that the kernels resolve.
 */
#ifndef IMPINGE_SOLVE_STAGE_H
#define IMPINGE_SOLVE_STAGE_H

#include <math.h>
#include <string.h>

#include <impinge/bodies.h>

#include "../kernels/table.h"
#include "bodies.h"
#include "fields.h"
#include "vector.h"

/*
 * The number of contacts at a time: a vector of any target. They are gathered in whole blocks, so
 * that loops have no remainder; elements beyond the last contact are copies of it.
 */
enum { STAGED = IMPINGE_LANES_MOST(IMPINGE_REAL_BITS), BLOCK = 8 };

/* The columns of one side of body pairs, of results, and of coefficients. */
#define COLUMN(name) COLUMN_##name,

enum body_column {
    FIELDS_MASS(COLUMN) FIELDS_PRODUCTS(COLUMN) FIELDS_MOTION(COLUMN) /* */
    ORIENTATION, /* w, x, y, z, or the nine elements of a matrix */
    BODY_COLUMNS = ORIENTATION + FIELDS(FIELDS_ROTATION)
};

enum result_column { FIELDS_RESULTS(COLUMN) RESULT_COLUMNS };

enum coefficient_column { FIELDS_COEFFICIENTS(COLUMN) COEFFICIENT_COLUMNS };

/* The columns of bodies. Columns that are not given are zero. */
typedef struct body_source {
    const real_t *from;
    size_t stride, column;
} body_source_t;

typedef struct body_sources {
    size_t count;
    body_source_t of[BODY_COLUMNS];
} body_sources_t;

/* One side of the contacts that are staged. */
typedef struct staged_side {
    uint32_t index[STAGED]; /* of the body; for the world, that of another body */
    size_t worlds;
    uint8_t world[STAGED]; /* the contacts with the world, or with no body at all */
    real_t column[BODY_COLUMNS][STAGED];
    real_t arm[3][STAGED];
} staged_side_t;

/* The contacts that are staged. */
typedef struct staged_contacts {
    uint32_t number[STAGED];
    bool bad_index[STAGED];
    uint32_t split[STAGED]; /* is a body's mass */
    staged_side_t a, b;
    real_t normal[3][STAGED];
    real_t coefficient[COEFFICIENT_COLUMNS][STAGED];
    uint32_t outcome[STAGED];
} staged_contacts_t;

/*
 * The column of a result. Results overwrite the arms, which have been read when results are
 * written: outputs may be inputs.
 */
static inline real_t *staged_result(staged_contacts_t *at, size_t k) {
    _Static_assert(RESULT_COLUMNS == 6, "as many as both arms have coordinates");
    return k < 3 ? at->a.arm[k] : at->b.arm[k - 3];
}

enum { PLAIN_VECTORS = 64 };
typedef struct plain_vector {
    uint32_t position; /* of its first contact, plus 1; 0: none */
    uint32_t split;
} plain_vector_t;

/*
 * Some of the contacts that a call resolves. The position of a contact is its place in the list of
 * the call, its number that in the arrays.
 */
typedef struct staged {
    const NAME(impinge_bodies) * bodies;
    const NAME(impinge_indexed_contacts) * contacts;
    body_sources_t sources;
    const uint32_t *order; /* null: from `first` on */
    size_t first;
    bool splits;
    size_t position, count; /* of what is staged; count 0: nothing is */
    bool has_bodies;        /* bodies are staged, too, not only the contacts' own numbers */
    bool consecutive;       /* the numbers are */
    bool any_bad;           /* one of them has indices that are not a pair's */
    plain_vector_t plain[PLAIN_VECTORS];
    staged_contacts_t *at;          /* while the stage is held */
    NAME(impinge_body_pairs) pairs; /* all of it */
} staged_t;

static inline size_t blocks_of(size_t count) { return (count + BLOCK - 1) / BLOCK * BLOCK; }

/* Numbers of contacts or bodies, in whole blocks. */
static inline void gather(real_t *restrict to, const real_t *restrict from, size_t stride,
                          const uint32_t *restrict index, size_t count) {
    if (stride > 1) {
        for (size_t j = 0; j < count; j++)
            to[j] = from[index[j] * stride];
        return;
    }
    for (size_t j = 0; j < count; j += BLOCK)
        for (size_t k = 0; k < BLOCK; k++)
            to[j + k] = from[index[j + k]];
}

static inline void find_source(body_sources_t *s, const real_t *from, size_t stride,
                               size_t column) {
    if (!from) return;
    s->of[s->count].from = from;
    s->of[s->count].stride = element(1, stride);
    s->of[s->count].column = column;
    s->count++;
}

static inline void find_sources(body_sources_t *s, const NAME(impinge_bodies) * p) {
#define ELEMENT(name)        o->name,
#define SOURCE(name, stride) find_source(s, p->name, p->stride, COLUMN_##name);
#define OF_INERTIA(name)     SOURCE(name, inverse_inertia_stride)
#define OF_VELOCITY(name)    SOURCE(name, velocity_stride)
#define OF_TURNING(name)     SOURCE(name, angular_velocity_stride)
    const NAME(impinge_orientation) *const o = &p->orientation;
    const real_t *const quaternion[FIELDS(FIELDS_ROTATION)] = {FIELDS_QUATERNION(ELEMENT)};
    const real_t *const matrix[FIELDS(FIELDS_ROTATION)] = {FIELDS_ROTATION(ELEMENT)};
    s->count = 0;
    if (p->count == 0) return; /* all contacts are with the world */
    SOURCE(inverse_mass, inverse_mass_stride)
    FIELDS_INERTIA(OF_INERTIA)
    FIELDS_PRODUCTS(OF_INERTIA)
    FIELDS_VELOCITY(OF_VELOCITY)
    FIELDS_TURNING(OF_TURNING)
    for (size_t c = 0; c < FIELDS(FIELDS_ROTATION); c++)
        find_source(s, o->w ? quaternion[c] : matrix[c], o->stride, ORIENTATION + c);
#undef OF_TURNING
#undef OF_VELOCITY
#undef OF_INERTIA
#undef SOURCE
#undef ELEMENT
}

/* The world is at rest and cannot be moved, and it is not turned. */
static inline void make_world(staged_side_t *side, size_t j, bool quaternion) {
    for (size_t c = 0; c < BODY_COLUMNS; c++)
        side->column[c][j] = 0;
    side->column[ORIENTATION][j] = 1; /* w, or r11 */
    if (quaternion) return;
    side->column[ORIENTATION + 4][j] = 1;
    side->column[ORIENTATION + 8][j] = 1;
}

/*
 * Three columns that follow `first` and have its stride: reading an index once for all three saves
 * a quarter of the time. Plain loads and stores are faster than gathering instructions (13 columns
 * of two bodies, ns a contact, f32, the loop alone: one column at a time 7.0, three 5.3, gathers of
 * AVX2 9.8, of AVX-512 8.6).
 */
static inline void gather_three(staged_side_t *side, const body_source_t *first, size_t count) {
    const real_t *const a = first[0].from, *const b = first[1].from, *const c = first[2].from;
    real_t *restrict const x = side->column[first[0].column];
    real_t *restrict const y = side->column[first[1].column];
    real_t *restrict const z = side->column[first[2].column];
    for (size_t j = 0; j < count; j += BLOCK / 2) {
        real_t u[BLOCK / 2], v[BLOCK / 2], w[BLOCK / 2];
        for (size_t k = 0; k < BLOCK / 2; k++) {
            const size_t i = side->index[j + k] * first->stride;
            u[k] = a[i];
            v[k] = b[i];
            w[k] = c[i];
        }
        memcpy(x + j, u, sizeof u);
        memcpy(y + j, v, sizeof v);
        memcpy(z + j, w, sizeof w);
    }
}

/* True if no contact has a body but the world. */
static inline bool is_bodiless(const staged_t *s) {
    return s->at->a.worlds == s->count && s->at->b.worlds == s->count;
}

static inline void gather_bodies(const staged_t *s, staged_side_t *side) {
    const body_source_t *const of = s->sources.of;
    const size_t count = s->count, columns = is_bodiless(s) ? 0 : s->sources.count;
    size_t c = 0;
    while (c < columns) {
        if (c + 2 < columns && of[c].stride == of[c + 2].stride &&
            of[c].stride == of[c + 1].stride) {
            gather_three(side, &of[c], blocks_of(count));
            c += 3;
        } else {
            gather(side->column[of[c].column], of[c].from, of[c].stride, side->index,
                   blocks_of(count));
            c++;
        }
    }
    for (size_t k = 0; k < side->worlds; k++)
        make_world(side, side->world[k], s->bodies->orientation.w);
}

/*
 * A body that moves, but of which no contacts were counted, has no share: the sum of impulses on
 * whole masses would add energy. Its mass is set to NaN, which makes its contacts invalid.
 */
static inline void refuse_uncounted(const NAME(impinge_bodies) * bodies, staged_side_t *side,
                                    const uint32_t *n, size_t count) {
    for (size_t j = 0; j < count; j++) {
        bool moves = false;
#define MOVES(name)         moves |= side->column[COLUMN_##name][j] != 0;
#define PRODUCT_MOVES(name) moves |= bodies->name && side->column[COLUMN_##name][j] != 0;
        FIELDS_MASS(MOVES)
        FIELDS_PRODUCTS(PRODUCT_MOVES)
#undef PRODUCT_MOVES
#undef MOVES
        if (n[j] == 0 && moves) side->column[COLUMN_inverse_mass][j] = (real_t)NAN;
    }
}

/*
 * The numbers n of contacts, but at least one, as parts of a mass; true if one of them is zero.
 * Vectors of the CPU that every build runs on convert signed integers only.
 */
static inline bool count_parts(real_t *restrict parts, const uint32_t *restrict n, size_t count) {
    uint32_t all = 0, zero = 0;
    for (size_t j = 0; j < count; j++) {
        const uint32_t none = n[j] == 0 ? 1 : 0;
        parts[j] = (real_t)(int32_t)((n[j] + none) & INT32_MAX);
        all |= n[j];
        zero |= none;
    }
    for (size_t j = 0; all > INT32_MAX && j < count; j++)
        parts[j] = (real_t)(n[j] > 0 ? n[j] : 1);
    return zero != 0;
}

/* Each of n contacts of a body gets 1/n of its mass and inertia. */
static inline void split_masses(staged_t *s, staged_side_t *side) {
    const size_t count = blocks_of(s->count);
    uint32_t n[STAGED];
    real_t parts[STAGED];
    if (s->bodies->count == 0) return; /* all are with the world */
    for (size_t j = 0; j < count; j++)
        n[j] = s->contacts->sharing[side->index[j]];
    for (size_t j = 0; j < side->worlds; j++)
        n[side->world[j]] = 1;
    for (size_t j = 0; j < count; j++)
        s->at->split[j] |= (uint32_t)(n[j] > 1);
    const bool uncounted = count_parts(parts, n, count);
#define SPLIT(name)                                                                                \
    for (size_t j = 0; j < count; j++)                                                             \
        side->column[COLUMN_##name][j] *= parts[j];
#define SPLIT_PRODUCT(name)                                                                        \
    if (s->bodies->name) SPLIT(name)
    FIELDS_MASS(SPLIT)
    FIELDS_PRODUCTS(SPLIT_PRODUCT)
#undef SPLIT_PRODUCT
#undef SPLIT
    if (uncounted) refuse_uncounted(s->bodies, side, n, count);
}

/*
 * The numbers of contacts: in place, with their stride, if the contacts are consecutive; otherwise
 * gathered into `to`.
 */
static inline const real_t *of_contacts(const staged_t *s, const real_t *from, size_t stride,
                                        real_t *to) {
    if (s->consecutive) return from + element(s->at->number[0], stride);
    gather(to, from, stride, s->at->number, blocks_of(s->count));
    return to;
}

static inline size_t stride_staged(const staged_t *s, size_t stride) {
    return s->consecutive ? stride : 1;
}

/* Arms are in the world's frame. The world itself has no centre of mass, and so no arm. */
static inline void gather_arms(const staged_t *s, staged_side_t *side, const real_t *const from[3],
                               NAME(impinge_pair_side) * to) {
    const real_t **const arm[3] = {&to->arm_x, &to->arm_y, &to->arm_z};
    to->arm_stride = side->worlds > 0 ? 1 : stride_staged(s, s->contacts->arm_stride);
    for (size_t k = 0; k < 3; k++) {
        real_t *const column = side->arm[k];
        if (side->worlds == 0) {
            *arm[k] = of_contacts(s, from[k], s->contacts->arm_stride, column);
            continue;
        }
        gather(column, from[k], s->contacts->arm_stride, s->at->number, blocks_of(s->count));
        for (size_t j = 0; j < side->worlds; j++)
            column[side->world[j]] = 0;
        *arm[k] = column;
    }
}

/*
 * Gathers the coefficients that each contact has of its own, by number; shared ones stay as they
 * are.
 */
static inline void gather_coefficients(staged_t *s) {
    const NAME(impinge_coefficients) *const from = &s->contacts->coefficients;
    NAME(impinge_coefficients) *const to = &s->pairs.coefficients;
#define GATHER(name)                                                                               \
    if (from->name.values) {                                                                       \
        to->name.values = of_contacts(s, from->name.values, from->name.stride,                     \
                                      s->at->coefficient[COLUMN_##name]);                          \
        to->name.stride = stride_staged(s, from->name.stride);                                     \
    }
    FIELDS_COEFFICIENTS(GATHER)
#undef GATHER
}

static inline void gather_contacts(staged_t *s) {
    const NAME(impinge_indexed_contacts) *const c = s->contacts;
    NAME(impinge_body_pairs) *const to = &s->pairs;
    const real_t *const arm_a[3] = {c->arm_a_x, c->arm_a_y, c->arm_a_z};
    const real_t *const arm_b[3] = {c->arm_b_x, c->arm_b_y, c->arm_b_z};
    gather_arms(s, &s->at->a, arm_a, &to->a);
    gather_arms(s, &s->at->b, arm_b, &to->b);
    to->normal_x = of_contacts(s, c->normal_x, c->normal_stride, s->at->normal[0]);
    to->normal_y = of_contacts(s, c->normal_y, c->normal_stride, s->at->normal[1]);
    to->normal_z = of_contacts(s, c->normal_z, c->normal_stride, s->at->normal[2]);
    to->normal_stride = stride_staged(s, c->normal_stride);
    gather_coefficients(s);
}

static inline void stage_body(staged_side_t *side, size_t j, uint32_t index) {
    side->index[j] = index;
    if (index == IMPINGE_WORLD) side->world[side->worlds++] = (uint8_t)j;
}

static inline void stage_contact(staged_t *s, size_t j) {
    const uint32_t a = body_a_of(s->contacts, s->at->number[j]);
    const uint32_t b = body_b_of(s->contacts, s->at->number[j]);
    const bool bad = !are_pair(s->bodies->count, a, b);
    s->at->bad_index[j] = bad;
    s->any_bad |= bad;
    stage_body(&s->at->a, j, bad ? IMPINGE_WORLD : a);
    stage_body(&s->at->b, j, bad ? IMPINGE_WORLD : b);
}

/* The indices of whole blocks of contacts. */
static inline void find_indices(const staged_t *s, uint32_t *to, const uint32_t *from,
                                size_t stride) {
    const size_t count = blocks_of(s->count);
    if (!s->consecutive || stride > 1) {
        for (size_t j = 0; j < count; j++)
            to[j] = from[element(s->at->number[j], stride)];
        return;
    }
    memcpy(to, from + s->at->number[0], s->count * sizeof *to);
    for (size_t j = s->count; j < count; j++)
        to[j] = to[s->count - 1];
}

/* True if all contacts are between two bodies, as most are: then no other check is needed. */
static inline bool are_between_bodies(staged_t *s, size_t count) {
    const size_t stride = s->contacts->index_stride;
    const uint32_t bodies = (uint32_t)s->bodies->count; /* at most IMPINGE_WORLD */
    uint32_t odd = 0;
    find_indices(s, s->at->a.index, s->contacts->index_a, stride);
    find_indices(s, s->at->b.index, s->contacts->index_b, stride);
    for (size_t j = 0; j < count; j++) {
        const uint32_t a = s->at->a.index[j], b = s->at->b.index[j];
        odd |= a >= bodies ? 1 : 0;
        odd |= b >= bodies ? 1 : 0;
        odd |= a == b ? 1 : 0;
    }
    return odd == 0;
}

/* The first body of any of the contacts; there is one. */
static inline uint32_t first_body(const staged_t *s) {
    size_t j = 0;
    while (s->at->a.index[j] == IMPINGE_WORLD && s->at->b.index[j] == IMPINGE_WORLD)
        j++;
    return s->at->a.index[j] != IMPINGE_WORLD ? s->at->a.index[j] : s->at->b.index[j];
}

/*
 * For the world, and beyond the last contact, a body of these contacts is read: another thread may
 * be writing any other.
 */
static inline void fill_indices(staged_t *s, uint32_t with) {
    for (size_t j = 0; j < blocks_of(s->count); j++) {
        const bool is_beyond = j >= s->count;
        if (is_beyond || s->at->a.index[j] == IMPINGE_WORLD) s->at->a.index[j] = with;
        if (is_beyond || s->at->b.index[j] == IMPINGE_WORLD) s->at->b.index[j] = with;
    }
}

static inline void stage_bodies(staged_t *s) {
    s->any_bad = false;
    s->at->a.worlds = s->at->b.worlds = 0;
    if (are_between_bodies(s, blocks_of(s->count))) return;
    for (size_t j = 0; j < s->count; j++)
        stage_contact(s, j);
    fill_indices(s, is_bodiless(s) ? 0 : first_body(s));
}

static inline size_t number_at(const staged_t *s, size_t position) {
    return s->order ? s->order[position] : s->first + position;
}

static inline void stage_numbers(staged_t *s) {
    const uint32_t first = (uint32_t)number_at(s, s->position), last = (uint32_t)s->count - 1;
    uint32_t apart = 0;
    for (uint32_t j = 0; j < blocks_of(s->count); j++)
        s->at->number[j] = first + (j < last ? j : last);
    for (uint32_t j = 0; s->order && j < blocks_of(s->count); j++) {
        s->at->number[j] = s->order[s->position + (j < last ? j : last)];
        apart |= s->at->number[j] - first - (j < last ? j : last);
    }
    s->consecutive = apart == 0;
}

/*
 * The record of a vector whose contacts are all between two bodies, and all split or none: when
 * their results are written, their indices need no more checks.
 */
static inline plain_vector_t *plain_vector(staged_t *s) {
    return &s->plain[s->position / BLOCK % PLAIN_VECTORS];
}

static inline void record_plain(staged_t *s) {
    uint32_t all = 1, any = 0;
    for (size_t j = 0; j < s->count; j++) {
        all &= s->at->split[j];
        any |= s->at->split[j];
    }
    const bool is_plain = all == any && s->at->a.worlds == 0 && s->at->b.worlds == 0;
    *plain_vector(s) = (plain_vector_t){is_plain ? (uint32_t)s->position + 1 : 0, any};
}

/* Stages the data that writing the results needs. */
static inline void stage_again(staged_t *s) {
    const plain_vector_t *const plain = plain_vector(s);
    s->any_bad = false;
    for (size_t j = 0; j < STAGED; j++)
        s->at->split[j] = plain->split;
    s->at->a.worlds = s->at->b.worlds = 0;
    gather_contacts(s);
}

/*
 * Gathers the contacts at these positions, unless they are staged already; without the numbers of
 * their bodies if these are not needed.
 */
static inline void stage_gather(staged_t *s, size_t position, size_t count, bool bodies) {
    const bool is_there = s->position == position && s->count == count;
    staged_side_t *const sides[2] = {&s->at->a, &s->at->b};
    if (is_there && (s->has_bodies || !bodies)) return;
    s->position = position;
    s->count = count;
    stage_numbers(s);
    s->has_bodies = bodies || plain_vector(s)->position != (uint32_t)position + 1;
    if (!s->has_bodies) {
        stage_again(s);
        return;
    }
    memset(s->at->split, 0, sizeof s->at->split);
    stage_bodies(s);
    gather_contacts(s);
    for (size_t k = 0; k < 2; k++) {
        gather_bodies(s, sides[k]);
        if (s->splits) split_masses(s, sides[k]);
    }
    record_plain(s);
}

/*
 * Points a side of pairs to the columns of its bodies. Optional columns that the bodies lack are
 * null.
 */
static inline void point_to_bodies(NAME(impinge_pair_side) * to, const staged_side_t *side,
                                   const NAME(impinge_bodies) * given) {
    const NAME(impinge_orientation) *const o = &given->orientation;
    const real_t(*const c)[STAGED] = side->column;
    const real_t(*turn)[STAGED] = c + ORIENTATION;
#define POINT(name)          to->name = c[COLUMN_##name];
#define POINT_IF_GIVEN(name) to->name = given->name ? c[COLUMN_##name] : NULL;
    FIELDS_MASS(POINT)
    FIELDS_PRODUCTS(POINT_IF_GIVEN)
    FIELDS_MOTION(POINT)
#undef POINT_IF_GIVEN
#undef POINT
#define POINT(name) to->orientation.name = *turn++;
    to->orientation.world_angular_velocity = o->world_angular_velocity;
    if (o->w) {
        FIELDS_QUATERNION(POINT)
    } else if (o->r11) {
        FIELDS_ROTATION(POINT)
    }
#undef POINT
}

/*
 * The strides of the caller's contacts. Gathering changes them; but by them a call chooses whether
 * it reads strides at all, before it gathers anything.
 */
static inline void stage_as_given(staged_t *s) {
    s->pairs.coefficients = s->contacts->coefficients;
    s->pairs.normal_stride = s->contacts->normal_stride;
    s->pairs.a.arm_stride = s->pairs.b.arm_stride = s->contacts->arm_stride;
}

/* Prepares for other contacts, of which nothing is staged yet. */
static inline void stage_clear(staged_t *s, const uint32_t *order, size_t first) {
    stage_as_given(s);
    s->order = order;
    s->first = first;
    s->position = s->count = 0;
    memset(s->plain, 0, sizeof s->plain);
}

/* Places the stage's contacts there; none is staged so far. */
static inline void stage_place(staged_t *s, staged_contacts_t *at) {
    s->position = s->count = 0;
    if (s->at == at) return;
    s->at = at;
    point_to_bodies(&s->pairs.a, &at->a, s->bodies);
    point_to_bodies(&s->pairs.b, &at->b, s->bodies);
}

static inline void stage_begin(staged_t *s, const NAME(impinge_bodies) * bodies,
                               const NAME(impinge_indexed_contacts) * contacts, bool splits) {
    s->bodies = bodies;
    s->contacts = contacts;
    s->splits = splits;
    s->at = NULL;
    s->pairs = (NAME(impinge_body_pairs)){.coefficients = {.model = NULL}};
    find_sources(&s->sources, bodies);
}

#endif
