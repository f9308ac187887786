/* Rows of particles that the caller keeps: from columns, back, and with sums added. */
#ifndef IMPINGE_KERNELS_PARTICLE_ROWS_H
#define IMPINGE_KERNELS_PARTICLE_ROWS_H

#include <impinge/particle_rows.h>

#include "lane/bytes.h"
#include "particles_collide.h"

/*
 * Rows for all lanes, or a copy of the last few. Lanes read and write `at`; the caller's rows are
 * at `from`.
 */
typedef struct row_lanes {
    real_t *from, *at;
    size_t size; /* numbers */
    real_t copy[LANES * ROW8];
} row_lanes_t;

static void rows_begin(row_lanes_t *s, real_t *table, size_t row, size_t i, size_t count) {
    s->from = s->at = table ? table + i * row : NULL;
    s->size = count < LANES ? count * row : 0;
    if (!table || s->size == 0) return;
    memset(s->copy, 0, sizeof s->copy);
    memcpy(s->copy, s->from, s->size * sizeof *s->from);
    s->at = s->copy;
}

static void rows_end(row_lanes_t *s) {
    if (s->from && s->size > 0) memcpy(s->from, s->copy, s->size * sizeof *s->from);
}

/*
 * Zero for radii without a spin, including infinite ones: infinity times zero is a NaN, whose sign
 * depends on the target.
 */
INLINE lanes_t turning_radius(lanes_t radius) {
    const lanes_t zero = lane_zero();
    const mask_t turns = mask_and(lane_lt(zero, radius), lane_le(radius, lane_set(REAL_MAX)));
    return lane_select(turns, radius, zero);
}

/* ---- From columns ---- */

INLINE void pack_row_lanes(layout_t layout, const NAME(impinge_particles) * p,
                           const NAME(impinge_particle_rows) * rows, size_t i, size_t count) {
    row_lanes_t motion, spin;
    rows_begin(&motion, rows->motion, ROW8, i, count);
    rows_begin(&spin, rows->spin, ROW4, i, count);
    const vector_t v = load_vector_by(VECTOR_OF(layout, p, velocity), i, count);
    const vector_t x = load_vector_by(VECTOR_OF(layout, p, position), i, count);
    const lanes_t radius = load_lanes_by(COLUMN_OF(layout, p, radius), i, count);
    const lanes_t inverse_mass = load_lanes_by(COLUMN_OF(layout, p, inverse_mass), i, count);
    const lanes_t place[4] = {x.x, x.y, x.z, radius};
    const lanes_t velocity[4] = {v.x, v.y, v.z, inverse_mass};
    lane_store4(motion.at, ROW8, place);
    lane_store4(motion.at + ROW_VELOCITY, ROW8, velocity);
    if (spin.at) {
        const vector_t omega = load_vector_by(VECTOR_OF(layout, p, angular_velocity), i, count);
        const lanes_t turned_by = turning_radius(radius);
        const lanes_t arm = turning_at(layout, p, i, count, turned_by, inverse_mass);
        const vector_t surface = surface_speed(omega, turned_by);
        const lanes_t row[4] = {surface.x, surface.y, surface.z, arm};
        lane_store4(spin.at, ROW4, row);
    }
    rows_end(&motion);
    rows_end(&spin);
}

INLINE void pack_rows_by(layout_t layout, const NAME(impinge_particles) * p,
                         const NAME(impinge_particle_rows) * rows, size_t first, size_t count) {
    const size_t end = first + count;
    size_t i = first;
    for (; end - i >= LANES; i += LANES)
        pack_row_lanes(layout, p, rows, i, LANES);
    if (i < end) pack_row_lanes(layout, p, rows, i, end - i);
}

static void pack_rows(const NAME(impinge_particles) * p, const NAME(impinge_particle_rows) * rows,
                      size_t first, size_t count) {
    if (are_particles_strided(p))
        pack_rows_by(AS_GIVEN, p, rows, first, count);
    else
        pack_rows_by(CONTIGUOUS, p, rows, first, count);
}

/* ---- Back ---- */

