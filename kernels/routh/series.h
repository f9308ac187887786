/*
 * The Taylor series of a sliding contact, and steps along it.
 *
 * Mirtich note, eq. (3) and (4), in the variable tau with dq = r dtau, r = |u_t|, which makes the
 * flow smooth where the slip is small. In the principal frame (T diagonal), with alpha and beta of
 * ring.h:
 *
 *     u_t' = alpha k r - beta T u_t           q' = r
 *     u_n' = alpha K33 r - beta k . u_t       p_t' = -beta u_t
 *     W_n' = u_n r                            W_f' = -beta r^2
 *
 * All is linear but for r, whose coefficients come from those of r^2 = u_t . u_t.
 *
 * Rates are about 1 in a normalised contact, but where friction nearly balances what turns the slip
 * (mu close to |T^-1 k|), or where mu and k are small, it hardly changes, and what is of order 1 is
 * q: tau then runs to |q| / r, which may be 2^60. So tau is counted in units of a power of two of
 * each contact's own, which series_begin finds.
 */
#ifndef IMPINGE_KERNELS_ROUTH_SERIES_H
#define IMPINGE_KERNELS_ROUTH_SERIES_H

#include "ring.h"

/* A function with a stack frame of its own, which it does not leave to the one that calls it. */
#define APART __attribute__((noinline))

/*
 * The order of the series, measured as the fastest at the default tolerance, and the half points of
 * Gauss-Legendre quadrature on [-1, 1] for the works. W_n' and W_f' are products: on a ray they go
 * as exp(2 g tau) where u goes as exp(g tau), and their own series would need twice the order.
 */
#if IMPINGE_REAL_BITS == 32
enum { ORDER = 11, GAUSS_PAIRS = 2 };
static const real_t gauss_node[GAUSS_PAIRS] = {0.339981043584856265f, 0.861136311594052575f};
static const real_t gauss_weight[GAUSS_PAIRS] = {0.652145154862546143f, 0.347854845137453857f};
#else
enum { ORDER = 17, GAUSS_PAIRS = 4 };
static const real_t gauss_node[GAUSS_PAIRS] = {0.183434642495649805, 0.525532409916328986,
                                               0.796666477413626740, 0.960289856497536232};
static const real_t gauss_weight[GAUSS_PAIRS] = {0.362683783378361983, 0.313706645877887287,
                                                 0.222381034453374471, 0.101228536290376259};
#endif

enum { STEP_EXPONENT = 6, UNITS_MAX = 20 };

/*
 * Settling takes an angle to the ray whose fourth power, times how far the collision still goes, is
 * below the tolerance.
 */
enum { SLIP_EXPONENT = IMPINGE_REAL_BITS == 32 ? 8 : 14 };

/* Every loop over an order has constant bounds; unrolled, its intermediate sums stay in registers.
 */
#if defined __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 20")
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
static inline void series_speed(series_t *s, int m, lanes_t direction_1, lanes_t direction_2) {
    lanes_t within = lane_zero(); /* half of u_t . u_t - r r, less the terms with index 0 */
    UNROLL
    for (int j = 1; 2 * j < m; j++) {
        within = lane_fma(s->x[j], s->x[m - j], within);
        within = lane_fma(s->y[j], s->y[m - j], within);
        within = lane_fnma(s->r[j], s->r[m - j], within);
    }
    if (m % 2 == 0) {
        const int j = m / 2;
        const lanes_t half = lane_set(REAL(0.5));
        within = lane_fma(lane_mul(half, s->x[j]), s->x[j], within);
        within = lane_fma(lane_mul(half, s->y[j]), s->y[j], within);
        within = lane_fnma(lane_mul(half, s->r[j]), s->r[j], within);
    }
    const lanes_t rest = lane_mul(within, s->r_inverse);
    s->r[m] = lane_fma(direction_1, s->x[m], lane_fma(direction_2, s->y[m], rest));
}

