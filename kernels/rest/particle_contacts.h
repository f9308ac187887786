/* Contacts of a step: which take part, and their columns in the order of the sweeps. */
#ifndef IMPINGE_KERNELS_REST_PARTICLE_CONTACTS_H
#define IMPINGE_KERNELS_REST_PARTICLE_CONTACTS_H

#include "particle_bodies.h"

typedef NAME(impinge_found_block) found_block_t;

/* Friction above it sticks in any case; and products with it fit. */
#define FRICTION_MAX REAL(0x1p20)

/* The bodies of LANES contacts. */
typedef struct ends {
    uint32_t a[LANES], b[LANES];
    uint32_t row_a[LANES], row_b[LANES]; /* with ROW_FIXED */
    uint32_t word[LANES];  /* reasons why an index or a body is invalid; or IMMOVABLE */
    uint32_t plane[LANES]; /* 0 where B is a particle */
    uint32_t is_plane[LANES];
    bool any_plane;
} ends_t;

static inline size_t spare_body(const NAME(impinge_particle_step_state) * w) {
    return w->bodies + w->team.member;
}

/*
 * The ends of LANES contacts between particles that move, as most are; false if one of them is
 * something else, which takes more checks.
 */
INLINE bool load_plain_ends(const NAME(impinge_particle_step_state) * w, size_t c, ends_t *e) {
    const NAME(impinge_particle_contacts) *const in = w->step->contacts;
    const uint32_t particles = (uint32_t)w->particles;
    uint32_t odd = 0;
    if (is_strided(in->index_stride)) return false;
    memcpy(e->a, in->index_a + c, sizeof e->a);
    memcpy(e->b, in->index_b + c, sizeof e->b);
    for (size_t k = 0; k < LANES; k++)
        odd |= (uint32_t)(e->a[k] >= particles) | (uint32_t)(e->b[k] >= particles) |
               (uint32_t)(e->a[k] == e->b[k]);
    if (odd) return false;
    for (size_t k = 0; k < LANES; k++)
        odd |= (w->body[e->a[k]] ^ BODY_MOVES) | (w->body[e->b[k]] ^ BODY_MOVES);
    for (size_t k = 0; k < LANES; k++) {
        e->row_a[k] = e->a[k] * ROW;
        e->row_b[k] = e->b[k] * ROW;
        e->word[k] = e->is_plane[k] = e->plane[k] = 0;
    }
    return odd == 0;
}

/* Loads the ends of contacts c to c + count - 1; further lanes repeat the last. */
static void load_ends(const NAME(impinge_particle_step_state) * w, size_t c, size_t count,
                      ends_t *e) {
    const NAME(impinge_particle_contacts) *const in = w->step->contacts;
    e->any_plane = false;
    if (count == LANES && load_plain_ends(w, c, e)) return;
    for (size_t k = 0; k < LANES; k++) {
        const size_t at = c + (k < count ? k : count - 1);
        size_t a = index_a_of(AS_GIVEN, in, at);
        size_t b = index_b_of(AS_GIVEN, in, at);
        const bool wrong = a >= w->particles || b >= w->bodies || a == b;
        if (wrong) a = b = spare_body(w);
        const uint32_t body_a = w->body[a];
        const uint32_t body_b = w->body[b];
        const uint32_t bodies = wrong ? 0 : body_a | body_b;
        const bool is_plane = b >= w->particles && !wrong;
        e->a[k] = (uint32_t)a;
        e->b[k] = (uint32_t)b;
        e->row_a[k] = (uint32_t)(a * ROW) | (body_a == BODY_MOVES ? 0 : ROW_FIXED);
        e->row_b[k] = (uint32_t)(b * ROW) | (body_b == BODY_MOVES ? 0 : ROW_FIXED);
        e->word[k] = wrong         ? IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_INVALID_INDEX
                     : bodies == 0 ? IMPINGE_OUTCOME_IMMOVABLE
                     : bodies == BODY_MOVES ? 0
                                            : bodies & ~BODY_MOVES;
        e->is_plane[k] = is_plane;
        e->plane[k] = is_plane ? (uint32_t)(b - w->particles) : 0;
        e->any_plane |= is_plane;
    }
}

static inline particle_call_t step_call(const NAME(impinge_particle_step_state) * w) {
    const NAME(impinge_particles) *const p = w->step->particles;
    return (particle_call_t){.particles = p,
                             .planes = w->step->planes,
                             .in = w->step->contacts,
                             .law = w->impact_options.law,
                             .e_max = 1,
                             .model = model_of(w->step->contacts->coefficients.model),
                             .periodic = p->period_x > 0 || p->period_y > 0 || p->period_z > 0};
}

