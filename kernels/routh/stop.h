/*
 * The rest of a slip that stops: one that turns towards a ray which attracts it and on which it
 * shrinks, in one series about the ray instead of steps that become ever shorter.
 *
 * On a ray s*, f = 0. Let t* be normal to it, and at the ray
 *
 *     gamma = s*.B s* - a.s* > 0    (the slip shrinks)      m = s*.B t*
 *     c = t*.B t* - gamma > 0       (the ray attracts)      kappa = T^-1 k
 *
 * The flow is autonomous in the slip's direction and of degree 1 in its size r, so that what is
 * left of q is r S(z), and the rest of the integral of kappa . u_t over q is r^2 V(z), with z =
 * tan(delta / 2) of the angle delta from the ray to the slip:
 *
 *     g S + f dS/ddelta = -1        2 g V + f dV/ddelta = -kappa.s
 *
 * f and g times (1 + z^2)^2 are polynomials of degree 4. So the solutions that are regular on the
 * ray have coefficients by recurrence,
 *
 *     S_j = (R_j + sum of (G_i + (j - i) E_i) S_(j-i)) / (gamma + j c)          i = 1 to 5
 *     V_j = (T_j + sum of (2 G_i + (j - i) E_i) V_(j-i)) / (2 gamma + j c)
 *
 * with G, E, R and T as stop_begin has them. Everything else follows from momentum: T p_t = -(u_t +
 * a q), and u_n - kappa.u_t is linear in q.
 */
#ifndef IMPINGE_KERNELS_ROUTH_STOP_H
#define IMPINGE_KERNELS_ROUTH_STOP_H

#include "ahead.h"
#include "list.h"
#include "series.h"

/* The order of the series, measured as the fastest, and of its recurrence. */
#if IMPINGE_REAL_BITS == 32
enum { STOP_ORDER = 12, RAY_ITERATIONS = 4 };
#else
enum { STOP_ORDER = 22, RAY_ITERATIONS = 6 };
#endif
enum { STOP_BACK = 5 };

/* The ray that attracts a slip, and where the slip is. */
typedef struct stop {
    lanes_t z;      /* from the ray to the slip */
    lanes_t s1, s2; /* the ray */
    lanes_t gamma, c, m, beta_s, beta_t;
    mask_t found;
} stop_t;

/*
 * The ray by Newton's iteration on f (1 + z^2)^2, a quartic in z about the slip's direction. If the
 * iteration finds a ray further on or one that repels, the tests below reject it, or the series
 * does, since it does not converge past another ray.
 */
static inline stop_t stop_find(const matrix_t *k, const polar_t *p, mask_t wanted) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    const lanes_t two = lane_set(2);
    const lanes_t a1 = lane_mul(k->alpha, k->k1);
    const lanes_t a2 = lane_mul(k->alpha, k->k2);
    const lanes_t b1 = lane_mul(k->beta, k->t1);
    const lanes_t b2 = lane_mul(k->beta, k->t2);
    const lanes_t as = lane_mul_add2(a1, p->s1, a2, p->s2);
    const lanes_t at = lane_difference_of_products(a2, p->s1, a1, p->s2);
    const lanes_t m = lane_mul(lane_mul(lane_sub(b2, b1), p->s1), p->s2);
    const lanes_t d =
        lane_mul(lane_sub(b2, b1), lane_difference_of_products(p->s1, p->s1, p->s2, p->s2));
    const lanes_t e1 = lane_mul(lane_set(-2), lane_add(as, d));
    const lanes_t e2 = lane_mul(lane_set(6), m);
    const lanes_t e3 = lane_mul(two, lane_sub(d, as));
    const lanes_t e4 = lane_neg(lane_add(at, m));
    lanes_t z = lane_neg(lane_div(p->f, e1));
    lanes_t step = z;
    UNROLL
    for (int i = 1; i < RAY_ITERATIONS; i++) {
        lanes_t value = lane_fma(e4, z, e3);
        lanes_t slope = lane_fma(e4, z, value);
        value = lane_fma(value, z, e2);
        slope = lane_fma(slope, z, value);
        value = lane_fma(value, z, e1);
        slope = lane_fma(slope, z, value);
        value = lane_fma(value, z, p->f);
        step = lane_div(value, slope);
        z = lane_sub(z, step);
    }
    const mask_t converged =
        lane_le(lane_abs(step), lane_mul(lane_set(HALF_PRECISION), lane_abs(z)));
    const lanes_t over = lane_div(one, lane_fma(z, z, one));
    const lanes_t cosine = lane_mul(lane_fnma(z, z, one), over);
    const lanes_t sine = lane_mul(lane_mul(two, z), over);
    stop_t s;
    s.z = lane_neg(z);
    s.s1 = lane_fnma(sine, p->s2, lane_mul(cosine, p->s1));
    s.s2 = lane_fma(sine, p->s1, lane_mul(cosine, p->s2));
    const lanes_t square_1 = lane_mul(s.s1, s.s1);
    const lanes_t square_2 = lane_mul(s.s2, s.s2);
    s.beta_s = lane_mul_add2(b1, square_1, b2, square_2);
    s.beta_t = lane_mul_add2(b1, square_2, b2, square_1);
    s.m = lane_mul(lane_mul(lane_sub(b2, b1), s.s1), s.s2);
    s.gamma = ray_rate(k, s.s1, s.s2);
    s.c = lane_sub(s.beta_t, s.gamma);
    const mask_t stops = mask_and(lane_lt(zero, s.gamma), lane_lt(zero, s.c));
    const mask_t near = mask_and(lane_le(lane_abs(z), one), converged);
    s.found = mask_and(wanted, mask_and(stops, near));
    return s;
}

