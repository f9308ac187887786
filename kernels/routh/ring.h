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
 * 0) is not a special case. q is the normal impulse for mu <= 1 and the arc of the tangential one
 * for mu >= 1. Works of the normal impulse are in units of alpha while the contact slides, and
 * multiplied by work_scale, a power of two of about 1 / |u_n0|: where u_n is far below u_t its
 * square would vanish, and with it the work that restitution requires.
 */
#ifndef IMPINGE_KERNELS_ROUTH_RING_H
#define IMPINGE_KERNELS_ROUTH_RING_H

#include "../contact.h"
#include "../lane/lane.h"
#include "state.h"

/*
 * Contacts come and go in chunks of LANES: while some contacts of a chunk still slide, other chunks
 * keep the lanes full. As many contacts are under way as 1 KiB has numbers, or 16 vectors of two
 * registers where that is less: more contacts would keep the lanes fuller, but take more of the
 * stack and of the first-level cache (docs/speed-routh.md). A short ring is for levels that need
 * the stack themselves.
 */
enum {
    RING_MOST = 8 * 1024 / IMPINGE_REAL_BITS,
    RING = 32 * REGISTER_WIDTH < RING_MOST ? 32 * REGISTER_WIDTH : RING_MOST,
    RING_SHORT = RING / 8 * 3
};

/*
 * The row of a contact. Its columns are next to each other, so the contacts of a list are read in
 * place, four columns at a time (lane_gather4). The first MOTION_COLUMNS change as the contact
 * slides; STATE has the bits of its state.
 */
enum row_column {
    SLIP_1, /* u_t in the principal tangent frame */
    SLIP_2,
    U_N, /* normal separation velocity */
    Q,   /* q */
    P_1, /* p_t */
    P_2,
    WORK_COMPRESSION, /* W_c work_scale / alpha <= 0 */
    WORK_RESTITUTION, /* W_d work_scale / alpha >= 0 */
    STATE,
    Q_COMPRESSION, /* the part of q in compression */
    END,           /* the rule's number: e^2 (Stronge), e (Poisson), -e u_n0 (Newton) */
    WORK_SCALE,
    MOTION_COLUMNS,

    K_1 = MOTION_COLUMNS, /* k = (K13, K23) in the principal tangent frame */
    K_2,
    K_33,
    FRICTION_STATIC,
    T_1, /* the eigenvalues of T */
    T_2,
    ALPHA,
    BETA,
    ROW
};

/* The numbers that closing needs besides the row, in columns of the LANES of a chunk. */
enum kept_column {
    COSINE, /* of the turn from (t1, t2) to the principal frame */
    SINE,
    SLIP_1_BEFORE,
    SLIP_2_BEFORE,
    U_N_BEFORE,
    SCALE_U, /* of the scales of u and K (contact.h), from which all others follow */
    K_INVERSE_SCALE,
    KEPT_COLUMNS
};

/* The next operation of a contact under way; for many it is a guess. */
enum list_kind {
    MOVING,   /* an arc, probably without an event */
    ENDING,   /* an arc in which the collision turns or ends */
    STOPPING, /* its slip stops */
    STEPPING, /* a step, for events that an arc cannot handle */
    LISTS
};

/* A list of contacts: where their rows begin. Packing stores whole vectors. */
typedef struct slide_list {
    uint32_t *at;
    size_t count;
} slide_list_t;

/*
 * A list's room: behind the contacts, for the vector that sliding reads last (slide.c has its
 * width). Vectors are packed register by register, so that storing one overwrites less.
 */
#ifdef IMPINGE_TARGET_AVX512
#define SLIDING_LANES REGISTER_WIDTH
#else
#define SLIDING_LANES (2 * REGISTER_WIDTH)
#endif
#define LIST_LENGTH(ring) ((ring) + SLIDING_LANES)

/*
 * Everything that is under way. Sliding has lanes of its own (slide.c), so no size in this struct
 * depends on LANES.
 */
typedef struct ring {
    size_t length;     /* the most contacts that may be under way, in whole chunks; at most RING */
    real_t *kept;      /* KEPT_COLUMNS for each */
    real_t *row;       /* ROW for each; the last row is for lanes without a contact */
    uint32_t *outcome; /* of each contact, before it slides */
    slide_list_t list[LISTS];
    unsigned chunk_bits; /* a chunk has 2^chunk_bits contacts, a register's at least */
    size_t finished_count;
    uint32_t sliding[RING / REGISTER_WIDTH];  /* how many contacts of each chunk are under way */
    uint32_t finished[RING / REGISTER_WIDTH]; /* the chunks in which none is under way any longer */
    uint64_t steps, lane_slots;
} ring_t;

