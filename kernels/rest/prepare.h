/* Prepares a step's contacts for the first sweep: checks, frames, W^, the warm start. */
#ifndef IMPINGE_KERNELS_REST_PREPARE_H
#define IMPINGE_KERNELS_REST_PREPARE_H

#include "groups.h"
#include "plastic.h"
#include "tangent_axes.h"

/* One body of each pair of a group: the numbers that are the same for all contacts of the pair. */
typedef struct body_side {
    lanes_t inverse_mass;
    tensor_t inverse_inertia;
    mask_t is_world;
    words_t words;    /* reasons of errors, and BODY_MOVABLE */
    lanes_t sharing;  /* the number of contacts that share it, at least 1; 1 in order */
    lanes_t contacts; /* the number of its contacts; 1 if it is not movable */
    lanes_t speed;    /* the largest component of its velocity; 0 if it is not movable */
} body_side_t;

static inline lanes_t speed_of(const rest_t *r, const uint32_t *from, words_t words) {
    lanes_t x[8];
    lane_gather_row8(r->rows, from, x);
    const lanes_t largest = max3(lane_abs(x[0]), lane_abs(x[1]), lane_abs(x[2]));
    return lane_select(word_has(words, BODY_MOVABLE), largest, lane_zero());
}

static inline body_side_t side_of(const rest_t *r, const uint32_t *from) {
    lanes_t x[8];
    uint32_t words[LANES], is_world[LANES];
    real_t contacts[LANES];
    lane_gather_row8(r->mass, from, x);
    for (size_t j = 0; j < LANES; j++) {
        const size_t body = from[j] / BODY_ROW;
        is_world[j] = body == r->bodies->count;
        words[j] = r->body_word[body];
        contacts[j] = NAME(impinge_rest_counts)(r) ? (real_t)r->sharing[body] : 1;
    }
    const words_t word = word_load(words);
    const lanes_t of_body = lane_load(contacts);
    const mask_t movable = word_has(word, BODY_MOVABLE);
    return (body_side_t){.inverse_mass = x[0],
                         .inverse_inertia = {x[1], x[2], x[3], x[4], x[5], x[6]},
                         .is_world = word_has(word_load(is_world), 1),
                         .words = word,
                         .sharing = r->unordered ? of_body : lane_set(1),
                         .contacts = lane_select(movable, of_body, lane_set(1)),
                         .speed = r->state->impulse_x ? speed_of(r, from, word) : lane_zero()};
}

/* The body with its arm to a contact. */
static inline body_t body_at(const rest_t *r, const body_side_t *side, const real_t *const arm[3],
                             const uint32_t number[LANES]) {
    const size_t stride = stride_of(AS_GIVEN, r->contacts->arm_stride);
    /* The world has no centre of mass, so its arm is not read. */
    const vector_t none = {lane_zero(), lane_zero(), lane_zero()};
    const vector_t given = gather_vector_by(stride, arm[0], arm[1], arm[2], number);
    return (body_t){.inverse_mass = side->inverse_mass,
                    .inverse_inertia = side->inverse_inertia,
                    .arm = vector_select(side->is_world, none, given)};
}

/* A contact that is being prepared. */
typedef struct looked_contact {
    frame_t frame;
    contact_t k; /* W, its bodies' shares weighted */
    lanes_t unsplit;
    lanes_t friction, gap;
    vector_t aim, arm_a, arm_b;
    words_t word; /* reasons of errors, or IMMOVABLE */
} looked_contact_t;

static inline contact_t share_of(const body_t *b, const frame_t *f) {
    contact_t g;
    tensor_t k;
    tensor_clear(&k);
    add_share(&k, b, f);
    set_matrix(&g, &k);
    return g;
}

static inline contact_t weighted(lanes_t s, const contact_t *a, lanes_t t, const contact_t *b) {
    return (contact_t){.k11 = lane_mul_add2(s, a->k11, t, b->k11),
                       .k12 = lane_mul_add2(s, a->k12, t, b->k12),
                       .k13 = lane_mul_add2(s, a->k13, t, b->k13),
                       .k22 = lane_mul_add2(s, a->k22, t, b->k22),
                       .k23 = lane_mul_add2(s, a->k23, t, b->k23),
                       .k33 = lane_mul_add2(s, a->k33, t, b->k33)};
}

