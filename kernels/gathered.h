/*
 * Body pairs that are gathered as they are read, a chunk of Routh's law at a time.
 *
 * A contact is stored some chunks after it was read, and storing it reads its bodies again, because
 * no velocity may change if one of them would not fit the precision. Where velocities after are not
 * wanted, and the sizes of the bodies' numbers ensure that all would fit, they are not gathered
 * again.
 */
#ifndef IMPINGE_KERNELS_GATHERED_H
#define IMPINGE_KERNELS_GATHERED_H

#include "body_pairs.h"
#include "table.h"

/* At least a block of the stage, since the stage gathers a whole block even for a single lane. */
enum { GATHERED = LANES < 8 ? 8 : LANES };
_Static_assert(GATHERED <= IMPINGE_LANES_MOST(IMPINGE_REAL_BITS), "a stage holds a chunk");

/*
 * Sizes at which velocities after fit f32. With arms, impulses, and inverse masses and inertias
 * below these, elements of r x p are below 2^77, of R^T (r x p) below 2^79, of R I R^T below 2^40,
 * and of both products with an inertia below 2^119.
 */
#define ARM_THAT_FITS      REAL(0x1p16)
#define INVERSE_THAT_FITS  REAL(0x1p36)
#define VELOCITY_THAT_FITS REAL(0x1p60)
#define IMPULSE_THAT_FITS  REAL(0x1p60)

static inline lanes_t larger_size(lanes_t a, lanes_t b) { return lane_max(a, lane_abs(b)); }

static inline lanes_t largest_element(vector_t a, lanes_t b) {
    return larger_size(larger_size(larger_size(b, a.x), a.y), a.z);
}

/* NaN makes the contact invalid: no impulse is added to anything. */
static inline mask_t has_ordinary_sizes(const body_t *b) {
    const tensor_t *const t = &b->inverse_inertia;
    const vector_t diagonal = {t->xx, t->yy, t->zz}, products = {t->xy, t->xz, t->yz};
    const lanes_t inverse =
        largest_element(diagonal, largest_element(products, lane_abs(b->inverse_mass)));
    const lanes_t velocity =
        largest_element(b->velocity, largest_element(b->angular_velocity, lane_zero()));
    const lanes_t arm = largest_element(b->arm, lane_zero());
    return mask_and(mask_and(lane_lt(inverse, lane_set(INVERSE_THAT_FITS)),
                             lane_lt(velocity, lane_set(VELOCITY_THAT_FITS))),
                    lane_lt(arm, lane_set(ARM_THAT_FITS)));
}

INLINE bool are_ordinary_as(layout_t layout, const batch_t *batch, size_t i, size_t count) {
    const NAME(impinge_body_pairs) *const in = batch->in;
    const body_t a = load_body(layout, &in->a, i, count);
    const body_t b = load_body(layout, &in->b, i, count);
    return mask_every(mask_and(has_ordinary_sizes(&a), has_ordinary_sizes(&b)));
}

/* Apart: their frames are gone when the contacts are loaded. */
static APART bool are_ordinary(const batch_t *batch, size_t i, size_t count) {
    return are_ordinary_as(CONTIGUOUS, batch, i, count);
}

static APART bool are_ordinary_strided(const batch_t *batch, size_t i, size_t count) {
    return are_ordinary_as(AS_GIVEN, batch, i, count);
}

/*
 * The vectors whose bodies have such sizes: the number of the first contact plus one. Unused
 * elements are zero.
 */
enum { ORDINARY_SLOTS = 64 };
typedef struct ordinary_vectors {
    uint32_t first[ORDINARY_SLOTS];
} ordinary_vectors_t;

static inline uint32_t *ordinary_slot(const batch_t *batch, size_t i) {
    ordinary_vectors_t *const vectors = batch->read;
    return &vectors->first[i / LANES % ORDINARY_SLOTS];
}

/* The batch of the pairs that were gathered around i: `in` is a source. */
static inline batch_t gather_pairs(const batch_t *batch, size_t i, bool bodies) {
    const NAME(impinge_pair_source) *const source = batch->in;
    const size_t first = i - i % GATHERED;
    const size_t left = batch->count - first;
    source->gather(source->stage, first, left < GATHERED ? left : GATHERED, bodies);
    return (batch_t){.in = source->pairs,
                     .out = source->results,
                     .options = batch->options,
                     .impulses_alone = !source->moves};
}

INLINE contact_t load_gathered_as(layout_t layout, const batch_t *batch, size_t i, size_t count) {
    const NAME(impinge_pair_source) *const source = batch->in;
    const batch_t at = gather_pairs(batch, i, true);
    const size_t j = i % GATHERED;
    const bool contiguous = layout == CONTIGUOUS;
    if (!source->moves) {
        const bool ordinary =
            contiguous ? are_ordinary(&at, j, count) : are_ordinary_strided(&at, j, count);
        *ordinary_slot(batch, i) = ordinary ? (uint32_t)i + 1 : 0;
    }
    return contiguous ? load_pairs(&at, j, count) : load_pairs_strided(&at, j, count);
}

