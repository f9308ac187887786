/*
 * An arc: a step about its own middle, with the events in it.
 *
 * The direction of the slip follows th' = f(th), r' = g(th) r (ring.h), so the solution from (r0,
 * s0) is, but for a shift of tau and the factor r0 / r, that through (1, s_m) for any direction s_m
 * further on. A series about the middle of what is left reaches twice as far as one about its
 * start, and with r = 1 there it takes no division. The shift is the tau < 0 at which the slip has
 * the direction s0; everything else is a difference of polynomials between there and the end. No
 * result depends on the choice of s_m: a poor guess only moves the window off the middle.
 *
 * In units of the arc u_n = scale v, and the work of the normal impulse is scale^2 w, w' = r v.
 */
#ifndef IMPINGE_KERNELS_ROUTH_ARC_H
#define IMPINGE_KERNELS_ROUTH_ARC_H

#include "stop.h"

#if IMPINGE_REAL_BITS == 32
enum { SHIFT_ITERATIONS = 2, ROOT_ITERATIONS = 5 };
#else
enum { SHIFT_ITERATIONS = 3, ROOT_ITERATIONS = 6 };
#endif

typedef struct arc {
    series_t series;
    lanes_t w[ORDER + 1];
    /*
     * The mean of w' from the turn to tau: its value at the turn, and the polynomial of the rest,
     * divided by tau - turn.
     */
    lanes_t at_turn, power[ORDER - 1];
    lanes_t defect;           /* the part of at_turn due to terms that the series leave out */
    lanes_t scale;            /* of velocities and q */
    lanes_t unit, work_unit;  /* of what the rule counts, and of works */
    lanes_t begin, turn, end; /* in tau; the turn is where restitution begins, or the arc does */
    mask_t expanding, turns, ends;
} arc_t;

/*
 * The tau at which the middle should be: half way to the end of the collision if the slip goes
 * straight on, or as far as the series reaches.
 */
static inline lanes_t arc_middle(const members_t *m, const polar_t *p, const routh_options_t *law) {
    const matrix_t *k = &m->matrix;
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const lanes_t rate = normal_rate(k, p->s1, p->s2);
    const mask_t rises = lane_lt(zero, rate);
    const lanes_t left = straight_rest(m, lane_select(rises, rate, one), law);
    /* From q to tau, to second order, with a slip that grows at its present rate. */
    const lanes_t twice = lane_fma(p->g, left, lane_mul(lane_set(2), p->r));
    const mask_t useful = mask_and(rises, lane_lt(zero, twice));
    const lanes_t size = lane_add(rates_size(k), lane_abs(p->f));
    const lanes_t reach = lane_div(lane_set(ARC_REACH), size);
    return lane_select(useful, lane_min(lane_div(left, lane_select(useful, twice, one)), reach),
                       reach);
}

