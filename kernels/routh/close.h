/*
 * Closing: the rest of a collision whose slip goes straight on or has vanished, in closed form
 * (Mirtich 1996, corrected, 3.6 and 3.9).
 *
 * Along a straight line du/dq is constant; u_n is linear in q and the works are quadratic. A
 * contact closes along at most two lines: the ray on which it slides, and, if that ends at zero
 * slip, sticking or the diverging ray.
 */
#ifndef IMPINGE_KERNELS_ROUTH_CLOSE_H
#define IMPINGE_KERNELS_ROUTH_CLOSE_H

#include "../response.h"
#include "rule.h"

/* Goes dq along a line on which u_n changes at a constant rate, in the phase that it is in. */
static inline void line_part(closing_t *c, lanes_t dq, lanes_t u_n_after) {
    const lanes_t zero = lane_zero();
    motion_t *m = &c->motion;
    const lanes_t half = lane_mul(lane_set(REAL(0.5)), c->matrix.work_scale);
    const lanes_t work = lane_mul(lane_mul(half, dq), lane_add(m->u_n, u_n_after));
    m->q = lane_add(m->q, dq);
    m->q_compression = lane_add(m->q_compression, lane_select(c->expanding, zero, dq));
    count_work(m, work, c->expanding);
    m->u_n = u_n_after;
}

/*
 * Compression again, in the lanes of `on`, to the stop that is `left` away. Returns the distance.
 */
static APART lanes_t line_recompress(closing_t *c, lanes_t rate, lanes_t left, mask_t on,
                                     const routh_options_t *law) {
    const motion_t before = c->motion;
    const mask_t doubtful =
        mask_and(on, recompression_is_doubtful(law, &c->motion, &c->matrix, c->end));
    c->expanding = mask_andnot(c->expanding, on);
    c->outcome = word_or(c->outcome, word_where(on, IMPINGE_OUTCOME_RECOMPRESSED));
    c->outcome = word_or(c->outcome, word_where(doubtful, IMPINGE_OUTCOME_TOLERANCE_MISSED));
    line_part(c, left, lane_fma(rate, left, c->motion.u_n));
    c->motion = motion_select(on, &c->motion, &before);
    return lane_select(on, left, lane_zero());
}

/*
 * Goes along a line for at most `stop` in the lanes of `on`: compression, restitution, and
 * compression again if u_n falls (which it does only on a line that stops). Returns the distance;
 * the lanes in which restitution was completed are added to `ended`.
 */
static inline lanes_t line_follow(closing_t *c, lanes_t rate, lanes_t stop, mask_t on,
                                  const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    const lanes_t never = lane_set(REAL_MAX);
    motion_t *m = &c->motion;
    const motion_t before = *m;
    const mask_t rises = lane_lt(zero, rate);
    const mask_t falls = lane_lt(rate, zero);

    /* Compression ends where u_n = 0. */
    const mask_t compresses = mask_andnot(on, c->expanding);
    const lanes_t to_zero = lane_max(lane_div(lane_neg(m->u_n), rate), zero);
    const lanes_t to_restitution = lane_select(rises, to_zero, never);
    const mask_t turns = mask_and(compresses, lane_le(to_restitution, stop));
    const lanes_t first = lane_select(compresses, lane_min(to_restitution, stop), zero);
    line_part(c, first, lane_select(turns, zero, lane_fma(rate, first, m->u_n)));
    c->expanding = mask_or(c->expanding, turns);

    /* Restitution ends by the rule, or where u_n is zero again, or where the line stops. */
    const mask_t expands = mask_and(on, c->expanding);
    const lanes_t left = lane_sub(stop, first);
    const lanes_t amount = owed(law, m, c->end);
    const lanes_t above = lane_max(m->u_n, zero);
    const lanes_t owes =
        lane_max(impulse_owed(law, amount, above, rate, c->matrix.work_scale), zero);
    lanes_t to_fall = never;
    if (mask_any(mask_and(expands, falls)))
        to_fall = lane_select(falls, lane_div(above, lane_neg(rate)), never);
    const mask_t reaches = end_is_reached(law, amount, above, rate, c->matrix.work_scale);
    const lanes_t to_end = lane_select(reaches, owes, never);
    const mask_t ends =
        mask_and(expands, mask_and(lane_le(to_end, to_fall), lane_le(to_end, left)));
    const mask_t falls_back = mask_andnot(mask_and(expands, lane_lt(to_fall, left)), ends);
    const lanes_t second = lane_select(expands, lane_min(to_end, lane_min(to_fall, left)), zero);
    lanes_t u_n_after = lane_fma(rate, second, m->u_n);
    u_n_after = lane_select(falls_back, zero, u_n_after);
    if (law->rule == IMPINGE_RULE_NEWTON) u_n_after = lane_select(ends, c->end, u_n_after);
    line_part(c, second, u_n_after);
    c->ended = mask_or(c->ended, ends);

    lanes_t gone = lane_add(first, second);
    if (mask_any(falls_back)) {
        const lanes_t third = line_recompress(c, rate, lane_sub(left, second), falls_back, law);
        gone = lane_add(gone, third);
    }
    *m = motion_select(on, m, &before);
    return gone;
}

/*
 * A slip within the error may count as none, but it may not be followed for long if it changes
 * across its direction: p would be off by that change. A slip that grows here, perhaps by rounding,
 * is followed if it is on its ray, so that only rounding is across.
 */
static inline mask_t tiny_slip_is_none(const matrix_t *k, lanes_t r, lanes_t growth, lanes_t across,
                                       const routh_options_t *law) {
    const lanes_t rounding = lane_mul(lane_mul(r, rates_size(k)), lane_set(8 * REAL_UNIT));
    const lanes_t shrinking = lane_mul(lane_set(law->tolerance), lane_neg(growth));
    const mask_t shrinks = lane_lt(growth, lane_zero());
    return lane_lt(lane_select(shrinks, shrinking, rounding), lane_abs(across));
}

/* The slip that remains by momentum where it is taken for none; zero elsewhere. */
typedef struct remains {
    lanes_t x, y;
} remains_t;

/* q is still in its own units. */
static inline remains_t remains_of(const closing_t *c, mask_t stopped) {
    const lanes_t zero = lane_zero();
    const matrix_t *k = &c->matrix;
    const motion_t *m = &c->motion;
    const lanes_t p_n = lane_mul(k->alpha, m->q);
    const lanes_t x = lane_fma(k->t1, m->p1, lane_fma(k->k1, p_n, c->kept.x));
    const lanes_t y = lane_fma(k->t2, m->p2, lane_fma(k->k2, p_n, c->kept.y));
    return (remains_t){lane_select(stopped, x, zero), lane_select(stopped, y, zero)};
}

/*
 * On a converging ray the slip ends at zero; with beta = 0 it goes straight past zero. On a ray
 * du_t/dq is g s: the difference alpha k - beta T s of components would lose digits, and the path,
 * which may be long, multiplies the error.
 */
