/*
 * A contact that comes to its aim velocity plastically, with friction that opposes the slip after:
 * Whittaker's law with e = 0, for u^ = u - W^ p (what the contact would see without its own impulse
 * p). Contacts of a step meet it again and again, so the sliding root is found by a few steps of
 * Newton's from a near start, and only where those do not get there by bisection.
 *
 * With p_n eliminated by u_n = 0, in the principal axes of S = T - k k^T / W_nn, whose eigenvalues
 * are sigma,
 *
 *     u_t = w + sigma p_t,   p_n = p_I - kappa . p_t,   kappa = k / W_nn,
 *
 * where p_I is the normal impulse without friction and w the slip after it. Sticking is p_t = -w /
 * sigma; sliding is u_t = -nu p_t with nu > 0. With tau = 1 / (nu + sigma_m), sigma_m and delta
 * half the sum and the difference of the sigmas,
 *
 *     p_t(tau) = -(tau w_1 / (1 + tau delta), tau w_2 / (1 - tau delta)),
 *
 * and alpha |p_t| - beta p_n (alpha = 1 / max(1, mu), beta = min(1, mu)), which is to vanish, is
 * all but linear in tau: it is linear if the sigmas are equal, and its root for delta = 0 is where
 * Newton's steps begin. At tau = 0 it is -beta p_I < 0, and at tau = 1 / sigma_m it is positive
 * where sticking is outside the cone: there always is a root between.
 */
#ifndef IMPINGE_KERNELS_REST_PLASTIC_H
#define IMPINGE_KERNELS_REST_PLASTIC_H

#include "../algebraic.h"

/* A contact without its own impulse. */
typedef struct pressed {
    pair_t sigma, kappa, w;
    pair_t compliance; /* 1 / sigma */
    lanes_t p_i, alpha, beta;
} pressed_t;

typedef struct impulse {
    pair_t p_t;
    lanes_t p_n;
} impulse_t;

/* Sigmas that differ by a factor of 10 have the direction to 1e-4 after two steps, to 1e-7 after
 * three, and to rounding after four. */
#define PLASTIC_STEPS (IMPINGE_REAL_BITS == 32 ? 3 : 4)

/* How far from the cone, of alpha |p_t|, Newton's steps may have ended. */
#define PLASTIC_ERROR REAL(1e-3)

/* Of p_I over p_n: below it, friction all but jams the contact, and a small error of the direction
 * is a large one of the impulse. */
#define PLASTIC_JAM REAL(0.05)

/* From 1 / sigma_m to the last bit. */
#define PLASTIC_BISECTIONS (MANTISSA_BITS + 4)

static inline lanes_t pressed_normal(const pressed_t *f, pair_t p_t) {
    return lane_sub(f->p_i, pair_dot(f->kappa, p_t));
}

/* p_t(tau), and its slope. */
static inline pair_t plastic_at(const pressed_t *f, lanes_t delta, lanes_t tau, pair_t *slope) {
    const lanes_t one = lane_set(1);
    const lanes_t off = lane_mul(tau, delta);
    const lanes_t both = lane_div(one, lane_fnma(off, off, one));
    const pair_t d = {lane_mul(lane_sub(one, off), both), lane_mul(lane_add(one, off), both)};
    const pair_t wd = {lane_mul(lane_neg(f->w.x), d.x), lane_mul(lane_neg(f->w.y), d.y)};
    *slope = (pair_t){lane_mul(wd.x, d.x), lane_mul(wd.y, d.y)};
    return pair_scale(tau, wd);
}

/* alpha |p_t| - beta p_n. */
static inline lanes_t outside_cone(const pressed_t *f, pair_t p_t, lanes_t size) {
    return lane_fnma(f->beta, pressed_normal(f, p_t), lane_mul(f->alpha, size));
}

/* On the cone exactly, in p's direction d: p_t = mu p_n d and p_n = p_I - kappa . p_t together. */
static inline impulse_t onto_cone(const pressed_t *f, pair_t p, lanes_t size) {
    const lanes_t inverse = lane_div(lane_set(1), size);
    const pair_t d = pair_scale(inverse, p);
    const lanes_t divisor = lane_fma(f->beta, pair_dot(f->kappa, d), f->alpha);
    const lanes_t least = lane_mul(lane_set(PLASTIC_JAM * PLASTIC_JAM), f->alpha);
    const lanes_t q = lane_div(f->p_i, lane_max(divisor, least)); /* max(1, mu) p_n */
    return (impulse_t){.p_t = pair_scale(lane_mul(f->beta, q), d), .p_n = lane_mul(f->alpha, q)};
}

/* The same by bisection: as near the cone as the last bit of tau is. */
static inline impulse_t bisected(const pressed_t *f, lanes_t delta, lanes_t top) {
    const lanes_t half = lane_set(REAL(0.5));
    lanes_t low = lane_zero();
    lanes_t high = top;
    for (int i = 0; i < PLASTIC_BISECTIONS; i++) {
        pair_t slope;
        const lanes_t tau = lane_mul(half, lane_add(low, high));
        const pair_t p = plastic_at(f, delta, tau, &slope);
        const mask_t outside = lane_lt(lane_zero(), outside_cone(f, p, pair_length(p)));
        high = lane_select(outside, tau, high);
        low = lane_select(outside, low, tau);
    }
    pair_t slope;
    const pair_t p = plastic_at(f, delta, low, &slope);
    return (impulse_t){p, lane_max(pressed_normal(f, p), lane_zero())};
}

