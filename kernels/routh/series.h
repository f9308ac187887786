/*
 * The Taylor series of a sliding contact, and steps along it.
 *
 * Mirtich 1996, corrected, eq. (3) and (4), in the variable tau with dq = r dtau, r = |u_t|, which
 * makes the flow smooth where the slip is small. In the principal frame (T diagonal), with alpha
 * and beta of ring.h:
 *
 *     u_t' = alpha k r - beta T u_t           q' = r
 *     u_n' = alpha K33 r - beta k . u_t       p_t' = -beta u_t
 *     W_n' = u_n r
 *
 * All is linear but for r, whose coefficients come from those of r^2 = u_t . u_t.
 *
 * Rates are about 1 in a normalised contact. But where friction nearly balances the coupling that
 * turns the slip (mu close to |T^-1 k|), or where mu and k are small, the slip hardly changes, and
 * q is of order 1: tau then runs to |q| / r, which may be 2^60. So each contact's tau is counted in
 * units of its own, a power of two, which series_begin finds.
 */
#ifndef IMPINGE_KERNELS_ROUTH_SERIES_H
#define IMPINGE_KERNELS_ROUTH_SERIES_H

#include "ring.h"

/*
 * The order of the series, which was the fastest at the default tolerance; and half of the inner
 * points of Lobatto's quadrature on [-1, 1] for the works, whose end points cost nothing. W_n' is a
 * product: on a ray it varies as exp(2 g tau) where u varies as exp(g tau), and its own series
 * would need twice the order. In f32 the error of Gauss's quadrature, which has no end points, is
 * 4e-6 of the work of the longest steps, and that of Lobatto's 4e-8.
 */
#if IMPINGE_REAL_BITS == 32
enum { ORDER = 12, WORK_PAIRS = 2 };
static const real_t work_node[WORK_PAIRS] = {0.285231516480645096f, 0.765055323929464693f};
static const real_t work_weight[WORK_PAIRS] = {0.554858377035486353f, 0.378474956297846980f};
static const real_t work_weight_end = 0.0666666666666666667f;
#else
enum { ORDER = 18, WORK_PAIRS = 4 };
static const real_t work_node[WORK_PAIRS] = {0.165278957666387025, 0.477924949810444496,
                                             0.738773865105505075, 0.919533908166458814};
static const real_t work_weight[WORK_PAIRS] = {0.327539761183897457, 0.292042683679683758,
                                               0.224889342063126452, 0.133305990851070111};
static const real_t work_weight_end = 0.0222222222222222222;
#endif

enum { STEP_EXPONENT = 6, UNITS_MAX = 20 };

/* Every loop over an order has constant bounds; unrolled, its intermediate sums stay in registers.
 */
#if defined __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 20")
#endif

/*
 * With AVX2, the loop over the orders is not unrolled: there are not enough registers for its
 * intermediate sums, and the code of a step would exceed the first-level instruction cache
 * (docs/speed-routh.md).
 */
#if !defined IMPINGE_TARGET_AVX2
#define UNROLL_ORDERS UNROLL
#elif defined __clang__
#define UNROLL_ORDERS _Pragma("nounroll")
#else
#define UNROLL_ORDERS _Pragma("GCC unroll 1")
#endif

typedef struct series {
    lanes_t x[ORDER + 1], y[ORDER + 1], u_n[ORDER + 1];
    lanes_t r[ORDER];
    /* The integrals over tau of r and u_t; none has a constant term. */
    lanes_t q[ORDER + 1], sum_x[ORDER + 1], sum_y[ORDER + 1];
    lanes_t r_inverse;
    lanes_t unit; /* of tau */
    lanes_t work_scale;
    /* The rates of ring.h per unit, already multiplied out. */
    lanes_t beta, ak1, ak2, ak33, bt1, bt2, bk1, bk2;
} series_t;

static inline void series_rates(series_t *s, const matrix_t *k) {
    s->work_scale = k->work_scale;
    const lanes_t alpha = lane_mul(k->alpha, s->unit);
    s->beta = lane_mul(k->beta, s->unit);
    s->ak1 = lane_mul(alpha, k->k1);
    s->ak2 = lane_mul(alpha, k->k2);
    s->ak33 = lane_mul(alpha, k->k33);
    s->bt1 = lane_mul(s->beta, k->t1);
    s->bt2 = lane_mul(s->beta, k->t2);
    s->bk1 = lane_mul(s->beta, k->k1);
    s->bk2 = lane_mul(s->beta, k->k2);
}

/* Coefficient m of r, from r^2 = u_t . u_t: 2 r0 rm + (products within) = 2 x0 xm + 2 y0 ym + ...
 */