/* The direction there: tan of half the angle by a Taylor polynomial of order 5 in tau. */
static inline void arc_direction(const matrix_t *k, const polar_t *p, lanes_t tau, lanes_t *s1,
                                 lanes_t *s2) {
    const lanes_t one = lane_set(1);
    const lanes_t half = lane_set(REAL(0.5));
    const lanes_t a1 = lane_mul(k->alpha, k->k1);
    const lanes_t a2 = lane_mul(k->alpha, k->k2);
    const lanes_t db = lane_mul(k->beta, lane_sub(k->t2, k->t1));
    const lanes_t as = lane_mul_add2(a1, p->s1, a2, p->s2);
    const lanes_t at = lane_sub(lane_mul(a2, p->s1), lane_mul(a1, p->s2));
    const lanes_t m = lane_mul(lane_mul(db, p->s1), p->s2);
    const lanes_t d = lane_mul(db, lane_sub(lane_mul(p->s1, p->s1), lane_mul(p->s2, p->s2)));
    /* z' (1 + z^2) = e0 + e1 z + ... + e4 z^4; h is that over 1 + z^2. */
    const lanes_t h0 = lane_mul(half, lane_sub(at, m));
    const lanes_t h1 = lane_neg(lane_add(as, d));
    const lanes_t h2 = lane_sub(lane_mul(lane_set(3), m), h0);
    const lanes_t h3 = lane_mul(lane_set(2), d);
    const lanes_t h4 = lane_sub(lane_mul(lane_neg(half), lane_add(at, m)), h2);
    const lanes_t c1 = h0;
    const lanes_t c2 = lane_mul(half, lane_mul(h1, c1));
    const lanes_t square = lane_mul(c1, c1);
    const lanes_t c3 = lane_mul(lane_set(REAL(1.0) / 3), lane_fma(h1, c2, lane_mul(h2, square)));
    const lanes_t product = lane_mul(c1, c2);
    lanes_t sum = lane_fma(h2, lane_mul(lane_set(2), product),
                           lane_fma(h3, lane_mul(square, c1), lane_mul(h1, c3)));
    const lanes_t c4 = lane_mul(lane_set(REAL(0.25)), sum);
    sum = lane_fma(lane_mul(lane_set(2), c1), c3, lane_mul(c2, c2));
    sum = lane_fma(h2, sum, lane_mul(h1, c4));
    sum = lane_fma(h3, lane_mul(lane_mul(lane_set(3), square), c2), sum);
    sum = lane_fma(h4, lane_mul(square, square), sum);
    const lanes_t c5 = lane_mul(lane_set(REAL(0.2)), sum);
    lanes_t z = lane_fma(c5, tau, c4);
    z = lane_fma(z, tau, c3);
    z = lane_fma(z, tau, c2);
    z = lane_mul(lane_fma(z, tau, c1), tau);
    z = lane_max(lane_neg(one), lane_min(one, z));
    const lanes_t over = lane_div(one, lane_fma(z, z, one));
    const lanes_t cosine = lane_mul(lane_fnma(z, z, one), over);
    const lanes_t sine = lane_mul(lane_add(z, z), over);
    *s1 = lane_fnma(sine, p->s2, lane_mul(cosine, p->s1));
    *s2 = lane_fma(sine, p->s1, lane_mul(cosine, p->s2));
}

/*
 * Where the arc begins: the tau < 0 with u_t along s0, by Newton's iteration. Sets the scale, too,
 * from the slip there, to first order in the last correction.
 */
static inline mask_t arc_shift(arc_t *a, const polar_t *p, lanes_t middle) {
    const series_t *s = &a->series;
    const lanes_t zero = lane_zero();
    const lanes_t across = lane_fms(p->s1, s->ak2, lane_mul(p->s2, s->ak1));
    lanes_t tau = lane_neg(middle);
    lanes_t speed, growth, change;
    UNROLL
    for (int i = 0; i < SHIFT_ITERATIONS; i++) {
        const lanes_t x = series_value(s->x, tau);
        const lanes_t y = series_value(s->y, tau);
        const lanes_t value = lane_fms(p->s1, y, lane_mul(p->s2, x));
        speed = lane_mul_add2(p->s1, x, p->s2, y);
        const lanes_t bx = lane_mul(s->bt1, x);
        const lanes_t by = lane_mul(s->bt2, y);
        const lanes_t slope = lane_fma(across, speed, lane_fms(p->s2, bx, lane_mul(p->s1, by)));
        change = lane_div(value, slope);
        /* If the slip turns by less than rounding, any shift will do. */
        const mask_t steady = mask_and(
            lane_le(lane_abs(value), lane_mul(lane_set(4 * REAL_UNIT), speed)),
            mask_not(lane_le(lane_abs(change), lane_mul(lane_set(HALF_PRECISION), middle))));
        change = lane_select(steady, zero, change);
        tau = lane_sub(tau, change);
        growth = lane_sub(lane_mul_add2(p->s1, s->ak1, p->s2, s->ak2),
                          lane_div(lane_mul_add2(p->s1, bx, p->s2, by), speed));
    }
    speed = lane_fnma(lane_mul(growth, speed), change, speed);
    a->begin = tau;
    a->scale = lane_div(p->r, speed);
    const mask_t converged = lane_le(lane_abs(change), lane_mul(lane_set(HALF_PRECISION), middle));
    return mask_and(converged, mask_and(lane_lt(tau, zero), lane_lt(zero, speed)));
}

/* w, from r and v: the product of two series. */
static inline void arc_works(arc_t *a) {
    const series_t *s = &a->series;
    a->w[0] = lane_zero();
    a->w[1] = s->u_n[0];
    UNROLL
    for (int m = 1; m < ORDER; m++) {
        lanes_t sum = s->u_n[m];
        UNROLL
        for (int j = 1; j <= m; j++)
            sum = lane_fma(s->r[j], s->u_n[m - j], sum);
        a->w[m + 1] = lane_mul(sum, lane_set(series_over[m]));
    }
}

