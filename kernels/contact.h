/*
 * A chunk of contacts in contact space, normalised: the working memory of a call.
 *
 * Normalised means three things. K and u0 are divided by powers of two, so that their largest
 * elements lie in [1, 2) and scaling the input by powers of two changes no bit. The tangent frame is
 * turned so that the tangential block T is diagonal. And friction enters as the pair
 *
 *     alpha = 1 / max(1, mu),   beta = mu / max(1, mu),
 *
 * with dp_n = alpha dq and dp_t = -beta s dq for a slip direction s, so that mu = infinity (alpha =
 * 0) is a number like others. q is the normal impulse for mu <= 1 and the arc of the tangential one
 * for mu >= 1. Works of the normal impulse are in units of alpha while the contact slides.
 */
#ifndef IMPINGE_KERNELS_CONTACT_H
#define IMPINGE_KERNELS_CONTACT_H

#include <impinge/batch.h>

#include "lane/lane.h"

/*
 * Contacts per chunk: enough that the last, partly filled vectors of its slides are few beside the
 * full ones, few enough that the chunk stays near the core.
 */
enum { CHUNK = 512 };

/* From one column to the next. Not a power of two: the columns of a contact would share cache sets. */
enum { COLUMN = CHUNK + 64 / sizeof(real_t) };

/* The columns of a contact; those that change as it slides first, then those that sliding reads. */
enum column {
    SLIP_1,           /* u_t in the principal tangent frame */
    SLIP_2,
    U_N,              /* normal separation velocity */
    Q,                /* q */
    Q_COMPRESSION,    /* its part in compression */
    P_1,              /* p_t */
    P_2,
    WORK_COMPRESSION, /* W_c / alpha <= 0 */
    WORK_RESTITUTION, /* W_d / alpha >= 0 */
    WORK_FRICTION,    /* <= 0 */
    MOTION_COLUMNS,

    K_1 = MOTION_COLUMNS, /* k = (K13, K23) in the principal tangent frame */
    K_2,
    K_33,
    T_1, /* the eigenvalues of T */
    T_2,
    ALPHA,
    BETA,
    END, /* what the rule compares with: e^2 (Stronge), e (Poisson), -e u_n0 (Newton) */
    SLIDING_COLUMNS,

    FRICTION_STATIC = SLIDING_COLUMNS,
    COSINE, /* of the turn from (t1, t2) to the principal frame */
    SINE,
    SLIP_1_BEFORE,
    SLIP_2_BEFORE,
    SCALE_U, /* a velocity is scale_u * prescale_u times the normalised one */
    PRESCALE_U,
    SCALE_P, /* an impulse is scale_p * prescale_p * postscale_p times the normalised one */
    PRESCALE_P,
    POSTSCALE_P,
    CONTACT_COLUMNS
};

/* Bits of a contact's word beside those of impinge_outcome: where it stands. */
#define STATE_SLIDING   (UINT32_C(1) << 28) /* to be integrated: the slip turns */
#define STATE_LINE      (UINT32_C(1) << 29) /* slides straight on from here */
#define STATE_ENDED     (UINT32_C(1) << 30) /* the collision is over */
#define STATE_EXPANDING (UINT32_C(1) << 31) /* in restitution, not in compression */
#define OUTCOME_BITS    (STATE_SLIDING - 1)

#define OUTCOME_NO_IMPULSE                                                                         \
    ((uint32_t)IMPINGE_OUTCOME_SEPARATING | IMPINGE_OUTCOME_IMMOVABLE | IMPINGE_OUTCOME_INVALID)

typedef struct chunk {
    real_t column[CONTACT_COLUMNS * COLUMN];
    uint32_t word[CHUNK];
} chunk_t;

/* A contact that is being resolved, in lanes. */
typedef struct motion {
    lane_t x, y, u_n; /* u_t and u_n */
    lane_t q, q_compression, p1, p2;
    lane_t work_compression, work_restitution, work_friction;
} motion_t;

typedef struct matrix {
    lane_t k1, k2, k33, t1, t2, alpha, beta;
} matrix_t;

/* What a call's options come to. */
typedef struct law {
    impinge_restitution_rule rule;
    bool resolve_jams;
    real_t tolerance; /* of a normalised velocity */
} law_t;

static inline real_t *column_of(real_t *columns, size_t c, size_t i) {
    return columns + c * COLUMN + i;
}

static inline lane_t column_load(const real_t *columns, size_t c, size_t i) {
    return lane_load(columns + c * COLUMN + i);
}