INLINE void unpack_row_lanes(layout_t layout, const NAME(impinge_particle_rows) * rows,
                             const NAME(impinge_particles) * p, size_t i, size_t count) {
    row_lanes_t motion, spin;
    lanes_t row[4];
    rows_begin(&motion, rows->motion, ROW8, i, count);
    rows_begin(&spin, rows->spin, ROW4, i, count);
    lane_load4(motion.at, ROW8, row);
    store_vector_by(VECTOR_OF(layout, p, position), i, vector_of_row(row), count);
    lane_load4(motion.at + ROW_VELOCITY, ROW8, row);
    store_vector_by(VECTOR_OF(layout, p, velocity), i, vector_of_row(row), count);
    if (!spin.at) return;
    const lanes_t radius = turning_radius(load_lanes_by(COLUMN_OF(layout, p, radius), i, count));
    const mask_t turns = lane_lt(lane_zero(), radius);
    const lanes_t by = lane_select(turns, radius, lane_set(1));
    const vector_t was = load_vector_by(VECTOR_OF(layout, p, angular_velocity), i, count);
    lane_load4(spin.at, ROW4, row);
    /* Divisions, as the reciprocal of a subnormal radius is out of range. */
    const vector_t omega = {lane_div(row[0], by), lane_div(row[1], by), lane_div(row[2], by)};
    const vector_t spun = vector_select(turns, omega, was);
    store_vector_by(VECTOR_OF(layout, p, angular_velocity), i, spun, count);
}

INLINE void unpack_rows_by(layout_t layout, const NAME(impinge_particle_rows) * rows,
                           const NAME(impinge_particles) * p, size_t first, size_t count) {
    const size_t end = first + count;
    size_t i = first;
    for (; end - i >= LANES; i += LANES)
        unpack_row_lanes(layout, rows, p, i, LANES);
    if (i < end) unpack_row_lanes(layout, rows, p, i, end - i);
}

static void unpack_rows(const NAME(impinge_particle_rows) * rows, const NAME(impinge_particles) * p,
                        size_t first, size_t count) {
    if (are_particles_strided(p))
        unpack_rows_by(AS_GIVEN, rows, p, first, count);
    else
        unpack_rows_by(CONTIGUOUS, rows, p, first, count);
}

/* ---- Sums ---- */

static mask_t is_zero3(const lanes_t a[4]) {
    const lanes_t zero = lane_zero();
    return mask_and(mask_and(lane_eq(a[0], zero), lane_eq(a[1], zero)), lane_eq(a[2], zero));
}

/* a + by b. Where b is zero, and in the lanes of `keep`, the bits of a stay. */
static void add_unless(mask_t keep, lanes_t a[4], lanes_t by, const lanes_t b[4]) {
    for (int k = 0; k < 3; k++) {
        const mask_t stays = mask_or(keep, lane_eq(b[k], lane_zero()));
        a[k] = lane_select(stays, a[k], lane_add(a[k], lane_mul(by, b[k])));
    }
}

/* True if the rows are finite, or kept. */
static mask_t is_finite_or(const lanes_t a[4], mask_t keep) {
    return mask_or(keep, finite3(a[0], a[1], a[2]));
}

static void keep_unless(lanes_t a[4], mask_t fits, const lanes_t was[4]) {
    for (int k = 0; k < 3; k++)
        a[k] = lane_select(fits, a[k], was[k]);
}

/*
 * The tables, copied: a compiler must assume that a store to a row changes the members of the
 * structs. Points have no `spin` and no `moment`.
 */
typedef struct sum_tables {
    real_t *motion, *push, *spin, *moment;
} sum_tables_t;