/* The last two coefficients of the works, as far as they change the velocity at the end. */
static inline lanes_t arc_work_size(const arc_t *a, int m, lanes_t over) {
    return lane_mul(lane_abs(a->w[m]), over);
}

/* How far from its middle the arc may go: as series_step, in units of the arc. */
static inline lanes_t arc_reach(const arc_t *a, lanes_t r, real_t tolerance) {
    const series_t *s = &a->series;
    const lanes_t speed =
        lane_max(lane_abs(s->u_n[0]), lane_mul(lane_abs(s->u_n[1]), lane_abs(a->begin)));
    const lanes_t rate = max3(lane_abs(s->x[1]), lane_abs(s->y[1]), lane_abs(s->u_n[1]));
    const lanes_t over = lane_div(rate, speed);
    const lanes_t unit = lane_div(lane_set(1), a->scale);
    const lanes_t error = step_allowance(r, tolerance);
    const lanes_t allowed = lane_log2_coarse(lane_mul(error, unit));
    const lanes_t last = lane_sub(
        allowed, lane_log2_coarse(lane_max(largest_of(s, ORDER), arc_work_size(a, ORDER, over))));
    const lanes_t before = lane_sub(
        allowed,
        lane_log2_coarse(lane_max(largest_of(s, ORDER - 1), arc_work_size(a, ORDER - 1, over))));
    const lanes_t third = lane_sub(
        lane_add(allowed, lane_set(THIRD_LAST)),
        lane_log2_coarse(lane_max(largest_of(s, ORDER - 2), arc_work_size(a, ORDER - 2, over))));
    lanes_t exponent = lane_min(lane_mul(last, lane_set(REAL(1.0) / ORDER)),
                                lane_mul(before, lane_set(REAL(1.0) / (ORDER - 1))));
    exponent = lane_min(exponent, lane_mul(third, lane_set(REAL(1.0) / (ORDER - 2))));
    const lanes_t longest = lane_set(STEP_EXPONENT);
    return lane_exp2_coarse(lane_max(lane_min(exponent, longest), lane_neg(longest)));
}

/* A polynomial and its derivative, of even and odd powers side by side: c = even + tau odd. */
static inline lanes_t value_and_slope(const lanes_t *c, lanes_t tau, lanes_t *slope) {
    const lanes_t square = lane_mul(tau, tau);
    lanes_t even = c[ORDER], odd = c[ORDER - 1];
    lanes_t even_slope = even, odd_slope = odd;
    even = lane_fma(even, square, c[ORDER - 2]);
    odd = lane_fma(odd, square, c[ORDER - 3]);
    UNROLL
    for (int m = ORDER - 4; m >= 2; m -= 2) {
        even_slope = lane_fma(even_slope, square, even);
        odd_slope = lane_fma(odd_slope, square, odd);
        even = lane_fma(even, square, c[m]);
        odd = lane_fma(odd, square, c[m - 1]);
    }
    even_slope = lane_fma(even_slope, square, even);
    even = lane_fma(even, square, c[0]);
    const lanes_t sum = lane_fma(tau, even_slope, lane_mul(square, odd_slope));
    *slope = lane_fma(lane_set(2), sum, odd);
    return lane_fma(odd, tau, even);
}
_Static_assert(ORDER % 2 == 0, "value_and_slope begins with an even power");

/*
 * The turn, where v passes zero: from a reverted series, by Newton's iteration. Sets *slope to
 * dv/dtau there.
 */