static contact_t load_gathered(const batch_t *batch, size_t i, size_t count) {
    return load_gathered_as(CONTIGUOUS, batch, i, count);
}

static contact_t load_gathered_strided(const batch_t *batch, size_t i, size_t count) {
    return load_gathered_as(AS_GIVEN, batch, i, count);
}

/* Writes all results but velocities; false if impulses are so large that bodies have to be read. */
INLINE bool store_impulses_as(layout_t layout, const batch_t *at, size_t i, response_t *r,
                              size_t count) {
    const NAME(impinge_body_pair_results) *const out = at->out;
    const vector_t none = {lane_zero(), lane_zero(), lane_zero()};
    mask_t unit;
    const frame_t f = load_frame(layout, at->in, i, count, &unit);
    const vector_t impulse = vector_select(r->untouched, none, world_impulse(&f, r));
    const mask_t fits =
        mask_and(vector_finite(impulse),
                 lane_lt(largest_element(impulse, lane_zero()), lane_set(IMPULSE_THAT_FITS)));
    if (!mask_every(fits)) return false;
    withhold(r);
    store_impulse(layout, out, i, impulse, count);
    store_other_results(layout, OTHER_RESULTS(out), i, r, count);
    return true;
}

INLINE void store_gathered_as(layout_t layout, const batch_t *batch, size_t i, response_t *r,
                              size_t count) {
    const NAME(impinge_pair_source) *const source = batch->in;
    const size_t j = i % GATHERED;
    bool is_stored = false;
    if (!source->moves && *ordinary_slot(batch, i) == (uint32_t)i + 1) {
        const batch_t at = gather_pairs(batch, i, false);
        is_stored = store_impulses_as(layout, &at, j, r, count);
    }
    if (!is_stored) {
        const batch_t at = gather_pairs(batch, i, true);
        if (layout == CONTIGUOUS)
            store_pairs(&at, j, r, count);
        else
            store_pairs_strided(&at, j, r, count);
    }
    source->scatter(source->stage, i, count < LANES ? count : LANES);
}

static void store_gathered(const batch_t *batch, size_t i, response_t *r, size_t count) {
    store_gathered_as(CONTIGUOUS, batch, i, r, count);
}

static void store_gathered_strided(const batch_t *batch, size_t i, response_t *r, size_t count) {
    store_gathered_as(AS_GIVEN, batch, i, r, count);
}

typedef struct stage_room {
    _Alignas(IMPINGE_CACHE_LINE) unsigned char bytes[IMPINGE_STAGE_ROOM];
} stage_room_t;

static void hold_stage(const batch_t *batch, void (*function)(void *), void *argument) {
    const NAME(impinge_pair_source) *const source = batch->in;
    stage_room_t room;
    source->place(source->stage, &room);
    function(argument);
}

/*
 * For any strides: a law that mixes two takes much longer than testing whether the strides are 1.
 */
static contact_t load_held(const batch_t *batch, size_t i, size_t count) {
    const NAME(impinge_pair_source) *const source = batch->in;
    stage_room_t room;
    source->place(source->stage, &room);
    return load_gathered_strided(batch, i, count);
}

static void store_held(const batch_t *batch, size_t i, response_t *r, size_t count) {
    const NAME(impinge_pair_source) *const source = batch->in;
    stage_room_t room;
    source->place(source->stage, &room);
    store_gathered_strided(batch, i, r, count);
}

static APART void resolve_held(void *batch) { resolve_by_law(batch); }

/*
 * The source counts its invalid contacts itself, because it may add reasons. The ring of a law
 * takes so much of the stack that the stage has room beside it only while a chunk is loaded or
 * stored; a law that mixes two takes so much to close a chunk that there is no room then, either.
 */
static inline void resolve_gathered(const NAME(impinge_pair_source) * source,
                                    const impinge_options *options, impinge_report *report) {
    const bool strided = layout_of_pairs(source->pairs, source->results) == AS_GIVEN;
    ordinary_vectors_t vectors = {{0}};
    batch_t batch = {.in = source,
                     .options = options,
                     .report = report,
                     .count = source->count,
                     .read = &vectors,
                     .load = strided ? load_gathered_strided : load_gathered,
                     .store = strided ? store_gathered_strided : store_gathered};
    switch (law_kind_of(options->law)) {
    case LAW_KIND_CLOSED:
    case LAW_KIND_EQUATION:
        hold_stage(&batch, resolve_held, &batch);
        return;
    case LAW_KIND_INCREMENTAL:
        batch.hold = hold_stage;
        break;
    case LAW_KIND_MIXED:
        batch.load = load_held;
        batch.store = store_held;
        break;
    }
    resolve_by_law(&batch);
}

#endif
