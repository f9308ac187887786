/* Neighbours: the particles in the order of cells (a counting sort). */
#include "neighbours.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "carving.h"
#include "team.h"

typedef NAME(impinge_cells) cells_t;
typedef NAME(impinge_particles) particles_t;

/* Numbers of particles are 32 bits, and a few of them are taken. */
#define PARTICLES_MAX IMPINGE_NEIGHBOUR_PARTICLES_MAX

/* The most cells per particle; if there is much space, cells are made wider. */
#define CELLS_PER_PARTICLE 2
#define CELLS_MORE         64

/* Vectors read beyond the last particle. */
#define BEYOND 16

/* ---- Workspace ---- */

/* State that members of a team share. */
typedef struct shared {
    size_t counted[IMPINGE_TEAM_MAX];
} shared_t;

static size_t most_cells(size_t particles) { return CELLS_PER_PARTICLE * particles + CELLS_MORE; }

static shared_t *carve_all(cells_t *c, carving_t *from, size_t particles) {
    const size_t count = particles + BEYOND;
    shared_t *const shared = carve(from, 1, sizeof *shared);
    c->starts = carve(from, most_cells(particles) + 1, sizeof(uint32_t));
    c->cell = carve(from, count, sizeof(uint32_t));
    c->order = carve(from, count, sizeof(uint32_t));
    for (size_t k = 0; k < 3; k++)
        c->x[k] = carve(from, count, sizeof(real_t));
    c->radius = carve(from, count, sizeof(real_t));
    c->rank = carve(from, count, sizeof(real_t));
    return shared;
}

size_t NAME(impinge_neighbours_size)(size_t particles) {
    if (particles >= PARTICLES_MAX) return SIZE_MAX;
    cells_t c;
    carving_t from = {NULL, 0};
    (void)carve_all(&c, &from, particles);
    return from.size + CARVING_LINE;
}

/* ---- Cells ---- */

static void position_of(const particles_t *p, size_t i, real_t x[3]) {
    numbers_at(VECTOR_OF(AS_GIVEN, p, position), i, x);
}

static real_t radius_of(const particles_t *p, size_t i) {
    return number_at(COLUMN_OF(AS_GIVEN, p, radius), i);
}

static bool has_place(const particles_t *p, size_t i) {
    real_t x[3];
    position_of(p, i, x);
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]) && radius_of(p, i) >= 0 &&
           isfinite(radius_of(p, i));
}

typedef struct bounds {
    real_t low[3], high[3], radius;
} bounds_t;

static bounds_t bounds_of(const particles_t *p) {
    bounds_t b = {{REAL_MAX, REAL_MAX, REAL_MAX}, {-REAL_MAX, -REAL_MAX, -REAL_MAX}, 0};
    for (size_t i = 0; i < p->count; i++) {
        real_t x[3];
        if (!has_place(p, i)) continue;
        position_of(p, i, x);
        for (size_t k = 0; k < 3; k++) {
            b.low[k] = x[k] < b.low[k] ? x[k] : b.low[k];
            b.high[k] = x[k] > b.high[k] ? x[k] : b.high[k];
        }
        b.radius = radius_of(p, i) > b.radius ? radius_of(p, i) : b.radius;
    }
    return b;
}

/*
 * Cells at least as wide as the largest pair's reach, by a little more than rounding; wider where
 * there would be too many of them.
 */
static void choose_cells(cells_t *c) {
    const particles_t *const p = c->particles;
    const bounds_t b = bounds_of(p);
    const real_t period[3] = {p->period_x, p->period_y, p->period_z};
    const double reach = (2 * (double)b.radius + (double)c->skin) * (1 + 1e-3);
    const double most = (double)most_cells(p->count);
    double n[3], length[3];
    c->largest = b.radius;
    for (size_t k = 0; k < 3; k++) {
        c->periodic[k] = period[k] > 0;
        const double extent = (double)b.high[k] - (double)b.low[k];
        /* Images may be far apart: their separation is rounded, by a part of the extent. */
        const double rounding = c->periodic[k] && extent > 0 ? 4 * REAL_UNIT * extent : 0;
        length[k] = c->periodic[k] ? (double)period[k] : extent > 0 ? extent : 0;
        n[k] = reach > 0 ? floor(length[k] / (reach + rounding)) : floor(cbrt((double)p->count));
        n[k] = n[k] >= 1 ? n[k] : 1;
        n[k] = n[k] <= most ? n[k] : most;
        c->origin[k] = c->periodic[k] ? 0 : b.low[k];
    }
    while (n[0] * n[1] * n[2] > most) {
        size_t widest = n[1] > n[0] ? 1 : 0;
        if (n[2] > n[widest]) widest = 2;
        n[widest] = floor(n[widest] / 2) >= 1 ? floor(n[widest] / 2) : 1;
    }
    for (size_t k = 0; k < 3; k++) {
        const double per_length = length[k] > 0 ? n[k] / length[k] : 0;
        const bool fits = per_length <= DBL_MAX; /* cells are not narrower than 1e-308 m */
        c->n[k] = fits ? (size_t)n[k] : 1;
        c->per_length[k] = fits ? per_length : 0;
    }
}

