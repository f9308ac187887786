/*
 * Sweeps over the contacts of one colour, which share no body that moves: the warm start,
 * accumulated impulses toward the aim velocity, and positions.
 */
#ifndef IMPINGE_KERNELS_REST_PARTICLE_SWEEP_H
#define IMPINGE_KERNELS_REST_PARTICLE_SWEEP_H

#include "particle_contacts.h"

/*
 * The rows of one side: where they are read, and where they are written (`to`), which is elsewhere
 * if they are fixed.
 */
typedef struct row_side {
    uint32_t at[LANES], to[LANES];
} row_side_t;

INLINE row_side_t load_side(const uint32_t *row, size_t count, uint32_t spare) {
    row_side_t s;
    lane_prefetch(row, AHEAD);
    for (size_t k = 0; k < LANES; k++) {
        const uint32_t is = k < count ? row[k] : spare;
        s.at[k] = is & ~ROW_FIXED;
        s.to[k] = is & ROW_FIXED ? spare : is;
    }
    return s;
}

/* Columns of rows: v and 1/m; R omega and R^2 / I. */
typedef struct moving_rows {
    lanes_t v[4], s[4];
} moving_rows_t;

INLINE moving_rows_t rows_of(const real_t *rows, const row_side_t *side) {
    lanes_t x[ROW];
    lane_gather_row8(rows, side->at, x);
    return (moving_rows_t){{x[0], x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7]}};
}

/* Adds p, or -p, over m; and takes away k n x p. */
INLINE void push_rows(real_t *rows, const row_side_t *side, const moving_rows_t *m, lanes_t share,
                      vector_t p, vector_t turn) {
    const lanes_t x[ROW] = {
        lane_fma(share, p.x, m->v[0]),       lane_fma(share, p.y, m->v[1]),
        lane_fma(share, p.z, m->v[2]),       m->v[3],
        lane_fnma(m->s[3], turn.x, m->s[0]), lane_fnma(m->s[3], turn.y, m->s[1]),
        lane_fnma(m->s[3], turn.z, m->s[2]), m->s[3]};
    lane_scatter_row8(rows, side->to, x);
}

/*
 * A column of places from j on. Lanes beyond the last contact of a colour are not touched: another
 * member of a team may be sweeping the places there, of another group. A sweep reads more columns
 * than a CPU's own prefetchers follow: without prefetches, a sweep of a million spheres takes twice
 * as long.
 */
INLINE lanes_t column(const real_t *column, size_t j, size_t count) {
    lane_prefetch(column + j, AHEAD);
    return count < LANES ? lane_load_first(column + j, count) : lane_load(column + j);
}

INLINE vector_t column3(real_t *const *of, size_t j, size_t count) {
    return (vector_t){column(of[0], j, count), column(of[1], j, count), column(of[2], j, count)};
}

INLINE void store_column(real_t *to, size_t j, lanes_t a, size_t count) {
    if (count < LANES)
        lane_store_first(to + j, a, count);
    else
        lane_store(to + j, a);
}

INLINE void store_column3(real_t *const *column, size_t j, vector_t a, size_t count) {
    store_column(column[0], j, a.x, count);
    store_column(column[1], j, a.y, count);
    store_column(column[2], j, a.z, count);
}

/* The last contacts of a colour: no impulse in the lanes beyond them. */
INLINE mask_t lanes_of(size_t count) { return count < LANES ? mask_first(count) : mask_all(); }

static inline uint32_t spare_row(const NAME(impinge_particle_step_state) * w) {
    return (uint32_t)(spare_body(w) * ROW);
}

/*
 * Prefetches the rows of a vector further on, if the caches do not hold all rows: a CPU's own
 * prefetchers cannot, since the rows' numbers follow no pattern. A row has `size` numbers.
 */
INLINE void prefetch_rows(const NAME(impinge_particle_step_state) * w, const real_t *rows,
                          uint32_t size, size_t j) {
    if (!w->far) return;
    for (size_t k = j + ROWS_AHEAD; k < j + ROWS_AHEAD + LANES; k++) {
        lane_prefetch(rows, (size_t)(w->row_a[k] / (ROW / size)) * sizeof *rows);
        lane_prefetch(rows, (size_t)(w->row_b[k] / (ROW / size)) * sizeof *rows);
    }
}

