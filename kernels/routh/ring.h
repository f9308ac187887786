/*
 * A chunk of contacts in contact space, normalised: the working memory of a call.
 *
 * Normalised means three things. K and u0 are divided by powers of two, so that their largest
 * elements lie in [1, 2) and scaling the input by powers of two changes no bit. The tangent frame
 * is turned so that the tangential block T is diagonal. And friction enters as the pair
 *
 *     alpha = 1 / max(1, mu),   beta = mu / max(1, mu),
 *
 * with dp_n = alpha dq and dp_t = -beta s dq for a slip direction s, so that mu = infinity (alpha =
 * 0) is a number like others. q is the normal impulse for mu <= 1 and the arc of the tangential one
 * for mu >= 1. Works of the normal impulse are in units of alpha while the contact slides, and
 * multiplied by work_scale, a power of two of about 1 / |u_n0|: where u_n is far below u_t its
 * square would vanish, and with it what restitution owes.
 */
#ifndef IMPINGE_KERNELS_ROUTH_RING_H
#define IMPINGE_KERNELS_ROUTH_RING_H

#include <impinge/batch.h>

#include "../lane/lane.h"

/*
 * Contacts come and go in chunks, through a ring of them: while some contacts of a chunk still
 * slide, other chunks keep the lanes full. A chunk is one vector, so that few wait for one that
 * slides. A longer ring keeps the lanes fuller, and takes more of the stack (docs/speed-routh.md).
 */
enum {
    CHUNK = LANES < 8 ? 8 : LANES,
    CHUNKS = 12,
    RING = CHUNK * CHUNKS,
    /* From one column to the next. No power of two: a contact's columns would share cache sets. */
    RING_STRIDE = RING + 64 / sizeof(real_t)
};

/* The columns of a contact; those that change as it slides first, then those that sliding reads. */
enum column {
    SLIP_1, /* u_t in the principal tangent frame */
    SLIP_2,
    U_N,           /* normal separation velocity */
    Q,             /* q */
    Q_COMPRESSION, /* its part in compression */
    P_1,           /* p_t */
    P_2,
    WORK_COMPRESSION, /* W_c work_scale / alpha <= 0 */
    WORK_RESTITUTION, /* W_d work_scale / alpha >= 0 */
    MOTION_COLUMNS,

    K_1 = MOTION_COLUMNS, /* k = (K13, K23) in the principal tangent frame */
    K_2,
    K_33,
    T_1, /* the eigenvalues of T */
    T_2,
    ALPHA,
    BETA,
    WORK_SCALE,
    END, /* what the rule compares with: e^2 (Stronge), e (Poisson), -e u_n0 (Newton) */
    SLIDING_COLUMNS,

    FRICTION_STATIC = SLIDING_COLUMNS,
    COSINE, /* of the turn from (t1, t2) to the principal frame */
    SINE,
    SLIP_1_BEFORE,
    SLIP_2_BEFORE,
    U_N_BEFORE,
    SCALE_U, /* a velocity is scale_u * prescale_u times the normalised one */
    PRESCALE_U,
    SCALE_P, /* an impulse is scale_p * prescale_p * postscale_p times the normalised one */
    PRESCALE_P,
    POSTSCALE_P,
    CONTACT_COLUMNS
};

/*
 * Where a contact stands, in bits of its word that no outcome has, and in three that Routh's law
 * says nothing by before it closes.
 */
#define STATE_UNSTABLE  ((uint32_t)IMPINGE_OUTCOME_ENERGY_GAINED) /* slip leaves zero again */
#define STATE_PASSES    ((uint32_t)IMPINGE_OUTCOME_CLIPPED) /* where mu_s would hold it at zero */
#define STATE_SLIDING   ((uint32_t)IMPINGE_OUTCOME_OUTSIDE_REGION) /* to be integrated: it turns */
#define STATE_LINE      (UINT32_C(1) << 29) /* slides straight on from here */
#define STATE_ENDED     (UINT32_C(1) << 30) /* the collision is over */
#define STATE_EXPANDING (UINT32_C(1) << 31) /* in restitution, not in compression */
#define OUTCOME_BITS                                                                               \
    (~(STATE_UNSTABLE | STATE_PASSES | STATE_SLIDING | STATE_LINE | STATE_ENDED | STATE_EXPANDING))

