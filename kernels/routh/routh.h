/*
 * Routh's law: the incremental law of contact with friction (seed 000; seed 003, 4.2.1).
 *
 * A batch goes through in chunks. Each is normalised (normalise.h), its sliding contacts are
 * integrated (slide.h, series.h), and all of it is closed (close.h). How contacts come in and where
 * results go is the level's business: contact_space.h, body_pairs.h.
 */
#ifndef IMPINGE_KERNELS_ROUTH_ROUTH_H
#define IMPINGE_KERNELS_ROUTH_ROUTH_H

#include "../batch.h"
#include "close.h"
#include "normalise.h"

/* How many contacts the chunk that begins `done` contacts into the batch has. */
static inline size_t chunk_count(const batch_t *b, size_t done) {
    return b->count - done < CHUNK ? b->count - done : CHUNK;
}

/* What closes LANES contacts of the ring at i: those whose number in the batch is first. */
typedef resolved_t routh_close(const batch_t *b, const ring_t *ring, size_t i, size_t first,
                               size_t count, const law_t *law);

static inline resolved_t routh_close_contacts(const batch_t *b, const ring_t *ring, size_t i,
                                              size_t first, size_t count, const law_t *law) {
    (void)b;
    (void)first;
    (void)count;
    return close_contacts(ring, i, law);
}

/* Brings `count` contacts from `first` on into the ring at i. */
static inline void load_chunk(const batch_t *b, ring_t *ring, size_t i, size_t first, size_t count,
                              const law_t *law) {
    for (size_t j = 0; j < count; j += LANES) {
        given_t g = b->at(b, first + j, count - j);
        normalise(ring, i + j, &g, law);
    }
}

static inline void store_chunk(const batch_t *b, const ring_t *ring, size_t i, size_t first,
                               size_t count, const law_t *law, routh_close *close) {
    for (size_t j = 0; j < count; j += LANES) {
        resolved_t r = close(b, ring, i + j, first + j, count - j, law);
        deliver(b, first + j, &r, count - j);
    }
}

/*
 * Chunk by chunk through the ring. A chunk is loaded where the one CHUNKS before it has been
 * stored; it is stored, in its turn, when none of its contacts slides any longer.
 */
static void routh_resolve(const batch_t *b, routh_close *close) {
    const law_t law = law_of(b->options);
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
            store_chunk(b, &ring, oldest * CHUNK, b->first + stored, count, &law, close);
            stored += count;
        } else if (loaded < b->count && loaded - stored < RING && slide_has_room(&slide)) {
            const size_t newest = loaded / CHUNK % CHUNKS;
            const size_t count = chunk_count(b, loaded);
            load_chunk(b, &ring, newest * CHUNK, b->first + loaded, count, &law);
            slide_enter(&slide, &ring, newest, count, &law);
            loaded += count;
        } else {
            slide_step(&slide, &ring, &law);
        }
    }
    b->report->steps = slide.steps;
    b->report->lane_slots = slide.lane_slots;
}

#endif
