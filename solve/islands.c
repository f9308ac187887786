/* Islands by union and find: each body points towards the one that represents its island. */
#include "graph.h"
#include "union.h"

#define NO_ISLAND UINT32_MAX

size_t impinge_graph_islands_size(size_t contacts, size_t bodies) {
    return graph_workspace(contacts, sizeof(uint32_t), bodies, 2 * sizeof(uint32_t));
}

typedef struct finding {
    const impinge_contact_graph *graph;
    uint32_t *parent;    /* of each body */
    uint32_t *island_of; /* of each body that represents one */
    uint32_t *of;        /* the island of each contact */
} finding;

/* A body of the contact that other contacts may share; graph->bodies if there is none. */
static size_t shared_body(const finding *f, size_t contact) {
    const uint32_t a = graph_a_of(f->graph, contact);
    const uint32_t b = graph_b_of(f->graph, contact);
    if (graph_shares(f->graph, a)) return a;
    return graph_shares(f->graph, b) ? b : f->graph->bodies;
}

static void unite_all(finding *f) {
    const impinge_contact_graph *const graph = f->graph;
    for (size_t body = 0; body < graph->bodies; body++) {
        f->parent[body] = (uint32_t)body;
        f->island_of[body] = NO_ISLAND;
    }
    for (size_t i = 0; i < graph->contacts; i++) {
        const uint32_t a = graph_a_of(graph, i);
        const uint32_t b = graph_b_of(graph, i);
        if (graph_shares(graph, a) && graph_shares(graph, b)) unite(f->parent, a, b);
    }
}

/*
 * Numbers islands by their first contacts. Returns their number; a contact without a movable body
 * is an island.
 */
static uint32_t number_islands(finding *f) {
    uint32_t count = 0;
    for (size_t i = 0; i < f->graph->contacts; i++) {
        const size_t body = shared_body(f, i);
        if (body == f->graph->bodies) {
            f->of[i] = count++;
            continue;
        }
        uint32_t *const island = &f->island_of[find_root(f->parent, (uint32_t)body)];
        if (*island == NO_ISLAND) *island = count++;
        f->of[i] = *island;
    }
    return count;
}

/*
 * A counting sort: starts[i] moves from the end of island i - 1 to that of island i; then all move
 * by one element.
 */
static void sort_by_island(const finding *f, impinge_contact_groups *islands) {
    uint32_t *const starts = islands->starts;
    const size_t contacts = f->graph->contacts;
    for (size_t i = 0; i <= islands->count; i++)
        starts[i] = 0;
    for (size_t i = 0; i < contacts; i++)
        starts[f->of[i] + 1]++;
    for (size_t i = 0; i < islands->count; i++)
        starts[i + 1] += starts[i];
    for (size_t i = 0; i < contacts; i++)
        islands->order[starts[f->of[i]]++] = (uint32_t)i;
    for (size_t i = islands->count; i > 0; i--)
        starts[i] = starts[i - 1];
    starts[0] = 0;
}

void impinge_graph_islands(const impinge_contact_graph *graph, void *workspace,
                           impinge_contact_groups *islands) {
    finding f = {.graph = graph, .parent = workspace};
    f.island_of = f.parent + graph->bodies;
    f.of = f.island_of + graph->bodies;
    unite_all(&f);
    islands->count = number_islands(&f);
    sort_by_island(&f, islands);
}
