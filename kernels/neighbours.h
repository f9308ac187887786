/*
 * The search through cells takes one particle at a time and compares it with those of the 27 cells
 * around it. In the order of cells these are nine runs, which are compared in whole vectors. This
 * file also finds the contacts of a neighbour list, many at a time.
 */
#ifndef IMPINGE_KERNELS_NEIGHBOURS_H
#define IMPINGE_KERNELS_NEIGHBOURS_H

#include "cells.h"
#include "particles.h"

typedef NAME(impinge_cells) cells_t;

/* ---- Runs ---- */

/*
 * Cells along one direction to search: `count` from `first` on, then as many from 0, or the last.
 */
typedef struct span {
    size_t first[2], count[2];
} span_t;

/*
 * The cells on both sides of one, and itself; each once, even if there are fewer than three. Across
 * a periodic face they are two spans.
 */
static span_t span_around(size_t cell, size_t n, bool periodic) {
    span_t s = {{0, 0}, {0, 0}};
    const size_t low = cell > 0 ? cell - 1 : 0;
    const size_t high = cell + 1 < n ? cell + 1 : n - 1;
    s.first[0] = low;
    s.count[0] = high - low + 1;
    if (!periodic || n < 3) {
        s.first[0] = n < 3 ? 0 : low;
        s.count[0] = n < 3 ? n : s.count[0];
        return s;
    }
    s.first[1] = cell == 0 ? n - 1 : 0;
    s.count[1] = cell == 0 || cell == n - 1;
    return s;
}

/*
 * The particles of the cells around one, side by side: they serve all particles of that cell, one
 * after the other, as long as the particles are in the order of cells.
 */
enum { AROUND = 512 };
typedef struct around {
    size_t cell, count; /* SIZE_MAX: no cell */
    uint32_t particle[AROUND + LANES];
    real_t x[3][AROUND + LANES], radius[AROUND + LANES];
    real_t rank[AROUND + LANES]; /* the number of a particle, rounded if it is above 2^24 */
} around_t;

/* The neighbours of one particle that have been found. */
typedef struct row {
    uint32_t *to;
    size_t room, count;
} row_t;

static inline void add_to_row(row_t *row, uint32_t j) {
    if (row->count < row->room) row->to[row->count] = j;
    row->count++;
}

typedef struct probe {
    const cells_t *cells;
    const particle_call_t *call;
    size_t particle;
    bool fixed, ordinary; /* ordinary: every reach has a square that fits */
    vector_t x;
    lanes_t reach, rank; /* reach: the particle's radius and the skin */
} probe_t;

static inline bool is_fixed(const NAME(impinge_particles) * p, size_t i) {
    return number_at(COLUMN_OF(AS_GIVEN, p, inverse_mass), i) == 0;
}

static inline bool is_listed(const probe_t *p, uint32_t other) {
    const cells_t *const c = p->cells;
    const bool other_one = c->full ? other != p->particle : other > p->particle;
    return other_one && !(p->fixed && is_fixed(c->particles, other));
}

/* |d|, also where its square is out of range; infinite where a difference has overflowed. */
static inline lanes_t length_of(vector_t d) {
    const lanes_t square = vector_dot(d, d);
    const lanes_t root = lane_sqrt(square);
    if (mask_every(is_square_ordinary(square))) return root;
    return lane_select(vector_finite(d), length_at_any_scale(d, NULL), root);
}

/*
 * Whether a pair is near is decided by its own reach, whatever those beside it are: by lengths
 * where the square of the reach is out of range.
 */
static mask_t is_near_at_any_scale(vector_t d, lanes_t reach, mask_t by_squares) {
    const mask_t ordinary = is_square_ordinary(lane_mul(reach, reach));
    const mask_t by_lengths = lane_le(length_of(d), reach);
    return mask_or(mask_and(ordinary, by_squares), mask_andnot(by_lengths, ordinary));
}

