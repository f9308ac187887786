/*
 * Sliding: contacts whose slip turns, integrated step by step.
 *
 * Contacts take different numbers of steps. Those on their way stand side by side in a list; one
 * pass takes one step of each and packs those that go on. Contacts that have an event in their step
 * (compression or restitution ends), or probably will, move to other lists, which are processed in
 * whole vectors; contacts whose rest is a straight line leave. So nearly all lanes are busy.
 */
#ifndef IMPINGE_KERNELS_ROUTH_SLIDE_H
#define IMPINGE_KERNELS_ROUTH_SLIDE_H

#include "arc.h"

_Static_assert(LANES <= SLIDING_LANES, "a list has room for a vector more");

/* Removes the contacts of `which`, which no longer slide. */
static inline void slide_leave(ring_t *ring, words_t places, mask_t which) {
    if (!mask_any(which)) return;
    uint32_t at[LANES];
    word_store(at, places);
    for (uint32_t left = mask_bits(which); left != 0; left &= left - 1) {
        const size_t chunk = at[lowest_bit(left)] / ROW >> ring->chunk_bits;
        if (--ring->sliding[chunk] == 0) ring->finished[ring->finished_count++] = (uint32_t)chunk;
    }
}

/* The events that a step from `from` to `to` would pass. */
typedef struct passed {
    mask_t crossing; /* u_n passes zero, in the direction that ends the phase */
    mask_t end;      /* the rule's end of the collision */
    mask_t pair;     /* u_n has an extremum, and may pass a zero twice */
    mask_t whole;    /* u_n has two extrema: the step crosses the whole arc in which it falls */
} passed_t;

static inline mask_t any_of(const passed_t *p) {
    return mask_or(mask_or(p->crossing, p->end), mask_or(p->pair, p->whole));
}

static inline passed_t step_passes(const series_t *s, const motion_t *from, const motion_t *to,
                                   mask_t expanding, lanes_t end, const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    const lanes_t rate_from = s->u_n[1];
    const lanes_t rate_to = series_normal_rate(s, to->x, to->y);
    const mask_t rising_from = lane_lt(zero, rate_from);
    const mask_t rising_to = lane_lt(zero, rate_to);

    /* At the beginning of a phase u_n may be on the wrong side of zero by rounding. */
    const mask_t ends_compression =
        mask_and(lane_le(zero, to->u_n), mask_or(lane_lt(from->u_n, zero), rising_to));
    const mask_t ends_restitution =
        mask_and(lane_lt(to->u_n, zero), mask_or(lane_lt(zero, from->u_n), lane_lt(rate_to, zero)));
    passed_t p;
    p.crossing = mask_select(expanding, ends_restitution, ends_compression);
    p.end = mask_and(expanding, lane_le(owed(law, to, end), zero));

    const mask_t top = mask_andnot(rising_from, rising_to);
    const mask_t bottom = mask_andnot(rising_to, rising_from);
    /* Under Newton's rule the end is also a level of u_n, which a top may pass. */
    const mask_t top_matters = law->rule == IMPINGE_RULE_NEWTON ? mask_all() : mask_not(expanding);
    p.pair = mask_andnot(mask_and(top, top_matters), p.end);
    /* u_n may have fallen below zero before its bottom, so that there was no such end. */
    p.pair = mask_or(p.pair, mask_and(bottom, expanding));
    p.pair = mask_andnot(p.pair, p.crossing);
    if (law->rule == IMPINGE_RULE_NEWTON)
        p.pair = mask_or(p.pair, mask_and(expanding, mask_and(top, p.crossing)));
    p.whole = mask_and(mask_and(rising_from, rising_to), crosses_arc(s, from, to));
    return p;
}

/*
 * One iteration in the lanes of *going: to `next` if that is in the bracket, else to the middle of
 * the bracket. A lane is done if the correction is at most `close`: the error that such a
 * correction leaves, one order of convergence higher, is rounding.
 */
static inline void bracketed_step(lanes_t *tau, mask_t *going, lanes_t next, lanes_t low,
                                  lanes_t high, lanes_t close) {
    const lanes_t middle = lane_mul(lane_set(REAL(0.5)), lane_add(low, high));
    const mask_t inside = mask_and(lane_le(low, next), lane_le(next, high));
    next = lane_select(inside, next, middle);
    const lanes_t correction = lane_abs(lane_sub(next, *tau));
    *tau = lane_select(*going, next, *tau);
    *going = mask_andnot(*going, mask_and(inside, lane_le(correction, close)));
}

/*
 * The tau in [low, longest] at which the polynomial c reaches `level`, for the lanes of `wanted`,
 * where it passes that level from below (c(longest) >= level): Newton's iteration from `start`,
 * kept in the bracket that it narrows. Bisection alone would need as many iterations as there are
 * bits.
 */
