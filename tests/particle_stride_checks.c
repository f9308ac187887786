/*
 * Particles that stand apart, in arrays of structs: every call on them has the bits of the call on
 * columns, and touches nothing between their numbers.
 */
#include "stride_checks.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "../kernels/real.h"
#include "../tools/support/random.h"
#include "targets.h"

#define CHECK(name) void NAME(strides_##name)(void)

/* ---- The same numbers twice ---- */

/* Between what an element has: bytes that no call writes. */
#define GAP_BYTE 0x5a

/* Between words: a legal index, so that a call that read it would go on with it. */
#define GAP_WORD 7

enum { PARTICLES = 90, PLANES = 2, PAIRS = 400, WIDEST = 20 };

/* `count` elements of `used` numbers each: in structs of `width` numbers, and in columns. */
typedef struct numbers {
    size_t count, used, width;
    real_t apart[PAIRS * WIDEST], column[PAIRS * WIDEST];
} numbers_t;

typedef struct words {
    size_t count, used, width;
    uint32_t apart[PAIRS * 4], column[PAIRS * 4];
} words_t;

/* The place of a call's numbers: component k of element i is at[k step + i stride]. */
typedef struct placed {
    real_t *at;
    size_t step, stride;
} placed_t;

typedef struct placed_words {
    uint32_t *at;
    size_t step, stride;
} placed_words_t;

static placed_t placed(numbers_t *n, bool apart) {
    return apart ? (placed_t){n->apart, 1, n->width} : (placed_t){n->column, n->count, 0};
}

static placed_words_t placed_words(words_t *w, bool apart) {
    return apart ? (placed_words_t){w->apart, 1, w->width}
                 : (placed_words_t){w->column, w->count, 0};
}

static real_t *part(placed_t p, size_t component) { return p.at + component * p.step; }

static void numbers_begin(numbers_t *n, size_t count, size_t used, size_t width) {
    n->count = count;
    n->used = used;
    n->width = width;
    memset(n->apart, GAP_BYTE, sizeof n->apart);
    memset(n->column, GAP_BYTE, sizeof n->column);
}

static void words_begin(words_t *w, size_t count, size_t used, size_t width) {
    w->count = count;
    w->used = used;
    w->width = width;
    for (size_t i = 0; i < sizeof w->apart / sizeof *w->apart; i++)
        w->apart[i] = w->column[i] = GAP_WORD;
}

static void put(numbers_t *n, size_t i, size_t component, double value) {
    n->apart[i * n->width + component] = n->column[component * n->count + i] = (real_t)value;
}

static void put_word(words_t *w, size_t i, size_t component, uint32_t value) {
    w->apart[i * w->width + component] = w->column[component * w->count + i] = value;
}

static void assert_same(const numbers_t *n, const char *after) {
    real_t gap;
    memset(&gap, GAP_BYTE, sizeof gap);
    for (size_t i = 0; i < n->count; i++)
        for (size_t k = 0; k < n->width; k++)
            cr_assert_eq(memcmp(&n->apart[i * n->width + k],
                                k < n->used ? &n->column[k * n->count + i] : &gap, sizeof gap),
                         0, "%s: element %zu, number %zu", after, i, k);
}

static void assert_same_words(const words_t *w, const char *after) {
    for (size_t i = 0; i < w->count; i++)
        for (size_t k = 0; k < w->width; k++)
            cr_assert_eq(w->apart[i * w->width + k],
                         k < w->used ? w->column[k * w->count + i] : GAP_WORD,
                         "%s: element %zu, word %zu", after, i, k);
}

/* ---- A scene ---- */

/* The numbers of a particle, a plane, a contact, a result. */
enum {
    X = 0,
    RADIUS = 3,
    V,
    INVERSE_MASS = 7,
    OMEGA,
    INVERSE_INERTIA = 11,
    KICK,
    OF_PARTICLE = 15
};
enum { N = 0, OFFSET = 3, PLANE_V, OF_PLANE = 7 };
enum { E = 0, MU, E_T, AIM, OF_CONTACT = 6 };
enum { IMPULSE = 0, NORMAL = 3, OVERLAP = 6, PROJECTION, WORKS, IMPACT = 11, GAP = 14, OF_RESULT };

typedef struct scene {
    numbers_t particles, planes, contacts, results;
    words_t index, outcomes;
    uint32_t counts[2][PARTICLES];
    unsigned in_columns; /* kinds that are in columns even where the others stand apart */
    bool points;
} scene_t;

/* Kinds of numbers that have strides of their own. */
enum {
    KIND_PARTICLES = 1,
    KIND_PLANES = 2,
    KIND_COEFFICIENTS = 4,
    KIND_INDICES = 8,
    KIND_RESULTS = 16
};
enum { KINDS = 5, EVERY_KIND = (1 << KINDS) - 1 };

static bool is_apart(const scene_t *s, bool apart, unsigned kind) {
    return apart && !(s->in_columns & kind);
}

