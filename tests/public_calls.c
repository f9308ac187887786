#include "public_calls.h"

#include <stdlib.h>
#include <string.h>

#include "../tools/support/random.h"

/* 0 to n - 1. */
static uint32_t number_below(uint64_t *state, size_t n) {
    return (uint32_t)(random_bits(state) % n);
}

/* Multiples of 2^-20 in (0, 1], which float has, too. */
static double short_positive(uint64_t *state) {
    return (1 + (double)number_below(state, 1 << 20)) * 0x1p-20;
}

static double short_signed(uint64_t *state) { return 2 * short_positive(state) - 1; }

/* The next column: listed while the call is planned, and then null; found when it runs. */
static void *next_column(call_setup *s, column_role role, column_meaning means, size_t size,
                         size_t length, uint32_t bound) {
    if (s->next == CALL_COLUMNS_MAX) abort();
    call_column *const c = &s->column[s->next++];
    if (s->plans)
        *c = (call_column){
            .role = role, .means = means, .size = size, .length = length, .bound = bound};
    return c->data;
}

static uint32_t *next_indices(call_setup *s, size_t length, size_t bound) {
    return next_column(s, COLUMN_READ, MEANS_INDEX, sizeof(uint32_t), length, (uint32_t)bound);
}

static uint32_t *next_outcomes(call_setup *s) {
    return next_column(s, COLUMN_WRITTEN, MEANS_BYTES, sizeof(uint32_t), s->contacts, 0);
}

/* Identities of contacts. */
static uint64_t *next_keys(call_setup *s, size_t length) {
    return next_column(s, COLUMN_READ, MEANS_KEY, sizeof(uint64_t), length, 0);
}

/* A workspace of so many bytes, aligned as a step's has to be. */
static void *next_workspace(call_setup *s, size_t bytes) {
    const size_t unit = CALL_ALIGNMENT;
    return next_column(s, COLUMN_SCRATCH, MEANS_BYTES, unit, (bytes + unit - 1) / unit, 0);
}

static impinge_selection part_of(const call_setup *s) {
    return (impinge_selection){s->first, s->count, NULL};
}

/* The one law of planar contacts. */
static const impinge_selection *selection_of(const call_setup *s, const impinge_selection *part) {
    if (s->selects_all) return NULL;
    return s->selection ? s->selection : part;
}

static impinge_options planar_options(const call_setup *s) {
    impinge_options options = s->options;
    options.law = IMPINGE_LAW_ROUTH;
    return options;
}

/* The laws that are those of particles, too; the others are an error. */
static impinge_options particle_options(const call_setup *s) {
    static const impinge_law laws[] = {IMPINGE_LAW_ROUTH, IMPINGE_LAW_FRICTIONLESS,
                                       IMPINGE_LAW_BILINEAR, IMPINGE_LAW_CHATTERJEE_RUINA};
    impinge_options options = s->options;
    options.law = laws[(unsigned)options.law % (sizeof laws / sizeof *laws)];
    return options;
}

/* A step adds no energy: no restitution above 1. */
static impinge_options step_law(const call_setup *s) {
    impinge_options options = s->options;
    options.restitution_above_one = false;
    return options;
}

static impinge_options step_law_of_particles(const call_setup *s) {
    impinge_options options = particle_options(s);
    options.restitution_above_one = false;
    return options;
}

#define REAL       float
#define NAME(name) name##_f32
#include "public_calls_real.inc"
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#include "public_calls_real.inc"

/* ---- Queries about one contact, in double precision: one for each contact ---- */

/* Columns of one query's numbers. */
static void query_columns(call_setup *s, double *columns[], size_t count,
                          const column_meaning *means, column_role role) {
    for (size_t i = 0; i < count; i++)
        columns[i] =
            next_column(s, role, means ? means[i] : MEANS_BYTES, sizeof(double), s->contacts, 0);
}

