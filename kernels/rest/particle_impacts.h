/* Impacts of a step: how fast contacts approach, and those of a round by the particle laws. */
#ifndef IMPINGE_KERNELS_REST_PARTICLE_IMPACTS_H
#define IMPINGE_KERNELS_REST_PARTICLE_IMPACTS_H

#include "particle_sweep.h"

/* -u_n of contacts between bodies, given where their rows begin. */
INLINE lanes_t approach_rows(const NAME(impinge_particle_step_state) * w, const row_side_t *side_a,
                             const row_side_t *side_b, vector_t n) {
    lanes_t a[4], b[4];
    lane_gather4(w->rows, 1, side_a->at, a);
    lane_gather4(w->rows, 1, side_b->at, b);
    return approach_of_rows(n, a, b);
}

/* The places of a list, from i on; the lanes beyond it have the last of them. */
typedef struct listed_places {
    uint32_t place[LANES], number[LANES];
    row_side_t a, b;
    size_t count;
    vector_t normal;
} listed_places_t;

INLINE listed_places_t listed_at(const NAME(impinge_particle_step_state) * w,
                                 const uint32_t *places, size_t i, size_t end) {
    listed_places_t l = {.count = end - i < LANES ? end - i : LANES};
    uint32_t row_a[LANES], row_b[LANES];
    for (size_t k = 0; k < LANES; k++) {
        l.place[k] = places[i + (k < l.count ? k : l.count - 1)];
        l.number[k] = w->number[l.place[k]];
        row_a[k] = w->row_a[l.place[k]];
        row_b[k] = w->row_b[l.place[k]];
    }
    l.a = load_side(row_a, l.count, spare_row(w));
    l.b = load_side(row_b, l.count, spare_row(w));
    l.normal = (vector_t){lane_gather(w->normal[0], l.place), lane_gather(w->normal[1], l.place),
                          lane_gather(w->normal[2], l.place)};
    return l;
}

static void approach_of(const NAME(impinge_particle_step_state) * w, const uint32_t *places,
                        size_t count) {
    for (size_t i = 0; i < count; i += LANES) {
        const listed_places_t l = listed_at(w, places, i, count);
        real_t speed[LANES];
        lane_store(speed, approach_rows(w, &l.a, &l.b, l.normal));
        for (size_t k = 0; k < l.count; k++)
            w->approach[l.place[k]] = speed[k];
    }
}

/* Radii, u_0, K and the coefficients. */
static touch_t contact_listed(const NAME(impinge_particle_step_state) * w,
                              const particle_call_t *call, const listed_places_t *l,
                              const moving_rows_t *a, const moving_rows_t *b) {
    const NAME(impinge_coefficients) *const in = &w->step->contacts->coefficients;
    touch_t c = {.normal = l->normal};
    uint32_t radius_a[LANES], radius_b[LANES];
    for (size_t k = 0; k < LANES; k++) {
        radius_a[k] = l->a.at[k] / (ROW / PLACE_ROW) + 3;
        radius_b[k] = l->b.at[k] / (ROW / PLACE_ROW) + 3;
    }
    c.radius_a = lane_gather(w->place, radius_a);
    c.radius_b = lane_gather(w->place, radius_b);
    const separation_t u = separation_rows(a, b, l->normal, NULL);
    c.u_n = u.normal;
    c.slip = u.slip;
    c.k33 = lane_add(a->v[3], b->v[3]);
    c.t = lane_add(c.k33, lane_add(a->s[3], b->s[3]));
    /* A gathered copy of the coefficients, for computing restitution. */
    real_t values[3][LANES];
    NAME(impinge_coefficients) of = *in;
    NAME(impinge_coefficient) *const each[3] = {&of.restitution, &of.friction,
                                                &of.tangential_restitution};
    for (size_t k = 0; k < 3; k++) {
        if (!each[k]->values) continue;
        lane_store(values[k], coefficient_gathered(each[k], l->number));
        each[k]->values = values[k];
        each[k]->stride = 1;
    }
    const use_t use = {.planes = false, .spheres = w->spheres};
    uint32_t is_plane[LANES];
    for (size_t k = 0; k < LANES; k++)
        is_plane[k] = l->b.at[k] >= w->particles * ROW;
    /* A plane's radius is infinite: the pair's is the sphere's. */
    const mask_t plane = word_has(word_load(is_plane), 1);
    (void)coefficients_of(call, use, &of, 0, LANES, &c);
    if (mask_any(plane) && call->model.is->kind == IMPINGE_RESTITUTION_VISCOELASTIC) {
        touch_t of_plane = c;
        (void)coefficients_of(call, (use_t){.planes = true, .spheres = w->spheres}, &of, 0, LANES,
                              &of_plane);
        c.restitution = lane_select(plane, of_plane.restitution, c.restitution);
    }
    return c;
}

static void restitution_of(const NAME(impinge_particle_step_state) * w, const uint32_t *places,
                           size_t count, real_t *restitution) {
    const particle_call_t call = step_call(w);
    for (size_t i = 0; i < count; i += LANES) {
        const listed_places_t l = listed_at(w, places, i, count);
        const moving_rows_t a = rows_of(w->rows, &l.a);
        const moving_rows_t b = rows_of(w->rows, &l.b);
        const touch_t c = contact_listed(w, &call, &l, &a, &b);
        real_t e[LANES];
        lane_store(e, c.restitution);
        memcpy(restitution + i, e, l.count * sizeof *e);
    }
}