static void draw_particle(numbers_t *p, size_t i, uint64_t *state) {
    for (size_t k = 0; k < 3; k++) {
        put(p, i, X + k, random_between(state, 0, 2));
        put(p, i, V + k, random_between(state, -1, 1));
        put(p, i, OMEGA + k, random_between(state, -1, 1));
        put(p, i, KICK + k, random_between(state, -0.1, 0.1));
    }
    put(p, i, RADIUS, random_between(state, 0.2, 0.6));
    put(p, i, INVERSE_MASS, i == 3 ? 0 : random_between(state, 0.5, 2));
    put(p, i, INVERSE_INERTIA, random_between(state, 5, 20));
}

/* Every third pair is of the two particles next to each other in the list, the rest are random. */
static void draw_contact(scene_t *s, size_t i, uint64_t *state) {
    const uint32_t a = random_below(state, PARTICLES);
    const uint32_t b = random_below(state, PARTICLES);
    put_word(&s->index, i, 0, a);
    put_word(&s->index, i, 1, i % 3 == 0 ? (a + 1) % PARTICLES : b == a ? (b + 1) % PARTICLES : b);
    put(&s->contacts, i, E, random_between(state, 0, 1));
    put(&s->contacts, i, MU, random_between(state, 0, 1));
    put(&s->contacts, i, E_T, random_between(state, -1, 1));
    for (size_t k = 0; k < 3; k++)
        put(&s->contacts, i, AIM + k, random_between(state, -0.1, 0.1));
}

static void results_begin(scene_t *s) {
    numbers_begin(&s->results, PAIRS, OF_RESULT, OF_RESULT + 2);
    words_begin(&s->outcomes, PAIRS, 2, 3); /* the second: of impacts in a step */
}

/* `odd`: a particle whose numbers are not ordinary, so that calls leave their quick path. */
static void scene_draw(scene_t *s, uint64_t *state, bool odd, bool points) {
    numbers_begin(&s->particles, PARTICLES, OF_PARTICLE, OF_PARTICLE + 2);
    numbers_begin(&s->planes, PLANES, OF_PLANE, OF_PLANE + 1);
    numbers_begin(&s->contacts, PAIRS, OF_CONTACT, OF_CONTACT + 1);
    words_begin(&s->index, PAIRS, 2, 3);
    results_begin(s);
    s->points = points;
    s->in_columns = 0;
    for (size_t i = 0; i < PARTICLES; i++)
        draw_particle(&s->particles, i, state);
    if (odd) put(&s->particles, 5, V, (double)REAL_MAX / 2);
    for (size_t i = 0; i < PLANES; i++)
        for (size_t k = 0; k < 3; k++) {
            put(&s->planes, i, N + k, k == i);
            put(&s->planes, i, PLANE_V + k, random_between(state, -0.2, 0.2));
        }
    put(&s->planes, 0, OFFSET, 0.3);
    put(&s->planes, 1, OFFSET, 0.4);
    for (size_t i = 0; i < PAIRS; i++)
        draw_contact(s, i, state);
}

static NAME(impinge_particles) particles_of(scene_t *s, bool apart) {
    const placed_t p = placed(&s->particles, is_apart(s, apart, KIND_PARTICLES));
    NAME(impinge_particles)
    particles = {.count = PARTICLES,
                 .radius = part(p, RADIUS),
                 .inverse_mass = part(p, INVERSE_MASS),
                 .position_x = part(p, X),
                 .position_y = part(p, X + 1),
                 .position_z = part(p, X + 2),
                 .velocity_x = part(p, V),
                 .velocity_y = part(p, V + 1),
                 .velocity_z = part(p, V + 2),
                 .radius_stride = p.stride,
                 .inverse_mass_stride = p.stride,
                 .inverse_inertia_stride = p.stride,
                 .position_stride = p.stride,
                 .velocity_stride = p.stride,
                 .angular_velocity_stride = p.stride};
    if (s->points) return particles;
    particles.inverse_inertia = part(p, INVERSE_INERTIA);
    particles.angular_velocity_x = part(p, OMEGA);
    particles.angular_velocity_y = part(p, OMEGA + 1);
    particles.angular_velocity_z = part(p, OMEGA + 2);
    return particles;
}

static NAME(impinge_planes) planes_of(scene_t *s, bool apart) {
    const placed_t p = placed(&s->planes, is_apart(s, apart, KIND_PLANES));
    return (NAME(impinge_planes)){.count = PLANES,
                                  .normal_x = part(p, N),
                                  .normal_y = part(p, N + 1),
                                  .normal_z = part(p, N + 2),
                                  .offset = part(p, OFFSET),
                                  .velocity_x = part(p, PLANE_V),
                                  .velocity_y = part(p, PLANE_V + 1),
                                  .velocity_z = part(p, PLANE_V + 2),
                                  .normal_stride = p.stride,
                                  .offset_stride = p.stride,
                                  .velocity_stride = p.stride};
}

