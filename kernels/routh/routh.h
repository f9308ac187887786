/*
 * Routh's law: the incremental law of contact with friction (Mirtich 1996, corrected; Chatterjee
 * and Ruina 1998, 4.2.1).
 *
 * A batch goes through in chunks of LANES contacts. Each is normalised (normalise.h); if some of
 * its contacts slide, it is stored in the ring (ring.h), from where they are integrated (slide.h,
 * series.h); and all of it is closed (close.h). The levels load contacts and store results:
 * contact_space.h, body_pairs.h.
 */
#ifndef IMPINGE_KERNELS_ROUTH_ROUTH_H
#define IMPINGE_KERNELS_ROUTH_ROUTH_H

#include "../batch.h"
#include "ahead.h"
#include "close.h"
#include "list.h"
#include "normalise.h"
#include "sliding.h"

_Static_assert(RING % LANES == 0 && RING_SHORT % LANES == 0, "a ring has whole chunks");

/* A function that closes LANES contacts, the first of which has the number `first` in the batch. */
typedef response_t routh_close(const batch_t *b, closing_t *c, size_t first, size_t count,
                               const routh_options_t *law);

static inline response_t routh_close_contacts(const batch_t *b, closing_t *c, size_t first,
                                              size_t count, const routh_options_t *law) {
    (void)b;
    (void)first;
    (void)count;
    close_all(c, law);
    return closing_result(c, law);
}

/* The chunks of the ring: the place of each in the batch, and which are free. */
typedef struct chunks {
    size_t first[RING / LANES]; /* of its contacts */
    size_t free[RING / LANES];
    size_t free_count;
    size_t loaded; /* contacts of the batch, so far */
} chunks_t;

static inline void chunks_begin(chunks_t *chunks, size_t count) {
    chunks->loaded = 0;
    chunks->free_count = count;
    for (size_t c = 0; c < count; c++)
        chunks->free[c] = count - 1 - c;
}

static inline size_t count_of(const batch_t *b, size_t first) {
    const size_t left = b->first + b->count - first;
    return left < LANES ? left : LANES;
}

/*
 * A level's load and store, and the parts of the law, need much stack. Each has a frame of its own,
 * so that they use the same stack one after the other.
 */
static APART void begin(closing_t *c, contact_t *contact, const routh_options_t *law) {
    normalise(c, contact, law);
}

static APART void load_contacts_of(const batch_t *b, size_t first, closing_t *c,
                                   const routh_options_t *law) {
    contact_t contact = b->load(b, first, count_of(b, first));
    begin(c, &contact, law);
}

static APART void close_and_deliver(const batch_t *b, closing_t *c, size_t first,
                                    const routh_options_t *law, routh_close *close) {
    const size_t count = count_of(b, first);
    response_t r = close(b, c, first, count, law);
    deliver(b, first, &r, count);
}

static APART void put_in_ring(ring_t *ring, size_t i, const closing_t *c) {
    ring_store(ring, i, c);
}

static APART void take_from_ring(const ring_t *ring, size_t i, closing_t *c) {
    ring_load(ring, i, c);
}

/*
 * Puts the contacts of `slides`, in the ring from i on, in lists. None is moved on here:
 * consecutive arcs find their code in the first-level cache, from which the code that loads
 * contacts evicts it.
 */
static APART void enter_lists(ring_t *ring, size_t i, const closing_t *c, mask_t slides,
                              const routh_options_t *law) {
    uint32_t row[LANES];
    for (size_t lane = 0; lane < LANES; lane++)
        row[lane] = (uint32_t)((i + lane) * ROW);
    const members_t m = {c->motion, c->matrix, c->end, c->state};
    const polar_t polar = polar_of(&m.matrix, m.motion.x, m.motion.y);
    const ahead_t ahead = ahead_of(&m, &polar, slides, law);
    list_ahead(ring, word_load(row), &ahead);
}

