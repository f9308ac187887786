/* The path of one contact by Routh's law: the kernels' own steps, one after the other. */
#include "query.h"

#include <math.h>
#include <stdbool.h>

/* This file compiles the kernels with lanes of one double. */
#define IMPINGE_TARGET_SCALAR
#define IMPINGE_REAL_BITS 64
#include "../kernels/routh/close.h"
#include "../kernels/routh/normalise.h"
#include "../kernels/routh/slide.h"
#include "matrix.h"

/* The contact's row is the first of the ring. */
enum { HERE = 0 };

typedef struct trace {
    ring_t ring; /* of one contact */
    real_t numbers[RING_NUMBERS(1)];
    uint32_t words[RING_WORDS(1)];
    closing_t given; /* the contact as it begins */
    routh_options_t law;
    size_t points; /* per step */
    impinge_trace_visitor *visitor;
    void *user;
} trace_t;

static impinge_trace_phase phase_of(mask_t expanding) {
    return mask_any(expanding) ? IMPINGE_TRACE_RESTITUTION : IMPINGE_TRACE_COMPRESSION;
}

static void show(const trace_t *t, const response_t *r, impinge_trace_phase phase,
                 impinge_trace_state state) {
    const impinge_trace_point point = {.p1 = r->p1.lo,
                                       .p2 = r->p2.lo,
                                       .p3 = r->p3.lo,
                                       .u1 = r->u1.lo,
                                       .u2 = r->u2.lo,
                                       .u3 = r->u3.lo,
                                       .work_compression = r->work_compression.lo,
                                       .work_restitution = r->work_restitution.lo,
                                       .work_friction = r->work_friction.lo,
                                       .phase = phase,
                                       .state = state};
    t->visitor(t->user, &point);
}

/* A point on the way, if it fits the precision. While the contact slides c is in units of q. */
static void show_between(const trace_t *t, closing_t c, mask_t expanding,
                         impinge_trace_state state) {
    if (state == IMPINGE_TRACE_SLIDES) to_normal_impulse(&c);
    const response_t r = denormalise(&c);
    const mask_t fits = mask_and(finite3(r.p1, r.p2, r.p3), finite3(r.u1, r.u2, r.u3));
    if (mask_any(fits)) show(t, &r, phase_of(expanding), state);
}

static void show_sliding(const trace_t *t, const matrix_t *k, const motion_t *m, mask_t expanding) {
    closing_t c = t->given;
    c.matrix = *k;
    c.motion = *m;
    show_between(t, c, expanding, IMPINGE_TRACE_SLIDES);
}

static motion_t motion_at(const event_t *e, lanes_t tau) {
    motion_t m = e->from;
    series_move(&e->series, tau, e->expanding, &m);
    if (tau.lo < e->turn_tau.lo) {
        const lanes_t ends = lane_add(work_rate(&e->from), work_rate(&m));
        count_work(&m, series_works(&e->series, lane_zero(), tau, ends), e->expanding);
    } else
        event_count(e, tau, &m);
    return m;
}

/*
 * Adds a step: points inside it, the end of compression if that is in the step, and its end if
 * wanted. By Newton's rule a tiny u_n0 may have compression end where the step ends, to rounding.
 */
static void show_step(const trace_t *t, const event_t *e, bool with_end) {
    const bool before_end =
        e->turn_tau.lo < e->tau.lo || (!with_end && e->turn_tau.lo == e->tau.lo);
    const bool turns = mask_any(e->turned) && before_end;
    mask_t expanding = e->expanding;
    for (size_t i = 1; i <= t->points; i++) {
        const lanes_t tau = lane_set(e->tau.lo * ((double)i / (double)t->points));
        if (turns && !mask_any(expanding) && tau.lo >= e->turn_tau.lo) {
            show_sliding(t, &e->matrix, &e->turn, expanding);
            expanding = mask_all();
        }
        if (i == t->points) break;
        const motion_t m = motion_at(e, tau);
        show_sliding(t, &e->matrix, &m, expanding);
    }
    if (with_end) show_sliding(t, &e->matrix, &e->to, expanding);
}