static inline void series_next(series_t *s, int m) {
    const lanes_t over = lane_set(1 / (real_t)(m + 1));
    const lanes_t r = s->r[m];
    const lanes_t x = lane_mul(s->x[m], over);
    const lanes_t y = lane_mul(s->y[m], over);
    s->q[m + 1] = lane_mul(r, over);
    s->sum_x[m + 1] = x;
    s->sum_y[m + 1] = y;
    /* What needs r comes last: the chain of dependent operations is as long as that of r. */
    const lanes_t friction = lane_mul_add2(s->bk1, x, s->bk2, y);
    s->x[m + 1] = lane_fms(lane_mul(s->ak1, over), r, lane_mul(s->bt1, x));
    s->y[m + 1] = lane_fms(lane_mul(s->ak2, over), r, lane_mul(s->bt2, y));
    s->u_n[m + 1] = lane_fms(lane_mul(s->ak33, over), r, friction);
}

static inline void series_build(series_t *s, const motion_t *at, const matrix_t *k) {
    series_rates(s, k);
    s->x[0] = at->x;
    s->y[0] = at->y;
    s->u_n[0] = at->u_n;
    s->r[0] = lane_sqrt(lane_mul_add2(at->x, at->x, at->y, at->y));
    s->r_inverse = lane_div(lane_set(1), s->r[0]);
    s->q[0] = s->sum_x[0] = s->sum_y[0] = lane_zero();
    const lanes_t direction_1 = lane_mul(at->x, s->r_inverse);
    const lanes_t direction_2 = lane_mul(at->y, s->r_inverse);
    series_next(s, 0);
    UNROLL
    for (int m = 1; m < ORDER; m++) {
        series_speed(s, m, direction_1, direction_2);
        series_next(s, m);
    }
}

static inline lanes_t series_value(const lanes_t *c, lanes_t tau) {
    lanes_t sum = c[ORDER];
    UNROLL
    for (int m = ORDER - 1; m >= 0; m--)
        sum = lane_fma(sum, tau, c[m]);
    return sum;
}

/* r, whose series ends one order earlier. */
static inline lanes_t series_speed_at(const series_t *s, lanes_t tau) {
    lanes_t sum = s->r[ORDER - 1];
    UNROLL
    for (int m = ORDER - 2; m >= 0; m--)
        sum = lane_fma(sum, tau, s->r[m]);
    return sum;
}

/* Adds `weight` times W_n' and W_f' / -beta at tau. */
static inline void add_power(const series_t *s, lanes_t tau, real_t weight, lanes_t *work,
                             lanes_t *friction) {
    const lanes_t r = series_speed_at(s, tau);
    const lanes_t weighted = lane_mul(lane_set(weight), r);
    *work = lane_fma(weighted, series_value(s->u_n, tau), *work);
    *friction = lane_fma(weighted, r, *friction);
}

/* work_scale W_n and W_f / -beta from `begin` to `tau`. */
static inline void series_works(const series_t *s, lanes_t begin, lanes_t tau, lanes_t *work,
                                lanes_t *friction) {
    const lanes_t half = lane_mul(lane_set(REAL(0.5)), lane_sub(tau, begin));
    const lanes_t middle = lane_add(begin, half);
    *work = *friction = lane_zero();
    UNROLL
    for (int i = 0; i < GAUSS_PAIRS; i++) {
        const lanes_t node = lane_set(gauss_node[i]);
        add_power(s, lane_fnma(node, half, middle), gauss_weight[i], work, friction);
        add_power(s, lane_fma(node, half, middle), gauss_weight[i], work, friction);
    }
    const lanes_t weight = lane_mul(half, s->unit);
    *work = lane_mul(*work, lane_mul(weight, s->work_scale));
    *friction = lane_mul(*friction, weight);
}

/* Of q as well: for very large friction u hardly depends on r, whose series is the one that ends.
 */
static inline lanes_t largest_of(const series_t *s, int m) {
    const lanes_t slip = lane_max(lane_abs(s->x[m]), lane_abs(s->y[m]));
    return max3(slip, lane_abs(s->u_n[m]), lane_abs(s->q[m]));
}

/*
 * A step in which the last two terms stay below the tolerance, so that the ones left out do. Where
 * the slip is small the tolerance is, too, as its square root: an error there turns the direction,
 * which may yet matter if the slip grows again; and never more than a part of the slip itself, or
 * a slip as small as the square of the tolerance would turn by the errors of its steps, and never
 * settle on its ray. Roots are taken of exponents; a factor of 1.06 either way is in the nature of
 * such an estimate.
 */