/* S and V with the powers of z in their terms, and estimates of the terms left out. */
typedef struct stop_sums {
    lanes_t q, work;
    lanes_t q_error, work_error;
} stop_sums_t;

/* The coefficients of the recurrence times the powers of z. */
typedef struct stop_terms {
    lanes_t g[STOP_BACK], e[STOP_BACK]; /* of index 1 to STOP_BACK; the last of g is 0 */
    lanes_t r[STOP_BACK], t[STOP_BACK]; /* from 0 on */
} stop_terms_t;

static inline void stop_begin(stop_terms_t *w, const sticking_t *sticking, const stop_t *s) {
    const lanes_t two = lane_set(2);
    const lanes_t z = s->z;
    const lanes_t z2 = lane_mul(z, z);
    const lanes_t z3 = lane_mul(z2, z);
    const lanes_t z4 = lane_mul(z2, z2);
    const lanes_t mz = lane_mul(s->m, z);
    const lanes_t twice_s = lane_mul(two, s->beta_s);
    const lanes_t d = lane_sub(lane_fma(two, s->gamma, s->c), twice_s);
    w->g[0] = lane_mul(lane_set(-2), mz);
    w->g[1] = lane_mul(lane_fnma(lane_set(4), s->beta_t, twice_s), z2);
    w->g[2] = lane_mul(lane_mul(lane_set(6), mz), z2);
    w->g[3] = lane_mul(lane_sub(s->gamma, twice_s), z4);
    w->g[4] = lane_zero();
    w->e[0] = lane_mul(lane_set(3), mz);
    w->e[1] = lane_mul(lane_sub(d, s->c), z2);
    w->e[2] = lane_mul(lane_mul(two, mz), z2);
    w->e[3] = lane_mul(d, z4);
    w->e[4] = lane_neg(lane_mul(mz, z4));
    w->r[0] = lane_set(1);
    w->r[1] = w->r[3] = lane_zero();
    w->r[2] = lane_mul(two, z2);
    w->r[4] = z4;
    const lanes_t along = lane_mul_add2(sticking->kappa_1, s->s1, sticking->kappa_2, s->s2);
    const lanes_t across = lane_mul(
        two, lane_difference_of_products(sticking->kappa_2, s->s1, sticking->kappa_1, s->s2));
    w->t[0] = along;
    w->t[1] = lane_mul(across, z);
    w->t[2] = lane_zero();
    w->t[3] = lane_mul(across, z3);
    w->t[4] = lane_neg(lane_mul(along, z4));
}