static const column_meaning matrix_means[] = {MEANS_DIAGONAL, MEANS_SIGNED, MEANS_SIGNED,
                                              MEANS_DIAGONAL, MEANS_SIGNED, MEANS_DIAGONAL};

typedef struct query {
    double *k[6], *velocity[3], *number[3], *result[12];
    uint32_t *outcome;
} query;

static void query_take(call_setup *s, query *q, size_t results) {
    static const column_meaning velocities[] = {MEANS_SIGNED, MEANS_SIGNED, MEANS_APPROACH};
    static const column_meaning numbers[] = {MEANS_FRACTION, MEANS_FRACTION, MEANS_FRACTION};
    query_columns(s, q->k, 6, matrix_means, COLUMN_READ);
    query_columns(s, q->velocity, 3, velocities, COLUMN_READ);
    query_columns(s, q->number, 3, numbers, COLUMN_READ);
    query_columns(s, q->result, results, NULL, COLUMN_WRITTEN);
    q->outcome = next_outcomes(s);
}

static impinge_collision_matrix matrix_of(const query *q, size_t i) {
    return (impinge_collision_matrix){q->k[0][i], q->k[1][i], q->k[2][i],
                                      q->k[3][i], q->k[4][i], q->k[5][i]};
}

static impinge_region_contact region_contact_of(const query *q, size_t i) {
    return (impinge_region_contact){
        .matrix = matrix_of(q, i),
        .velocity = {q->velocity[0][i], q->velocity[1][i], q->velocity[2][i]},
        .friction = q->number[0][i]};
}

/* The status of query i among its results. */
static void query_note(const query *q, size_t i, impinge_status status) {
    q->outcome[i] = (uint32_t)status;
}

static impinge_status run_rays(call_setup *s) {
    query q;
    query_take(s, &q, 12);
    if (s->plans) return IMPINGE_OK;
    for (size_t i = s->first; i < s->first + s->count; i++) {
        const impinge_collision_matrix matrix = matrix_of(&q, i);
        impinge_ray rays[IMPINGE_RAYS_MAX];
        size_t count = 0;
        query_note(&q, i, impinge_find_rays(&matrix, q.number[0][i], rays, &count));
        for (size_t r = 0; r < (count <= IMPINGE_RAYS_MAX ? count : 0); r++) {
            q.result[3 * r][i] = rays[r].angle;
            q.result[3 * r + 1][i] = rays[r].rate;
            q.result[3 * r + 2][i] = rays[r].normal_rate;
        }
    }
    return IMPINGE_OK;
}

static impinge_status run_diverging_ray(call_setup *s) {
    query q;
    query_take(s, &q, 4);
    if (s->plans) return IMPINGE_OK;
    for (size_t i = s->first; i < s->first + s->count; i++) {
        const impinge_collision_matrix matrix = matrix_of(&q, i);
        impinge_ray ray;
        bool exists = false, stable = false;
        query_note(&q, i, impinge_find_diverging_ray(&matrix, q.number[0][i], &ray, &exists));
        if (exists) {
            q.result[0][i] = ray.s1;
            q.result[1][i] = ray.s2;
            q.result[2][i] = ray.rate;
        }
        impinge_sticking_is_stable(&matrix, q.number[0][i], &stable);
        q.result[3][i] = stable;
    }
    return IMPINGE_OK;
}

