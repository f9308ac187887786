/*
 * Pairs of particles in one call: found, resolved, and applied to the particles.
 *
 * A pair reads two rows of numbers at random places, and adds to two. So particles are first packed
 * into rows. Impulses are added, in the order of the contacts, to other rows, which are copied back
 * to the particles at the end, or after their last contact. So every contact uses the particles as
 * they were before the call. Most pairs of a neighbour list do not collide. So a coarse search
 * through a block finds those that may, and keeps the numbers it computed for them side by side;
 * the arithmetic of particles.h then resolves them. Each stage goes through the whole block before
 * the next starts.
 *
 * A particle's impulses are divided by their number (see solve/apply_particles.c), which is needed
 * beforehand. It is mostly one: so contacts are first resolved as if each were alone, and counted.
 * If a particle gets two impulses, the call starts again.
 *
 * A block with a contact that is not ordinary is resolved as impinge_resolve_particle_pairs does,
 * which finds the reasons.
 *
 * Contacts come as pairs, or as lists: then each pair is there twice, once in the list of each of
 * its particles, which is A there and alone gets the impulse. Both times all operations are the
 * same but for signs (differences change theirs, sums do not), so the impulses are exactly
 * opposite.
 */
#ifndef IMPINGE_KERNELS_PARTICLES_COLLIDE_H
#define IMPINGE_KERNELS_PARTICLES_COLLIDE_H

#include "lane/row_pairs.h"
#include "particles.h"

/* Each stage is a function of its own, so that each has the registers to itself. */
#define STAGE static __attribute__((noinline))

/*
 * The number of contacts that may collide in a block: each stage waits for its last results, so
 * more of them are better, but the kept numbers have to stay in the first cache and, in f64, on the
 * stack that the header states. And the number of contacts that are searched for them.
 */
#if IMPINGE_REAL_BITS == 32
#define BLOCK 192
#else
#define BLOCK 160
#endif
#define SPAN 512
#define ROOM (BLOCK + LANES)

/*
 * Lists: the number of indices of particles A that are written at once. Most particles have fewer
 * neighbours, so that the jump after them can be predicted.
 */
#define FILLED 16

/* The changes by each contact: the projection along n, the impulse, and the moment n x p. */
typedef struct pushes {
    size_t count;
    bool all_move, none_moves, all_push; /* of the block */
    const uint32_t *a, *b;               /* particles: those that were found, or these */
    uint32_t own_a[ROOM], own_b[ROOM];
    real_t row8[ROOM * ROW8], row4[ROOM * ROW4];
} pushes_t;

/* Contacts that may collide, and the numbers computed for them, side by side. */
typedef struct found {
    size_t count, touching; /* touching: how many touch, collide or not */
    size_t prefetched;      /* see collide_t */
    uint32_t a[ROOM], b[ROOM], number[ROOM];
    real_t d[3][ROOM], u[3][ROOM], reach[ROOM], k33[ROOM], u_n[ROOM], t[ROOM], slip[ROOM];
    /* The indices that are searched, if the caller's are strided; of lists, A's. */
    uint32_t span[2][SPAN + FILLED];
} found_t;

/*
 * The list in some parts of equal length: no contact from the beginning of a part on has a particle
 * before `lowest`.
 */
#define PARTS 512
typedef struct parts {
    size_t length; /* contacts */
    uint32_t lowest[PARTS];
} parts_t;

typedef struct collide {
    particle_call_t call;
    use_t use;
    const NAME(impinge_particles) * particles; /* of rows that the caller keeps: null */
    size_t count;                              /* of particles */
    size_t packed;                             /* the first of them, which have rows */
    /*
     * A list in the order of its particles needs the rows of few of them at a time. These stay in
     * the second cache if a particle's rows are those of another that no further contact has. Then
     * `ring` is the number of rows, a multiple of PACKED; particles before `unpacked` have got
     * their changes; and particle ring_first, a multiple of `ring`, has the first row. Otherwise
     * these are zero.
     */
    size_t ring, unpacked, ring_first;
    const parts_t *parts; /* of a ring */
    /*
     * Rows that are read; and rows that are added to: x, y, z, 1/m and v, 1/m; omega, R / I. If the
     * caller keeps the rows, these are the sums.
     */
    const real_t *before8, *before4;
    real_t *after8, *after4;
    uint8_t *added;                  /* marks of sums; null: not wanted, or all are marked */
    size_t listed, marked;           /* contacts so far, and how many of them have been added */
    const uint32_t *sharing;         /* how many impulses each particle gets; null: not read */
    uint32_t *counts;                /* of impulses, of each particle; null: not counted */
    const uint32_t *span_a, *span_b; /* the indices of the block */
    /*
     * The contacts before `searched` have been searched for indices out of range: those from
     * odd_end on have none. Of the rest, span_end is one more than the largest.
     */
    size_t searched, odd_end, span_end;
    /* Lists: contacts starts[i] to starts[i + 1] - 1 are of particle i. Null: pairs. */
    const uint32_t *starts;
    size_t row;          /* of lists: the particle of the block's first contact, or one before it */
    bool shares;         /* a particle got two impulses */
    bool quick;          /* particles and what all contacts share are ordinary */
    bool some_immovable; /* particles that are packed */
    bool numbered;       /* contacts have coefficients of their own, found by their numbers */
    bool large;          /* the rows are more than a small second cache holds */
    /*
     * Whether rows are prefetched for each contact; and whether their spins and sums are, too: of
     * rows that the caller keeps, where most contacts touch, and A's particles follow each other,
     * so that these lines stay until they are wanted. Rows that are packed here are in the second
     * cache.
     */
    bool ahead, all_ahead;
    /*
     * Otherwise rows are prefetched one after the other, from `prefetched` to `prefetch_end`: where
     * the rows of a block, from A's first to the last of all so far, fit the second cache, only the
     * rows after them are not in it yet.
     */
    size_t prefetched, prefetch_end;
    bool few; /* few touched in the block before, so places are tested first */
    /*
     * Sums may overflow. Those of ordinary particles cannot: a contact changes a velocity by 2 |u|
     * at most and a spin by 2 |u| / R, about 2^81 in f32, so that it would take 2^46 contacts of
     * one particle.
     */
    bool checked;
    bool fits; /* no sum has overflowed */
} collide_t;

/* ---- Rows ---- */

/* Prefetching pays if the rows exceed this many bytes: half of a small second cache. */
#define CACHED ((size_t)1 << 18)

/* The tables in the workspace, each from a cache line on. */
typedef struct tables {
    real_t *before8, *before4, *after8, *after4;
    uint32_t *counts;
} tables_t;

static tables_t tables_in(real_t *workspace, size_t count) {
    const size_t line = IMPINGE_CACHE_LINE / sizeof(real_t);
    const size_t off = (uintptr_t)workspace / sizeof(real_t) % line;
    const size_t rows = (count + IMPINGE_ROWS_SPARE) / IMPINGE_ROWS_SPARE * IMPINGE_ROWS_SPARE;
    real_t *const from = workspace + (line - off) % line;
    return (tables_t){.before8 = from,
                      .after8 = from + rows * ROW8,
                      .before4 = from + rows * (2 * ROW8),
                      .after4 = from + rows * (2 * ROW8 + ROW4),
                      .counts = (uint32_t *)(void *)(from + rows * (2 * ROW8 + 2 * ROW4))};
}

INLINE lanes_t vector_sizes(vector_t a) {
    return lane_add(lane_add(lane_abs(a.x), lane_abs(a.y)), lane_abs(a.z));
}

/*
 * No product of two such particles overflows. A quarter of the range, since sums have four terms.
 * The sizes are added up: a maximum of several numbers may drop a NaN.
 */
static inline mask_t is_particle_ordinary(vector_t x, vector_t v, vector_t surface, lanes_t radius,
                                          lanes_t inverse_mass, lanes_t turn) {
    const lanes_t zero = lane_zero();
    const lanes_t most = lane_set(LENGTH_MAX / 4);
    const mask_t radii = mask_and(is_radius_ordinary(radius), lane_le(radius, most));
    const lanes_t sizes =
        lane_add(lane_add(vector_sizes(x), vector_sizes(v)), vector_sizes(surface));
    const mask_t masses =
        mask_and(lane_le(zero, inverse_mass), lane_le(inverse_mass, lane_set(MASS_MAX / 4)));
    const mask_t turns = mask_and(lane_le(zero, turn), lane_le(turn, lane_set(REAL_MAX)));
    return mask_and(mask_and(radii, lane_le(sizes, most)), mask_and(masses, turns));
}