/* The sums of any one particle. Returns whether all are in range. */
STAGE bool apply_any_sum(sum_tables_t t, size_t i) {
    row_lanes_t motion, spin, push, moment;
    lanes_t place[4], velocity[4], turned[4], moved[4], impulse[4], turning_by[4];
    rows_begin(&motion, t.motion, ROW8, i, 1);
    rows_begin(&push, t.push, ROW8, i, 1);
    rows_begin(&spin, t.spin, ROW4, i, 1);
    rows_begin(&moment, t.moment, ROW4, i, 1);
    lane_load4(motion.at, ROW8, place);
    lane_load4(motion.at + ROW_VELOCITY, ROW8, velocity);
    lane_load4(push.at, ROW8, moved);
    lane_load4(push.at + ROW_VELOCITY, ROW8, impulse);
    const lanes_t inverse_mass = velocity[3];
    const mask_t immovable = lane_eq(inverse_mass, lane_zero());
    const lanes_t place_was[4] = {place[0], place[1], place[2]};
    const lanes_t velocity_was[4] = {velocity[0], velocity[1], velocity[2]};
    const mask_t stays = mask_or(immovable, is_zero3(moved));
    const mask_t unpushed = mask_or(immovable, is_zero3(impulse));
    add_unless(stays, place, inverse_mass, moved);
    add_unless(unpushed, velocity, inverse_mass, impulse);
    mask_t fits = mask_and(is_finite_or(place, stays), is_finite_or(velocity, unpushed));
    if (spin.at) {
        lane_load4(spin.at, ROW4, turned);
        lane_load4(moment.at, ROW4, turning_by);
        const lanes_t was[4] = {turned[0], turned[1], turned[2]};
        const mask_t armless = lane_eq(turned[3], lane_zero());
        const mask_t unturned = mask_or(mask_or(immovable, armless), is_zero3(turning_by));
        add_unless(unturned, turned, lane_neg(turned[3]), turning_by);
        fits = mask_and(fits, is_finite_or(turned, unturned));
        keep_unless(turned, fits, was);
        lane_store4(spin.at, ROW4, turned);
    }
    keep_unless(place, fits, place_was);
    keep_unless(velocity, fits, velocity_was);
    lane_store4(motion.at, ROW8, place);
    lane_store4(motion.at + ROW_VELOCITY, ROW8, velocity);
    const lanes_t zero = lane_zero();
    const lanes_t none[4] = {zero, zero, zero, zero};
    lane_store4(push.at, ROW8, none);
    lane_store4(push.at + ROW_VELOCITY, ROW8, none);
    if (moment.at) lane_store4(moment.at, ROW4, none);
    rows_end(&motion);
    rows_end(&push);
    rows_end(&spin);
    rows_end(&moment);
    return mask_every(fits);
}

/*
 * Particles whose sums are tested for zero together. In f64 four take 0.87 to 0.9 of the time of
 * one by one where few pairs touch; in f32, with half as many bytes, 1.07.
 */
enum { SUMS_AT_ONCE = IMPINGE_REAL_BITS == 64 ? 4 : 1 };

/* Whether all bytes of some particles' sums are zero: there is nothing to add, and to write. */
INLINE bool are_sums_zero(const real_t *push, const real_t *moment, size_t count) {
    enum { BYTES8 = ROW8 * sizeof(real_t), BYTES4 = ROW4 * sizeof(real_t) };
    uint64_t words[SUMS_AT_ONCE * BYTES8 / 8];
    uint64_t any = 0;
    memcpy(words, push, count * BYTES8);
    for (size_t k = 0; k < count * BYTES8 / 8; k++)
        any |= words[k];
    if (moment) {
        memcpy(words, moment, count * BYTES4);
        for (size_t k = 0; k < count * BYTES4 / 8; k++)
            any |= words[k];
    }
    return any == 0;
}

/*
 * Applies the sums of particle i by whole rows: turning rows into columns and back would take
 * longer than adding. Returns false, and changes nothing, if a number is not finite.
 */
INLINE bool apply_sum_row(sum_tables_t t, bool spheres, size_t i) {
    real_t *const motion = t.motion + i * ROW8;
    real_t *const push = t.push + i * ROW8;
    real_t *const spin = spheres ? t.spin + i * ROW4 : motion;
    real_t *const moment = spheres ? t.moment + i * ROW4 : push;
    const real_t inverse_mass = motion[ROW8 - 1];
    const row8_t moved = row8_with(row8_load(motion), inverse_mass, row8_load(push));
    row4_t turned = row4_load(spin);
    /* A product with -0 may change the sign of a zero. */
    if (spheres && spin[3] != 0) turned = row4_with(turned, -spin[3], row4_load(moment));
    if (!row8_are_finite(moved, turned)) return false;
    if (inverse_mass != 0) {
        row8_store(motion, moved);
        if (spheres) row4_store(spin, turned);
    }
    memset(push, 0, ROW8 * sizeof *push);
    if (spheres) memset(moment, 0, ROW4 * sizeof *moment);
    return true;
}

/* Few rows are out of the ordinary; each of them takes a vector of lanes for itself. */
INLINE bool apply_sum(sum_tables_t t, bool spheres, size_t i) {
    return apply_sum_row(t, spheres, i) || apply_any_sum(t, i);
}

INLINE bool apply_each_sum(sum_tables_t t, bool spheres, size_t first, size_t count) {
    bool fits = true;
    for (size_t i = first; i < first + count; i++)
        fits &= apply_sum(t, spheres, i);
    return fits;
}