static inline remains_t close_ray(closing_t *c, mask_t on, const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    const matrix_t *k = &c->matrix;
    motion_t *m = &c->motion;
    const lanes_t r = slip_size(m);
    const lanes_t divisor = lane_select(on, r, lane_set(1));
    const lanes_t s1 = lane_div(m->x, divisor);
    const lanes_t s2 = lane_div(m->y, divisor);
    const lanes_t free_1 = slip_rate_1(k, s1);
    const lanes_t free_2 = slip_rate_2(k, s2);
    const lanes_t growth = lane_mul_add2(s1, free_1, s2, free_2);
    const mask_t rubs = lane_lt(zero, k->beta);
    const lanes_t x_rate = lane_select(rubs, lane_mul(growth, s1), free_1);
    const lanes_t y_rate = lane_select(rubs, lane_mul(growth, s2), free_2);
    mask_t stops = mask_and(lane_lt(growth, zero), rubs);
    lanes_t stop = lane_select(stops, lane_div(r, lane_neg(growth)), lane_set(REAL_MAX));
    const mask_t tiny = mask_and(mask_and(on, rubs), lane_le(r, lane_set(law->tolerance)));
    if (mask_any(tiny)) {
        const lanes_t across = lane_mul(r, lane_difference_of_products(s1, free_2, s2, free_1));
        const mask_t none = mask_and(tiny, tiny_slip_is_none(k, r, growth, across, law));
        stops = mask_or(stops, none);
        stop = lane_select(none, zero, stop);
    }

    const lanes_t gone = line_follow(c, normal_rate(k, s1, s2), stop, on, law);
    const mask_t stopped = mask_andnot(mask_and(on, stops), c->ended);
    const lanes_t x = lane_fma(x_rate, gone, m->x);
    const lanes_t y = lane_fma(y_rate, gone, m->y);
    m->x = lane_select(on, lane_select(stopped, zero, x), m->x);
    m->y = lane_select(on, lane_select(stopped, zero, y), m->y);
    const lanes_t friction = lane_mul(k->beta, gone);
    m->p1 = lane_select(on, lane_fnma(friction, s1, m->p1), m->p1);
    m->p2 = lane_select(on, lane_fnma(friction, s2, m->p2), m->p2);
    return remains_of(c, stopped);
}

/*
 * The diverging ray's direction (s1, s2) and the rate lambda at which slip grows along it per unit
 * of q, from s = (lambda 1 + beta T)^-1 alpha k, |s| = 1 (Mirtich 1996, corrected, 3.10). Newton's
 * iteration on 1 / |s|, which is concave in lambda, climbs from a lower bound without passing the
 * root; from infinity its first step comes to |alpha k| less the mean of beta T by the squares of
 * alpha k. The last correction is one whose square is a rounding error, or whose |s| is 1 but for
 * rounding.
 */
static inline lanes_t diverging_ray(const matrix_t *k, mask_t wanted, lanes_t *s1, lanes_t *s2) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const lanes_t half = lane_set(REAL(0.5));
    const lanes_t a1 = lane_select(wanted, lane_mul(k->alpha, k->k1), one);
    const lanes_t a2 = lane_select(wanted, lane_mul(k->alpha, k->k2), zero);
    const lanes_t b1 = lane_select(wanted, lane_mul(k->beta, k->t1), zero);
    const lanes_t b2 = lane_select(wanted, lane_mul(k->beta, k->t2), zero);
    const lanes_t square_1 = lane_mul(a1, a1);
    const lanes_t square_2 = lane_mul(a2, a2);
    const lanes_t sum = lane_add(square_1, square_2);
    const lanes_t mean =
        lane_div(lane_mul_add2(square_1, b1, square_2, b2), lane_max(sum, lane_set(REAL_MIN)));
    lanes_t lambda = lane_max(lane_sub(lane_sqrt(sum), mean), zero);
    mask_t going = wanted;
    /*
     * It converges quadratically: a bound of as many steps as there are bits is only for rounding.
     */
    for (int i = 0; i < MANTISSA_BITS && mask_any(going); i++) {
        const lanes_t i1 = lane_div(one, lane_add(lambda, b1));
        const lanes_t i2 = lane_div(one, lane_add(lambda, b2));
        const lanes_t x = lane_mul(a1, i1);
        const lanes_t y = lane_mul(a2, i2);
        const lanes_t xx = lane_mul(x, x);
        const lanes_t yy = lane_mul(y, y);
        const lanes_t square = lane_add(xx, yy);
        const lanes_t slope = lane_mul_add2(xx, i1, yy, i2);
        const lanes_t excess = lane_sub(lane_sqrt(square), one);
        const lanes_t step = lane_div(lane_mul(square, excess), slope);
        const mask_t small = lane_le(lane_abs(step), lane_mul(lane_set(HALF_PRECISION), lambda));
        const mask_t exact = lane_le(lane_abs(excess), lane_set(8 * REAL_UNIT));
        lambda = lane_select(going, lane_max(lane_add(lambda, step), zero), lambda);
        going = mask_andnot(going, mask_or(small, exact));
    }
    *s1 = lane_div(a1, lane_add(lambda, b1));
    *s2 = lane_div(a2, lane_add(lambda, b2));
    /* |s| is 1 but for a few units, so that 1 / |s| is (3 - s . s) / 2. */
    const lanes_t square = lane_mul_add2(*s1, *s1, *s2, *s2);
    const lanes_t inverse = lane_fnma(half, square, lane_set(REAL(1.5)));
    *s1 = lane_mul(*s1, inverse);
    *s2 = lane_mul(*s2, inverse);
    return lane_max(lane_neg(ray_rate(k, *s1, *s2)), zero);
}

/* From units of q to normal impulse: the last line's parameter is p_n itself. */
static inline void to_normal_impulse(closing_t *c) {
    const lanes_t alpha = c->matrix.alpha;
    motion_t *m = &c->motion;
    m->q = lane_mul(alpha, m->q);
    m->q_compression = lane_mul(alpha, m->q_compression);
    m->work_compression = lane_mul(alpha, m->work_compression);
    m->work_restitution = lane_mul(alpha, m->work_restitution);
}

/* True if a contact whose slip is taken for none sticks. */
static inline mask_t sticking_lasts(const closing_t *c, const sticking_t *sticking) {
    const mask_t stable = sticking_is_stable(sticking, c->friction_static);
    return mask_andnot(stable, state_has(c->state, STATE_PASSES));
}

/* At zero slip: sticking if that is stable, else along the diverging ray (Mirtich 1996,
 * corrected, 3.5 to 3.9). */