static inline lanes_t series_root(const lanes_t *c, lanes_t level, lanes_t low, lanes_t start,
                                  lanes_t longest, mask_t wanted) {
    const lanes_t least = lane_mul(lane_set(REAL(0x1p-16)), longest);
    lanes_t high = longest;
    lanes_t tau = start;
    mask_t going = wanted;
    for (int i = 0; i < 2 * MANTISSA_BITS && mask_any(going); i++) {
        lanes_t value = c[ORDER];
        lanes_t slope = lane_zero();
        UNROLL
        for (int m = ORDER - 1; m >= 0; m--) {
            slope = lane_fma(slope, tau, value);
            value = lane_fma(value, tau, c[m]);
        }
        const lanes_t excess = lane_sub(value, level);
        const mask_t above = lane_lt(lane_zero(), excess);
        low = lane_select(above, low, tau);
        high = lane_select(above, tau, high);
        /* Convergence is quadratic. */
        const lanes_t close = lane_mul(lane_set(HALF_PRECISION), lane_max(tau, least));
        bracketed_step(&tau, &going, lane_sub(tau, lane_div(excess, slope)), low, high, close);
    }
    return tau;
}

/* One contact's step with an event in it, in lanes. */
typedef struct event {
    series_t series;
    matrix_t matrix;
    motion_t from, to;
    lanes_t tau; /* the end of the step so far, where `to` is, in units of the series */
    lanes_t end;
    mask_t expanding; /* where the step begins */
    passed_t passed;
    /* Where compression ended in this step, in the lanes of `turned`; the step's start in others.
     */
    motion_t turn;
    lanes_t turn_tau;
    mask_t turned;
    mask_t grazes; /* an extremum of u_n in this step is close to a level */
} event_t;

static inline lanes_t sign_of(mask_t positive) {
    return lane_select(positive, lane_set(1), lane_set(-1));
}

/*
 * Sets the parts of `to`, at tau, in either phase: up to the turn those of the turn, and the rest
 * from there on.
 */
static inline void event_count(const event_t *e, lanes_t tau, motion_t *to) {
    const mask_t expanding = mask_or(e->expanding, e->turned);
    to->q_compression = lane_select(e->turned, e->turn.q_compression, to->q_compression);
    to->work_compression = e->turn.work_compression;
    to->work_restitution = e->turn.work_restitution;
    const lanes_t ends = lane_add(work_rate(&e->turn), work_rate(to));
    count_work(to, series_works(&e->series, e->turn_tau, tau, ends), expanding);
}

/* Ends the step at tau in the lanes of `where`. */
static APART void event_cut(event_t *e, mask_t where, lanes_t tau) {
    motion_t to = e->from;
    tau = lane_select(where, tau, e->tau);
    series_move(&e->series, tau, e->expanding, &to);
    event_count(e, tau, &to);
    e->tau = tau;
    e->to = motion_select(where, &to, &e->to);
}

/* Cuts the step short in the middle of the arc in which u_n falls. */
static inline void event_halve_arc(event_t *e, mask_t where) {
    const series_t *s = &e->series;
    const lanes_t zero = lane_zero();
    lanes_t across[ORDER + 1];
    const lanes_t first = lane_difference_of_products(s->bk1, s->y[0], s->bk2, s->x[0]);
    const lanes_t sign = sign_of(lane_lt(first, zero));
    for (int m = 0; m <= ORDER; m++) {
        const lanes_t c = lane_difference_of_products(s->bk1, s->y[m], s->bk2, s->x[m]);
        across[m] = lane_mul(sign, c);
    }
    event_cut(e, where, series_root(across, zero, zero, e->tau, e->tau, where));
}

/* Cuts the step short where u_n has its extremum, so that it passes no zero twice. */
static inline void event_find_extremum(event_t *e, mask_t where) {
    const series_t *s = &e->series;
    const lanes_t zero = lane_zero();
    lanes_t rate[ORDER + 1];
    const lanes_t sign = sign_of(lane_lt(s->u_n[1], zero));
    for (int m = 0; m < ORDER; m++)
        rate[m] = lane_mul(lane_mul(sign, lane_set((real_t)(m + 1))), s->u_n[m + 1]);
    rate[ORDER] = zero;
    event_cut(e, where, series_root(rate, zero, zero, e->tau, e->tau, where));
}

/* A part of a step that counts as none. */
static inline lanes_t no_step(lanes_t tau) { return lane_mul(lane_set(2 * HALF_PRECISION), tau); }

/*
 * Cuts steps across the whole arc in which u_n falls short in its middle, in the direction of k. A
 * step that begins there, where u_n rises by rounding, is not cut: it would make no progress, and
 * the arc is so narrow that the fall of u_n is negligible. Returns the lanes of such steps.
 */
static APART mask_t event_halve(event_t *e, mask_t whole) {
    const lanes_t tau = e->tau;
    const motion_t to = e->to;
    event_halve_arc(e, whole);
    const mask_t begins = mask_and(whole, lane_le(e->tau, no_step(tau)));
    e->tau = lane_select(begins, tau, e->tau);
    e->to = motion_select(begins, &to, &e->to);
    return begins;
}

/*
 * Makes u_n monotone in the step. An extremum where the step begins is where the last step was cut;
 * the rest of the step has none then, and is taken whole. A step is also taken whole if u_n has
 * hardly changed up to the extremum and passes no level that matters: very close to a ray along
 * which u_n is constant, its rate is rounding, which would cut one step after another. A step
 * across the whole arc in which u_n falls has two extrema and is first halved: where it begins at
 * the top, u_n may rise there by rounding.
 */
