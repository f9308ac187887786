/**
 * Which contacts share bodies: colours, of which no two contacts share one, and islands, which
 * share none with each other. Both are found in a time that grows as the number of contacts, and
 * of bodies.
 *
 * No call allocates: arrays and workspace are the caller's. All calls may run in any thread.
 */
#ifndef IMPINGE_ORDER_H
#define IMPINGE_ORDER_H

#include <stddef.h>
#include <stdint.h>

#include <impinge/bodies.h>
#include <impinge/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Contacts and the bodies that they name. What an index out of range names, and IMPINGE_WORLD, is
 * shared by nobody, and so are immovable bodies: an impulse does not change them.
 */
typedef struct impinge_contact_graph {
    size_t contacts;                   /**< how many, below 2^32 */
    const uint32_t *index_a, *index_b; /**< the bodies of each */
    size_t bodies;                     /**< how many */
    const uint8_t *immovable; /**< of each body: not 0 if immovable; null: all bodies can move */
    size_t index_stride;      /**< of index_a and index_b (see <impinge/batch.h>) */
} impinge_contact_graph;

/** The most colours that there can be. */
#define IMPINGE_COLOURS_MAX 1024

/** Contacts by colour. */
typedef struct impinge_colouring {
    /** The caller's array of graph.contacts: numbers of contacts, by colour, ascending in each. */
    uint32_t *order;
    /**
     * The caller's array of IMPINGE_COLOURS_MAX + 1: colour c is order[starts[c]] to
     * order[starts[c + 1] - 1]. From starts[count] on come the contacts that would need more than
     * IMPINGE_COLOURS_MAX colours: each of them stands alone.
     */
    uint32_t *starts;
    size_t count; /**< how many colours */
} impinge_colouring;

/**
 * The bytes of workspace that impinge_colour_contacts needs, 8 a body and 4 a contact; SIZE_MAX if
 * there cannot be so many.
 */
IMPINGE_API size_t impinge_colour_contacts_workspace(size_t contacts, size_t bodies);

/**
 * Splits contacts into sets of which no two contacts share a movable body: the greedy colouring in
 * the order of the contacts, each of which gets the least colour that its two bodies do not have
 * yet. So it depends on nothing but the indices.
 *
 * @param graph the contacts
 * @param workspace of impinge_colour_contacts_workspace bytes, aligned for uint64_t
 * @param colouring its arrays are the caller's; all else is written
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER or IMPINGE_ERROR_COUNT.
 */
IMPINGE_API impinge_status impinge_colour_contacts(const impinge_contact_graph *graph,
                                                   void *workspace, impinge_colouring *colouring);

/**
 * Counts the contacts of each body: those that name it and another body, or the world. Of contacts
 * of a body with itself none are counted, nor of those whose other index is out of range.
 *
 * @param graph the contacts; immovable bodies count 1
 * @param sharing written: of each body, at least 1
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER or IMPINGE_ERROR_COUNT.
 */
IMPINGE_API impinge_status impinge_count_sharing(const impinge_contact_graph *graph,
                                                 uint32_t *sharing);

/** Contacts by island. */
typedef struct impinge_islands {
    /** The caller's array of graph.contacts: numbers of contacts by island, ascending in each. */
    uint32_t *order;
    /**
     * The caller's array of graph.contacts + 1: island i is order[starts[i]] to order[starts[i + 1]
     * - 1]. Islands stand in the order of their first contacts.
     */
    uint32_t *starts;
    size_t count; /**< how many islands */
} impinge_islands;

/**
 * The bytes of workspace that impinge_find_islands needs, 8 a body and 4 a contact; SIZE_MAX if
 * there cannot be so many.
 */
IMPINGE_API size_t impinge_find_islands_workspace(size_t contacts, size_t bodies);

/**
 * Splits contacts into islands: two contacts are in the same if they share a movable body, or if a
 * chain of contacts that do connects them. A contact without a movable body is one of its own.
 *
 * @param graph the contacts
 * @param workspace of impinge_find_islands_workspace bytes, aligned for uint32_t
 * @param islands its arrays are the caller's; all else is written
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER or IMPINGE_ERROR_COUNT.
 */
IMPINGE_API impinge_status impinge_find_islands(const impinge_contact_graph *graph, void *workspace,
                                                impinge_islands *islands);

#ifdef __cplusplus
}
#endif
#endif