/*
 * The cell along a direction; for periodic directions, that of the image between 0 and the period.
 * In double: thousands of cells, or images far away, multiply the rounding of a coordinate until it
 * exceeds the thousandth by which cells are wider than the reach.
 */
static size_t cell_along(const cells_t *c, size_t k, real_t x) {
    double at = ((double)x - c->origin[k]) * c->per_length[k];
    const double n = (double)c->n[k];
    if (c->periodic[k]) at -= n * floor(at / n);
    if (!(at > 0)) return 0;
    return at < n ? (size_t)at : c->n[k] - 1;
}

static uint32_t cell_of(const cells_t *c, size_t i) {
    real_t x[3];
    size_t at[3];
    if (!has_place(c->particles, i)) return NO_CELL;
    position_of(c->particles, i, x);
    for (size_t k = 0; k < 3; k++)
        at[k] = cell_along(c, k, x[k]);
    return (uint32_t)((at[2] * c->n[1] + at[1]) * c->n[0] + at[0]);
}

/* Particles by cell, ascending in each. */
static void sort_by_cell(const cells_t *c) {
    const size_t count = c->particles->count;
    const size_t cells = c->n[0] * c->n[1] * c->n[2];
    memset(c->starts, 0, (cells + 1) * sizeof *c->starts);
    for (size_t i = 0; i < count; i++)
        if (c->cell[i] != NO_CELL) c->starts[c->cell[i] + 1]++;
    for (size_t k = 0; k < cells; k++)
        c->starts[k + 1] += c->starts[k];
    for (size_t i = 0; i < count; i++)
        if (c->cell[i] != NO_CELL) c->order[c->starts[c->cell[i]]++] = (uint32_t)i;
    for (size_t k = cells; k > 0; k--)
        c->starts[k] = c->starts[k - 1];
    c->starts[0] = 0;
}

static void gather(const cells_t *c, size_t first, size_t end) {
    for (size_t j = first; j < end; j++) {
        const size_t i = c->order[j];
        real_t x[3];
        position_of(c->particles, i, x);
        for (size_t k = 0; k < 3; k++)
            c->x[k][j] = x[k];
        c->radius[j] = radius_of(c->particles, i);
        c->rank[j] = (real_t)i;
    }
}

/* ---- Calls ---- */

/*
 * How the members of a team have divided the caller's arrays. At first each has the same part of
 * the capacity, since what each will find is not known yet. If there is room for all but one part
 * was too small, all search again, and write to where their elements belong.
 */
typedef struct division {
    size_t total, before; /* elements of all, and of the members before this one */
    bool fits, again;     /* whether there is room for all; and whether to search again */
} division_t;

static division_t division_of(const impinge_team *team, const size_t *counted, size_t capacity) {
    division_t d = {0, 0, false, false};
    for (size_t m = 0; m < team->members; m++) {
        d.before += m < team->member ? counted[m] : 0;
        d.total += counted[m];
        d.again |= counted[m] > range_count(team_range_of(team, m, capacity, 1));
    }
    d.fits = d.total <= capacity;
    d.again &= d.fits;
    return d;
}

/* The rows of all members one after the other, where they were found in parts of the capacity. */
static void join_rows(const impinge_team *team, const size_t *counted, impinge_neighbours *list) {
    size_t total = counted[0];
    for (size_t m = 1; m < team->members; m++) {
        memmove(list->index + total, list->index + team_range_of(team, m, list->capacity, 1).first,
                counted[m] * sizeof *list->index);
        total += counted[m];
    }
}

