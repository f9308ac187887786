/* Sweeps over resting contacts, and their results. */
#ifndef IMPINGE_KERNELS_REST_SWEEP_H
#define IMPINGE_KERNELS_REST_SWEEP_H

#include "groups.h"
#include "plastic.h"

/*
 * With S's principal axes and q = p_n + kappa . p_t, W^ p = (sigma p_t + kappa W^_nn q, W^_nn q).
 * So the velocity u^ = u - W^ p without the contact's own impulse gives plastic() its p_I = q - u_n
 * / W^_nn and w = u_t - kappa u_n - sigma p_t, where u is the velocity above the aim.
 */
static inline impulse_t solve_slot(const real_t *slot, vector_t u, vector_t p) {
    const lanes_t u_n =
        lane_sub(vector_dot(vector_in(slot, NORMAL), u), load_column(slot, AIM + 2));
    const tangent_t u_t = {
        lane_sub(vector_dot(vector_in(slot, TANGENT_1), u), load_column(slot, AIM)),
        lane_sub(vector_dot(vector_in(slot, TANGENT_2), u), load_column(slot, AIM + 1))};
    const tangent_t kappa = tangent_in(slot, KAPPA);
    const tangent_t sigma = tangent_in(slot, SIGMA);
    const tangent_t p_t = {p.x, p.y};
    const lanes_t q = lane_add(p.z, tangent_dot(kappa, p_t));
    const pressed_t f = {.sigma = sigma,
                         .compliance = tangent_in(slot, COMPLIANCE),
                         .rho = load_column(slot, RHO),
                         .kappa = kappa,
                         .w = {lane_fnma(sigma.x, p_t.x, lane_fnma(kappa.x, u_n, u_t.x)),
                               lane_fnma(sigma.y, p_t.y, lane_fnma(kappa.y, u_n, u_t.y))},
                         .p_i = lane_fnma(u_n, load_column(slot, MASS), q),
                         .alpha = load_column(slot, ALPHA),
                         .beta = load_column(slot, BETA),
                         .nu = load_column(slot, SLIDE_NU)};
    return plastic(&f);
}

/* The results of a sweep, contact by contact. */
typedef struct sweep_result {
    lanes_t residual; /* the square of the largest W_nn |change of p| */
    /*
     * The change by the sweep times the extrapolation before it, in the metric of the contacts.
     * Below 0, the extrapolation went too far.
     */
    lanes_t uphill;
} sweep_result_t;

/*
 * Solves a contact from its impulse extrapolated by `by` times its last change, which is that of
 * the sweep and of the extrapolation before it. Returns the change by the sweep.
 */
static inline vector_t sweep_slot(real_t *slot, vector_t u, lanes_t by, sweep_result_t *result) {
    const vector_t ahead = vector_scale(by, vector_in(slot, LAST));
    const vector_t from = vector_add(vector_in(slot, IMPULSE), ahead);
    const impulse_t p = solve_slot(slot, u, from);
    const vector_t to = {p.p_t.x, p.p_t.y, p.p_n};
    const vector_t change = vector_sub(to, from);
    /* A velocity, so that squares are in range whatever the masses are. */
    const vector_t gained = vector_scale(load_column(slot, UNSPLIT), change);
    const lanes_t residual = vector_dot(gained, gained);
    store_vector(slot, IMPULSE, to);
    store_vector(slot, LAST, vector_add(change, ahead));
    store_column(slot, SLIDE_NU, p.nu);
    store_column(slot, RESIDUAL, residual);
    store_column(slot, PEAK, lane_max(residual, load_column(slot, PEAK)));
    result->residual = lane_max(residual, result->residual);
    result->uphill = lane_add(result->uphill, vector_dot(gained, ahead));
    return change;
}

/* All contacts of the pairs at once, from the same velocities. */
static inline pair_push_t sweep_slots(const rest_t *r, const rest_group *group,
                                      const two_bodies_t *c, lanes_t by, sweep_result_t *result) {
    const vector_t apart = two_bodies_apart(c);
    pair_push_t push = push_none();
    for (uint32_t s = 0; s < group->depth; s++) {
        real_t *const slot = slot_at(r, group, s);
        const vector_t arm_a = vector_in(slot, ARM_A);
        const vector_t arm_b = vector_in(slot, ARM_B);
        const vector_t change = sweep_slot(slot, slot_velocity(c, apart, arm_a, arm_b), by, result);
        const tangent_t tangential = {change.x, change.y};
        push_add(&push, arm_a, arm_b, slot_world(slot, tangential, change.z));
    }
    return push;
}

