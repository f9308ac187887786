/* What colours and islands share: which bodies contacts share, and the checks of a graph. */
#ifndef IMPINGE_BODIES_GRAPH_H
#define IMPINGE_BODIES_GRAPH_H

#include <stdbool.h>

#include <impinge/order.h>

/* Numbers of contacts are 32 bit, and one of them is for none. */
#define CONTACTS_MAX ((size_t)UINT32_MAX - 1)

/* The index after the last is the world's. */
#define BODIES_MAX ((size_t)IMPINGE_WORLD)

/* Whether an impulse on what the index names is seen by other contacts. */
static inline bool graph_shares(const impinge_contact_graph *graph, uint32_t body) {
    return body < graph->bodies && !(graph->immovable && graph->immovable[body]);
}

static inline impinge_status graph_check(const impinge_contact_graph *graph,
                                         const void *workspace) {
    if (!graph || (graph->contacts > 0 && (!graph->index_a || !graph->index_b)))
        return IMPINGE_ERROR_NULL_POINTER;
    if (graph->contacts > CONTACTS_MAX || graph->bodies > BODIES_MAX) return IMPINGE_ERROR_COUNT;
    return workspace || graph->contacts + graph->bodies == 0 ? IMPINGE_OK
                                                             : IMPINGE_ERROR_NULL_POINTER;
}

/* Bytes for so many contacts and bodies, as much of each as is said; SIZE_MAX if that cannot be. */
static inline size_t graph_workspace(size_t contacts, size_t of_contact, size_t bodies,
                                     size_t of_body) {
    if (contacts > CONTACTS_MAX || bodies > BODIES_MAX) return SIZE_MAX;
    /* 32 bits times a few bytes: no overflow, but perhaps more than there is of memory. */
    const uint64_t bytes = (uint64_t)contacts * of_contact + (uint64_t)bodies * of_body;
    return bytes <= PTRDIFF_MAX ? (size_t)bytes : SIZE_MAX;
}

#endif