/* The row of particle i, which has one. */
INLINE size_t row_of(const collide_t *c, size_t i) {
    const size_t row = i - c->ring_first;
    return c->ring > 0 && row >= c->ring ? row - c->ring : row;
}

/* Packs particles i, i + 1, ... There is room for whole lanes. Returns whether all are ordinary. */
INLINE bool pack_block(collide_t *c, layout_t layout, const tables_t *t, size_t i, size_t count) {
    const NAME(impinge_particles) *const p = c->particles;
    const lanes_t zero = lane_zero();
    const size_t row = row_of(c, i);
    const vector_t v = load_vector_by(VECTOR_OF(layout, p, velocity), i, count);
    const vector_t x = load_vector_by(VECTOR_OF(layout, p, position), i, count);
    const lanes_t radius = load_lanes_by(COLUMN_OF(layout, p, radius), i, count);
    const lanes_t inverse_mass = load_lanes_by(COLUMN_OF(layout, p, inverse_mass), i, count);
    vector_t surface = {zero, zero, zero};
    lanes_t turn = zero;
    if (c->use.spheres) {
        const vector_t omega = load_vector_by(VECTOR_OF(layout, p, angular_velocity), i, count);
        lanes_t given = zero;
        if (p->inverse_inertia)
            given = load_lanes_by(COLUMN_OF(layout, p, inverse_inertia), i, count);
        const lanes_t *const inertia = p->inverse_inertia ? &given : NULL;
        mask_t legal = mask_all();
        const lanes_t arm = turning(inertia, radius, inverse_mass, &legal);
        turn = turn_of(inertia, radius, inverse_mass);
        surface = surface_speed(omega, radius);
        const lanes_t spin[4] = {surface.x, surface.y, surface.z, arm};
        const lanes_t spin_after[4] = {omega.x, omega.y, omega.z, turn};
        lane_store4(t->before4 + row * ROW4, ROW4, spin);
        lane_store4(t->after4 + row * ROW4, ROW4, spin_after);
    }
    const lanes_t before[ROW8] = {x.x, x.y, x.z, radius, v.x, v.y, v.z, inverse_mass};
    const lanes_t after[ROW8] = {x.x, x.y, x.z, inverse_mass, v.x, v.y, v.z, inverse_mass};
    lane_store_rows8(t->before8 + row * ROW8, before);
    lane_store_rows8(t->after8 + row * ROW8, after);
    c->some_immovable |= mask_any(lane_eq(inverse_mass, zero));
    return mask_every(is_particle_ordinary(x, v, surface, radius, inverse_mass, turn));
}

INLINE bool pack_by(collide_t *c, layout_t layout, const tables_t *t, size_t first, size_t end) {
    bool ordinary = true;
    size_t i = first;
    for (; end - i >= LANES; i += LANES)
        ordinary &= pack_block(c, layout, t, i, LANES);
    if (i < end) ordinary &= pack_block(c, layout, t, i, end - i);
    return ordinary;
}

/* Whole lanes of any target. */
#define PACKED 64

/*
 * Packs the particles before `end` that are not packed yet, and some more. A list in the order of
 * its particles finds rows in the second cache that were packed just before they are wanted.
 */
STAGE void pack(collide_t *c, const tables_t *t, size_t end) {
    const size_t most = (end + PACKED - 1) / PACKED * PACKED;
    const size_t to = most < c->count ? most : c->count;
    const bool ordinary = c->use.layout == CONTIGUOUS ? pack_by(c, CONTIGUOUS, t, c->packed, to)
                                                      : pack_by(c, AS_GIVEN, t, c->packed, to);
    c->packed = to;
    if (ordinary) return;
    c->quick = false;
    c->checked = true;
}

INLINE vector_t vector_of_row(const lanes_t a[4]) { return (vector_t){a[0], a[1], a[2]}; }

INLINE void unpack_block(const collide_t *c, layout_t layout, size_t i, size_t count) {
    const NAME(impinge_particles) *const p = c->particles;
    const size_t at = row_of(c, i);
    lanes_t row[ROW8];
    lane_load_rows8(c->after8 + at * ROW8, row);
    store_vector_by(VECTOR_OF(layout, p, position), i, vector_of_row(row), count);
    store_vector_by(VECTOR_OF(layout, p, velocity), i, vector_of_row(row + ROW_VELOCITY), count);
    if (!c->use.spheres) return;
    lane_load4(c->after4 + at * ROW4, ROW4, row);
    store_vector_by(VECTOR_OF(layout, p, angular_velocity), i, vector_of_row(row), count);
}

INLINE void unpack_by(const collide_t *c, layout_t layout, size_t end) {
    size_t i = c->unpacked;
    for (; end - i >= LANES; i += LANES)
        unpack_block(c, layout, i, LANES);
    if (i < end) unpack_block(c, layout, i, end - i);
}

/* The particles before `end` that have not been unpacked. */
STAGE void unpack(collide_t *c, size_t end) {
    if (c->use.layout == CONTIGUOUS)
        unpack_by(c, CONTIGUOUS, end);
    else
        unpack_by(c, AS_GIVEN, end);
    c->unpacked = end;
}

/* ---- Which contacts may collide ---- */

/*
 * The source of particles: rows that were packed here, and have been checked; the caller's rows; or
 * places alone, packed into rows of four (particles_sift.h), of which some may be odd, or none is.
 */
typedef enum from { FROM_PACKED, FROM_ROWS, FROM_PLACES, FROM_ORDINARY_PLACES } from_t;

static inline bool is_checked(from_t source) {
    return source == FROM_PACKED || source == FROM_ORDINARY_PLACES;
}

static inline bool is_of_places(from_t source) {
    return source == FROM_PLACES || source == FROM_ORDINARY_PLACES;
}

/* Indices of `count` contacts, or of LANES, the last again and again. */
typedef struct ids {
    const uint32_t *a, *b;
    uint32_t last_a[LANES], last_b[LANES];
} ids_t;

INLINE void load_ids(ids_t *is, const uint32_t *a, const uint32_t *b, size_t count) {
    is->a = a;
    is->b = b;
    if (count >= LANES) return;
    for (size_t k = 0; k < LANES; k++) {
        is->last_a[k] = a[k < count ? k : count - 1];
        is->last_b[k] = b[k < count ? k : count - 1];
    }
    is->a = is->last_a;
    is->b = is->last_b;
}

/* x_A - x_B, R_A + R_B; and, `all`, v_A - v_B, 1/m_A + 1/m_B. */
INLINE void numbers_between(const collide_t *c, from_t source, const ids_t *is, bool all,
                            lanes_t to[ROW8], row_signs_t *s) {
    if (all)
        lane_between_rows8(c->before8, is->a, is->b, to, s);
    else
        lane_between_rows4(c->before8, is_of_places(source) ? ROW4 : ROW8, is->a, is->b, to, s);
}

/* Some contacts on the way. */
typedef struct looked {
    vector_t d, u;
    lanes_t reach, k33;
} looked_t;

/*
 * The lanes that may touch. `odd` marks those that touch and are not ordinary; for rows, which have
 * not been checked yet, also those whose places and radii are not.
 */
INLINE mask_t may_touch(const collide_t *c, from_t source, const lanes_t between[4], looked_t *l,
                        mask_t *odd) {
    mask_t found = mask_all();
    l->d = vector_of_row(between);
    bring_nearest(&c->call, &l->d, &found);
    l->reach = between[3];
    const lanes_t square = vector_dot(l->d, l->d);
    const lanes_t near = lane_mul(lane_mul(l->reach, l->reach), lane_set(1 + COARSE));
    const mask_t touches = lane_le(square, near);
    const lanes_t least = lane_set(1 / (LENGTH_MAX * LENGTH_MAX));
    *odd = mask_and(touches, lane_lt(square, least));
    if (!is_checked(source)) {
        /* R / I is not formed for these, so R may be of any size. */
        const mask_t radii = lane_le(lane_zero(), l->reach);
        const mask_t near_enough = lane_le(square, lane_set(LENGTH_MAX * LENGTH_MAX));
        *odd = mask_or(lane_lt(square, least), mask_not(mask_and(radii, near_enough)));
    }
    if (c->call.periodic) {
        const mask_t alone = is_image_alone(&c->call, l->d, l->reach);
        *odd = mask_or(mask_not(found), mask_or(*odd, mask_andnot(touches, alone)));
    }
    return touches;
}