/* What slides, in the lanes that do; there is friction. */
static inline impulse_t plastic_slide(const pressed_t *f, mask_t slides) {
    const lanes_t half = lane_set(REAL(0.5));
    const lanes_t zero = lane_zero();
    const lanes_t sigma = lane_mul(half, lane_add(f->sigma.x, f->sigma.y));
    const lanes_t delta = lane_mul(half, lane_sub(f->sigma.x, f->sigma.y));
    const lanes_t top = lane_div(lane_set(1), sigma);
    const lanes_t linear =
        lane_fnma(f->beta, pair_dot(f->kappa, f->w), lane_mul(f->alpha, pair_length(f->w)));
    const mask_t starts = lane_lt(zero, linear);
    lanes_t tau = lane_div(lane_mul(f->beta, f->p_i), lane_select(starts, linear, lane_set(1)));
    tau = lane_select(starts, lane_min(tau, top), top);
    pair_t slope;
    pair_t p = plastic_at(f, delta, tau, &slope);
    lanes_t size = pair_length(p);
    lanes_t outside = outside_cone(f, p, size);
    for (int i = 0; i < PLASTIC_STEPS; i++) {
        /* |p_t| times the slope of what is to vanish. */
        const lanes_t rise = lane_mul_add2(f->alpha, pair_dot(p, slope), lane_mul(f->beta, size),
                                           pair_dot(f->kappa, slope));
        const lanes_t next = lane_sub(tau, lane_div(lane_mul(outside, size), rise));
        const mask_t kept = mask_and(lane_lt(zero, next), lane_le(next, top));
        tau = lane_select(kept, next, tau);
        p = plastic_at(f, delta, tau, &slope);
        size = pair_length(p);
        outside = outside_cone(f, p, size);
    }
    impulse_t r = onto_cone(f, p, size);
    const mask_t pushes = lane_lt(lane_mul(lane_set(PLASTIC_JAM), r.p_n), f->p_i);
    const lanes_t error = lane_mul(lane_set(PLASTIC_ERROR), lane_mul(f->alpha, size));
    const mask_t near = mask_and(lane_le(lane_abs(outside), error), pushes);
    const mask_t far = mask_andnot(slides, near);
    if (!mask_any(far)) return r;
    const impulse_t careful = bisected(f, delta, top);
    r.p_t = pair_select(far, careful.p_t, r.p_t);
    r.p_n = lane_select(far, careful.p_n, r.p_n);
    return r;
}

/* The same problem where it slides; in the other lanes one that is easily solved. */
static inline pressed_t sliding_only(mask_t slides, const pressed_t *f) {
    const lanes_t one = lane_set(1);
    const pair_t ones = {one, one};
    const pair_t zeros = {lane_zero(), lane_zero()};
    return (pressed_t){.sigma = pair_select(slides, f->sigma, ones),
                       .kappa = pair_select(slides, f->kappa, zeros),
                       .w = pair_select(slides, f->w, ones),
                       .compliance = ones,
                       .p_i = lane_select(slides, f->p_i, one),
                       .alpha = lane_select(slides, f->alpha, one),
                       .beta = lane_select(slides, f->beta, lane_set(REAL(0.5)))};
}

/*
 * The impulse: none where nothing presses (p_I <= 0), all that sticking needs where that is within
 * the cone, else on the cone.
 */
static inline impulse_t plastic(const pressed_t *f) {
    const lanes_t zero = lane_zero();
    const pair_t none = {zero, zero};
    const mask_t presses = lane_lt(zero, f->p_i);
    const pair_t stick = {lane_mul(lane_neg(f->w.x), f->compliance.x),
                          lane_mul(lane_neg(f->w.y), f->compliance.y)};
    const lanes_t p_n = pressed_normal(f, stick);
    const mask_t in = lane_le(lane_mul(f->alpha, pair_length(stick)), lane_mul(f->beta, p_n));
    const mask_t sticks = mask_and(presses, in);
    const mask_t rubs = mask_and(presses, lane_lt(zero, lane_mul(f->beta, f->p_i)));
    const mask_t slides = mask_andnot(rubs, in);
    impulse_t r = {.p_t = pair_select(sticks, stick, none),
                   .p_n = lane_select(sticks, p_n, lane_select(presses, f->p_i, zero))};
    if (!mask_any(slides)) return r;
    const pressed_t sliding = sliding_only(slides, f);
    const impulse_t s = plastic_slide(&sliding, slides);
    r.p_t = pair_select(slides, s.p_t, r.p_t);
    r.p_n = lane_select(slides, s.p_n, r.p_n);
    return r;
}

#endif
