/**
 * Groups of contacts by the bodies that they share. Two contacts of one colour share no movable
 * body, and neither do two islands. The time to find either is proportional to the number of
 * contacts and of bodies.
 *
 * No call allocates: arrays and workspace are the caller's. All calls may run in any thread.
 */
#ifndef IMPINGE_GROUPS_H
#define IMPINGE_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include <impinge/bodies.h>
#include <impinge/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Contacts and the indices of their bodies. Indices out of range, IMPINGE_WORLD and immovable
 * bodies connect no contacts: an impulse does not change them.
 */
typedef struct impinge_contact_graph {
    size_t contacts;                   /**< how many, below 2^32 */
    const uint32_t *index_a, *index_b; /**< the bodies of each */
    size_t bodies;                     /**< how many */
    const uint8_t *immovable; /**< of each body: not 0 if immovable; null: all bodies can move */
    size_t index_stride;      /**< of index_a and index_b (see <impinge/batch.h>) */
} impinge_contact_graph;

/** The largest number of colours. */
#define IMPINGE_COLOURS_MAX 1024

/** Contacts in groups: colours or islands. The arrays are the caller's. */
typedef struct impinge_contact_groups {
    /** Room for graph->contacts indices of contacts: group by group, ascending in each. */
    uint32_t *order;
    /**
     * Group g is order[starts[g]] to order[starts[g + 1] - 1]. Room for IMPINGE_COLOURS_MAX + 1
     * (colours) or graph->contacts + 1 (islands).
     */
    uint32_t *starts;
    size_t count; /**< how many groups */
} impinge_contact_groups;

/**
 * The bytes of workspace that impinge_colour_contacts needs, 8 a body and 4 a contact; SIZE_MAX if
 * there cannot be so many.
 */
IMPINGE_API size_t impinge_colour_contacts_workspace(size_t contacts, size_t bodies);

/**
 * Splits contacts into sets in which no two contacts share a movable body. The colouring is greedy,
 * in the order of the contacts: each gets the lowest colour that its two bodies do not have yet.
 * The result depends only on the indices. The contacts from order[starts[count]] on would need more
 * than IMPINGE_COLOURS_MAX colours; each of them is a set of its own.
 *
 * @param graph the contacts
 * @param workspace of impinge_colour_contacts_workspace bytes, aligned for uint64_t
 * @param colours its arrays and its count are written
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER or IMPINGE_ERROR_COUNT.
 */
IMPINGE_API impinge_status impinge_colour_contacts(const impinge_contact_graph *graph,
                                                   void *workspace,
                                                   impinge_contact_groups *colours);

/**
 * Counts the contacts of each body with another body or the world. Contacts of a body with itself
 * do not count, and neither do those whose other index is out of range.
 *
 * @param graph the contacts; immovable bodies count 1
 * @param sharing written: one count for each body, at least 1
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER or IMPINGE_ERROR_COUNT.
 */
IMPINGE_API impinge_status impinge_count_sharing(const impinge_contact_graph *graph,
                                                 uint32_t *sharing);

/**
 * The bytes of workspace that impinge_find_islands needs, 8 a body and 4 a contact; SIZE_MAX if
 * there cannot be so many.
 */
IMPINGE_API size_t impinge_find_islands_workspace(size_t contacts, size_t bodies);

/**
 * Splits contacts into islands: two contacts are in the same island if they share a movable body,
 * or if a chain of such contacts connects them. A contact without a movable body is an island of
 * its own. Islands are in the order of their first contacts.
 *
 * @param graph the contacts
 * @param workspace of impinge_find_islands_workspace bytes, aligned for uint32_t
 * @param islands its arrays and its count are written
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER or IMPINGE_ERROR_COUNT.
 */
IMPINGE_API impinge_status impinge_find_islands(const impinge_contact_graph *graph, void *workspace,
                                                impinge_contact_groups *islands);

#ifdef __cplusplus
}
#endif
#endif