static inline stop_sums_t stop_sums(const stop_terms_t *w, const stop_t *s) {
    lanes_t q[STOP_ORDER + 1], v[STOP_ORDER + 1];
    stop_sums_t sums = {.q = lane_zero(), .work = lane_zero()};
    UNROLL
    for (int j = 0; j <= STOP_ORDER; j++) {
        lanes_t q_sum = j < STOP_BACK ? w->r[j] : lane_zero();
        lanes_t v_sum = j < STOP_BACK ? w->t[j] : lane_zero();
        UNROLL
        for (int i = STOP_BACK; i >= 1; i--) {
            if (i > j) continue;
            const lanes_t back = lane_fma(lane_set((real_t)(j - i)), w->e[i - 1], w->g[i - 1]);
            q_sum = lane_fma(back, q[j - i], q_sum);
            v_sum = lane_fma(lane_add(back, w->g[i - 1]), v[j - i], v_sum);
        }
        const lanes_t q_rate = lane_fma(lane_set((real_t)j), s->c, s->gamma);
        const lanes_t v_rate = lane_add(q_rate, s->gamma);
        const lanes_t over = lane_div(lane_set(1), lane_mul(q_rate, v_rate));
        q[j] = lane_mul(q_sum, lane_mul(v_rate, over));
        v[j] = lane_mul(v_sum, lane_mul(q_rate, over));
    }
    UNROLL
    for (int j = STOP_ORDER; j >= 0; j--) {
        sums.q = lane_add(sums.q, q[j]);
        sums.work = lane_add(sums.work, v[j]);
    }
    sums.q_error = lane_add(lane_abs(q[STOP_ORDER]), lane_abs(q[STOP_ORDER - 1]));
    sums.work_error = lane_add(lane_abs(v[STOP_ORDER]), lane_abs(v[STOP_ORDER - 1]));
    return sums;
}

/*
 * True if u_n may pass a level twice on the way to the ray and end as if it had not passed it: zero
 * or, under Newton's rule, the end. u_n may have a top, which is harmless in restitution, or a
 * bottom, which is harmless in compression, or be monotone. It has both only if the direction
 * crosses the whole arc about k in which u_n falls.
 */
static inline mask_t stop_bends(const matrix_t *k, const polar_t *p, const stop_t *s,
                                mask_t expanding, const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    const mask_t rises_from = lane_lt(zero, normal_rate(k, p->s1, p->s2));
    const mask_t rises_to = lane_lt(zero, normal_rate(k, s->s1, s->s2));
    const lanes_t before = lane_difference_of_products(k->k1, p->s2, k->k2, p->s1);
    const lanes_t after = lane_difference_of_products(k->k1, s->s2, k->k2, s->s1);
    const lanes_t along = lane_mul_add2(k->k1, s->s1, k->k2, s->s2);
    const mask_t sides = mask_and(lane_le(lane_mul(before, after), zero), lane_lt(zero, along));
    const lanes_t size = lane_sqrt(lane_mul_add2(k->k1, k->k1, k->k2, k->k2));
    const mask_t arc = lane_lt(lane_mul(k->alpha, k->k33), lane_mul(k->beta, size));
    const mask_t whole = mask_and(mask_and(rises_from, rises_to), mask_and(sides, arc));
    const mask_t top = mask_andnot(rises_from, rises_to);
    const mask_t bottom = mask_andnot(rises_to, rises_from);
    const mask_t top_matters = law->rule == IMPINGE_RULE_NEWTON ? mask_all() : mask_not(expanding);
    return mask_or(whole, mask_or(mask_and(top, top_matters), mask_and(bottom, expanding)));
}

/*
 * True if friction is in its cone, |p_t| <= beta q, but for some units of rounding. Momentum gives
 * p_t as (u_t + a q) / T, in which q and the ray have errors of the rounding of the larger rates:
 * where T is graded, or gamma almost zero, the computed p_t was up to 72 times the true friction.
 * Such a slip continues in steps, or on its ray, whose friction is a sum of parts within the cone.
 */
static inline mask_t stop_is_in_cone(const matrix_t *k, lanes_t q, lanes_t p1, lanes_t p2) {
    const lanes_t over = lane_div(lane_set(1), lane_mul(k->beta, q));
    const lanes_t x = lane_mul(p1, over);
    const lanes_t y = lane_mul(p2, over);
    return lane_le(lane_mul_add2(x, x, y, y), lane_set(1 + 32 * REAL_UNIT));
}

