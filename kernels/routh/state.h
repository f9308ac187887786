/* The state of contacts under way, in a word of its own; no bit of it is one of an outcome. */
#ifndef IMPINGE_KERNELS_ROUTH_STATE_H
#define IMPINGE_KERNELS_ROUTH_STATE_H

#include "../lane/lane.h"

/* A type of its own, so that no outcome's word is taken for a state, nor a state for an outcome. */
typedef struct state {
    words_t bits;
} state_t;

enum state_bit {
    STATE_UNSTABLE = 1 << 0,     /* slip leaves zero again */
    STATE_SLIDING = 1 << 1,      /* to be integrated: it turns */
    STATE_LINE = 1 << 2,         /* slides straight on from here */
    STATE_ENDED = 1 << 3,        /* the collision is over */
    STATE_EXPANDING = 1 << 4,    /* in restitution, not in compression */
    STATE_RECOMPRESSED = 1 << 5, /* was in restitution before */
    STATE_LOST = 1 << 6,         /* its numbers are beyond the range */
    STATE_EXHAUSTED = 1 << 7,    /* took STEPS_MAX steps */
    /* The second factor of its scales (contact.h): of u and of K. */
    STATE_U_SMALL = 1 << 8,
    STATE_U_LARGE = 1 << 9,
    STATE_K_SMALL = 1 << 10,
    STATE_K_LARGE = 1 << 11,
    STATE_PASSES = 1 << 12, /* slip passes zero, where static friction would hold it */
    STATE_GRAZES = 1 << 13, /* whether u_n has reached a level on its way is in doubt */
    STATE_PRESCALED = STATE_U_SMALL | STATE_U_LARGE | STATE_K_SMALL | STATE_K_LARGE,
    /* From here on the number of its steps, to twice STEPS_MAX: a word has 23 bits (list.h). */
    STATE_STEP = 1 << 14
};

/*
 * Slips settle on a ray within some ten steps, or more where the rates there differ by more; after
 * that only rounding keeps a slip from settling, and after STEPS_MANY this is assumed. A contact
 * that reaches STEPS_MAX goes straight on, which its state records. All are powers of two.
 */
enum { STEPS_USUAL = 16, STEPS_MANY = 64, STEPS_MAX = 256 };

static inline mask_t state_has(state_t s, uint32_t bits) { return word_has(s.bits, bits); }

/* `bits` in the lanes of m, none in the others. */
static inline state_t state_where(mask_t m, uint32_t bits) {
    return (state_t){word_where(m, bits)};
}

static inline state_t state_or(state_t a, state_t b) { return (state_t){word_or(a.bits, b.bits)}; }

static inline state_t state_select(mask_t m, state_t a, state_t b) {
    return (state_t){word_select(m, a.bits, b.bits)};
}

/* With `bits` in the lanes of m, and without them. */
static inline state_t state_with(state_t s, mask_t m, uint32_t bits) {
    return state_or(s, state_where(m, bits));
}

static inline state_t state_without(state_t s, mask_t m, uint32_t bits) {
    return (state_t){word_select(m, word_and(s.bits, ~bits), s.bits)};
}

static inline state_t state_step(state_t s) { return (state_t){word_add(s.bits, STATE_STEP)}; }

/* The lanes with that many steps, a power of two, or more. */
static inline mask_t state_took(state_t s, uint32_t steps) {
    return word_has(s.bits, ~(STATE_STEP * steps - 1));
}

#endif