/* Some of the particles from `first` on, as the bits of `which` are set. */
INLINE bool apply_sums_of(sum_tables_t t, bool spheres, size_t first, uint64_t which) {
    /* Where all are, as in most dense lists, the loop need not look for the next. */
    if (which == UINT64_MAX) return apply_each_sum(t, spheres, first, BYTES_TESTED);
    bool fits = true;
    for (; which != 0; which &= which - 1)
        fits &= apply_sum(t, spheres, first + (size_t)__builtin_ctzll(which));
    return fits;
}

/* The sums of the particles that `added` marks, whose marks are removed. */
INLINE bool apply_marked_sums(sum_tables_t t, bool spheres, uint8_t *added, size_t first,
                              size_t count) {
    const size_t end = first + count;
    bool fits = true;
    size_t i = first;
    for (; end - i >= BYTES_TESTED; i += BYTES_TESTED) {
        const uint64_t marked = nonzero_bytes(added + i);
        if (marked == 0) continue;
        memset(added + i, 0, BYTES_TESTED);
        fits &= apply_sums_of(t, spheres, i, marked);
    }
    for (; i < end; i++) {
        if (added[i] == 0) continue;
        added[i] = 0;
        fits &= apply_sum(t, spheres, i);
    }
    return fits;
}

INLINE bool apply_some_sums(sum_tables_t t, bool spheres, size_t first, size_t count) {
    const real_t *const moments = spheres ? t.moment + first * ROW4 : NULL;
    return are_sums_zero(t.push + first * ROW8, moments, count) ||
           apply_each_sum(t, spheres, first, count);
}

/* The sums of all particles, of which any may not be zero. */
INLINE bool apply_all_sums(sum_tables_t t, bool spheres, size_t first, size_t count) {
    const size_t end = first + count;
    bool fits = true;
    size_t i = first;
    for (; end - i >= SUMS_AT_ONCE; i += SUMS_AT_ONCE)
        fits &= apply_some_sums(t, spheres, i, SUMS_AT_ONCE);
    for (; i < end; i++)
        fits &= apply_some_sums(t, spheres, i, 1);
    return fits;
}

static bool apply_sums(const NAME(impinge_particle_rows) * rows,
                       const NAME(impinge_particle_sums) * sums, size_t first, size_t count) {
    const sum_tables_t t = {.motion = rows->motion,
                            .push = sums->push,
                            .spin = rows->spin,
                            .moment = rows->spin ? sums->moment : NULL};
    uint8_t *const added = sums->added;
    if (rows->spin)
        return added ? apply_marked_sums(t, true, added, first, count)
                     : apply_all_sums(t, true, first, count);
    return added ? apply_marked_sums(t, false, added, first, count)
                 : apply_all_sums(t, false, first, count);
}

/* ---- Colliding ---- */

/*
 * There is at least one particle. Adds to the sums, or, if `sums` is null, only counts impulses.
 * `starts` null: pairs. Otherwise lists, the contacts from particle `row` on; index_a is not read.
 * Returns whether everything that the contacts add was in range.
 */
static bool collide_rows(const NAME(impinge_particle_rows) * rows,
                         const NAME(impinge_particle_contacts) * in, selected_t selected,
                         const uint32_t *starts, size_t row, const impinge_options *options,
                         const NAME(impinge_particle_sums) * sums, uint32_t *counts,
                         impinge_report *report) {
    const NAME(impinge_particle_results) nothing = {.outcome = NULL};
    /* The calls for columns read only these members besides: the count and the periods. */
    const NAME(impinge_particles) particles = {.count = rows->count,
                                               .period_x = rows->period_x,
                                               .period_y = rows->period_y,
                                               .period_z = rows->period_z};
    collide_t c = {.call = call_of(&particles, in, selected, options, &nothing, report),
                   .count = rows->count,
                   .before8 = rows->motion,
                   .before4 = rows->spin,
                   .after8 = sums ? sums->push : NULL,
                   .added = sums ? sums->added : NULL,
                   .counts = counts,
                   .starts = starts,
                   .row = row,
                   .sharing = !sums || in->independent ? NULL : in->sharing,
                   .use = {.spheres = rows->spin, .rows = true}};
    c.use.layout = layout_of(&c.call);
    /*
     * Points have no moment, and it is not read: any array serves here, as an offset into null is
     * undefined.
     */
    if (sums) c.after4 = rows->spin ? sums->moment : sums->push;
    c.call.rows8 = rows->motion;
    c.call.rows4 = rows->spin;
    collide_blocks(&c, NULL);
    return c.fits;
}

#endif