static inline vector_t vector_or_none(size_t stride, const real_t *x, const real_t *y,
                                      const real_t *z, const uint32_t number[LANES]) {
    const vector_t none = {lane_zero(), lane_zero(), lane_zero()};
    return x ? gather_vector_by(stride, x, y, z, number) : none;
}

static inline words_t contact_word(const looked_contact_t *c, mask_t unit, words_t bodies) {
    const lanes_t zero = lane_zero();
    const mask_t arms =
        mask_and(mask_and(vector_finite(c->arm_a), vector_finite(c->arm_b)), lane_finite(c->gap));
    words_t word = word_or(bodies, word_where(mask_not(unit), IMPINGE_OUTCOME_INVALID_NORMAL));
    word = word_or(word, word_where(mask_not(arms), IMPINGE_OUTCOME_INVALID_ARM));
    word = word_or(word,
                   word_where(mask_not(vector_finite(c->aim)), IMPINGE_OUTCOME_INVALID_VELOCITY));
    return word_or(
        word, word_where(mask_not(lane_le(zero, c->friction)), IMPINGE_OUTCOME_INVALID_FRICTION));
}

static inline looked_contact_t look_at(const rest_t *r, const body_side_t sides[2],
                                       const uint32_t number[LANES]) {
    const NAME(impinge_indexed_contacts) *const in = r->contacts;
    const real_t *const arm_a[3] = {in->arm_a_x, in->arm_a_y, in->arm_a_z};
    const real_t *const arm_b[3] = {in->arm_b_x, in->arm_b_y, in->arm_b_z};
    const body_t a = body_at(r, &sides[0], arm_a, number);
    const body_t b = body_at(r, &sides[1], arm_b, number);
    const vector_t z = {lane_zero(), lane_zero(), lane_set(1)};
    const NAME(impinge_coefficient) *const mu = &in->coefficients.friction;
    mask_t unit;
    looked_contact_t c = {.arm_a = a.arm, .arm_b = b.arm};
    c.frame =
        frame_of(unit_normal(gather_vector_by(VECTOR_OF(AS_GIVEN, in, normal), number), z, &unit));
    c.friction = mu->values ? gather_by(stride_of(AS_GIVEN, mu->stride), mu->values, number)
                            : lane_set(mu->value);
    c.gap = r->gap ? gather_by(r->gap_stride, r->gap, number) : lane_zero();
    c.aim = vector_or_none(VECTOR_OF(AS_GIVEN, r->state, aim), number);
    const contact_t share_a = share_of(&a, &c.frame);
    const contact_t share_b = share_of(&b, &c.frame);
    c.k = weighted(sides[0].sharing, &share_a, sides[1].sharing, &share_b);
    c.unsplit = lane_add(share_a.k33, share_b.k33);
    const words_t bodies = word_or(sides[0].words, sides[1].words);
    const mask_t movable = word_has(bodies, BODY_MOVABLE);
    const words_t wrong = contact_word(&c, unit, word_and(bodies, ~BODY_MOVABLE));
    const mask_t right = mask_not(word_has(wrong, ~UINT32_C(0)));
    c.word = word_or(wrong, word_where(mask_andnot(right, movable), IMPINGE_OUTCOME_IMMOVABLE));
    return c;
}