static impinge_status run_region_queries(call_setup *s) {
    query q;
    query_take(s, &q, 9);
    if (s->plans) return IMPINGE_OK;
    for (size_t i = s->first; i < s->first + s->count; i++) {
        const impinge_region_contact contact = region_contact_of(&q, i);
        const impinge_region_coordinates at = {
            .psi1 = 3 * q.number[1][i], .psi2 = 6 * q.number[2][i], .rho = q.number[1][i]};
        double p[3] = {0, 0, 0};
        const impinge_status status = impinge_impulse_of_coordinates(&contact, &at, p);
        impinge_region_coordinates back = {0, 0, 0};
        impinge_coordinates_of_impulse(&contact, p, &back);
        impinge_ratio_bounds bounds = {0, 0, 0};
        const double direction[2] = {q.velocity[0][i], q.velocity[1][i]};
        impinge_impulse_ratio_bound(&contact, q.number[1][i], direction, &bounds);
        query_note(&q, i, status);
        const double results[9] = {p[0],       p[1],     p[2],          back.psi1,
                                   back.psi2,  back.rho, bounds.energy, bounds.energy_least,
                                   bounds.cone};
        for (size_t k = 0; k < 9; k++)
            q.result[k][i] = results[k];
    }
    return IMPINGE_OK;
}

static impinge_status run_projection_factor(call_setup *s) {
    query q;
    query_take(s, &q, 1);
    if (s->plans) return IMPINGE_OK;
    for (size_t i = s->first; i < s->first + s->count; i++)
        query_note(&q, i,
                   impinge_projection_factor(q.k[0][i], q.number[0][i], q.number[1][i],
                                             q.number[2][i], &q.result[0][i], NULL));
    return IMPINGE_OK;
}

/* The sum of what a visitor is shown, and how often. */
typedef struct shown {
    double sum[10];
} shown;

static void show(void *user, const impinge_trace_point *point) {
    shown *const to = user;
    const double numbers[9] = {point->p1,
                               point->p2,
                               point->p3,
                               point->u1,
                               point->u2,
                               point->u3,
                               point->work_compression,
                               point->work_restitution,
                               point->work_friction};
    to->sum[0] += 1;
    for (size_t k = 0; k < 9; k++)
        to->sum[1 + k] += numbers[k];
}

static impinge_status run_trace(call_setup *s) {
    query q;
    query_take(s, &q, 10);
    if (s->plans) return IMPINGE_OK;
    impinge_options options = s->options;
    options.law = IMPINGE_LAW_ROUTH;
    for (size_t i = s->first; i < s->first + s->count; i++) {
        const impinge_trace_input input = {.matrix = matrix_of(&q, i),
                                           .u1 = q.velocity[0][i],
                                           .u2 = q.velocity[1][i],
                                           .u3 = q.velocity[2][i],
                                           .restitution = q.number[0][i],
                                           .friction = q.number[1][i]};
        shown seen = {{0}};
        impinge_trace_contact(&input, &options, s->points, show, &seen, &q.outcome[i]);
        for (size_t k = 0; k < 10; k++)
            q.result[k][i] = seen.sum[k];
    }
    return IMPINGE_OK;
}

#define BOTH(name, independent)                                                                    \
    {"impinge_" #name "_f32", independent, run_##name##_f32}, {                                    \
        "impinge_" #name "_f64", independent, run_##name##_f64                                     \
    }

const public_call public_calls[] = {
    BOTH(resolve_contacts, true),
    BOTH(resolve_body_pairs, true),
    BOTH(resolve_planar_contacts, true),
    BOTH(resolve_planar_pairs, true),
    BOTH(resolve_mechanisms, true),
    BOTH(resolve_planar_mechanisms, true),
    BOTH(judge_impulses, true),
    BOTH(project_impulses, true),
    BOTH(resolve_indexed, true),
    BOTH(resolve_independent, false),
    BOTH(apply_impulses, false),
    BOTH(find_immovable, false),
    BOTH(sweep, false),
    BOTH(resolve_sequence, false),
    BOTH(resolve_particle_pairs, true),
    BOTH(resolve_particle_planes, true),
    BOTH(collide_particle_pairs, false),
    BOTH(collide_particle_rows, false),
    BOTH(count_impulses, false),
    BOTH(apply_particle_pairs, false),
    BOTH(apply_particle_planes, false),
    BOTH(step_bodies, false),
    BOTH(collide_body_rounds, false),
    BOTH(rest_bodies, false),
    BOTH(project_body_positions, false),
    BOTH(advance_bodies, false),
    BOTH(step_particles, false),
    BOTH(collide_particle_rounds, false),
    BOTH(rest_particles, false),
    BOTH(project_particle_positions, false),
    BOTH(match_impulses, false),
    BOTH(find_neighbours, false),
    {"impinge_find_rays", true, run_rays},
    {"impinge_find_diverging_ray", true, run_diverging_ray},
    {"impinge_impulse_of_coordinates", true, run_region_queries},
    {"impinge_projection_factor", true, run_projection_factor},
    {"impinge_trace_contact", true, run_trace},
    BOTH(collide_particle_lists, false), /* last, so that inputs of the fuzzer keep their calls */
};
const size_t public_call_count = sizeof public_calls / sizeof *public_calls;