INLINE void series_speed(series_t *s, int m, lanes_t direction_1, lanes_t direction_2,
                         bool unit_speed) {
    /* Half of u_t . u_t - r r without the terms of index 0; the newest terms come last. */
    lanes_t within = lane_zero();
    if (m % 2 == 0) {
        const int j = m / 2;
        const lanes_t squares = lane_mul_add2(s->x[j], s->x[j], s->y[j], s->y[j]);
        within = lane_mul(lane_set(REAL(0.5)), lane_fnma(s->r[j], s->r[j], squares));
    }
    UNROLL_ORDERS
    for (int j = (m - 1) / 2; j >= 1; j--) {
        within = lane_fma(s->x[j], s->x[m - j], within);
        within = lane_fma(s->y[j], s->y[m - j], within);
        within = lane_fnma(s->r[j], s->r[m - j], within);
    }
    const lanes_t rest = unit_speed ? within : lane_mul(within, s->r_inverse);
    s->r[m] = lane_fma(direction_1, s->x[m], lane_fma(direction_2, s->y[m], rest));
}

/* 1 / (m + 1), where the loop over m is not unrolled. */
static const real_t series_over[] = {
    REAL(1.0),      REAL(1.0) / 2,  REAL(1.0) / 3,  REAL(1.0) / 4,  REAL(1.0) / 5,  REAL(1.0) / 6,
    REAL(1.0) / 7,  REAL(1.0) / 8,  REAL(1.0) / 9,  REAL(1.0) / 10, REAL(1.0) / 11, REAL(1.0) / 12,
    REAL(1.0) / 13, REAL(1.0) / 14, REAL(1.0) / 15, REAL(1.0) / 16, REAL(1.0) / 17, REAL(1.0) / 18};
_Static_assert(ORDER <= sizeof series_over / sizeof *series_over, "a divisor for every order");

static inline void series_next(series_t *s, int m) {
    const lanes_t over = lane_set(series_over[m]);
    const lanes_t r = s->r[m];
    const lanes_t x = lane_mul(s->x[m], over);
    const lanes_t y = lane_mul(s->y[m], over);
    s->q[m + 1] = lane_mul(r, over);
    s->sum_x[m + 1] = x;
    s->sum_y[m + 1] = y;
    /* Terms that need r come last: the chain of dependent operations is as long as that of r. */
    const lanes_t friction = lane_mul_add2(s->bk1, x, s->bk2, y);
    s->x[m + 1] = lane_fms(lane_mul(s->ak1, over), r, lane_mul(s->bt1, x));
    s->y[m + 1] = lane_fms(lane_mul(s->ak2, over), r, lane_mul(s->bt2, y));
    s->u_n[m + 1] = lane_fms(lane_mul(s->ak33, over), r, friction);
}

/* About `at`; `unit_speed`: the slip there is of size 1. */
INLINE void series_build(series_t *s, const motion_t *at, const matrix_t *k, bool unit_speed) {
    if (unit_speed) s->unit = lane_set(1);
    series_rates(s, k);
    s->x[0] = at->x;
    s->y[0] = at->y;
    s->u_n[0] = at->u_n;
    s->r[0] = s->r_inverse = lane_set(1);
    lanes_t direction_1 = at->x;
    lanes_t direction_2 = at->y;
    if (!unit_speed) {
        s->r[0] = lane_sqrt(lane_mul_add2(at->x, at->x, at->y, at->y));
        s->r_inverse = lane_div(lane_set(1), s->r[0]);
        direction_1 = lane_mul(at->x, s->r_inverse);
        direction_2 = lane_mul(at->y, s->r_inverse);
    }
    s->q[0] = s->sum_x[0] = s->sum_y[0] = lane_zero();
    series_next(s, 0);
    UNROLL_ORDERS
    for (int m = 1; m < ORDER; m++) {
        series_speed(s, m, direction_1, direction_2, unit_speed);
        series_next(s, m);
    }
}

/*
 * The polynomial of that degree, in two sums side by side, of even and odd powers: with a single
 * sum, most of a core would wait for the last product.
 */
INLINE lanes_t series_polynomial(const lanes_t *c, int degree, lanes_t tau) {
    const lanes_t square = lane_mul(tau, tau);
    lanes_t upper = c[degree];
    lanes_t lower = c[degree - 1];
    UNROLL
    for (int m = degree - 2; m >= 1; m -= 2) {
        upper = lane_fma(upper, square, c[m]);
        lower = lane_fma(lower, square, c[m - 1]);
    }
    if (degree % 2 == 1) return lane_fma(upper, tau, lower);
    return lane_fma(lower, tau, lane_fma(upper, square, c[0]));
}