/* Which coefficients of rolling resistance are in range. */
static mask_t rolling_legal(const NAME(impinge_particle_step_state) * w, size_t c, size_t count) {
    const NAME(impinge_rolling_resistance) *const in = w->step->rolling_resistance;
    if (!in) return mask_all();
    const lanes_t zero = lane_zero();
    const lanes_t rolling = load_coefficient_if(true, AS_GIVEN, &in->rolling, c, count);
    const lanes_t torsional = load_coefficient_if(true, AS_GIVEN, &in->torsional, c, count);
    return mask_and(lane_le(zero, rolling), lane_le(zero, torsional));
}

/* Reasons why the coefficients of contacts c to c + count - 1 are invalid. */
static words_t coefficients_wrong(const NAME(impinge_particle_step_state) * w,
                                  const particle_call_t *call, size_t c, size_t count) {
    const NAME(impinge_coefficients) *const in = &call->in->coefficients;
    const bool tangential = law_has(call->law, IMPINGE_LAW_READS_TANGENTIAL_RESTITUTION);
    const impinge_restitution_kind kind = call->model.is->kind;
    const bool given =
        kind == IMPINGE_RESTITUTION_CONSTANT || kind == IMPINGE_RESTITUTION_THRESHOLD;
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const lanes_t e = load_coefficient_if(given, AS_GIVEN, &in->restitution, c, count);
    const lanes_t mu = load_coefficient_if(law_has(call->law, IMPINGE_LAW_READS_FRICTION), AS_GIVEN,
                                           &in->friction, c, count);
    const lanes_t e_t =
        load_coefficient_if(tangential, AS_GIVEN, &in->tangential_restitution, c, count);
    const legal_t legal = {.restitution = mask_and(lane_le(zero, e), lane_le(e, one)),
                           .friction = mask_and(lane_le(zero, mu), rolling_legal(w, c, count)),
                           .tangential = lane_le(lane_abs(e_t), one)};
    return legal_outcome(&legal);
}

/* The same for their aim velocities. */
static words_t aim_wrong(const NAME(impinge_particle_step_state) * w, size_t c, size_t count) {
    const NAME(impinge_contact_state) *const s = &w->step->state;
    if (!w->aims) return word_where(mask_none(), 0);
    const vector_t aim = load_vector_by(VECTOR_OF(AS_GIVEN, s, aim), c, count);
    const mask_t fits =
        mask_and(vector_finite(aim), lane_le(vector_largest(aim), lane_set(LENGTH_MAX / 4)));
    return word_unless(fits, IMPINGE_OUTCOME_INVALID_VELOCITY);
}

/*
 * The pairs that touch in their nearest images alone, or not at all. A coarse test suffices for
 * most.
 */
static mask_t is_one_contact(const particle_call_t *call, vector_t d, const touch_t *c) {
    const lanes_t reach = lane_add(c->radius_a, c->radius_b);
    const mask_t alone = is_image_alone(call, d, reach);
    if (mask_every(alone)) return alone;
    return mask_or(mask_or(alone, is_any_image_alone(call, d, reach)),
                   lane_le(c->overlap, lane_zero()));
}

/* Normals and overlaps; returns the reasons of errors. */
static words_t find_geometry(const NAME(impinge_particle_step_state) * w,
                             const particle_call_t *call, const ends_t *e, touch_t *c) {
    uint32_t at_a[LANES], at_b[LANES];
    for (size_t k = 0; k < LANES; k++) {
        at_a[k] = e->a[k] * PLACE_ROW;
        at_b[k] = e->b[k] * PLACE_ROW;
    }
    const lanes_t zero = lane_zero();
    lanes_t a[4], b[4];
    lane_gather4(w->place, 1, at_a, a);
    lane_gather4(w->place, 1, at_b, b);
    const vector_t x_a = {a[0], a[1], a[2]};
    mask_t found = mask_all();
    const vector_t d = separation_of(call, x_a, (vector_t){b[0], b[1], b[2]}, &found);
    c->radius_a = a[3];
    c->radius_b = b[3];
    mask_t ordinary = find_touch_at(d, found, c);
    /*
     * Centres that coincide, or are 2^22 periods apart, have no normal; a pair that touches in a
     * second image, too, has two.
     */
    mask_t placed =
        mask_and(mask_and(found, is_one_contact(call, d, c)), lane_lt(zero, vector_dot(d, d)));
    if (e->any_plane) {
        const plane_t s = load_plane(call->planes, AS_GIVEN, (pick_t){e->plane, 0});
        const mask_t is_plane = word_has(word_load(e->is_plane), 1);
        const lanes_t depth = penetration(&s, x_a, c->radius_a);
        c->normal = vector_select(is_plane, vector_over(s.normal, s.length), c->normal);
        c->overlap = lane_select(is_plane, depth, c->overlap);
        placed = mask_select(is_plane, s.unit, placed);
        ordinary = mask_select(is_plane, s.unit, ordinary);
    }
    return word_select(placed, word_unless(ordinary, IMPINGE_OUTCOME_OUT_OF_RANGE),
                       word_where(mask_all(), BODY_INVALID(NORMAL)));
}

