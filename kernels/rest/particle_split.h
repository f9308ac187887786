/*
 * Sweeps without an order: Jacobi's iteration with split masses. All contacts use the same
 * velocities, and each of the n contacts of a body uses 1/n of its mass; the changes are added up
 * body by body, in the order of the list. It is accelerated as Nesterov's gradient method is, and
 * restarted if it points uphill (O'Donoghue and Candes 2015). After 20 sweeps of a settled heap
 * that was disturbed, the residual is a third of that without acceleration.
 */
#ifndef IMPINGE_KERNELS_REST_PARTICLE_SPLIT_H
#define IMPINGE_KERNELS_REST_PARTICLE_SPLIT_H

#include "particle_sweep.h"

/* The number of contacts of a body, from w->best. */
INLINE lanes_t contacts_of(const NAME(impinge_particle_step_state) * w, const row_side_t *side) {
    uint32_t body[LANES];
    for (size_t k = 0; k < LANES; k++)
        body[k] = side->at[k] / ROW;
    return lane_gather(w->best, body);
}

/* `uphill`: the sum of a sweep's changes times the total changes. */
typedef struct sums {
    real_t squares[CHUNK_LANES], uphill[CHUNK_LANES];
} sums_t;

INLINE lanes_t split_lanes(const NAME(impinge_particle_step_state) * w, size_t j, size_t count,
                           sums_t *sums, size_t slot) {
    const row_side_t side_a = load_side(w->row_a + j, count, spare_row(w));
    const row_side_t side_b = load_side(w->row_b + j, count, spare_row(w));
    const moving_rows_t a = rows_of(w->rows, &side_a);
    const moving_rows_t b = rows_of(w->rows, &side_b);
    const lanes_t n_a = contacts_of(w, &side_a);
    const lanes_t n_b = contacts_of(w, &side_b);
    const vector_t n = column3(w->normal, j, count);
    const vector_t old = column3(w->impulse, j, count);
    const vector_t aim = w->aims ? column3(w->aim, j, count) : n;
    const lanes_t k_whole = lane_add(a.v[3], b.v[3]);
    const lanes_t k_n = lane_mul_add2(n_a, a.v[3], n_b, b.v[3]);
    const lanes_t k_t = lane_add(k_n, lane_mul_add2(n_a, a.s[3], n_b, b.s[3]));
    separation_t u = separation_rows(&a, &b, n, w->aims ? &aim : NULL);
    const lanes_t old_n = vector_dot(n, old);
    u.normal = lane_fnma(k_n, old_n, u.normal);
    u.slip = vector_minus_times(u.slip, k_t, vector_minus_times(old, old_n, n));
    const vector_t p = plastic_impulse(&u, n, k_n, k_t, column(w->friction, j, count));
    const mask_t here = lanes_of(count);
    const vector_t change = vector_where(here, vector_sub(p, old));
    const vector_t all = vector_sub(p, column3(w->tie + BEFORE, j, count));
    store_column3(w->tie + CHANGE, j, change, count);
    store_column3(w->impulse, j, p, count);
    const lanes_t residual =
        lane_where(here, lane_mul(k_whole, lane_sqrt(vector_dot(change, change))));
    const lanes_t along = lane_where(here, lane_mul(k_n, vector_dot(change, all)));
    real_t *const squares = sums->squares + slot;
    real_t *const uphill = sums->uphill + slot;
    lane_store(squares, lane_fma(residual, residual, lane_load(squares)));
    lane_store(uphill, lane_add(along, lane_load(uphill)));
    return residual;
}

/* Writes only the changes by these contacts. Returns the largest residual. */
static real_t split_sweep(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                          double *square, double *uphill) {
    sums_t sums = {{0}, {0}};
    lanes_t residual = lane_zero();
    for (size_t j = first; j < end; j += LANES) {
        const size_t count = end - j < LANES ? end - j : LANES;
        residual = lane_max(split_lanes(w, j, count, &sums, (j - first) % CHUNK_LANES), residual);
    }
    *square = sum_of_slots(sums.squares);
    *uphill = sum_of_slots(sums.uphill);
    return largest_lane(residual);
}