static APART void close_at_rest(closing_t *c, mask_t on, const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    const matrix_t *k = &c->matrix;
    motion_t *m = &c->motion;
    /*
     * Sticking: dp_t/dp_n = -T^-1 k, and the contact stays at rest if that is within the friction
     * cone.
     */
    const sticking_t sticking = sticking_of(k);
    lanes_t p1_rate = lane_neg(sticking.kappa_1);
    lanes_t p2_rate = lane_neg(sticking.kappa_2);
    lanes_t u_n_rate = sticking.rate;
    lanes_t slip_rate = zero;
    const mask_t sticks = mask_and(on, sticking_lasts(c, &sticking));
    const mask_t diverges = mask_andnot(on, sticks);
    lanes_t s1 = zero;
    lanes_t s2 = zero;
    if (mask_any(diverges)) {
        const lanes_t lambda = diverging_ray(k, diverges, &s1, &s2);
        const lanes_t one = lane_set(1);
        const lanes_t per_q = lane_div(one, lane_select(diverges, k->alpha, one));
        const lanes_t friction = lane_mul(k->beta, per_q);
        p1_rate = lane_select(diverges, lane_neg(lane_mul(friction, s1)), p1_rate);
        p2_rate = lane_select(diverges, lane_neg(lane_mul(friction, s2)), p2_rate);
        u_n_rate = lane_select(diverges, lane_mul(normal_rate(k, s1, s2), per_q), u_n_rate);
        slip_rate = lane_select(diverges, lane_mul(lambda, per_q), zero);
    }
    const lanes_t gone = line_follow(c, u_n_rate, lane_set(REAL_MAX), on, law);
    c->rest = lane_select(on, lane_mul(u_n_rate, gone), c->rest);
    m->p1 = lane_select(on, lane_fma(p1_rate, gone, m->p1), m->p1);
    m->p2 = lane_select(on, lane_fma(p2_rate, gone, m->p2), m->p2);
    const lanes_t slip = lane_mul(slip_rate, gone);
    /* Sticking has no direction: in its lanes s depends on their neighbours. */
    m->x = lane_select(on, lane_select(diverges, lane_mul(slip, s1), zero), m->x);
    m->y = lane_select(on, lane_select(diverges, lane_mul(slip, s2), zero), m->y);
    const words_t rests = word_or(word_where(sticks, IMPINGE_OUTCOME_STUCK),
                                  word_where(diverges, IMPINGE_OUTCOME_DIVERGED));
    c->outcome = word_or(c->outcome, rests);
}

/* True if an impulse is within the cone of static friction. */
static inline mask_t is_borne(const closing_t *c) {
    const motion_t *m = &c->motion;
    const lanes_t most = lane_mul(c->friction_static, m->q);
    return lane_le(lane_mul_add2(m->p1, m->p1, m->p2, m->p2), lane_mul(most, most));
}

/* True if an impulse gains energy by more than rounding. The gain is p.u0 + p.K p / 2. */
static inline mask_t impulse_gains(const closing_t *c) {
    const matrix_t *k = &c->matrix;
    const motion_t *m = &c->motion;
    const lanes_t two = lane_set(2);
    const lanes_t coupling = lane_mul_add2(k->k1, m->p1, k->k2, m->p2);
    const lanes_t own = lane_mul_add2(k->t1, lane_mul(m->p1, m->p1), k->t2, lane_mul(m->p2, m->p2));
    const lanes_t all = lane_fma(k->k33, lane_mul(m->q, m->q), own);
    const lanes_t square = lane_fma(lane_mul(two, coupling), m->q, all); /* p.K p */
    const lanes_t x = lane_mul(c->kept.x, m->p1);
    const lanes_t y = lane_mul(c->kept.y, m->p2);
    const lanes_t z = lane_mul(c->kept.u_n, m->q);
    const lanes_t twice = lane_fma(two, lane_add(x, lane_add(y, z)), square);
    const lanes_t sizes = lane_add(lane_abs(x), lane_add(lane_abs(y), lane_abs(z)));
    return lane_lt(lane_mul(lane_set(32 * REAL_UNIT), lane_add(sizes, all)), twice);
}

/*
 * At rest with a remaining slip that is within the tolerance, but more than rounding. Sticking
 * removes it at once by p_t = -T^-1 u_t, which loses energy; otherwise the rest would be that of
 * another contact, and its p_t could add as much energy as u_t . p_t. The whole impulse must still
 * be in the cone. Where it is not, as mu_s is hardly enough for sticking, the slip is dropped; if
 * that gains energy, the outcome has the bits of a gain.
 */
static APART void close_remains(closing_t *c, mask_t on, mask_t loses, const remains_t *left,
                                const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    const matrix_t *k = &c->matrix;
    closing_t held = *c;
    motion_t *m = &held.motion;
    const lanes_t p1 = lane_select(loses, lane_neg(lane_div(left->x, k->t1)), zero);
    const lanes_t p2 = lane_select(loses, lane_neg(lane_div(left->y, k->t2)), zero);
    m->p1 = lane_add(m->p1, p1);
    m->p2 = lane_add(m->p2, p2);
    m->u_n = lane_add(m->u_n, lane_mul_add2(k->k1, p1, k->k2, p2));
    const mask_t same_phase =
        mask_select(c->expanding, lane_le(zero, m->u_n), lane_le(m->u_n, zero));
    close_at_rest(&held, on, law);
    close_at_rest(c, on, law);
    const mask_t sticks = mask_and(word_has(held.outcome, IMPINGE_OUTCOME_STUCK), is_borne(&held));
    const mask_t holds = mask_and(mask_and(on, loses), mask_and(sticks, same_phase));
    c->motion = motion_select(holds, m, &c->motion);
    c->outcome = word_select(holds, held.outcome, c->outcome);
    c->expanding = mask_select(holds, held.expanding, c->expanding);
    c->ended = mask_select(holds, held.ended, c->ended);
    c->rest = lane_select(holds, held.rest, c->rest);
    const mask_t lost = mask_andnot(mask_and(on, loses), holds);
    c->outcome = word_or(c->outcome, word_where(mask_and(lost, impulse_gains(c)), OUTCOME_GAINED));
}

/* True where a slip that was taken for none exceeds the rounding of u0, which has size 1. */
static inline mask_t remains_matter(const remains_t *left) {
    const lanes_t size = lane_add(lane_abs(left->x), lane_abs(left->y));
    return lane_lt(lane_set(16 * REAL_UNIT), size);
}

/* At zero slip, to the end, with the remaining slip. */
static inline void close_to_end(closing_t *c, mask_t on, const remains_t *left,
                                const routh_options_t *law) {
    const mask_t loses = mask_and(on, remains_matter(left));
    if (mask_any(loses))
        close_remains(c, on, loses, left, law);
    else
        close_at_rest(c, on, law);
}

/*
 * The work of friction, once q is the normal impulse: the change of energy, which is (u0 + u) . p /
 * 2, less the work of the normal impulse.
 */
static inline lanes_t friction_work(const closing_t *c) {
    const motion_t *m = &c->motion;
    const lanes_t x = lane_add(c->kept.x, m->x);
    const lanes_t y = lane_add(c->kept.y, m->y);
    const lanes_t u_n = lane_add(c->kept.u_n, m->u_n);
    const lanes_t twice = lane_fma(u_n, m->q, lane_mul_add2(x, m->p1, y, m->p2));
    const lanes_t unit = lane_inverse_power(c->matrix.work_scale);
    const lanes_t normal = lane_mul(lane_add(m->work_compression, m->work_restitution), unit);
    const lanes_t work = lane_fms(lane_set(REAL(0.5)), twice, normal);
    return lane_select(lane_lt(lane_zero(), c->matrix.beta), work, lane_zero());
}

