/*
 * A batch under way: what a level of the API (contact space, body pairs, planar) gives to every
 * law.
 */
#ifndef IMPINGE_KERNELS_BATCH_H
#define IMPINGE_KERNELS_BATCH_H

#include "given.h"
#include "resolved.h"

typedef struct batch {
    const void *in, *out; /* the level's structs */
    const impinge_options *options;
    impinge_report *report;
    size_t first, count;
    void *read; /* what `at` made of the contacts that it read last, for `to`; the level's */
    /* Reads `count` contacts, at most LANES, from i on. */
    given_t (*at)(const struct batch *b, size_t i, size_t count);
    /* Writes what came of them. May change it: what does not fit is withheld. */
    void (*to)(const struct batch *b, size_t i, resolved_t *r, size_t count);
} batch_t;

static inline void report_lanes(impinge_report *report, word_t outcome, size_t first,
                                size_t count) {
    uint32_t invalid = mask_bits(word_has(outcome, IMPINGE_OUTCOME_INVALID));
    if (invalid == 0) return;
    if (count < LANES) invalid &= (UINT32_C(1) << count) - 1;
    report->invalid += count_bits(invalid);
    if (invalid != 0 && first + lowest_bit(invalid) < report->first_invalid)
        report->first_invalid = first + lowest_bit(invalid);
}

/* Writes and counts what came of `count` contacts from i on. */
static inline void deliver(const batch_t *b, size_t i, resolved_t *r, size_t count) {
    b->to(b, i, r, count);
    report_lanes(b->report, r->outcome, i, count);
}

#endif
