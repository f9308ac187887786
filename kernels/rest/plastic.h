/*
 * A contact that comes to its aim velocity plastically, with friction that opposes the slip after:
 * Whittaker's law with e = 0, for u^ = u - W^ p (what the contact would see without its own impulse
 * p). Contacts of a step meet it again and again, so the sliding root is found by a few steps of
 * Newton's from a near start, and by final_slip.h where those do not get there.
 *
 * In S's principal axes, with tau = 1 / (nu + sigma_m), sigma_m and delta half the sum and the
 * difference of the sigmas (final_slip.h has nu, sigma, kappa, w and p_I),
 *
 *     p_t(tau) = -(tau w_1 / (1 + tau delta), tau w_2 / (1 - tau delta)),
 *
 * and alpha |p_t| - beta p_n is all but linear in tau: it is linear if the sigmas are equal, and
 * its root for delta = 0 is where Newton's steps begin.
 */
#ifndef IMPINGE_KERNELS_REST_PLASTIC_H
#define IMPINGE_KERNELS_REST_PLASTIC_H

#include "../final_slip.h"

/* Sigmas that differ by a factor of 10 have the direction to 1e-4 after two steps, to 1e-7 after
 * three, and to rounding after four. */
#define PLASTIC_STEPS (IMPINGE_REAL_BITS == 32 ? 3 : 4)

/* How far from the cone, of beta p_n, Newton's steps may have ended. */
#define PLASTIC_ERROR REAL(1e-3)

/* Of p_I over p_n: below it, friction all but jams the contact, and a small error of the direction
 * is a large one of the impulse. */
#define PLASTIC_JAM REAL(0.05)

/* p_t(tau), and its slope. */
static inline pair_t plastic_at(const final_slip_t *f, lane_t delta, lane_t tau, pair_t *slope) {
    const lane_t one = lane_set(1);
    const pair_t d = {lane_div(one, lane_fma(tau, delta, one)),
                      lane_div(one, lane_fnma(tau, delta, one))};
    const pair_t wd = {lane_mul(lane_neg(f->w.x), d.x), lane_mul(lane_neg(f->w.y), d.y)};
    *slope = (pair_t){lane_mul(wd.x, d.x), lane_mul(wd.y, d.y)};
    return pair_scale(tau, wd);
}

/* What slides, if there is friction: on the cone, with p_n = p_I - kappa . p_t. */
static inline friction_t plastic_slide(const final_slip_t *f, mask_t slides) {
    const lane_t half = lane_set(REAL(0.5));
    const lane_t zero = lane_zero();
    const lane_t sigma = lane_mul(half, lane_add(f->s.xx, f->s.yy));
    const lane_t delta = lane_mul(half, lane_sub(f->s.xx, f->s.yy));
    const lane_t top = lane_div(lane_set(1), sigma);
    const lane_t cone = lane_mul(f->beta, f->p_i);
    const lane_t linear =
        lane_fnma(f->beta, pair_dot(f->kappa, f->w), lane_mul(f->alpha, pair_length(f->w)));
    const mask_t starts = lane_lt(zero, linear);
    lane_t tau = lane_div(cone, lane_select(starts, linear, lane_set(1)));
    tau = lane_select(starts, lane_min(tau, top), top);
    pair_t slope;
    pair_t p = plastic_at(f, delta, tau, &slope);
    lane_t size = pair_length(p);
    lane_t outside = zero;
    for (int i = 0; i <= PLASTIC_STEPS; i++) {
        const lane_t normal = lane_fnma(f->beta, pair_dot(f->kappa, p), cone);
        outside = lane_fnma(f->alpha, size, normal);
        outside = lane_neg(outside);
        if (i == PLASTIC_STEPS) break;
        const lane_t rise = lane_mul_add2(f->alpha, lane_div(pair_dot(p, slope), size), f->beta,
                                          pair_dot(f->kappa, slope));
        const lane_t next = lane_sub(tau, lane_div(outside, rise));
        const mask_t kept = mask_and(lane_lt(zero, next), lane_le(next, top));
        tau = lane_select(kept, next, tau);
        p = plastic_at(f, delta, tau, &slope);
        size = pair_length(p);
    }
    const friction_t r = on_cone(f, p);
    const mask_t pushes = lane_lt(lane_mul(lane_set(PLASTIC_JAM), r.p_n), f->p_i);
    const mask_t near = mask_and(
        lane_le(lane_abs(outside), lane_mul(lane_set(PLASTIC_ERROR), lane_mul(f->alpha, size))),
        pushes);
    const mask_t far = mask_andnot(slides, near);
    if (!mask_any(far)) return r;
    const final_slip_t hard = easy_unless(far, f);
    const friction_t careful = slide(&hard);
    return friction_select(far, &careful, &r);
}

/*
 * The impulse: none where nothing presses (p_I <= 0), all that sticking needs where that is within
 * the cone, else on the cone.
 */
static inline friction_t plastic(const final_slip_t *f) {
    const lane_t zero = lane_zero();
    const pair_t none = {zero, zero};
    const mask_t presses = lane_lt(zero, f->p_i);
    const pair_t stick = {lane_div(lane_neg(f->w.x), f->s.xx), lane_div(lane_neg(f->w.y), f->s.yy)};
    const lane_t p_n = normal_at(f, stick);
    const mask_t in = lane_le(lane_mul(f->alpha, pair_length(stick)), lane_mul(f->beta, p_n));
    const mask_t sticks = mask_and(presses, in);
    const mask_t rubs = mask_and(presses, lane_lt(zero, lane_mul(f->beta, f->p_i)));
    const mask_t slides = mask_andnot(rubs, in);
    friction_t r = {.p_t = pair_select(sticks, stick, none),
                    .slip = none,
                    .p_n = lane_select(sticks, p_n, lane_select(presses, f->p_i, zero))};
    if (!mask_any(slides)) return r;
    const final_slip_t sliding = easy_unless(slides, f);
    const friction_t s = plastic_slide(&sliding, slides);
    r.p_t = pair_select(slides, s.p_t, r.p_t);
    r.p_n = lane_select(slides, s.p_n, r.p_n);
    return r;
}

#endif