/*
 * The impulse of the step before: p_n is kept, p_t is turned into the tangent plane and keeps its
 * length. A p_t too far from the plane to be turned is dropped, and so is one that does not fit.
 */
static vector_t turned_impulse(const NAME(impinge_particle_step_state) * w, size_t c, size_t count,
                               vector_t n) {
    const NAME(impinge_contact_state) *const s = &w->step->state;
    const lanes_t zero = lane_zero();
    const vector_t none = {zero, zero, zero};
    if (!s->impulse_x) return none;
    vector_t p = load_vector_by(VECTOR_OF(AS_GIVEN, s, impulse), c, count);
    if (s->normal_x) {
        const vector_t was = load_vector_by(VECTOR_OF(AS_GIVEN, s, normal), c, count);
        const lanes_t p_n = lane_max(vector_dot(p, was), zero);
        const vector_t p_t = vector_minus_times(p, p_n, was);
        const vector_t in_plane = vector_minus_times(p_t, vector_dot(p_t, n), n);
        const lanes_t length = vector_dot(p_t, p_t);
        const lanes_t now = vector_dot(in_plane, in_plane);
        const mask_t turns = lane_lt(lane_mul(lane_set(REAL_UNIT), length), now);
        const lanes_t by = lane_sqrt(lane_div(length, lane_select(turns, now, lane_set(1))));
        p = vector_add(vector_scale(p_n, n), vector_where(turns, vector_scale(by, in_plane)));
    }
    return vector_where(vector_finite(p), p);
}

/* Stores what was computed for contacts i to i + count - 1, in rows. */
static void found_to(const NAME(impinge_particle_step_state) * w, const found_block_t *block,
                     size_t i, size_t count, const ends_t *e, const touch_t *contact, mask_t here,
                     mask_t touches) {
    const NAME(impinge_coefficient) *const friction = &w->step->contacts->coefficients.friction;
    const vector_t n = vector_where(touches, contact->normal);
    const vector_t p = vector_where(touches, turned_impulse(w, i, count, n));
    const lanes_t mu = load_coefficient_if(
        law_has(w->impact_options.law, IMPINGE_LAW_READS_FRICTION), AS_GIVEN, friction, i, count);
    const lanes_t gap = lane_where(here, lane_neg(contact->overlap));
    const lanes_t row[FOUND_ROW] = {n.x, n.y, n.z, gap,
                                    p.x, p.y, p.z, lane_min(mu, lane_set(FRICTION_MAX))};
    real_t spare[LANES * FOUND_ROW];
    uint32_t at[LANES];
    const bool whole = count >= LANES;
    for (size_t k = 0; k < LANES; k++)
        at[k] = (uint32_t)(k * FOUND_ROW);
    real_t *const to = block->row + (i - block->first) * FOUND_ROW;
    lane_scatter_row8(whole ? to : spare, at, row);
    if (!whole) memcpy(to, spare, count * FOUND_ROW * sizeof *spare);
    for (size_t k = 0; k < LANES && k < count; k++) {
        block->row_a[i - block->first + k] = e->row_a[k];
        block->row_b[i - block->first + k] = e->row_b[k];
    }
}

/* Bits of contacts that take no part in the step. */
#define TAKES_NO_PART                                                                              \
    (IMPINGE_OUTCOME_INVALID_REASONS | IMPINGE_OUTCOME_OUT_OF_RANGE | IMPINGE_OUTCOME_IMMOVABLE)