/* Adds impulses to the bodies of their contacts. */
INLINE void push_lanes(const NAME(impinge_particle_step_state) * w, size_t j, size_t count,
                       vector_t p) {
    prefetch_rows(w, w->rows, ROW, j);
    const row_side_t side_a = load_side(w->row_a + j, count, spare_row(w));
    const row_side_t side_b = load_side(w->row_b + j, count, spare_row(w));
    const moving_rows_t a = rows_of(w->rows, &side_a);
    const moving_rows_t b = rows_of(w->rows, &side_b);
    const vector_t turn = vector_cross_coarse(column3(w->normal, j, count), p);
    push_rows(w->rows, &side_a, &a, a.v[3], p, turn);
    push_rows(w->rows, &side_b, &b, lane_neg(b.v[3]), p, turn);
}

INLINE void warm_lanes(const NAME(impinge_particle_step_state) * w, size_t j, size_t count) {
    push_lanes(w, j, count, column3(w->impulse, j, count));
}

static void start_warm(const NAME(impinge_particle_step_state) * w, size_t first, size_t end) {
    size_t j = first;
    for (; end - j >= LANES; j += LANES)
        warm_lanes(w, j, LANES);
    if (j < end) warm_lanes(w, j, end - j);
}

/*
 * Extrapolates impulses along their last change, and adds the difference to the bodies. (If
 * velocities are extrapolated by themselves, they are rounded differently from the impulses: after
 * thousands of sweeps v = v0 + W p was off by 10^-10 in f64.)
 */
INLINE void ahead_lanes(const NAME(impinge_particle_step_state) * w, size_t j, size_t count,
                        lanes_t by) {
    const vector_t now = column3(w->impulse, j, count);
    const vector_t last = vector_sub(now, column3(w->tie, j, count));
    const vector_t to = vector_add(now, vector_scale(by, last));
    store_column3(w->impulse, j, to, count);
    push_lanes(w, j, count, vector_sub(to, now));
    store_column3(w->tie, j, now, count);
}

/* By 0, the impulses are only kept for the next extrapolation. */
static void go_ahead(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                     real_t by) {
    size_t j = first;
    for (size_t k = 0; k < 3 && !(by > 0); k++)
        memcpy(w->tie[k] + first, w->impulse[k] + first, (end - first) * sizeof(real_t));
    if (!(by > 0)) return;
    for (; end - j >= LANES; j += LANES)
        ahead_lanes(w, j, LANES, lane_set(by));
    if (j < end) ahead_lanes(w, j, end - j, lane_set(by));
}

/* ---- Accumulated impulses ---- */

/* u_A - u_B, less the aim velocity: along n, and the slip. */
typedef struct separation {
    lanes_t normal;
    vector_t slip;
} separation_t;

INLINE separation_t separation_rows(const moving_rows_t *a, const moving_rows_t *b, vector_t n,
                                    const vector_t *aim) {
    vector_t u = {lane_sub(a->v[0], b->v[0]), lane_sub(a->v[1], b->v[1]),
                  lane_sub(a->v[2], b->v[2])};
    if (aim) u = vector_sub(u, *aim);
    const vector_t turned = {lane_add(a->s[0], b->s[0]), lane_add(a->s[1], b->s[1]),
                             lane_add(a->s[2], b->s[2])};
    separation_t r;
    r.normal = vector_dot(n, u);
    r.slip = vector_add(vector_minus_times(u, r.normal, n), vector_cross_coarse(n, turned));
    return r;
}

/*
 * The plastic impulse of one contact of spheres from u^, the separation velocity without its own
 * impulse: p_n = -u^_n / K_n, and p_t = -f u^_t with f = 1 / K_t, or less where friction limits it.
 */
