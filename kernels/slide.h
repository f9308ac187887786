/*
 * Sliding: the contacts of a chunk whose slip turns, integrated step by step.
 *
 * Contacts take different numbers of steps. Those still on their way stand side by side in a list;
 * one pass takes one step of each. A contact that meets an event in its step (compression or
 * restitution ends) moves to a second list, of which whole vectors are resolved at once, and comes
 * back if it goes on. One that may close straight ahead leaves. So nearly all lanes are at work.
 */
#ifndef IMPINGE_KERNELS_SLIDE_H
#define IMPINGE_KERNELS_SLIDE_H

#include "series.h"

typedef struct slide_list {
    real_t column[SLIDING_COLUMNS * COLUMN];
    uint32_t word[CHUNK];
    uint32_t home[CHUNK];  /* where in the chunk the contact comes from */
    uint32_t steps[CHUNK]; /* taken so far */
    size_t count;
} slide_list_t;

typedef struct slide {
    slide_list_t moving, events;
    uint64_t steps, lane_slots;
} slide_t;

/*
 * No contact needs this many: steps shrink only where the slip comes close to zero, and grow again
 * as it leaves. It is a bound against input that nobody has thought of.
 */
enum { STEPS_MAX = 4096 };

static inline void list_copy(slide_list_t *to, size_t i, const slide_list_t *from, size_t j) {
    for (size_t c = 0; c < SLIDING_COLUMNS * COLUMN; c += COLUMN)
        to->column[c + i] = from->column[c + j];
    to->word[i] = from->word[j];
    to->home[i] = from->home[j];
    to->steps[i] = from->steps[j];
}

static inline void list_remove(slide_list_t *list, size_t i) {
    list->count--;
    if (i != list->count) list_copy(list, i, list, list->count);
}

/* Lanes beyond the last contact repeat it, so that they do nothing unheard of. */
static inline void list_pad(slide_list_t *list) {
    for (size_t i = list->count; i < LANES; i++) list_copy(list, i, list, list->count - 1);
}

static inline void slide_enter(slide_t *slide, const chunk_t *chunk, uint32_t i) {
    slide_list_t *to = &slide->moving;
    for (size_t c = 0; c < SLIDING_COLUMNS * COLUMN; c += COLUMN)
        to->column[c + to->count] = chunk->column[c + i];
    to->word[to->count] = chunk->word[i];
    to->home[to->count] = i;
    to->steps[to->count] = 0;
    to->count++;
}

static inline void slide_leave(chunk_t *chunk, const slide_list_t *from, size_t j) {
    const uint32_t i = from->home[j];
    for (size_t c = 0; c < MOTION_COLUMNS * COLUMN; c += COLUMN)
        chunk->column[c + i] = from->column[c + j];
    chunk->word[i] = from->word[j];
}

/* What a step from `from` to `to` would pass. */
typedef struct passed {
    mask_t crossing; /* u_n passes zero, in the direction that ends the phase */
    mask_t end;      /* the rule's end of the collision */
    mask_t pair;     /* u_n has an extremum, and may pass a zero twice */
    mask_t whole;    /* u_n has two extrema: the step crosses the whole arc in which it falls */
} passed_t;

static inline mask_t any_of(const passed_t *p) {
    return mask_or(mask_or(p->crossing, p->end), mask_or(p->pair, p->whole));
}

/* What the restitution still owes: the rule's quantity that must grow by this much. */
static inline lane_t owed(const law_t *law, const motion_t *m, lane_t end) {
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE: /* W_d = -e^2 W_c (000, 3.4) */
        return lane_fnma(end, m->work_compression, lane_neg(m->work_restitution));
    case IMPINGE_RULE_POISSON: /* p_d = e p_c */
        return lane_fma(end, m->q_compression, lane_sub(m->q_compression, m->q));
    default: /* u_n = -e u_n0 */ return lane_sub(end, m->u_n);
    }
}