static inline lanes_t series_value(const lanes_t *c, lanes_t tau) {
    return series_polynomial(c, ORDER, tau);
}

/* r, whose series ends one order earlier. */
static inline lanes_t series_speed_at(const series_t *s, lanes_t tau) {
    return series_polynomial(s->r, ORDER - 1, tau);
}

/* W_n' = r u_n where the contact is. */
static inline lanes_t work_rate(const motion_t *m) { return lane_mul(slip_size(m), m->u_n); }

/* work_scale W_n from `begin` to `tau`; `ends` is the sum of the rates there. */
static inline lanes_t series_works(const series_t *s, lanes_t begin, lanes_t tau, lanes_t ends) {
    const lanes_t half = lane_mul(lane_set(REAL(0.5)), lane_sub(tau, begin));
    const lanes_t middle = lane_add(begin, half);
    lanes_t work = lane_mul(lane_set(work_weight_end), ends);
    UNROLL
    for (int i = 0; i < WORK_PAIRS; i++) {
        const lanes_t node = lane_set(work_node[i]);
        const lanes_t before = lane_fnma(node, half, middle);
        const lanes_t after = lane_fma(node, half, middle);
        const lanes_t sum = lane_mul_add2(series_speed_at(s, before), series_value(s->u_n, before),
                                          series_speed_at(s, after), series_value(s->u_n, after));
        work = lane_fma(lane_set(work_weight[i]), sum, work);
    }
    return lane_mul(work, lane_mul(lane_mul(half, s->unit), s->work_scale));
}

/*
 * The last two terms bound a step, but both may be nearly zero by chance, where coefficients change
 * their signs. So the third last one bounds it, too, but by a limit that is larger by so many
 * powers of two: where terms fall regularly, it is a few times as large as the second last.
 */
#define THIRD_LAST 6

/*
 * Includes q: for very large friction u hardly depends on r, whose series then determines the step.
 */
static inline lanes_t largest_of(const series_t *s, int m) {
    const lanes_t slip = lane_max(lane_abs(s->x[m]), lane_abs(s->y[m]));
    return max3(slip, lane_abs(s->u_n[m]), lane_abs(s->q[m]));
}

/*
 * A step in which the last two terms stay below the tolerance, so that the ones left out do. The
 * tolerance falls with the square root of a small slip: an error there turns the direction, which
 * may still matter if the slip grows again. It is always a small part of the slip, which could
 * otherwise neither grow nor reach its ray. Roots are taken of exponents; an error of a factor of
 * 1.06 does not matter in such an estimate.
 *
 * A coefficient below the normal numbers shows only that the step is longer. A slip of 1e-17 at
 * rates of 1e-4 has such coefficients, whose exponents made steps a hundred times too short. Such a
 * contact is also slow, and longer units give the length of its step. In f64 this is not needed:
 * the exponents of all slips and tolerances are in range.
 */
static inline lanes_t series_step(const series_t *s, real_t tolerance) {
    const lanes_t half = lane_set(REAL(0.5));
    const lanes_t size = lane_log2_coarse(lane_min(s->r[0], lane_set(1)));
    const lanes_t allowed = lane_min(lane_fma(half, size, lane_log2_coarse(lane_set(tolerance))),
                                     lane_sub(size, lane_set(SLIP_BITS)));
    const lanes_t size_last = lane_log2_coarse(largest_of(s, ORDER));
    const lanes_t last = lane_sub(allowed, size_last);
    const lanes_t before = lane_sub(allowed, lane_log2_coarse(largest_of(s, ORDER - 1)));
    const lanes_t third = lane_sub(lane_add(allowed, lane_set(THIRD_LAST)),
                                   lane_log2_coarse(largest_of(s, ORDER - 2)));
    lanes_t exponent = lane_min(lane_mul(last, lane_set(REAL(1.0) / ORDER)),
                                lane_mul(before, lane_set(REAL(1.0) / (ORDER - 1))));
    exponent = lane_min(exponent, lane_mul(third, lane_set(REAL(1.0) / (ORDER - 2))));
    const lanes_t longest = lane_set(STEP_EXPONENT);
    if (IMPINGE_REAL_BITS == 32) {
        const mask_t vanishes = lane_lt(size_last, lane_set(1 - EXPONENT_BIAS));
        exponent = lane_select(vanishes, longest, exponent);
    }
    return lane_exp2_coarse(lane_max(lane_min(exponent, longest), lane_neg(longest)));
}

/*
 * True if a series is exact enough up to tau, where the slip is of size r. All of its last terms
 * may be small by chance: if the slip goes nearly straight, coefficients first fall as those of an
 * exponential function, then only as those of the zero of r beside the line; in between they
 * cancel. Such steps left 1.3e-12 |u0|. The terms of r that are left out are its difference from
 * |u_t|, and those of u are the rates times their integral.
 */