INLINE vector_t plastic_impulse(const separation_t *u, vector_t n, lanes_t k_n, lanes_t k_t,
                                lanes_t mu) {
    const lanes_t one = lane_set(1);
    const lanes_t stops = lane_max(lane_div(lane_neg(u->normal), k_n), lane_zero());
    /* Contacts that wait have no impulse. */
    const lanes_t p_n = lane_where(lane_le(lane_zero(), mu), stops);
    const lanes_t most = lane_mul(mu, p_n);
    const lanes_t slip = lane_sqrt(vector_dot(u->slip, u->slip));
    const mask_t slides = lane_lt(lane_mul(most, k_t), slip);
    const lanes_t f = lane_div(lane_select(slides, most, one), lane_select(slides, slip, k_t));
    return vector_minus_times(vector_scale(p_n, n), f, u->slip);
}

/* The sum of a chunk, whose terms are in slots by their places. */
INLINE double sum_of_slots(const real_t slot[CHUNK_LANES]) {
    double sum = 0;
    for (size_t k = 0; k < CHUNK_LANES; k++)
        sum += (double)slot[k];
    return sum;
}

/*
 * One vector of contacts. Residuals are added up by place in chunks, so that the sums do not depend
 * on the width; the largest does not depend on the order.
 */
INLINE lanes_t sweep_lanes(const NAME(impinge_particle_step_state) * w, size_t j, size_t count,
                           bool aims, real_t *squares) {
    prefetch_rows(w, w->rows, ROW, j);
    const row_side_t side_a = load_side(w->row_a + j, count, spare_row(w));
    const row_side_t side_b = load_side(w->row_b + j, count, spare_row(w));
    const moving_rows_t a = rows_of(w->rows, &side_a);
    const moving_rows_t b = rows_of(w->rows, &side_b);
    const vector_t n = column3(w->normal, j, count);
    const vector_t old = column3(w->impulse, j, count);
    const vector_t aim = aims ? column3(w->aim, j, count) : n;
    const lanes_t k_n = lane_add(a.v[3], b.v[3]);
    const lanes_t k_t = lane_add(k_n, lane_add(a.s[3], b.s[3]));
    separation_t u = separation_rows(&a, &b, n, aims ? &aim : NULL);
    const lanes_t old_n = vector_dot(n, old);
    u.normal = lane_fnma(k_n, old_n, u.normal);
    u.slip = vector_minus_times(u.slip, k_t, vector_minus_times(old, old_n, n));
    const vector_t p = plastic_impulse(&u, n, k_n, k_t, column(w->friction, j, count));
    const mask_t here = lanes_of(count);
    const vector_t change = vector_where(here, vector_sub(p, old));
    const vector_t turn = vector_cross_coarse(n, change);
    push_rows(w->rows, &side_a, &a, a.v[3], change, turn);
    push_rows(w->rows, &side_b, &b, lane_neg(b.v[3]), change, turn);
    store_column3(w->impulse, j, p, count);
    const lanes_t residual = lane_where(here, lane_mul(k_n, lane_sqrt(vector_dot(change, change))));
    lane_store(squares, lane_fma(residual, residual, lane_load(squares)));
    return residual;
}

INLINE real_t sweep_chunk(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                          bool aims, double *square) {
    real_t squares[CHUNK_LANES] = {0};
    lanes_t residual = lane_zero();
    size_t j = first;
    for (; end - j >= LANES; j += LANES)
        residual =
            lane_max(sweep_lanes(w, j, LANES, aims, squares + (j - first) % CHUNK_LANES), residual);
    if (j < end)
        residual = lane_max(sweep_lanes(w, j, end - j, aims, squares + (j - first) % CHUNK_LANES),
                            residual);
    *square = sum_of_slots(squares);
    return largest_lane(residual);
}

static real_t sweep(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                    double *square) {
    return w->aims ? sweep_chunk(w, first, end, true, square)
                   : sweep_chunk(w, first, end, false, square);
}

/* ---- Positions ---- */

/* The rows of displacements of a side. */
INLINE row_side_t place_of(const row_side_t *rows) {
    row_side_t s;
    for (size_t k = 0; k < LANES; k++) {
        s.at[k] = rows->at[k] / (ROW / PLACE_ROW);
        s.to[k] = rows->to[k] / (ROW / PLACE_ROW);
    }
    return s;
}