/*
 * While the slip turns, du_n/dq = alpha K33 - beta k . s changes sign where s enters or leaves an arc
 * about k. A step turns by less than half a circle, so it holds two changes only if it crosses all
 * of that arc, and with it the direction of k.
 */
static inline mask_t crosses_arc(const series_t *s, const motion_t *from, const motion_t *to) {
    const lane_t before = lane_difference_of_products(s->bk1, from->y, s->bk2, from->x);
    const lane_t after = lane_difference_of_products(s->bk1, to->y, s->bk2, to->x);
    const lane_t along = lane_mul_add2(s->bk1, to->x, s->bk2, to->y);
    const lane_t k_squared = lane_mul_add2(s->bk1, s->bk1, s->bk2, s->bk2);
    const mask_t arc = lane_lt(lane_mul(s->ak33, s->ak33), k_squared);
    const mask_t sides = mask_and(lane_lt(lane_mul(before, after), lane_zero()),
                                  lane_lt(lane_zero(), along));
    return mask_and(arc, sides);
}

static inline passed_t step_passes(const series_t *s, const motion_t *from, const motion_t *to,
                                   mask_t expanding, lane_t end, const law_t *law) {
    const lane_t zero = lane_zero();
    const lane_t rate_from = s->u_n[1];
    const lane_t rate_to = series_normal_rate(s, to->x, to->y);
    const mask_t rising_from = lane_lt(zero, rate_from);
    const mask_t rising_to = lane_lt(zero, rate_to);

    /* A phase may begin with u_n a rounding error to the wrong side of zero. */
    const mask_t ends_compression =
        mask_and(lane_le(zero, to->u_n), mask_or(lane_lt(from->u_n, zero), rising_to));
    const mask_t ends_restitution =
        mask_and(lane_lt(to->u_n, zero),
                 mask_or(lane_lt(zero, from->u_n), lane_lt(rate_to, zero)));
    passed_t p;
    p.crossing = mask_select(expanding, ends_restitution, ends_compression);
    p.end = mask_and(expanding, lane_le(owed(law, to, end), zero));

    const mask_t top = mask_andnot(rising_from, rising_to);
    const mask_t bottom = mask_andnot(rising_to, rising_from);
    /* Under Newton's rule the end, too, is a level of u_n that a top may pass. */
    const mask_t top_matters = law->rule == IMPINGE_RULE_NEWTON
                                   ? mask_all()
                                   : mask_not(expanding);
    p.pair = mask_or(mask_and(top, top_matters), mask_and(bottom, expanding));
    p.pair = mask_andnot(p.pair, mask_or(p.crossing, p.end));
    p.whole = mask_and(mask_and(rising_from, rising_to), crosses_arc(s, from, to));
    return p;
}

/*
 * One iteration in the lanes of *going: to `next` if that is in the bracket, else to its middle. It was
 * the last one where the correction fell below the square root of rounding, since convergence is
 * quadratic at least.
 */
static inline void bracketed_step(lane_t *tau, mask_t *going, lane_t next, lane_t low, lane_t high,
                                  lane_t longest) {
    const lane_t middle = lane_mul(lane_set(REAL(0.5)), lane_add(low, high));
    const mask_t inside = mask_and(lane_le(low, next), lane_le(next, high));
    next = lane_select(inside, next, middle);
    const lane_t correction = lane_abs(lane_sub(next, *tau));
    *tau = lane_select(*going, next, *tau);
    *going = mask_andnot(*going, lane_le(correction, lane_mul(lane_set(HALF_PRECISION), longest)));
}

/*
 * The tau in [0, longest] at which the polynomial c reaches `level`, for the lanes of `wanted`, where
 * it passes that level from below (c(longest) >= level): Newton's iteration from `start`, kept in the
 * bracket that it narrows. Bisection alone would need as many iterations as there are bits.
 */