/*
 * Applies an impulse to one body with the bits of impinge_apply_particle_pairs: products and sums
 * are rounded one by one, and omega is changed first, from which R omega follows.
 */
static void apply_impact(const NAME(impinge_particle_step_state) * w, uint32_t row, real_t sign,
                         const real_t p[3], const real_t moment[3]) {
    if (row & ROW_FIXED) return;
    const NAME(impinge_particles) *const all = w->step->particles;
    const size_t i = row / ROW;
    real_t *const body = w->rows + row;
    add_times(body, sign * body[3], p);
    if (!w->spheres) return;
    const real_t radius = number_at(COLUMN_OF(AS_GIVEN, all, radius), i);
    real_t omega[3];
    numbers_at(VECTOR_OF(AS_GIVEN, all, angular_velocity), i, omega);
    add_times(omega, -turn_of_particle(AS_GIVEN, all, i), moment);
    for (size_t k = 0; k < 3; k++)
        body[ROW_SURFACE + k] = radius > 0 ? radius * omega[k] : 0;
    write_numbers(VECTOR_OF(AS_GIVEN, all, angular_velocity), i, omega);
}

/* Adds an impulse to a contact's sum. */
static void add_impact(const NAME(impinge_particle_step_state) * w, uint32_t number,
                       const real_t p[3]) {
    const NAME(impinge_step_results) *const out = &w->step->results;
    if (out->impact_x) add_numbers(VECTOR_OF(AS_GIVEN, out, impact), number, p);
}

/* Adds the works of impacts to those of their contacts, in lanes where `by` is an impulse. */
static void add_works(const NAME(impinge_particle_step_state) * w, const listed_places_t *l,
                      const touch_t *c, const bounce_t *answer, vector_t p_t, real_t by[3][LANES]) {
    if (!wants_step_works(w)) return;
    result_t result;
    real_t work[3][LANES];
    work_of(c, answer, p_t, answer->plastic, &result);
    lane_store(work[0], result.work_compression);
    lane_store(work[1], result.work_restitution);
    lane_store(work[2], result.work_friction);
    for (size_t k = 0; k < l->count; k++) {
        const real_t p[3] = {by[0][k], by[1][k], by[2][k]};
        const real_t of_contact[3] = {work[0][k], work[1][k], work[2][k]};
        if (are_finite(p)) add_step_works(w, l->number[k], of_contact);
    }
}

/* Adds the outcomes of impacts, likewise. */
static void add_outcomes(const NAME(impinge_particle_step_state) * w, const listed_places_t *l,
                         const touch_t *c, const bounce_t *answer, real_t by[3][LANES]) {
    if (!w->step->impact_outcome) return;
    uint32_t outcome[LANES];
    word_store(outcome, outcome_of(answer, c, mask_all(), lane_lt(c->u_n, lane_zero())));
    for (size_t k = 0; k < l->count; k++) {
        const real_t p[3] = {by[0][k], by[1][k], by[2][k]};
        add_step_outcome(w, l->number[k],
                         are_finite(p) ? outcome[k] : (uint32_t)IMPINGE_OUTCOME_OUT_OF_RANGE);
    }
}

static void collide_block(const NAME(impinge_particle_step_state) * w, const particle_call_t *call,
                          const listed_places_t *l) {
    const moving_rows_t a = rows_of(w->rows, &l->a);
    const moving_rows_t b = rows_of(w->rows, &l->b);
    const touch_t c = contact_listed(w, call, l, &a, &b);
    const lanes_t slip = lane_sqrt(vector_dot(c.slip, c.slip));
    const bounce_t answer =
        bounce_of(&c, c.friction, slip, law_has(call->law, IMPINGE_LAW_READS_FRICTION));
    const vector_t p_t = vector_scale(lane_neg(answer.share), c.slip);
    const vector_t p = vector_add(vector_scale(answer.normal, c.normal), p_t);
    const vector_t n = l->normal;
    real_t impulse[3][LANES], moment[3][LANES];
    lane_store(impulse[0], p.x);
    lane_store(impulse[1], p.y);
    lane_store(impulse[2], p.z);
    const vector_t turning = moment_of(n, p);
    lane_store(moment[0], turning.x);
    lane_store(moment[1], turning.y);
    lane_store(moment[2], turning.z);
    for (size_t k = 0; k < l->count; k++) {
        const real_t by[3] = {impulse[0][k], impulse[1][k], impulse[2][k]};
        const real_t turn[3] = {moment[0][k], moment[1][k], moment[2][k]};
        if (!are_finite(by)) continue;
        apply_impact(w, w->row_a[l->place[k]], 1, by, turn);
        apply_impact(w, w->row_b[l->place[k]], -1, by, turn);
        add_impact(w, l->number[k], by);
    }
    add_works(w, l, &c, &answer, p_t, impulse);
    add_outcomes(w, l, &c, &answer, impulse);
}

/* Collides places of which no two share a body that moves. */
static void collide_places(const NAME(impinge_particle_step_state) * w, const uint32_t *places,
                           size_t count) {
    const particle_call_t call = step_call(w);
    for (size_t i = 0; i < count; i += LANES) {
        const listed_places_t l = listed_at(w, places, i, count);
        collide_block(w, &call, &l);
    }
}

#endif