static inline mask_t is_near(const probe_t *p, vector_t x, lanes_t radius) {
    mask_t found = mask_all();
    const vector_t d = separation_of(p->call, p->x, x, &found);
    const lanes_t reach = lane_add(p->reach, radius);
    const mask_t near = lane_le(vector_dot(d, d), lane_mul(reach, reach));
    return mask_and(found, p->ordinary ? near : is_near_at_any_scale(d, reach, near));
}

/* Finds the particles of a run of cells within reach, if there are too many to be copied. */
static void look_through(const probe_t *p, size_t begin, size_t end, row_t *row) {
    const cells_t *const c = p->cells;
    for (size_t j = begin; j < end; j += LANES) {
        const vector_t x = {lane_load(c->x[0] + j), lane_load(c->x[1] + j), lane_load(c->x[2] + j)};
        uint32_t bits = mask_bits(is_near(p, x, lane_load(c->radius + j)));
        if (end - j < LANES) bits &= (UINT32_C(1) << (end - j)) - 1;
        for (; bits; bits &= bits - 1) {
            const uint32_t other = c->order[j + lowest_bit(bits)];
            if (is_listed(p, other)) add_to_row(row, other);
        }
    }
}

/* Finds the particles around a cell. For a half list this drops most of those on the wrong side. */
static void look_around(const probe_t *p, const around_t *a, row_t *row) {
    uint32_t near[AROUND + LANES];
    size_t count = 0;
    for (size_t j = 0; j < a->count; j += LANES) {
        const vector_t x = {lane_load(a->x[0] + j), lane_load(a->x[1] + j), lane_load(a->x[2] + j)};
        mask_t some = is_near(p, x, lane_load(a->radius + j));
        if (!p->cells->full) some = mask_and(some, lane_le(p->rank, lane_load(a->rank + j)));
        if (a->count - j < LANES) some = mask_and(some, mask_first(a->count - j));
        const packing_t packing = lane_packing(some);
        word_store_packed(near + count, &packing, word_load(a->particle + j));
        count += packing.count;
    }
    for (size_t k = 0; k < count; k++)
        if (is_listed(p, near[k])) add_to_row(row, near[k]);
}

/* Sorts a row. It is nearly sorted already if the particles were sorted by cells before. */
static void sort_row(uint32_t *row, size_t count) {
    for (size_t i = 1; i < count; i++) {
        const uint32_t is = row[i];
        size_t j = i;
        for (; j > 0 && row[j - 1] > is; j--)
            row[j] = row[j - 1];
        row[j] = is;
    }
}

/*
 * Whether a particle reaches planes k to k + count - 1. The heights are those of the contacts, with
 * the same rounding: far from the origin it may exceed the radius.
 */
static mask_t reaches_planes(const probe_t *p, size_t k, size_t count) {
    const NAME(impinge_planes) *const s = p->cells->planes;
    const vector_t normal = load_vector_by(VECTOR_OF(AS_GIVEN, s, normal), k, count);
    const lanes_t offset = load_lanes_by(COLUMN_OF(AS_GIVEN, s, offset), k, count);
    const lanes_t height = height_above(normal, offset, p->x);
    /* The length of a plane's normal may be off 1 by a thousandth, or be NaN. */
    const lanes_t rounding = lane_mul(lane_set(REAL(2e-3)), lane_abs(height));
    const mask_t above = lane_lt(p->reach, lane_sub(height, rounding));
    return mask_and(mask_not(above), mask_first(count));
}

static void look_at_planes(const probe_t *p, row_t *row) {
    const cells_t *const c = p->cells;
    if (!c->planes || p->fixed) return;
    for (size_t k = 0; k < c->planes->count; k += LANES) {
        const size_t left = c->planes->count - k;
        uint32_t bits = mask_bits(reaches_planes(p, k, left < LANES ? left : LANES));
        for (; bits; bits &= bits - 1)
            add_to_row(row, (uint32_t)(c->particles->count + k + lowest_bit(bits)));
    }
}