static inline lane_t series_root(const lane_t *c, lane_t level, lane_t start, lane_t longest,
                                 mask_t wanted) {
    lane_t low = lane_zero();
    lane_t high = longest;
    lane_t tau = start;
    mask_t going = wanted;
    for (int i = 0; i < 2 * MANTISSA_BITS && mask_any(going); i++) {
        lane_t value = c[ORDER];
        lane_t slope = lane_zero();
        UNROLL
        for (int m = ORDER - 1; m >= 0; m--) {
            slope = lane_fma(slope, tau, value);
            value = lane_fma(value, tau, c[m]);
        }
        const lane_t excess = lane_sub(value, level);
        const mask_t above = lane_lt(lane_zero(), excess);
        low = lane_select(above, low, tau);
        high = lane_select(above, tau, high);
        bracketed_step(&tau, &going, lane_sub(tau, lane_div(excess, slope)), low, high, longest);
    }
    return tau;
}

/* One contact's step with an event in it, in lanes. */
typedef struct event {
    series_t series;
    matrix_t matrix;
    motion_t from, to;
    lane_t tau; /* the end of the step so far, where `to` is */
    lane_t end;
    mask_t expanding;
    passed_t passed;
} event_t;

static inline lane_t sign_of(mask_t positive) {
    return lane_select(positive, lane_set(1), lane_set(-1));
}

/* Ends the step at tau in the lanes of `where`. */
static inline void event_cut(event_t *e, mask_t where, lane_t tau) {
    motion_t to = e->from;
    e->tau = lane_select(where, tau, e->tau);
    series_advance(&e->series, e->tau, &e->matrix, e->expanding, &to);
    e->to = motion_select(where, &to, &e->to);
}

/* Cuts the step short in the middle of the arc in which u_n falls. */
static inline void event_halve_arc(event_t *e, mask_t where) {
    const series_t *s = &e->series;
    lane_t across[ORDER + 1];
    const lane_t first = lane_difference_of_products(s->bk1, s->y[0], s->bk2, s->x[0]);
    const lane_t sign = sign_of(lane_lt(first, lane_zero()));
    for (int m = 0; m <= ORDER; m++) {
        const lane_t c = lane_difference_of_products(s->bk1, s->y[m], s->bk2, s->x[m]);
        across[m] = lane_mul(sign, c);
    }
    event_cut(e, where, series_root(across, lane_zero(), e->tau, e->tau, where));
}

/* Cuts the step short where u_n has its extremum, so that it passes no zero twice. */
static inline void event_find_extremum(event_t *e, mask_t where) {
    const series_t *s = &e->series;
    lane_t rate[ORDER + 1];
    const lane_t sign = sign_of(lane_lt(s->u_n[1], lane_zero()));
    for (int m = 0; m < ORDER; m++)
        rate[m] = lane_mul(lane_mul(sign, lane_set((real_t)(m + 1))), s->u_n[m + 1]);
    rate[ORDER] = lane_zero();
    event_cut(e, where, series_root(rate, lane_zero(), e->tau, e->tau, where));
}

/*
 * Makes u_n monotone in the step. An extremum where the step begins is where the last step was cut;
 * the rest of the step has none then, and is taken whole.
 */
static inline void event_straighten(event_t *e, mask_t bends, const law_t *law) {
    const lane_t whole_tau = e->tau;
    const motion_t whole_to = e->to;
    if (mask_any(e->passed.whole)) event_halve_arc(e, e->passed.whole);
    event_find_extremum(e, bends);
    const lane_t start = lane_mul(lane_set(2 * HALF_PRECISION), whole_tau);
    const mask_t at_start = mask_and(bends, lane_le(e->tau, start));
    e->tau = lane_select(at_start, whole_tau, e->tau);
    e->to = motion_select(at_start, &whole_to, &e->to);
    e->passed = step_passes(&e->series, &e->from, &e->to, e->expanding, e->end, law);
}

