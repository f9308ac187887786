/*
 * Resistance to rolling and spinning. A resting contact of spheres has a couple M on A and -M on B
 * besides its impulse. With R = R_A R_B / (R_A + R_B), or R_A on a plane, M = R c, where c is an
 * impulse, and with alpha = R / R_A and beta = R / R_B the rolling velocity is
 *
 *     r = R (omega_A - omega_B) = alpha s_A - beta s_B = r^ + K_c c,
 *     K_c = alpha^2 k_A + beta^2 k_B,
 *
 * where s = R omega and k = R^2 / I are those of the rows. So no quantity depends on the size of
 * the spheres. |c_t| <= rolling p_n is model A of Ai, Chen, Rotter and Ooi 2011, with their R, but
 * as friction is in contact dynamics: an inequality, and a couple of its own that stops r where it
 * can. The torsional bound is the same about the normal. The solution is that of the friction of
 * spheres.
 */
#ifndef IMPINGE_KERNELS_REST_PARTICLE_ROLLING_H
#define IMPINGE_KERNELS_REST_PARTICLE_ROLLING_H

#include "particle_split.h"

/*
 * The least K_c of a contact that has a couple, so that the couple is finite. K_c is smaller only
 * if almost nothing can turn: if the particle is many times larger than an immovable one, or its
 * moment of inertia many times m R^2.
 */
#define COMPLIANCE_MIN (1 / (MASS_MAX * ARM_MAX))

/* R takes the place of the impacts' -u_n; later the pushes of positions take it. */
INLINE real_t *radii_of(const NAME(impinge_particle_step_state) * w) { return w->approach; }

/* The part of the bodies' state that their couples use. */
typedef struct rolling {
    row_side_t side_a, side_b;
    lanes_t a[4], b[4]; /* s and k */
    lanes_t alpha, beta;
    vector_t r;
} rolling_t;

INLINE rolling_t load_rolling(const NAME(impinge_particle_step_state) * w, size_t j, size_t count) {
    rolling_t c;
    c.side_a = load_side(w->row_a + j, count, spare_row(w));
    c.side_b = load_side(w->row_b + j, count, spare_row(w));
    lane_gather4(w->rows + ROW_SURFACE, 1, c.side_a.at, c.a);
    lane_gather4(w->rows + ROW_SURFACE, 1, c.side_b.at, c.b);
    c.alpha = column(w->tie[ROLL_SHARE_A], j, count);
    c.beta = column(w->tie[ROLL_SHARE_B], j, count);
    c.r = (vector_t){lane_fnma(c.beta, c.b[0], lane_mul(c.alpha, c.a[0])),
                     lane_fnma(c.beta, c.b[1], lane_mul(c.alpha, c.a[1])),
                     lane_fnma(c.beta, c.b[2], lane_mul(c.alpha, c.a[2]))};
    return c;
}

INLINE lanes_t rolling_compliance(const rolling_t *c, lanes_t k_a, lanes_t k_b) {
    return lane_mul_add2(lane_mul(c->alpha, c->alpha), k_a, lane_mul(c->beta, c->beta), k_b);
}

/* Which contacts can turn so far that they have a couple. */
INLINE mask_t yields(lanes_t k_c) { return lane_le(lane_set(COMPLIANCE_MIN), k_c); }

/* c of places from r^, the rolling velocity without it. Where nothing can turn it is 0. */
INLINE vector_t rolling_couple(const NAME(impinge_particle_step_state) * w, size_t j, size_t count,
                               vector_t r, lanes_t k_c) {
    const lanes_t zero = lane_zero();
    const vector_t n = column3(w->normal, j, count);
    const lanes_t p_n = lane_max(vector_dot(n, column3(w->impulse, j, count)), zero);
    const lanes_t twists = lane_mul(column(w->tie[TWIST_MOST], j, count), p_n);
    const lanes_t most = lane_mul(column(w->tie[ROLL_MOST], j, count), p_n);
    const lanes_t r_n = vector_dot(n, r);
    const vector_t r_t = vector_minus_times(r, r_n, n);
    const lanes_t c_n = lane_max(lane_min(lane_div(lane_neg(r_n), k_c), twists), lane_neg(twists));
    const lanes_t speed = lane_sqrt(vector_dot(r_t, r_t));
    const mask_t rolls = lane_lt(lane_mul(most, k_c), speed);
    const lanes_t f =
        lane_div(lane_select(rolls, most, lane_set(1)), lane_select(rolls, speed, k_c));
    return vector_where(yields(k_c), vector_minus_times(vector_scale(c_n, n), f, r_t));
}

/* ---- Columns ---- */

