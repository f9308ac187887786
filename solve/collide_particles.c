/*
 * Pairs of particles in one call: impulses are computed and added to the particles.
 *
 * kernels/particles_collide.h packs all particles into rows, twice, and copies them back, which
 * pays if many of the listed pairs touch. Where few do, or where the pairs are few beside the
 * particles, those that may touch are listed first; they alone are resolved and applied, by the
 * kernels of the calls that do one of these at a time. The bits are the same. A sample of the pairs
 * decides between the two; a list that exceeds its room is abandoned before anything is changed.
 */
#include "../kernels/columns.h"
#include "carving.h"
#include "solve.h"

/* The largest number of sampled pairs. At most one pair in as many is sampled. */
#define SAMPLES 64
/* A list pays if at most one pair in FEW may touch. */
#define FEW 8
/* Packing this many particles twice, and back, takes longer than gathering a pair. */
#define PARTICLES_A_PAIR 8
/* Whole lanes of any target. */
#define WHOLE IMPINGE_LANES_MOST(IMPINGE_REAL_BITS)

/* The contacts that may touch, and their results. */
typedef struct touching {
    size_t room, count;
    float *places;    /* rows, as sift_pairs packs them */
    float *coarse[4]; /* in f64: x, y, z, R, rounded */
    uint32_t *counts; /* of impulses, of each particle */
    uint32_t *number; /* counted from the first that is selected */
    uint32_t *a, *b, *outcome;
    real_t *impulse[3], *normal[3], *projection, *coefficient[3];
} touching_t;

static touching_t carve_touching(carving_t *c, size_t particles, size_t room) {
    const size_t most = room + WHOLE;
    touching_t t = {.room = room};
    t.places = carve(c, (particles + IMPINGE_ROWS_SPARE) * IMPINGE_PLACE_ROW, sizeof(float));
    for (size_t k = 0; k < 4; k++)
        t.coarse[k] = carve(c, IMPINGE_REAL_BITS == 64 ? particles : 0, sizeof(float));
    t.counts = carve(c, particles, sizeof(uint32_t));
    t.number = carve(c, room + IMPINGE_SIFT_SPARE, sizeof(uint32_t));
    t.a = carve(c, most, sizeof(uint32_t));
    t.b = carve(c, most, sizeof(uint32_t));
    t.outcome = carve(c, most, sizeof(uint32_t));
    t.projection = carve(c, most, sizeof(real_t));
    for (size_t k = 0; k < 3; k++) {
        t.impulse[k] = carve(c, most, sizeof(real_t));
        t.normal[k] = carve(c, most, sizeof(real_t));
        t.coefficient[k] = carve(c, most, sizeof(real_t));
    }
    return t;
}

/* The room that the workspace has, at most `most`. Zero: too little. */
static touching_t touching_in(void *workspace, size_t size, size_t particles, size_t most) {
    const size_t skipped = carving_skips(workspace);
    for (size_t room = most; room > 0; room /= 2) {
        carving_t measured = {NULL, skipped};
        carve_touching(&measured, particles, room);
        if (measured.size > size) continue;
        carving_t carving = carving_aligned(workspace);
        return carve_touching(&carving, particles, room);
    }
    return (touching_t){.room = 0};
}

/* ---- Whether few touch ---- */

typedef struct index_pair {
    size_t a, b;
} index_pair_t;

static index_pair_t pair_at(const NAME(impinge_particle_contacts) * in, size_t i) {
    return (index_pair_t){index_a_of(AS_GIVEN, in, i), index_b_of(AS_GIVEN, in, i)};
}

/* An estimate: neither periodic images nor contacts that are not ordinary are considered. */
static bool seem_to_touch(const NAME(impinge_particles) * p, index_pair_t pair) {
    if (pair.a >= p->count || pair.b >= p->count) return false;
    real_t x_a[3], x_b[3];
    numbers_at(VECTOR_OF(AS_GIVEN, p, position), pair.a, x_a);
    numbers_at(VECTOR_OF(AS_GIVEN, p, position), pair.b, x_b);
    const real_t reach = number_at(COLUMN_OF(AS_GIVEN, p, radius), pair.a) +
                         number_at(COLUMN_OF(AS_GIVEN, p, radius), pair.b);
    real_t square = 0;
    for (size_t k = 0; k < 3; k++)
        square += (x_a[k] - x_b[k]) * (x_a[k] - x_b[k]);
    return square <= reach * reach;
}

static bool seem_few_to_touch(const NAME(impinge_particles) * particles,
                              const NAME(impinge_particle_contacts) * in, selected_t selected) {
    const size_t of = selected.count / SAMPLES < SAMPLES ? selected.count / SAMPLES : SAMPLES;
    size_t touch = 0;
    for (size_t k = 0; k < of; k++)
        touch += seem_to_touch(particles, pair_at(in, selected.first + k * (selected.count / of)));
    return of > 0 && touch <= of / (2 * FEW);
}

/* ---- Those that may ---- */

static NAME(impinge_coefficient) coefficient_at(NAME(impinge_coefficient) c, size_t first,
                                                const touching_t *t, size_t count, real_t *to) {
    if (!c.values) return c;
    for (size_t k = 0; k < count; k++)
        to[k] = number_at(stride_of(AS_GIVEN, c.stride), c.values, first + t->number[k]);
    return (NAME(impinge_coefficient)){.values = to};
}

/*
 * These contacts alone, in whole lanes: the last is repeated, and its repetitions have no effect. A
 * vector that is not whole would take the slower general path.
 */