static APART void event_straighten(event_t *e, mask_t bends, const routh_options_t *law) {
    const mask_t whole = mask_and(bends, e->passed.whole);
    if (mask_any(whole)) bends = mask_andnot(bends, event_halve(e, whole));
    const lanes_t whole_tau = e->tau;
    const motion_t whole_to = e->to;
    event_find_extremum(e, bends);
    e->grazes = mask_and(bends, grazes_level(law, e->to.u_n, e->expanding, e->end));
    const lanes_t change = lane_abs(lane_sub(e->to.u_n, e->from.u_n));
    mask_t passes = lane_lt(lane_mul(e->to.u_n, e->from.u_n), lane_zero());
    if (law->rule == IMPINGE_RULE_NEWTON)
        passes = mask_or(passes, mask_and(e->expanding, lane_le(e->end, e->to.u_n)));
    const mask_t level =
        mask_andnot(lane_le(change, lane_set(law->tolerance / ERROR_OF_STEPS)), passes);
    const mask_t begins = lane_le(e->tau, no_step(whole_tau));
    const mask_t at_start = mask_and(bends, mask_or(level, begins));
    e->tau = lane_select(at_start, whole_tau, e->tau);
    e->to = motion_select(at_start, &whole_to, &e->to);
    e->passed = step_passes(&e->series, &e->from, &e->to, e->expanding, e->end, law);
}

/* Cuts the step short where u_n = 0 ends the phase. */
static APART void event_find_crossing(event_t *e, mask_t where) {
    const series_t *s = &e->series;
    const lanes_t zero = lane_zero();
    lanes_t u_n[ORDER + 1];
    const lanes_t sign = lane_neg(sign_of(e->expanding));
    for (int m = 0; m <= ORDER; m++)
        u_n[m] = lane_mul(sign, s->u_n[m]);
    const lanes_t reached = lane_mul(sign, e->to.u_n);
    const lanes_t chord = lane_div(lane_mul(e->tau, lane_neg(u_n[0])), lane_sub(reached, u_n[0]));
    const lanes_t start = lane_select(lane_lt(u_n[0], zero), chord, e->tau);
    event_cut(e, where, series_root(u_n, zero, zero, start, e->tau, where));
    e->to.u_n = lane_select(where, zero, e->to.u_n);
}

/* The tau at which restitution has done `amount` of work since the turn, for Stronge's rule. */
static inline lanes_t work_root(const event_t *e, lanes_t amount, lanes_t start, mask_t wanted,
                                const routh_options_t *law) {
    const series_t *s = &e->series;
    /* The formula takes the curvature of W into account: convergence is cubic. */
    const lanes_t close = lane_mul(lane_set(THIRD_PRECISION), e->tau);
    lanes_t low = e->turn_tau;
    lanes_t high = e->tau;
    lanes_t tau = start;
    mask_t going = wanted;
    for (int i = 0; i < 2 * MANTISSA_BITS && mask_any(going); i++) {
        motion_t at = e->from;
        series_move(s, tau, e->expanding, &at);
        const lanes_t ends = lane_add(work_rate(&e->turn), work_rate(&at));
        const lanes_t left = lane_sub(amount, series_works(s, e->turn_tau, tau, ends));
        const lanes_t r = slip_size(&at);
        const lanes_t q_rate = lane_mul(r, s->unit);
        const lanes_t rate = lane_div(series_normal_rate(s, at.x, at.y), q_rate);
        const lanes_t dq =
            impulse_owed(law, left, lane_max(at.u_n, lane_zero()), rate, s->work_scale);
        const mask_t above = lane_lt(left, lane_zero());
        low = lane_select(above, low, tau);
        high = lane_select(above, tau, high);
        /* dq = r dtau + r' dtau^2 / 2, inverted to second order. */
        const lanes_t first = lane_div(dq, q_rate);
        const lanes_t growth = lane_mul(lane_set(REAL(0.5)), series_growth(s, at.x, at.y, r));
        const lanes_t dtau = lane_fnma(growth, lane_mul(first, first), first);
        bracketed_step(&tau, &going, lane_add(tau, dtau), low, high, close);
    }
    return tau;
}

/* Cuts the step short where the collision ends, first guessed along a straight line from the turn.
 */
static APART void event_find_end(event_t *e, mask_t where, const routh_options_t *law) {
    const series_t *s = &e->series;
    const motion_t *turn = &e->turn;
    const lanes_t amount = owed(law, turn, e->end);
    const lanes_t r = slip_size(turn);
    const lanes_t q_rate = lane_mul(r, s->unit);
    const lanes_t rate = lane_div(series_normal_rate(s, turn->x, turn->y), q_rate);
    const lanes_t dq =
        impulse_owed(law, amount, lane_max(turn->u_n, lane_zero()), rate, s->work_scale);
    const lanes_t straight = lane_add(e->turn_tau, lane_div(dq, q_rate));
    const mask_t useful = mask_and(lane_le(e->turn_tau, straight), lane_le(straight, e->tau));
    const lanes_t start = lane_select(useful, straight, e->tau);
    const lanes_t level = lane_div(lane_add(amount, lane_sub(turn->q, e->from.q)), s->unit);
    lanes_t tau;
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE:
        tau = work_root(e, amount, start, where, law);
        break;
    case IMPINGE_RULE_POISSON:
        tau = series_root(s->q, level, e->turn_tau, start, e->tau, where);
        break;
    default:
        tau = series_root(s->u_n, e->end, e->turn_tau, start, e->tau, where);
        break;
    }
    event_cut(e, where, tau);
    if (law->rule == IMPINGE_RULE_NEWTON) e->to.u_n = lane_select(where, e->end, e->to.u_n);
}