/* Radii of the bodies: alpha, beta and R. A plane has beta = 0; points have R = 0. */
INLINE lanes_t store_shares(const NAME(impinge_particle_step_state) * w, size_t j, size_t count) {
    const row_side_t side_a = load_side(w->row_a + j, count, spare_row(w));
    const row_side_t side_b = load_side(w->row_b + j, count, spare_row(w));
    const lanes_t zero = lane_zero();
    uint32_t plane[LANES];
    lanes_t a[4], b[4];
    gather_places(w, &side_a, &side_b, a, b);
    for (size_t k = 0; k < LANES; k++)
        plane[k] = side_b.at[k] / ROW >= w->particles;
    const mask_t is_plane = word_has(word_load(plane), 1);
    const lanes_t both = lane_add(a[3], b[3]);
    const mask_t turns = mask_and(lane_lt(zero, a[3]), mask_or(is_plane, lane_lt(zero, b[3])));
    const lanes_t sum = lane_select(lane_lt(zero, both), both, lane_set(1));
    const lanes_t alpha = lane_select(is_plane, lane_set(1), lane_div(b[3], sum));
    const lanes_t beta = lane_select(is_plane, zero, lane_div(a[3], sum));
    const lanes_t radius = lane_where(turns, lane_mul(alpha, a[3]));
    store_lanes(w->tie[ROLL_SHARE_A], j, lane_where(turns, alpha), count);
    store_lanes(w->tie[ROLL_SHARE_B], j, lane_where(turns, beta), count);
    store_lanes(radii_of(w), j, radius, count);
    return radius;
}

/* The couples of the step before, as c. */
INLINE vector_t couple_before(const NAME(impinge_particle_step_state) * w, size_t j, size_t count,
                              const uint32_t *number, lanes_t radius) {
    const NAME(impinge_rolling_resistance) *const in = w->step->rolling_resistance;
    const lanes_t zero = lane_zero();
    if (!in->couple_x) return (vector_t){zero, zero, zero};
    const rolling_t c = load_rolling(w, j, count);
    const lanes_t k_c = rolling_compliance(&c, c.a[3], c.b[3]);
    const mask_t turns = mask_and(lane_lt(zero, radius), yields(k_c));
    const vector_t m = gather_vector_by(VECTOR_OF(AS_GIVEN, in, couple), number);
    const lanes_t by = lane_select(turns, radius, lane_set(1));
    const vector_t before = {lane_div(m.x, by), lane_div(m.y, by), lane_div(m.z, by)};
    const vector_t couple =
        fitting_impulse(vector_where(mask_and(turns, vector_finite(before)), before), k_c);
    note_unsupported(w, couple, k_c, c.a, c.b);
    return couple;
}

static void begin_rolling(const NAME(impinge_particle_step_state) * w, size_t first, size_t end) {
    const NAME(impinge_rolling_resistance) *const in = w->step->rolling_resistance;
    const lanes_t most = lane_set(FRICTION_MAX);
    for (size_t j = first; j < end; j += LANES) {
        const size_t count = end - j < LANES ? end - j : LANES;
        uint32_t number[LANES];
        for (size_t k = 0; k < LANES; k++)
            number[k] = w->number[j + (k < count ? k : count - 1)];
        const lanes_t radius = store_shares(w, j, count);
        const lanes_t rolling = coefficient_gathered(&in->rolling, number);
        const lanes_t torsional = coefficient_gathered(&in->torsional, number);
        const vector_t c = couple_before(w, j, count, number, radius);
        store_lanes(w->tie[ROLL_MOST], j, lane_min(rolling, most), count);
        store_lanes(w->tie[TWIST_MOST], j, lane_min(torsional, most), count);
        store_column3(w->tie + ROLL_COUPLE, j, c, count);
        store_column3(w->tie + ROLL_CHANGE, j, c, count);
    }
}

static void write_rolling(const NAME(impinge_particle_step_state) * w, size_t first, size_t end) {
    const NAME(impinge_rolling_resistance) *const out = w->step->rolling_resistance;
    for (size_t j = first; j < end && out->couple_x; j++) {
        const real_t radius = radii_of(w)[j];
        const real_t m[3] = {radius * w->tie[ROLL_COUPLE][j], radius * w->tie[ROLL_COUPLE + 1][j],
                             radius * w->tie[ROLL_COUPLE + 2][j]};
        write_numbers(VECTOR_OF(AS_GIVEN, out, couple), w->number[j], m);
    }
}

/* ---- Sweeps over a colour ---- */