INLINE void gather_places(const NAME(impinge_particle_step_state) * w, const row_side_t *a,
                          const row_side_t *b, lanes_t d_a[4], lanes_t d_b[4]) {
    const row_side_t at_a = place_of(a);
    const row_side_t at_b = place_of(b);
    lane_gather4(w->place, 1, at_a.at, d_a);
    lane_gather4(w->place, 1, at_b.at, d_b);
}

/*
 * The distance by which contacts must still be pushed apart: the factor's share of the overlap
 * beyond the slop at the end of the step, less their displacement so far. With less overlap than
 * the slop, they may approach up to it. Contacts that separate faster than the rest speed, as after
 * an impact, need no push: it would lift the bodies, step by step, as high as the overlap was deep.
 */
INLINE lanes_t missing_gap(const NAME(impinge_particle_step_state) * w, size_t j, size_t count,
                           vector_t n, const lanes_t v_a[4], const lanes_t v_b[4],
                           const lanes_t d_a[4], const lanes_t d_b[4]) {
    const lanes_t zero = lane_zero();
    const lanes_t opens = lane_max(vector_dot(n, rows_apart(v_a, v_b)), zero);
    const lanes_t half_step = lane_set((real_t)(w->options.time_step / 2));
    const lanes_t gap = lane_fma(half_step, opens, column(w->gap, j, count));
    const lanes_t beyond = lane_add(gap, lane_set((real_t)w->options.positions.slop));
    const lanes_t share = lane_select(lane_lt(beyond, zero),
                                      lane_set((real_t)w->options.positions.factor), lane_set(1));
    const lanes_t together = approach_of_rows(n, d_a, d_b);
    const lanes_t missing = lane_fnma(share, beyond, together);
    const mask_t parts = mask_or(lane_lt(lane_set((real_t)w->options.impacts.rest_speed), opens),
                                 lane_lt(column(w->friction, j, count), zero));
    return lane_select(parts, lane_set(-LENGTH_MAX), missing);
}

INLINE void project_lanes(const NAME(impinge_particle_step_state) * w, size_t j, size_t count,
                          const project_sweep_t *sweep) {
    prefetch_rows(w, w->rows, ROW, j);
    prefetch_rows(w, w->place, PLACE_ROW, j);
    const row_side_t side_a = load_side(w->row_a + j, count, spare_row(w));
    const row_side_t side_b = load_side(w->row_b + j, count, spare_row(w));
    const row_side_t moved_a = place_of(&side_a);
    const row_side_t moved_b = place_of(&side_b);
    lanes_t v_a[4], v_b[4], a[4], b[4];
    lane_gather4(w->rows, 1, side_a.at, v_a);
    lane_gather4(w->rows, 1, side_b.at, v_b);
    gather_places(w, &side_a, &side_b, a, b);
    const vector_t n = column3(w->normal, j, count);
    const lanes_t missing = missing_gap(w, j, count, n, v_a, v_b, a, b);
    const lanes_t was = sweep->first ? lane_zero() : load_lanes(w->approach, j, count);
    const lanes_t k_n = lane_add(a[3], b[3]);
    const lanes_t now = lane_max(lane_add(lane_div(missing, k_n), was), lane_zero());
    const lanes_t by = lane_where(lanes_of(count), lane_sub(now, was));
    const lanes_t by_a = lane_mul(a[3], by);
    const lanes_t by_b = lane_mul(b[3], by);
    const lanes_t to_a[4] = {lane_fma(by_a, n.x, a[0]), lane_fma(by_a, n.y, a[1]),
                             lane_fma(by_a, n.z, a[2]), a[3]};
    const lanes_t to_b[4] = {lane_fnma(by_b, n.x, b[0]), lane_fnma(by_b, n.y, b[1]),
                             lane_fnma(by_b, n.z, b[2]), b[3]};
    lane_scatter4(w->place, moved_a.to, to_a);
    lane_scatter4(w->place, moved_b.to, to_b);
    if (!sweep->last) store_column(w->approach, j, now, count);
}

static void project(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                    project_sweep_t sweep) {
    size_t j = first;
    for (; end - j >= LANES; j += LANES)
        project_lanes(w, j, LANES, &sweep);
    if (j < end) project_lanes(w, j, end - j, &sweep);
    if (sweep.last && w->rests) write_rest(w, first, end);
}

#endif