static inline void arc_find_turn(arc_t *a, lanes_t reach, mask_t wanted, lanes_t *slope) {
    const lanes_t *v = a->series.u_n;
    const lanes_t over = lane_div(lane_set(1), v[1]);
    const lanes_t first = lane_neg(lane_mul(v[0], over));
    const lanes_t second = lane_mul(v[2], over);
    const lanes_t third = lane_fms(lane_mul(lane_set(2), second), second, lane_mul(v[3], over));
    lanes_t tau = lane_fma(lane_mul(first, first), lane_fms(third, first, second), first);
    mask_t going = wanted;
    for (int i = 0; i < ROOT_ITERATIONS && mask_any(going); i++) {
        lanes_t rate;
        tau = lane_max(a->begin, lane_min(reach, tau));
        const lanes_t value = value_and_slope(v, tau, &rate);
        const lanes_t change = lane_div(value, rate);
        const lanes_t next = lane_sub(tau, change);
        tau = lane_select(going, next, tau);
        const lanes_t close = lane_mul(lane_set(HALF_PRECISION), lane_sub(tau, a->begin));
        const mask_t inside = mask_and(lane_le(a->begin, tau), lane_le(tau, reach));
        const mask_t there = mask_and(going, mask_and(inside, lane_le(lane_abs(change), close)));
        const mask_t turns = mask_and(there, lane_lt(lane_zero(), rate));
        a->turn = lane_select(turns, tau, a->turn);
        *slope = lane_select(turns, rate, *slope);
        a->turns = mask_or(a->turns, turns);
        going = mask_andnot(going, there);
    }
}

/*
 * The mean of w' from the turn to tau, (w(tau) - w(turn)) / (tau - turn), as a polynomial, by
 * division. A difference of works would be lost in rounding where restitution is short. A second
 * division gives the mean's value at the turn. Returns w(turn).
 */
static inline lanes_t arc_powers(arc_t *a) {
    lanes_t sum = lane_fma(a->w[ORDER], a->turn, a->w[ORDER - 1]);
    lanes_t mean = a->w[ORDER];
    UNROLL
    for (int m = ORDER - 2; m >= 0; m--) {
        a->power[m] = mean;
        mean = lane_fma(mean, a->turn, sum);
        sum = lane_fma(sum, a->turn, a->w[m]);
    }
    a->at_turn = mean;
    return sum;
}

/*
 * Where u_n turns, w' is zero, but that of the series is not: they end with tau^(ORDER - 1), and at
 * the turn the terms left out add up to -at_turn. They have about this size throughout a short
 * restitution, whose work would be off by 50 units of rounding of u_n and more. In a long
 * restitution they become smaller: the first of them, tau^ORDER, has a mean of about 1 / (1 + ORDER
 * / 2 * x) of that, if the arc goes from the turn by x of the way to its middle. If it goes away
 * from the middle, they grow, and the part of them that exceeds rounding grows by 1 + ORDER / 2 * x
 * + ORDER (ORDER - 1) / 6 * x^2 + ...
 */
#define DEFECT_ROUNDS (2 * REAL_UNIT)
#define DEFECT_GROWS  REAL(8.0)

static inline void arc_mend_powers(arc_t *a, lanes_t length) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const lanes_t linear = lane_set(REAL(0.5) * ORDER);
    const lanes_t from = lane_max(lane_abs(a->turn), lane_set(REAL_MIN));
    const mask_t towards = lane_lt(a->turn, zero);
    const lanes_t share = lane_div(from, lane_fma(linear, length, from));
    lanes_t defect = lane_select(towards, lane_mul(a->at_turn, share), a->at_turn);
    const lanes_t noise = lane_set(DEFECT_ROUNDS);
    const mask_t grows =
        mask_and(a->turns, mask_andnot(lane_lt(noise, lane_abs(a->at_turn)), towards));
    if (mask_any(grows)) {
        const lanes_t x = lane_min(lane_div(length, from), one);
        const lanes_t square = lane_set(REAL(1.0) / 6 * ORDER * (ORDER - 1));
        const lanes_t more = lane_mul(lane_fma(square, x, linear), x);
        const lanes_t sure =
            lane_sub(a->at_turn, lane_max(lane_neg(noise), lane_min(noise, a->at_turn)));
        const lanes_t grown = lane_mul(sure, lane_min(more, lane_set(DEFECT_GROWS)));
        defect = lane_add(defect, lane_select(grows, grown, zero));
    }
    a->defect = lane_select(a->turns, defect, zero);
}

static inline lanes_t arc_work_since(const arc_t *a, lanes_t tau) {
    const lanes_t length = lane_sub(tau, a->turn);
    const lanes_t mean = lane_fma(length, series_polynomial(a->power, ORDER - 2, tau),
                                  lane_sub(a->at_turn, a->defect));
    return lane_mul(length, mean);
}

/*
 * The quantity that grows from the turn to the end of the collision, with its first derivative and
 * an estimate of its second.
 */