/*
 * Goes on to the end of the step, `whole` at `whole_tau`, in the lanes where compression has just
 * ended, if u_n certainly does not vanish again on the way, nor has its top there under Newton's
 * rule. Returns the lanes in which the collision ends before that.
 */
static inline mask_t event_go_on(event_t *e, mask_t where, lanes_t whole_tau, motion_t whole,
                                 const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    mask_t on = mask_and(where, lane_lt(zero, whole.u_n));
    if (law->rule == IMPINGE_RULE_NEWTON) {
        const lanes_t rate = series_normal_rate(&e->series, whole.x, whole.y);
        on = mask_and(on, lane_lt(zero, rate));
    }
    event_count(e, whole_tau, &whole);
    e->tau = lane_select(on, whole_tau, e->tau);
    e->to = motion_select(on, &whole, &e->to);
    return mask_and(on, lane_le(owed(law, &e->to, e->end), zero));
}

/*
 * True for a contact that has taken few steps. Only their length depends on whether they are exact:
 * where K is graded, rounding could make all others too short.
 */
static inline mask_t is_early(const members_t *m) {
    return mask_not(state_took(m->state, STEPS_USUAL));
}

/*
 * Shortens steps that are not exact enough, by a quarter each time: the terms left out fall by
 * 0.75^ORDER, so that one or two times suffice.
 */
enum { SHORTENED_MAX = 4 };

static inline void event_shorten(event_t *e, mask_t early, const routh_options_t *law) {
    for (int i = 0; i < SHORTENED_MAX; i++) {
        const lanes_t r = slip_size(&e->to);
        const mask_t exact = series_is_exact(&e->series, e->tau, r, law->tolerance);
        const mask_t coarse = mask_andnot(early, exact);
        if (!mask_any(coarse)) return;
        event_cut(e, coarse, lane_mul(lane_set(REAL(0.75)), e->tau));
    }
}

static inline void event_begin(event_t *e, const members_t *m, mask_t valid,
                               const routh_options_t *law) {
    e->matrix = m->matrix;
    e->from = e->to = e->turn = m->motion;
    e->end = m->end;
    e->expanding = state_has(m->state, STATE_EXPANDING);
    e->turned = e->grazes = mask_none();
    e->turn_tau = lane_zero();
    e->tau = series_begin(&e->series, &e->from, &e->matrix, law->tolerance);
    if (mask_any(series_is_slow(e->tau)))
        e->tau = series_lengthen(&e->series, &e->from, &e->matrix, e->tau, law->tolerance);
    event_cut(e, mask_all(), e->tau);
    event_shorten(e, mask_and(valid, is_early(m)), law);
    e->passed = step_passes(&e->series, &e->from, &e->to, e->expanding, e->end, law);
}

/*
 * Takes the step of contacts up to their event and, if that is safe, beyond it, and records the
 * event in their states. Rare events come first: they make the step shorter, and the shorter step
 * may have no event at all.
 */
static inline void event_step(event_t *e, members_t *m, mask_t valid, const routh_options_t *law) {
    event_begin(e, m, valid, law);
    const mask_t bends = mask_and(valid, mask_or(e->passed.pair, e->passed.whole));
    if (mask_any(bends)) event_straighten(e, bends, law);
    const mask_t crossing = mask_and(valid, e->passed.crossing);
    mask_t ends = mask_andnot(mask_and(valid, e->passed.end), crossing);
    state_t state = state_with(m->state, e->grazes, STATE_GRAZES);
    if (mask_any(crossing)) {
        const lanes_t whole_tau = e->tau;
        const motion_t whole = e->to;
        event_find_crossing(e, crossing);
        /* Restitution may have been paid off before u_n fell to zero again. */
        const mask_t falls = mask_and(crossing, e->expanding);
        const mask_t paid = mask_and(falls, lane_le(owed(law, &e->to, e->end), lane_zero()));
        const mask_t recompresses = mask_andnot(falls, paid);
        state = state_without(state, recompresses, STATE_EXPANDING);
        state = state_with(state, recompresses, STATE_RECOMPRESSED);
        const mask_t doubtful =
            mask_and(recompresses, recompression_is_doubtful(law, &e->to, &e->matrix, e->end));
        state = state_with(state, doubtful, STATE_GRAZES);

        e->turned = mask_andnot(crossing, e->expanding);
        e->turn = motion_select(e->turned, &e->to, &e->from);
        e->turn_tau = lane_select(e->turned, e->tau, lane_zero());
        state = state_with(state, e->turned, STATE_EXPANDING);
        /* Without restitution the collision ends with compression. */
        const mask_t plastic = mask_and(e->turned, lane_le(e->end, lane_zero()));
        state = state_with(state, plastic, STATE_ENDED);
        const mask_t goes_on = mask_andnot(e->turned, plastic);
        ends = mask_or(ends, paid);
        if (mask_any(goes_on)) ends = mask_or(ends, event_go_on(e, goes_on, whole_tau, whole, law));
    }
    if (mask_any(ends)) event_find_end(e, ends, law);
    m->state = state_with(state, ends, STATE_ENDED);
    m->motion = e->to;
}