/* Gap and normal; of contacts that take no part, all other results of the rest, too. */
static void write_found(const NAME(impinge_particle_step_state) * w, size_t c, size_t count,
                        const touch_t *contact, mask_t here, mask_t touches, words_t word,
                        mask_t live) {
    const NAME(impinge_step_results) *const out = &w->step->results;
    const vector_t n = vector_where(touches, contact->normal);
    store_lanes_by(COLUMN_OF(AS_GIVEN, out, gap), c, lane_where(here, lane_neg(contact->overlap)),
                   count);
    store_vector_by(VECTOR_OF(AS_GIVEN, out, normal), c, n, count);
    const mask_t quiet = mask_not(word_has(word, ~UINT32_C(0)));
    const words_t told = word_select(quiet, word_where(quiet, IMPINGE_OUTCOME_SEPARATING), word);
    store_words_by(COLUMN_OF(AS_GIVEN, out, outcome), c, told, count);
    /* Until it collides. */
    store_words_by(COLUMN_OF(AS_GIVEN, w->step, impact_outcome), c, told, count);
    if (!w->rests || !mask_any(mask_not(live))) return;
    const vector_t none = {lane_zero(), lane_zero(), lane_zero()};
    store_vector_by(VECTOR_OF(AS_GIVEN, out, impulse), c, none, count);
}

static void clear_impacts(const NAME(impinge_particle_step_state) * w, size_t c, size_t count) {
    const NAME(impinge_step_results) *const out = &w->step->results;
    const vector_t none = {lane_zero(), lane_zero(), lane_zero()};
    store_vector_by(VECTOR_OF(AS_GIVEN, out, impact), c, none, count);
    store_vector_by(stride_of(AS_GIVEN, out->work_stride), out->work_compression,
                    out->work_restitution, out->work_friction, c, none, count);
}

/* Contacts i to i + count - 1. Returns which take part. */
static mask_t find_lanes(const NAME(impinge_particle_step_state) * w, const particle_call_t *call,
                         const found_block_t *block, size_t i, size_t count, size_t *invalid) {
    const size_t lanes = count < LANES ? count : LANES;
    ends_t e;
    load_ends(w, i, lanes, &e);
    touch_t contact;
    const words_t misplaced = find_geometry(w, call, &e, &contact);
    const words_t illegal = word_or(coefficients_wrong(w, call, i, count), aim_wrong(w, i, count));
    const words_t wrong = word_or(misplaced, illegal);
    words_t word = word_load(e.word);
    /* If a body or an index is bad, no other error is reported. */
    word = word_select(word_has(word, TAKES_NO_PART), word, wrong);
    /* Two bodies that cannot move need not have a normal; its absence is not reported. */
    const mask_t here = mask_not(word_has(
        word_or(word, misplaced), IMPINGE_OUTCOME_INVALID_REASONS | IMPINGE_OUTCOME_OUT_OF_RANGE));
    const mask_t touches = mask_and(here, lane_le(lane_zero(), contact.overlap));
    word =
        word_select(here, word_select(touches, word, word_where(mask_all(), IMPINGE_OUTCOME_APART)),
                    invalid_first(word));
    found_to(w, block, i, count, &e, &contact, here, touches);
    clear_impacts(w, i, count);
    const mask_t moves = mask_not(word_has(word, IMPINGE_OUTCOME_IMMOVABLE));
    const mask_t live = mask_and(touches, moves);
    write_found(w, i, count, &contact, here, touches, word, live);
    const mask_t first = mask_first(lanes);
    *invalid += count_bits(mask_bits(mask_and(word_has(word, IMPINGE_OUTCOME_INVALID), first)));
    return mask_and(live, first);
}

/* The rows of the bodies of contacts further on, which set_up then reads, too. */
INLINE void prefetch_bodies(const NAME(impinge_particle_step_state) * w, size_t i, size_t end) {
    const NAME(impinge_particle_contacts) *const in = w->step->contacts;
    const size_t last = end < i + ROWS_AHEAD + LANES ? end : i + ROWS_AHEAD + LANES;
    for (size_t k = i + ROWS_AHEAD; k < last && w->far; k++) {
        const size_t b = index_b_of(AS_GIVEN, in, k);
        lane_prefetch(w->place, b * PLACE_ROW * sizeof *w->place);
        lane_prefetch(w->rows, b * ROW * sizeof *w->rows);
    }
}