static inline lanes_t arc_growth(const arc_t *a, lanes_t tau, lanes_t base, lanes_t bend,
                                 const routh_options_t *law, lanes_t *first, lanes_t *second) {
    const series_t *s = &a->series;
    *second = lane_zero();
    if (law->rule == IMPINGE_RULE_NEWTON)
        return lane_sub(value_and_slope(s->u_n, tau, first), base);
    const lanes_t r = series_speed_at(s, tau);
    *first = r;
    if (law->rule == IMPINGE_RULE_POISSON) return lane_sub(series_value(s->q, tau), base);
    *first = lane_mul(r, series_value(s->u_n, tau));
    *second = bend;
    return arc_work_since(a, tau);
}

/* The same up to the end of the arc, where u_n is `reached`. */
static inline lanes_t arc_growth_to_end(const arc_t *a, lanes_t reached, lanes_t base,
                                        const routh_options_t *law) {
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE:
        return arc_work_since(a, a->end);
    case IMPINGE_RULE_POISSON:
        return lane_sub(series_value(a->series.q, a->end), base);
    default:
        return lane_sub(reached, base);
    }
}

/*
 * The tau at which the quantity has grown by `amount`: Halley's iteration from the tau along a
 * straight line from the turn, on which u_n rises at `slope` and the slip grows as it does there.
 */
static inline void arc_find_end(arc_t *a, const motion_t *turn, lanes_t slope, lanes_t base,
                                lanes_t grows, lanes_t amount, mask_t wanted,
                                const routh_options_t *law) {
    const series_t *s = &a->series;
    const lanes_t zero = lane_zero();
    const lanes_t half = lane_set(REAL(0.5));
    const lanes_t r = series_speed_at(s, a->turn);
    const lanes_t rate = lane_div(slope, r);
    const lanes_t dq = impulse_owed(law, amount, lane_max(turn->u_n, zero), rate, s->work_scale);
    const lanes_t whole = lane_sub(a->end, a->turn);
    lanes_t length = lane_min(lane_max(lane_div(dq, lane_mul(a->scale, r)), zero), whole);
    const lanes_t bend = lane_mul(r, slope);
    const lanes_t near = lane_mul(lane_set(16 * HALF_PRECISION), grows);
    if (law->rule == IMPINGE_RULE_STRONGE) arc_mend_powers(a, length);
    mask_t going = wanted;
    for (int i = 0; i < ROOT_ITERATIONS && mask_any(going); i++) {
        lanes_t first, second;
        const lanes_t at =
            arc_growth(a, lane_add(a->turn, length), base, bend, law, &first, &second);
        const lanes_t left = lane_sub(grows, at);
        const lanes_t divisor = lane_fma(first, first, lane_mul(lane_mul(half, left), second));
        const lanes_t change = lane_div(lane_mul(left, first), divisor);
        length = lane_select(going, lane_add(length, change), length);
        const lanes_t close = lane_mul(lane_set(HALF_PRECISION), length);
        /* If the rate vanishes, so does the correction. */
        const mask_t there =
            mask_and(lane_le(lane_abs(change), close), lane_le(lane_abs(left), near));
        const mask_t inside = mask_and(lane_lt(zero, length), lane_le(length, whole));
        a->ends = mask_or(a->ends, mask_and(going, mask_and(there, inside)));
        going = mask_andnot(going, there);
    }
    a->end = lane_select(a->ends, lane_add(a->turn, length), a->end);
}

/*
 * The series about the middle, with v in the units of the arc that follow from its beginning and
 * `scale`.
 */
static APART mask_t arc_begin(arc_t *a, const members_t *m, const polar_t *p,
                              const routh_options_t *law) {
    const lanes_t middle = arc_middle(m, p, law);
    motion_t at = {.u_n = lane_zero()};
    arc_direction(&m->matrix, p, middle, &at.x, &at.y);
    series_build(&a->series, &at, &m->matrix, true);
    const mask_t found = arc_shift(a, p, middle);
    const lanes_t before = series_value(a->series.u_n, a->begin);
    a->series.u_n[0] = lane_sub(lane_div(m->motion.u_n, a->scale), before);
    arc_works(a);
    a->work_unit = lane_mul(lane_mul(a->scale, a->scale), a->series.work_scale);
    a->unit = law->rule == IMPINGE_RULE_STRONGE ? a->work_unit : a->scale;
    return found;
}