/* The room that a ring takes: numbers, which begin at a cache line, and words. */
#define RING_NUMBERS(length) ((length)*KEPT_COLUMNS + ((length) + 1) * ROW)
#define RING_WORDS(length)   ((length) + LISTS * LIST_LENGTH(length))

/* Nothing is under way; chunks are of LANES contacts. */
static inline void ring_begin(ring_t *ring, size_t length, real_t *numbers, uint32_t *words) {
    ring->length = length;
    ring->kept = numbers;
    ring->row = numbers + length * KEPT_COLUMNS;
    ring->outcome = words;
    for (size_t i = 0; i < LISTS; i++)
        ring->list[i] = (slide_list_t){words + length + i * LIST_LENGTH(length), 0};
    ring->chunk_bits = (unsigned)__builtin_ctz(LANES);
    ring->finished_count = 0;
    ring->steps = ring->lane_slots = 0;
}

/* A contact that is being resolved, in lanes. */
typedef struct motion {
    lanes_t x, y, u_n; /* u_t and u_n */
    lanes_t q, q_compression, p1, p2;
    lanes_t work_compression, work_restitution;
} motion_t;

static inline lanes_t slip_size(const motion_t *m) {
    return lane_sqrt(lane_mul_add2(m->x, m->x, m->y, m->y));
}

typedef struct matrix {
    lanes_t k1, k2, k33, t1, t2, alpha, beta;
    lanes_t work_scale;
} matrix_t;

/*
 * The largest sum of the errors of all steps, in units of the error that one step may make:
 * measured against the reference on random contacts. In f64 finer steps cost 3 %; with them almost
 * no contact that multiplies an error by ten exceeds the tolerance (docs/speed-routh.md).
 */
#define ERROR_OF_STEPS (IMPINGE_REAL_BITS == 32 ? 4 : 16)

enum { SLIP_BITS = MANTISSA_BITS / 2 };

/* The change of u that a step from a slip of that size may leave out: see series_step. */
static inline lanes_t step_allowance(lanes_t slip, real_t tolerance) {
    const lanes_t size = lane_min(lane_set(1), slip);
    return lane_min(lane_mul(lane_sqrt(size), lane_set(tolerance)),
                    lane_mul(size, lane_set(REAL(1.0) / (1 << SLIP_BITS))));
}

/* The options of a call, as numbers. */
typedef struct routh_options {
    impinge_restitution_rule rule;
    bool resolve_jams;
    real_t restitution_max;
    real_t tolerance; /* of one step, for a normalised velocity */
    real_t promised;  /* of the velocity at the end, relative to |u0| */
    bool planar;      /* there are no steps, and so no errors of them */
} routh_options_t;

/*
 * Values from the beginning that closing needs: u0 in the principal frame, which is turned by the
 * angle of `cosine`, and scales.
 */
typedef struct kept {
    lanes_t cosine, sine;
    lanes_t x, y, u_n;
    lanes_t scale_u, k_inverse;
} kept_t;

/* The probable next operation of contacts under way. */
typedef struct ahead {
    mask_t stops, ends, goes; /* their slip stops; the collision turns or ends; neither */
} ahead_t;

/* A contact that closes, or that begins: all of it. */
typedef struct closing {
    matrix_t matrix;
    motion_t motion;
    lanes_t end, friction_static;
    kept_t kept;
    words_t outcome;
    state_t state;
    lanes_t rest; /* by how much u_n changed at zero slip; REAL_MAX if the slip has not ended */
    mask_t expanding, ended;
} closing_t;

/* LANES contacts in registers. */
typedef struct members {
    motion_t motion;
    matrix_t matrix;
    lanes_t end;
    state_t state;
} members_t;

/* Loads the contacts whose rows begin at row[at[0]], row[at[1]], ... Returns FRICTION_STATIC. */
INLINE lanes_t rows_gather(const real_t *row, const uint32_t *at, members_t *m) {
    lanes_t a[4];
    lane_gather4(row + SLIP_1, 1, at, a);
    m->motion.x = a[0];
    m->motion.y = a[1];
    m->motion.u_n = a[2];
    m->motion.q = a[3];
    lane_gather4(row + P_1, 1, at, a);
    m->motion.p1 = a[0];
    m->motion.p2 = a[1];
    m->motion.work_compression = a[2];
    m->motion.work_restitution = a[3];
    lane_gather4(row + STATE, 1, at, a);
    m->state.bits = word_from_lane(a[0]);
    m->motion.q_compression = a[1];
    m->end = a[2];
    m->matrix.work_scale = a[3];
    lane_gather4(row + T_1, 1, at, a);
    m->matrix.t1 = a[0];
    m->matrix.t2 = a[1];
    m->matrix.alpha = a[2];
    m->matrix.beta = a[3];
    lane_gather4(row + K_1, 1, at, a);
    m->matrix.k1 = a[0];
    m->matrix.k2 = a[1];
    m->matrix.k33 = a[2];
    return a[3];
}