/* Back to the frame in which the contact was given, in normalised units. */
static inline response_t turn_back(const closing_t *c) {
    const motion_t *m = &c->motion;
    const lanes_t cosine = c->kept.cosine;
    const lanes_t sine = c->kept.sine;
    const lanes_t zero = lane_zero();
    const lanes_t unit = lane_inverse_power(c->matrix.work_scale);
    return (response_t){.p1 = lane_difference_of_products(cosine, m->p1, sine, m->p2),
                        .p2 = lane_mul_add2(sine, m->p1, cosine, m->p2),
                        .p3 = m->q,
                        .u1 = lane_difference_of_products(cosine, m->x, sine, m->y),
                        .u2 = lane_mul_add2(sine, m->x, cosine, m->y),
                        .u3 = m->u_n,
                        .work_compression = lane_mul(unit, lane_min(m->work_compression, zero)),
                        .work_restitution = lane_mul(unit, lane_max(m->work_restitution, zero)),
                        .work_friction = lane_min(friction_work(c), zero)};
}

/* The scale that scale_state has stored. */
static inline scale_t scale_again(state_t state, uint32_t small, uint32_t large, lanes_t scale,
                                  lanes_t inverse) {
    const lanes_t one = lane_set(1);
    scale_t s = {.scale = scale, .inverse = inverse, .prescale = one, .inverse_prescale = one};
    s.plain = !mask_any(state_has(state, small | large));
    if (s.plain) return s;
    const mask_t is_small = state_has(state, small);
    const mask_t is_large = state_has(state, large);
    const lanes_t up = lane_set(PRESCALE);
    const lanes_t down = lane_set(1 / PRESCALE);
    s.prescale = lane_select(is_small, down, lane_select(is_large, up, one));
    s.inverse_prescale = lane_select(is_small, up, lane_select(is_large, down, one));
    return s;
}

/* And back to the scale. Neither scale_velocity nor impulse_scale_of reads u's inverse, nor K's
 * scale. */
static inline void scale_back(const closing_t *c, response_t *r) {
    const lanes_t one = lane_set(1);
    const scale_t u = scale_again(c->state, STATE_U_SMALL, STATE_U_LARGE, c->kept.scale_u, one);
    const scale_t k = scale_again(c->state, STATE_K_SMALL, STATE_K_LARGE, one, c->kept.k_inverse);
    const impulse_scale_t p = impulse_scale_of(&k, &u);
    scale_response(r, &u, &p);
}

static inline response_t denormalise(const closing_t *c) {
    response_t r = turn_back(c);
    scale_back(c, &r);
    return r;
}

static inline mask_t slip_reversed(const closing_t *c) {
    const motion_t *m = &c->motion;
    return lane_lt(lane_mul_add2(c->kept.x, m->x, c->kept.y, m->y), lane_zero());
}

/* The state that sliding has reached. */
static inline void closing_begin(closing_t *c) {
    const state_t s = c->state;
    const words_t range = word_where(state_has(s, STATE_LOST), IMPINGE_OUTCOME_OUT_OF_RANGE);
    const words_t steps =
        word_where(state_has(s, STATE_EXHAUSTED), IMPINGE_OUTCOME_STEPS_EXHAUSTED);
    const words_t phases =
        word_where(state_has(s, STATE_RECOMPRESSED), IMPINGE_OUTCOME_RECOMPRESSED);
    const words_t doubt = word_where(state_has(s, STATE_GRAZES), IMPINGE_OUTCOME_TOLERANCE_MISSED);
    c->outcome = word_or(word_or(c->outcome, range), word_or(word_or(steps, phases), doubt));
    c->expanding = state_has(s, STATE_EXPANDING);
    c->ended = state_has(s, STATE_ENDED);
}

/* The lanes that slide straight on; then the lanes that are at rest while the collision goes on. */
static inline mask_t closing_on_ray(const closing_t *c) {
    return mask_andnot(state_has(c->state, STATE_LINE), c->ended);
}

static inline mask_t closing_at_rest(const closing_t *c) { return mask_not(c->ended); }

/*
 * The error of steps, in tolerances of one step, and the rounding, in units of the numbers that are
 * added up. All were observed on hard contacts; they are not bounds. In f32 rounding is as large as
 * the tolerance, and one box in twenty has the flag for nothing; in f64 it matters only where K is
 * graded, and more units cost almost nothing (docs/speed-routh.md). With tolerances coarser than
 * STEPS_SHOW, rounding no longer covers the steps, whose whole error counts.
 */
#define STEPS_LEAVE     (IMPINGE_REAL_BITS == 32 ? REAL(0.25) : REAL(0.7))
#define STEPS_SHOW      (IMPINGE_REAL_BITS == 32 ? REAL(3e-6) : REAL(3e-12))
#define ROUNDING_LEAVES (IMPINGE_REAL_BITS == 32 ? REAL(1.0) : REAL(6.0))

/*
 * The same for a contact that took more than STEPS_USUAL steps, or leaves zero along the diverging
 * ray: it may slide slowly along a ray, since the terms of its rate almost cancel, and errors of
 * the slip grow as the slip does.
 */
#define ROUNDING_LEAVES_LATE (IMPINGE_REAL_BITS == 32 ? REAL(10.0) : REAL(40.0))

/*
 * In a plane three quarters of these units suffice: nothing rounds but the closed form. In f32 a
 * quarter left 4 of 3.4 million contacts off without the bit, by up to 12 tolerances, and a half 1
 * of 8.1 million, by 9 % of the tolerance; of as many, this left none.
 */
static inline real_t units_of_rounding(const routh_options_t *law, real_t units) {
    return (law->planar ? REAL(0.75) * units : units) * REAL_UNIT;
}

/*
 * The same for u_n, on which the end of the collision depends. By Poisson's rule it matters where
 * u_n turns, where p_n is 1 / (1 + e) of its final value; so the factor 1 + e of end_keeps is not
 * applied to it.
 */
static inline lanes_t rounding_of_u_n(const routh_options_t *law) {
    const real_t poisson = IMPINGE_REAL_BITS == 32 ? REAL(2.15) : REAL(5.0);
    const real_t others = IMPINGE_REAL_BITS == 32 ? REAL(1.5) : REAL(4.0);
    const real_t units = law->rule == IMPINGE_RULE_POISSON ? poisson : others;
    return lane_set(units_of_rounding(law, units));
}

/* The same for the terms whose difference is du_n/dp_n at rest. */
#define ROUNDING_AT_REST REAL(3.0)

/* The part of the rounding of u_t that enters u_n, and its increase where K is graded. */
#define COUPLED        REAL(0.35)
#define COUPLED_GRADED REAL(0.25)

/* Newton's rule can gain energy, and so can restitution above 1. */
static inline words_t gain_outcome(const closing_t *c, const routh_options_t *law) {
    if (law->rule != IMPINGE_RULE_NEWTON && law->restitution_max <= 1)
        return word_where(mask_none(), 0);
    return word_where(impulse_gains(c), OUTCOME_GAINED);
}

/*
 * du_n/dq of a slip cancels where it nearly jams: it is less by the rounding of its terms, and no
 * less than that of the other rates.
 */
#define RATE_LEAST (16 * REAL_UNIT)

