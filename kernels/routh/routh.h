/*
 * Routh's law: the incremental law of contact with friction (Mirtich note; Chatterjee and Ruina
 * 1998, 4.2.1).
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

/* What closes LANES contacts of the ring at i: those whose number in the batch is first. */
typedef response_t routh_close(const batch_t *b, const ring_t *ring, size_t i, size_t first,
                               size_t count, const routh_options_t *law);

static inline response_t routh_close_contacts(const batch_t *b, const ring_t *ring, size_t i,
                                              size_t first, size_t count,
                                              const routh_options_t *law) {
    (void)b;
    (void)first;
    (void)count;
    return close_contacts(ring, i, law);
}

/*
 * Brings `count` contacts from `first` on into the ring at i. A level's load and store may need far
 * more stack than the laws: apart, they take it in turn.
 */
static APART void load_chunk(const batch_t *b, ring_t *ring, size_t i, size_t first, size_t count,
                             const routh_options_t *law) {
    for (size_t j = 0; j < count; j += LANES) {
        contact_t contact = b->load(b, first + j, count - j);
        normalise(ring, i + j, &contact, law);
    }
}

static APART void store_chunk(const batch_t *b, const ring_t *ring, size_t i, size_t first,
                              size_t count, const routh_options_t *law, routh_close *close) {
    for (size_t j = 0; j < count; j += LANES) {
        response_t r = close(b, ring, i + j, first + j, count - j, law);
        deliver(b, first + j, &r, count - j);
    }
}

/* The chunks of the ring: where each stands in the batch. */
typedef struct chunks {
    size_t first[CHUNKS]; /* of its contacts */
    size_t count[CHUNKS]; /* 0: the chunk is free */
    size_t loaded;        /* contacts of the batch, so far */
} chunks_t;

/* Stores the chunks of which no contact slides any longer, in whichever order they come to that. */
static void store_finished(const batch_t *b, chunks_t *chunks, const slide_t *slide,
                           const ring_t *ring, const routh_options_t *law, routh_close *close) {
    for (size_t c = 0; c < CHUNKS; c++) {
        if (chunks->count[c] == 0 || slide->sliding[c] != 0) continue;
        store_chunk(b, ring, c * CHUNK, chunks->first[c], chunks->count[c], law, close);
        chunks->count[c] = 0;
    }
}

/*
 * Loads what the batch still has into the chunks that are free, as far as there is room. A chunk of
 * which no contact slides is stored at once, while it is in the first-level cache.
 */
static void load_free(const batch_t *b, chunks_t *chunks, slide_t *slide, ring_t *ring,
                      const routh_options_t *law, routh_close *close) {
    size_t c = 0;
    while (c < CHUNKS && chunks->loaded < b->count && slide_has_room(slide)) {
        if (chunks->count[c] != 0) {
            c++;
            continue;
        }
        const size_t left = b->count - chunks->loaded;
        const size_t count = left < CHUNK ? left : CHUNK;
        const size_t first = b->first + chunks->loaded;
        load_chunk(b, ring, c * CHUNK, first, count, law);
        slide_enter(slide, ring, c, count, law);
        chunks->loaded += count;
        if (slide->sliding[c] == 0) {
            store_chunk(b, ring, c * CHUNK, first, count, law, close);
            continue;
        }
        chunks->first[c] = first;
        chunks->count[c] = count;
    }
}

/* Chunk by chunk through the ring, until the batch is at its end and nothing slides. */
static void routh_resolve(const batch_t *b, routh_close *close) {
    const routh_options_t law = law_of(b->options);
    ring_t ring;
    slide_t slide;
    slide_begin(&slide);
    chunks_t chunks = {.loaded = 0};
    for (;;) {
        load_free(b, &chunks, &slide, &ring, &law, close);
        if (slide_is_idle(&slide) && chunks.loaded == b->count) break;
        if (!slide_is_idle(&slide)) slide_step(&slide, &ring, &law);
        store_finished(b, &chunks, &slide, &ring, &law, close);
    }
    b->report->steps = slide.steps;
    b->report->lane_slots = slide.lane_slots;
}

#endif
