/*
 * A contact that comes to its aim velocity plastically, with friction that opposes the slip after:
 * Whittaker's law with e = 0, for u^ = u - W^ p (the velocity without the contact's own impulse p;
 * W is the contact's collision matrix, the public headers' K, and W^ a multiple of it). It is
 * solved again in every sweep, so the sliding root is found by a few of Newton's steps from a near
 * start, and by bisection only where those do not reach it.
 *
 * With p_n eliminated by u_n = 0, in the principal axes of S = T - k k^T / W_nn, whose eigenvalues
 * are sigma,
 *
 *     u_t = w + sigma p_t,   p_n = p_I - kappa . p_t,   kappa = k / W_nn,
 *
 * where p_I is the normal impulse without friction and w the slip after it. Sticking is p_t = -w /
 * sigma; sliding is u_t = -nu p_t with nu > 0, so that p_t = -(w_1 / (nu + sigma_1), w_2 / (nu +
 * sigma_2)), and alpha |p_t| = beta p_n (alpha = 1 / max(1, mu), beta = min(1, mu)). Where sticking
 * is outside the cone, alpha |p_t| - beta p_n is positive at nu = 0, and it is -beta p_I < 0 at
 * infinite nu: there is always a root in between.
 *
 * The code finds the root of (alpha |p_t| - beta p_n) / |p_t|, in nu: 1 / |p_t| is all but linear
 * (More and Sorensen 1983, 3), and p_n / |p_t| = p_I / |p_t| - kappa . d depends on nu by that and
 * by the direction d of p_t alone. Newton's steps begin where sigma is w . sigma w / w . w, which
 * is exact along an axis. (Steps in 1 / (nu + the mean of the sigmas) failed where the sigmas
 * differ by a factor of 10: 1 slot in 9 of a collapse of 200 boxes then had to be bisected, which
 * took half of all time.)
 */
#ifndef IMPINGE_KERNELS_REST_PLASTIC_H
#define IMPINGE_KERNELS_REST_PLASTIC_H

#include "../algebraic.h"

/* A contact without its own impulse. */
typedef struct pressed {
    tangent_t sigma, kappa, w;
    tangent_t compliance; /* 1 / sigma */
    lanes_t rho;          /* half the difference of the sigmas, over their mean */
    lanes_t p_i, alpha, beta;
    lanes_t nu; /* the result of Newton's last step, over the mean of the sigmas; 0: stuck */
} pressed_t;

typedef struct impulse {
    tangent_t p_t;
    lanes_t p_n, nu;
} impulse_t;

/*
 * The distance from the cone, relative to alpha |p_t|, at which Newton's steps may end. A contact
 * that slid in the last sweep continues from there, with one step a sweep, and one that stuck
 * continues from nu = 0, where sliding begins: while other contacts still change, more steps would
 * be wasted on it, and the last sweeps make it exact. Until then only its direction is off, as its
 * impulse is on the cone and stops its approach; so the distance may be as large as the direction
 * has any meaning. (With 1/64 instead, a vector nearly always has a lane that needs a second step:
 * collapses of 200 boxes then take as many sweeps, each 14 % longer.) A new contact is made as
 * exact as rounding allows, except for an error of the direction that the next sweep removes: a box
 * that has slid for long would otherwise lose a millionth of its speed in each step.
 */
#define PLASTIC_ERROR  (IMPINGE_REAL_BITS == 32 ? REAL(1e-4) : REAL(1e-12))
#define PLASTIC_NEARLY REAL(8.0)

/* Squares of shorter lengths, in units of velocity, are not exact to the last bit. */
#define PLASTIC_SHORT (IMPINGE_REAL_BITS == 32 ? REAL(0x1p-39) : (real_t)0x1p-458)

/*
 * With sigmas, slips and frictions drawn at random over three orders of magnitude, the direction is
 * exact to 1e-3 after two steps and to 1e-6 after three for all but 1 in 100.
 */
#define PLASTIC_STEPS (IMPINGE_REAL_BITS == 32 ? 7 : 8)

/* The nu of a contact that has neither slid nor stuck yet, or was bisected. */
#define PLASTIC_UNKNOWN REAL(-1.0)

/* A bound on p_I over p_n: below it, friction nearly jams the contact, and a small error of the
 * direction is a large one of the impulse. */
#define PLASTIC_JAM REAL(0.05)

/* Enough bisections from 1 / sigma_m to the last bit. */
#define PLASTIC_BISECTIONS (MANTISSA_BITS + 4)

static inline lanes_t pressed_normal(const pressed_t *f, tangent_t p_t) {
    return lane_sub(f->p_i, tangent_dot(f->kappa, p_t));
}

/* A contact that slides at some nu. */
typedef struct slide {
    tangent_t p;    /* along -p_t */
    lanes_t length; /* of p */
    lanes_t span;   /* alpha |p| - beta kappa . p: over p_I, this is |p| / max(1, mu) p_n */
    lanes_t beyond; /* (alpha |p_t| - beta p_n) |p| / |p_t| */
    lanes_t next;   /* nu after a step of Newton's */
} slide_t;