/* The block's contacts. Lists those that take part; counts those that are invalid. */
static size_t find_contacts(const NAME(impinge_particle_step_state) * w, const found_block_t *block,
                            size_t end, size_t *invalid) {
    const particle_call_t call = step_call(w);
    size_t found = 0;
    for (size_t i = block->first; i < end; i += LANES) {
        const size_t count = end - i;
        prefetch_bodies(w, i, end);
        const packing_t packing = lane_packing(find_lanes(w, &call, block, i, count, invalid));
        word_store_packed(block->live + found, &packing, word_counting((uint32_t)i));
        found += packing.count;
    }
    return found;
}

/* ---- Columns ---- */

static lanes_t coefficient_gathered(const NAME(impinge_coefficient) * c, const uint32_t *number) {
    const size_t stride = stride_of(AS_GIVEN, c->stride);
    return c->values ? gather_by(stride, c->values, number) : lane_set(c->value);
}

/* An impulse that does not fit the masses is taken for 0. */
static vector_t fitting_impulse(vector_t p, lanes_t k) {
    const lanes_t size = lane_mul(vector_largest(p), k);
    return vector_where(lane_le(size, lane_set(LENGTH_MAX)), p);
}

/*
 * Notes whether an impulse of these contacts may be too large for the velocities of its island
 * (drop_unsupported). It is compared with those of both bodies and the kick alone, which are no
 * more than the island's; and half as much, since k may be rounded differently there.
 */
INLINE void note_unsupported(const NAME(impinge_particle_step_state) * w, vector_t p, lanes_t k,
                             const lanes_t a[4], const lanes_t b[4]) {
    const vector_t v_a = {a[0], a[1], a[2]};
    const vector_t v_b = {b[0], b[1], b[2]};
    const lanes_t speed = lane_max(vector_largest(v_a), vector_largest(v_b));
    const lanes_t most = lane_mul(lane_max(speed, lane_set(kick_size(&w->step->kick))),
                                  lane_set((real_t)(SUPPORTED / 2)));
    if (mask_any(lane_lt(most, lane_mul(vector_largest(p), k))))
        w->shared->unsupported[w->team.member] = true;
}

/* The difference of two rows' vectors: of velocities, or of displacements. */
INLINE vector_t rows_apart(const lanes_t a[4], const lanes_t b[4]) {
    return (vector_t){lane_sub(a[0], b[0]), lane_sub(a[1], b[1]), lane_sub(a[2], b[2])};
}

/* -u_n, as find_motion_at computes u_n: spin does not change it. */
INLINE lanes_t approach_of_rows(vector_t n, const lanes_t a[4], const lanes_t b[4]) {
    return lane_neg(vector_dot(n, rows_apart(a, b)));
}

/* Their speeds of approach, and which are faster than the rest speed. */
static mask_t approach_lanes(const NAME(impinge_particle_step_state) * w, size_t j, size_t count,
                             vector_t n, const lanes_t a[4], const lanes_t b[4]) {
    const lanes_t speed = approach_of_rows(n, a, b);
    const lanes_t rest = lane_set((real_t)w->options.impacts.rest_speed);
    store_lanes(w->approach, j, speed, count);
    return lane_lt(rest, speed);
}

/* The columns of places j to j + count - 1. Returns which approach. */
static mask_t set_up_lanes(const NAME(impinge_particle_step_state) * w, const found_block_t *block,
                           size_t j, size_t count) {
    const NAME(impinge_contact_state) *const state = &w->step->state;
    uint32_t number[LANES], at[LANES], row_a[LANES], row_b[LANES];
    for (size_t k = 0; k < LANES; k++) {
        number[k] = w->number[j + (k < count ? k : count - 1)];
        const size_t is = number[k] - block->first;
        at[k] = (uint32_t)is * FOUND_ROW;
        const uint32_t a = block->row_a[is];
        const uint32_t b = block->row_b[is];
        row_a[k] = a & ~ROW_FIXED;
        row_b[k] = b & ~ROW_FIXED;
        if (k >= count) continue;
        w->row_a[j + k] = a;
        w->row_b[j + k] = b;
    }
    lanes_t x[FOUND_ROW], a[4], b[4];
    lane_gather_row8(block->row, at, x);
    lane_gather4(w->rows, 1, row_a, a);
    lane_gather4(w->rows, 1, row_b, b);
    const vector_t n = {x[0], x[1], x[2]};
    vector_t p = {x[FOUND_IMPULSE], x[FOUND_IMPULSE + 1], x[FOUND_IMPULSE + 2]};
    if (state->impulse_x) {
        const lanes_t k = lane_add(a[3], b[3]);
        p = fitting_impulse(p, k);
        note_unsupported(w, p, k, a, b);
    }
    store_lanes(w->normal[0], j, n.x, count);
    store_lanes(w->normal[1], j, n.y, count);
    store_lanes(w->normal[2], j, n.z, count);
    store_lanes(w->impulse[0], j, p.x, count);
    store_lanes(w->impulse[1], j, p.y, count);
    store_lanes(w->impulse[2], j, p.z, count);
    store_lanes(w->gap, j, x[FOUND_GAP], count);
    store_lanes(w->friction, j, x[FOUND_FRICTION], count);
    if (w->aims) {
        const vector_t aim = gather_vector_by(VECTOR_OF(AS_GIVEN, state, aim), number);
        store_vector_by(1, w->aim[0], w->aim[1], w->aim[2], j, aim, count);
    }
    return w->collides ? approach_lanes(w, j, count, n, a, b) : mask_none();
}