static NAME(impinge_particle_contacts)
    contacts_touching(const NAME(impinge_particle_contacts) * in, size_t first, touching_t *t) {
    const size_t whole = (t->count + WHOLE - 1) / WHOLE * WHOLE;
    for (size_t k = t->count; k < whole; k++)
        t->number[k] = t->number[t->count - 1];
    for (size_t k = 0; k < whole; k++) {
        t->a[k] = (uint32_t)index_a_of(AS_GIVEN, in, first + t->number[k]);
        t->b[k] = (uint32_t)index_b_of(AS_GIVEN, in, first + t->number[k]);
    }
    NAME(impinge_particle_contacts) these = *in;
    NAME(impinge_coefficients) *const c = &these.coefficients;
    these.count = whole;
    these.index_a = t->a;
    these.index_b = t->b;
    these.index_stride = 0;
    c->restitution = coefficient_at(c->restitution, first, t, whole, t->coefficient[0]);
    c->friction = coefficient_at(c->friction, first, t, whole, t->coefficient[1]);
    c->tangential_restitution =
        coefficient_at(c->tangential_restitution, first, t, whole, t->coefficient[2]);
    return these;
}

/* Reports invalid contacts. Returns whether none is out of range. */
static bool report_touching(const touching_t *t, size_t first, impinge_report *report) {
    bool fits = true;
    for (size_t k = 0; k < t->count; k++) {
        fits = fits && !(t->outcome[k] & IMPINGE_OUTCOME_OUT_OF_RANGE);
        if (!(t->outcome[k] & IMPINGE_OUTCOME_INVALID)) continue;
        if (report->invalid == 0) report->first_invalid = first + t->number[k];
        report->invalid++;
    }
    return fits;
}

static bool resolve_touching(const NAME(impinge_particle_kernels) * kernels,
                             const NAME(impinge_particles) * particles,
                             const NAME(impinge_particle_contacts) * in, size_t first,
                             const impinge_options *options, touching_t *t,
                             impinge_report *report) {
    if (t->count == 0) return true;
    NAME(impinge_particle_contacts) these = contacts_touching(in, first, t);
    const NAME(impinge_particle_results) results = {.impulse_x = t->impulse[0],
                                                    .impulse_y = t->impulse[1],
                                                    .impulse_z = t->impulse[2],
                                                    .normal_x = t->normal[0],
                                                    .normal_y = t->normal[1],
                                                    .normal_z = t->normal[2],
                                                    .projection = t->projection,
                                                    .outcome = t->outcome};
    impinge_report unread = {.first_invalid = SIZE_MAX};
    kernels->resolve_pairs(particles, &these, (selected_t){0, these.count}, options, &results,
                           &unread);
    const bool fits = report_touching(t, first, report);
    const selected_t listed = {0, t->count};
    if (!in->independent && !in->sharing) {
        for (size_t k = 0; k < t->count; k++) {
            if (t->a[k] < particles->count) t->counts[t->a[k]] = 0;
            if (t->b[k] < particles->count) t->counts[t->b[k]] = 0;
        }
        NAME(impinge_count_pushes)(particles, &these, listed, false, &results, t->counts);
        these.sharing = t->counts;
    }
    const selected_t all = {0, particles->count};
    return NAME(impinge_push_pairs)(particles, all, &these, listed, &results) && fits;
}

/* Lists those that may touch. */
static size_t sift(const pair_kernels_t *kernels, const NAME(impinge_particles) * particles,
                   const NAME(impinge_particle_contacts) * in, selected_t selected,
                   const touching_t *t) {
#if IMPINGE_REAL_BITS == 32
    return kernels->sift->sift_pairs(particles, in, selected, t->places, t->number, t->room);
#else
    const impinge_particles_f32 coarse = {.count = particles->count,
                                          .position_x = t->coarse[0],
                                          .position_y = t->coarse[1],
                                          .position_z = t->coarse[2],
                                          .radius = t->coarse[3],
                                          .period_x = (float)particles->period_x,
                                          .period_y = (float)particles->period_y,
                                          .period_z = (float)particles->period_z};
    const impinge_particle_contacts_f32 pairs = {.count = in->count,
                                                 .index_a = in->index_a,
                                                 .index_b = in->index_b,
                                                 .index_stride = in->index_stride};
    kernels->rows->coarsen_places(particles, t->coarse);
    return kernels->sift->sift_pairs(&coarse, &pairs, selected, t->places, t->number, t->room);
#endif
}

/* Lists the contacts, where that is worth it. False: nothing was listed. */
static bool list(const pair_kernels_t *kernels, const NAME(impinge_particles) * particles,
                 const NAME(impinge_particle_contacts) * in, selected_t selected, void *workspace,
                 size_t size, touching_t *t) {
    if (selected.count < particles->count / PARTICLES_A_PAIR) { /* every contact */
        *t = touching_in(workspace, size, particles->count, selected.count);
        if (t->room < selected.count) return false;
        for (t->count = 0; t->count < selected.count; t->count++)
            t->number[t->count] = (uint32_t)t->count;
        return true;
    }
    if (selected.count > UINT32_MAX || !seem_few_to_touch(particles, in, selected)) return false;
    *t = touching_in(workspace, size, particles->count, selected.count / FEW);
    if (t->room == 0) return false;
    t->count = sift(kernels, particles, in, selected, t);
    return t->count <= t->room;
}

bool NAME(impinge_collide_pairs)(const pair_kernels_t *kernels,
                                 const NAME(impinge_particles) * particles,
                                 const NAME(impinge_particle_contacts) * contacts,
                                 selected_t selected, const impinge_options *options,
                                 void *workspace, size_t size, impinge_report *report) {
    touching_t t;
    if (list(kernels, particles, contacts, selected, workspace, size, &t))
        return resolve_touching(kernels->columns, particles, contacts, selected.first, options, &t,
                                report);
    return kernels->rows->collide_pairs(particles, contacts, selected, options, workspace, report);
}