/* No state is a bit of what a contact's word says before it closes. */
_Static_assert((~OUTCOME_BITS & (IMPINGE_OUTCOME_NO_IMPULSE | IMPINGE_OUTCOME_INVALID_REASONS |
                                 IMPINGE_OUTCOME_GOT_IMPULSE | IMPINGE_OUTCOME_JAMMED |
                                 IMPINGE_OUTCOME_RECOMPRESSED | IMPINGE_OUTCOME_STEPS_EXHAUSTED)) ==
                   0,
               "the states of a contact under way are bits of their own");

typedef struct ring {
    real_t column[CONTACT_COLUMNS * RING_STRIDE];
    uint32_t word[RING];
} ring_t;

/* A contact that is being resolved, in lanes. */
typedef struct motion {
    lanes_t x, y, u_n; /* u_t and u_n */
    lanes_t q, q_compression, p1, p2;
    lanes_t work_compression, work_restitution;
} motion_t;

typedef struct matrix {
    lanes_t k1, k2, k33, t1, t2, alpha, beta;
    lanes_t work_scale;
} matrix_t;

/*
 * What the errors of all steps come to, at most, in units of the one that a step allows itself:
 * measured against the reference on random contacts. In f64 finer steps cost 3 %, and leave nearly
 * none beyond the tolerance of the contacts that multiply an error by ten (docs/speed-routh.md).
 */
#define ERROR_OF_STEPS (IMPINGE_REAL_BITS == 32 ? 4 : 16)

/* What a call's options come to. */
typedef struct routh_options {
    impinge_restitution_rule rule;
    bool resolve_jams;
    real_t restitution_max;
    real_t tolerance; /* of one step, for a normalised velocity */
    real_t promised; /* of the velocity at the end, relative to |u0|; 0: rounding is all there is */
} routh_options_t;

static inline lanes_t ring_load(const ring_t *ring, size_t c, size_t i) {
    return lane_load(ring->column + c * RING_STRIDE + i);
}

static inline void ring_store(ring_t *ring, size_t c, size_t i, lanes_t a) {
    lane_store(ring->column + c * RING_STRIDE + i, a);
}

/* The motion and the matrix of the contacts at `first` of columns that lie `stride` apart. */
static inline motion_t motion_load(const real_t *first, size_t stride) {
    return (motion_t){
        .x = lane_load(first + SLIP_1 * stride),
        .y = lane_load(first + SLIP_2 * stride),
        .u_n = lane_load(first + U_N * stride),
        .q = lane_load(first + Q * stride),
        .q_compression = lane_load(first + Q_COMPRESSION * stride),
        .p1 = lane_load(first + P_1 * stride),
        .p2 = lane_load(first + P_2 * stride),
        .work_compression = lane_load(first + WORK_COMPRESSION * stride),
        .work_restitution = lane_load(first + WORK_RESTITUTION * stride),
    };
}

static inline void motion_store(real_t *first, size_t stride, const motion_t *m) {
    lane_store(first + SLIP_1 * stride, m->x);
    lane_store(first + SLIP_2 * stride, m->y);
    lane_store(first + U_N * stride, m->u_n);
    lane_store(first + Q * stride, m->q);
    lane_store(first + Q_COMPRESSION * stride, m->q_compression);
    lane_store(first + P_1 * stride, m->p1);
    lane_store(first + P_2 * stride, m->p2);
    lane_store(first + WORK_COMPRESSION * stride, m->work_compression);
    lane_store(first + WORK_RESTITUTION * stride, m->work_restitution);
}

static inline matrix_t matrix_load(const real_t *first, size_t stride) {
    return (matrix_t){
        .k1 = lane_load(first + K_1 * stride),
        .k2 = lane_load(first + K_2 * stride),
        .k33 = lane_load(first + K_33 * stride),
        .t1 = lane_load(first + T_1 * stride),
        .t2 = lane_load(first + T_2 * stride),
        .alpha = lane_load(first + ALPHA * stride),
        .beta = lane_load(first + BETA * stride),
        .work_scale = lane_load(first + WORK_SCALE * stride),
    };
}