/* The motion from the beginning to tau, without the works. */
static inline void arc_move(const arc_t *a, lanes_t tau, motion_t *m) {
    const series_t *s = &a->series;
    const lanes_t q = lane_sub(series_value(s->q, tau), series_value(s->q, a->begin));
    const lanes_t x = lane_sub(series_value(s->sum_x, tau), series_value(s->sum_x, a->begin));
    const lanes_t y = lane_sub(series_value(s->sum_y, tau), series_value(s->sum_y, a->begin));
    series_advance(s, lane_mul(a->scale, q), lane_mul(a->scale, x), lane_mul(a->scale, y), m);
}

/*
 * True if u_n passes no level twice between `from` and `to`: see step_passes. In a step that turns
 * by less than half a circle, u_n has at most one extremum, unless the step crosses the whole arc
 * in which u_n falls.
 */
static inline mask_t arc_is_simple(const arc_t *a, const motion_t *from, const motion_t *to,
                                   const polar_t *p, const matrix_t *k,
                                   const routh_options_t *law) {
    const series_t *s = &a->series;
    const lanes_t zero = lane_zero();
    const mask_t rising_from = lane_lt(zero, normal_rate(k, p->s1, p->s2));
    const mask_t rising_to = lane_lt(zero, series_normal_rate(s, to->x, to->y));
    const mask_t both = mask_and(rising_from, rising_to);
    const mask_t whole = mask_and(both, crosses_arc(s, from, to));
    const mask_t half = lane_lt(zero, lane_mul_add2(s->x[0], to->x, s->y[0], to->y));
    const mask_t top_fits = law->rule == IMPINGE_RULE_NEWTON ? mask_none() : rising_from;
    const mask_t expands = mask_or(both, top_fits);
    const mask_t turns = mask_or(rising_to, top_fits);
    const mask_t compresses = mask_or(both, mask_not(rising_from));
    const mask_t extremum =
        mask_select(a->expanding, expands, mask_select(a->turns, turns, compresses));
    return mask_and(mask_andnot(extremum, whole), half);
}

/* Lanes in which restitution is under way at the end of the arc. */
static inline mask_t arc_restores(const arc_t *a) { return mask_or(a->expanding, a->turns); }

/* The rule's quantity at the turn; growth is counted from there. */
static inline lanes_t arc_base(const arc_t *a, const routh_options_t *law) {
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE:
        return lane_zero();
    case IMPINGE_RULE_POISSON:
        return series_value(a->series.q, a->turn);
    default:
        return series_value(a->series.u_n, a->turn);
    }
}

/* The part of the motion at the turn that `owed` reads. */
static inline motion_t arc_turn_motion(const arc_t *a, const members_t *m, lanes_t compression,
                                       lanes_t base, const routh_options_t *law) {
    motion_t turn = m->motion;
    turn.work_compression = lane_fma(a->work_unit, compression, turn.work_compression);
    turn.u_n = lane_select(a->turns, lane_zero(), turn.u_n);
    if (law->rule != IMPINGE_RULE_NEWTON) {
        const lanes_t at =
            law->rule == IMPINGE_RULE_POISSON ? base : series_value(a->series.q, a->turn);
        const lanes_t since = lane_sub(at, series_value(a->series.q, a->begin));
        const lanes_t q = lane_select(a->turns, lane_mul(a->scale, since), lane_zero());
        turn.q = lane_add(turn.q, q);
        turn.q_compression = lane_add(turn.q_compression, q);
    }
    return turn;
}

/*
 * The turn and the end of the collision in an arc up to `a->end`, where u_n is `reached`, and w is
 * `before` at the beginning. Sets the works in *to, and q_compression where the rule reads it.
 */