static NAME(impinge_coefficient) coefficient_of(placed_t p, size_t component) {
    return (NAME(impinge_coefficient)){.values = part(p, component), .stride = p.stride};
}

static NAME(impinge_particle_contacts) contacts_of(scene_t *s, bool apart) {
    const placed_t p = placed(&s->contacts, is_apart(s, apart, KIND_COEFFICIENTS));
    const placed_words_t w = placed_words(&s->index, is_apart(s, apart, KIND_INDICES));
    return (NAME(impinge_particle_contacts)){
        .count = PAIRS,
        .index_a = w.at,
        .index_b = w.at + w.step,
        .coefficients = {.restitution = coefficient_of(p, E),
                         .friction = coefficient_of(p, MU),
                         .tangential_restitution = coefficient_of(p, E_T)},
        .projection_factor = (real_t)0.25,
        .index_stride = w.stride};
}

static NAME(impinge_particle_results) results_of(scene_t *s, bool apart) {
    const placed_t p = placed(&s->results, is_apart(s, apart, KIND_RESULTS));
    const placed_words_t w = placed_words(&s->outcomes, is_apart(s, apart, KIND_RESULTS));
    return (NAME(impinge_particle_results)){.impulse_x = part(p, IMPULSE),
                                            .impulse_y = part(p, IMPULSE + 1),
                                            .impulse_z = part(p, IMPULSE + 2),
                                            .normal_x = part(p, NORMAL),
                                            .normal_y = part(p, NORMAL + 1),
                                            .normal_z = part(p, NORMAL + 2),
                                            .overlap = part(p, OVERLAP),
                                            .projection = part(p, PROJECTION),
                                            .work_compression = part(p, WORKS),
                                            .work_restitution = part(p, WORKS + 1),
                                            .work_friction = part(p, WORKS + 2),
                                            .outcome = w.at,
                                            .impulse_stride = p.stride,
                                            .normal_stride = p.stride,
                                            .overlap_stride = p.stride,
                                            .projection_stride = p.stride,
                                            .work_stride = p.stride,
                                            .outcome_stride = w.stride};
}

static void assert_same_scene(const scene_t *s, const char *after) {
    assert_same(&s->particles, after);
    assert_same(&s->planes, after);
    assert_same(&s->contacts, after);
    assert_same_words(&s->index, after);
    assert_same(&s->results, after);
    assert_same_words(&s->outcomes, after);
}

static size_t collided(const scene_t *s) {
    size_t count = 0;
    for (size_t i = 0; i < PAIRS; i++)
        count += (s->outcomes.column[i] & IMPINGE_OUTCOME_GOT_IMPULSE) != 0;
    return count;
}

static const impinge_options bilinear = {.law = IMPINGE_LAW_BILINEAR};

/* ---- Calls that resolve and apply ---- */

static void resolve_and_apply(scene_t *s, bool apart) {
    const NAME(impinge_particles) particles = particles_of(s, apart);
    NAME(impinge_particle_contacts) contacts = contacts_of(s, apart);
    const NAME(impinge_particle_results) results = results_of(s, apart);
    uint32_t *const counts = s->counts[apart];
    memset(counts, 0, sizeof s->counts[apart]);
    cr_assert_geq(NAME(impinge_resolve_particle_pairs)(&particles, &contacts, NULL, &bilinear,
                                                       &results, NULL),
                  0);
    cr_assert_eq(NAME(impinge_count_impulses)(&particles, &contacts, NULL, false, &results, counts),
                 IMPINGE_OK);
    contacts.sharing = counts;
    cr_assert_geq(NAME(impinge_apply_particle_pairs)(&particles, NULL, &contacts, NULL, &results),
                  0);
}

/* With indices, and without: then contact i is of particle i and plane 0. */
static void resolve_planes(scene_t *s, bool apart, bool indexed) {
    const NAME(impinge_particles) particles = particles_of(s, apart);
    const NAME(impinge_planes) planes = planes_of(s, apart);
    NAME(impinge_particle_contacts) contacts = contacts_of(s, apart);
    const NAME(impinge_particle_results) results = results_of(s, apart);
    if (!indexed) {
        contacts.index_a = contacts.index_b = NULL;
        contacts.count = PARTICLES;
    }
    uint32_t *const counts = s->counts[apart];
    memset(counts, 0, sizeof s->counts[apart]);
    cr_assert_geq(NAME(impinge_resolve_particle_planes)(&particles, &planes, &contacts, NULL,
                                                        &bilinear, &results, NULL),
                  0);
    cr_assert_eq(NAME(impinge_count_impulses)(&particles, &contacts, NULL, true, &results, counts),
                 IMPINGE_OK);
    contacts.sharing = counts;
    cr_assert_geq(NAME(impinge_apply_particle_planes)(&particles, NULL, &contacts, NULL, &results),
                  0);
}

