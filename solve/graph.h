/*
 * Groups of contacts by the bodies that they share: colours and islands. Graphs have been checked.
 */
#ifndef IMPINGE_SOLVE_GRAPH_H
#define IMPINGE_SOLVE_GRAPH_H

#include <stdbool.h>

#include <impinge/groups.h>

#include "../kernels/element.h"

/* Numbers of contacts have 32 bits, and one of them stands for none. */
#define CONTACTS_MAX ((size_t)UINT32_MAX - 1)

/* The index after the last body's is the world's. */
#define BODIES_MAX ((size_t)IMPINGE_WORLD)

/* True if an impulse on the body with this index affects other contacts. */
static inline bool graph_shares(const impinge_contact_graph *graph, uint32_t body) {
    return body < graph->bodies && !(graph->immovable && graph->immovable[body]);
}

static inline uint32_t graph_a_of(const impinge_contact_graph *graph, size_t contact) {
    return graph->index_a[element(contact, graph->index_stride)];
}

static inline uint32_t graph_b_of(const impinge_contact_graph *graph, size_t contact) {
    return graph->index_b[element(contact, graph->index_stride)];
}

/*
 * The bytes for a number of contacts and of bodies, with the given bytes for each; SIZE_MAX if
 * there cannot be so many.
 */
static inline size_t graph_workspace(size_t contacts, size_t of_contact, size_t bodies,
                                     size_t of_body) {
    if (contacts > CONTACTS_MAX || bodies > BODIES_MAX) return SIZE_MAX;
    /* 32 bits times a few bytes cannot overflow, but may exceed the memory. */
    const uint64_t bytes = (uint64_t)contacts * of_contact + (uint64_t)bodies * of_body;
    return bytes <= PTRDIFF_MAX ? (size_t)bytes : SIZE_MAX;
}

/* The bytes of workspace; and the colours or the islands of a graph, into the caller's arrays. */
size_t impinge_graph_colour_size(size_t contacts, size_t bodies);
void impinge_graph_colour(const impinge_contact_graph *graph, void *workspace,
                          impinge_contact_groups *colours);
void impinge_graph_count_sharing(const impinge_contact_graph *graph, uint32_t *sharing);
size_t impinge_graph_islands_size(size_t contacts, size_t bodies);
void impinge_graph_islands(const impinge_contact_graph *graph, void *workspace,
                           impinge_contact_groups *islands);

#endif