/* The lanes that may approach; for rows, also those that are odd. */
INLINE mask_t may_approach(from_t source, const lanes_t between[4], looked_t *l, mask_t *odd) {
    l->u = vector_of_row(between);
    l->k33 = between[3];
    const vector_t d = l->d;
    const vector_t u = l->u;
    const lanes_t size =
        lane_fma(lane_abs(d.x), lane_abs(u.x),
                 lane_mul_add2(lane_abs(d.y), lane_abs(u.y), lane_abs(d.z), lane_abs(u.z)));
    if (!is_checked(source)) {
        const mask_t masses = lane_le(l->k33, lane_set(MASS_MAX));
        const mask_t sizes = mask_and(lane_le(size, lane_set(LENGTH_MAX * LENGTH_MAX)),
                                      lane_le(l->reach, lane_set(LENGTH_MAX)));
        *odd = mask_not(mask_and(masses, sizes));
    }
    return lane_le(vector_dot(d, u), lane_mul(lane_set(COARSE), size));
}

/* Writes the lanes of a mask from `to` on. */
INLINE void keep_ids(found_t *f, size_t to, const packing_t *p, const ids_t *is) {
    word_store_packed(f->a + to, p, word_load(is->a));
    word_store_packed(f->b + to, p, word_load(is->b));
}

INLINE void keep_looked(found_t *f, size_t to, const packing_t *p, const looked_t *l) {
    lane_store_packed(f->d[0] + to, p, l->d.x);
    lane_store_packed(f->d[1] + to, p, l->d.y);
    lane_store_packed(f->d[2] + to, p, l->d.z);
    lane_store_packed(f->reach + to, p, l->reach);
    lane_store_packed(f->u[0] + to, p, l->u.x);
    lane_store_packed(f->u[1] + to, p, l->u.y);
    lane_store_packed(f->u[2] + to, p, l->u.z);
    lane_store_packed(f->k33 + to, p, l->k33);
}

/*
 * The rows of particles B are prefetched this many contacts ahead. In f32, where two rows share a
 * cache line, places alone are not prefetched, since a CPU executes far enough ahead.
 */
#define PREFETCHED 64

/*
 * The number of contacts kept so far, the number of all that touch, and the lanes that had odd
 * ones.
 */
typedef struct tally {
    size_t found, touching;
    mask_t odd;
    row_signs_t signs;
} tally_t;

INLINE tally_t no_tally(void) { return (tally_t){.odd = mask_none(), .signs = no_row_signs()}; }

/* Returns whether all contacts were ordinary. */
INLINE bool settle(from_t source, found_t *f, const tally_t *t) {
    f->count = t->found;
    f->touching = t->touching;
    return !mask_any(t->odd) && (is_checked(source) || !has_row_sign(t->signs));
}

/*
 * LANES contacts, or as many as are left: those that may touch, and `all`, those that may collide,
 * are appended to those that were kept before.
 */
INLINE void look_at(const collide_t *c, from_t source, const ids_t *is, words_t number, size_t left,
                    bool all, found_t *f, tally_t *t) {
    looked_t l;
    lanes_t between[ROW8];
    mask_t odd;
    numbers_between(c, source, is, all, between, &t->signs);
    mask_t may = may_touch(c, source, between, &l, &odd);
    if (left < LANES) may = mask_and(may, mask_first(left));
    t->touching += count_bits(mask_bits(may));
    t->odd = mask_or(t->odd, odd);
    if (!all && !mask_any(may)) return;
    if (all) {
        mask_t moving_odd = mask_none();
        const mask_t nearer = may_approach(source, between + ROW_VELOCITY, &l, &moving_odd);
        if (!is_checked(source)) t->odd = mask_or(t->odd, mask_and(may, moving_odd));
        if (!c->call.in->project_all) may = mask_and(may, nearer);
    }
    const packing_t p = lane_packing(may);
    keep_ids(f, t->found, &p, is);
    if (c->numbered) word_store_packed(f->number + t->found, &p, number);
    if (all) keep_looked(f, t->found, &p, &l);
    t->found += p.count;
}

/*
 * Keeps, of the contacts that may touch, those that may collide, in place. False if one is not
 * ordinary.
 */
INLINE bool look_again(const collide_t *c, from_t source, found_t *f) {
    const size_t found = f->count;
    tally_t t = no_tally();
    for (size_t j = 0; j < found; j += LANES) {
        const size_t left = found - j;
        ids_t is;
        load_ids(&is, f->a + j, f->b + j, left);
        const words_t number = c->numbered ? word_load(f->number + j) : word_counting(0);
        look_at(c, source, &is, number, left, true, f, &t);
    }
    return settle(source, f, &t);
}

/* The indices of a block, from contact `first` on: in place, or a copy if they are strided. */
static const uint32_t *span_of(const collide_t *c, const uint32_t *index, size_t first,
                               size_t count, uint32_t copy[SPAN]) {
    const size_t stride = stride_of(AS_GIVEN, c->call.in->index_stride);
    if (stride == 1) return index + first;
    for (size_t k = 0; k < count; k++)
        copy[k] = index[(first + k) * stride];
    return copy;
}

/* Writes the particles A of `count` contacts of lists, from contact `first` on. */
STAGE const uint32_t *span_of_lists(collide_t *c, size_t first, size_t count, uint32_t *span) {
    const size_t end = first + count;
    while (c->starts[c->row + 1] <= first)
        c->row++;
    size_t i = first;
    for (size_t row = c->row; i < end; row++) {
        const size_t next = c->starts[row + 1] < end ? c->starts[row + 1] : end;
        for (; i < next; i += FILLED) /* the next list overwrites what is too much */
            for (size_t k = 0; k < FILLED; k++)
                span[i - first + k] = (uint32_t)row;
        i = next;
    }
    return span;
}

/* Searches contacts `first` to `end` - 1, which begin with the block, for indices out of range. */
static void search_indices(collide_t *c, size_t first, size_t end) {
    const uint32_t *const a = c->span_a;
    const uint32_t *const b = c->span_b;
    const size_t count = end - first;
    uint32_t largest = 0;
    if (c->searched < first) c->searched = first;
    for (size_t k = c->searched - first; k < count; k++) {
        const uint32_t larger = a[k] > b[k] ? a[k] : b[k];
        largest = larger > largest ? larger : largest;
    }
    /* The next indices: a CPU does not fetch so many lines at once without prefetches. */
    for (size_t k = c->searched - first; c->large && k < count;
         k += IMPINGE_CACHE_LINE / sizeof *a) {
        lane_prefetch(a + k, SPAN * sizeof *a);
        lane_prefetch(b + k, SPAN * sizeof *b);
    }
    if (c->searched < end) c->searched = end;
    if (largest >= c->count)
        c->odd_end = end;
    else if (c->span_end <= largest)
        c->span_end = (size_t)largest + 1;
}

/* From now on the block's indices are those of rows. */
static void to_rows(collide_t *c, size_t count, found_t *f) {
    const uint32_t from = (uint32_t)c->ring_first;
    const uint32_t ring = (uint32_t)c->ring;
    const uint32_t *const index[2] = {c->span_a, c->span_b};
    for (size_t side = 0; side < 2; side++)
        for (size_t k = 0; k < count; k++) {
            const uint32_t row = index[side][k] - from;
            f->span[side][k] = row < row - ring ? row : row - ring; /* wraps below the ring */
        }
    c->span_a = f->span[0];
    c->span_b = f->span[1];
}

/* Finds the indices of a block of `count` contacts. True if all are in range. */
static bool take_span(collide_t *c, size_t first, size_t count, found_t *f) {
    c->span_a = c->starts ? span_of_lists(c, first, count, f->span[0])
                          : span_of(c, c->call.in->index_a, first, count, f->span[0]);
    c->span_b = span_of(c, c->call.in->index_b, first, count, f->span[1]);
    search_indices(c, first, first + count);
    if (c->ring > 0) to_rows(c, count, f);
    return first >= c->odd_end;
}