/* S in its principal axes, and these in the world's frame. Returns whether W is definite. */
static inline mask_t to_slot(real_t *slot, const looked_contact_t *c) {
    const lanes_t zero = lane_zero();
    const contact_t *const k = &c->k;
    const lanes_t mass = lane_div(lane_set(1), k->k33);
    const tangent_t kappa = {lane_mul(mass, k->k13), lane_mul(mass, k->k23)};
    const tangent_tensor_t s = {lane_fnma(kappa.x, k->k13, k->k11),
                                lane_fnma(kappa.x, k->k23, k->k12),
                                lane_fnma(kappa.y, k->k23, k->k22)};
    const tangent_axes_t axes = tangent_axes(&s);
    const tangent_t turned = to_axes(&axes, kappa);
    const lanes_t cosine = axes.cosine;
    const lanes_t sine = axes.sine;
    const vector_t t1 = c->frame.t1;
    const vector_t t2 = c->frame.t2;
    store_vector(slot, TANGENT_1, vector_fma(cosine, t1, vector_scale(sine, t2)));
    store_vector(slot, TANGENT_2, vector_minus_times(vector_scale(cosine, t2), sine, t1));
    store_vector(slot, NORMAL, c->frame.n);
    store_vector(slot, ARM_A, c->arm_a);
    store_vector(slot, ARM_B, c->arm_b);
    store_tangent(slot, KAPPA, turned);
    store_tangent(slot, SIGMA, axes.sigma);
    store_column(slot, MASS, mass);
    store_column(slot, UNSPLIT, c->unsplit);
    const mask_t positive = mask_and(
        mask_and(lane_lt(zero, axes.sigma.x), lane_lt(zero, axes.sigma.y)), lane_lt(zero, k->k33));
    const mask_t finite =
        mask_and(finite3(axes.sigma.x, axes.sigma.y, mass), finite3(turned.x, turned.y, k->k33));
    return mask_and(positive, finite);
}

/*
 * The impulse of the step before in the new frame: p_n as it was along the old normal, if that is
 * given, and p_t turned into the new tangent plane without a change of its length.
 */
static inline lanes_t bring_over(const rest_t *r, real_t *slot, vector_t p, tangent_t *p_t,
                                 const uint32_t number[LANES]) {
    const lanes_t zero = lane_zero();
    const vector_t tangent_1 = vector_in(slot, TANGENT_1);
    const vector_t tangent_2 = vector_in(slot, TANGENT_2);
    *p_t = (tangent_t){vector_dot(tangent_1, p), vector_dot(tangent_2, p)};
    const lanes_t p_n = vector_dot(vector_in(slot, NORMAL), p);
    if (!r->state->normal_x) return p_n;
    const vector_t n = gather_vector_by(VECTOR_OF(AS_GIVEN, r->state, normal), number);
    const lanes_t before = vector_dot(n, p);
    const vector_t tangential = vector_minus_times(p, before, n);
    const tangent_t turned = {vector_dot(tangent_1, tangential), vector_dot(tangent_2, tangential)};
    const lanes_t size = tangent_length(turned);
    const lanes_t stretch = lane_div(lane_sqrt(vector_dot(tangential, tangential)),
                                     lane_select(lane_lt(zero, size), size, lane_set(1)));
    const tangent_t kept = tangent_scale(stretch, turned);
    const mask_t known = mask_and(lane_finite(before), lane_finite(tangent_length(kept)));
    *p_t = tangent_select(known, kept, *p_t);
    return lane_select(known, before, p_n);
}

/*
 * The largest velocity that a given impulse may make: those of a thousand contacts of a body may
 * add up, and energies are in double precision.
 */
#if IMPINGE_REAL_BITS == 32
#define GIVEN_MOST (REAL_MAX / 1024)
#else
#define GIVEN_MOST 0x1p480
#endif

/*
 * True if the velocities that an impulse gives fit the range, and the sum of some of them, too. W
 * has the shares of bodies that many contacts split as often as they are split.
 */
static inline mask_t gives_velocity(const contact_t *k, vector_t p) {
    const lanes_t trace = lane_add(lane_add(k->k11, k->k22), k->k33);
    const lanes_t size = lane_add(lane_add(lane_abs(p.x), lane_abs(p.y)), lane_abs(p.z));
    return lane_le(lane_mul(size, lane_max(trace, lane_set(1))), lane_set(GIVEN_MOST));
}

/*
 * The caller's impulse of the contact, moved into the cone; none if it is not finite, or too large
 * for the precision.
 */