static inline lanes_t series_step(const series_t *s, real_t tolerance) {
    const lanes_t half = lane_set(REAL(0.5));
    const lanes_t slip = lane_log2_coarse(lane_min(s->r[0], lane_set(1)));
    const lanes_t allowed = lane_min(lane_fma(half, slip, lane_log2_coarse(lane_set(tolerance))),
                                     lane_sub(slip, lane_set(SLIP_EXPONENT)));
    const lanes_t last = lane_sub(allowed, lane_log2_coarse(largest_of(s, ORDER)));
    const lanes_t before = lane_sub(allowed, lane_log2_coarse(largest_of(s, ORDER - 1)));
    const lanes_t exponent = lane_min(lane_mul(last, lane_set(REAL(1.0) / ORDER)),
                                      lane_mul(before, lane_set(REAL(1.0) / (ORDER - 1))));
    const lanes_t longest = lane_set(STEP_EXPONENT);
    return lane_exp2_coarse(lane_max(lane_min(exponent, longest), lane_neg(longest)));
}

/* The series in units of 1, and its step. */
static inline lanes_t series_begin(series_t *s, const motion_t *at, const matrix_t *k,
                                   real_t tolerance) {
    s->unit = lane_set(1);
    series_build(s, at, k);
    return series_step(s, tolerance);
}

/*
 * Where the step comes to 2^STEP_EXPONENT units: the last coefficients are close to the least
 * numbers there are, and a longer unit is tried.
 */
static inline mask_t series_is_slow(lanes_t step) {
    return lane_le(lane_set((real_t)(1 << STEP_EXPONENT)), step);
}

/*
 * The series again, in longer units for contacts that are slow. UNITS_MAX of them reach every
 * quotient of normalised numbers. Few contacts ever need a second.
 */
static APART lanes_t series_lengthen(series_t *s, const motion_t *at, const matrix_t *k,
                                     lanes_t step, real_t tolerance) {
    const lanes_t longer = lane_set((real_t)(1 << STEP_EXPONENT));
    for (int i = 0; i < UNITS_MAX; i++) {
        const mask_t slow = series_is_slow(step);
        if (!mask_any(slow)) break;
        s->unit = lane_select(slow, lane_mul(s->unit, longer), s->unit);
        series_build(s, at, k);
        step = series_step(s, tolerance);
    }
    return step;
}

/*
 * The motion from 0 to tau, without the works. The series of q and p_t give u, too: each of its
 * terms is a sum of theirs.
 */
static inline void series_move(const series_t *s, lanes_t tau, mask_t expanding, motion_t *m) {
    const lanes_t q = series_value(s->q, tau);
    const lanes_t sum_x = series_value(s->sum_x, tau);
    const lanes_t sum_y = series_value(s->sum_y, tau);
    m->x = lane_fnma(s->bt1, sum_x, lane_fma(s->ak1, q, m->x));
    m->y = lane_fnma(s->bt2, sum_y, lane_fma(s->ak2, q, m->y));
    const lanes_t friction = lane_mul_add2(s->bk1, sum_x, s->bk2, sum_y);
    m->u_n = lane_add(m->u_n, lane_sub(lane_mul(s->ak33, q), friction));
    m->q = lane_fma(s->unit, q, m->q);
    m->q_compression =
        lane_select(expanding, m->q_compression, lane_fma(s->unit, q, m->q_compression));
    m->p1 = lane_fnma(s->beta, sum_x, m->p1);
    m->p2 = lane_fnma(s->beta, sum_y, m->p2);
}

/* Adds the works from `begin` to `tau`, those of the normal impulse to the phase it is in. */
static inline void series_work(const series_t *s, lanes_t begin, lanes_t tau, const matrix_t *k,
                               mask_t expanding, motion_t *m) {
    lanes_t work;
    lanes_t friction;
    series_works(s, begin, tau, &work, &friction);
    count_work(m, work, expanding);
    m->work_friction = lane_fnma(k->beta, friction, m->work_friction);
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

#endif