/*
 * A ray that attracts a slip close to it: the distance of the slip, and the part of it that remains
 * after one of Newton's iterations.
 */
typedef struct approach {
    lanes_t c;      /* the rate at which it attracts */
    lanes_t delta;  /* the angle to the ray, f / c */
    lanes_t second; /* c times the angle that is left: delta^2 times the rates */
} approach_t;

static inline approach_t approach_of(const matrix_t *k, const polar_t *p) {
    approach_t a;
    a.c = lane_add(p->g, p->q);
    a.delta = lane_div(p->f, a.c);
    a.second = lane_mul(lane_mul(a.delta, a.delta), rates_size(k));
    return a;
}

/*
 * The remaining distance on the ray: to the end of the collision if u_n rises, and at most to the
 * end of the slip if that shrinks. The rates are those at the present slip, which must not change
 * much up to the ray; otherwise the distance is infinite.
 */
static inline lanes_t ray_rest(const members_t *m, const polar_t *p, const approach_t *a,
                               const routh_options_t *law) {
    const matrix_t *k = &m->matrix;
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const lanes_t never = lane_set(REAL_MAX);
    const lanes_t angle = lane_mul(lane_set(4), lane_abs(a->delta));
    const lanes_t rate = normal_rate(k, p->s1, p->s2);
    const lanes_t coupling = lane_mul(k->beta, normal_coupling(k));
    const mask_t rises = mask_and(lane_lt(zero, rate), lane_le(lane_mul(coupling, angle), rate));
    const lanes_t over = straight_rest(m, lane_select(rises, rate, one), law);
    const lanes_t shrinking = lane_neg(p->g);
    const mask_t shrinks =
        mask_and(lane_lt(zero, shrinking), lane_le(lane_mul(rates_size(k), angle), shrinking));
    const lanes_t vanishes = lane_div(p->r, lane_select(shrinks, shrinking, one));
    return lane_min(lane_select(rises, over, never), lane_select(shrinks, vanishes, never));
}

/*
 * True if the iteration comes close enough to take the rest of the slide as a straight line on the
 * ray.
 */
static inline mask_t approach_is_done(const members_t *m, const polar_t *p, const approach_t *a,
                                      lanes_t none, lanes_t rest, real_t tolerance) {
    const matrix_t *k = &m->matrix;
    const lanes_t zero = lane_zero();
    const lanes_t bending = lane_mul(friction_strength(k), a->second);
    const lanes_t allowed = lane_mul(lane_set(ERROR_OF_STEPS * tolerance), a->c);
    const mask_t meets = mask_or(
        lane_le(zero, p->g), lane_le(lane_mul(p->r, a->second), lane_mul(none, lane_neg(p->g))));
    const mask_t stays = mask_and(lane_le(lane_mul(bending, rest), allowed), meets);
    /* If f is only its own rounding, the ray cannot be found more exactly. */
    const mask_t ends = lane_lt(rest, lane_set(REAL_MAX));
    return mask_and(ends, mask_or(stays, turn_is_rounding(k, p)));
}

static inline void turn_to_ray(const polar_t *p, lanes_t delta, mask_t where, motion_t *m) {
    const lanes_t x = lane_mul(p->r, lane_fnma(delta, p->s2, p->s1));
    const lanes_t y = lane_mul(p->r, lane_fma(delta, p->s1, p->s2));
    m->x = lane_select(where, x, m->x);
    m->y = lane_select(where, y, m->y);
}

/*
 * Turns a slip to its ray by the impulse for that, except for second-order terms. Its angle from
 * the ray falls as exp(-c tau), and its size grows as exp(g tau), so that friction across it
 * removes r delta in all, by the impulse r delta / (t.T t). The collision may end earlier, after 1
 * - exp(-x) of that, where x = (c - g) tau, with tau = log(1 + g rest / r) / g, about rest / (r + g
 * rest / 2): x - x^2 / 4 up to x = 2. If the slip were turned without the impulse, it would not be
 * that of u0 + K p, and near a jam u_n multiplies the difference.
 */
