/* Lists of contacts under way: whole vectors of them, taken and stored side by side. */
#ifndef IMPINGE_KERNELS_ROUTH_LIST_H
#define IMPINGE_KERNELS_ROUTH_LIST_H

#include "series.h"

/* Contacts under way: as many as stay in the first-level cache. */
enum {
    LIST = LANES < 8 ? 64 : 8 * LANES,
    LIST_STRIDE = LIST + LANES + 64 / sizeof(real_t) /* packing stores whole vectors */
};

typedef struct slide_list {
    real_t column[SLIDING_COLUMNS * LIST_STRIDE];
    uint32_t word[LIST_STRIDE];
    uint32_t home[LIST_STRIDE];  /* where in the ring the contact comes from */
    uint32_t steps[LIST_STRIDE]; /* taken so far */
    size_t count;
} slide_list_t;

/* LANES contacts of a list, whole. */
typedef struct members {
    motion_t motion;
    matrix_t matrix;
    lanes_t end;
    words_t word, home, steps;
} members_t;

static inline members_t members_load(const slide_list_t *list, size_t i) {
    members_t m;
    m.motion = motion_load(list->column + i, LIST_STRIDE);
    m.matrix = matrix_load(list->column + i, LIST_STRIDE);
    m.end = lane_load(list->column + END * LIST_STRIDE + i);
    m.word = word_load(list->word + i);
    m.home = word_load(list->home + i);
    m.steps = word_load(list->steps + i);
    return m;
}

/* Stores the lanes of `which` from i on, side by side; LANES places are overwritten. */
static inline size_t members_store(slide_list_t *list, size_t i, const members_t *m, mask_t which) {
    const packing_t p = lane_packing(which);
    real_t *to = list->column + i;
    const size_t stride = LIST_STRIDE;
    lane_store_packed(to + SLIP_1 * stride, &p, m->motion.x);
    lane_store_packed(to + SLIP_2 * stride, &p, m->motion.y);
    lane_store_packed(to + U_N * stride, &p, m->motion.u_n);
    lane_store_packed(to + Q * stride, &p, m->motion.q);
    lane_store_packed(to + Q_COMPRESSION * stride, &p, m->motion.q_compression);
    lane_store_packed(to + P_1 * stride, &p, m->motion.p1);
    lane_store_packed(to + P_2 * stride, &p, m->motion.p2);
    lane_store_packed(to + WORK_COMPRESSION * stride, &p, m->motion.work_compression);
    lane_store_packed(to + WORK_RESTITUTION * stride, &p, m->motion.work_restitution);
    lane_store_packed(to + K_1 * stride, &p, m->matrix.k1);
    lane_store_packed(to + K_2 * stride, &p, m->matrix.k2);
    lane_store_packed(to + K_33 * stride, &p, m->matrix.k33);
    lane_store_packed(to + T_1 * stride, &p, m->matrix.t1);
    lane_store_packed(to + T_2 * stride, &p, m->matrix.t2);
    lane_store_packed(to + ALPHA * stride, &p, m->matrix.alpha);
    lane_store_packed(to + BETA * stride, &p, m->matrix.beta);
    lane_store_packed(to + WORK_SCALE * stride, &p, m->matrix.work_scale);
    lane_store_packed(to + END * stride, &p, m->end);
    word_store_packed(list->word + i, &p, m->word);
    word_store_packed(list->home + i, &p, m->home);
    word_store_packed(list->steps + i, &p, m->steps);
    return p.count;
}

static inline void list_append(slide_list_t *list, const members_t *m, mask_t which) {
    if (mask_any(which)) list->count += members_store(list, list->count, m, which);
}

/* The lanes of the last, partly filled vector repeat its first, so that they do nothing unheard of.
 */
static inline void list_pad(slide_list_t *list, size_t i) {
    for (size_t j = list->count; j < i + LANES; j++) {
        for (size_t c = 0; c < SLIDING_COLUMNS * LIST_STRIDE; c += LIST_STRIDE)
            list->column[c + j] = list->column[c + i];
        list->word[j] = list->word[i];
        list->home[j] = list->home[i];
        list->steps[j] = list->steps[i];
    }
}