/* A batch on its way through the ring. */
typedef struct passage {
    const batch_t *batch;
    chunks_t *chunks;
    ring_t *ring;
    const routh_options_t *law;
    routh_close *close;
} passage_t;

/*
 * Loads the next contacts of the batch: into the ring if some of them slide. Otherwise they are
 * closed at once.
 */
static APART void load_chunk(void *passage) {
    const passage_t *const p = passage;
    const batch_t *const b = p->batch;
    chunks_t *const chunks = p->chunks;
    const size_t first = b->first + chunks->loaded;
    const size_t count = count_of(b, first);
    chunks->loaded += count;
    closing_t c;
    load_contacts_of(b, first, &c, p->law);
    const mask_t slides = mask_and(state_has(c.state, STATE_SLIDING), mask_first(count));
    if (!mask_any(slides)) {
        close_and_deliver(b, &c, first, p->law, p->close);
        return;
    }
    const size_t chunk = chunks->free[--chunks->free_count];
    chunks->first[chunk] = first;
    put_in_ring(p->ring, chunk * LANES, &c);
    p->ring->sliding[chunk] = (uint32_t)count_bits(mask_bits(slides));
    enter_lists(p->ring, chunk * LANES, &c, slides, p->law);
}

static APART response_t close_from_ring(const passage_t *p, size_t chunk, size_t first,
                                        size_t count) {
    closing_t c;
    take_from_ring(p->ring, chunk * LANES, &c);
    return p->close(p->batch, &c, first, count, p->law);
}

/* Stores the chunks in which no contact slides any longer, in the order in which they finish. */
static APART void store_finished(void *passage) {
    const passage_t *const p = passage;
    ring_t *const ring = p->ring;
    chunks_t *const chunks = p->chunks;
    while (ring->finished_count > 0) {
        const size_t chunk = ring->finished[--ring->finished_count];
        const size_t first = chunks->first[chunk];
        const size_t count = count_of(p->batch, first);
        response_t r = close_from_ring(p, chunk, first, count);
        deliver(p->batch, first, &r, count);
        chunks->free[chunks->free_count++] = chunk;
    }
}

static void do_held(void (*function)(void *), passage_t *p) {
    if (p->batch->hold)
        p->batch->hold(p->batch, function, p);
    else
        function(p);
}

/* Chunk by chunk, until the batch is at its end and nothing slides. */
INLINE void pass_through(const batch_t *b, routh_close *close, ring_t *ring) {
    const routh_options_t law = law_of(b->options, b->planar);
    const size_t all = ring->length / LANES;
    chunks_t chunks;
    chunks_begin(&chunks, all);
    passage_t p = {b, &chunks, ring, &law, close};
    for (;;) {
        while (chunks.free_count > 0 && chunks.loaded < b->count) {
            do_held(load_chunk, &p);
            if (ring->finished_count > 0) do_held(store_finished, &p);
        }
        if (chunks.free_count == all) break;
        KERNEL_ROUTH(ring, &law);
        if (ring->finished_count > 0) do_held(store_finished, &p);
    }
    b->report->steps = ring->steps;
    b->report->lane_slots = ring->lane_slots;
}

static APART void pass_through_whole(const batch_t *b, routh_close *close) {
    _Alignas(64) real_t numbers[RING_NUMBERS(RING)];
    uint32_t words[RING_WORDS(RING)];
    ring_t ring;
    ring_begin(&ring, RING, numbers, words);
    pass_through(b, close, &ring);
}

static APART void pass_through_short(const batch_t *b, routh_close *close) {
    _Alignas(64) real_t numbers[RING_NUMBERS(RING_SHORT)];
    uint32_t words[RING_WORDS(RING_SHORT)];
    ring_t ring;
    ring_begin(&ring, RING_SHORT, numbers, words);
    pass_through(b, close, &ring);
}

static void routh_resolve(const batch_t *b, routh_close *close) {
    if (b->needs_stack)
        pass_through_short(b, close);
    else
        pass_through_whole(b, close);
}

#endif
