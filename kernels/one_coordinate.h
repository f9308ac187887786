/*
 * The contact of a mechanism of one coordinate in a plane, such as a pendulum that strikes a floor:
 * Routh's law in the limit of a K without a second eigenvalue (Chatterjee and Ruina 1998, "A
 * Collision with Unbounded M", and 4.2.1).
 *
 * With w the speed, u_t = J_t w and u_n = J_n w: the velocity moves to and fro on a line through
 * zero. On the way there friction opposes the coordinate's motion as the normal impulse does:
 *
 *     m dw/dp_n = -sign(w) (N + F),     N = |J_n|,  F = mu |J_t|,
 *
 * and compression ends where the slip does, at w = 0. Sticking needs |p_t| = p_n N / |J_t|, since
 * then no impulse moves the coordinate: if friction allows that, the collision is over. Otherwise
 * the slip reverses, and N - F drives the coordinate back to the end.
 *
 * The law is computed from J itself. K has the squares of J: of J_t = 1e12 and J_n = 1e-10 K_nn is
 * subnormal beside K_tt in f32, and of its digits few are left. N - F is rounded once here, so that
 * it needs no estimate of its error, however small it is.
 */
#ifndef IMPINGE_KERNELS_ONE_COORDINATE_H
#define IMPINGE_KERNELS_ONE_COORDINATE_H

#include "contact_space.h"
#include "exponents.h"

/* A mechanism of one coordinate, as given. */
typedef struct coordinate {
    lanes_t mass, jacobian_t, jacobian_n, speed;
} coordinate_t;

/* number * 2^exponent, the number's size in [1, 2) or zero: products stay in range. */
typedef struct sized {
    lanes_t number, exponent;
} sized_t;

static inline sized_t sized(lanes_t a) {
    const mask_t none = lane_eq(a, lane_zero());
    const scale_t scale = scale_of(lane_select(none, lane_set(1), lane_abs(a)));
    return (sized_t){normalise_by(&scale, a), exponent_of(&scale)};
}

/* What the law needs, with N in [1, 2). */
typedef struct line {
    sized_t normal, tangential; /* |J_n|, |J_t| */
    sized_t friction;           /* 1 where it is infinite */
    lanes_t ratio;              /* mu in these units: F over the number of |J_t| */
    lanes_t slow, rate;         /* F, and N - F */
    lanes_t sum;                /* N + F, or (N + F) / ratio where friction does more */
    mask_t rubs, endless, held; /* there is friction; it is infinite; it holds the contact */
    mask_t most;                /* friction does more than the normal impulse, F > N */
} line_t;

/* mu |J_t| / |J_n|, over the quotient of the numbers. */
static inline lanes_t ratio_of(const line_t *line, lanes_t friction) {
    const lanes_t by = lane_sub(line->tangential.exponent, line->normal.exponent);
    return times_power(friction, by);
}

static inline line_t line_of(const coordinate_t *c, lanes_t friction, lanes_t friction_static) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    line_t line = {.normal = sized(lane_abs(c->jacobian_n)),
                   .tangential = sized(lane_abs(c->jacobian_t))};
    const lanes_t n = line.normal.number;
    const lanes_t t = line.tangential.number;
    /* As for any contact: without friction the slip passes zero, and mu_s has no effect. */
    line.rubs = mask_and(lane_lt(zero, t), lane_lt(zero, friction));
    line.endless = mask_andnot(line.rubs, lane_finite(friction));
    friction = lane_select(line.rubs, friction, zero);
    line.friction = sized(lane_select(line.endless, one, friction));
    line.ratio = ratio_of(&line, friction);
    line.slow = lane_mul(line.ratio, t);
    line.rate = lane_fnma(line.ratio, t, n);
    line.most = lane_lt(n, line.slow);
    const lanes_t divisor = lane_select(line.most, line.ratio, one);
    line.sum =
        lane_select(line.most, lane_add(t, lane_div(n, divisor)), lane_fma(line.ratio, t, n));
    const lanes_t bears = lane_fnma(ratio_of(&line, friction_static), t, n);
    line.held = mask_and(line.rubs, lane_le(bears, zero));
    return line;
}

/*
 * The way back from rest: its speed over that before, and its impulse in the unit of N, that of
 * m |w| / |J_n|. None if friction holds the contact.
 */
typedef struct way_back {
    lanes_t speed, impulse;
} way_back_t;