/* The runs of cells around one, in the order of cells. Returns how many, of at most 18. */
typedef struct runs {
    size_t count, particles;
    uint32_t begin[18], end[18];
} runs_t;

static runs_t runs_around(const cells_t *c, size_t cell) {
    const size_t at[3] = {cell % c->n[0], cell / c->n[0] % c->n[1], cell / c->n[0] / c->n[1]};
    runs_t runs = {.count = 0, .particles = 0};
    span_t span[3];
    for (size_t k = 0; k < 3; k++)
        span[k] = span_around(at[k], c->n[k], c->periodic[k]);
    for (size_t z = 0; z < span[2].count[0] + span[2].count[1]; z++) {
        const size_t z_0 = span[2].count[0];
        const size_t cell_z = z < z_0 ? span[2].first[0] + z : span[2].first[1] + z - z_0;
        for (size_t y = 0; y < span[1].count[0] + span[1].count[1]; y++) {
            const size_t y_0 = span[1].count[0];
            const size_t cell_y = y < y_0 ? span[1].first[0] + y : span[1].first[1] + y - y_0;
            const size_t line = (cell_z * c->n[1] + cell_y) * c->n[0];
            for (size_t s = 0; s < 2; s++) {
                const uint32_t begin = c->starts[line + span[0].first[s]];
                const uint32_t end = c->starts[line + span[0].first[s] + span[0].count[s]];
                if (begin == end) continue;
                runs.begin[runs.count] = begin;
                runs.end[runs.count++] = end;
                runs.particles += end - begin;
            }
        }
    }
    return runs;
}

/* Copies a run to the end of the surroundings; vectors reach beyond it. */
static void copy_run(const cells_t *c, size_t begin, size_t end, around_t *a) {
    for (size_t j = begin; j < end; j += LANES) {
        const size_t to = a->count + j - begin;
        for (size_t k = 0; k < 3; k++)
            lane_store(a->x[k] + to, lane_load(c->x[k] + j));
        lane_store(a->radius + to, lane_load(c->radius + j));
        lane_store(a->rank + to, lane_load(c->rank + j));
        word_store(a->particle + to, word_load(c->order + j));
    }
    a->count += end - begin;
}

static void search_one(const cells_t *c, const particle_call_t *call, size_t i, around_t *around,
                       row_t *row) {
    const NAME(impinge_particles) *const p = c->particles;
    const size_t cell = c->cell[i];
    if (cell == NO_CELL) return;
    real_t x[3];
    numbers_at(VECTOR_OF(AS_GIVEN, p, position), i, x);
    const real_t reach = number_at(COLUMN_OF(AS_GIVEN, p, radius), i) + c->skin;
    const probe_t probe = {.cells = c,
                           .call = call,
                           .particle = i,
                           .x = {lane_set(x[0]), lane_set(x[1]), lane_set(x[2])},
                           .reach = lane_set(reach),
                           .rank = lane_set((real_t)i),
                           .fixed = is_fixed(p, i),
                           .ordinary = reach >= 1 / LENGTH_MAX && reach + c->largest <= LENGTH_MAX};
    if (around->cell == cell) {
        look_around(&probe, around, row);
    } else {
        const runs_t runs = runs_around(c, cell);
        around->cell = runs.particles <= AROUND ? cell : SIZE_MAX;
        around->count = 0;
        for (size_t k = 0; k < runs.count; k++) {
            if (around->cell == cell)
                copy_run(c, runs.begin[k], runs.end[k], around);
            else
                look_through(&probe, runs.begin[k], runs.end[k], row);
        }
        if (around->cell == cell) look_around(&probe, around, row);
    }
    if (row->count <= row->room) sort_row(row->to, row->count);
    look_at_planes(&probe, row);
}

static particle_call_t cells_call(const cells_t *c) {
    return (particle_call_t){.particles = c->particles,
                             .planes = c->planes,
                             .periodic = c->periodic[0] || c->periodic[1] || c->periodic[2]};
}

