/* Prepares a given contact for its first step: checks, scales, the principal frame. */
#ifndef IMPINGE_KERNELS_ROUTH_NORMALISE_H
#define IMPINGE_KERNELS_ROUTH_NORMALISE_H

#include "../contact.h"
#include "../exponents.h"
#include "../principal.h"
#include "ring.h"

static inline routh_options_t law_of(const impinge_options *options, bool planar) {
    const real_t finest = 4 * REAL_UNIT; /* below that, all is rounding */
    const real_t tolerance = (real_t)options->tolerance / ERROR_OF_STEPS;
    routh_options_t law;
    law.rule = options->rule;
    law.resolve_jams = options->resolve_jams;
    law.restitution_max = restitution_max(options);
    law.tolerance = tolerance < finest ? finest : tolerance;
    law.promised = (real_t)options->tolerance;
    if (law.promised < finest) law.promised = finest;
    law.planar = planar;
    /* Nothing is integrated, so that no small slip needs to be neglected. */
    if (planar) law.tolerance = finest;
    return law;
}

static inline lanes_t end_of(const routh_options_t *law, lanes_t restitution, lanes_t u_n) {
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE:
        return lane_mul(restitution, restitution);
    case IMPINGE_RULE_NEWTON:
        return lane_neg(lane_mul(restitution, u_n));
    default:
        return restitution;
    }
}

/* Works reach |K^-1| u^2, which must also fit. */
#if IMPINGE_REAL_BITS == 32
#define WORK_UNIT_LEAST 0x1p-60f
#else
#define WORK_UNIT_LEAST 0x1p-480
#endif

static inline lanes_t work_scale_of(lanes_t u_n) {
    const lanes_t size = lane_max(lane_abs(u_n), lane_set(WORK_UNIT_LEAST));
    return lane_inverse_power(size);
}

/* The bits of a state from which scale_again restores a scale's second factor. */
static inline state_t scale_state(const scale_t *s, uint32_t small, uint32_t large) {
    if (s->plain) return state_where(mask_none(), 0);
    const lanes_t one = lane_set(1);
    return state_or(state_where(lane_lt(s->prescale, one), small),
                    state_where(lane_lt(one, s->prescale), large));
}

/* The error of the direction of a slip, in those of one step. */
#define TURN_OF_SLIP REAL(4.0)

/*
 * For a slip on a ray along which it comes to zero, where static friction holds it and kinetic
 * friction would not, but for rounding and the error of steps, which turns a small slip by more.
 * Where these may change whether the ray attracts the slip, or repels it so that it passes zero,
 * the answer is in doubt.
 */
static inline mask_t coming_is_doubtful(const matrix_t *k, const polar_t *p,
                                        const routh_options_t *law) {
    const real_t units = 8 * REAL_UNIT;
    const lanes_t size = rates_size(k);
    const lanes_t rounding = lane_mul(lane_set(units), size);
    const lanes_t c = lane_add(p->g, p->q);
    const lanes_t bend = lane_abs(lane_fms(lane_set(3), lane_sub(p->f, p->g_slope), p->f));
    const lanes_t needs = lane_mul(lane_mul(lane_set(4), rounding), lane_add(bend, size));
    const mask_t attracts = mask_and(lane_lt(rounding, c), lane_lt(needs, lane_mul(c, c)));
    const lanes_t turn = lane_div(step_allowance(p->r, law->tolerance), p->r);
    const lanes_t error = lane_fma(lane_mul(lane_set(TURN_OF_SLIP), turn), size, rounding);
    /* In a plane f is zero, not only to rounding: the slip stays on its ray. */
    const mask_t near = mask_andnot(lane_le(lane_abs(p->f), error), lane_eq(p->f, lane_zero()));
    return mask_andnot(near, attracts);
}

/*
 * Static friction bears what keeps the contact at rest, or does not, by rounding alone, which grows
 * with the ratio of T's eigenvalues. Where kinetic friction is as large, the velocity hardly
 * depends on it.
 */