static inline lanes_t certain_rate(const matrix_t *k, lanes_t rate_n) {
    const lanes_t terms = lane_mul(k->alpha, k->k33);
    return lane_fnma(lane_set(4 * REAL_UNIT), terms, rate_n);
}

/* The rates at the end, per unit of q. */
typedef struct end_rates {
    lanes_t all; /* |du/dq| */
    lanes_t u_n; /* du_n/dq, but no less than the rounding of the others */
    lanes_t p_n; /* dp_n/dq; 1 where friction does all the work */
} end_rates_t;

/*
 * sqrt(a^2 + b^2), or up to 12 % more: of the time of a planar contact the roots of its estimate
 * would be a tenth.
 */
static inline lanes_t size_in_plane(lanes_t a, lanes_t b) {
    const lanes_t x = lane_abs(a);
    const lanes_t y = lane_abs(b);
    return lane_fma(lane_set(REAL(0.5)), lane_min(x, y), lane_max(x, y));
}

/* In a plane the slip is along t: its direction is its sign. */
static inline end_rates_t end_rates_in_plane(const closing_t *c) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const matrix_t *k = &c->matrix;
    const lanes_t x = c->motion.x;
    const mask_t rests = lane_eq(x, zero);
    const lanes_t sign = lane_copysign(one, x);
    const lanes_t rate_n = normal_rate(k, sign, zero);
    end_rates_t e = {.all = size_in_plane(slip_rate_1(k, sign), rate_n),
                     .u_n = certain_rate(k, rate_n),
                     .p_n = lane_select(lane_lt(zero, k->alpha), k->alpha, one)};
    if (mask_any(rests)) {
        const lanes_t at_rest = sticking_of(k).rate;
        e.all = lane_select(rests, at_rest, e.all);
        e.u_n = lane_select(rests, at_rest, e.u_n);
        e.p_n = lane_select(rests, one, e.p_n);
    }
    e.u_n = lane_max(e.u_n, lane_mul(e.all, lane_set(RATE_LEAST)));
    return e;
}

static inline end_rates_t end_rates_of(const closing_t *c) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const matrix_t *k = &c->matrix;
    const motion_t *m = &c->motion;
    const lanes_t r = slip_size(m);
    const mask_t slides = lane_lt(zero, r);
    const lanes_t inverse = lane_div(one, lane_select(slides, r, one));
    const lanes_t s1 = lane_mul(m->x, inverse);
    const lanes_t s2 = lane_mul(m->y, inverse);
    const lanes_t rate_1 = slip_rate_1(k, s1);
    const lanes_t rate_2 = slip_rate_2(k, s2);
    const lanes_t rate_n = normal_rate(k, s1, s2);
    const lanes_t square = lane_fma(rate_n, rate_n, lane_mul_add2(rate_1, rate_1, rate_2, rate_2));
    end_rates_t e = {.all = lane_sqrt(square),
                     .u_n = certain_rate(k, rate_n),
                     .p_n = lane_select(lane_lt(zero, k->alpha), k->alpha, one)};
    if (!mask_every(slides)) {
        const lanes_t at_rest = sticking_of(k).rate;
        e.all = lane_select(slides, e.all, at_rest);
        e.u_n = lane_select(slides, e.u_n, at_rest);
        e.p_n = lane_select(slides, e.p_n, one);
    }
    e.u_n = lane_max(e.u_n, lane_mul(e.all, lane_set(RATE_LEAST)));
    return e;
}

/*
 * By Poisson's rule: whether `error`, of u_n at the turn, over du_n/dp_n there, moves u by no more
 * than `spare`. That rate is no longer available, unless slip had ended by then, beyond doubt by
 * this error, and u_n turned only once. It is about that
 * of the parabola from u_n before to zero that has the work and the impulse of compression, or half
 * the mean of u_n over that impulse: where slip ends on the way, u_n is often not a parabola, and
 * the fitted one would fall at the turn. Where slip turns after it, and ends in restitution, rates
 * down to 0.4 of this were observed, but the rate is at least K33 - mu |k|.
 */
#define TURN_FALLS REAL(0.4)

static APART mask_t turn_keeps(const closing_t *c, const end_rates_t *e, lanes_t error,
                               lanes_t spare) {
    const motion_t *m = &c->motion;
    const matrix_t *k = &c->matrix;
    const lanes_t q = lane_max(m->q_compression, lane_set(REAL_MIN));
    const lanes_t mean = lane_div(m->work_compression, lane_mul(q, k->work_scale));
    const lanes_t parabola = lane_fms(lane_set(2), c->kept.u_n, lane_mul(lane_set(6), mean));
    const lanes_t change = lane_max(parabola, lane_mul(lane_set(REAL(-0.5)), mean));
    lanes_t rate = lane_div(change, q);
    const mask_t rests = lane_lt(c->rest, lane_set(REAL_MAX));
    if (mask_any(rests)) {
        const lanes_t size = lane_sqrt(lane_mul_add2(k->k1, k->k1, k->k2, k->k2));
        const lanes_t mu = lane_div(k->beta, lane_max(k->alpha, lane_set(REAL_MIN)));
        const lanes_t sliding = lane_max(lane_min(lane_fnma(mu, size, k->k33), rate),
                                         lane_mul(lane_set(TURN_FALLS), rate));
        const mask_t twice = word_has(c->outcome, IMPINGE_OUTCOME_RECOMPRESSED);
        const mask_t before = mask_andnot(lane_lt(lane_add(m->u_n, error), c->rest), twice);
        rate = lane_select(rests, lane_select(before, lane_div(e->u_n, e->p_n), sliding), rate);
    }
    const lanes_t least = lane_div(lane_mul(e->all, lane_set(RATE_LEAST)), e->p_n);
    return lane_le(lane_mul(e->all, error), lane_mul(spare, lane_max(rate, least)));
}

/*
 * True if errors of u_n on the way, by steps and by rounding, change u at the end by no more than
 * `spare`. To first order, a unit of these errors moves the end in p_n by
 *
 *     Stronge   (e^2 (p_n of compression) / 2 + (p_n of restitution)) / u_n
 *     Poisson   (1 + e) / rate at the turn       Newton   1 / rate at the end
 *
 * and u changes by the rates there. By Stronge's rule works change by u_n times p_n, but in
 * compression the error is still growing. The rate in restitution is about u_n^2 / (2 W_d), so that
 * p_n of restitution is 2 W_d / u_n. Where that is rounding, or friction is infinite and does all
 * the work, the rate at the end is taken, or the part of it that is left. Where the slip vanishes
 * or turns in restitution, u_n rises more slowly before, near a jam hardly at all, and p_n of
 * restitution is larger than that. Instead of dividing, both sides are multiplied where possible.
 */