void call_plan(const public_call *call, call_setup *setup) {
    setup->plans = true;
    setup->next = 0;
    call->run(setup);
    setup->columns = setup->next;
    setup->plans = false;
}

impinge_status call_run(const public_call *call, call_setup *setup) {
    setup->next = 0;
    return call->run(setup);
}

/* ---- Contents ---- */

/* Exact unit vectors, and rotations: cosine and sine, of the half angle too. */
static const double units[4][3] = {{0, 0, 1}, {0.6, 0, 0.8}, {0, -1, 0}, {-0.48, 0.64, 0.6}};
static const double turns[3][2] = {{1, 0}, {0.6, 0.8}, {0, -1}};

static double legal_number(const call_column *c, size_t i, uint64_t *state) {
    const double signed_number = short_signed(state);
    switch (c->means) {
    case MEANS_POSITIVE:
        return 0.25 + short_positive(state);
    case MEANS_DIAGONAL:
        return 3 + short_positive(state);
    case MEANS_APPROACH:
        return -short_positive(state) + 0.125;
    case MEANS_FRACTION:
        return number_below(state, 8) == 0 ? 0 : short_positive(state);
    case MEANS_FRICTION_STATIC:
        return 1 + short_positive(state);
    case MEANS_NORMAL_X:
    case MEANS_NORMAL_Y:
    case MEANS_NORMAL_Z:
        return units[i % 4][c->means - MEANS_NORMAL_X];
    case MEANS_QUATERNION_W:
    case MEANS_COSINE:
        return turns[i % 3][0];
    case MEANS_QUATERNION_Z:
    case MEANS_SINE:
        return turns[i % 3][1];
    case MEANS_MINUS_SINE:
        return -turns[i % 3][1];
    case MEANS_ZERO:
        return 0;
    case MEANS_ONE:
        return 1;
    default:
        return signed_number;
    }
}

static void set_number(const call_column *c, size_t i, double number) {
    if (c->size == sizeof(float))
        ((float *)c->data)[i] = (float)number;
    else
        ((double *)c->data)[i] = number;
}

/* True for the elements on the diagonal of a lower triangle, stored row by row. */
static bool is_on_diagonal(size_t element) {
    size_t row = 0;
    while (element > row) {
        element -= row + 1;
        row++;
    }
    return element == row;
}

static void fill_mass_matrix(const call_setup *s, const call_column *c, uint64_t *state) {
    for (size_t i = 0; i < c->length; i++) {
        const bool diagonal = is_on_diagonal(i / s->contacts);
        const double number = 0.125 * short_signed(state);
        set_number(c, i, diagonal ? number + (double)s->coordinates : number);
    }
}