static void check_particles(const char *target, void *user) {
    (void)target;
    (void)user;
    static scene_t s;
    uint64_t state = 11;
    for (int round = 0; round < 8; round++) {
        scene_draw(&s, &state, round % 4 == 3, round % 2 == 1);
        for (int apart = 0; apart < 2; apart++)
            resolve_and_apply(&s, apart);
        cr_assert_gt(collided(&s), 20);
        cr_assert_eq(memcmp(s.counts[0], s.counts[1], sizeof s.counts[0]), 0);
        assert_same_scene(&s, "pairs");
        for (int indexed = 0; indexed < 2; indexed++) {
            results_begin(&s);
            for (size_t i = 0; i < PAIRS; i++)
                put_word(&s.index, i, 1, (uint32_t)(i % PLANES));
            for (int apart = 0; apart < 2; apart++)
                resolve_planes(&s, apart, indexed);
            cr_assert_gt(collided(&s), 5);
            cr_assert_eq(memcmp(s.counts[0], s.counts[1], sizeof s.counts[0]), 0);
            assert_same_scene(&s, "planes");
        }
    }
}

CHECK(particles) { for_each_target(check_particles, NULL); }

/* ---- Calls that do all at once, and rows ---- */

static void collide_selected(scene_t *s, bool apart, const impinge_selection *selection) {
    static real_t workspace[4096];
    memset(workspace, 0, sizeof workspace);
    const NAME(impinge_particles) particles = particles_of(s, apart);
    const NAME(impinge_particle_contacts) contacts = contacts_of(s, apart);
    cr_assert_leq(NAME(impinge_collide_particle_pairs_workspace)(PARTICLES), sizeof workspace);
    cr_assert_geq(NAME(impinge_collide_particle_pairs)(&particles, &contacts, selection, &bilinear,
                                                       workspace, NULL),
                  0);
}

static void collide_all(scene_t *s, bool apart) { collide_selected(s, apart, NULL); }

/* Rows and sums have no strides: only the columns and the contacts have. */
typedef struct tables {
    real_t motion[PARTICLES * 8], spin[PARTICLES * 4], push[PARTICLES * 8], moment[PARTICLES * 4];
    uint8_t added[PARTICLES];
} tables_t;

static void collide_rows(scene_t *s, bool apart, tables_t *t) {
    const NAME(impinge_particles) particles = particles_of(s, apart);
    NAME(impinge_particle_contacts) contacts = contacts_of(s, apart);
    const NAME(impinge_particle_rows)
        rows = {.count = PARTICLES, .motion = t->motion, .spin = s->points ? NULL : t->spin};
    const NAME(impinge_particle_sums)
        sums = {.push = t->push, .moment = t->moment, .added = t->added};
    uint32_t *const counts = s->counts[apart];
    memset(t, 0, sizeof *t);
    memset(counts, 0, sizeof s->counts[apart]);
    cr_assert_eq(NAME(impinge_pack_particle_rows)(&particles, NULL, &rows), IMPINGE_OK);
    cr_assert_geq(
        NAME(impinge_count_particle_rows)(&rows, &contacts, NULL, &bilinear, counts, NULL), 0);
    contacts.sharing = counts;
    cr_assert_geq(
        NAME(impinge_collide_particle_rows)(&rows, &contacts, NULL, &bilinear, &sums, NULL), 0);
    cr_assert_geq(NAME(impinge_apply_particle_sums)(&rows, NULL, &sums), 0);
    cr_assert_eq(NAME(impinge_unpack_particle_rows)(&rows, NULL, &particles), IMPINGE_OK);
}

static void check_at_once(const char *target, void *user) {
    (void)target;
    (void)user;
    static scene_t s, was;
    static tables_t tables[2];
    uint64_t state = 12;
    for (int round = 0; round < 8; round++) {
        scene_draw(&s, &state, round % 4 == 3, round % 2 == 1);
        was = s;
        for (int apart = 0; apart < 2; apart++)
            collide_all(&s, apart);
        cr_assert_neq(memcmp(s.particles.column, was.particles.column, sizeof s.particles.column),
                      0);
        assert_same_scene(&s, "collide");
        for (int apart = 0; apart < 2; apart++)
            collide_rows(&s, apart, &tables[apart]);
        cr_assert_eq(memcmp(&tables[0], &tables[1], sizeof tables[0]), 0);
        assert_same_scene(&s, "rows");
    }
}

CHECK(at_once) { for_each_target(check_at_once, NULL); }

/* Contacts from 40 on, of which the quick path gathers the coefficients of those that touch. */
static void check_a_selection(const char *target, void *user) {
    (void)target;
    (void)user;
    static scene_t s, was;
    const impinge_selection selection = {.first = 40, .count = PAIRS - 60};
    uint64_t state = 16;
    for (int round = 0; round < 4; round++) {
        scene_draw(&s, &state, false, round % 2 == 1);
        was = s;
        for (int apart = 0; apart < 2; apart++)
            collide_selected(&s, apart, &selection);
        cr_assert_neq(memcmp(s.particles.column, was.particles.column, sizeof s.particles.column),
                      0);
        assert_same_scene(&s, "a selection");
    }
}