static inline motion_t motion_select(mask_t m, const motion_t *a, const motion_t *b) {
    return (motion_t){
        .x = lane_select(m, a->x, b->x),
        .y = lane_select(m, a->y, b->y),
        .u_n = lane_select(m, a->u_n, b->u_n),
        .q = lane_select(m, a->q, b->q),
        .q_compression = lane_select(m, a->q_compression, b->q_compression),
        .p1 = lane_select(m, a->p1, b->p1),
        .p2 = lane_select(m, a->p2, b->p2),
        .work_compression = lane_select(m, a->work_compression, b->work_compression),
        .work_restitution = lane_select(m, a->work_restitution, b->work_restitution),
    };
}

/* Counts work of the normal impulse to the phase that a contact is in. */
static inline void count_work(motion_t *m, lanes_t work, mask_t expanding) {
    const lanes_t zero = lane_zero();
    m->work_compression = lane_add(m->work_compression, lane_select(expanding, zero, work));
    m->work_restitution = lane_add(m->work_restitution, lane_select(expanding, work, zero));
}

/* The slip's rate of change along q while it slides in direction s (Mirtich note, eq. 3). */
static inline lanes_t slip_rate_1(const matrix_t *k, lanes_t s1) {
    return lane_fnma(lane_mul(k->beta, k->t1), s1, lane_mul(k->alpha, k->k1));
}

static inline lanes_t slip_rate_2(const matrix_t *k, lanes_t s2) {
    return lane_fnma(lane_mul(k->beta, k->t2), s2, lane_mul(k->alpha, k->k2));
}

static inline lanes_t normal_rate(const matrix_t *k, lanes_t s1, lanes_t s2) {
    const lanes_t coupling = lane_mul_add2(k->k1, s1, k->k2, s2);
    return lane_fnma(k->beta, coupling, lane_mul(k->alpha, k->k33));
}

/* 1 / (K^-1)_33 = K33 - k . T^-1 k: du_n/dp_n while the contact sticks (Mirtich note, eq. 5). */
static inline lanes_t sticking_rate(const matrix_t *k) {
    const lanes_t first = lane_div(lane_mul(k->k1, k->k1), k->t1);
    const lanes_t second = lane_div(lane_mul(k->k2, k->k2), k->t2);
    return lane_sub(lane_sub(k->k33, first), second);
}

/* About the largest of the rates f, g and their derivatives. */
static inline lanes_t rates_size(const matrix_t *k) {
    return lane_mul_add2(k->alpha, lane_add(lane_abs(k->k1), lane_abs(k->k2)), k->beta,
                         lane_max(k->t1, k->t2));
}

/*
 * A slide in polar form: s = u_t / r turns to t, normal to it, and tau is as in series.h.
 *
 *     r' / r = g = a . s - s.B s        theta' = f = a . t - t.B s         a = alpha k, B = beta T
 *     df/dtheta = -(g + Q), Q = t.B t   dg/dtheta = f - t.B s
 */
typedef struct polar {
    lanes_t r, s1, s2; /* s is zero where r is */
    lanes_t f, g, q, g_slope;
} polar_t;

static inline polar_t polar_of(const matrix_t *k, lanes_t x, lanes_t y) {
    polar_t p;
    p.r = lane_sqrt(lane_mul_add2(x, x, y, y));
    const mask_t slips = lane_lt(lane_zero(), p.r);
    const lanes_t r_inverse = lane_div(lane_set(1), lane_select(slips, p.r, lane_set(1)));
    p.s1 = lane_mul(x, r_inverse);
    p.s2 = lane_mul(y, r_inverse);
    const lanes_t b1 = lane_mul(k->beta, k->t1);
    const lanes_t b2 = lane_mul(k->beta, k->t2);
    const lanes_t rate_1 = lane_fnma(b1, p.s1, lane_mul(k->alpha, k->k1));
    const lanes_t rate_2 = lane_fnma(b2, p.s2, lane_mul(k->alpha, k->k2));
    p.f = lane_difference_of_products(p.s1, rate_2, p.s2, rate_1);
    p.g = lane_mul_add2(p.s1, rate_1, p.s2, rate_2);
    p.q = lane_mul_add2(b1, lane_mul(p.s2, p.s2), b2, lane_mul(p.s1, p.s1));
    p.g_slope = lane_fnma(lane_mul(lane_sub(b2, b1), p.s1), p.s2, p.f);
    return p;
}