/* Extrapolates impulses by that share of their last change, and adds the effect. */
static void split_accelerate(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                             real_t by) {
    for (size_t k = 0; k < 3; k++) {
        for (size_t j = first; j < end; j++) {
            const real_t now = w->impulse[k][j];
            const real_t more = by * (now - w->tie[BEFORE + k][j]);
            w->tie[BEFORE + k][j] = now;
            w->tie[CHANGE + k][j] += more;
            w->impulse[k][j] = now + more;
        }
    }
}

/* The warm start's change is all of the impulses before. */
static void split_warm(const NAME(impinge_particle_step_state) * w, size_t first, size_t end) {
    for (size_t k = 0; k < 3; k++) {
        for (size_t j = first; j < end; j++) {
            w->tie[BEFORE + k][j] = w->impulse[k][j];
            w->tie[CHANGE + k][j] = w->impulse[k][j];
        }
    }
}

/*
 * Adds up the changes by the contacts of bodies: those of their velocities, or of their
 * displacements.
 */
static void split_add(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                      bool displaces) {
    real_t *const *const change = w->tie + CHANGE;
    for (size_t i = first; i < end && i < w->particles; i++) {
        real_t p[3] = {0, 0, 0};
        real_t moment[3] = {0, 0, 0};
        real_t *const row = w->rows + i * ROW;
        if (w->touch_start[i] == w->touch_start[i + 1]) continue;
        for (uint32_t t = w->touch_start[i]; t < w->touch_start[i + 1]; t++) {
            const uint32_t j = w->touching[t];
            const real_t sign = w->row_a[j] == i * ROW ? 1 : -1;
            for (size_t k = 0; k < 3; k++) {
                const size_t l = (k + 1) % 3;
                const size_t m = (k + 2) % 3;
                p[k] += sign * change[k][j];
                moment[k] += w->normal[l][j] * change[m][j] - w->normal[m][j] * change[l][j];
            }
        }
        for (size_t k = 0; k < 3 && displaces; k++)
            w->place[i * PLACE_ROW + k] += row[3] * p[k];
        for (size_t k = 0; k < 3 && !displaces; k++) {
            row[k] += row[3] * p[k];
            row[ROW_SURFACE + k] -= row[ROW_SURFACE + 3] * moment[k];
        }
    }
}

/* Positions: as project_lanes, with split masses. */
static void split_project(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                          project_sweep_t sweep) {
    for (size_t j = first; j < end; j += LANES) {
        const size_t count = end - j < LANES ? end - j : LANES;
        const row_side_t side_a = load_side(w->row_a + j, count, spare_row(w));
        const row_side_t side_b = load_side(w->row_b + j, count, spare_row(w));
        const moving_rows_t a = rows_of(w->rows, &side_a);
        const moving_rows_t b = rows_of(w->rows, &side_b);
        const lanes_t k_n =
            lane_mul_add2(contacts_of(w, &side_a), a.v[3], contacts_of(w, &side_b), b.v[3]);
        lanes_t d_a[4], d_b[4];
        gather_places(w, &side_a, &side_b, d_a, d_b);
        const vector_t n = column3(w->normal, j, count);
        const lanes_t missing = missing_gap(w, j, count, n, a.v, b.v, d_a, d_b);
        const lanes_t was = sweep.first ? lane_zero() : load_lanes(w->approach, j, count);
        const lanes_t now = lane_max(lane_add(lane_div(missing, k_n), was), lane_zero());
        const mask_t here = lanes_of(count);
        const vector_t change = vector_scale(lane_where(here, lane_sub(now, was)), n);
        store_column3(w->tie + CHANGE, j, change, count);
        store_column(w->approach, j, now, count);
    }
    if (sweep.last && w->rests) write_rest(w, first, end);
}

#endif