/*
 * The direction of p_t at nu, and the next nu. Where squares are out of range, slide_far finds that
 * the contact is not near the cone, and the contact is bisected in the end.
 */
static inline slide_t slide_look(const pressed_t *f, lanes_t nu) {
    const lanes_t one = lane_set(1);
    const lanes_t mean = lane_mul(lane_set(REAL(0.5)), lane_add(f->sigma.x, f->sigma.y));
    const lanes_t pace = lane_mul(mean, f->p_i);
    const lanes_t a = lane_add(lane_add(nu, one), f->rho);
    const lanes_t b = lane_sub(lane_add(nu, one), f->rho);
    slide_t s;
    s.p = (tangent_t){lane_mul(f->w.x, b), lane_mul(f->w.y, a)};
    const lanes_t square = tangent_dot(s.p, s.p);
    s.length = lane_sqrt(square);
    const lanes_t along = tangent_dot(f->kappa, s.p);
    const lanes_t pressed = lane_fma(pace, lane_mul(a, b), along);
    s.span = lane_fnma(f->beta, along, lane_mul(f->alpha, s.length));
    s.beyond = lane_fnma(f->beta, pressed, lane_mul(f->alpha, s.length));
    const lanes_t rise = lane_fma(pace, lane_add(a, b), tangent_dot(f->kappa, f->w));
    const lanes_t slope =
        lane_mul(f->beta, lane_fnma(pressed, tangent_dot(s.p, f->w), lane_mul(rise, square)));
    const lanes_t next = lane_add(nu, lane_div(lane_mul(s.beyond, square), slope));
    const lanes_t half = lane_mul(lane_set(REAL(0.5)), nu);
    s.next = lane_select(lane_le(lane_zero(), next), next, half);
    return s;
}

/* A first nu for a contact that has not slid before: the root if both sigmas were equal. */
static inline lanes_t slide_guess(const pressed_t *f) {
    const lanes_t one = lane_set(1);
    const lanes_t mean = lane_mul(lane_set(REAL(0.5)), lane_add(f->sigma.x, f->sigma.y));
    const lanes_t pace = lane_mul(mean, f->p_i);
    const lanes_t size = lane_sqrt(tangent_dot(f->w, f->w));
    const tangent_t d = tangent_scale(lane_div(one, size), f->w);
    const lanes_t along =
        lane_fma(f->rho, lane_sub(lane_mul(d.x, d.x), lane_mul(d.y, d.y)), one); /* d . sigma d */
    const lanes_t linear =
        lane_fnma(f->beta, tangent_dot(f->kappa, f->w), lane_mul(f->alpha, size));
    const lanes_t guess = lane_sub(lane_div(linear, lane_mul(f->beta, pace)), along);
    return lane_select(lane_le(lane_zero(), guess), guess, lane_zero());
}

/* On the cone exactly, in the direction of -p: p_t = -mu p_n p / |p| and p_n = p_I - kappa . p_t.
 */
static inline impulse_t onto_cone(const pressed_t *f, const slide_t *s) {
    const lanes_t size = lane_mul(f->alpha, s->length);
    const lanes_t least = lane_mul(lane_set(PLASTIC_JAM * PLASTIC_JAM), size);
    const lanes_t q = lane_div(f->p_i, lane_max(s->span, least));
    return (impulse_t){.p_t = tangent_scale(lane_neg(lane_mul(f->beta, q)), s->p),
                       .p_n = lane_mul(size, q),
                       .nu = s->next};
}

/* p_t at tau = 1 / (nu + m), m being the mean of the sigmas and delta half their difference. */
static inline tangent_t plastic_at(const pressed_t *f, lanes_t delta, lanes_t tau) {
    const lanes_t one = lane_set(1);
    const lanes_t off = lane_mul(tau, delta);
    const lanes_t both = lane_div(one, lane_fnma(off, off, one));
    const tangent_t d = {lane_mul(lane_sub(one, off), both), lane_mul(lane_add(one, off), both)};
    const lanes_t by = lane_neg(tau);
    return (tangent_t){lane_mul(lane_mul(by, f->w.x), d.x), lane_mul(lane_mul(by, f->w.y), d.y)};
}

/* alpha |p_t| - beta p_n. */
static inline lanes_t outside_cone(const pressed_t *f, tangent_t p_t) {
    return lane_fnma(f->beta, pressed_normal(f, p_t), lane_mul(f->alpha, tangent_length(p_t)));
}

/* Bisects until p_t is as near the cone as the last bit of tau allows. */
static inline impulse_t bisected(const pressed_t *f) {
    const lanes_t half = lane_set(REAL(0.5));
    const lanes_t delta = lane_mul(half, lane_sub(f->sigma.x, f->sigma.y));
    lanes_t low = lane_zero();
    lanes_t high = lane_div(lane_set(1), lane_mul(half, lane_add(f->sigma.x, f->sigma.y)));
    for (int i = 0; i < PLASTIC_BISECTIONS; i++) {
        const lanes_t tau = lane_mul(half, lane_add(low, high));
        const mask_t outside = lane_lt(lane_zero(), outside_cone(f, plastic_at(f, delta, tau)));
        high = lane_select(outside, tau, high);
        low = lane_select(outside, low, tau);
    }
    const tangent_t p = plastic_at(f, delta, low);
    return (impulse_t){p, lane_max(pressed_normal(f, p), lane_zero()), lane_set(PLASTIC_UNKNOWN)};
}