CHECK(selection_at_once) { for_each_target(check_a_selection, NULL); }

/*
 * Particles that are far apart, but for some of the second half, that lie along z from one of the
 * first: few touch, the first of all particles among them. In columns, and apart, the bits are
 * those of one call that resolves and another that applies.
 */
static void draw_sparse(scene_t *s, uint64_t *state, bool points) {
    enum { HALF = PARTICLES / 2, EVERY = 10, NEAR = 40 };
    scene_draw(s, state, false, points);
    for (size_t i = 0; i < PARTICLES; i++) {
        const bool follows = i >= HALF && i % EVERY == HALF % EVERY;
        for (size_t k = 0; k < 3; k++)
            put(&s->particles, i, X + k,
                follows
                    ? (double)s->particles.column[(X + k) * PARTICLES + i - HALF] + 0.3 * (k == 2)
                    : random_between(state, 0, 60));
    }
    for (size_t i = 0; i < PAIRS; i++) {
        const bool near = i % NEAR == NEAR - 1;
        const uint32_t a = near ? (uint32_t)(i / NEAR * EVERY % HALF / EVERY * EVERY)
                                : random_below(state, PARTICLES);
        put_word(&s->index, i, 0, a);
        put_word(&s->index, i, 1, (a + (near ? HALF : HALF + 1)) % PARTICLES);
    }
}

static void check_few_at_once(const char *target, void *user) {
    (void)target;
    (void)user;
    static scene_t s, two_calls;
    uint64_t state = 17;
    for (int round = 0; round < 4; round++) {
        draw_sparse(&s, &state, round % 2 == 1);
        two_calls = s;
        resolve_and_apply(&two_calls, false);
        cr_assert_eq(collided(&two_calls) > 0 && collided(&two_calls) <= 10, true, "%zu",
                     collided(&two_calls));
        for (int apart = 0; apart < 2; apart++)
            collide_all(&s, apart);
        cr_assert_arr_eq(s.particles.column, two_calls.particles.column, sizeof s.particles.column);
        assert_same_scene(&s, "few touch");
    }
}

CHECK(few_at_once) { for_each_target(check_few_at_once, NULL); }

/* ---- One kind apart, the others in columns ---- */

static void assert_as_in_columns(const numbers_t *right, const numbers_t *n, bool apart,
                                 const char *after) {
    for (size_t i = 0; i < n->count; i++)
        for (size_t k = 0; k < n->used; k++)
            cr_assert_eq(memcmp(apart ? &n->apart[i * n->width + k] : &n->column[k * n->count + i],
                                &right->column[k * n->count + i], sizeof(real_t)),
                         0, "%s: element %zu, number %zu", after, i, k);
}

/* A call that looks at the strides of some kinds only takes another's for a column. */
static void check_one_kind(scene_t *all, scene_t *one, unsigned kind) {
    static const char *const names[] = {"pairs", "planes", "planes without indices", "at once"};
    static scene_t was;
    was = *all;
    for (int call = 0; call < 4; call++) {
        *all = *one = was;
        one->in_columns = EVERY_KIND & ~kind;
        scene_t *const scene[] = {all, one};
        for (int which = 0; which < 2; which++) {
            if (call == 0) resolve_and_apply(scene[which], which);
            if (call == 1 || call == 2) resolve_planes(scene[which], which, call == 1);
            if (call == 3) collide_all(scene[which], which);
        }
        assert_as_in_columns(&all->particles, &one->particles, kind == KIND_PARTICLES, names[call]);
        assert_as_in_columns(&all->results, &one->results, kind == KIND_RESULTS, names[call]);
    }
}

static void check_one_kind_apart(const char *target, void *user) {
    (void)target;
    (void)user;
    static scene_t all, one;
    uint64_t state = 13;
    for (unsigned kind = 0; kind < KINDS; kind++)
        for (int odd = 0; odd < 2; odd++) {
            scene_draw(&all, &state, odd, false);
            check_one_kind(&all, &one, 1U << kind);
        }
}

CHECK(one_kind_apart) { for_each_target(check_one_kind_apart, NULL); }

/* ---- Neighbours ---- */

typedef struct found {
    uint32_t starts[PARTICLES + 1], index[PARTICLES * PARTICLES];
    uint32_t a[PARTICLES * PARTICLES], b[PARTICLES * PARTICLES];
    uint64_t key[PARTICLES * PARTICLES];
    size_t neighbours, contacts;
} found_t;