/* True if the contacts have coefficients of their own. */
static inline bool has_own_coefficients(const collide_t *c) {
    const NAME(impinge_coefficients) *const in = &c->call.in->coefficients;
    return in->restitution.values || in->friction.values || in->tangential_restitution.values;
}

INLINE bool are_coefficients_legal(const collide_t *c, size_t i, size_t count) {
    const NAME(impinge_coefficients) *const in = &c->call.in->coefficients;
    touch_t placeholder = {.k33 = lane_set(1)};
    placeholder.u_n = placeholder.radius_a = placeholder.radius_b = lane_zero();
    const legal_t legal = coefficients_of(&c->call, c->use, in, i, count, &placeholder);
    const mask_t all = mask_and(mask_and(legal.restitution, legal.friction), legal.tangential);
    return mask_every(mask_or(all, mask_not(mask_first(count < LANES ? count : LANES))));
}

static bool are_own_coefficients_legal(const collide_t *c, size_t first, size_t count) {
    bool legal = true;
    for (size_t j = 0; j < count; j += LANES)
        legal &= are_coefficients_legal(c, first + j, count - j);
    return legal;
}

/* Rows whose spins fill a cache line. */
#define TOGETHER (IMPINGE_CACHE_LINE / (ROW4 * sizeof(real_t)))

/* The number of rows to prefetch with each LANES contacts of `count`. */
INLINE size_t share_of_next(const collide_t *c, size_t count) {
    return c->prefetched < c->prefetch_end
               ? ((c->prefetch_end - c->prefetched) * LANES + count - 1) / count
               : 0;
}

/* Prefetches so many rows, from `next` on. Returns the end. */
INLINE size_t prefetch_next(const collide_t *c, size_t next, size_t share) {
    const size_t end = next + share;
    for (; next < end; next += TOGETHER) {
        const size_t row4 = next * ROW4 * sizeof(real_t);
        const size_t row8 = next * ROW8 * sizeof(real_t);
        lane_prefetch(c->before8, row8);
        lane_prefetch(c->before8, row8 + IMPINGE_CACHE_LINE);
        if (!c->all_ahead) continue;
        lane_prefetch(c->before4, row4);
        lane_prefetch_write(c->after8, row8);
        lane_prefetch_write(c->after8, row8 + IMPINGE_CACHE_LINE);
        lane_prefetch_write(c->after4, row4);
    }
    return next;
}

/* Prefetches rows of contacts to come. A bad index only prefetches an unused address. */
INLINE void prefetch_ahead(const collide_t *c, size_t i) {
    if (c->call.selected.first + c->call.selected.count - i < PREFETCHED + LANES) return;
    const size_t stride = stride_of(AS_GIVEN, c->call.in->index_stride);
    const uint32_t *const b = c->call.in->index_b + (i + PREFETCHED) * stride;
    for (size_t k = 0; k < LANES; k++)
        lane_prefetch(c->before8, b[k * stride] * (size_t)ROW8 * sizeof(real_t));
    if (!c->all_ahead) return;
    for (size_t k = 0; k < LANES; k++) {
        const size_t row = b[k * stride];
        lane_prefetch(c->before4, row * ROW4 * sizeof(real_t));
        lane_prefetch_write(c->after8, row * ROW8 * sizeof(real_t));
        lane_prefetch_write(c->after4, row * ROW4 * sizeof(real_t));
    }
}

/*
 * Searches contacts first, first + 1, ...: `count` of them, or until there is no room for more that
 * may collide. Sets *size to their number; false if one is not ordinary.
 */
INLINE bool look_by(const collide_t *call, from_t source, bool periodic, size_t first, size_t *size,
                    bool all, found_t *f) {
    /* A copy: a compiler must assume that storing what is kept may overwrite the call. */
    collide_t copy = *call;
    copy.call.periodic = periodic;
    const collide_t *const c = &copy;
    const uint32_t *const a = c->span_a;
    const uint32_t *const b = c->span_b;
    const size_t count = *size;
    tally_t t = no_tally();
    size_t j = 0;
    words_t number = word_counting(0);
    ids_t is;
    /* Two rows of f32 share a line: places alone arrive soon enough. */
    const bool prefetches = all || IMPINGE_REAL_BITS == 64;
    const size_t share = prefetches ? share_of_next(c, count) : 0;
    size_t next = c->prefetched;
    for (; count - j >= LANES && t.found + LANES <= BLOCK; j += LANES) {
        if (prefetches && next < c->prefetch_end)
            next = prefetch_next(c, next, share);
        else if (prefetches && c->ahead)
            prefetch_ahead(c, first + j);
        load_ids(&is, a + j, b + j, LANES);
        look_at(c, source, &is, number, LANES, all, f, &t);
        number = word_add(number, LANES);
    }
    f->prefetched = next;
    const size_t left = count - j;
    if (left > 0 && left < LANES && t.found + LANES <= BLOCK) {
        load_ids(&is, a + j, b + j, left);
        look_at(c, source, &is, number, left, all, f, &t);
    } else {
        *size = j;
    }
    return settle(source, f, &t);
}

/* Periods take registers: the loop is compiled separately for calls without them. */
INLINE bool look_through(const collide_t *c, from_t source, size_t first, size_t *size, bool all,
                         found_t *f) {
    return c->call.periodic ? look_by(c, source, true, first, size, all, f)
                            : look_by(c, source, false, first, size, all, f);
}

STAGE bool look_at_all(const collide_t *c, size_t first, size_t *count, found_t *f) {
    return look_through(c, FROM_PACKED, first, count, true, f);
}

STAGE bool look_at_places(const collide_t *c, size_t first, size_t *count, found_t *f) {
    return look_through(c, FROM_PACKED, first, count, false, f) && look_again(c, FROM_PACKED, f);
}

STAGE bool look_at_all_rows(const collide_t *c, size_t first, size_t *count, found_t *f) {
    return look_through(c, FROM_ROWS, first, count, true, f);
}

STAGE bool look_at_places_rows(const collide_t *c, size_t first, size_t *count, found_t *f) {
    return look_through(c, FROM_ROWS, first, count, false, f) && look_again(c, FROM_ROWS, f);
}

/* ---- Colliding ---- */

/* Coefficients of contacts at `numbers`, side by side in `values`. */
typedef struct gathered {
    real_t values[3][LANES];
} gathered_t;

INLINE void gather_coefficient(NAME(impinge_coefficient) * to, real_t *values, size_t first,
                               const uint32_t *numbers) {
    if (!to->values) return;
    const size_t stride = stride_of(AS_GIVEN, to->stride);
    lane_store(values, gather_by(stride, to->values + first * stride, numbers));
    to->values = values;
    to->stride = 1;
}

INLINE NAME(impinge_coefficients) coefficients_gathered(const collide_t *c, size_t first,
                                                        const uint32_t *numbers, gathered_t *g) {
    NAME(impinge_coefficients) of = c->call.in->coefficients;
    gather_coefficient(&of.restitution, g->values[0], first, numbers);
    gather_coefficient(&of.friction, g->values[1], first, numbers);
    gather_coefficient(&of.tangential_restitution, g->values[2], first, numbers);
    return of;
}

/* Appends the pushes of LANES contacts. */
INLINE void push_block(const collide_t *c, pushes_t *to, size_t j, const result_t *r) {
    const lanes_t zero = lane_zero();
    const vector_t p = r->impulse;
    const vector_t n = r->normal;
    const vector_t m = vector_scale(r->projection, n);
    const lanes_t row8[ROW8] = {m.x, m.y, m.z, zero, p.x, p.y, p.z, zero};
    lane_store_rows8(to->row8 + j * ROW8, row8);
    if (!c->use.spheres) return;
    const vector_t turned = moment_of(n, p);
    const lanes_t moment[4] = {turned.x, turned.y, turned.z, zero};
    lane_store4(to->row4 + j * ROW4, ROW4, moment);
}

/*
 * The law is a long chain of operations that wait for each other: two roots and two divisions one
 * after the other. A CPU does not execute ahead as far as the next vector's chain. So the chain is
 * cut into three stages, each of which goes through the block: while one vector waits, the next
 * ones are under way. The output of a stage overwrites its input.
 */

INLINE vector_t load_columns(real_t column[3][ROOM], size_t j) {
    return (vector_t){lane_load(column[0] + j), lane_load(column[1] + j), lane_load(column[2] + j)};
}