static inline void go_to_ray(const matrix_t *k, const polar_t *p, lanes_t delta, lanes_t rest,
                             mask_t where, motion_t *m) {
    const lanes_t least = lane_mul(lane_set(REAL(-0.5)), p->r);
    const lanes_t half = lane_max(lane_mul(lane_set(REAL(0.5)), lane_mul(p->g, rest)), least);
    const lanes_t x = lane_min(lane_div(lane_mul(p->q, rest), lane_add(p->r, half)), lane_set(2));
    const lanes_t share = lane_fnma(lane_mul(lane_set(REAL(0.25)), x), x, x);
    const lanes_t turn = lane_mul(lane_mul(p->r, delta), share);
    const lanes_t impulse = lane_div(lane_mul(k->beta, turn), p->q);
    const lanes_t p1 = lane_neg(lane_mul(p->s2, impulse));
    const lanes_t p2 = lane_mul(p->s1, impulse);
    const lanes_t along = lane_mul_add2(lane_mul(k->t1, p->s1), p1, lane_mul(k->t2, p->s2), p2);
    const lanes_t u_n = lane_add(m->u_n, lane_mul_add2(k->k1, p1, k->k2, p2));
    turn_to_ray(p, delta, where, m);
    m->x = lane_select(where, lane_fma(along, p->s1, m->x), m->x);
    m->y = lane_select(where, lane_fma(along, p->s2, m->y), m->y);
    m->u_n = lane_select(where, u_n, m->u_n);
    m->p1 = lane_select(where, lane_add(m->p1, p1), m->p1);
    m->p2 = lane_select(where, lane_add(m->p2, p2), m->p2);
}

/*
 * A second iteration, for a slip that has taken many steps. After very many steps, rates that are
 * not steady up to the ray are only rounding.
 */
static APART mask_t settles_at_last(members_t *m, const polar_t *p, const approach_t *a,
                                    lanes_t none, mask_t wanted, const routh_options_t *law) {
    motion_t turned = m->motion;
    turn_to_ray(p, a->delta, wanted, &turned);
    const polar_t q = polar_of(&m->matrix, turned.x, turned.y);
    const approach_t b = approach_of(&m->matrix, &q);
    approach_t last = b;
    const mask_t steady = state_took(m->state, STEPS_MANY);
    last.delta = lane_select(steady, lane_zero(), b.delta);
    const lanes_t rest = ray_rest(m, &q, &last, law);
    const mask_t done = approach_is_done(m, &q, &b, none, rest, law->tolerance);
    const mask_t settled = mask_and(wanted, mask_and(lane_lt(lane_zero(), b.c), done));
    turn_to_ray(&q, b.delta, settled, &m->motion);
    return settled;
}

/*
 * Puts a slip that has settled near an attracting ray (rate c) on the ray, which is at the angle f
 * / c by Newton's iteration. The error matters in proportion to the rest of the collision, and a
 * second iteration leaves almost none. Without this, a ray on which the slip hardly changes would
 * take very many steps.
 */
static inline mask_t ray_is_taken(members_t *m, const polar_t *p, const approach_t *a, lanes_t none,
                                  mask_t near, bool close, const routh_options_t *law) {
    const mask_t attracted =
        mask_and(lane_lt(lane_zero(), a->c), lane_le(lane_abs(a->delta), lane_set(REAL(1.0) / 16)));
    const mask_t wanted = mask_and(near, attracted);
    if (!mask_any(wanted)) return wanted;
    const lanes_t rest = ray_rest(m, p, a, law);
    const mask_t once = mask_and(wanted, approach_is_done(m, p, a, none, rest, law->tolerance));
    /* So little friction, across that of the rest of the way, keeps the impulse in the cone. */
    const mask_t little = lane_le(lane_abs(a->delta), lane_set(HALF_PRECISION));
    const mask_t goes = close ? mask_and(once, little) : mask_none();
    turn_to_ray(p, a->delta, mask_andnot(once, goes), &m->motion);
    if (mask_any(goes)) go_to_ray(&m->matrix, p, a->delta, rest, goes, &m->motion);
    const mask_t late = state_took(m->state, STEPS_USUAL);
    const mask_t left = mask_and(mask_andnot(wanted, once), late);
    if (!mask_any(left)) return once;
    return mask_or(once, settles_at_last(m, p, a, none, left, law));
}

/*
 * The distance from its ray at which a slip is turned to it, and the allowed change of u_n, in
 * tolerances of one step.
 */
#define CLOSE_TO_RAY REAL(2.0)

/*
 * A slip close to its ray is turned to it. The impulse for that is r delta / (t.T t) (go_to_ray),
 * and is known to first order; where K is graded, it changes u_n by 1e5 times as much as the slip.
 * So both changes must be small. Where rounding keeps a slip from coming so near, it is turned
 * after STEPS_MANY.
 */
static inline mask_t slip_settles(members_t *m, const polar_t *p, lanes_t none, mask_t wanted,
                                  const routh_options_t *law) {
    const approach_t a = approach_of(&m->matrix, p);
    const lanes_t across = lane_mul(p->r, lane_abs(a.delta));
    const lanes_t little = lane_set(CLOSE_TO_RAY * law->tolerance);
    const mask_t near = mask_and(wanted, lane_le(across, little));
    if (!mask_any(near)) return near;
    const matrix_t *k = &m->matrix;
    const lanes_t pull = lane_mul(k->beta, normal_coupling(k));
    const mask_t keeps_u_n = lane_le(lane_mul(across, pull), lane_mul(p->q, little));
    const mask_t taken = mask_or(keeps_u_n, state_took(m->state, STEPS_MANY));
    return ray_is_taken(m, p, &a, none, mask_and(near, taken), true, law);
}