/* Extrapolates the velocities of bodies like the impulses that changed them. */
static void bodies_ahead(const rest_t *r, size_t first, size_t count) {
    const lanes_t by = lane_set(r->ahead);
    real_t *restrict const rows = r->rows;
    real_t *restrict const swept = r->swept;
    real_t *restrict const ahead_rows = r->ahead_rows;
    /* The last vector may have the world's row, too, which is 0. */
    for (size_t j = first * BODY_ROW; j < (first + count) * BODY_ROW; j += LANES) {
        const lanes_t row = lane_load(rows + j);
        const lanes_t change = lane_sub(row, lane_load(swept + j));
        const lanes_t ahead = lane_mul(by, lane_add(change, lane_load(ahead_rows + j)));
        const lanes_t now = lane_add(row, ahead);
        lane_store(ahead_rows + j, ahead);
        lane_store(swept + j, now);
        lane_store(rows + j, now);
    }
}

/* Groups of one colour: the changes by a pair's contacts are applied before the next colour. */
static real_t sweep_groups(const rest_t *r, size_t first, size_t count) {
    const lanes_t by = lane_set(r->ahead);
    lanes_t largest = lane_zero();
    for (size_t g = first; g < first + count; g++) {
        const rest_group *const group = &r->group[g];
        two_bodies_t c;
        load_two_bodies(r, r->rows, group, &c);
        sweep_result_t result = {lane_zero(), lane_zero()};
        const pair_push_t push = sweep_slots(r, group, &c, by, &result);
        push_two_bodies(&c, pair_at(r, group), &push);
        store_two_bodies(r, r->rows, group, &c);
        lane_store(r->uphill + group->lane, result.uphill);
        lane_store(r->changed + group->lane, result.residual);
        largest = lane_max(result.residual, largest);
    }
    return largest_lane(lane_sqrt(largest));
}

/* Any groups: changes have no effect on other contacts before apply_changes. */
static real_t solve_groups(const rest_t *r, size_t first, size_t count) {
    sweep_result_t result = {lane_zero(), lane_zero()};
    for (size_t g = first; g < first + count; g++) {
        const rest_group *const group = &r->group[g];
        two_bodies_t c;
        load_two_bodies(r, r->rows, group, &c);
        (void)sweep_slots(r, group, &c, lane_zero(), &result);
    }
    return largest_lane(lane_sqrt(result.residual));
}

/* The square of the faster body's velocity. */
static inline lanes_t speed_square(const two_bodies_t *c) {
    return lane_max(vector_dot(c->v_a, c->v_a), vector_dot(c->v_b, c->v_b));
}

/* Notes contacts of which a sweep rounded velocities far above those at the start. */
static inline void note_unrest(const rest_t *r, mask_t alive, lanes_t peak, lanes_t square,
                               const uint32_t *number) {
    const lanes_t most = lane_mul(lane_set(SWAMPING * SWAMPING), square);
    const mask_t swamps = mask_and(alive, lane_lt(most, peak));
    if (!mask_any(swamps)) return;
    const uint32_t bits = mask_bits(swamps);
    for (size_t j = 0; j < LANES; j++)
        if ((bits >> j & 1) && number[j] != NO_CONTACT && r->swamps[number[j]] == 0)
            r->swamps[number[j]] = SWAMPS_SWEPT;
}

/*
 * The guard's inputs: p . u0 and the change of the kinetic energy, p . (u0 + u1) / 2, both without
 * the work for the aims; and the residual.
 */