static void join_contacts(const impinge_team *team, impinge_found_contacts *contacts) {
    size_t total = contacts->counted[0];
    for (size_t m = 1; m < team->members; m++) {
        const size_t first = team_range_of(team, m, contacts->capacity, 1).first;
        const size_t count = contacts->counted[m];
        memmove(contacts->index_a + total, contacts->index_a + first, count * sizeof(uint32_t));
        memmove(contacts->index_b + total, contacts->index_b + first, count * sizeof(uint32_t));
        if (contacts->key)
            memmove(contacts->key + total, contacts->key + first, count * sizeof(uint64_t));
        total += count;
    }
}

/* The starts of rows; the count of row i is at starts[i + 1]. */
static void add_up_starts(impinge_neighbours *list, size_t particles) {
    list->starts[0] = 0;
    for (size_t i = 0; i < particles; i++)
        list->starts[i + 1] += list->starts[i];
}

bool NAME(impinge_search_neighbours)(const NAME(impinge_neighbour_kernels) * kernels,
                                     const NAME(impinge_particles) * particles,
                                     const NAME(impinge_planes) * planes,
                                     const impinge_neighbour_options *options, void *workspace,
                                     const impinge_team *given, impinge_neighbours *list) {
    const impinge_team team = team_given(given);
    cells_t cells = {.particles = particles,
                     .planes = planes,
                     .skin = (real_t)options->skin,
                     .full = options->full};
    carving_t from = carving_aligned(workspace);
    shared_t *const shared = carve_all(&cells, &from, particles->count);
    choose_cells(&cells);
    const range_t mine = team_range(&team, particles->count, 1);
    for (size_t i = mine.first; i < mine.end; i++)
        cells.cell[i] = cell_of(&cells, i);
    team_wait(&team);
    if (team_leads(&team)) sort_by_cell(&cells);
    team_wait(&team);
    const range_t placed = team_range(&team, cells.starts[cells.n[0] * cells.n[1] * cells.n[2]], 1);
    gather(&cells, placed.first, placed.end);
    team_wait(&team);
    const range_t room = team_range(&team, list->capacity, 1);
    shared->counted[team.member] = kernels->search(&cells, mine.first, mine.end, list->starts,
                                                   list->index + room.first, room.end - room.first);
    team_wait(&team);
    const division_t d = division_of(&team, shared->counted, list->capacity);
    if (d.again) {
        (void)kernels->search(&cells, mine.first, mine.end, list->starts, list->index + d.before,
                              shared->counted[team.member]);
        team_wait(&team);
    }
    if (team_leads(&team)) {
        if (d.fits && !d.again) join_rows(&team, shared->counted, list);
        if (d.fits) add_up_starts(list, particles->count);
        list->count = d.total;
    }
    team_wait(&team);
    return d.fits;
}

bool NAME(impinge_search_contacts)(const NAME(impinge_neighbour_kernels) * kernels,
                                   const NAME(impinge_particles) * particles,
                                   const NAME(impinge_planes) * planes,
                                   const impinge_neighbours *list, double margin,
                                   const impinge_team *given, impinge_found_contacts *contacts) {
    const impinge_team team = team_given(given);
    const cells_t of = {
        .particles = particles,
        .planes = planes,
        .periodic = {particles->period_x > 0, particles->period_y > 0, particles->period_z > 0}};
    const range_t rows = team_range(&team, particles->count, 1);
    const range_t room = team_range(&team, contacts->capacity, 1);
    contacts->counted[team.member] =
        kernels->touching(&of, list, (real_t)margin, rows.first, rows.end, contacts, room.first,
                          room.end - room.first);
    team_wait(&team);
    const division_t d = division_of(&team, contacts->counted, contacts->capacity);
    if (d.again) {
        (void)kernels->touching(&of, list, (real_t)margin, rows.first, rows.end, contacts, d.before,
                                contacts->counted[team.member]);
        team_wait(&team);
    }
    if (team_leads(&team)) {
        if (d.fits && !d.again) join_contacts(&team, contacts);
        contacts->count = d.total;
    }
    team_wait(&team);
    return d.fits;
}