INLINE void store_columns(real_t column[3][ROOM], size_t j, vector_t a) {
    lane_store(column[0] + j, a.x);
    lane_store(column[1] + j, a.y);
    lane_store(column[2] + j, a.z);
}

/* First: separations become normals, reaches overlaps. */
STAGE void find_normals(found_t *f) {
    const size_t count = f->count;
    for (size_t j = 0; j < count; j += LANES) {
        const vector_t d = load_columns(f->d, j);
        const lanes_t length = lane_sqrt(vector_dot(d, d));
        lane_store(f->reach + j, lane_sub(lane_load(f->reach + j), length));
        store_columns(f->d, j, vector_over(d, length));
    }
}

/* The lanes from j on that are contacts and touch; overlaps have been computed. */
INLINE mask_t touching_at(const found_t *f, size_t count, size_t j) {
    const size_t left = count - j;
    const mask_t touches = lane_lt(lane_zero(), lane_load(f->reach + j));
    return left < LANES ? mask_and(mask_first(left), touches) : touches;
}

/*
 * Second: relative velocities become slips, whose sizes are computed. Returns whether contacts that
 * touch have legal arms and ordinary sizes.
 */
INLINE bool find_slips_of(const collide_t *c, bool spheres, found_t *f) {
    const lanes_t zero = lane_zero();
    const real_t *const rows = c->before4;
    const size_t count = f->count;
    const use_t use = {.spheres = spheres};
    mask_t odd = mask_none();
    row_signs_t signs = no_row_signs();
    for (size_t j = 0; j < count; j += LANES) {
        touch_t contact = {.k33 = lane_load(f->k33 + j)};
        contact.normal = load_columns(f->d, j);
        lanes_t spins[4] = {zero, zero, zero, zero};
        if (spheres) {
            ids_t is;
            load_ids(&is, f->a + j, f->b + j, count - j);
            lane_sum_rows4(rows, is.a, is.b, spins, &signs);
        }
        slip_of(use, load_columns(f->u, j), vector_of_row(spins), spins[3], &contact);
        const lanes_t square = vector_dot(contact.slip, contact.slip);
        const mask_t ordinary =
            mask_and(lane_le(zero, spins[3]), is_size_ordinary(&contact, use, square));
        lane_store(f->slip + j, lane_sqrt(square));
        store_columns(f->u, j, contact.slip);
        lane_store(f->u_n + j, contact.u_n);
        lane_store(f->t + j, contact.t);
        odd = mask_or(odd, mask_andnot(touching_at(f, count, j), ordinary));
    }
    return !mask_any(odd) && !has_row_sign(signs);
}

STAGE bool find_slips(const collide_t *c, found_t *f) {
    return c->use.spheres ? find_slips_of(c, true, f) : find_slips_of(c, false, f);
}

/* The contacts from j on. */
INLINE touch_t contact_found(const collide_t *c, found_t *f, const ids_t *is, size_t j) {
    touch_t contact = {.normal = load_columns(f->d, j), .slip = load_columns(f->u, j)};
    contact.overlap = lane_load(f->reach + j);
    contact.k33 = lane_load(f->k33 + j);
    contact.u_n = lane_load(f->u_n + j);
    contact.t = lane_load(f->t + j);
    contact.radius_a = contact.radius_b = lane_zero();
    if (c->call.model.is->kind == IMPINGE_RESTITUTION_VISCOELASTIC) { /* the only rule that reads
                                                                       * them */
        lanes_t row[4];
        lane_gather4(c->before8, ROW8, is->a, row);
        contact.radius_a = row[3];
        lane_gather4(c->before8, ROW8, is->b, row);
        contact.radius_b = row[3];
    }
    return contact;
}

/* A particle that moves, but of which no impulses were counted: a sum of them may add energy. */
static inline bool is_uncounted(const collide_t *c, uint32_t i) {
    return c->sharing[i] == 0 && c->before8[row_of(c, i) * ROW8 + ROW_VELOCITY + 3] != 0;
}

/*
 * True if one of the particles that get the contact's impulse is such; of a list, only A gets it.
 */
static inline bool lacks_count(const collide_t *c, uint32_t a, uint32_t b) {
    return is_uncounted(c, a) || (!c->starts && is_uncounted(c, b));
}

/* The larger of the numbers of impulses of a contact's particles. */
static inline real_t sharing_of(const collide_t *c, uint32_t a, uint32_t b) {
    const uint32_t most = c->sharing[a] > c->sharing[b] ? c->sharing[a] : c->sharing[b];
    return (real_t)(most > 1 ? most : 1);
}

/* Whether one of these impulses, of contacts with a count of 0, was not counted. */
STAGE bool lack_counts(const collide_t *c, const ids_t *is, uint32_t pushes) {
    for (size_t k = 0; k < LANES; k++)
        if ((pushes >> k & 1) && lacks_count(c, is->a[k], is->b[k])) return true;
    return false;
}

/* Divides impulses among those of their particles; false if one was not counted. */
INLINE bool share(const collide_t *c, const ids_t *is, vector_t *impulse) {
    real_t parts[LANES];
    uint32_t least[LANES];
    for (size_t k = 0; k < LANES; k++) {
        const uint32_t of_a = c->sharing[is->a[k]];
        const uint32_t of_b = c->sharing[is->b[k]];
        const uint32_t most = of_a > of_b ? of_a : of_b;
        parts[k] = (real_t)(most > 1 ? most : 1);
        least[k] = of_a < of_b ? of_a : of_b;
    }
    const mask_t counted = word_has(word_load(least), ~UINT32_C(0));
    const mask_t pushes = lane_lt(lane_zero(), vector_sizes(*impulse));
    const mask_t odd = mask_andnot(pushes, counted);
    if (mask_any(odd) && lack_counts(c, is, mask_bits(odd))) return false;
    *impulse = vector_over(*impulse, lane_load(parts));
    return true;
}

/* Which lanes of a block push, do not push, move and do not move their particles. */
typedef struct doings {
    mask_t rests, moves, stays;
} doings_t;

INLINE void note_doings(doings_t *d, const result_t *r, mask_t real) {
    const lanes_t zero = lane_zero();
    const vector_t p = r->impulse;
    const mask_t none =
        mask_and(lane_eq(p.x, zero), mask_and(lane_eq(p.y, zero), lane_eq(p.z, zero)));
    const mask_t stays = lane_eq(r->projection, zero);
    d->rests = mask_or(d->rests, mask_and(none, real));
    d->stays = mask_or(d->stays, mask_and(stays, real));
    d->moves = mask_or(d->moves, mask_andnot(real, stays));
}

/* The coefficients of contacts from j on. Returns which are legal. */
INLINE legal_t find_coefficients(const collide_t *c, size_t first, const found_t *f, size_t j,
                                 touch_t *contact) {
    gathered_t g;
    uint32_t number[LANES];
    NAME(impinge_coefficients) of = c->call.in->coefficients;
    if (has_own_coefficients(c)) {
        for (size_t k = 0; k < LANES; k++)
            number[k] = f->number[j + k < f->count ? j + k : j];
        of = coefficients_gathered(c, first, number, &g);
    }
    const use_t use = {.spheres = c->use.spheres, .rows = c->use.rows}; /* the copy is contiguous */
    return coefficients_of(&c->call, use, &of, 0, LANES, contact);
}

/* True if all contacts have the same coefficients, which were checked beforehand. */
static inline bool has_shared_coefficients(const collide_t *c) {
    return !has_own_coefficients(c) && c->call.model.is->kind == IMPINGE_RESTITUTION_CONSTANT;
}

/*
 * Third: the law, for contacts whose normals and slips have been computed. `shared`: all have the
 * same coefficients, as in most calls; the loop is compiled separately for this.
 */