static inline way_back_t way_back_of(const line_t *line, lanes_t e, impinge_restitution_rule rule) {
    const lanes_t zero = lane_zero();
    /* N - F > 0 where nothing is held, since mu <= mu_s; F < N, and the sum is N + F. */
    const lanes_t rate = lane_select(line->held, lane_set(1), line->rate);
    const lanes_t quotient = lane_div(rate, line->sum);
    way_back_t back;
    switch (rule) {
    case IMPINGE_RULE_POISSON:
        back = (way_back_t){lane_mul(e, quotient), lane_div(e, line->sum)};
        break;
    case IMPINGE_RULE_NEWTON:
        back = (way_back_t){e, lane_div(e, rate)};
        break;
    default: { /* W_d = 1/2 (N / m) (N - F) p_n^2 = -e^2 W_c */
        const lanes_t speed = lane_mul(e, lane_sqrt(quotient));
        back = (way_back_t){speed, lane_div(speed, rate)};
    }
    }
    back.speed = lane_select(line->held, zero, back.speed);
    back.impulse = lane_select(line->held, zero, back.impulse);
    return back;
}

/* Sets the impulses. `size` is m |w|. */
static inline void set_impulses(response_t *r, const line_t *line, const way_back_t *back,
                                const sized_t *size) {
    const lanes_t zero = lane_zero();
    const lanes_t there = lane_div(lane_set(1), line->sum);
    /* Friction's is the larger one where it does more, and the normal one is less by mu. */
    const lanes_t less =
        lane_div(there, lane_select(line->most, line->friction.number, lane_set(1)));
    const lanes_t p_n = lane_select(line->most, less, lane_add(there, back->impulse));
    const lanes_t p_t =
        lane_select(line->most, there, lane_mul(line->ratio, lane_sub(there, back->impulse)));
    const lanes_t unit_t = lane_sub(size->exponent, line->tangential.exponent);
    const lanes_t unit_n = lane_select(line->most, lane_sub(unit_t, line->friction.exponent),
                                       lane_sub(size->exponent, line->normal.exponent));
    r->p1 = times_power(lane_mul(size->number, p_t), unit_t);
    r->p3 = times_power(lane_mul(size->number, p_n), unit_n);
    r->p3 = lane_select(line->endless, zero, r->p3);
}

/* Sets the works, and the bits of a gain. `energy` is m w^2. */
static inline void set_works(response_t *r, const line_t *line, const way_back_t *back,
                             const sized_t *energy) {
    const lanes_t n = line->normal.number;
    const lanes_t divisor = lane_select(line->most, line->ratio, lane_set(1));
    const lanes_t slow = lane_select(line->most, line->tangential.number, line->slow);
    const lanes_t half = lane_set(REAL(0.5));
    const lanes_t there = lane_div(half, line->sum);
    const lanes_t again = lane_mul(half, lane_mul(back->speed, back->impulse));
    const lanes_t compression = lane_neg(lane_mul(lane_div(n, divisor), there));
    const lanes_t restitution = lane_mul(n, again);
    const lanes_t slowed = lane_select(line->held, lane_zero(), lane_mul(line->slow, again));
    const lanes_t friction = lane_neg(lane_fma(slow, there, slowed));
    /* The energy changes as the square of the speed, in which works that nearly cancel have no
     * part. */
    r->outcome =
        word_where(lane_lt(lane_set(1 + 8 * REAL_UNIT), lane_abs(back->speed)), OUTCOME_GAINED);
    r->work_compression = times_power(lane_mul(energy->number, compression), energy->exponent);
    r->work_restitution = times_power(lane_mul(energy->number, restitution), energy->exponent);
    r->work_friction = times_power(lane_mul(energy->number, friction), energy->exponent);
}

static inline words_t one_coordinate_outcome(const contact_t *contact, const response_t *r) {
    const lanes_t zero = lane_zero();
    const mask_t slid = mask_not(lane_eq(contact->u1, zero));
    const mask_t reversed = mask_not(lane_eq(r->u1, zero));
    const mask_t rubs = lane_lt(zero, contact->friction);
    words_t word = word_where(slid, IMPINGE_OUTCOME_SLID);
    word = word_or(word, word_where(mask_not(reversed), IMPINGE_OUTCOME_STUCK));
    word = word_or(word, word_where(mask_and(reversed, rubs), IMPINGE_OUTCOME_DIVERGED));
    return word_or(word, word_where(reversed, IMPINGE_OUTCOME_SLIP_REVERSED));
}