static void find(scene_t *s, bool apart, found_t *f) {
    const NAME(impinge_particles) particles = particles_of(s, apart);
    const NAME(impinge_planes) planes = planes_of(s, apart);
    const impinge_neighbour_options options = {.skin = 0.05};
    impinge_neighbours list = {
        .starts = f->starts, .index = f->index, .capacity = PARTICLES * PARTICLES};
    impinge_found_contacts contacts = {
        .index_a = f->a, .index_b = f->b, .key = f->key, .capacity = PARTICLES * PARTICLES};
    void *const workspace = malloc(NAME(impinge_find_neighbours_workspace)(PARTICLES));
    cr_assert_eq(
        NAME(impinge_find_neighbours)(&particles, &planes, &options, workspace, NULL, &list),
        IMPINGE_OK);
    cr_assert_eq(
        NAME(impinge_find_particle_contacts)(&particles, &planes, &list, 0.01, NULL, &contacts),
        IMPINGE_OK);
    f->neighbours = list.count;
    f->contacts = contacts.count;
    free(workspace);
}

/* The positions with one of them moved by 0.1. */
static bool has_moved(scene_t *s, bool apart, double distance) {
    static numbers_t was;
    was = s->particles;
    put(&was, 3, X + 1, (double)was.column[(X + 1) * PARTICLES + 3] + 0.1);
    const NAME(impinge_particles) particles = particles_of(s, apart);
    const placed_t p = placed(&was, apart);
    return NAME(impinge_particles_moved)(&particles, part(p, X), part(p, X + 1), part(p, X + 2),
                                         p.stride, distance);
}

static void check_neighbours(const char *target, void *user) {
    (void)target;
    (void)user;
    static scene_t s;
    static found_t found[2];
    uint64_t state = 13;
    scene_draw(&s, &state, false, false);
    static const unsigned in_columns[] = {0, KIND_PARTICLES, KIND_PLANES};
    for (size_t i = 0; i < 3; i++) {
        s.in_columns = in_columns[i];
        memset(found, 0, sizeof found);
        for (int apart = 0; apart < 2; apart++) {
            find(&s, apart, &found[apart]);
            cr_assert(has_moved(&s, apart, 0.05));
            cr_assert_not(has_moved(&s, apart, 0.2));
        }
        cr_assert_gt(found[0].contacts, PARTICLES);
        cr_assert_eq(memcmp(&found[0], &found[1], sizeof found[0]), 0, "%zu", i);
        assert_same_scene(&s, "neighbours");
    }
}

CHECK(neighbours) { for_each_target(check_neighbours, NULL); }

/* ---- A step ---- */

static NAME(impinge_contact_state) state_of(scene_t *s, bool apart) {
    const placed_t p = placed(&s->contacts, is_apart(s, apart, KIND_COEFFICIENTS));
    const placed_t r = placed(&s->results, is_apart(s, apart, KIND_RESULTS));
    return (NAME(impinge_contact_state)){.aim_x = part(p, AIM),
                                         .aim_y = part(p, AIM + 1),
                                         .aim_z = part(p, AIM + 2),
                                         .impulse_x = part(r, IMPULSE),
                                         .impulse_y = part(r, IMPULSE + 1),
                                         .impulse_z = part(r, IMPULSE + 2),
                                         .normal_x = part(r, NORMAL),
                                         .normal_y = part(r, NORMAL + 1),
                                         .normal_z = part(r, NORMAL + 2),
                                         .aim_stride = p.stride,
                                         .impulse_stride = r.stride,
                                         .normal_stride = r.stride};
}

static NAME(impinge_step_results) step_results_of(scene_t *s, bool apart) {
    const placed_t r = placed(&s->results, is_apart(s, apart, KIND_RESULTS));
    const placed_words_t w = placed_words(&s->outcomes, is_apart(s, apart, KIND_RESULTS));
    return (NAME(impinge_step_results)){.impulse_x = part(r, IMPULSE),
                                        .impulse_y = part(r, IMPULSE + 1),
                                        .impulse_z = part(r, IMPULSE + 2),
                                        .impact_x = part(r, IMPACT),
                                        .impact_y = part(r, IMPACT + 1),
                                        .impact_z = part(r, IMPACT + 2),
                                        .work_compression = part(r, WORKS),
                                        .work_restitution = part(r, WORKS + 1),
                                        .work_friction = part(r, WORKS + 2),
                                        .normal_x = part(r, NORMAL),
                                        .normal_y = part(r, NORMAL + 1),
                                        .normal_z = part(r, NORMAL + 2),
                                        .gap = part(r, GAP),
                                        .outcome = w.at,
                                        .impulse_stride = r.stride,
                                        .impact_stride = r.stride,
                                        .work_stride = r.stride,
                                        .normal_stride = r.stride,
                                        .gap_stride = r.stride,
                                        .outcome_stride = w.stride};
}