INLINE bool collide_each(const collide_t *call, bool shares, size_t first, found_t *f,
                         pushes_t *to) {
    /* Copies: see look_by. No works are wanted. */
    const NAME(impinge_particle_contacts) in = *call->call.in;
    const NAME(impinge_particle_results) out = {.outcome = NULL};
    collide_t copy = *call;
    copy.call.in = &in;
    copy.call.out = &out;
    const collide_t *const c = &copy;
    const size_t count = f->count;
    doings_t doings = {mask_none(), mask_none(), mask_none()};
    touch_t of_all = {.k33 = lane_set(1)};
    of_all.u_n = of_all.radius_a = of_all.radius_b = lane_zero();
    if (shares) find_coefficients(c, first, f, 0, &of_all);
    for (size_t j = 0; j < count; j += LANES) {
        ids_t is;
        load_ids(&is, f->a + j, f->b + j, count - j);
        touch_t contact = contact_found(c, f, &is, j);
        const mask_t real = count - j < LANES ? mask_first(count - j) : mask_all();
        const mask_t touches = touching_at(f, count, j);
        if (shares) {
            contact.restitution = of_all.restitution;
            contact.friction = of_all.friction;
            contact.one_plus_e_t = of_all.one_plus_e_t;
        } else {
            const legal_t legal = find_coefficients(c, first, f, j, &contact);
            if (mask_any(mask_andnot(touches, is_legal(&legal)))) return false;
        }
        result_t r = result_of_ordinary(&c->call, &contact, lane_load(f->slip + j), touches);
        if (c->sharing && !share(c, &is, &r.impulse)) return false;
        note_doings(&doings, &r, real);
        push_block(c, to, j, &r);
    }
    to->all_push = !mask_any(doings.rests);
    to->all_move = !mask_any(doings.stays);
    to->none_moves = !mask_any(doings.moves);
    to->count = count;
    to->a = f->a;
    to->b = f->b;
    return true;
}

STAGE bool collide_slips(const collide_t *c, size_t first, found_t *f, pushes_t *to) {
    return collide_each(c, false, first, f, to);
}

STAGE bool collide_slips_alike(const collide_t *c, size_t first, found_t *f, pushes_t *to) {
    return collide_each(c, true, first, f, to);
}

/* Resolves the contacts that were found. */
static bool collide_found(const collide_t *c, size_t first, found_t *f, pushes_t *to) {
    find_normals(f);
    if (!find_slips(c, f)) return false;
    return has_shared_coefficients(c) ? collide_slips_alike(c, first, f, to)
                                      : collide_slips(c, first, f, to);
}

INLINE bool look(const collide_t *c, size_t first, size_t *count, found_t *f) {
    if (c->use.rows)
        return c->few ? look_at_places_rows(c, first, count, f)
                      : look_at_all_rows(c, first, count, f);
    return c->few ? look_at_places(c, first, count, f) : look_at_all(c, first, count, f);
}

/* True if the block's particles A follow each other. */
static inline bool is_in_order(const collide_t *c, size_t count) {
    return c->span_a[count - 1] - c->span_a[0] < (uint32_t)count;
}

/*
 * Rows whose numbers and sums take half of a second cache of 1 MiB; and the number of rows beyond
 * those of a block that are prefetched: about as many as the next block may add.
 */
#define WINDOW_ROWS (((size_t)1 << 19) / (2 * (ROW8 + ROW4) * sizeof(real_t)))
#define NEXT_ROWS   64

/* How a block's rows are prefetched. `packed`: they were packed here. */
static void plan_ahead(collide_t *c, bool packed, size_t count) {
    const bool in_order = is_in_order(c, count);
    const bool narrow = c->span_end - c->span_a[0] < WINDOW_ROWS;
    const bool prefetches = c->large && c->ring == 0 && !(packed && in_order);
    c->all_ahead = prefetches && in_order && !packed && !c->few && c->use.spheres && c->after8;
    c->ahead = prefetches && !narrow;
    c->prefetch_end = 0;
    if (!prefetches || !narrow) return;
    if (c->prefetched < c->span_a[0]) c->prefetched = c->span_a[0];
    c->prefetch_end = c->span_end + NEXT_ROWS < c->count ? c->span_end + NEXT_ROWS : c->count;
}

/*
 * Resolves a block of at most `count` contacts, and sets `count` to their number. Returns false,
 * and changes nothing, if one is not ordinary.
 */
INLINE bool collide_quickly(collide_t *c, const tables_t *t, size_t first, size_t *count,
                            found_t *f, pushes_t *to) {
    if (!take_span(c, first, *count, f)) return false;
    if (t && c->packed < c->span_end) pack(c, t, c->span_end);
    if (!c->quick) return false;
    plan_ahead(c, t != NULL, *count);
    if (has_own_coefficients(c) && !are_own_coefficients_legal(c, first, *count)) return false;
    const bool ordinary = look(c, first, count, f);
    c->prefetched = f->prefetched;
    c->few = f->touching < *count / 4;
    return ordinary && collide_found(c, first, f, to);
}

/* ---- What is out of the ordinary ---- */

typedef struct block_results {
    real_t impulse[3][BLOCK], normal[3][BLOCK], projection[BLOCK];
    uint32_t outcome[BLOCK];
} block_results_t;

static NAME(impinge_coefficient) coefficient_from(NAME(impinge_coefficient) c, size_t first) {
    if (c.values) c.values += element(first, c.stride);
    return c;
}

/* The contacts from `first` on, as if there were no others before them. */
static NAME(impinge_particle_contacts)
    contacts_from(const collide_t *call, size_t first, size_t count) {
    const NAME(impinge_particle_contacts) *const in = call->call.in;
    NAME(impinge_particle_contacts) from = *in;
    NAME(impinge_coefficients) *const c = &from.coefficients;
    from.count = count;
    from.index_a = call->starts ? call->span_a : in->index_a + element(first, in->index_stride);
    from.index_b += element(first, in->index_stride);
    c->restitution = coefficient_from(c->restitution, first);
    c->friction = coefficient_from(c->friction, first);
    c->tangential_restitution = coefficient_from(c->tangential_restitution, first);
    return from;
}

/*
 * Contact k of the block as a push, with its moment as the calls that apply compute it. An impulse
 * that was not counted is not added; false if this is one.
 */
static bool push_one(pushes_t *to, const collide_t *c, const NAME(impinge_particle_contacts) * in,
                     const block_results_t *r, size_t k) {
    real_t p[3] = {r->impulse[0][k], r->impulse[1][k], r->impulse[2][k]};
    const real_t n[3] = {r->normal[0][k], r->normal[1][k], r->normal[2][k]};
    const bool pushes = p[0] != 0 || p[1] != 0 || p[2] != 0;
    const bool moves = r->projection[k] != 0;
    if (!pushes && !moves) return true;
    const uint32_t a = index_a_of(AS_GIVEN, in, k);
    const uint32_t b = index_b_of(AS_GIVEN, in, k);
    const bool drops = pushes && c->sharing && lacks_count(c, a, b);
    if (drops && !moves) return false;
    for (size_t x = 0; x < 3 && c->sharing; x++)
        p[x] = drops ? 0 : p[x] / sharing_of(c, a, b);
    real_t *const row8 = &to->row8[to->count * ROW8];
    real_t *const row4 = &to->row4[to->count * ROW4];
    for (size_t x = 0; x < 3; x++) {
        const size_t y = (x + 1) % 3;
        const size_t z = (x + 2) % 3;
        row8[x] = r->projection[k] * n[x];
        row8[ROW_VELOCITY + x] = p[x];
        row4[x] = n[y] * p[z] - n[z] * p[y];
    }
    row8[3] = row8[ROW_VELOCITY + 3] = row4[3] = 0;
    to->own_a[to->count] = (uint32_t)row_of(c, a);
    to->own_b[to->count] = (uint32_t)row_of(c, b);
    to->count++;
    return !drops;
}

STAGE void resolve_pairs_of_columns(const particle_call_t *call, layout_t layout) {
    resolve_columns(call, false, layout);
}

static void resolve_all_again(const particle_call_t *call, use_t use) {
    if (!use.rows)
        resolve_pairs_of_columns(call, use.layout);
    else if (use.spheres)
        resolve_all(call, (use_t){.spheres = true, .rows = true, .layout = AS_GIVEN});
    else
        resolve_all(call, (use_t){.spheres = false, .rows = true, .layout = AS_GIVEN});
}