/*
 * As contact_check, but K need not be positive definite, and may be zero by its own range where J
 * is not.
 */
static inline words_t one_coordinate_check(const contact_t *contact, const coordinate_t *c,
                                           const impinge_options *options) {
    const lanes_t zero = lane_zero();
    const mask_t matrix = all_finite3(contact->k11, contact->k13, contact->k33);
    const mask_t given = all_finite3(c->mass, c->jacobian_t, c->jacobian_n);
    const mask_t none = mask_and(lane_eq(c->jacobian_t, zero), lane_eq(c->jacobian_n, zero));
    const mask_t velocity = all_finite3(contact->u1, contact->u3, lane_zero());
    words_t word = word_or(contact->invalid, coefficients_check(contact, restitution_max(options)));
    word = word_or(word, word_where(mask_not(given), IMPINGE_OUTCOME_INVALID_MATRIX));
    word = word_or(word, word_where(mask_andnot(given, matrix), IMPINGE_OUTCOME_OUT_OF_RANGE));
    word = word_or(word, word_where(mask_not(velocity), IMPINGE_OUTCOME_INVALID_VELOCITY));
    word = word_or(word, word_where(none, IMPINGE_OUTCOME_IMMOVABLE));
    word = invalid_first(word);
    const mask_t alive = mask_not(word_has(word, OUTCOME_NO_IMPULSE));
    const mask_t separating = mask_and(alive, lane_le(zero, contact->u3));
    return word_or(word, word_where(separating, IMPINGE_OUTCOME_SEPARATING));
}

/* Sets *speed to that after. */
static inline response_t collide_one_coordinate(const contact_t *contact, const coordinate_t *c,
                                                impinge_restitution_rule rule, lanes_t *speed) {
    const line_t line = line_of(c, contact->friction, contact->friction_static);
    const way_back_t back = way_back_of(&line, contact->restitution, rule);
    const sized_t m = sized(c->mass);
    const sized_t w = sized(lane_abs(c->speed));
    const sized_t size = {lane_mul(m.number, w.number), lane_add(m.exponent, w.exponent)};
    const sized_t energy = {lane_mul(size.number, w.number), lane_add(size.exponent, w.exponent)};
    response_t r;
    set_impulses(&r, &line, &back, &size);
    set_works(&r, &line, &back, &energy);
    /*
     * The slip before is opposed to J_t J_n, since u_n is negative; friction is opposed to the
     * slip.
     */
    const lanes_t one = lane_set(1);
    const lanes_t sign =
        lane_mul(lane_copysign(one, c->jacobian_t), lane_copysign(one, c->jacobian_n));
    r.p1 = lane_mul(sign, r.p1);
    r.p2 = r.u2 = lane_zero();
    *speed = lane_neg(lane_mul(back.speed, c->speed));
    r.u1 = lane_mul(c->jacobian_t, *speed);
    r.u3 = lane_mul(c->jacobian_n, *speed);
    r.outcome = word_or(r.outcome, one_coordinate_outcome(contact, &r));
    return r;
}

/* As `neutralise`. */
static inline coordinate_t coordinate_unless(mask_t dead, const coordinate_t *c) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    return (coordinate_t){.mass = lane_select(dead, one, c->mass),
                          .jacobian_t = lane_select(dead, zero, c->jacobian_t),
                          .jacobian_n = lane_select(dead, one, c->jacobian_n),
                          .speed = lane_select(dead, zero, c->speed)};
}

/* `given` has the K and u0 of `coordinate`. Sets *speed to that after. */
static inline response_t resolve_one_coordinate(const contact_t *given,
                                                const coordinate_t *coordinate,
                                                const impinge_options *options, lanes_t *speed) {
    contact_t contact = *given;
    const words_t word = one_coordinate_check(&contact, coordinate, options);
    const mask_t none = word_has(word, OUTCOME_NO_IMPULSE);
    neutralise(&contact, none);
    const coordinate_t c = coordinate_unless(none, coordinate);
    response_t r = collide_one_coordinate(&contact, &c, options->rule, speed);
    const words_t lost = word_where(mask_not(lane_finite(*speed)), IMPINGE_OUTCOME_OUT_OF_RANGE);
    r.outcome = word_select(none, word, word_or(word, word_or(r.outcome, lost)));
    withhold(&r);
    *speed = lane_select(r.untouched, coordinate->speed, *speed);
    return r;
}

#endif
