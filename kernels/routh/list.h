/* Lists of contacts under way: where their rows are; whole vectors of them are taken and stored. */
#ifndef IMPINGE_KERNELS_ROUTH_LIST_H
#define IMPINGE_KERNELS_ROUTH_LIST_H

#include "rule.h"
#include "series.h"

_Static_assert(LANES <= SLIDING_LANES, "a list has room for a vector more");

/* LANES contacts of a list: where they are, and which lanes have one. */
typedef struct places {
    words_t at;
    mask_t valid;
} places_t;

/* A vector of the list from i on; the lanes beyond its end repeat the first contact, so that they
 * compute only what is computed anyway. */
static inline places_t list_load(slide_list_t *list, size_t i) {
    const size_t left = list->count - i;
    for (size_t j = left; j < LANES; j++)
        list->at[i + j] = list->at[i];
    return (places_t){word_load(list->at + i), mask_first(left < LANES ? left : LANES)};
}

/* Stores the lanes of `which` from i on, side by side; LANES places are overwritten. */
static inline size_t list_store(slide_list_t *list, size_t i, words_t at, mask_t which) {
    const packing_t p = lane_packing(which);
    word_store_packed(list->at + i, &p, at);
    return p.count;
}

static inline void list_append(slide_list_t *list, words_t at, mask_t which) {
    if (mask_any(which)) list->count += list_store(list, list->count, at, which);
}

static inline void members_load(const ring_t *ring, words_t places, members_t *m) {
    uint32_t at[LANES];
    word_store(at, places);
    rows_gather(ring->row, at, m);
}

/* Back to their rows, in the lanes of `which`; of the others to the last row, which is never read.
 */
static inline void members_store(ring_t *ring, words_t places, const members_t *m, mask_t which) {
    uint32_t at[LANES];
    const uint32_t last = (uint32_t)(ring->length * ROW);
    word_store(at, word_select(which, places, word_where(mask_all(), last)));
    rows_scatter(ring->row, at, m);
}

/*
 * While the slip turns, du_n/dq = alpha K33 - beta k . s changes sign where s enters or leaves an
 * arc about k. A step turns by less than half a circle, so it holds two changes only if it crosses
 * all of that arc, and with it the direction of k.
 */
static inline mask_t crosses_arc(const series_t *s, const motion_t *from, const motion_t *to) {
    const lanes_t before = lane_difference_of_products(s->bk1, from->y, s->bk2, from->x);
    const lanes_t after = lane_difference_of_products(s->bk1, to->y, s->bk2, to->x);
    const lanes_t along = lane_mul_add2(s->bk1, to->x, s->bk2, to->y);
    const lanes_t k_squared = lane_mul_add2(s->bk1, s->bk1, s->bk2, s->bk2);
    const mask_t arc = lane_lt(lane_mul(s->ak33, s->ak33), k_squared);
    const mask_t sides =
        mask_and(lane_lt(lane_mul(before, after), lane_zero()), lane_lt(lane_zero(), along));
    return mask_and(arc, sides);
}

#endif