static inline motion_t motion_load(const real_t *columns, size_t i) {
    return (motion_t){
        .x = column_load(columns, SLIP_1, i),
        .y = column_load(columns, SLIP_2, i),
        .u_n = column_load(columns, U_N, i),
        .q = column_load(columns, Q, i),
        .q_compression = column_load(columns, Q_COMPRESSION, i),
        .p1 = column_load(columns, P_1, i),
        .p2 = column_load(columns, P_2, i),
        .work_compression = column_load(columns, WORK_COMPRESSION, i),
        .work_restitution = column_load(columns, WORK_RESTITUTION, i),
        .work_friction = column_load(columns, WORK_FRICTION, i),
    };
}

static inline void motion_store(real_t *columns, size_t i, const motion_t *m) {
    lane_store(column_of(columns, SLIP_1, i), m->x);
    lane_store(column_of(columns, SLIP_2, i), m->y);
    lane_store(column_of(columns, U_N, i), m->u_n);
    lane_store(column_of(columns, Q, i), m->q);
    lane_store(column_of(columns, Q_COMPRESSION, i), m->q_compression);
    lane_store(column_of(columns, P_1, i), m->p1);
    lane_store(column_of(columns, P_2, i), m->p2);
    lane_store(column_of(columns, WORK_COMPRESSION, i), m->work_compression);
    lane_store(column_of(columns, WORK_RESTITUTION, i), m->work_restitution);
    lane_store(column_of(columns, WORK_FRICTION, i), m->work_friction);
}

static inline matrix_t matrix_load(const real_t *columns, size_t i) {
    return (matrix_t){
        .k1 = column_load(columns, K_1, i),
        .k2 = column_load(columns, K_2, i),
        .k33 = column_load(columns, K_33, i),
        .t1 = column_load(columns, T_1, i),
        .t2 = column_load(columns, T_2, i),
        .alpha = column_load(columns, ALPHA, i),
        .beta = column_load(columns, BETA, i),
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
        .work_friction = lane_select(m, a->work_friction, b->work_friction),
    };
}

/* The slip's rate of change along q while it slides in direction s (000, eq. 3). */
static inline lane_t slip_rate_1(const matrix_t *k, lane_t s1) {
    return lane_fnma(lane_mul(k->beta, k->t1), s1, lane_mul(k->alpha, k->k1));
}

static inline lane_t slip_rate_2(const matrix_t *k, lane_t s2) {
    return lane_fnma(lane_mul(k->beta, k->t2), s2, lane_mul(k->alpha, k->k2));
}

static inline lane_t normal_rate(const matrix_t *k, lane_t s1, lane_t s2) {
    const lane_t coupling = lane_mul_add2(k->k1, s1, k->k2, s2);
    return lane_fnma(k->beta, coupling, lane_mul(k->alpha, k->k33));
}

/* 1 / (K^-1)_33 = K33 - k . T^-1 k: du_n/dp_n while the contact sticks (000, eq. 5). */
static inline lane_t sticking_rate(const matrix_t *k) {
    const lane_t first = lane_div(lane_mul(k->k1, k->k1), k->t1);
    const lane_t second = lane_div(lane_mul(k->k2, k->k2), k->t2);
    return lane_sub(lane_sub(k->k33, first), second);
}

/*
 * Whether the rest of a slide may be taken as a straight line: along (x', y'), the rates at slip
 * (x, y) times |u_t|. On a converging ray the slip ends after q = r / g at its rate -g; the direction
 * turns by f / r per unit of q; so u strays from the line by about beta T f r / (2 g^2).
 */
static inline mask_t slip_goes_straight(const matrix_t *k, lane_t x, lane_t y, lane_t r,
                                        lane_t x_rate, lane_t y_rate, real_t tolerance) {
    const lane_t turning = lane_abs(lane_difference_of_products(x, y_rate, y, x_rate)); /* r^2 f */
    const lane_t growing = lane_mul_add2(x, x_rate, y, y_rate);                         /* -r^2 g */
    const lane_t strength = lane_mul(lane_mul(k->beta, lane_max(k->t1, k->t2)), lane_set(REAL(0.5)));
    const lane_t straying = lane_mul(lane_mul(strength, turning), lane_mul(r, lane_mul(r, r)));
    const lane_t allowed = lane_mul(lane_set(tolerance), lane_mul(growing, growing));
    const mask_t converges = lane_lt(growing, lane_zero());
    /* A slip of that size is itself within the error. */
    const mask_t vanished = lane_le(r, lane_set(tolerance));
    return mask_or(mask_and(converges, mask_or(lane_le(straying, allowed), vanished)),
                   lane_eq(turning, lane_zero()));
}

#endif