/*
 * The part of f that a step leaves, in units of rounding of the rates. A step of tau has an error
 * of 4 tau rates units of the slip, and reduces the angle to the ray by 1 - exp(-c tau) of it; for
 * steps close to a ray, tau rates is up to 16, and c is up to half the rates. So steps may stop
 * approaching the ray while f is up to 50 such units; 2 to 3 were observed.
 */
#define TURN_OF_STEPS 50

/*
 * A slip that has taken many steps. If it is large in units of the tolerance, or weakly attracted
 * by its ray, it may be far from the ray by rounding alone. It counts as on the ray if f is within
 * its own rounding or, after very many steps, within theirs. After the largest number of steps it
 * goes straight on.
 */
static APART mask_t slip_is_late(members_t *m, const polar_t *p, lanes_t none, mask_t late,
                                 const routh_options_t *law) {
    const approach_t a = approach_of(&m->matrix, p);
    const mask_t steady =
        mask_and(state_took(m->state, STEPS_MANY), turn_is_within(&m->matrix, p, TURN_OF_STEPS));
    const mask_t near = mask_and(late, mask_or(turn_is_rounding(&m->matrix, p), steady));
    const mask_t settled = ray_is_taken(m, p, &a, none, near, false, law);
    const mask_t many = mask_and(mask_andnot(late, settled), state_took(m->state, STEPS_MAX));
    m->state = state_with(m->state, many, STATE_EXHAUSTED);
    return mask_or(settled, many);
}

/*
 * Puts the contacts of `which` in the lists of their probable next operation, except those of the
 * list `own`, which it returns.
 */
static inline mask_t slide_sort(ring_t *ring, words_t at, const members_t *m, const polar_t *p,
                                mask_t which, enum list_kind own, const routh_options_t *law) {
    ahead_t ahead = ahead_of(m, p, which, law);
    mask_t stays = mask_none();
    if (own == ENDING) {
        stays = ahead.ends;
        ahead.ends = mask_none();
    }
    if (own == MOVING) {
        stays = ahead.goes;
        ahead.goes = mask_none();
    }
    list_ahead(ring, at, &ahead);
    return stays;
}

/*
 * Moves LANES contacts after a step: out of the ring's lists, or to another list. Returns those
 * that stay in the list `own`.
 */
static inline mask_t slide_route(ring_t *ring, words_t at, members_t *m, mask_t stepped,
                                 enum list_kind own, const routh_options_t *law) {
    const mask_t fine = finite3(m->motion.x, m->motion.y, m->motion.u_n);
    const mask_t lost = mask_andnot(stepped, fine);
    m->state = state_with(m->state, lost, STATE_ENDED | STATE_LOST);
    const mask_t ended = mask_and(stepped, state_has(m->state, STATE_ENDED));
    const mask_t goes_on = mask_andnot(stepped, ended);
    if (!mask_any(goes_on)) {
        slide_leave(ring, at, ended);
        return mask_none();
    }
    const polar_t polar = polar_of(&m->matrix, m->motion.x, m->motion.y);
    lanes_t none = slip_of_none(state_has(m->state, STATE_UNSTABLE), law->tolerance);
    none = lane_select(state_has(m->state, STATE_PASSES), passing_none(law->tolerance), none);
    const mask_t goes_straight =
        mask_and(goes_on, slip_goes_straight(&m->matrix, &polar, none, law->tolerance));
    const mask_t turns = mask_andnot(goes_on, goes_straight);
    const mask_t settles = slip_settles(m, &polar, none, turns, law);
    mask_t straight = mask_or(goes_straight, settles);
    const mask_t late = mask_and(mask_andnot(turns, settles), state_took(m->state, STEPS_USUAL));
    if (mask_any(late)) straight = mask_or(straight, slip_is_late(m, &polar, none, late, law));
    m->state = state_with(m->state, straight, STATE_LINE);
    slide_leave(ring, at, mask_or(ended, straight));
    return slide_sort(ring, at, m, &polar, mask_andnot(goes_on, straight), own, law);
}

static inline void slide_count(ring_t *ring, members_t *m, mask_t valid) {
    m->state = state_step(m->state);
    ring->steps += count_bits(mask_bits(valid));
    ring->lane_slots += LANES;
}

/* An arc of the contacts of `valid`. Returns those that take another. */
static APART mask_t slide_arc(ring_t *ring, words_t at, members_t *m, mask_t valid,
                              const routh_options_t *law) {
    slide_count(ring, m, valid);
    arc_t arc;
    const mask_t taken = arc_take(&arc, m, valid, law);
    list_append(&ring->list[STEPPING], at, mask_andnot(valid, taken));
    return slide_route(ring, at, m, taken, ENDING, law);
}

/*
 * A step along the series. In the lanes of the result it had an event, or was not exact enough, and
 * was not taken.
 */