static inline mask_t bearing_is_doubtful(const matrix_t *k, lanes_t borne, lanes_t friction_static,
                                         const routh_options_t *law) {
    const real_t units = 16 * REAL_UNIT;
    const lanes_t gap = lane_abs(lane_sub(friction_static, borne));
    const lanes_t held = lane_mul(lane_mul(k->alpha, friction_static), lane_set(1 - units));
    const lanes_t least = law->planar ? k->t1 : lane_min(k->t1, k->t2);
    const lanes_t most = law->planar ? k->t1 : lane_max(k->t1, k->t2);
    const lanes_t rounding = lane_mul(lane_mul(lane_set(units), borne), most);
    return mask_and(lane_lt(k->beta, held), lane_le(lane_mul(gap, least), rounding));
}

/*
 * The initial state of contacts that collide: sliding, sliding straight, or at rest (neither). Sets
 * a bit of *outcome where this is in doubt.
 */
static inline state_t state_before(const matrix_t *k, const sticking_t *sticking, lanes_t x,
                                   lanes_t y, lanes_t friction_static, const routh_options_t *law,
                                   words_t *outcome) {
    const polar_t p = polar_of(k, x, y);
    const lanes_t borne = sticking_friction(sticking);
    const mask_t unstable = mask_not(lane_le(lane_mul(k->alpha, borne), k->beta));
    const mask_t slips = lane_lt(lane_zero(), p.r);
    state_t state = state_where(unstable, STATE_UNSTABLE);
    lanes_t none = slip_of_none(unstable, law->tolerance);
    const mask_t near = mask_and(unstable, bearing_is_doubtful(k, borne, friction_static, law));
    *outcome = word_or(*outcome, word_where(near, IMPINGE_OUTCOME_TOLERANCE_MISSED));
    const mask_t held = mask_and(mask_and(unstable, slips), lane_le(borne, friction_static));
    if (mask_any(held)) {
        const mask_t passes = mask_andnot(held, slip_comes_to_zero(k, &p));
        const mask_t doubtful = mask_and(held, coming_is_doubtful(k, &p, law));
        *outcome = word_or(*outcome, word_where(doubtful, IMPINGE_OUTCOME_TOLERANCE_MISSED));
        state = state_with(state, passes, STATE_PASSES);
        none = lane_select(passes, passing_none(law->tolerance), none);
    }
    const mask_t straight =
        mask_or(slip_goes_straight(k, &p, none, law->tolerance), lane_eq(k->beta, lane_zero()));
    const state_t slides = state_with(state, mask_andnot(slips, straight), STATE_SLIDING);
    return state_with(slides, mask_and(slips, straight), STATE_LINE);
}

/*
 * Sorts contacts into those that approach, separate or graze: u_n = 0 with du_n/dp_n < 0 is a jam,
 * which is resolved if options.resolve_jams is set. Where the terms of du_n/dp_n cancel to rounding
 * (of the slip in the principal frame, too) the answer is in doubt: a jam has an impulse of the
 * size of what stops the slip, and other contacts have none.
 */
static inline words_t approach_check(const matrix_t *k, lanes_t x, lanes_t y, lanes_t u_n,
                                     const routh_options_t *law) {
    const mask_t separating = lane_le(lane_zero(), u_n);
    if (!law->resolve_jams) return word_where(separating, IMPINGE_OUTCOME_SEPARATING);
    const real_t units = 16 * REAL_UNIT;
    const lanes_t r = lane_sqrt(lane_mul_add2(x, x, y, y));
    const mask_t grazes = mask_and(lane_eq(u_n, lane_zero()), lane_lt(lane_zero(), r));
    const lanes_t divisor = lane_select(grazes, r, lane_set(1));
    const lanes_t rate = normal_rate(k, lane_div(x, divisor), lane_div(y, divisor));
    const lanes_t coupling = lane_mul(k->beta, lane_add(lane_abs(k->k1), lane_abs(k->k2)));
    const lanes_t rounding = lane_mul(lane_set(units), lane_fma(k->alpha, k->k33, coupling));
    const mask_t jams = mask_and(grazes, lane_lt(rate, lane_zero()));
    const mask_t doubtful = mask_and(grazes, lane_le(lane_abs(rate), rounding));
    const words_t is =
        word_or(word_where(mask_andnot(separating, jams), IMPINGE_OUTCOME_SEPARATING),
                word_where(jams, IMPINGE_OUTCOME_JAMMED));
    return word_or(is, word_where(doubtful, IMPINGE_OUTCOME_TOLERANCE_MISSED));
}