/*
 * The state of the contact when its slip has stopped, bounds on the errors of u_n and of the works,
 * and whether friction is in its cone.
 */
static inline motion_t stop_motion(const members_t *m, const polar_t *p, const sticking_t *sticking,
                                   const stop_sums_t *sums, lanes_t *error, lanes_t *work_error,
                                   mask_t *rubs) {
    const matrix_t *k = &m->matrix;
    const lanes_t zero = lane_zero();
    motion_t to = m->motion;
    const lanes_t q = lane_mul(p->r, sums->q);
    const lanes_t aq = lane_mul(k->alpha, q);
    const lanes_t p1 = lane_neg(lane_div(lane_fma(k->k1, aq, to.x), k->t1));
    const lanes_t p2 = lane_neg(lane_div(lane_fma(k->k2, aq, to.y), k->t2));
    *rubs = stop_is_in_cone(k, q, p1, p2);
    const mask_t expanding = state_has(m->state, STATE_EXPANDING);
    const lanes_t rate = lane_mul(k->alpha, sticking->rate);
    const lanes_t level =
        lane_sub(to.u_n, lane_mul_add2(sticking->kappa_1, to.x, sticking->kappa_2, to.y));
    const lanes_t mean = lane_fma(lane_mul(lane_set(REAL(0.5)), rate), q, level);
    const lanes_t square = lane_mul(p->r, p->r);
    const lanes_t work = lane_fma(mean, q, lane_mul(square, sums->work));
    to.u_n = lane_add(to.u_n, lane_fma(k->k33, aq, lane_mul_add2(k->k1, p1, k->k2, p2)));
    to.x = to.y = zero;
    to.q = lane_add(to.q, q);
    to.q_compression = lane_select(expanding, to.q_compression, lane_add(to.q_compression, q));
    to.p1 = lane_add(to.p1, p1);
    to.p2 = lane_add(to.p2, p2);
    count_work(&to, lane_mul(work, k->work_scale), expanding);
    const lanes_t q_error = lane_mul(p->r, sums->q_error);
    *error = lane_mul(lane_max(k->k33, rates_size(k)), q_error);
    *work_error =
        lane_mul(lane_mul_add2(lane_abs(mean), q_error, square, sums->work_error), k->work_scale);
    return to;
}

/*
 * Stops the slip in those lanes of `wanted` in which the series is as exact as a step and no event
 * comes first. Returns these lanes; the others are unchanged. u_n has no extremum on the way, so it
 * reaches zero only if it has changed sign at the end.
 */
static APART mask_t slip_stops(members_t *m, mask_t wanted, const routh_options_t *law) {
    const lanes_t zero = lane_zero();
    const matrix_t *k = &m->matrix;
    const polar_t p = polar_of(k, m->motion.x, m->motion.y);
    const stop_t s = stop_find(k, &p, wanted);
    if (!mask_any(s.found)) return s.found;
    const sticking_t sticking = sticking_of(k);
    stop_terms_t terms;
    stop_begin(&terms, &sticking, &s);
    const stop_sums_t sums = stop_sums(&terms, &s);
    lanes_t error, work_error;
    mask_t rubs;
    const motion_t to = stop_motion(m, &p, &sticking, &sums, &error, &work_error, &rubs);
    const mask_t expanding = state_has(m->state, STATE_EXPANDING);
    const mask_t goes_on = mask_select(
        expanding, mask_and(lane_lt(zero, to.u_n), lane_lt(zero, owed(law, &to, m->end))),
        lane_lt(to.u_n, zero));
    const lanes_t works = lane_sub(to.work_restitution, to.work_compression);
    const mask_t exact = mask_and(lane_le(error, lane_set(law->tolerance)),
                                  lane_le(work_error, lane_mul(lane_set(law->tolerance), works)));
    const mask_t ahead = mask_and(lane_lt(zero, sums.q),
                                  mask_andnot(goes_on, stop_bends(k, &p, &s, expanding, law)));
    const mask_t stops = mask_and(mask_and(s.found, rubs), mask_and(exact, ahead));
    m->motion = motion_select(stops, &to, &m->motion);
    return stops;
}

#endif