static size_t search_rows(const NAME(impinge_cells) * cells, size_t first, size_t end,
                          uint32_t *starts, uint32_t *index, size_t room) {
    const particle_call_t call = cells_call(cells);
    around_t around;
    around.cell = SIZE_MAX;
    size_t count = 0;
    for (size_t i = first; i < end; i++) {
        row_t row = {.to = index + (count < room ? count : room),
                     .room = count < room ? room - count : 0};
        search_one(cells, &call, i, &around, &row);
        starts[i + 1] = (uint32_t)row.count;
        count += row.count;
    }
    return count;
}

/* ---- Contacts ---- */

/* Neighbours that are processed at a time; those of a row are listed in pieces. */
enum { LISTED = 256, ROW_PIECE = 8, LISTED_MOST = LISTED + ROW_PIECE + LANES };

/* Pairs, with the places and radii of their first particles. */
typedef struct listed_row {
    size_t count;
    uint32_t a[LISTED_MOST], b[LISTED_MOST];
    real_t x[3][LISTED_MOST], radius[LISTED_MOST];
} listed_row_t;

typedef struct found_pairs {
    impinge_found_contacts *to;
    size_t at, room, count;
} found_pairs_t;

/*
 * Adds those of the pairs from j on that touch. Where there is room, whole vectors are written, and
 * the next ones overwrite the excess: a branch on the number that touch could not be predicted.
 */
INLINE void add_contacts(found_pairs_t *f, const listed_row_t *l, size_t j, mask_t touch) {
    const packing_t packing = lane_packing(touch);
    const size_t at = f->at + f->count;
    const size_t room = f->count < f->room ? f->room - f->count : 0;
    const size_t count = room >= LANES ? LANES : packing.count < room ? packing.count : room;
    uint32_t a[LANES], b[LANES];
    word_store_packed(a, &packing, word_load(l->a + j));
    word_store_packed(b, &packing, word_load(l->b + j));
    f->count += packing.count;
    if (count == LANES) {
        memcpy(f->to->index_a + at, a, sizeof a);
        memcpy(f->to->index_b + at, b, sizeof b);
        for (size_t k = 0; k < LANES && f->to->key; k++)
            f->to->key[at + k] = (uint64_t)a[k] << 32 | b[k];
        return;
    }
    for (size_t k = 0; k < count; k++) {
        f->to->index_a[at + k] = a[k];
        f->to->index_b[at + k] = b[k];
        if (f->to->key) f->to->key[at + k] = (uint64_t)a[k] << 32 | b[k];
    }
}

/* -gap of LANES pairs and planes from j on; particles.h calls it the overlap. */
INLINE lanes_t overlap_of(const particle_call_t *call, layout_t layout, const listed_row_t *l,
                          size_t j, mask_t *known) {
    const NAME(impinge_particles) *const p = call->particles;
    uint32_t other[LANES], plane[LANES], is_plane[LANES];
    bool any = false;
    for (size_t k = 0; k < LANES; k++) {
        const uint32_t b = l->b[j + k];
        is_plane[k] = b >= p->count;
        other[k] = is_plane[k] ? l->a[j + k] : b;
        plane[k] = is_plane[k] ? (uint32_t)(b - p->count) : 0;
        any |= is_plane[k];
    }
    const pick_t pick_b = {other, 0};
    const vector_t x = {lane_load(l->x[0] + j), lane_load(l->x[1] + j), lane_load(l->x[2] + j)};
    const lanes_t radius = lane_load(l->radius + j);
    const lanes_t reach = lane_add(radius, fetch(COLUMN_OF(layout, p, radius), pick_b));
    const vector_t x_b = fetch_vector(VECTOR_OF(layout, p, position), pick_b);
    const vector_t d = separation_of(call, x, x_b, known);
    lanes_t overlap = lane_sub(reach, length_of(d));
    if (any && call->planes) {
        const plane_t s = load_plane(call->planes, layout, (pick_t){plane, 0});
        const mask_t of_plane = word_has(word_load(is_plane), 1);
        overlap = lane_select(of_plane, penetration(&s, x, radius), overlap);
    }
    return overlap;
}