static inline mask_t end_keeps(const closing_t *c, const end_rates_t *rates, lanes_t steps,
                               lanes_t rounding, lanes_t spare, const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    const motion_t *m = &c->motion;
    const end_rates_t e = *rates;
    if (law->rule == IMPINGE_RULE_POISSON) steps = lane_fma(c->end, steps, steps);
    const lanes_t error = lane_add(steps, rounding);
    const lanes_t amount = lane_mul(e.all, error);
    if (law->rule == IMPINGE_RULE_NEWTON) return lane_le(amount, lane_mul(spare, e.u_n));
    spare = lane_mul(spare, e.p_n);
    const lanes_t u_n = lane_max(m->u_n, error);
    const lanes_t square = lane_mul(u_n, u_n);
    const lanes_t unit = lane_inverse_power(c->matrix.work_scale);
    lanes_t restitution = lane_mul(lane_add(m->work_restitution, m->work_restitution), unit);
    lanes_t compression = zero;
    if (law->rule == IMPINGE_RULE_STRONGE) {
        restitution = lane_max(restitution, lane_mul(lane_sub(m->q, m->q_compression), u_n));
        compression = lane_mul(lane_mul(lane_set(REAL(0.5)), c->end),
                               lane_max(lane_fms(m->q, u_n, restitution), zero));
    }
    mask_t keeps =
        lane_le(lane_mul(amount, lane_add(restitution, compression)), lane_mul(spare, square));
    const mask_t tiny =
        mask_or(lane_lt(u_n, lane_mul(lane_set(64), error)), lane_eq(c->matrix.alpha, zero));
    if (mask_any(tiny)) {
        const lanes_t path = lane_add(lane_div(e.p_n, e.u_n), lane_div(compression, square));
        const mask_t short_enough = lane_le(lane_mul(amount, path), spare);
        keeps = mask_and(keeps, mask_or(short_enough, mask_not(tiny)));
    }
    if (law->rule == IMPINGE_RULE_POISSON) keeps = mask_and(keeps, turn_keeps(c, &e, error, spare));
    return keeps;
}

/*
 * A slip that ended before the collision by less than the error of u_n perhaps did not end. Then
 * the error is not multiplied by the rates at rest, but by those of sliding, on which u_n changes
 * by alpha of its change at rest, and often by less. Slips that took STEPS_MANY are doubtful, too:
 * they were turned to their rays from any distance. In a plane the error does not grow with the
 * tolerance.
 */
#define HARDLY REAL(64.0)

/*
 * A slip that vanished at the turn, or at the end, but for the error of u_n: where it nearly jams,
 * the turn and the end may as well come so much earlier that it has not vanished. With infinite
 * friction there is no restitution to pay for, but by Newton's rule, and the collision is over
 * where the slip is (paid_before_rest).
 */
static inline mask_t vanishes_with_event(const closing_t *c, lanes_t error,
                                         const routh_options_t *law) {
    const lanes_t near = lane_mul(lane_set(4), error);
    const mask_t turn = lane_le(lane_abs(lane_sub(c->motion.u_n, c->rest)), near);
    mask_t end = lane_le(c->rest, near);
    if (law->rule != IMPINGE_RULE_NEWTON)
        end = mask_and(end, lane_lt(lane_zero(), c->matrix.alpha));
    return mask_or(turn, end);
}

/* The same for a slip that has come so near to zero, without vanishing. */
#define SLIP_NEAR_ZERO (IMPINGE_REAL_BITS == 32 ? 64 * REAL_UNIT : 4096 * REAL_UNIT)
#define SLIP_SHRINKS   REAL(64.0)

static inline mask_t nearly_vanishes(const closing_t *c, lanes_t u) {
    const motion_t *m = &c->motion;
    const lanes_t size = lane_max(lane_abs(m->x), lane_abs(m->y));
    const lanes_t before = lane_max(lane_abs(c->kept.x), lane_abs(c->kept.y));
    const mask_t small = lane_lt(size, lane_mul(lane_set(SLIP_NEAR_ZERO), u));
    return mask_and(small, lane_lt(lane_mul(lane_set(SLIP_SHRINKS), size), before));
}

static inline mask_t rest_is_doubtful(const closing_t *c, lanes_t u, lanes_t error_n,
                                      const routh_options_t *law) {
    const mask_t slid = word_has(c->outcome, IMPINGE_OUTCOME_SLID);
    const real_t error = law->planar ? law->tolerance : law->promised;
    const lanes_t little = lane_mul(lane_mul(lane_set(HARDLY * error), c->matrix.alpha), u);
    const mask_t hardly = lane_lt(c->rest, little);
    const mask_t rests = lane_lt(c->rest, lane_set(REAL_MAX));
    const mask_t near =
        mask_select(rests, vanishes_with_event(c, error_n, law), nearly_vanishes(c, u));
    return mask_or(mask_and(slid, mask_or(hardly, near)), state_took(c->state, STEPS_MANY));
}

/*
 * u_n is zero but for rounding, and at first rises or falls so slowly that the turning slip may
 * reverse it before it has changed by the tolerance (by half the square of its rate over its
 * terms). Whether the collision ends at once or is a jam depends on whether u_n passes zero. In a
 * plane no slip turns.
 */
static inline mask_t begin_is_doubtful(const closing_t *c, lanes_t u, const routh_options_t *law) {
    if (law->planar) return mask_none();
    const mask_t grazes = lane_lt(lane_abs(c->kept.u_n), lane_mul(lane_set(8 * REAL_UNIT), u));
    if (!mask_any(grazes)) return grazes;
    const matrix_t *k = &c->matrix;
    const lanes_t x = c->kept.x;
    const lanes_t y = c->kept.y;
    const lanes_t r = lane_sqrt(lane_mul_add2(x, x, y, y));
    const lanes_t normal = lane_mul(lane_mul(k->alpha, k->k33), r);
    const lanes_t x_part = lane_mul(k->k1, x);
    const lanes_t y_part = lane_mul(k->k2, y);
    const lanes_t rate = lane_fnma(k->beta, lane_add(x_part, y_part), normal);
    const lanes_t size = lane_fma(k->beta, lane_add(lane_abs(x_part), lane_abs(y_part)), normal);
    const lanes_t low = lane_mul(lane_set(law->promised), lane_mul(size, size));
    return mask_and(grazes, lane_le(lane_mul(rate, rate), low));
}

/*
 * Where slip has ended: the effect of the rounding of du_n/dp_n, a difference of terms of the size
 * of K33, over the p_n from there on. By Newton's rule u_n at the end does not depend on it.
 */
static inline lanes_t rounding_at_rest(const closing_t *c, const end_rates_t *e,
                                       const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    if (law->rule == IMPINGE_RULE_NEWTON) return zero;
    const mask_t rests = lane_lt(c->rest, lane_set(REAL_MAX));
    if (!mask_any(rests)) return zero;
    const lanes_t rate = lane_div(e->u_n, e->p_n);
    const lanes_t lost = lane_mul(lane_set(units_of_rounding(law, ROUNDING_AT_REST)),
                                  lane_max(lane_sub(c->matrix.k33, rate), zero));
    return lane_select(rests, lane_div(lane_mul(lost, c->rest), rate), zero);
}

/*
 * The factor, less 1, by which an error of u_t changes u_n: friction compensates T^-1 times the
 * error, at most mu p_n. The factor exceeds 1 only where K is graded.
 */