static inline matrix_t matrix_of(const contact_t *contact, const principal_t *p) {
    const lanes_t one = lane_set(1);
    matrix_t k;
    k.k1 = lane_mul_add2(p->cosine, contact->k13, p->sine, contact->k23);
    k.k2 = lane_difference_of_products(p->cosine, contact->k23, p->sine, contact->k13);
    k.k33 = contact->k33;
    k.t1 = p->t1;
    k.t2 = p->t2;
    k.alpha = lane_div(one, lane_max(one, contact->friction));
    /*
     * Products of a subnormal coefficient have no digits; it is far below rounding. So is the least
     * normal one, with which static friction may hold the slip, as it does not without friction.
     */
    const mask_t holds = mask_and(lane_lt(lane_zero(), contact->friction),
                                  lane_lt(contact->friction, contact->friction_static));
    const lanes_t least = lane_select(holds, lane_set(REAL_MIN), lane_zero());
    const mask_t rubs = lane_le(lane_set(REAL_MIN), contact->friction);
    k.beta = lane_select(rubs, lane_min(one, contact->friction), least);
    k.work_scale = work_scale_of(contact->u3);
    return k;
}

static inline mask_t positive_definite(const matrix_t *k, const sticking_t *sticking) {
    const lanes_t zero = lane_zero();
    const mask_t tangential = mask_and(lane_lt(zero, k->t1), lane_lt(zero, k->t2));
    return mask_and(tangential, lane_lt(zero, sticking->rate));
}

/* The squares of smaller normalised slips are below the normal numbers: they have no direction. */
#if IMPINGE_REAL_BITS == 32
#define SLIP_LEAST 0x1p-60f
#else
#define SLIP_LEAST 0x1p-500
#endif

/* u_t0 in the principal frame; a slip too small to square is none. */
static inline void principal_slip(const contact_t *contact, const principal_t *frame, lanes_t *x,
                                  lanes_t *y) {
    const lanes_t zero = lane_zero();
    const lanes_t along = lane_mul_add2(frame->cosine, contact->u1, frame->sine, contact->u2);
    const lanes_t across =
        lane_difference_of_products(frame->cosine, contact->u2, frame->sine, contact->u1);
    const mask_t none = lane_lt(lane_max(lane_abs(along), lane_abs(across)), lane_set(SLIP_LEAST));
    *x = lane_select(none, zero, along);
    *y = lane_select(none, zero, across);
}

/* A normalised slip that is still above SLIP_LEAST where it is turned; and what makes subnormal
 * numbers normal. */
#if IMPINGE_REAL_BITS == 32
#define SLIP_FOLLOWED 0x1p-56f
#define NORMAL_AGAIN  0x1p64f
#else
#define SLIP_FOLLOWED 0x1p-496
#define NORMAL_AGAIN  0x1p512
#endif

/* The exponent of a number of any size above zero. */
static inline lanes_t exponent_of_any(lanes_t a) {
    const lanes_t normal_again = lane_set(NORMAL_AGAIN);
    const mask_t small = lane_lt(a, lane_set(1));
    const lanes_t exponent = lane_log2_coarse(lane_select(small, lane_mul(a, normal_again), a));
    return lane_select(small, lane_sub(exponent, lane_log2_coarse(normal_again)), exponent);
}

/*
 * Where static friction exceeds kinetic friction, it may hold what does not slip, but not a slip
 * that leaves zero, or passes it, however small. So a slip too small to square does not count as
 * none there, but as one in the same direction and just large enough, which is far below the
 * rounding of |u0|. Powers of two at least 1 round nothing.
 */