INLINE mask_t series_take(const series_t *s, lanes_t step, members_t *m,
                          const routh_options_t *law) {
    const mask_t expanding = state_has(m->state, STATE_EXPANDING);
    motion_t to = m->motion;
    series_move(s, step, expanding, &to);
    const lanes_t r = slip_size(&to);
    const lanes_t ends = lane_fma(s->r[0], s->u_n[0], lane_mul(r, to.u_n));
    count_work(&to, series_works(s, lane_zero(), step, ends), expanding);
    const passed_t passed = step_passes(s, &m->motion, &to, expanding, m->end, law);
    const mask_t exact = series_is_exact(s, step, r, law->tolerance);
    const mask_t stays = mask_or(any_of(&passed), mask_andnot(is_early(m), exact));
    m->motion = motion_select(stays, &m->motion, &to);
    return stays;
}

static APART mask_t slow_step(members_t *m, const routh_options_t *law) {
    series_t s;
    lanes_t step = series_begin(&s, &m->motion, &m->matrix, law->tolerance);
    step = series_lengthen(&s, &m->motion, &m->matrix, step, law->tolerance);
    return series_take(&s, step, m, law);
}

/*
 * One step of LANES contacts for which no event is expected. In the lanes of the result it had one,
 * or was not exact enough, and was not taken.
 */
static inline mask_t moving_step(members_t *m, const routh_options_t *law) {
    series_t s;
    const lanes_t step = series_begin(&s, &m->motion, &m->matrix, law->tolerance);
    if (mask_any(series_is_slow(step))) {
        members_t copy = *m; /* so that *m stays in registers */
        const mask_t stays = slow_step(&copy, law);
        *m = copy;
        return stays;
    }
    return series_take(&s, step, m, law);
}

static APART mask_t slide_move(ring_t *ring, words_t at, members_t *m, mask_t valid,
                               const routh_options_t *law) {
    slide_count(ring, m, valid);
    const mask_t stays = mask_and(valid, moving_step(m, law));
    list_append(&ring->list[ENDING], at, stays);
    return slide_route(ring, at, m, mask_andnot(valid, stays), MOVING, law);
}

static APART mask_t slide_event(ring_t *ring, words_t at, members_t *m, mask_t valid,
                                const routh_options_t *law) {
    slide_count(ring, m, valid);
    event_t e;
    event_step(&e, m, valid, law);
    return slide_route(ring, at, m, valid, STEPPING, law);
}

/* Slips that probably stop; those that do not continue with arcs. */
static inline mask_t slide_stop(ring_t *ring, words_t at, members_t *m, mask_t valid,
                                const routh_options_t *law) {
    const mask_t stopped = slip_stops(m, valid, law);
    slide_leave(ring, at, stopped);
    list_append(&ring->list[MOVING], at, mask_andnot(valid, stopped));
    return mask_none();
}

/*
 * Does the next operation for LANES contacts of a list, at `from`; those that stay in the list are
 * packed at `to`.
 */
static inline size_t slide_vector(ring_t *ring, enum list_kind kind, size_t from, size_t to,
                                  const routh_options_t *law) {
    slide_list_t *list = &ring->list[kind];
    const places_t p = list_load(list, from);
    members_t m;
    members_load(ring, p.at, &m);
    mask_t stays;
    if (kind == STOPPING)
        stays = slide_stop(ring, p.at, &m, p.valid, law);
    else if (kind == STEPPING)
        stays = slide_event(ring, p.at, &m, p.valid, law);
    else if (kind == MOVING)
        stays = slide_move(ring, p.at, &m, p.valid, law);
    else
        stays = slide_arc(ring, p.at, &m, p.valid, law);
    members_store(ring, p.at, &m, p.valid);
    return mask_any(stays) ? list_store(list, to, p.at, stays) : 0;
}

/* The contacts of a list that fill whole vectors, or all of them if they do not fill one. */
static APART void slide_pass(ring_t *ring, enum list_kind kind, const routh_options_t *law) {
    slide_list_t *list = &ring->list[kind];
    const size_t whole = list->count < LANES ? list->count : list->count / LANES * LANES;
    size_t kept = 0;
    for (size_t i = 0; i < whole; i += LANES)
        kept += slide_vector(ring, kind, i, kept, law);
    if (whole < list->count) {
        const words_t rest = word_load(list->at + whole);
        kept += list_store(list, kept, rest, mask_first(list->count - whole));
    }
    list->count = kept;
}

static inline size_t slide_under_way(const ring_t *ring) {
    size_t count = 0;
    for (int i = 0; i < LISTS; i++)
        count += ring->list[i].count;
    return count;
}

/* The list with the most contacts. */
static inline enum list_kind slide_fullest(const ring_t *ring) {
    enum list_kind fullest = MOVING;
    for (int i = MOVING + 1; i < LISTS; i++)
        if (ring->list[i].count > ring->list[fullest].count) fullest = (enum list_kind)i;
    return fullest;
}

/*
 * A step of some of the contacts under way: a whole vector if there is one, otherwise as many as
 * there are, so that none holds its chunk for long.
 */
static inline void slide_step(ring_t *ring, const routh_options_t *law) {
    slide_pass(ring, slide_fullest(ring), law);
}

#endif