static size_t set_up(const NAME(impinge_particle_step_state) * w, const found_block_t *block,
                     size_t first, size_t end, uint32_t *places) {
    size_t found = 0;
    for (size_t j = first; j < end; j += LANES) {
        const size_t count = end - j;
        const mask_t fast = mask_and(set_up_lanes(w, block, j, count), mask_first(count));
        if (!mask_any(fast)) continue;
        uint32_t last[LANES];
        const packing_t packing = lane_packing(fast);
        /* Lanes beyond the last place may lie in another member's list. */
        uint32_t *const to = count < LANES ? last : places + found;
        word_store_packed(to, &packing, word_counting((uint32_t)j));
        for (size_t k = 0; k < packing.count && count < LANES; k++)
            places[found + k] = last[k];
        found += packing.count;
    }
    return found;
}

/* ---- Results ---- */

/*
 * Which contacts stick: |p_t| is below mu p_n by more than rounding, which is that of p_n. In units
 * of the largest component, so that squares of small impulses do not vanish.
 */
INLINE mask_t sticks_by(vector_t p, vector_t n, lanes_t mu) {
    const lanes_t largest = vector_largest(p);
    const mask_t some = lane_lt(lane_zero(), largest);
    const vector_t unit = vector_over(p, lane_select(some, largest, lane_set(1)));
    const lanes_t normal = vector_dot(unit, n);
    const vector_t along = vector_minus_times(unit, normal, n);
    const lanes_t least = lane_mul(lane_sub(mu, lane_set(16 * REAL_UNIT)), normal);
    const lanes_t bound = lane_mul(lane_mul(least, least), lane_set((real_t)(1 - 64 * REAL_UNIT)));
    return mask_and(lane_lt(lane_zero(), least), lane_lt(vector_dot(along, along), bound));
}

/* The impulses that the rest gave, and whether friction was at its bound. */
static void write_rest_lanes(const NAME(impinge_particle_step_state) * w, size_t j, size_t count) {
    const NAME(impinge_step_results) *const out = &w->step->results;
    for (size_t l = j; l < j + count && out->impulse_x; l++) {
        const real_t p[3] = {w->impulse[0][l], w->impulse[1][l], w->impulse[2][l]};
        write_numbers(VECTOR_OF(AS_GIVEN, out, impulse), w->number[l], p);
    }
    if (!out->outcome) return;
    const vector_t p = {load_lanes(w->impulse[0], j, count), load_lanes(w->impulse[1], j, count),
                        load_lanes(w->impulse[2], j, count)};
    const vector_t n = {load_lanes(w->normal[0], j, count), load_lanes(w->normal[1], j, count),
                        load_lanes(w->normal[2], j, count)};
    const uint32_t sticks = mask_bits(sticks_by(p, n, load_lanes(w->friction, j, count)));
    const uint32_t presses = mask_bits(lane_lt(lane_zero(), vector_dot(p, n)));
    for (size_t k = 0; k < count; k++)
        if (presses >> k & 1)
            out->outcome[element(w->number[j + k], out->outcome_stride)] =
                (uint32_t)IMPINGE_OUTCOME_RESTING |
                (uint32_t)(sticks >> k & 1 ? IMPINGE_OUTCOME_STUCK : IMPINGE_OUTCOME_SLID);
}

static void write_rest(const NAME(impinge_particle_step_state) * w, size_t first, size_t end) {
    for (size_t j = first; j < end; j += LANES)
        write_rest_lanes(w, j, end - j < LANES ? end - j : LANES);
}

#endif
