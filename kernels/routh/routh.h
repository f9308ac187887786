/*
 * Routh's law: the incremental law of contact with friction (seed 000; seed 003, 4.2.1).
 *
 * A batch goes through in chunks. Each is normalised (normalise.h), its sliding contacts are
 * integrated (slide.h, series.h), and all of it is closed (close.h). How contacts come in and where
 * results go is the level's business: contact_space.h, body_pairs.h.
 */
#ifndef IMPINGE_KERNELS_ROUTH_ROUTH_H
#define IMPINGE_KERNELS_ROUTH_ROUTH_H

#include "close.h"
#include "normalise.h"

static inline law_t law_of(const impinge_options *options) {
    const real_t finest = 4 * REAL_UNIT; /* below that, rounding is all there is */
    const real_t tolerance = (real_t)options->tolerance / ERROR_OF_STEPS;
    law_t law;
    law.rule = options->rule;
    law.resolve_jams = options->resolve_jams;
    law.tolerance = tolerance < finest ? finest : tolerance;
    return law;
}

/*
 * A batch under way. `load` brings `count` contacts from `first` on into the ring at i, `store`
 * closes those of the ring at i and writes what came of them; both are the level's.
 */
typedef struct batch {
    const void *in;
    const void *out;
    law_t law;
    impinge_report *report;
    size_t first, count;
    void (*load)(const struct batch *b, ring_t *ring, size_t i, size_t first, size_t count);
    void (*store)(const struct batch *b, const ring_t *ring, size_t i, size_t first, size_t count);
} batch_t;

static inline void report_lanes(impinge_report *report, word_t outcome, size_t first,
                                size_t count) {
    const size_t used = count < LANES ? count : LANES;
    uint32_t invalid =
        mask_bits(mask_and(word_has(outcome, IMPINGE_OUTCOME_INVALID), mask_first(used)));
    report->invalid += count_bits(invalid);
    if (invalid != 0 && first + lowest_bit(invalid) < report->first_invalid)
        report->first_invalid = first + lowest_bit(invalid);
}

/* How many contacts the chunk that begins `done` contacts into the batch has. */
static inline size_t chunk_count(const batch_t *b, size_t done) {
    return b->count - done < CHUNK ? b->count - done : CHUNK;
}

/*
 * Chunk by chunk through the ring. A chunk is loaded where the one CHUNKS before it has been
 * stored; it is stored, in its turn, when none of its contacts slides any longer.
 */
static void routh_resolve(const batch_t *b) {
    ring_t ring;
    slide_t slide;
    slide.moving.count = slide.events.count = 0;
    slide.steps = slide.lane_slots = 0;
    slide.all = false;
    size_t loaded = 0; /* contacts */
    size_t stored = 0;
    while (stored < b->count) {
        const size_t oldest = stored / CHUNK % CHUNKS;
        if (stored < loaded && slide.sliding[oldest] == 0) {
            const size_t count = chunk_count(b, stored);
            b->store(b, &ring, oldest * CHUNK, b->first + stored, count);
            stored += count;
        } else if (loaded < b->count && loaded - stored < RING && slide_has_room(&slide)) {
            const size_t newest = loaded / CHUNK % CHUNKS;
            const size_t count = chunk_count(b, loaded);
            b->load(b, &ring, newest * CHUNK, b->first + loaded, count);
            slide_enter(&slide, &ring, newest, count, &b->law);
            loaded += count;
        } else {
            slide_step(&slide, &ring, &b->law);
        }
    }
    b->report->steps = slide.steps;
    b->report->lane_slots = slide.lane_slots;
}

#endif