/* |T^-1 k|: the least friction that can bear what keeps a contact at rest (Mirtich note, 3.5). */
static inline lanes_t sticking_friction(const matrix_t *k) {
    const lanes_t first = lane_div(k->k1, k->t1);
    const lanes_t second = lane_div(k->k2, k->t2);
    return lane_sqrt(lane_mul_add2(first, first, second, second));
}

static inline mask_t sticking_is_stable(const matrix_t *k, lanes_t friction) {
    return lane_le(sticking_friction(k), friction);
}

/* The slip that vanishes beside the tolerance by as much again. */
#if IMPINGE_REAL_BITS == 32
#define PASSING_NONE 0x1p-30f
#else
#define PASSING_NONE 0x1p-60
#endif

/*
 * How large a slip may be taken for none. Where slip leaves zero again it does so from what it was,
 * the more slowly the smaller that is, and u_n goes on meanwhile: an error there grows, by less
 * than this factor unless sticking is all but stable. Where static friction would hold a slip that
 * comes to zero, but not one that comes near it, they part there, and none has to be none.
 */
static inline lanes_t slip_of_none(mask_t unstable, real_t tolerance) {
    const real_t growth = 16;
    return lane_select(unstable, lane_set(tolerance / growth), lane_set(tolerance));
}

static inline lanes_t passing_none(real_t tolerance) { return lane_set(tolerance * PASSING_NONE); }

/* Whether f, by which the slip turns, is nothing but its own rounding. */
static inline mask_t turn_is_rounding(const matrix_t *k, const polar_t *p) {
    return lane_le(lane_abs(p->f), lane_mul(lane_set(2 * REAL_UNIT), rates_size(k)));
}

/*
 * Whether a slip comes to zero, or only by it: it has, or shrinks on its ray, as far as can be
 * told, or so near to one that attracts it as to get there.
 */
static inline mask_t slip_comes_to_zero(const matrix_t *k, const polar_t *p) {
    const lanes_t zero = lane_zero();
    const lanes_t c = lane_add(p->g, p->q);
    const mask_t near = lane_le(lane_abs(p->f), lane_mul(lane_set(REAL(1.0) / 16), c));
    const mask_t on_ray = mask_or(turn_is_rounding(k, p), mask_and(lane_lt(zero, c), near));
    return mask_or(lane_eq(p->r, zero), mask_and(on_ray, lane_lt(p->g, zero)));
}

/* Whether the straight line along the slip passes so close by zero that it ends there. */
static inline mask_t slip_meets_zero(const polar_t *p, lanes_t none) {
    const lanes_t missing = lane_mul(p->r, lane_abs(p->f));
    return mask_and(lane_lt(p->g, lane_zero()), lane_le(missing, lane_mul(none, lane_abs(p->g))));
}

/*
 * Whether the slip may be taken to go straight on as it does now. On a converging ray it ends after
 * q = -r / g; it turns by f / r per unit of q; so u strays from the line by about beta T f r / (2
 * g^2).
 */
static inline mask_t slip_goes_straight(const matrix_t *k, const polar_t *p, lanes_t none,
                                        real_t tolerance) {
    const lanes_t strength =
        lane_mul(lane_mul(k->beta, lane_max(k->t1, k->t2)), lane_set(REAL(0.5)));
    const lanes_t straying = lane_mul(lane_mul(strength, lane_abs(p->f)), p->r);
    const lanes_t allowed = lane_mul(lane_set(tolerance), lane_mul(p->g, p->g));
    const mask_t close = mask_and(lane_le(straying, allowed), slip_meets_zero(p, none));
    /* A slip of that size is itself within the error. */
    const mask_t vanished = mask_and(lane_le(p->r, none), lane_lt(p->g, lane_zero()));
    return mask_or(mask_or(close, vanished), lane_eq(p->f, lane_zero()));
}

#endif