static APART void follow_small_slip(contact_t *contact) {
    const lanes_t zero = lane_zero();
    const lanes_t size = lane_max(lane_abs(contact->u1), lane_abs(contact->u2));
    const lanes_t u_n = lane_abs(contact->u3);
    const lanes_t followed = lane_mul(lane_set(SLIP_FOLLOWED), u_n);
    const mask_t parts = lane_lt(contact->friction, contact->friction_static);
    const mask_t small = mask_and(lane_lt(zero, size), lane_lt(size, followed));
    const mask_t raised = mask_and(parts, small);
    if (!mask_any(raised)) return;
    const lanes_t exponent =
        lane_add(exponent_of_any(u_n), lane_log2_coarse(lane_set(SLIP_FOLLOWED)));
    const lanes_t by = lane_select(raised, lane_sub(exponent, exponent_of_any(size)), zero);
    contact->u1 = lane_select(raised, times_power(contact->u1, by), contact->u1);
    contact->u2 = lane_select(raised, times_power(contact->u2, by), contact->u2);
}

/* Prepares LANES contacts. */
static inline void normalise(closing_t *c, contact_t *contact, const routh_options_t *law) {
    words_t word = contact_check(contact, law->restitution_max);
    neutralise(contact,
               word_has(word, IMPINGE_OUTCOME_INVALID_REASONS | IMPINGE_OUTCOME_IMMOVABLE));
    follow_small_slip(contact);
    scale_t k_scale, u_scale;
    normalise_matrix(contact, &k_scale);
    normalise_velocity(contact, &u_scale);
    const principal_t frame = law->planar
                                  ? principal_frame_in_plane(contact->k11)
                                  : principal_frame(contact->k11, contact->k12, contact->k22);
    const matrix_t k = matrix_of(contact, &frame);
    const sticking_t sticking = sticking_of(&k);
    word = word_or(word, word_where(mask_not(positive_definite(&k, &sticking)),
                                    IMPINGE_OUTCOME_INVALID_MATRIX));
    word = invalid_first(word);

    lanes_t x, y;
    principal_slip(contact, &frame, &x, &y);
    const mask_t alive = mask_not(word_has(word, OUTCOME_NO_IMPULSE));
    const words_t approach = approach_check(&k, x, y, contact->u3, law);
    word = word_or(word, word_select(alive, approach, word_where(mask_none(), 0)));
    const mask_t collides = mask_not(word_has(word, OUTCOME_NO_IMPULSE));
    words_t doubt = word_where(mask_none(), 0);
    const state_t begins = state_before(&k, &sticking, x, y, contact->friction_static, law, &doubt);
    word = word_or(word, word_select(collides, doubt, word_where(mask_none(), 0)));
    const state_t state = state_select(collides, begins, state_where(mask_all(), STATE_ENDED));
    const mask_t slips = state_has(state, STATE_SLIDING | STATE_LINE);

    const lanes_t zero = lane_zero();
    *c = (closing_t){
        .matrix = k,
        .motion = {.x = x,
                   .y = y,
                   .u_n = contact->u3,
                   .q = zero,
                   .q_compression = zero,
                   .p1 = zero,
                   .p2 = zero,
                   .work_compression = zero,
                   .work_restitution = zero},
        .end = end_of(law, contact->restitution, contact->u3),
        .friction_static = contact->friction_static,
        .kept = {.cosine = frame.cosine,
                 .sine = frame.sine,
                 .x = x,
                 .y = y,
                 .u_n = contact->u3,
                 .scale_u = u_scale.scale,
                 .k_inverse = k_scale.inverse},
        .rest = lane_set(REAL_MAX),
        .outcome = word_or(word, word_where(slips, IMPINGE_OUTCOME_SLID)),
        .state = state_or(state, state_or(scale_state(&u_scale, STATE_U_SMALL, STATE_U_LARGE),
                                          scale_state(&k_scale, STATE_K_SMALL, STATE_K_LARGE))),
    };
}

#endif
