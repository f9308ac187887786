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
    if (!graph || !workspace) return IMPINGE_ERROR_NULL_POINTER;
    if (graph->contacts > 0 && (!graph->index_a || !graph->index_b))
        return IMPINGE_ERROR_NULL_POINTER;
    if (graph->contacts > CONTACTS_MAX || graph->bodies > BODIES_MAX) return IMPINGE_ERROR_COUNT;
    return IMPINGE_OK;
}

#endif