/*
 * Adds the end of a slip that the kernels compute in one step, from `m` to `stopped` (slip_stops).
 * It takes small steps until the rest is straight in any picture. The slip shrinks exponentially;
 * the bound guards against an endless loop.
 */
static void show_stop(const trace_t *t, members_t m, const motion_t *stopped) {
    enum { STEPS = 64 };
    const double small = 0x1p-12;
    const double first = hypot(m.motion.x.lo, m.motion.y.lo);
    for (int i = 0; i < STEPS && hypot(m.motion.x.lo, m.motion.y.lo) > small * first; i++) {
        event_t e;
        event_begin(&e, &m, mask_all(), &t->law);
        show_step(t, &e, true);
        m.motion = e.to;
    }
    show_sliding(t, &m.matrix, stopped, state_has(m.state, STATE_EXPANDING));
}

static words_t here(void) { return word_where(mask_all(), HERE); }

/* As slide_stop does. */
static void trace_stop(trace_t *t, members_t *m) {
    const members_t before = *m;
    const mask_t stopped = slip_stops(m, mask_all(), &t->law);
    if (mask_any(stopped)) show_stop(t, before, &m->motion);
    slide_leave(&t->ring, here(), stopped);
    list_append(&t->ring.list[MOVING], here(), mask_not(stopped));
}

/* As slide_event does. */
static void trace_event(trace_t *t, members_t *m) {
    m->state = state_step(m->state);
    event_t e;
    event_step(&e, m, mask_all(), &t->law);
    show_step(t, &e, !mask_any(state_has(m->state, STATE_ENDED)));
    slide_route(&t->ring, here(), m, mask_all(), LISTS, &t->law);
}

/* As slide_move does. */
static void trace_move(trace_t *t, members_t *m) {
    m->state = state_step(m->state);
    event_t e; /* which begins with the same step */
    event_begin(&e, m, mask_all(), &t->law);
    const mask_t stays = moving_step(m, &t->law);
    if (!mask_any(stays)) show_step(t, &e, true);
    list_append(&t->ring.list[ENDING], here(), stays);
    slide_route(&t->ring, here(), m, mask_not(stays), LISTS, &t->law);
}

/* The motion, at tau, of a contact in its arc that was at `from`. */
static motion_t arc_motion_at(const arc_t *a, const motion_t *from, lanes_t tau) {
    motion_t m = *from;
    arc_move(a, tau, &m);
    const bool turned = mask_any(a->turns) && tau.lo >= a->turn.lo;
    if (!turned && !mask_any(a->expanding)) {
        const lanes_t work = lane_sub(series_value(a->w, tau), series_value(a->w, a->begin));
        m.work_compression = lane_fma(a->work_unit, work, m.work_compression);
        return m;
    }
    const lanes_t work = lane_sub(series_value(a->w, a->turn), series_value(a->w, a->begin));
    m.work_compression = lane_fma(a->work_unit, work, m.work_compression);
    const lanes_t since = arc_work_since(a, tau);
    m.work_restitution = lane_fma(a->work_unit, since, m.work_restitution);
    return m;
}

/*
 * Adds points inside, the end of compression if it is in the arc, and the end `to` if that is
 * wanted.
 */
static void show_arc(const trace_t *t, const arc_t *a, const members_t *before, const motion_t *to,
                     bool with_end) {
    const matrix_t *k = &before->matrix;
    const double length = a->end.lo - a->begin.lo;
    mask_t expanding = a->expanding;
    for (size_t i = 1; i <= t->points; i++) {
        const double part = (double)i / (double)t->points;
        const lanes_t tau = lane_set(i < t->points ? a->begin.lo + length * part : a->end.lo);
        if (mask_any(a->turns) && !mask_any(expanding) && tau.lo >= a->turn.lo) {
            motion_t turn = arc_motion_at(a, &before->motion, a->turn);
            turn.u_n = lane_zero();
            show_sliding(t, k, &turn, expanding);
            expanding = mask_all();
        }
        if (i == t->points) break;
        const motion_t m = arc_motion_at(a, &before->motion, tau);
        show_sliding(t, k, &m, expanding);
    }
    if (with_end) show_sliding(t, k, to, arc_restores(a));
}

