/*
 * A batch that is being resolved: what each level of the API (contact space, body pairs, planar)
 * hands to the laws.
 */
#ifndef IMPINGE_KERNELS_BATCH_H
#define IMPINGE_KERNELS_BATCH_H

#include "contact.h"
#include "response.h"

typedef struct batch {
    const void *in, *out; /* the level's structs */
    const impinge_options *options;
    impinge_report *report;
    size_t first, count;
    bool planar;      /* Routh's law has no equation to integrate */
    bool needs_stack; /* `load` and `store` need so much that only a short ring fits beside them */
    bool impulses_alone; /* velocities of bodies are not wanted, nor is their energy judged */
    /*
     * Values that `load` computed for the contacts it read last, kept for `store`. Its type is the
     * level's own.
     */
    void *read;
    /* Reads `count` contacts, at most LANES, from i on. */
    contact_t (*load)(const struct batch *b, size_t i, size_t count);
    /*
     * Null, or calls a function. `load` and `store` may then be called only from that function: for
     * levels in which they need much of the stack.
     */
    void (*hold)(const struct batch *b, void (*function)(void *), void *argument);
    /* Writes their responses. May change them: a response that does not fit is withheld. */
    void (*store)(const struct batch *b, size_t i, response_t *r, size_t count);
} batch_t;

static inline void report_lanes(impinge_report *report, words_t outcome, size_t first,
                                size_t count) {
    uint32_t invalid = mask_bits(word_has(outcome, IMPINGE_OUTCOME_INVALID));
    if (invalid == 0) return;
    if (count < LANES) invalid &= (UINT32_C(1) << count) - 1;
    report->invalid += count_bits(invalid);
    if (invalid != 0 && first + lowest_bit(invalid) < report->first_invalid)
        report->first_invalid = first + lowest_bit(invalid);
}

/* Writes and counts the results of `count` contacts from i on. */
static inline void deliver(const batch_t *b, size_t i, response_t *r, size_t count) {
    b->store(b, i, r, count);
    report_lanes(b->report, r->outcome, i, count);
}

#endif