/* Takes the last contact off the list. */
static inline members_t list_take(slide_list_t *list) {
    const size_t last = list->count - 1;
    list_pad(list, last);
    list->count = last;
    return members_load(list, last);
}

/* What the restitution still owes: the rule's quantity that must grow by this much. */
static inline lanes_t owed(const routh_options_t *law, const motion_t *m, lanes_t end) {
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE: /* W_d = -e^2 W_c (Mirtich note, 3.4) */
        return lane_fnma(end, m->work_compression, lane_neg(m->work_restitution));
    case IMPINGE_RULE_POISSON: /* p_d = e p_c */
        return lane_fma(end, m->q_compression, lane_sub(m->q_compression, m->q));
    default: /* u_n = -e u_n0 */
        return lane_sub(end, m->u_n);
    }
}

/* And what q more, on which u_n changes by `change`, pay of that. */
static inline lanes_t paid_along(const routh_options_t *law, const members_t *m, lanes_t q,
                                 lanes_t change) {
    if (law->rule == IMPINGE_RULE_NEWTON) return change;
    if (law->rule == IMPINGE_RULE_POISSON) return q;
    return lane_mul(lane_mul(q, m->matrix.work_scale),
                    lane_fma(lane_set(REAL(0.5)), change, m->motion.u_n));
}

/* The normal impulse (as dq) that restitution still takes if du_n/dq stays as it is. */
static inline lanes_t impulse_owed(const routh_options_t *law, lanes_t amount, lanes_t u_n,
                                   lanes_t rate, lanes_t work_scale) {
    const lanes_t zero = lane_zero();
    switch (law->rule) {
    case IMPINGE_RULE_STRONGE: { /* u_n'^2 = u_n^2 + 2 rate dW (Mirtich note, 3.6 and 3.9), to that
                                    scale */
        const lanes_t twice = lane_mul(lane_set(2), amount);
        const lanes_t u = lane_mul(u_n, work_scale);
        const lanes_t square = lane_fma(lane_mul(rate, work_scale), twice, lane_mul(u, u));
        const lanes_t sum = lane_add(u, lane_sqrt(lane_max(square, zero)));
        return lane_select(lane_lt(zero, sum), lane_div(twice, sum), zero);
    }
    case IMPINGE_RULE_POISSON:
        return amount;
    default:
        return lane_div(amount, rate);
    }
}

/* How far, in q, the collision still goes if it goes straight on and u_n rises at `rate` > 0. */
static inline lanes_t straight_rest(const members_t *m, lanes_t rate, const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    const motion_t *at = &m->motion;
    const lanes_t below = lane_max(lane_neg(at->u_n), zero);
    const lanes_t to_zero = lane_div(below, rate);
    motion_t turn = *at;
    turn.u_n = lane_max(at->u_n, zero);
    turn.q = lane_add(at->q, to_zero);
    turn.q_compression = lane_add(at->q_compression, to_zero);
    const lanes_t half = lane_mul(lane_set(REAL(0.5)), m->matrix.work_scale);
    turn.work_compression = lane_fnma(lane_mul(half, below), to_zero, at->work_compression);
    const lanes_t amount = lane_max(owed(law, &turn, m->end), zero);
    return lane_add(to_zero, impulse_owed(law, amount, turn.u_n, rate, m->matrix.work_scale));
}

/*
 * While the slip turns, du_n/dq = alpha K33 - beta k . s changes sign where s enters or leaves an
 * arc about k. A step turns by less than half a circle, so it holds two changes only if it crosses
 * all of that arc, and with it the direction of k.
 */
static inline mask_t crosses_arc(const series_t *s, const motion_t *from, const motion_t *to) {
    const lanes_t before = lane_difference_of_products(s->bk1, from->y, s->bk2, from->x);
    const lanes_t after = lane_difference_of_products(s->bk1, to->y, s->bk2, to->x);
    const lanes_t along = lane_mul_add2(s->bk1, to->x, s->bk2, to->y);
    const lanes_t k_squared = lane_mul_add2(s->bk1, s->bk1, s->bk2, s->bk2);
    const mask_t arc = lane_lt(lane_mul(s->ak33, s->ak33), k_squared);
    const mask_t sides =
        mask_and(lane_lt(lane_mul(before, after), lane_zero()), lane_lt(lane_zero(), along));
    return mask_and(arc, sides);
}

#endif