/* As slide_arc does. */
static void trace_arc(trace_t *t, members_t *m) {
    m->state = state_step(m->state);
    const members_t before = *m;
    arc_t a;
    const mask_t taken = arc_take(&a, m, mask_all(), &t->law);
    const bool with_end = !mask_any(state_has(m->state, STATE_ENDED));
    if (mask_any(taken)) show_arc(t, &a, &before, &m->motion, with_end);
    list_append(&t->ring.list[STEPPING], here(), mask_not(taken));
    slide_route(&t->ring, here(), m, taken, LISTS, &t->law);
}

/* As in slide_enter, without the first arc. */
static void trace_enter(trace_t *t) {
    members_t m;
    members_load(&t->ring, here(), &m);
    const mask_t slides = state_has(m.state, STATE_SLIDING);
    t->ring.sliding[HERE] = mask_any(slides) ? 1 : 0;
    const polar_t polar = polar_of(&m.matrix, m.motion.x, m.motion.y);
    slide_sort(&t->ring, here(), &m, &polar, slides, LISTS, &t->law);
}

/* Slides the contact, which is in one of the lists, until it leaves them. */
static void trace_slide(trace_t *t) {
    while (t->ring.sliding[HERE] > 0) {
        const enum list_kind kind = slide_fullest(&t->ring);
        t->ring.list[kind].count = 0;
        members_t m;
        members_load(&t->ring, here(), &m);
        if (kind == STOPPING)
            trace_stop(t, &m);
        else if (kind == STEPPING)
            trace_event(t, &m);
        else if (kind == MOVING)
            trace_move(t, &m);
        else
            trace_arc(t, &m);
        members_store(&t->ring, here(), &m, mask_all());
    }
}

/* A point of a line from `from` to `to`, at `at` of its length `whole`, both in units of q. */
static closing_t line_point(const trace_t *t, const closing_t *from, const closing_t *to,
                            double rate, double at, double whole) {
    closing_t c = *from;
    const double part = at / whole;
    line_follow(&c, lane_set(rate), lane_set(at), mask_all(), &t->law);
    const motion_t *a = &from->motion;
    const motion_t *b = &to->motion;
    motion_t *m = &c.motion;
    m->x.lo = a->x.lo + part * (b->x.lo - a->x.lo);
    m->y.lo = a->y.lo + part * (b->y.lo - a->y.lo);
    m->p1.lo = a->p1.lo + part * (b->p1.lo - a->p1.lo);
    m->p2.lo = a->p2.lo + part * (b->p2.lo - a->p2.lo);
    return c;
}

/*
 * The inside of a line, and where a phase ends on it: u_n is linear and has one zero at most. If
 * the contact slides, the line is in units of q.
 */
static void show_line(const trace_t *t, const closing_t *from, const closing_t *to,
                      impinge_trace_state state) {
    const double whole = to->motion.q.lo - from->motion.q.lo;
    if (!(whole > 0)) return;
    const double u_n = from->motion.u_n.lo;
    const double end = to->motion.u_n.lo;
    const double rate = (end - u_n) / whole;
    /* Where u_n ends far below its size on the way, rounding may put its zero at the end. */
    const double zero = fmin(-u_n / rate, whole);
    bool ahead = (u_n < 0 && end > 0) || (u_n > 0 && end < 0);
    for (size_t i = 1; i <= t->points; i++) {
        const double at = whole * ((double)i / (double)t->points);
        if (ahead && at >= zero) {
            closing_t c = line_point(t, from, to, rate, zero, whole);
            c.motion.u_n = lane_zero();
            show_between(t, c, from->expanding, state);
            ahead = false;
        }
        if (i == t->points) break;
        const closing_t c = line_point(t, from, to, rate, at, whole);
        show_between(t, c, c.expanding, state);
    }
}

