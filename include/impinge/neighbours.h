/**
 * Finds particles that are near each other or near planes, by a cell list, and the contacts of a
 * step among them.
 *
 * Lists depend only on their input, not on the target or the number of threads. They are in
 * compressed rows, one for each particle, and ascend in each row. The search is fastest if
 * particles that are near each other in space are also near in the arrays.
 *
 * A list with a skin is valid for several steps, until a particle has moved by half of the skin.
 *
 * No call allocates. Stack and threads are as in <impinge/batch.h>.
 */
#ifndef IMPINGE_NEIGHBOURS_H
#define IMPINGE_NEIGHBOURS_H

#include <impinge/contact_dynamics.h>
#include <impinge/particles.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Options of the search for neighbours. All zero: particles that touch, each pair once. */
typedef struct impinge_neighbour_options {
    /** Surfaces no further apart than this are neighbours, >= 0, m. */
    double skin;
    /** True: each pair is in both rows; false: in the row of the lower index. */
    bool full;
    uint64_t reserved[4]; /**< zero, as in impinge_options */
} impinge_neighbour_options;

/** The defaults: all zero. */
static inline impinge_neighbour_options impinge_neighbour_options_default(void) {
    const impinge_neighbour_options options = IMPINGE_ALL_ZERO;
    return options;
}

/** Neighbours in compressed rows. The arrays are the caller's. */
typedef struct impinge_neighbours {
    /** particles->count + 1: row i is index[starts[i]] to index[starts[i + 1] - 1]. */
    uint32_t *starts;
    /**
     * Neighbours: particles, and plane k as particles->count + k, as in index_b of a step's
     * contacts.
     */
    uint32_t *index;
    size_t capacity; /**< of index, below 2^32 */
    size_t count;    /**< how many neighbours there are, in all rows */
} impinge_neighbours;

/** Contacts of particles and planes, as a step takes them. The arrays are the caller's. */
typedef struct impinge_found_contacts {
    uint32_t *index_a, *index_b;
    /** The identity: the lower index of the two times 2^32, plus the other. Null: not wanted. */
    uint64_t *key;
    size_t capacity; /**< of each, below 2^31 */
    size_t count;    /**< how many there are; elements from there to capacity may be overwritten */
    size_t counted[IMPINGE_TEAM_MAX]; /**< counts that members of a team share */
} impinge_found_contacts;

#ifdef __cplusplus
}
#endif

#include <impinge/neighbours_f32.h>
#include <impinge/neighbours_f64.h>

#endif