static inline lanes_t coupling_of_errors(const matrix_t *k) {
    const lanes_t one = lane_set(1);
    const lanes_t zero = lane_zero();
    const mask_t light = mask_and(lane_le(lane_abs(k->k1), k->t1), lane_le(lane_abs(k->k2), k->t2));
    const mask_t weak = mask_or(light, lane_lt(k->beta, one)); /* mu < 1 */
    if (mask_every(weak)) return zero;
    const sticking_t sticking = sticking_of(k);
    const lanes_t mu = lane_div(k->beta, lane_max(k->alpha, lane_set(REAL_MIN)));
    const lanes_t most = lane_min(mu, sticking_friction(&sticking));
    return lane_select(weak, zero, lane_max(lane_sub(most, one), zero));
}

/* In f32 the errors of steps reach their tolerance, and those of many steps add up. */
static inline lanes_t steps_leave(const closing_t *c, lanes_t u, const routh_options_t *law) {
    if (law->planar) return lane_zero();
    const bool coarse = law->promised > STEPS_SHOW;
    const real_t few = (coarse ? 1 : STEPS_LEAVE) / ERROR_OF_STEPS * law->promised;
    if (IMPINGE_REAL_BITS == 64) return lane_mul(lane_set(few), u);
    const lanes_t some =
        lane_select(state_took(c->state, 4), lane_set(REAL(1.25) * few), lane_set(few));
    return lane_mul(lane_select(state_took(c->state, 8), lane_set(REAL(2.5) * few), some), u);
}

/* |u0| */
static inline lanes_t speed_before(const closing_t *c) {
    const lanes_t x = c->kept.x;
    const lanes_t y = c->kept.y;
    const lanes_t z = c->kept.u_n;
    return lane_sqrt(lane_fma(z, z, lane_mul_add2(x, x, y, y)));
}

/*
 * Flags contacts whose velocity may have a larger error than the tolerance. Near a jam, or with
 * almost no restitution, a contact multiplies an error of u_n. This error comes from the steps and
 * from the rounding of the terms of u_n, and, where K is graded, from the error of u_t; the factors
 * were measured against the reference on hard contacts (tests, docs/speed-routh.md).
 */
static inline words_t tolerance_outcome(const closing_t *c, const routh_options_t *law) {
    const motion_t *m = &c->motion;
    const matrix_t *k = &c->matrix;
    const lanes_t z = c->kept.u_n;
    const lanes_t u = speed_before(c);
    const lanes_t p =
        law->planar ? size_in_plane(m->q, m->p1)
                    : lane_sqrt(lane_fma(m->q, m->q, lane_mul_add2(m->p1, m->p1, m->p2, m->p2)));
    const lanes_t largest = max3(k->t1, k->t2, k->k33);
    const lanes_t friction =
        lane_add(lane_abs(lane_mul(k->k1, m->p1)), lane_abs(lane_mul(k->k2, m->p2)));
    const lanes_t normal = lane_fma(k->k33, m->q, lane_sub(friction, z));
    const lanes_t steps = steps_leave(c, u, law);
    mask_t slow = state_took(c->state, STEPS_USUAL);
    if (IMPINGE_REAL_BITS == 64)
        slow = mask_or(slow, word_has(c->outcome, IMPINGE_OUTCOME_DIVERGED));
    const lanes_t units = lane_select(slow, lane_set(units_of_rounding(law, ROUNDING_LEAVES_LATE)),
                                      lane_set(units_of_rounding(law, ROUNDING_LEAVES)));
    const lanes_t rounding = lane_mul(units, lane_fma(largest, p, u));
    const lanes_t coupling = coupling_of_errors(k);
    const lanes_t share = lane_fma(lane_set(COUPLED_GRADED), coupling, lane_set(COUPLED));
    const lanes_t rounding_n = lane_fma(rounding_of_u_n(law), normal, lane_mul(share, rounding));
    const lanes_t steps_n = lane_fma(coupling, steps, steps);
    const end_rates_t e = law->planar ? end_rates_in_plane(c) : end_rates_of(c);
    const lanes_t error_all = lane_add(lane_add(rounding, steps), rounding_at_rest(c, &e, law));
    const lanes_t spare = lane_fms(lane_set(law->promised), u, error_all);
    const mask_t kept = end_keeps(c, &e, steps_n, rounding_n, spare, law);
    const lanes_t error_n = lane_add(steps_n, rounding_n);
    const mask_t doubtful =
        mask_or(rest_is_doubtful(c, u, error_n, law), begin_is_doubtful(c, u, law));
    return word_where(mask_or(doubtful, mask_not(kept)), IMPINGE_OUTCOME_TOLERANCE_MISSED);
}

/*
 * True if the bodies still approach by more than the tolerance, by the computed velocity or, beyond
 * rounding, by u0 + K p. By the law no collision ends so, but for nearly singular K the error of
 * u_n may be as large.
 */
static inline mask_t end_approaches(const closing_t *c, const routh_options_t *law) {
    const matrix_t *k = &c->matrix;
    const motion_t *m = &c->motion;
    const lanes_t z = c->kept.u_n;
    const lanes_t u = speed_before(c);
    const lanes_t part_1 = lane_mul(k->k1, m->p1);
    const lanes_t part_2 = lane_mul(k->k2, m->p2);
    const lanes_t part_3 = lane_mul(k->k33, m->q);
    const lanes_t made = lane_add(lane_add(z, part_3), lane_add(part_1, part_2));
    const lanes_t sizes =
        lane_add(lane_sub(part_3, z), lane_add(lane_abs(part_1), lane_abs(part_2)));
    /* A little less, for the rounding of |u0|. */
    const lanes_t promised = lane_mul(lane_set(law->promised * (1 - 8 * REAL_UNIT)), u);
    const lanes_t allowed = lane_fma(lane_set(32 * REAL_UNIT), sizes, promised);
    const mask_t approaches = lane_lt(m->u_n, lane_neg(promised));
    return mask_or(approaches, lane_lt(made, lane_neg(allowed)));
}

/*
 * Tests the tolerance, and the permissible region where the tolerance may be missed: for nearly
 * singular K the error of u_n may be a gain of energy, or leave the bodies approaching.
 */
static inline words_t accuracy_outcome(const closing_t *c, const routh_options_t *law) {
    const words_t word = word_or(c->outcome, tolerance_outcome(c, law));
    const mask_t missed = word_has(word, IMPINGE_OUTCOME_TOLERANCE_MISSED);
    if (!mask_any(missed)) return word;
    const words_t gained = word_where(mask_and(missed, impulse_gains(c)), OUTCOME_GAINED);
    const words_t outside =
        word_where(mask_and(missed, end_approaches(c, law)), IMPINGE_OUTCOME_OUTSIDE_REGION);
    return word_or(word, word_or(gained, outside));
}

/* The outcome of the collision. */
static inline words_t closing_outcome(const closing_t *c, const routh_options_t *law) {
    const mask_t none = word_has(c->outcome, OUTCOME_NO_IMPULSE);
    /* The estimate of errors is a sixth of the time of contacts that separate. */
    if (mask_every(none)) return c->outcome;
    const mask_t reversed = slip_reversed(c);
    words_t word = word_or(c->outcome, gain_outcome(c, law));
    word = word_or(word, accuracy_outcome(c, law));
    word = word_or(word, word_where(reversed, IMPINGE_OUTCOME_SLIP_REVERSED));
    /* A contact without an impulse has only the reason, and whether that is in doubt. */
    return word_select(none, c->outcome, word);
}