static APART void arc_events(arc_t *a, const members_t *m, const polar_t *p, lanes_t reached,
                             lanes_t before, lanes_t whole, motion_t *to,
                             const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    const mask_t passes = mask_andnot(lane_le(zero, reached), a->expanding);
    const lanes_t r = lane_div(p->r, a->scale);
    lanes_t slope = lane_mul(r, normal_rate(&m->matrix, p->s1, p->s2));
    a->turn = a->begin;
    a->turns = mask_none();
    if (mask_any(passes)) arc_find_turn(a, a->end, passes, &slope);
    const mask_t restores = arc_restores(a);

    const lanes_t at_turn = arc_powers(a);
    arc_mend_powers(a, lane_sub(a->end, a->turn));
    const lanes_t compression =
        lane_select(a->turns, lane_sub(at_turn, before), lane_select(restores, zero, whole));
    const lanes_t base = arc_base(a, law);
    const motion_t turn = arc_turn_motion(a, m, compression, base, law);
    const mask_t plastic = mask_and(a->turns, lane_le(m->end, zero));
    const lanes_t amount = owed(law, &turn, m->end);
    lanes_t growth = arc_growth_to_end(a, reached, base, law);
    const lanes_t grows = lane_div(amount, a->unit);
    const mask_t pays = mask_andnot(mask_and(restores, lane_le(grows, growth)), plastic);
    if (mask_any(pays)) arc_find_end(a, &turn, slope, base, grows, amount, pays, law);
    a->ends = mask_or(a->ends, plastic);
    a->end = lane_select(plastic, a->turn, a->end);

    if (law->rule != IMPINGE_RULE_STRONGE) {
        arc_mend_powers(a, lane_sub(a->end, a->turn));
        growth = arc_work_since(a, a->end);
    }
    to->work_compression = turn.work_compression;
    to->work_restitution =
        lane_fma(a->work_unit, lane_select(restores, growth, zero), m->motion.work_restitution);
    to->q_compression = turn.q_compression;
    if (law->rule != IMPINGE_RULE_STRONGE) return;
    /* When restitution has ended, its quantity equals the amount that the rule requires. */
    const lanes_t paid = lane_neg(lane_mul(m->end, to->work_compression));
    to->work_restitution = lane_select(a->ends, paid, to->work_restitution);
}

/* True if no event up to `to` was missed. */
static inline mask_t arc_is_whole(const arc_t *a, const members_t *m, const motion_t *to,
                                  mask_t plastic, const polar_t *p, const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    const mask_t rises = lane_lt(zero, to->u_n);
    const mask_t pays = mask_or(a->ends, lane_lt(zero, owed(law, to, m->end)));
    const mask_t restores = mask_or(plastic, mask_and(rises, pays));
    const mask_t goes_on = mask_select(arc_restores(a), restores, lane_lt(to->u_n, zero));
    return mask_and(goes_on, arc_is_simple(a, &m->motion, to, p, &m->matrix, law));
}

/*
 * Takes an arc of LANES contacts to the end of the series' reach or of the collision. Returns the
 * lanes in which it succeeded; the others are unchanged.
 */
static inline mask_t arc_take(arc_t *a, members_t *m, mask_t valid, const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    const polar_t p = polar_of(&m->matrix, m->motion.x, m->motion.y);
    const mask_t found = mask_and(valid, arc_begin(a, m, &p, law));
    a->expanding = state_has(m->state, STATE_EXPANDING);
    a->turns = a->ends = mask_none();
    a->turn = a->begin;
    a->end = arc_reach(a, p.r, law->tolerance);
    const mask_t reaches =
        mask_and(lane_le(lane_neg(a->begin), a->end), mask_not(series_is_slow(a->end)));
    const mask_t good = mask_and(found, reaches);

    motion_t to = m->motion;
    const lanes_t reached = series_value(a->series.u_n, a->end);
    const lanes_t before = series_value(a->w, a->begin);
    const lanes_t whole = lane_sub(series_value(a->w, a->end), before);
    to.work_compression = lane_fma(a->work_unit, whole, to.work_compression);
    if (mask_any(mask_and(good, mask_or(a->expanding, lane_le(zero, reached)))))
        arc_events(a, m, &p, reached, before, whole, &to, law);
    arc_move(a, a->end, &to);
    if (law->rule != IMPINGE_RULE_NEWTON) {
        const lanes_t all = lane_add(to.q_compression, lane_sub(to.q, m->motion.q));
        to.q_compression = lane_select(arc_restores(a), to.q_compression, all);
    }
    const mask_t plastic = mask_and(a->ends, lane_le(m->end, zero));
    const mask_t taken = mask_and(good, arc_is_whole(a, m, &to, plastic, &p, law));
    to.u_n = lane_select(plastic, zero, to.u_n);
    if (law->rule == IMPINGE_RULE_NEWTON) to.u_n = lane_select(a->ends, m->end, to.u_n);
    m->motion = motion_select(taken, &to, &m->motion);
    m->state = state_with(m->state, mask_and(taken, a->turns), STATE_EXPANDING);
    m->state = state_with(m->state, mask_and(taken, a->ends), STATE_ENDED);
    return taken;
}

#endif