static inline void warm_start(const rest_t *r, real_t *slot, const contact_t *k, mask_t alive,
                              const uint32_t number[LANES]) {
    const NAME(impinge_contact_state) *const state = r->state;
    const lanes_t zero = lane_zero();
    const vector_t none = {zero, zero, zero};
    vector_t given = vector_or_none(VECTOR_OF(AS_GIVEN, state, impulse), number);
    given = vector_select(mask_and(alive, gives_velocity(k, given)), given, none);
    tangent_t p_t;
    const lanes_t p_n = lane_max(bring_over(r, slot, given, &p_t, number), zero);
    const lanes_t size = lane_mul(load_column(slot, ALPHA), tangent_length(p_t));
    const lanes_t cone = lane_mul(load_column(slot, BETA), p_n);
    const mask_t beyond = lane_lt(cone, size);
    const lanes_t shrink = lane_div(cone, lane_select(beyond, size, lane_set(1)));
    p_t = tangent_select(beyond, tangent_scale(shrink, p_t), p_t);
    store_tangent(slot, IMPULSE, p_t);
    store_column(slot, IMPULSE + 2, p_n);
    store_vector(slot, LAST, none);
    store_column(slot, SLIDE_NU, lane_set(PLASTIC_UNKNOWN));
    store_column(slot, PEAK, zero);
}

/*
 * Notes contacts whose warm start, if all contacts of the body had as large a one, would swamp its
 * velocity. The number of these is the body's own: neither other lanes nor other islands change it.
 */
static inline void note_swamping(const rest_t *r, const real_t *slot, const looked_contact_t *c,
                                 const body_side_t sides[2], const uint32_t *number) {
    const lanes_t p_n = load_column(slot, IMPULSE + 2);
    const lanes_t p_t =
        lane_max(lane_abs(load_column(slot, IMPULSE)), lane_abs(load_column(slot, IMPULSE + 1)));
    const lanes_t given = lane_mul_add2(c->unsplit, p_n, lane_add(c->k.k11, c->k.k22), p_t);
    const lanes_t speed = lane_max(sides[0].speed, sides[1].speed);
    const lanes_t contacts = lane_max(sides[0].contacts, sides[1].contacts);
    const lanes_t most = lane_div(lane_mul(lane_set(SWAMPING), speed), contacts);
    /* A lane without a contact has no impulse. */
    const mask_t swamps = mask_and(lane_lt(most, given), lane_lt(lane_zero(), p_n));
    if (!mask_any(swamps)) return;
    const uint32_t bits = mask_bits(swamps);
    for (size_t j = 0; j < LANES; j++)
        if (bits >> j & 1) r->swamps[number[j]] = SWAMPS_FIRST;
}

/*
 * alpha for mu = infinity: an impulse that slides then has a p_n of this times |p_t| instead of
 * zero, too small to change any bit of the impulse.
 */
#define REST_ALPHA_LEAST (REAL_UNIT * REAL_UNIT)

static inline void store_friction(real_t *slot, lanes_t friction) {
    const lanes_t one = lane_set(1);
    const lanes_t alpha = lane_div(one, lane_max(one, friction));
    store_column(slot, ALPHA, lane_max(alpha, lane_set(REST_ALPHA_LEAST)));
    store_column(slot, BETA, lane_min(one, friction));
}

/* An inactive slot: u^ = 0, and no impulse. */
static inline void clear_where(real_t *slot, mask_t dead) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    if (!mask_any(dead)) return;
    for (int k = 0; k < REST_COLUMNS; k++) {
        const bool is_one = k == SIGMA || k == SIGMA + 1 || k == ALPHA;
        store_column(slot, k, lane_select(dead, is_one ? one : zero, load_column(slot, k)));
    }
}

/* Prepares the contacts of a slot. Returns which of them take part. */
static inline mask_t prepare_slot(const rest_t *r, const rest_group *group,
                                  const body_side_t sides[2], size_t index) {
    const uint32_t *const given = numbers_at(r, group, index);
    real_t *const slot = slot_at(r, group, index);
    uint32_t number[LANES], empty[LANES], words[LANES];
    for (size_t j = 0; j < LANES; j++) {
        empty[j] = given[j] == NO_CONTACT;
        /* An empty slot reads contact 0; its values are not used. */
        number[j] = empty[j] ? 0 : given[j];
    }
    looked_contact_t c = look_at(r, sides, number);
    const mask_t right = mask_not(word_has(c.word, ~UINT32_C(0)));
    const mask_t definite = to_slot(slot, &c);
    c.word =
        word_or(c.word, word_where(mask_andnot(right, definite), IMPINGE_OUTCOME_INVALID_MATRIX));
    const mask_t filled = mask_not(word_has(word_load(empty), 1));
    const mask_t alive = mask_and(filled, mask_and(right, definite));
    store_friction(slot, lane_select(alive, c.friction, lane_zero()));
    /* A contact that is still apart may close its gap in the step. */
    const lanes_t reach = lane_mul(lane_max(c.gap, lane_zero()), lane_set(r->inverse_step));
    store_column(slot, AIM, vector_dot(vector_in(slot, TANGENT_1), c.aim));
    store_column(slot, AIM + 1, vector_dot(vector_in(slot, TANGENT_2), c.aim));
    store_column(slot, AIM + 2, lane_sub(vector_dot(c.frame.n, c.aim), reach));
    warm_start(r, slot, &c.k, alive, number);
    clear_where(slot, mask_not(alive));
    if (r->state->impulse_x) note_swamping(r, slot, &c, sides, given);
    word_store(words, c.word);
    for (size_t j = 0; j < LANES; j++)
        if (!empty[j]) r->word[given[j]] = words[j];
    return alive;
}