#define DEFECT_ALLOWED REAL(0.5)

/* What rounding leaves of that, which shorter steps do not mend. */
#define SPEED_ROUNDS (REAL_UNIT * (IMPINGE_REAL_BITS == 32 ? REAL(8.0) : REAL(64.0)))

static inline mask_t series_is_exact(const series_t *s, lanes_t tau, lanes_t r, real_t tolerance) {
    const lanes_t rate = max3(lane_abs(s->ak1), lane_abs(s->ak2), lane_abs(s->ak33));
    const lanes_t part = lane_mul(tau, lane_set(REAL(1.0) / (ORDER + 1)));
    const lanes_t missing = lane_abs(lane_sub(series_speed_at(s, tau), r));
    const lanes_t rounding = lane_mul(lane_set(SPEED_ROUNDS), lane_max(s->r[0], r));
    const lanes_t allowed = lane_mul(lane_set(DEFECT_ALLOWED), step_allowance(s->r[0], tolerance));
    const mask_t small = lane_le(lane_mul(lane_mul(rate, part), missing), allowed);
    return mask_or(small, lane_le(missing, rounding));
}

/* The series in units of 1, and its step. */
static inline lanes_t series_begin(series_t *s, const motion_t *at, const matrix_t *k,
                                   real_t tolerance) {
    s->unit = lane_set(1);
    series_build(s, at, k, false);
    return series_step(s, tolerance);
}

/*
 * Lanes whose step reaches 2^STEP_EXPONENT units: their last coefficients are close to the smallest
 * numbers, and a longer unit is tried.
 */
static inline mask_t series_is_slow(lanes_t step) {
    return lane_le(lane_set((real_t)(1 << STEP_EXPONENT)), step);
}

/*
 * The series again, in longer units for contacts that are slow. UNITS_MAX increases reach every
 * quotient of normalised numbers. Few contacts need a second one.
 */
static APART lanes_t series_lengthen(series_t *s, const motion_t *at, const matrix_t *k,
                                     lanes_t step, real_t tolerance) {
    const lanes_t longer = lane_set((real_t)(1 << STEP_EXPONENT));
    for (int i = 0; i < UNITS_MAX; i++) {
        const mask_t slow = series_is_slow(step);
        if (!mask_any(slow)) break;
        s->unit = lane_select(slow, lane_mul(s->unit, longer), s->unit);
        series_build(s, at, k, false);
        step = series_step(s, tolerance);
    }
    return step;
}

/*
 * The motion from the increases of the integrals over tau of r and u_t, without the works. They
 * also give u: each of its terms is a sum of theirs.
 */
static inline void series_advance(const series_t *s, lanes_t q, lanes_t sum_x, lanes_t sum_y,
                                  motion_t *m) {
    m->x = lane_fnma(s->bt1, sum_x, lane_fma(s->ak1, q, m->x));
    m->y = lane_fnma(s->bt2, sum_y, lane_fma(s->ak2, q, m->y));
    const lanes_t friction = lane_mul_add2(s->bk1, sum_x, s->bk2, sum_y);
    m->u_n = lane_add(m->u_n, lane_sub(lane_mul(s->ak33, q), friction));
    m->q = lane_fma(s->unit, q, m->q);
    m->p1 = lane_fnma(s->beta, sum_x, m->p1);
    m->p2 = lane_fnma(s->beta, sum_y, m->p2);
}

/* The motion from 0 to tau. */
static inline void series_move(const series_t *s, lanes_t tau, mask_t expanding, motion_t *m) {
    const lanes_t q = series_value(s->q, tau);
    series_advance(s, q, series_value(s->sum_x, tau), series_value(s->sum_y, tau), m);
    m->q_compression =
        lane_select(expanding, m->q_compression, lane_fma(s->unit, q, m->q_compression));
}

/* du_n/dtau at a slip. */
static inline lanes_t series_normal_rate(const series_t *s, lanes_t x, lanes_t y) {
    const lanes_t r = lane_sqrt(lane_mul_add2(x, x, y, y));
    return lane_sub(lane_mul(s->ak33, r), lane_mul_add2(s->bk1, x, s->bk2, y));
}

/* g = r' / r at a slip. */
static inline lanes_t series_growth(const series_t *s, lanes_t x, lanes_t y, lanes_t r) {
    const lanes_t x_rate = lane_fnma(s->bt1, x, lane_mul(s->ak1, r));
    const lanes_t y_rate = lane_fnma(s->bt2, y, lane_mul(s->ak2, r));
    return lane_div(lane_mul_add2(x, x_rate, y, y_rate), lane_mul(r, r));
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