/* The numbers that sliding changes. */
INLINE void rows_scatter(real_t *row, const uint32_t *at, const members_t *m) {
    const motion_t *const v = &m->motion;
    const lanes_t first[4] = {v->x, v->y, v->u_n, v->q};
    const lanes_t second[4] = {v->p1, v->p2, v->work_compression, v->work_restitution};
    const lanes_t third[4] = {lane_from_word(m->state.bits), v->q_compression, m->end,
                              m->matrix.work_scale};
    lane_scatter4(row + SLIP_1, at, first);
    lane_scatter4(row + P_1, at, second);
    lane_scatter4(row + STATE, at, third);
}

/* All of LANES rows, one after the other. */
INLINE void rows_store(real_t *row, const members_t *m, lanes_t friction_static) {
    const motion_t *const v = &m->motion;
    const matrix_t *const k = &m->matrix;
    const lanes_t columns[ROW] = {
        [SLIP_1] = v->x,
        [SLIP_2] = v->y,
        [U_N] = v->u_n,
        [Q] = v->q,
        [P_1] = v->p1,
        [P_2] = v->p2,
        [WORK_COMPRESSION] = v->work_compression,
        [WORK_RESTITUTION] = v->work_restitution,
        [STATE] = lane_from_word(m->state.bits),
        [Q_COMPRESSION] = v->q_compression,
        [END] = m->end,
        [WORK_SCALE] = k->work_scale,
        [K_1] = k->k1,
        [K_2] = k->k2,
        [K_33] = k->k33,
        [FRICTION_STATIC] = friction_static,
        [T_1] = k->t1,
        [T_2] = k->t2,
        [ALPHA] = k->alpha,
        [BETA] = k->beta,
    };
    for (size_t c = 0; c < ROW; c += 4)
        lane_store4(row + c, ROW, columns + c);
}

static inline kept_t kept_load(const ring_t *ring, size_t i) {
    const real_t *const from = ring->kept + KEPT_COLUMNS * i;
    return (kept_t){
        .cosine = lane_load(from + COSINE * LANES),
        .sine = lane_load(from + SINE * LANES),
        .x = lane_load(from + SLIP_1_BEFORE * LANES),
        .y = lane_load(from + SLIP_2_BEFORE * LANES),
        .u_n = lane_load(from + U_N_BEFORE * LANES),
        .scale_u = lane_load(from + SCALE_U * LANES),
        .k_inverse = lane_load(from + K_INVERSE_SCALE * LANES),
    };
}

static inline void kept_store(ring_t *ring, size_t i, const kept_t *k) {
    real_t *const to = ring->kept + KEPT_COLUMNS * i;
    lane_store(to + COSINE * LANES, k->cosine);
    lane_store(to + SINE * LANES, k->sine);
    lane_store(to + SLIP_1_BEFORE * LANES, k->x);
    lane_store(to + SLIP_2_BEFORE * LANES, k->y);
    lane_store(to + U_N_BEFORE * LANES, k->u_n);
    lane_store(to + SCALE_U * LANES, k->scale_u);
    lane_store(to + K_INVERSE_SCALE * LANES, k->k_inverse);
}

/* A chunk of LANES contacts goes to the ring at i, and comes from there. */
static inline void ring_store(ring_t *ring, size_t i, const closing_t *c) {
    const members_t m = {c->motion, c->matrix, c->end, c->state};
    rows_store(ring->row + i * ROW, &m, c->friction_static);
    kept_store(ring, i, &c->kept);
    word_store(ring->outcome + i, c->outcome);
}