/* The lanes that slide, and are not near the cone, or nearly jam. */
static inline mask_t slide_far(const pressed_t *f, const slide_t *s, const impulse_t *r,
                               lanes_t error, mask_t slides) {
    const lanes_t most = lane_mul(error, s->length);
    const mask_t pushes = lane_lt(lane_mul(lane_set(PLASTIC_JAM), r->p_n), f->p_i);
    return mask_andnot(slides, mask_and(lane_le(lane_abs(s->beyond), most), pushes));
}

/* The impulse of lanes that slide; mu > 0. */
static inline impulse_t plastic_slide(const pressed_t *f, mask_t slides) {
    const mask_t known = lane_le(lane_zero(), f->nu);
    lanes_t nu = f->nu;
    if (mask_any(mask_andnot(slides, known))) nu = lane_select(known, nu, slide_guess(f));
    slide_t s = slide_look(f, nu);
    impulse_t r = onto_cone(f, &s);
    const mask_t goes_on = mask_and(known, lane_le(lane_set(PLASTIC_SHORT), s.length));
    const lanes_t error =
        lane_mul(f->alpha, lane_select(goes_on, lane_set(PLASTIC_NEARLY), lane_set(PLASTIC_ERROR)));
    mask_t far = slide_far(f, &s, &r, error, slides);
    for (int i = 0; i < PLASTIC_STEPS && mask_any(far); i++) {
        /* Lanes that were near keep their bits, whatever their neighbours are. */
        s = slide_look(f, s.next);
        const impulse_t nearer = onto_cone(f, &s);
        r.p_t = tangent_select(far, nearer.p_t, r.p_t);
        r.p_n = lane_select(far, nearer.p_n, r.p_n);
        r.nu = lane_select(far, nearer.nu, r.nu);
        far = mask_and(far, slide_far(f, &s, &nearer, error, far));
    }
    if (!mask_any(far)) return r;
    const impulse_t careful = bisected(f);
    r.p_t = tangent_select(far, careful.p_t, r.p_t);
    r.p_n = lane_select(far, careful.p_n, r.p_n);
    r.nu = lane_select(far, lane_set(PLASTIC_UNKNOWN), r.nu);
    return r;
}

/*
 * The lanes, of those that rub, in which p_t is within the cone: alpha |p_t| <= beta p_n. Squares
 * are compared, which need no root; or lengths, where the square of beta p_n would not fit.
 */
static inline mask_t within_cone(const pressed_t *f, tangent_t p_t, lanes_t p_n, mask_t rubs) {
    const lanes_t most = lane_mul(f->beta, p_n);
    const tangent_t size = tangent_scale(f->alpha, p_t);
    const mask_t in = mask_and(lane_le(lane_zero(), most),
                               lane_le(tangent_dot(size, size), lane_mul(most, most)));
    const mask_t plain = mask_and(lane_le(lane_set(SQUARES_LEAST), lane_abs(most)),
                                  lane_le(lane_abs(most), lane_set(SQUARES_MOST)));
    const mask_t odd = mask_andnot(rubs, plain);
    if (!mask_any(odd)) return in;
    return mask_select(odd, lane_le(lane_mul(f->alpha, tangent_length(p_t)), most), in);
}

/*
 * The impulse: none if the bodies do not press (p_I <= 0), the sticking impulse if it is within the
 * cone, else one on the cone.
 */
static inline impulse_t plastic(const pressed_t *f) {
    const lanes_t zero = lane_zero();
    const tangent_t none = {zero, zero};
    const mask_t presses = lane_lt(zero, f->p_i);
    const tangent_t stick = {lane_mul(lane_neg(f->w.x), f->compliance.x),
                             lane_mul(lane_neg(f->w.y), f->compliance.y)};
    const lanes_t p_n = pressed_normal(f, stick);
    const mask_t rubs = mask_and(presses, lane_lt(zero, lane_mul(f->beta, f->p_i)));
    const mask_t in = within_cone(f, stick, p_n, rubs);
    const mask_t sticks = mask_and(presses, in);
    const mask_t slides = mask_andnot(rubs, in);
    impulse_t r = {.p_t = tangent_select(sticks, stick, none),
                   .p_n = lane_select(sticks, p_n, lane_select(presses, f->p_i, zero)),
                   .nu = lane_select(sticks, zero, f->nu)};
    if (!mask_any(slides)) return r;
    const impulse_t s = plastic_slide(f, slides);
    r.nu = lane_select(slides, s.nu, r.nu);
    r.p_t = tangent_select(slides, s.p_t, r.p_t);
    r.p_n = lane_select(slides, s.p_n, r.p_n);
    return r;
}

#endif