static void step(scene_t *s, bool apart, const impinge_step_options *options, void *workspace) {
    const NAME(impinge_particles) particles = particles_of(s, apart);
    const NAME(impinge_planes) planes = planes_of(s, apart);
    const NAME(impinge_particle_contacts) contacts = contacts_of(s, apart);
    const placed_t p = placed(&s->particles, is_apart(s, apart, KIND_PARTICLES));
    const placed_words_t w = placed_words(&s->outcomes, is_apart(s, apart, KIND_RESULTS));
    const NAME(impinge_particle_step) all = {.particles = &particles,
                                             .planes = &planes,
                                             .contacts = &contacts,
                                             .impact_options = &bilinear,
                                             .options = options,
                                             .state = state_of(s, apart),
                                             .kick = {.z = (real_t)-0.05,
                                                      .each_x = part(p, KICK),
                                                      .each_y = part(p, KICK + 1),
                                                      .each_z = part(p, KICK + 2),
                                                      .each_stride = p.stride},
                                             .results = step_results_of(s, apart),
                                             .impact_outcome = w.at + w.step,
                                             .impact_outcome_stride = w.stride,
                                             .workspace = workspace};
    cr_assert_geq(NAME(impinge_step_particles)(&all, NULL), 0);
}

/* Twice: the second starts warm, from the impulses and normals of the first. */
static void check_step(const char *target, void *user) {
    (void)target;
    (void)user;
    static scene_t s;
    uint64_t state = 14;
    void *const workspace =
        malloc(NAME(impinge_step_particles_workspace)(PARTICLES, PLANES, PAIRS));
    for (int round = 0; round < 6; round++) {
        impinge_step_options options = {.time_step = 0.01, .impacts = {.rest_speed = 0.05}};
        if (round % 2 == 1) options.rest.method = IMPINGE_REST_UNORDERED;
        scene_draw(&s, &state, round % 3 == 2, round >= 3);
        for (size_t i = 0; i < PAIRS; i++) {
            for (size_t k = 0; k < OF_RESULT; k++)
                put(&s.results, i, k, 0);
            if (i % 5 == 0) put_word(&s.index, i, 1, PARTICLES + i % PLANES);
        }
        size_t collides = 0;
        for (int again = 0; again < 2; again++) {
            for (int apart = 0; apart < 2; apart++)
                step(&s, apart, &options, workspace);
            assert_same_scene(&s, again ? "a warm step" : "a step");
            for (size_t i = 0; i < PAIRS; i++)
                collides += (s.outcomes.column[PAIRS + i] & IMPINGE_OUTCOME_GOT_IMPULSE) != 0;
        }
        size_t rests = 0;
        for (size_t i = 0; i < PAIRS; i++)
            rests += (s.outcomes.column[i] & IMPINGE_OUTCOME_RESTING) != 0;
        cr_assert_gt(rests, 5);
        cr_assert_gt(collides, 5);
    }
    free(workspace);
}

CHECK(particle_step) { for_each_target(check_step, NULL); }

/* ---- Impulses of the step before ---- */

static void match(scene_t *s, scene_t *to, bool apart) {
    static uint64_t key[PAIRS], now[PAIRS];
    const placed_t r = placed(&s->results, is_apart(s, apart, KIND_RESULTS));
    for (size_t i = 0; i < PAIRS; i++) {
        key[i] = 2 * i;
        now[i] = 3 * i;
    }
    const NAME(impinge_contact_memory) before = {.count = PAIRS,
                                                 .key = key,
                                                 .impulse_x = part(r, IMPULSE),
                                                 .impulse_y = part(r, IMPULSE + 1),
                                                 .impulse_z = part(r, IMPULSE + 2),
                                                 .normal_x = part(r, NORMAL),
                                                 .normal_y = part(r, NORMAL + 1),
                                                 .normal_z = part(r, NORMAL + 2),
                                                 .impulse_stride = r.stride,
                                                 .normal_stride = r.stride};
    const NAME(impinge_step_results) results = step_results_of(to, apart);
    void *const workspace = malloc(impinge_match_impulses_workspace(PAIRS));
    size_t matched;
    cr_assert_eq(NAME(impinge_match_impulses)(&before, PAIRS, now, &results, workspace, &matched),
                 IMPINGE_OK);
    cr_assert_eq(matched, (2 * PAIRS + 5) / 6); /* multiples of 6 below 2 PAIRS */
    free(workspace);
}

CHECK(match) {
    static scene_t s, to;
    uint64_t state = 15;
    results_begin(&s);
    results_begin(&to);
    for (size_t i = 0; i < PAIRS; i++)
        for (size_t k = 0; k < OF_RESULT; k++) {
            put(&s.results, i, k, random_between(&state, -1, 1));
            put(&to.results, i, k, 2);
        }
    for (int apart = 0; apart < 2; apart++)
        match(&s, &to, apart);
    assert_same(&to.results, "match");
    assert_same(&s.results, "match");
}

/* ---- Strides of arrays that cannot exist ---- */