static inline void ring_load(const ring_t *ring, size_t i, closing_t *c) {
    uint32_t at[LANES];
    for (uint32_t j = 0; j < LANES; j++)
        at[j] = j * ROW;
    members_t m;
    c->friction_static = rows_gather(ring->row + i * ROW, at, &m);
    c->motion = m.motion;
    c->matrix = m.matrix;
    c->end = m.end;
    c->state = m.state;
    c->kept = kept_load(ring, i);
    c->outcome = word_load(ring->outcome + i);
    c->rest = lane_set(REAL_MAX);
    c->expanding = c->ended = mask_none(); /* closing takes them from the state */
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

/* The slip's rate of change along q while it slides in direction s (Mirtich 1996, corrected, eq.
 * 3). */
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

/* A contact at rest that sticks. */
typedef struct sticking {
    lanes_t kappa_1, kappa_2; /* T^-1 k: -dp_t/dp_n */
    lanes_t rate; /* du_n/dp_n: 1 / (K^-1)_33 = K33 - k . T^-1 k (Mirtich 1996, corrected, eq. 5) */
} sticking_t;

static inline sticking_t sticking_of(const matrix_t *k) {
    sticking_t sticking;
    sticking.kappa_1 = lane_div(k->k1, k->t1);
    sticking.kappa_2 = lane_div(k->k2, k->t2);
    sticking.rate = lane_fnma(sticking.kappa_2, k->k2, lane_fnma(sticking.kappa_1, k->k1, k->k33));
    return sticking;
}

/* |T^-1 k|: the least friction that can bear what keeps a contact at rest (Mirtich 1996,
 * corrected, 3.5). */
static inline lanes_t sticking_friction(const sticking_t *sticking) {
    return lane_sqrt(
        lane_mul_add2(sticking->kappa_1, sticking->kappa_1, sticking->kappa_2, sticking->kappa_2));
}

static inline mask_t sticking_is_stable(const sticking_t *sticking, lanes_t friction) {
    return lane_le(sticking_friction(sticking), friction);
}

/* A close upper bound on |k . s| for any direction s. */
static inline lanes_t normal_coupling(const matrix_t *k) {
    return lane_add(lane_abs(k->k1), lane_abs(k->k2));
}

/* About the largest change of u_t and of u_n by friction while sliding by a unit of q. */
static inline lanes_t friction_strength(const matrix_t *k) {
    return lane_mul(k->beta, max3(k->t1, k->t2, normal_coupling(k)));
}

/* About the largest of the rates f, g and their derivatives. */
static inline lanes_t rates_size(const matrix_t *k) {
    return lane_mul_add2(k->alpha, normal_coupling(k), k->beta, lane_max(k->t1, k->t2));
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

/*
 * The rate at which slip shrinks on a ray. There a - B s = -gamma s in either component, so that
 * gamma = b_i - a_i / s_i. Where K is graded, one of the two, and with it s.B s - a.s, may be the
 * difference of terms 1e8 times as large, while the other is exact; and the distance to zero slip
 * depends on gamma. The error of s is the rounding of 1, so that the error of a_i / s_i is the
 * rounding of a_i / s_i^2.
 */
static inline lanes_t ray_rate(const matrix_t *k, lanes_t s1, lanes_t s2) {
    const lanes_t zero = lane_zero();
    const lanes_t square_1 = lane_mul(s1, s1);
    const lanes_t square_2 = lane_mul(s2, s2);
    const lanes_t a1 = lane_abs(lane_mul(k->alpha, k->k1));
    const lanes_t a2 = lane_abs(lane_mul(k->alpha, k->k2));
    const lanes_t terms_1 = lane_mul(lane_fma(lane_mul(k->beta, k->t1), square_1, a1), square_2);
    const lanes_t terms_2 = lane_mul(lane_fma(lane_mul(k->beta, k->t2), square_2, a2), square_1);
    const mask_t better = mask_and(lane_le(terms_1, terms_2), lane_lt(zero, square_1));
    const mask_t first = mask_or(better, lane_eq(square_2, zero));
    const lanes_t rate = lane_select(first, slip_rate_1(k, s1), slip_rate_2(k, s2));
    return lane_neg(lane_div(rate, lane_select(first, s1, s2)));
}

/* The largest slip, over the tolerance, that counts as none where slip passes zero. */
#if IMPINGE_REAL_BITS == 32
#define PASSING_NONE 0x1p-30f
#else
#define PASSING_NONE 0x1p-60
#endif

/*
 * The largest slip that counts as none. If slip leaves zero again, it grows from its remaining
 * size, more slowly if that is smaller, and u_n changes meanwhile: an error of the slip grows, by
 * less than this factor unless sticking is almost stable. If static friction would hold a slip that
 * reaches zero, but not one that only comes near it, the two paths separate there, and only a zero
 * slip counts as none.
 */
static inline lanes_t slip_of_none(mask_t unstable, real_t tolerance) {
    const real_t growth = 16;
    return lane_select(unstable, lane_set(tolerance / growth), lane_set(tolerance));
}

static inline lanes_t passing_none(real_t tolerance) { return lane_set(tolerance * PASSING_NONE); }

/* True if f, by which the slip turns, is at most so many units of rounding. */
static inline mask_t turn_is_within(const matrix_t *k, const polar_t *p, real_t units) {
    return lane_le(lane_abs(p->f), lane_mul(lane_set(units * REAL_UNIT), rates_size(k)));
}

/* True if f is only its own rounding. */
static inline mask_t turn_is_rounding(const matrix_t *k, const polar_t *p) {
    return turn_is_within(k, p, 2);
}

/*
 * True if a slip reaches zero instead of passing it: it has reached zero, or it shrinks on its ray
 * to within rounding, or so near to an attracting ray on which it shrinks, too, that it gets there.
 * Near such a ray f + f' z + f'' z^2 / 2 has a root, f' = -c and f'' = 3 t.B s - f: c > 0 and a
 * small f also occur on the way to a minimum of f that is not zero, which a slip passes. In doubt
 * it passes, for now: see slip_arrival.
 */
static inline mask_t slip_comes_to_zero(const matrix_t *k, const polar_t *p) {
    const lanes_t zero = lane_zero();
    const lanes_t four = lane_set(4);
    const lanes_t c = lane_add(p->g, p->q);
    const lanes_t square = lane_mul(c, c);
    const lanes_t size = lane_abs(p->f);
    const lanes_t bend = lane_fms(lane_set(3), lane_sub(p->f, p->g_slope), p->f);
    const mask_t has_ray = lane_le(lane_mul(lane_mul(four, p->f), bend), square);
    const mask_t near = lane_le(size, lane_mul(lane_set(REAL(1.0) / 16), c));
    const mask_t attracted = mask_and(mask_and(lane_lt(zero, c), near), has_ray);
    /* It is within 2 |f| / c; g changes by no more than this up to there, times c^2. */
    const lanes_t second = lane_mul(lane_mul(four, rates_size(k)), size);
    const lanes_t slope = lane_mul(lane_mul(lane_set(2), lane_abs(p->g_slope)), c);
    const lanes_t change = lane_mul(size, lane_add(slope, second));
    const mask_t stays = lane_lt(change, lane_mul(lane_neg(p->g), square));
    const mask_t on_ray = mask_and(turn_is_rounding(k, p), lane_lt(p->g, zero));
    return mask_or(lane_eq(p->r, zero), mask_or(on_ray, mask_and(attracted, stays)));
}

#if IMPINGE_REAL_BITS == 32
#define FAINT_FRICTION 0x1p-30f
#else
#define FAINT_FRICTION 0x1p-300
#endif

/*
 * True if the slip may be taken to go straight on to zero in its present direction. It ends after q
 * = -r / g and turns by f / r per unit of q, so that it misses zero by f r / g; u_t leaves the line
 * by about beta T f r / (2 g^2), and u_n by beta |k| f r / (2 g^2). A slip that turns faster than
 * it shrinks counts as none if r itself is small, and so is the change of u_n on its way.
 */
static inline mask_t slip_goes_straight(const matrix_t *k, const polar_t *p, lanes_t none,
                                        real_t tolerance) {
    const lanes_t shrinking = lane_neg(p->g);
    const lanes_t missing = lane_mul(p->r, lane_min(lane_abs(p->f), shrinking));
    const lanes_t half_strength = lane_mul(lane_set(REAL(0.5)), friction_strength(k));
    const lanes_t straying = lane_mul(half_strength, missing);
    const lanes_t allowed = lane_mul(lane_set(tolerance), lane_mul(p->g, p->g));
    const mask_t meets_zero = lane_le(missing, lane_mul(none, shrinking));
    mask_t close = mask_and(lane_le(straying, allowed), meets_zero);
    const mask_t shrinks = lane_lt(p->g, lane_zero());
    /* Products of smaller numbers may be zero where their quotients are not small. */
    const mask_t faint = mask_and(shrinks, lane_lt(shrinking, lane_set(FAINT_FRICTION)));
    if (mask_any(faint)) {
        const lanes_t divisor = lane_select(faint, shrinking, lane_set(1));
        const lanes_t misses =
            lane_mul(p->r, lane_min(lane_div(lane_abs(p->f), divisor), lane_set(1)));
        const mask_t stays =
            lane_lt(lane_mul(half_strength, misses), lane_mul(lane_set(tolerance), shrinking));
        close = mask_select(faint, mask_and(stays, lane_le(misses, none)), close);
    }
    return mask_or(mask_and(shrinks, close), lane_eq(p->f, lane_zero()));
}

#endif