/* Cuts the step short where u_n = 0 ends the phase. */
static inline void event_find_crossing(event_t *e, mask_t where) {
    const series_t *s = &e->series;
    lane_t u_n[ORDER + 1];
    const lane_t sign = lane_neg(sign_of(e->expanding));
    for (int m = 0; m <= ORDER; m++) u_n[m] = lane_mul(sign, s->u_n[m]);
    const lane_t reached = lane_mul(sign, e->to.u_n);
    const lane_t chord = lane_div(lane_mul(e->tau, lane_neg(u_n[0])), lane_sub(reached, u_n[0]));
    const mask_t below = lane_lt(u_n[0], lane_zero());
    const lane_t start = lane_select(below, chord, e->tau);
    event_cut(e, where, series_root(u_n, lane_zero(), start, e->tau, where));
    e->to.u_n = lane_select(where, lane_zero(), e->to.u_n);
}

/* The normal impulse (as dq) that restitution still takes if du_n/dq stays as it is. */
static inline lane_t impulse_owed(const law_t *law, lane_t amount, lane_t u_n, lane_t rate) {
    const lane_t zero = lane_zero();
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE: { /* u_n'^2 = u_n^2 + 2 rate dW (000, 3.6 and 3.9) */
        const lane_t twice = lane_mul(lane_set(2), amount);
        const lane_t square = lane_fma(rate, twice, lane_mul(u_n, u_n));
        const lane_t sum = lane_add(u_n, lane_sqrt(lane_max(square, zero)));
        return lane_select(lane_lt(zero, sum), lane_div(twice, sum), zero);
    }
    case IMPINGE_RULE_POISSON: return amount;
    default: return lane_div(amount, rate);
    }
}

/* Whether it is ever paid off at that rate. */
static inline mask_t end_is_reached(const law_t *law, lane_t amount, lane_t u_n, lane_t rate) {
    const lane_t zero = lane_zero();
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE:
        return lane_le(zero, lane_fma(rate, lane_mul(lane_set(2), amount), lane_mul(u_n, u_n)));
    case IMPINGE_RULE_POISSON: return mask_all();
    default: return mask_or(lane_lt(zero, rate), lane_le(amount, zero));
    }
}

/* The tau at which restitution has done `amount` of work, for Stronge's rule. */
static inline lane_t work_root(const event_t *e, lane_t amount, lane_t start, mask_t wanted,
                               const law_t *law) {
    const series_t *s = &e->series;
    lane_t low = lane_zero();
    lane_t high = e->tau;
    lane_t tau = start;
    mask_t going = wanted;
    for (int i = 0; i < 2 * MANTISSA_BITS && mask_any(going); i++) {
        lane_t work;
        lane_t friction;
        series_works(s, tau, &work, &friction);
        const lane_t left = lane_sub(amount, work);
        const lane_t r = series_speed_at(s, tau);
        const lane_t u_n = lane_max(series_value(s->u_n, tau), lane_zero());
        const lane_t rate = series_normal_rate(s, series_value(s->x, tau), series_value(s->y, tau));
        const lane_t dq = impulse_owed(law, left, u_n, lane_div(rate, r));
        const mask_t above = lane_lt(left, lane_zero());
        low = lane_select(above, low, tau);
        high = lane_select(above, tau, high);
        bracketed_step(&tau, &going, lane_add(tau, lane_div(dq, r)), low, high, e->tau);
    }
    return tau;
}

/* Cuts the step short where the collision ends. */
static inline void event_find_end(event_t *e, mask_t where, const law_t *law) {
    const series_t *s = &e->series;
    const lane_t amount = owed(law, &e->from, e->end);
    const lane_t rate = lane_mul(s->u_n[1], s->r_inverse);
    const lane_t dq = impulse_owed(law, amount, lane_max(e->from.u_n, lane_zero()), rate);
    const lane_t straight = lane_mul(dq, s->r_inverse);
    const mask_t useful = mask_and(lane_le(lane_zero(), straight), lane_le(straight, e->tau));
    const lane_t start = lane_select(useful, straight, e->tau);
    lane_t tau;
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE: tau = work_root(e, amount, start, where, law); break;
    case IMPINGE_RULE_POISSON: tau = series_root(s->q, amount, start, e->tau, where); break;
    default: tau = series_root(s->u_n, e->end, start, e->tau, where); break;
    }
    event_cut(e, where, tau);
    if (law->rule == IMPINGE_RULE_NEWTON) e->to.u_n = lane_select(where, e->end, e->to.u_n);
}