static inline response_t closing_result(const closing_t *c, const routh_options_t *law) {
    response_t r = denormalise(c);
    r.outcome = closing_outcome(c, law);
    withhold(&r);
    return r;
}

/*
 * The lanes in which a slip comes to zero, however small it is on the way, and those in which this
 * is in doubt.
 */
typedef struct arrival {
    mask_t comes, in_doubt;
} arrival_t;

static inline mask_t arrival_has_rays(lanes_t room, lanes_t least) {
    const lanes_t cube = lane_mul(room, lane_mul(room, room));
    return mask_and(lane_lt(lane_zero(), room), lane_le(lane_mul(lane_set(27), least), cube));
}

/*
 * For a slip that kinetic friction does not hold at zero. On a ray a - B s = g s (ring.h), so that
 * s_i = a_i / (g + b_i) and
 *
 *     a_1^2 / (g + b_1)^2 + a_2^2 / (g + b_2)^2 = 1.
 *
 * Let b_1 < b_2 and d = b_2 - b_1. Two rays always exist: the diverging one, which attracts, and
 * one with g < -b_2, which repels. Two more exist, with g between -b_2 and -b_1, along which slip
 * ends at zero, if the minimum of the left-hand side between these two values is at most 1:
 *
 *     (d^2 - a_1^2 - a_2^2)^3 >= 27 a_1^2 a_2^2 d^2     and     d^2 > a_1^2 + a_2^2.
 *
 * Their s_1 has the sign of -a_1, and their s_2 that of a_2. The ray with the greater g is closer
 * to the axis of b_1, and attracts; |s_2 / s_1|^3 = |a_2 / a_1| lies between the two. So a slip
 * comes to zero if it is between that direction and the axis, or on its way there, in either
 * quadrant. At the limit of their existence, the answer depends on the rounding of K.
 */
static APART arrival_t slip_arrival(const matrix_t *k, const polar_t *p) {
    const lanes_t zero = lane_zero();
    const lanes_t b1 = lane_mul(k->beta, k->t1);
    const lanes_t b2 = lane_mul(k->beta, k->t2);
    const mask_t swaps = lane_lt(b2, b1);
    const lanes_t a1 = lane_mul(k->alpha, lane_select(swaps, k->k2, k->k1));
    const lanes_t a2 = lane_mul(k->alpha, lane_select(swaps, k->k1, k->k2));
    const lanes_t s1 = lane_select(swaps, p->s2, p->s1);
    const lanes_t s2 = lane_select(swaps, p->s1, p->s2);
    const lanes_t d = lane_abs(lane_sub(b2, b1));
    const lanes_t square_1 = lane_mul(a1, a1);
    const lanes_t square_2 = lane_mul(a2, a2);
    const lanes_t size = rates_size(k);
    const lanes_t rounding = lane_mul(lane_mul(lane_set(32 * REAL_UNIT), size), size);
    const lanes_t room = lane_sub(lane_mul(d, d), lane_add(square_1, square_2));
    const lanes_t least = lane_mul(lane_mul(square_1, square_2), lane_mul(d, d));
    const mask_t has_rays = arrival_has_rays(room, least);
    const mask_t may_have = arrival_has_rays(lane_add(room, rounding), least);
    const mask_t must_have = arrival_has_rays(lane_sub(room, rounding), least);

    const mask_t behind = lane_le(lane_mul(s1, a1), zero);
    const mask_t beside = lane_le(zero, lane_mul(s2, a2));
    const lanes_t ratio = lane_mul(lane_abs(a1), lane_abs(lane_mul(s2, lane_mul(s2, s2))));
    const lanes_t ratio_between = lane_mul(lane_abs(a2), lane_abs(lane_mul(s1, lane_mul(s1, s1))));
    /* But for the sign, |s_2| falls at the rate f s_1 s_2 / |s_2|; swapping the axes reverses f. */
    const lanes_t turn = lane_mul(lane_mul(p->s1, p->s2), p->f);
    const mask_t to_axis = lane_lt(lane_select(swaps, lane_neg(turn), turn), zero);
    const mask_t at_axis = mask_and(beside, lane_le(ratio, ratio_between));
    const mask_t in_arc = mask_and(behind, mask_or(to_axis, at_axis));
    return (arrival_t){.comes = mask_and(in_arc, has_rays),
                       .in_doubt = mask_and(in_arc, mask_andnot(may_have, must_have))};
}

/*
 * Holds slips that were expected to pass zero, but do come to it. The law itself is discontinuous
 * at the limit between the two: where this is in doubt, the outcome has TOLERANCE_MISSED.
 */
static inline void close_held(closing_t *c) {
    const mask_t passes = mask_andnot(state_has(c->state, STATE_PASSES), c->ended);
    if (!mask_any(passes)) return;
    const polar_t p = polar_of(&c->matrix, c->motion.x, c->motion.y);
    const arrival_t arrival = slip_arrival(&c->matrix, &p);
    const mask_t shrinks = lane_lt(p.g, lane_zero());
    const mask_t comes = mask_or(mask_and(arrival.comes, shrinks), lane_eq(p.r, lane_zero()));
    c->state = state_without(c->state, mask_and(passes, comes), STATE_PASSES);
    const mask_t in_doubt = mask_and(passes, mask_and(shrinks, arrival.in_doubt));
    c->outcome = word_or(c->outcome, word_where(in_doubt, IMPINGE_OUTCOME_TOLERANCE_MISSED));
}

/*
 * With infinite friction p_n is zero as long as the contact slides, and the shares of works and q
 * are the rule's. A slip that vanishes in restitution then ends the collision, unless restitution
 * was paid off before, and the contact slides on: where an error of u_n decides, it is in doubt.
 */
static inline words_t paid_before_rest(const closing_t *c, const routh_options_t *law) {
    const mask_t infinite = lane_eq(c->matrix.alpha, lane_zero());
    const mask_t rests = mask_and(mask_and(infinite, c->expanding), closing_at_rest(c));
    if (!mask_any(rests)) return word_where(rests, 0);
    const mask_t near = payment_is_near(law, &c->motion, &c->matrix, c->end);
    return word_where(mask_and(rests, near), IMPINGE_OUTCOME_TOLERANCE_MISSED);
}

/*
 * Follows LANES contacts to their end. Returns the lanes in which the slip vanished during
 * restitution.
 */
static inline mask_t close_all(closing_t *c, const routh_options_t *law) {
    closing_begin(c);
    close_held(c);
    const mask_t on_ray = closing_on_ray(c);
    remains_t left = {lane_zero(), lane_zero()};
    if (mask_any(on_ray)) left = close_ray(c, on_ray, law);
    c->outcome = word_or(c->outcome, paid_before_rest(c, law));
    to_normal_impulse(c);
    const mask_t at_rest = closing_at_rest(c);
    const mask_t late = mask_and(mask_and(on_ray, at_rest), lane_lt(lane_zero(), c->motion.u_n));
    if (mask_any(at_rest)) close_to_end(c, at_rest, &left, law);
    return late;
}

#endif