/* Turns both bodies. */
INLINE void turn_rows(const NAME(impinge_particle_step_state) * w, const rolling_t *c,
                      vector_t by) {
    const lanes_t a = lane_mul(c->alpha, c->a[3]);
    const lanes_t b = lane_mul(c->beta, c->b[3]);
    const lanes_t to_a[4] = {lane_fma(a, by.x, c->a[0]), lane_fma(a, by.y, c->a[1]),
                             lane_fma(a, by.z, c->a[2]), c->a[3]};
    const lanes_t to_b[4] = {lane_fnma(b, by.x, c->b[0]), lane_fnma(b, by.y, c->b[1]),
                             lane_fnma(b, by.z, c->b[2]), c->b[3]};
    lane_scatter4(w->rows + ROW_SURFACE, c->side_a.to, to_a);
    lane_scatter4(w->rows + ROW_SURFACE, c->side_b.to, to_b);
}

static void start_rolling(const NAME(impinge_particle_step_state) * w, size_t first, size_t end) {
    for (size_t j = first; j < end; j += LANES) {
        const size_t count = end - j < LANES ? end - j : LANES;
        const rolling_t c = load_rolling(w, j, count);
        turn_rows(w, &c, column3(w->tie + ROLL_COUPLE, j, count));
    }
}

/*
 * Without an order a contact uses its share of the bodies, 1/n of each. Its couple is computed
 * after its impulse, whose change by split_sweep is added to that share: -n_A k_A n x p to s_A and
 * -n_B k_B n x p to s_B. The change of the couple is written instead of added. Returns the
 * residual.
 */
INLINE lanes_t sweep_couples(const NAME(impinge_particle_step_state) * w, size_t j, size_t count,
                             bool splits, real_t *squares) {
    const rolling_t c = load_rolling(w, j, count);
    const vector_t old = column3(w->tie + ROLL_COUPLE, j, count);
    const lanes_t k_a = splits ? lane_mul(contacts_of(w, &c.side_a), c.a[3]) : c.a[3];
    const lanes_t k_b = splits ? lane_mul(contacts_of(w, &c.side_b), c.b[3]) : c.b[3];
    const lanes_t k_c = rolling_compliance(&c, k_a, k_b);
    vector_t r = c.r;
    if (splits) {
        const vector_t turn =
            vector_cross_coarse(column3(w->normal, j, count), column3(w->tie + CHANGE, j, count));
        r = vector_minus_times(r, lane_fnma(c.beta, k_b, lane_mul(c.alpha, k_a)), turn);
    }
    const vector_t now = rolling_couple(w, j, count, vector_minus_times(r, k_c, old), k_c);
    const vector_t change = vector_sub(now, old);
    if (splits)
        store_column3(w->tie + ROLL_CHANGE, j, change, count);
    else
        turn_rows(w, &c, change);
    store_column3(w->tie + ROLL_COUPLE, j, now, count);
    const lanes_t residual =
        lane_mul(rolling_compliance(&c, c.a[3], c.b[3]), lane_sqrt(vector_dot(change, change)));
    lane_store(squares, lane_fma(residual, residual, lane_load(squares)));
    return residual;
}

/* A chunk of places: the squares are added to those of its impulses. */
INLINE real_t sweep_chunk_of_couples(const NAME(impinge_particle_step_state) * w, size_t first,
                                     size_t end, bool splits, double *square) {
    real_t squares[CHUNK_LANES] = {0};
    lanes_t residual = lane_zero();
    for (size_t j = first; j < end; j += LANES) {
        const size_t count = end - j < LANES ? end - j : LANES;
        real_t *const slots = squares + (j - first) % CHUNK_LANES;
        residual = lane_max(sweep_couples(w, j, count, splits, slots), residual);
    }
    *square += sum_of_slots(squares);
    return largest_lane(residual);
}

static real_t sweep_rolling(const NAME(impinge_particle_step_state) * w, size_t first, size_t end,
                            double *square) {
    return sweep_chunk_of_couples(w, first, end, false, square);
}

static real_t split_sweep_rolling(const NAME(impinge_particle_step_state) * w, size_t first,
                                  size_t end, double *square) {
    return sweep_chunk_of_couples(w, first, end, true, square);
}

/* Adds up the changes of couples by the contacts of bodies. */
static void split_add_rolling(const NAME(impinge_particle_step_state) * w, size_t first,
                              size_t end) {
    for (size_t i = first; i < end && i < w->particles; i++) {
        real_t *const s = w->rows + i * ROW + ROW_SURFACE;
        real_t sum[3] = {0, 0, 0};
        for (uint32_t t = w->touch_start[i]; t < w->touch_start[i + 1]; t++) {
            const uint32_t j = w->touching[t];
            const bool is_a = w->row_a[j] == i * ROW;
            const real_t share = is_a ? w->tie[ROLL_SHARE_A][j] : -w->tie[ROLL_SHARE_B][j];
            for (size_t k = 0; k < 3; k++)
                sum[k] += share * w->tie[ROLL_CHANGE + k][j];
        }
        for (size_t k = 0; k < 3; k++)
            s[k] += s[3] * sum[k];
    }
}

#endif