static void fill_column(const call_setup *s, const call_column *c, uint64_t *state) {
    memset(c->data, 0, c->size * c->length);
    if (c->role == COLUMN_WRITTEN || c->role == COLUMN_SCRATCH) return;
    if (c->means == MEANS_MASS_MATRIX) {
        fill_mass_matrix(s, c, state);
        return;
    }
    for (size_t i = 0; i < c->length; i++) {
        if (c->means == MEANS_INDEX) {
            /* One in 32 is out of range, or the world's. */
            const uint32_t index = number_below(state, c->bound + c->bound / 32 + 1);
            ((uint32_t *)c->data)[i] = index > c->bound ? IMPINGE_WORLD : index;
        } else if (c->means == MEANS_KEY) {
            ((uint64_t *)c->data)[i] = 3 * i + number_below(state, 3);
        } else if (c->means != MEANS_BYTES) {
            set_number(c, i, legal_number(c, i, state));
        }
    }
}

void call_fill(call_setup *setup, uint64_t seed) {
    uint64_t state = seed;
    for (size_t i = 0; i < setup->columns; i++)
        fill_column(setup, &setup->column[i], &state);
}

static bool drawn_bit(uint64_t *state) { return number_below(state, 2) == 1; }

void call_choose(call_setup *s, uint64_t seed) {
    uint64_t state = seed;
    s->options = (impinge_options){
        .law = (impinge_law)number_below(&state, IMPINGE_LAW_COUNT),
        .rule = (impinge_restitution_rule)number_below(&state, 3),
        .resolve_jams = drawn_bit(&state),
        .restitution_above_one = drawn_bit(&state),
        .limit_impulse_ratios = drawn_bit(&state),
    };
    s->one_for_all = number_below(&state, 4) == 0;
    s->damped = drawn_bit(&state);
    s->spheres = drawn_bit(&state);
    s->no_results = number_below(&state, 8) == 0;
    s->orientation = (call_orientation)number_below(&state, 3);
    s->restitution = (impinge_restitution_kind)number_below(&state, 5);
    s->period = drawn_bit(&state) ? 4 : 0;
    s->projection = drawn_bit(&state) ? 0.5 : 0;
    s->project_all = drawn_bit(&state);
    s->extrapolate = drawn_bit(&state);
    s->drawn = drawn_bit(&state);
    s->rest_speed = drawn_bit(&state) ? 0.0625 : 0;
    s->energy_fraction = drawn_bit(&state) ? 0.001 : 0;
    s->collisions_max = 40 * s->contacts; /* of an island: a test is to end */
    s->points = 1 + number_below(&state, 3);
}

bool call_allocate(call_setup *setup) {
    bool all = true;
    for (size_t i = 0; i < setup->columns; i++) {
        call_column *const c = &setup->column[i];
        const size_t bytes = (c->length * c->size / CALL_ALIGNMENT + 1) * CALL_ALIGNMENT;
        c->data = aligned_alloc(CALL_ALIGNMENT, bytes);
        if (c->data) memset(c->data, 0, bytes);
        all &= c->data != NULL;
    }
    return all;
}

void call_free(call_setup *setup) {
    for (size_t i = 0; i < setup->columns; i++) {
        free(setup->column[i].data);
        setup->column[i].data = NULL;
    }
}

static bool is_result(const call_column *c) {
    return c->role == COLUMN_WRITTEN || c->role == COLUMN_UPDATED;
}

bool call_same_at(const call_setup *a, const call_setup *b, size_t i) {
    for (size_t k = 0; k < a->columns; k++) {
        const call_column *const c = &a->column[k];
        if (!is_result(c)) continue;
        /* Mechanisms have rows of a whole batch one after the other. */
        for (size_t at = i; at < c->length; at += a->contacts) {
            const char *const of_a = (const char *)c->data + at * c->size;
            const char *const of_b = (const char *)b->column[k].data + at * c->size;
            if (memcmp(of_a, of_b, c->size) != 0) return false;
        }
    }
    return true;
}

bool call_same(const call_setup *a, const call_setup *b, size_t *column) {
    for (*column = 0; *column < a->columns; ++*column) {
        const call_column *const c = &a->column[*column];
        if (is_result(c) && c->length > 0 &&
            memcmp(c->data, b->column[*column].data, c->length * c->size) != 0)
            return false;
    }
    return true;
}