static void account_groups(const rest_t *r, size_t first, size_t count) {
    const lanes_t half = lane_set(REAL(0.5));
    for (size_t g = first; g < first + count; g++) {
        const rest_group *const group = &r->group[g];
        two_bodies_t before, after;
        load_two_bodies(r, r->start, group, &before);
        load_two_bodies(r, r->rows, group, &after);
        two_bodies_t given = before;
        if (r->begun != r->start) load_two_bodies(r, r->begun, group, &given);
        const lanes_t square = speed_square(&given);
        const vector_t apart_0 = two_bodies_apart(&before);
        const vector_t apart = two_bodies_apart(&after);
        for (uint32_t s = 0; s < group->depth; s++) {
            const real_t *const slot = slot_at(r, group, s);
            const uint32_t *const number = numbers_at(r, group, s);
            const vector_t arm_a = vector_in(slot, ARM_A);
            const vector_t arm_b = vector_in(slot, ARM_B);
            const lanes_t p_n = load_column(slot, IMPULSE + 2);
            const tangent_t p_t = tangent_in(slot, IMPULSE);
            const vector_t p = slot_world(slot, p_t, p_n);
            const lanes_t for_aim = lane_fma(p_n, lane_max(load_column(slot, AIM + 2), lane_zero()),
                                             tangent_dot(p_t, tangent_in(slot, AIM)));
            const vector_t u_0 = slot_velocity(&before, apart_0, arm_a, arm_b);
            const vector_t u = slot_velocity(&after, apart, arm_a, arm_b);
            /* An empty or invalid slot changes nothing, for any bodies. */
            const mask_t alive = lane_lt(lane_zero(), load_column(slot, MASS));
            real_t work_0[LANES], work[LANES], change[LANES];
            const lanes_t begun = lane_sub(vector_dot(p, u_0), for_aim);
            const lanes_t done =
                lane_sub(lane_mul(half, vector_dot(p, vector_add(u_0, u))), for_aim);
            lane_store(work_0, lane_select(alive, begun, lane_zero()));
            lane_store(work, lane_select(alive, done, lane_zero()));
            const lanes_t residual = load_column(slot, RESIDUAL);
            note_unrest(r, alive, load_column(slot, PEAK), square, number);
            lane_store(change, lane_sqrt(residual));
            for (size_t j = 0; j < LANES; j++) {
                if (number[j] == NO_CONTACT) continue;
                r->work_0[number[j]] = work_0[j];
                r->work[number[j]] = work[j];
                r->change[number[j]] = change[j];
            }
        }
    }
}

/*
 * The outcome of a resting contact: that it rests, and sticks or slides; or the reason why it does
 * not.
 */
static inline uint32_t rest_outcome(uint32_t word, bool presses, bool slides) {
    if (word & (IMPINGE_OUTCOME_IMMOVABLE | (uint32_t)IMPINGE_OUTCOME_OUT_OF_RANGE)) return word;
    if (word != 0) return word | IMPINGE_OUTCOME_INVALID;
    if (!presses) return IMPINGE_OUTCOME_SEPARATING;
    return IMPINGE_OUTCOME_RESTING |
           (slides ? (uint32_t)IMPINGE_OUTCOME_SLID : (uint32_t)IMPINGE_OUTCOME_STUCK);
}

/* An impulse is on the cone if it is as near as this, relative to beta p_n. */
#define CONE_UNITS (16 * REAL_UNIT)

/* An impulse that the guard takes back may not be finite. */
static inline real_t scaled(real_t scale, real_t a) {
    if (scale == 1) return a;
    return scale > 0 ? scale * a : 0;
}

/* Writes the results of a lane. */
static inline void tell_contact(const rest_t *r, uint32_t i, real_t scale, real_t world[3][LANES],
                                size_t lane) {
    const NAME(impinge_step_results) *const to = r->results;
    real_t *const impulse[3] = {to->impulse_x, to->impulse_y, to->impulse_z};
    const size_t at = element(i, to->impulse_stride);
    for (int k = 0; k < 3; k++)
        if (impulse[k]) impulse[k][at] = scaled(scale, world[k][lane]);
}

/* Impulses and outcomes to the numbers of the contacts. */
static void write_rest_groups(const rest_t *r, size_t first, size_t count) {
    for (size_t g = first; g < first + count; g++) {
        const rest_group *const group = &r->group[g];
        for (uint32_t s = 0; s < group->depth; s++) {
            const real_t *const slot = slot_at(r, group, s);
            const uint32_t *const number = numbers_at(r, group, s);
            const tangent_t p_t = tangent_in(slot, IMPULSE);
            const lanes_t p_n = load_column(slot, IMPULSE + 2);
            const vector_t p = slot_world(slot, p_t, p_n);
            const lanes_t cone =
                lane_mul(lane_set(1 - CONE_UNITS), lane_mul(load_column(slot, BETA), p_n));
            const lanes_t size = lane_mul(load_column(slot, ALPHA), tangent_length(p_t));
            const uint32_t slides = mask_bits(lane_le(cone, size));
            real_t world[3][LANES], normal[LANES];
            lane_store(normal, p_n);
            lane_store(world[0], p.x);
            lane_store(world[1], p.y);
            lane_store(world[2], p.z);
            for (size_t j = 0; j < LANES; j++) {
                const uint32_t i = number[j];
                if (i == NO_CONTACT) continue;
                const real_t scale = r->guarded ? r->scale[i] : 1;
                const bool presses = scaled(scale, normal[j]) > 0;
                r->word[i] = rest_outcome(r->word[i], presses, slides >> j & 1);
                tell_contact(r, i, scale, world, j);
            }
        }
    }
}

#endif