/* At most BLOCK contacts. */
static void collide_slowly(collide_t *c, size_t first, size_t count, found_t *f, pushes_t *to) {
    block_results_t r;
    const NAME(impinge_particle_results) out = {.impulse_x = r.impulse[0],
                                                .impulse_y = r.impulse[1],
                                                .impulse_z = r.impulse[2],
                                                .normal_x = r.normal[0],
                                                .normal_y = r.normal[1],
                                                .normal_z = r.normal[2],
                                                .projection = r.projection,
                                                .outcome = r.outcome};
    if (c->starts) take_span(c, first, count, f);
    const NAME(impinge_particle_contacts) in = contacts_from(c, first, count);
    impinge_report report = {.first_invalid = SIZE_MAX};
    particle_call_t call = c->call;
    call.in = &in;
    call.selected = (selected_t){0, count};
    call.out = &out;
    call.report = &report;
    resolve_all_again(&call, c->use);
    c->call.report->invalid += report.invalid;
    if (report.first_invalid < SIZE_MAX && c->call.report->first_invalid == SIZE_MAX)
        c->call.report->first_invalid = first + report.first_invalid;
    to->count = 0;
    to->a = to->own_a;
    to->b = to->own_b;
    to->all_move = to->none_moves = to->all_push = false;
    for (size_t k = 0; k < count; k++) {
        const bool counted = push_one(to, c, &in, &r, k);
        c->fits = c->fits && counted && !(r.outcome[k] & IMPINGE_OUTCOME_OUT_OF_RANGE);
    }
}

/* ---- Applying ---- */

/* A particle's rows that are added to. */
typedef struct target {
    real_t *row8, *row4;
} target_t;

static inline target_t target_at(const collide_t *c, uint32_t i) {
    return (target_t){c->after8 + (size_t)i * ROW8, c->after4 + (size_t)i * ROW4};
}

static inline bool is_immovable(target_t t) { return t.row8[3] == 0; }

static inline bool is_nonzero(const real_t *row) {
    return row[0] != 0 || row[1] != 0 || row[2] != 0;
}

/*
 * Adds to A, or subtracts if `gives` from B. Immovable particles keep their bits, and so does a
 * particle that receives only zeros.
 */
static void apply_one(const collide_t *c, target_t t, const pushes_t *p, size_t j, bool gives) {
    const real_t *const row8 = &p->row8[j * ROW8];
    const row4_t move = row4_load(row8);
    const row4_t impulse = row4_load(row8 + ROW_VELOCITY);
    if (is_immovable(t)) return;
    if (is_nonzero(row8)) gives ? row4_sub_times(t.row8, move) : row4_add_times(t.row8, move);
    if (!is_nonzero(row8 + ROW_VELOCITY)) return;
    if (gives)
        row4_sub_times(t.row8 + ROW_VELOCITY, impulse);
    else
        row4_add_times(t.row8 + ROW_VELOCITY, impulse);
    if (c->use.spheres) row4_sub_times(t.row4, row4_load(&p->row4[j * ROW4]));
}

static bool is_finite4(const real_t *row) {
    bool finite = true;
    for (size_t k = 0; k < 4; k++)
        finite = finite && isfinite(row[k]);
    return finite;
}

/* The same, but a particle that would leave the range of the numbers does not change. */
static bool apply_checked(const collide_t *c, target_t t, const pushes_t *p, size_t j, bool gives) {
    real_t row8[ROW8];
    real_t row4[ROW4] = {0};
    if (is_immovable(t)) return true;
    memcpy(row8, t.row8, sizeof row8);
    if (c->use.spheres) memcpy(row4, t.row4, sizeof row4);
    apply_one(c, (target_t){row8, row4}, p, j, gives);
    const real_t *const push8 = &p->row8[j * ROW8];
    const bool turns = c->use.spheres && row4[3] != 0;
    const bool pushes = is_nonzero(push8 + ROW_VELOCITY);
    const bool moment = !c->use.spheres || is_finite4(&p->row4[j * ROW4]);
    const bool motion =
        !pushes || (is_finite4(row8 + ROW_VELOCITY) && moment && (!turns || is_finite4(row4)));
    if (!motion || (is_nonzero(push8) && !is_finite4(row8))) return false;
    memcpy(t.row8, row8, sizeof row8);
    if (c->use.spheres) memcpy(t.row4, row4, sizeof row4);
    return true;
}

/*
 * The loops below run once for each contact, so that each instruction in them counts. Tables are
 * copied, since a compiler must assume that a sum may overwrite the call; spheres and points have
 * loops of their own.
 */
typedef struct targets {
    real_t *row8, *row4;
} targets_t;

INLINE target_t target_in(targets_t t, uint32_t i) {
    return (target_t){t.row8 + (size_t)i * ROW8, t.row4 + (size_t)i * ROW4};
}

/* What a block's contacts have in common. */
typedef struct kind {
    bool spheres, moves, some_immovable;
} kind_t;

/* Adds a contact's changes to A, or takes them from B. */
INLINE void change(kind_t is, target_t t, row8_t row8, row4_t impulse, row4_t moment, bool gives) {
    if (is.some_immovable && is_immovable(t)) return;
    if (is.moves)
        gives ? row8_sub_times(t.row8, row8) : row8_add_times(t.row8, row8);
    else if (gives)
        row4_sub_times(t.row8 + ROW_VELOCITY, impulse);
    else
        row4_add_times(t.row8 + ROW_VELOCITY, impulse);
    if (is.spheres) row4_sub_times(t.row4, moment);
}

INLINE void change_each(const collide_t *c, const pushes_t *p, kind_t is) {
    const targets_t to = {c->after8, c->after4};
    const size_t count = p->count;
    for (size_t j = 0; j < count; j++) {
        const real_t *const from = &p->row8[j * ROW8];
        const row8_t row8 = row8_load(from);
        const row4_t impulse = row4_load(from + ROW_VELOCITY);
        const row4_t moment = row4_load(&p->row4[j * ROW4]);
        change(is, target_in(to, p->a[j]), row8, impulse, moment, false);
        change(is, target_in(to, p->b[j]), row8, impulse, moment, true);
    }
}

/*
 * For blocks in which every contact changes velocities, and either every one or none changes
 * places.
 */
STAGE void apply_all(const collide_t *c, const pushes_t *p) {
    if (c->some_immovable || !c->use.spheres)
        change_each(c, p, (kind_t){c->use.spheres, p->all_move, true});
    else if (p->all_move)
        change_each(c, p, (kind_t){true, true, false});
    else
        change_each(c, p, (kind_t){true, false, false});
}

/* For rows that the caller keeps: adds to the sums, zeros included; of lists, to A alone. */
INLINE void add_each(const collide_t *c, const pushes_t *p, bool spheres, bool both) {
    const targets_t to = {c->after8, c->after4};
    const size_t count = p->count;
    for (size_t j = 0; j < count; j++) {
        const target_t a = target_in(to, p->a[j]);
        const target_t b = target_in(to, p->b[j]);
        const row8_t row8 = row8_load(&p->row8[j * ROW8]);
        const row4_t row4 = row4_load(&p->row4[j * ROW4]);
        row8_add(a.row8, row8);
        if (spheres) row4_add(a.row4, row4);
        if (!both) continue;
        row8_sub(b.row8, row8);
        if (spheres) row4_add(b.row4, row4);
    }
}

STAGE void add_to_sums(const collide_t *c, const pushes_t *p) {
    c->use.spheres ? add_each(c, p, true, true) : add_each(c, p, false, true);
}

/*
 * A's contacts follow each other, but keeping their sums in registers is no faster: the end of a
 * list is a jump that cannot be predicted.
 */
STAGE void add_to_own_sums(const collide_t *c, const pushes_t *p) {
    c->use.spheres ? add_each(c, p, true, false) : add_each(c, p, false, false);
}

STAGE void mark_each(uint8_t *added, const uint32_t *i, size_t count) {
    for (size_t j = 0; j < count; j++)
        added[i[j]] = 1;
}

/*
 * A call marks all particles at once if it will add more contacts than one for every MARKS_ALL of
 * them, to judge by the first: one for every MARKS_KNOWN.
 */
#define MARKS_ALL   4
#define MARKS_KNOWN 16

static bool marks_most(const collide_t *c) {
    const size_t added = c->marked;
    if (added <= c->count / MARKS_KNOWN) return false;
    return c->listed / added < c->call.selected.count / (c->count / MARKS_ALL + 1);
}

/*
 * Marks the particles of pairs. Where most pairs touch, two stores for each of them took up to a
 * tenth of a call.
 */
static void mark_pairs(collide_t *c, const pushes_t *p) {
    c->marked += p->count;
    if (marks_most(c)) {
        memset(c->added, 1, c->count);
        c->added = NULL;
        return;
    }
    mark_each(c->added, p->a, p->count);
    mark_each(c->added, p->b, p->count);
}

