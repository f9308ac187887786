/*
 * Lists of contacts under way, by the places of their rows, of which whole vectors are taken and
 * stored.
 */
#ifndef IMPINGE_KERNELS_ROUTH_LIST_H
#define IMPINGE_KERNELS_ROUTH_LIST_H

#include "ring.h"

/* LANES contacts of a list: where they are, and which lanes have one. */
typedef struct places {
    words_t at;
    mask_t valid;
} places_t;

/*
 * A vector of the list from i on; the lanes beyond its end repeat the first contact, so that they
 * compute nothing new.
 */
static inline places_t list_load(slide_list_t *list, size_t i) {
    const size_t left = list->count - i;
    for (size_t j = left; j < LANES; j++)
        list->at[i + j] = list->at[i];
    return (places_t){word_load(list->at + i), mask_first(left < LANES ? left : LANES)};
}

/* Stores the lanes of `which` from i on, side by side; a register's places more are overwritten. */
static inline size_t list_store(slide_list_t *list, size_t i, words_t at, mask_t which) {
    const packing_t p = lane_packing(which);
    word_store_packed(list->at + i, &p, at);
    return p.count;
}

static inline void list_append(slide_list_t *list, words_t at, mask_t which) {
    if (mask_any(which)) list->count += list_store(list, list->count, at, which);
}

/* Appends each contact to the list of its next operation. */
static inline void list_ahead(ring_t *ring, words_t at, const ahead_t *ahead) {
    list_append(&ring->list[STOPPING], at, ahead->stops);
    list_append(&ring->list[ENDING], at, ahead->ends);
    list_append(&ring->list[MOVING], at, ahead->goes);
}

static inline void members_load(const ring_t *ring, words_t places, members_t *m) {
    uint32_t at[LANES];
    word_store(at, places);
    rows_gather(ring->row, at, m);
}

/*
 * Writes the lanes of `which` back to their rows, and the others to the last row, which is never
 * read.
 */
static inline void members_store(ring_t *ring, words_t places, const members_t *m, mask_t which) {
    uint32_t at[LANES];
    const uint32_t last = (uint32_t)(ring->length * ROW);
    word_store(at, word_select(which, places, word_where(mask_all(), last)));
    rows_scatter(ring->row, at, m);
}

#endif