static void refuse_calls(scene_t *s) {
    NAME(impinge_particles) p = particles_of(s, false);
    NAME(impinge_planes) floor = planes_of(s, false);
    NAME(impinge_particle_contacts) c = contacts_of(s, false);
    NAME(impinge_particle_results) r = results_of(s, false);
    uint32_t *const counts = s->counts[0];
    uint32_t starts[PARTICLES + 1], index[1];
    impinge_neighbours list = {.starts = starts, .index = index};
    static real_t motion[PARTICLES * IMPINGE_MOTION_ROW];
    const NAME(impinge_particle_rows) rows = {.count = PARTICLES, .motion = motion};
    static uint64_t key[PAIRS];
    NAME(impinge_contact_memory)
    before = {.count = PAIRS,
              .key = key,
              .impulse_x = r.impulse_x,
              .impulse_y = r.impulse_y,
              .impulse_z = r.impulse_z};
    NAME(impinge_step_results) to = step_results_of(s, false);
    c.sharing = counts;
#define RESOLVE NAME(impinge_resolve_particle_pairs)(&p, &c, NULL, NULL, &r, NULL)
#define PLANES  NAME(impinge_resolve_particle_planes)(&p, &floor, &c, NULL, NULL, &r, NULL)
#define APPLY   NAME(impinge_apply_particle_pairs)(&p, NULL, &c, NULL, &r)
#define COUNT   NAME(impinge_count_impulses)(&p, &c, NULL, false, &r, counts)
#define COLLIDE NAME(impinge_collide_particle_pairs)(&p, &c, NULL, NULL, motion, NULL)
#define FIND    NAME(impinge_find_neighbours)(&p, &floor, NULL, motion, NULL, &list)
#define MATCH   NAME(impinge_match_impulses)(&before, PAIRS, key, &to, motion, NULL)
    REFUSED(p.radius_stride, RESOLVE);
    REFUSED(p.inverse_mass_stride, RESOLVE);
    REFUSED(p.inverse_inertia_stride, RESOLVE);
    REFUSED(p.position_stride, RESOLVE);
    REFUSED(p.velocity_stride, RESOLVE);
    REFUSED(p.angular_velocity_stride, RESOLVE);
    REFUSED(c.index_stride, RESOLVE);
    REFUSED(c.coefficients.friction.stride, RESOLVE);
    REFUSED(r.impulse_stride, RESOLVE);
    REFUSED(r.normal_stride, RESOLVE);
    REFUSED(r.overlap_stride, RESOLVE);
    REFUSED(r.projection_stride, RESOLVE);
    REFUSED(r.work_stride, RESOLVE);
    REFUSED(r.outcome_stride, RESOLVE);
    REFUSED(floor.normal_stride, PLANES);
    REFUSED(floor.offset_stride, PLANES);
    REFUSED(floor.velocity_stride, PLANES);
    REFUSED(r.overlap_stride, PLANES);
    REFUSED(c.index_stride, APPLY);
    REFUSED(r.impulse_stride, APPLY);
    REFUSED(p.velocity_stride, APPLY);
    REFUSED(r.impulse_stride, COUNT);
    REFUSED(c.index_stride, COUNT);
    REFUSED(p.velocity_stride, COLLIDE);
    REFUSED(c.index_stride, COLLIDE);
    REFUSED(p.position_stride, FIND);
    REFUSED(floor.offset_stride, FIND);
    REFUSED(p.position_stride, NAME(impinge_pack_particle_rows)(&p, NULL, &rows));
    REFUSED(p.velocity_stride, NAME(impinge_unpack_particle_rows)(&rows, NULL, &p));
    REFUSED(before.impulse_stride, MATCH);
    REFUSED(to.normal_stride, MATCH);
#undef MATCH
#undef FIND
#undef COLLIDE
#undef COUNT
#undef APPLY
#undef PLANES
#undef RESOLVE
}

static void refuse_step(scene_t *s) {
    const NAME(impinge_particles) p = particles_of(s, false);
    NAME(impinge_particle_contacts) c = contacts_of(s, false);
    const impinge_step_options options = {.time_step = 0.01};
    NAME(impinge_rolling_resistance) rolling = {.couple_stride = 0};
    real_t room;
    NAME(impinge_particle_step)
    all = {.particles = &p,
           .contacts = &c,
           .options = &options,
           .rolling_resistance = &rolling,
           .workspace = &room};
#define STEP NAME(impinge_step_particles)(&all, NULL)
    REFUSED(c.index_stride, STEP);
    REFUSED(c.coefficients.restitution.stride, STEP);
    REFUSED(rolling.couple_stride, STEP);
    REFUSED(rolling.rolling.stride, STEP);
    REFUSED(all.impact_outcome_stride, STEP);
    REFUSED(all.state.impulse_stride, STEP);
    REFUSED(all.kick.each_stride, STEP);
    REFUSED(all.results.impulse_stride, STEP);
    REFUSED(all.results.gap_stride, STEP);
#undef STEP
}

CHECK(particles_too_large) {
    static scene_t s;
    uint64_t state = 16;
    scene_draw(&s, &state, false, false);
    results_begin(&s);
    refuse_calls(&s);
    refuse_step(&s);
}
