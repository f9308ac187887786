/*
 * Resting contacts of bodies: the data that the library's step and a target's kernels share.
 *
 * Bodies are stored in rows of eight numbers, contacts in groups. A group has a lane for each of
 * some pairs of bodies, no two of which share a movable body, and for each pair up to MANIFOLD_MAX
 * contacts, one a slot. A slot's data are columns of LANES numbers each. The scalar target's
 * groups, of one lane, may be stored beside those of another target.
 */
#ifndef IMPINGE_KERNELS_REST_BODY_REST_H
#define IMPINGE_KERNELS_REST_BODY_REST_H

#include <impinge/body_step.h>

#include "../real.h"

/* A body's velocity and angular velocity, world frame, each followed by a zero. */
enum { BODY_ROW = 8 };

/* A box on a box has eight contacts at most. */
enum { MANIFOLD_MAX = 8 };

/*
 * The word of a body: the reasons why it is invalid (bits of impinge_outcome), and this bit: an
 * impulse moves it.
 */
#define BODY_MOVABLE 1u

/* The number of a slot without a contact. */
#define NO_CONTACT UINT32_MAX

/* The columns of a slot; vectors have three, in the tangent plane two. */
enum rest_column {
    TANGENT_1, /* the principal axes of S (algebraic.h), and the normal */
    TANGENT_2 = TANGENT_1 + 3,
    NORMAL = TANGENT_2 + 3,
    ARM_A = NORMAL + 3,
    ARM_B = ARM_A + 3,
    KAPPA = ARM_B + 3,      /* (W_1n, W_2n) / W_nn */
    SIGMA = KAPPA + 2,      /* of the split S^ */
    COMPLIANCE = SIGMA + 2, /* its inverse */
    RHO = COMPLIANCE + 2,   /* half the difference of the sigmas, over their mean */
    MASS,                   /* 1 / W^_nn; 0 of a slot without a contact */
    ALPHA,                  /* 1 / max(1, mu) */
    BETA,                   /* min(1, mu) */
    AIM,                    /* the u that rest aims at: along the tangents, and normal */
    IMPULSE = AIM + 3,      /* accumulated */
    LAST = IMPULSE + 3,     /* the last change: by the sweep and the extrapolation before it */
    SLIDE_NU = LAST + 3,    /* the nu that sliding reached, see plastic.h */
    PEAK,                   /* the largest RESIDUAL of all sweeps */
    UNSPLIT,                /* W_nn */
    RESIDUAL,               /* the square of the residual of the last sweep */
    REST_COLUMNS
};

/* The columns of a group besides those of its slots. */
enum pair_column {
    INVERSE_MASS_A,
    INERTIA_A, /* xx, xy, xz, yy, yz, zz */
    INVERSE_MASS_B = INERTIA_A + 6,
    INERTIA_B,
    SPLIT_BY = INERTIA_B + 6, /* W^ over W */
    PAIR_COLUMNS
};

/* Some pairs, side by side. */
typedef struct rest_group {
    size_t lane;    /* its first lane, counted over all groups */
    size_t slot;    /* the first lane of its first slot, counted over all slots */
    uint32_t depth; /* the number of slots: the most contacts of its pairs */
} rest_group;

typedef struct NAME(impinge_body_rest) {
    const NAME(impinge_bodies) * bodies;
    const NAME(impinge_indexed_contacts) * contacts;
    const real_t *gap; /* or null */
    size_t gap_stride;
    const NAME(impinge_contact_state) * state;
    const NAME(impinge_step_results) * results;
    real_t inverse_step;            /* 1/h; 0: gaps do not close */
    real_t half_step, factor, slop; /* of positions */
    real_t parting;                 /* contacts that separate faster are not pushed apart, m/s */
    bool unordered;
    real_t ahead; /* impulses are extrapolated by this times their last change */

    /*
     * The bodies, then the world. Rows, start, mass and shift then have one more for each lane,
     * which is never read.
     */
    real_t *rows, *start, *mass;
    real_t *shift; /* by positions: displacement and turn */
    /*
     * The rows at the beginning of the last sweep, and the extrapolation that they then included.
     */
    real_t *swept, *ahead_rows;
    uint32_t *body_word; /* see BODY_MOVABLE */
    uint32_t *sharing;   /* how many contacts a body has; unordered, or with a warm start */

    rest_group *group;
    /* For each lane of each group: the rows to read, and the rows to write. */
    uint32_t *from_a, *from_b, *to_a, *to_b;
    uint32_t *number;             /* of each lane of each slot: the contact */
    real_t *pair_column, *column; /* PAIR_COLUMNS and REST_COLUMNS times as many */
    real_t *uphill;  /* of each lane: last change . extrapolation, in units of energy */
    real_t *changed; /* of each lane: the square of the largest residual of its contacts */

    uint32_t *word;        /* of each contact: its outcome */
    real_t *work_0, *work; /* of each contact: p . u0, and p . (u0 + u1) / 2 */
    real_t *scale;         /* the part of its impulse that the energy guard leaves */
    bool guarded;          /* scale is not 1 throughout */
    real_t *change;        /* of each contact: W_nn times its last sweep's change */
    /*
     * Of each contact: SWAMPS_FIRST if its warm start is so large that velocities lose digits to
     * it, SWAMPS_SWEPT if a sweep changed its impulse as much.
     */
    uint8_t *swamps;
    const real_t *begun; /* the rows at the start, where `start` has others (body_swamped.c) */
} NAME(impinge_body_rest);

enum { SWAMPS_FIRST = 1, SWAMPS_SWEPT = 2 };

/* Whether `sharing` is counted. */
static inline bool NAME(impinge_rest_counts)(const NAME(impinge_body_rest) * r) {
    return r->unordered || r->state->impulse_x;
}

#endif