/*
 * Takes the step of LANES contacts of the list up to their event, and says in their words what it
 * was. Rare cases first: they make the step shorter, and it may then have no event at all.
 */
static inline void event_step(slide_list_t *list, size_t i, const law_t *law) {
    event_t e;
    word_t word = word_load(&list->word[i]);
    e.matrix = matrix_load(list->column, i);
    e.from = motion_load(list->column, i);
    e.end = column_load(list->column, END, i);
    e.expanding = word_has(word, STATE_EXPANDING);
    series_build(&e.series, &e.from, &e.matrix);
    e.tau = series_step(&e.series, law->tolerance);
    e.to = e.from;
    series_advance(&e.series, e.tau, &e.matrix, e.expanding, &e.to);
    e.passed = step_passes(&e.series, &e.from, &e.to, e.expanding, e.end, law);

    const mask_t bends = mask_or(e.passed.pair, e.passed.whole);
    if (mask_any(bends)) event_straighten(&e, bends, law);
    const mask_t crossing = e.passed.crossing;
    mask_t ends = mask_andnot(e.passed.end, crossing);
    if (mask_any(crossing)) {
        event_find_crossing(&e, crossing);
        const mask_t before = mask_and(mask_and(crossing, e.expanding),
                                       lane_le(owed(law, &e.to, e.end), lane_zero()));
        ends = mask_or(ends, before);
    }
    if (mask_any(ends)) event_find_end(&e, ends, law);

    const mask_t turns = mask_andnot(crossing, ends);
    const mask_t expands = mask_andnot(turns, e.expanding);
    const mask_t recompresses = mask_and(turns, e.expanding);
    /* Without restitution the collision ends with compression. */
    const mask_t plastic = mask_and(expands, lane_le(e.end, lane_zero()));
    word = word_select(recompresses, word_and(word, ~STATE_EXPANDING), word);
    word = word_or(word, word_where(recompresses, IMPINGE_OUTCOME_RECOMPRESSED));
    word = word_or(word, word_where(expands, STATE_EXPANDING));
    word = word_or(word, word_where(mask_or(ends, plastic), STATE_ENDED));
    motion_store(list->column, i, &e.to);
    word_store(&list->word[i], word);
}

/* The slip that a contact has now may close straight ahead. */
static inline mask_t may_close(const series_t *s, const matrix_t *k, const motion_t *m,
                               const law_t *law) {
    const lane_t r = lane_sqrt(lane_mul_add2(m->x, m->x, m->y, m->y));
    const lane_t x_rate = lane_fnma(s->bt1, m->x, lane_mul(s->ak1, r));
    const lane_t y_rate = lane_fnma(s->bt2, m->y, lane_mul(s->ak2, r));
    return slip_goes_straight(k, m->x, m->y, r, x_rate, y_rate, law->tolerance);
}

/* Which of LANES contacts stay in the list of moving ones after their step. */
typedef struct leaving {
    uint32_t to_events, home;
} leaving_t;

static inline leaving_t moving_step(slide_list_t *list, size_t i, const law_t *law) {
    series_t s;
    word_t word = word_load(&list->word[i]);
    const matrix_t k = matrix_load(list->column, i);
    const motion_t from = motion_load(list->column, i);
    const lane_t end = column_load(list->column, END, i);
    const mask_t expanding = word_has(word, STATE_EXPANDING);
    series_build(&s, &from, &k);
    motion_t to = from;
    series_advance(&s, series_step(&s, law->tolerance), &k, expanding, &to);
    const passed_t passed = step_passes(&s, &from, &to, expanding, end, law);

    const mask_t lost = mask_not(finite3(to.x, to.y, to.u_n));
    const mask_t event = mask_andnot(any_of(&passed), lost);
    const mask_t straight = mask_andnot(may_close(&s, &k, &to, law), mask_or(event, lost));
    word = word_or(word, word_where(straight, STATE_LINE));
    word = word_or(word, word_where(lost, STATE_ENDED | IMPINGE_OUTCOME_OUT_OF_RANGE));
    to = motion_select(event, &from, &to);
    motion_store(list->column, i, &to);
    word_store(&list->word[i], word);
    return (leaving_t){mask_bits(event), mask_bits(mask_or(straight, lost))};
}