/* Closes the contact as close_contacts does; returns its last state. */
static impinge_trace_state trace_close(const trace_t *t, closing_t *c) {
    impinge_trace_state state = IMPINGE_TRACE_SLIDES;
    ring_load(&t->ring, HERE, c);
    closing_begin(c);
    close_held(c);
    const mask_t on_ray = closing_on_ray(c);
    remains_t left = {lane_zero(), lane_zero()};
    if (mask_any(on_ray)) {
        const closing_t from = *c;
        left = close_ray(c, on_ray, &t->law);
        show_line(t, &from, c, state);
        if (!mask_any(c->ended)) show_between(t, *c, c->expanding, state);
    }
    to_normal_impulse(c);
    const mask_t at_rest = closing_at_rest(c);
    if (mask_any(at_rest)) {
        const closing_t from = *c;
        close_to_end(c, at_rest, &left, &t->law);
        const bool sticks = mask_any(word_has(c->outcome, IMPINGE_OUTCOME_STUCK));
        state = sticks ? IMPINGE_TRACE_STICKS : IMPINGE_TRACE_DIVERGES;
        show_line(t, &from, c, state);
    }
    return state;
}

/* Velocities are as given where there is no impulse. */
static response_t as_given(const impinge_trace_input *in) {
    response_t r;
    r.p1 = r.p2 = r.p3 = lane_zero();
    r.work_compression = r.work_restitution = r.work_friction = lane_zero();
    r.u1 = lane_set(in->u1);
    r.u2 = lane_set(in->u2);
    r.u3 = lane_set(in->u3);
    r.outcome = word_where(mask_none(), 0);
    r.untouched = mask_all();
    return r;
}

static impinge_trace_state state_at_first(const trace_t *t) {
    const closing_t *const c = &t->given;
    if (mask_any(state_has(c->state, STATE_SLIDING | STATE_LINE))) return IMPINGE_TRACE_SLIDES;
    const sticking_t sticking = sticking_of(&c->matrix);
    const mask_t stable = sticking_is_stable(&sticking, c->friction_static);
    return mask_any(stable) ? IMPINGE_TRACE_STICKS : IMPINGE_TRACE_DIVERGES;
}

/* Adds the end, and returns the outcome. */
static uint32_t show_end(const trace_t *t, const impinge_trace_input *in, const closing_t *c,
                         impinge_trace_state state) {
    response_t r = closing_result(c, &t->law);
    const uint32_t outcome = r.outcome.lo;
    if (mask_any(r.untouched)) {
        r = as_given(in);
        state = IMPINGE_TRACE_NO_IMPULSE;
    }
    /* Without restitution compression is the last phase. */
    const bool plastic = r.u3.lo == 0 && r.work_restitution.lo == 0;
    show(t, &r, plastic ? IMPINGE_TRACE_COMPRESSION : phase_of(c->expanding), state);
    return outcome;
}

static uint32_t trace_path(trace_t *t, const impinge_trace_input *in) {
    const bool collides = !mask_any(word_has(t->given.outcome, OUTCOME_NO_IMPULSE));
    if (collides) {
        const response_t before = as_given(in);
        show(t, &before, IMPINGE_TRACE_COMPRESSION, state_at_first(t));
        trace_enter(t);
        trace_slide(t);
    }
    closing_t c;
    const impinge_trace_state state = trace_close(t, &c);
    return show_end(t, in, &c, state);
}

static contact_t given_of(const impinge_trace_input *in) {
    const double friction_static = in->friction_static == 0 ? in->friction : in->friction_static;
    contact_t contact = contact_of_matrix(&in->matrix);
    contact.u1 = lane_set(in->u1);
    contact.u2 = lane_set(in->u2);
    contact.u3 = lane_set(in->u3);
    contact.restitution = lane_set(in->restitution);
    contact.friction = lane_set(in->friction);
    contact.friction_static = lane_set(friction_static);
    return contact;
}

uint32_t impinge_query_path(const impinge_trace_input *contact, const impinge_options *options,
                            size_t points_per_step, impinge_trace_visitor *visitor, void *user) {
    trace_t t;
    t.law = law_of(options, false);
    t.points = points_per_step;
    t.visitor = visitor;
    t.user = user;
    ring_begin(&t.ring, 1, t.numbers, t.words);
    contact_t given = given_of(contact);
    normalise(&t.given, &given, &t.law);
    ring_store(&t.ring, HERE, &t.given);
    return trace_path(&t, contact);
}
