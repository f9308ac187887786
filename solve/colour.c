/*
 * The greedy colouring, 64 colours at a time: a word for each body holds the colours of a round
 * that it has. A contact whose two bodies together have all 64 waits for the next round, so that
 * every contact gets the colour that a search of all colours, one after the other, would give it.
 */
#include "graph.h"

#include <string.h>

#define ROUND_COLOURS 64

/* The colour of a contact that waits. */
#define NO_COLOUR UINT32_MAX

typedef struct greedy {
    const impinge_contact_graph *graph;
    uint64_t *taken; /* for each body, in this round */
    uint32_t *of;    /* for each contact */
} greedy;

static size_t lowest_bit(uint64_t bits) { return (size_t)__builtin_ctzll(bits); }

size_t impinge_graph_colour_size(size_t contacts, size_t bodies) {
    return graph_workspace(contacts, sizeof(uint32_t), bodies, sizeof(uint64_t));
}

static uint64_t taken_by(const greedy *c, uint32_t body) {
    return graph_shares(c->graph, body) ? c->taken[body] : 0;
}

static void take(greedy *c, uint32_t body, uint64_t bit) {
    if (graph_shares(c->graph, body)) c->taken[body] |= bit;
}

/* Gives colours of this round to contacts that wait. Returns how many still do. */
static size_t colour_round(greedy *c, size_t round) {
    const impinge_contact_graph *const graph = c->graph;
    size_t waiting = 0;
    memset(c->taken, 0, graph->bodies * sizeof *c->taken);
    for (size_t i = 0; i < graph->contacts; i++) {
        if (c->of[i] != NO_COLOUR) continue;
        const uint32_t a = graph_a_of(graph, i);
        const uint32_t b = graph_b_of(graph, i);
        const uint64_t taken = taken_by(c, a) | taken_by(c, b);
        if (taken == UINT64_MAX) {
            waiting++;
            continue;
        }
        const size_t colour = lowest_bit(~taken);
        take(c, a, UINT64_C(1) << colour);
        take(c, b, UINT64_C(1) << colour);
        c->of[i] = (uint32_t)(round * ROUND_COLOURS + colour);
    }
    return waiting;
}

/* Counts the contacts of each colour, at its number plus one. Returns the number of colours. */
static size_t count_colours(const greedy *c, uint32_t *counts) {
    size_t colours = 0;
    memset(counts, 0, (IMPINGE_COLOURS_MAX + 1) * sizeof *counts);
    for (size_t i = 0; i < c->graph->contacts; i++) {
        const size_t colour = c->of[i];
        if (colour == NO_COLOUR) continue;
        counts[colour + 1]++;
        if (colour >= colours) colours = colour + 1;
    }
    return colours;
}

/* Contacts by colour, ascending in each: a counting sort. */
static void sort_by_colour(const greedy *c, impinge_contact_groups *colours) {
    uint32_t *const starts = colours->starts;
    colours->count = count_colours(c, starts);
    for (size_t k = 0; k < IMPINGE_COLOURS_MAX; k++)
        starts[k + 1] += starts[k];
    uint32_t next[IMPINGE_COLOURS_MAX + 1];
    memcpy(next, starts, sizeof next);
    for (size_t i = 0; i < c->graph->contacts; i++) {
        /* Contacts without a colour come last. */
        const size_t colour = c->of[i] == NO_COLOUR ? IMPINGE_COLOURS_MAX : c->of[i];
        colours->order[next[colour]++] = (uint32_t)i;
    }
}

void impinge_graph_colour(const impinge_contact_graph *graph, void *workspace,
                          impinge_contact_groups *colours) {
    greedy c = {.graph = graph, .taken = workspace};
    c.of = (uint32_t *)(void *)(c.taken + graph->bodies);
    for (size_t i = 0; i < graph->contacts; i++)
        c.of[i] = NO_COLOUR;
    size_t waiting = graph->contacts;
    for (size_t round = 0; waiting > 0 && round < IMPINGE_COLOURS_MAX / ROUND_COLOURS; round++)
        waiting = colour_round(&c, round);
    sort_by_colour(&c, colours);
}

void impinge_graph_count_sharing(const impinge_contact_graph *graph, uint32_t *sharing) {
    for (size_t i = 0; i < graph->bodies; i++)
        sharing[i] = 0;
    for (size_t i = 0; i < graph->contacts; i++) {
        const uint32_t a = graph_a_of(graph, i);
        const uint32_t b = graph_b_of(graph, i);
        const bool a_is = a < graph->bodies || a == IMPINGE_WORLD;
        const bool b_is = b < graph->bodies || b == IMPINGE_WORLD;
        if (!a_is || !b_is || a == b) continue;
        if (graph_shares(graph, a)) sharing[a]++;
        if (graph_shares(graph, b)) sharing[b]++;
    }
    for (size_t i = 0; i < graph->bodies; i++)
        if (sharing[i] == 0) sharing[i] = 1;
}