/*
 * Pairs of k contacts are split: each uses W^ = s (W_A + W_B), so that all k can be solved at once
 * from the same velocities. k times the diagonal blocks of the pair's W is no less than W. So for s
 * = k no sweep can gain energy without friction, for s above k / 2 sweeps converge, and for s above
 * 3/4 k they also converge if they are extrapolated by any factor b < 1 (if the plain iteration has
 * the eigenvalues 1 - l / s, it converges for l / s below 2, and Nesterov's for l / s below (2 + 2
 * b) / (1 + 2 b)). The energy guard handles the rest.
 *
 * Corners of a box are less coupled than that: for half of the pairs of a collapse, W is at most
 * 2.7 times its blocks with three contacts, and 3.1 times with four; for some it comes close to k.
 * Computing these numbers does not pay: with 3/4 of them instead of 3/4 k, 14 sweeps do the work of
 * 15. A count of the contacts that pressed in the sweep before, instead of k, does not pay either.
 */
#define SPLIT REAL(0.75)

static inline lanes_t split_of(lanes_t contacts) {
    const lanes_t one = lane_set(1);
    return lane_max(lane_mul(contacts, lane_set(SPLIT)), one);
}

static inline void split_slot(real_t *slot, lanes_t split) {
    const lanes_t one = lane_set(1);
    const lanes_t mass = load_column(slot, MASS);
    const mask_t alive = lane_lt(lane_zero(), mass);
    const lanes_t by = lane_select(alive, split, one);
    const tangent_t sigma = tangent_scale(by, tangent_in(slot, SIGMA));
    store_column(slot, MASS, lane_div(mass, by));
    store_tangent(slot, SIGMA, sigma);
    store_column(slot, RHO, lane_div(lane_sub(sigma.x, sigma.y), lane_add(sigma.x, sigma.y)));
    store_tangent(slot, COMPLIANCE, (tangent_t){lane_div(one, sigma.x), lane_div(one, sigma.y)});
}

static inline void store_side(real_t *pair, int to, const body_side_t *side) {
    const tensor_t *const t = &side->inverse_inertia;
    const lanes_t x[7] = {side->inverse_mass, t->xx, t->xy, t->xz, t->yy, t->yz, t->zz};
    for (int k = 0; k < 7; k++)
        store_column(pair, to + k, x[k]);
}

static void prepare_groups(const rest_t *r, size_t first, size_t count) {
    for (size_t g = first; g < first + count; g++) {
        const rest_group *const group = &r->group[g];
        const body_side_t sides[2] = {side_of(r, r->from_a + group->lane),
                                      side_of(r, r->from_b + group->lane)};
        const lanes_t one = lane_set(1);
        lanes_t contacts = lane_zero();
        for (uint32_t s = 0; s < group->depth; s++) {
            const mask_t alive = prepare_slot(r, group, sides, s);
            contacts = lane_add(contacts, lane_select(alive, one, lane_zero()));
        }
        real_t *const pair = pair_at(r, group);
        store_side(pair, INVERSE_MASS_A, &sides[0]);
        store_side(pair, INVERSE_MASS_B, &sides[1]);
        const lanes_t split = split_of(contacts);
        store_column(pair, SPLIT_BY, split);
        /* Without an order, masses are split already. */
        for (uint32_t s = 0; s < group->depth; s++)
            split_slot(slot_at(r, group, s), r->unordered ? one : split);
    }
}

#endif