INLINE void take_listed_by(layout_t layout, const particle_call_t *call, listed_row_t *l,
                           lanes_t margin, found_pairs_t *found) {
    /* Lanes beyond the last pair repeat its numbers, and have no effect. */
    for (size_t k = 0; k < LANES && l->count > 0; k++) {
        const size_t from = l->count - 1;
        l->a[l->count + k] = l->a[from];
        l->b[l->count + k] = l->b[from];
        for (size_t m = 0; m < 3; m++)
            l->x[m][l->count + k] = l->x[m][from];
        l->radius[l->count + k] = l->radius[from];
    }
    for (size_t j = 0; j < l->count; j += LANES) {
        mask_t known = mask_all();
        const lanes_t overlap = overlap_of(call, layout, l, j, &known);
        const mask_t apart = mask_and(known, lane_lt(lane_add(overlap, margin), lane_zero()));
        add_contacts(found, l, j, mask_and(mask_not(apart), mask_first(l->count - j)));
    }
    l->count = 0;
}

static void take_listed(layout_t layout, const particle_call_t *call, listed_row_t *l,
                        lanes_t margin, found_pairs_t *found) {
    if (layout == CONTIGUOUS)
        take_listed_by(CONTIGUOUS, call, l, margin, found);
    else
        take_listed_by(AS_GIVEN, call, l, margin, found);
}

/*
 * Lists a piece of a row of neighbours, those of particle i. A full list has each pair twice: it is
 * taken once. Indices out of range are skipped. The whole piece is always written: rows are too
 * short, and too different in length, for a CPU to predict where they end.
 */
INLINE void list_piece(layout_t layout, const NAME(impinge_particles) * p, size_t bodies, size_t i,
                       const uint32_t *index, size_t count, listed_row_t *l) {
    const size_t at = l->count;
    real_t x[3];
    numbers_at(VECTOR_OF(layout, p, position), i, x);
    const real_t radius = number_at(COLUMN_OF(layout, p, radius), i);
    for (size_t k = 0; k < ROW_PIECE; k++) {
        l->a[at + k] = (uint32_t)i;
        for (size_t m = 0; m < 3; m++)
            l->x[m][at + k] = x[m];
        l->radius[at + k] = radius;
    }
    for (size_t k = 0; k < ROW_PIECE; k++) {
        const uint32_t b = index[k < count ? k : count - 1];
        l->b[l->count] = b;
        l->count += (k < count) & (b > i) & (b < bodies);
    }
}

INLINE size_t touching_rows_by(layout_t layout, const NAME(impinge_cells) * of,
                               const impinge_neighbours *list, real_t margin, size_t first,
                               size_t end, found_pairs_t *found) {
    const particle_call_t call = cells_call(of);
    const size_t bodies = of->particles->count + (of->planes ? of->planes->count : 0);
    listed_row_t l;
    l.count = 0;
    for (size_t i = first; i < end; i++)
        for (uint32_t k = list->starts[i]; k < list->starts[i + 1]; k += ROW_PIECE) {
            list_piece(layout, of->particles, bodies, i, list->index + k, list->starts[i + 1] - k,
                       &l);
            if (l.count >= LISTED) take_listed(layout, &call, &l, lane_set(margin), found);
        }
    take_listed(layout, &call, &l, lane_set(margin), found);
    return found->count;
}

static size_t touching_rows(const NAME(impinge_cells) * of, const impinge_neighbours *list,
                            real_t margin, size_t first, size_t end, impinge_found_contacts *to,
                            size_t at, size_t room) {
    const bool strided =
        are_particles_strided(of->particles) || (of->planes && are_planes_strided(of->planes));
    found_pairs_t found = {.to = to, .at = at, .room = room};
    return strided ? touching_rows_by(AS_GIVEN, of, list, margin, first, end, &found)
                   : touching_rows_by(CONTIGUOUS, of, list, margin, first, end, &found);
}

#endif