/*
 * Marks the particles of lists, whose contacts are in their order: no particle before the block's
 * first or after its last, as these may be another thread's.
 */
static void mark_own(const collide_t *c, const pushes_t *p) {
    if (p->count == 0) return;
    const uint32_t first = p->a[0];
    const size_t range = (size_t)p->a[p->count - 1] - first + 1;
    if (range <= p->count)
        memset(c->added + first, 1, range);
    else
        mark_each(c->added, p->a, p->count);
}

/* Immovable particles are not counted: they can gain no energy, so they need no share. */
static inline bool can_move(const collide_t *c, uint32_t i) {
    return c->before8[(size_t)i * ROW8 + ROW8 - 1] > 0;
}

STAGE void count_pushes(collide_t *c, const pushes_t *p) {
    for (size_t j = 0; j < p->count; j++) {
        if (!is_nonzero(p->row8 + j * ROW8 + ROW_VELOCITY)) continue;
        c->counts[p->a[j]] += can_move(c, p->a[j]);
        if (c->starts) continue; /* it is counted for B in B's list */
        c->counts[p->b[j]] += can_move(c, p->b[j]);
        c->shares |= c->counts[p->a[j]] > 1 || c->counts[p->b[j]] > 1;
    }
}

INLINE void apply_pushes(collide_t *c, const pushes_t *p) {
    if (c->counts) count_pushes(c, p);
    if (!c->after8) return;
    if (c->use.rows) {
        c->starts ? add_to_own_sums(c, p) : add_to_sums(c, p);
        if (c->added) c->starts ? mark_own(c, p) : mark_pairs(c, p);
        return;
    }
    if (!c->checked && p->all_push && (p->all_move || p->none_moves)) {
        apply_all(c, p);
        return;
    }
    for (size_t j = 0; j < p->count; j++) {
        const target_t a = target_at(c, p->a[j]);
        const target_t b = target_at(c, p->b[j]);
        if (c->checked) {
            c->fits &= apply_checked(c, a, p, j, false);
            c->fits &= apply_checked(c, b, p, j, true);
        } else {
            apply_one(c, a, p, j, false);
            apply_one(c, b, p, j, true);
        }
    }
}

/* ---- A ring of rows ---- */

/*
 * The size of the tables from which on a ring pays: twice a second cache of 1 MiB. Turning indices
 * into rows takes a twentieth of a call in f32.
 */
#define RING_PAYS ((size_t)1 << 21)

/*
 * Finds the lowest particles of the list's parts. Returns the number of rows that suffice for a
 * ring, or more than `most`.
 */
STAGE size_t ring_needed(const collide_t *c, size_t most, parts_t *parts) {
    const NAME(impinge_particle_contacts) *const in = c->call.in;
    const selected_t selected = c->call.selected;
    const uint32_t *const a = in->index_a + selected.first;
    const uint32_t *const b = in->index_b + selected.first;
    uint32_t highest[PARTS];
    const size_t least = (selected.count + PARTS - 1) / PARTS;
    const size_t length = least > SPAN ? least : SPAN;
    const size_t count = (selected.count + length - 1) / length;
    uint32_t high = 0;
    parts->length = length;
    for (size_t k = 0; k < count; k++) {
        const size_t end = k + 1 < count ? (k + 1) * length : selected.count;
        uint32_t low = UINT32_MAX;
        for (size_t i = k * length; i < end; i++) {
            const uint32_t smaller = a[i] < b[i] ? a[i] : b[i];
            const uint32_t larger = a[i] > b[i] ? a[i] : b[i];
            low = smaller < low ? smaller : low;
            high = larger > high ? larger : high;
        }
        if (high >= c->count || high - low >= most) return most + 1;
        parts->lowest[k] = low;
        highest[k] = high;
    }
    size_t width = 0;
    for (size_t k = count; k-- > 0;) {
        if (k + 1 < count && parts->lowest[k + 1] < parts->lowest[k])
            parts->lowest[k] = parts->lowest[k + 1];
        /* A block that begins in this part may end in the next. */
        const size_t last = k + 1 < count ? k + 1 : k;
        const size_t spans = (size_t)highest[last] - parts->lowest[k] + 1;
        width = spans > width ? spans : width;
    }
    /* Particles are packed and unpacked by PACKED. */
    return (width + 3 * PACKED - 1) / PACKED * PACKED;
}

/*
 * There is no ring where each particle's impulses are counted or shared: counts are found by the
 * particles' numbers, and the call may start again.
 */
static void plan_ring(collide_t *c, parts_t *parts) {
    const bool numbers = c->counts || c->sharing;
    c->ring = c->unpacked = c->ring_first = 0;
    const bool pays = c->count * (2 * (ROW8 + ROW4) * sizeof(real_t)) > RING_PAYS;
    if (!pays || numbers || is_strided(c->call.in->index_stride) || c->call.selected.count == 0)
        return;
    const size_t most = c->count / 2;
    const size_t rows = ring_needed(c, most, parts);
    if (rows <= most) c->ring = rows;
    c->parts = parts;
}

/* Unpacks the particles that no contact from i on has. */
static void advance_ring(collide_t *c, size_t i) {
    const size_t part = (i - c->call.selected.first) / c->parts->length;
    const size_t end = c->parts->lowest[part] / PACKED * PACKED;
    if (end <= c->unpacked) return;
    unpack(c, end < c->packed ? end : c->packed);
    if (c->packed < end) c->packed = c->unpacked = end; /* nothing collides with those between */
    c->ring_first = c->unpacked / c->ring * c->ring;
}

/* Packs the particles that a block may need if it is resolved by the general path. */
static void pack_for_slow(collide_t *c, const tables_t *t, size_t first, size_t count, found_t *f) {
    size_t end = c->count;
    if (c->ring > 0) {
        take_span(c, first, count, f);
        end = c->span_end;
    }
    if (c->packed < end) pack(c, t, end);
}

/* All contacts. The rows are those of the caller, or, where `t` is given, packed when needed. */
INLINE void collide_blocks(collide_t *c, const tables_t *t) {
    const selected_t selected = c->call.selected;
    const size_t end = selected.first + selected.count;
    found_t found;
    pushes_t pushes;
    parts_t parts;
    c->quick = c->call.quick;
    c->checked = !c->quick;
    c->fits = true;
    c->few = false;
    c->large = c->count * ROW8 * sizeof(real_t) > CACHED;
    c->prefetched = c->searched = c->odd_end = c->span_end = 0;
    c->packed = 0;
    c->numbered = has_own_coefficients(c);
    /* Shared coefficients are checked once. */
    if (selected.count > 0 && !c->numbered)
        c->quick = c->quick && are_coefficients_legal(c, selected.first, 1);
    if (t) plan_ring(c, &parts);
    size_t count;
    for (size_t i = selected.first; i < end; i += count) {
        const size_t left = end - i;
        if (c->ring > 0) advance_ring(c, i);
        count = left < SPAN ? left : SPAN;
        if (!c->quick || !collide_quickly(c, t, i, &count, &found, &pushes)) {
            count = left < BLOCK ? left : BLOCK;
            if (t) pack_for_slow(c, t, i, count, &found);
            collide_slowly(c, i, count, &found, &pushes);
        }
        c->listed = i + count - selected.first;
        apply_pushes(c, &pushes);
    }
}

/* Again from the beginning, with the number of impulses that each particle gets. */
static void collide_shared(collide_t *c, const tables_t *t) {
    impinge_report *const report = c->call.report;
    c->sharing = c->counts;
    c->counts = NULL;
    report->invalid = 0;
    report->first_invalid = SIZE_MAX;
    collide_blocks(c, t);
}

INLINE void collide_all(collide_t *c, real_t *workspace) {
    const tables_t t = tables_in(workspace, c->count);
    c->before8 = t.before8;
    c->before4 = t.before4;
    c->after8 = t.after8;
    c->after4 = t.after4;
    if (!c->call.in->independent && !c->call.in->sharing) {
        c->counts = t.counts;
        memset(c->counts, 0, c->count * sizeof *c->counts);
    }
    collide_blocks(c, &t);
    if (c->shares) collide_shared(c, &t);
    unpack(c, c->packed);
}

#endif