/* One step of every contact that stands in a whole vector; or of the last few, if there is none. */
static inline void slide_pass(slide_t *slide, chunk_t *chunk, const law_t *law) {
    slide_list_t *moving = &slide->moving;
    slide_list_t *events = &slide->events;
    leaving_t leaving[CHUNK / LANES];
    list_pad(moving);
    const size_t vectors = moving->count < LANES ? 1 : moving->count / LANES;
    const size_t taken = moving->count < vectors * LANES ? moving->count : vectors * LANES;
    for (size_t v = 0; v < vectors; v++) leaving[v] = moving_step(moving, v * LANES, law);
    for (size_t i = 0; i < taken; i++) moving->steps[i]++;
    slide->steps += taken;
    slide->lane_slots += vectors * LANES;

    /* From the end: what fills a gap is a contact that stays. */
    for (size_t i = taken; i-- > 0;) {
        const uint32_t bit = (uint32_t)1 << (i % LANES);
        const leaving_t *l = &leaving[i / LANES];
        if (l->to_events & bit) {
            list_copy(events, events->count++, moving, i);
            list_remove(moving, i);
        } else if (l->home & bit) {
            slide_leave(chunk, moving, i);
            list_remove(moving, i);
        }
    }
}

/* The last contacts of the list of events, at most LANES of them. */
static inline void slide_events(slide_t *slide, chunk_t *chunk, const law_t *law) {
    slide_list_t *events = &slide->events;
    list_pad(events);
    const size_t taken = events->count < LANES ? events->count : LANES;
    const size_t first = events->count - taken;
    event_step(events, first, law);
    slide->steps += taken;
    slide->lane_slots += LANES;
    for (size_t i = events->count; i-- > first;) {
        events->steps[i]++;
        if (events->steps[i] >= STEPS_MAX && !(events->word[i] & STATE_ENDED))
            events->word[i] |= STATE_ENDED | IMPINGE_OUTCOME_OUT_OF_RANGE;
        if (events->word[i] & STATE_ENDED)
            slide_leave(chunk, events, i);
        else
            list_copy(&slide->moving, slide->moving.count++, events, i);
    }
    events->count = first;
}

/* Contacts that have taken too many steps; looked for only when a pass count makes it possible. */
static inline void slide_give_up(slide_t *slide, chunk_t *chunk) {
    slide_list_t *moving = &slide->moving;
    for (size_t i = moving->count; i-- > 0;) {
        if (moving->steps[i] < STEPS_MAX) continue;
        moving->word[i] |= STATE_ENDED | IMPINGE_OUTCOME_OUT_OF_RANGE;
        slide_leave(chunk, moving, i);
        list_remove(moving, i);
    }
}

/* Integrates the sliding contacts among the first `count` of the chunk. */
static inline void slide_chunk(slide_t *slide, chunk_t *chunk, size_t count, const law_t *law) {
    slide->moving.count = slide->events.count = 0;
    for (uint32_t i = 0; i < count; i++)
        if (chunk->word[i] & STATE_SLIDING) slide_enter(slide, chunk, i);
    size_t passes = 0;
    while (slide->moving.count + slide->events.count > 0) {
        if (slide->events.count >= LANES || slide->moving.count == 0) {
            slide_events(slide, chunk, law);
            continue;
        }
        slide_pass(slide, chunk, law);
        if (++passes >= STEPS_MAX) slide_give_up(slide, chunk);
    }
}

#endif
