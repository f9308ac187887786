/* Colours and islands, against colourings and islands found in the simplest way. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "random_contacts.h"

/* Contacts and bodies, and whether bodies can move. */
typedef struct graph {
    impinge_contact_graph of;
    uint32_t *index_a, *index_b;
    uint8_t *immovable;
} graph;

static void *array_new(size_t count, size_t size) {
    void *array = calloc(count + 1, size);
    cr_assert_not_null(array);
    return array;
}

static graph graph_new(size_t contacts, size_t bodies) {
    graph g = {.index_a = array_new(contacts, sizeof *g.index_a),
               .index_b = array_new(contacts, sizeof *g.index_b),
               .immovable = array_new(bodies, 1)};
    g.of = (impinge_contact_graph){.contacts = contacts,
                                   .index_a = g.index_a,
                                   .index_b = g.index_b,
                                   .bodies = bodies,
                                   .immovable = g.immovable};
    return g;
}

static void graph_free(graph *g) {
    free(g->index_a);
    free(g->index_b);
    free(g->immovable);
}

/* A body, the world, or an index that is none. */
static uint32_t random_index(uint64_t *state, size_t bodies) {
    const unsigned which = random_below(state, 32);
    if (which == 0) return IMPINGE_WORLD;
    if (which == 1) return (uint32_t)bodies + random_below(state, 3);
    return random_below(state, (unsigned)bodies);
}

static graph random_graph(uint64_t *state, size_t contacts, size_t bodies) {
    graph g = graph_new(contacts, bodies);
    for (size_t i = 0; i < contacts; i++) {
        g.index_a[i] = random_index(state, bodies);
        g.index_b[i] = random_index(state, bodies);
    }
    for (size_t b = 0; b < bodies; b++)
        g.immovable[b] = (uint8_t)(random_below(state, 8) == 0 ? 1 + random_below(state, 255) : 0);
    if (random_below(state, 4) == 0) g.of.immovable = NULL;
    return g;
}

/* Body i touches body i + 1. */
static graph chain(size_t contacts) {
    graph g = graph_new(contacts, contacts + 1);
    for (size_t i = 0; i < contacts; i++) {
        g.index_a[i] = (uint32_t)i;
        g.index_b[i] = (uint32_t)i + 1;
    }
    return g;
}

/* Body 0 touches all others. */
static graph star(size_t contacts) {
    graph g = graph_new(contacts, contacts + 1);
    for (size_t i = 0; i < contacts; i++) {
        (i % 2 == 0 ? g.index_a : g.index_b)[i] = 0;
        (i % 2 == 0 ? g.index_b : g.index_a)[i] = (uint32_t)i + 1;
    }
    return g;
}

static bool is_movable(const graph *g, uint32_t index) {
    return index < g->of.bodies && !(g->of.immovable && g->of.immovable[index]);
}

/* Workspace of just the size that is asked for, full of anything; a word behind it is watched. */
static void *workspace_new(size_t bytes) {
    cr_assert_neq(bytes, SIZE_MAX);
    unsigned char *workspace = array_new(bytes + 8, 1);
    memset(workspace, 0xa7, bytes + 8);
    return workspace;
}

static void workspace_free(void *workspace, size_t bytes) {
    for (size_t i = 0; i < 8; i++)
        cr_assert_eq(((unsigned char *)workspace)[bytes + i], 0xa7, "more than the workspace");
    free(workspace);
}

/* ---- Colours ---- */

/* Filled with anything before: all is written. */
static impinge_contact_groups coloured(const graph *g) {
    const size_t bytes = impinge_colour_contacts_workspace(g->of.contacts, g->of.bodies);
    void *workspace = workspace_new(bytes);
    impinge_contact_groups c;
    memset(&c, 0x5a, sizeof c);
    c.order = array_new(g->of.contacts, sizeof *c.order);
    memset(c.order, 0x5a, g->of.contacts * sizeof *c.order);
    c.starts = array_new(IMPINGE_COLOURS_MAX + 1, sizeof *c.starts);
    memset(c.starts, 0x5a, (IMPINGE_COLOURS_MAX + 1) * sizeof *c.starts);
    cr_assert_eq(impinge_colour_contacts(&g->of, workspace, &c), IMPINGE_OK);
    workspace_free(workspace, bytes);
    return c;
}

/* The first colour that neither body has, contact by contact; a list of colours for each body. */
static uint32_t *first_fit(const graph *g) {
    uint32_t *const colour = array_new(g->of.contacts, sizeof *colour);
    const size_t most = g->of.contacts + 1;
    bool *const has = array_new(g->of.bodies * most, sizeof *has);
    for (size_t i = 0; i < g->of.contacts; i++) {
        const uint32_t index[2] = {g->index_a[i], g->index_b[i]};
        uint32_t k = 0;
        for (bool found = false; !found; k += !found) {
            found = true;
            for (size_t side = 0; side < 2; side++)
                if (is_movable(g, index[side]) && has[index[side] * most + k]) found = false;
        }
        for (size_t side = 0; side < 2; side++)
            if (is_movable(g, index[side])) has[index[side] * most + k] = true;
        colour[i] = k;
    }
    free(has);
    return colour;
}

/* That it is the colouring by `expected`, those beyond the most colours last; numbers ascending. */
static void check_colouring(const graph *g, const impinge_contact_groups *c,
                            const uint32_t *expected) {
    size_t at = 0, colours = 0;
    for (size_t i = 0; i < g->of.contacts; i++)
        if (expected[i] < IMPINGE_COLOURS_MAX && expected[i] >= colours) colours = expected[i] + 1;
    cr_assert_eq(c->count, colours, "%zu colours, not %zu", c->count, colours);
    for (size_t k = 0; k <= colours; k++) {
        cr_assert_eq(c->starts[k], at, "colour %zu starts at %u, not %zu", k, c->starts[k], at);
        for (size_t i = 0; i < g->of.contacts; i++) {
            const bool here = k < colours ? expected[i] == k : expected[i] >= IMPINGE_COLOURS_MAX;
            if (!here) continue;
            cr_assert_eq(c->order[at], i, "order[%zu] is %u, not %zu", at, (unsigned)c->order[at],
                         i);
            at++;
        }
    }
    cr_assert_eq(at, g->of.contacts);
}

/* The purpose of colours: none has a movable body twice. */
static void check_independent(const graph *g, const impinge_contact_groups *c) {
    size_t *const last = array_new(g->of.bodies, sizeof *last);
    for (size_t k = 0; k < c->count; k++) {
        for (size_t i = c->starts[k]; i < c->starts[k + 1]; i++) {
            const uint32_t index[2] = {g->index_a[c->order[i]], g->index_b[c->order[i]]};
            for (size_t side = 0; side < 2; side++) {
                if (!is_movable(g, index[side]) || (side == 1 && index[0] == index[1])) continue;
                cr_assert_neq(last[index[side]], k + 1, "colour %zu has body %u twice", k,
                              (unsigned)index[side]);
                last[index[side]] = k + 1;
            }
        }
    }
    free(last);
}

static void check_colours(const graph *g, size_t at_least) {
    uint32_t *const expected = first_fit(g);
    impinge_contact_groups c = coloured(g), again = coloured(g);
    check_colouring(g, &c, expected);
    check_independent(g, &c);
    cr_assert_eq(memcmp(c.order, again.order, g->of.contacts * sizeof *c.order), 0);
    cr_assert_geq(c.count, at_least, "%zu colours", c.count);
    free(again.order);
    free(again.starts);
    free(c.order);
    free(c.starts);
    free(expected);
}

Test(groups, colours_of_random_graphs) {
    uint64_t state = 201;
    const size_t sizes[][2] = {{0, 3}, {1, 1}, {5, 0 + 1}, {400, 7}, {400, 40}, {400, 900}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int round = 0; round < 20; round++) {
            graph g = random_graph(&state, sizes[i][0], sizes[i][1]);
            check_colours(&g, 0);
            graph_free(&g);
        }
    }
}

Test(groups, colours_of_a_chain) {
    graph g = chain(500);
    check_colours(&g, 2);
    graph_free(&g);
}

/* More colours than a word has bits; and few if the hub is immovable. */
Test(groups, colours_of_a_hub) {
    graph g = star(200);
    check_colours(&g, 200);
    g.immovable[0] = 1;
    impinge_contact_groups c = coloured(&g);
    cr_assert_eq(c.count, 1);
    free(c.order);
    free(c.starts);
    graph_free(&g);
}

/* A hub among random contacts: waiting ones and others of a round are mixed. */
Test(groups, colours_of_hubs_among_others) {
    uint64_t state = 202;
    graph g = random_graph(&state, 1500, 60);
    for (size_t i = 0; i < g.of.contacts; i += 3)
        g.index_a[i] = random_below(&state, 3);
    g.of.immovable = NULL;
    check_colours(&g, 129);
    graph_free(&g);
}

/* From the last colour on contacts stand alone; others still find a colour behind them. */
Test(groups, colours_beyond_the_most) {
    enum { HUB = 1100, ALL = HUB + 50 };
    graph g = graph_new(ALL, ALL + 2);
    for (size_t i = 0; i < ALL; i++) {
        g.index_a[i] = i < HUB ? 0 : (uint32_t)i;
        g.index_b[i] = (uint32_t)i + 1;
    }
    check_colours(&g, IMPINGE_COLOURS_MAX);
    impinge_contact_groups c = coloured(&g);
    cr_assert_eq(c.starts[c.count], ALL - (HUB - IMPINGE_COLOURS_MAX));
    free(c.order);
    free(c.starts);
    graph_free(&g);
}

/* ---- Islands ---- */

/* Filled with anything before: all that is said is written. */
static impinge_contact_groups islands_of(const graph *g) {
    const size_t bytes = impinge_find_islands_workspace(g->of.contacts, g->of.bodies);
    void *workspace = workspace_new(bytes);
    impinge_contact_groups found = {.order = array_new(g->of.contacts, sizeof *found.order),
                                    .starts = array_new(g->of.contacts + 1, sizeof *found.starts),
                                    .count = 77};
    memset(found.order, 0x5a, g->of.contacts * sizeof *found.order);
    memset(found.starts, 0x5a, (g->of.contacts + 1) * sizeof *found.starts);
    cr_assert_eq(impinge_find_islands(&g->of, workspace, &found), IMPINGE_OK);
    workspace_free(workspace, bytes);
    return found;
}

static void islands_free(impinge_contact_groups *islands) {
    free(islands->order);
    free(islands->starts);
}

static bool share(const graph *g, size_t i, size_t j) {
    const uint32_t a = g->index_a[i], b = g->index_b[i];
    return (is_movable(g, a) && (a == g->index_a[j] || a == g->index_b[j])) ||
           (is_movable(g, b) && (b == g->index_a[j] || b == g->index_b[j]));
}

/* By flood: the island of each contact, numbered by their first ones. Returns how many. */
static size_t flood(const graph *g, size_t *island) {
    const size_t none = SIZE_MAX;
    size_t count = 0;
    size_t *const stack = array_new(g->of.contacts, sizeof *stack);
    for (size_t i = 0; i < g->of.contacts; i++)
        island[i] = none;
    for (size_t first = 0; first < g->of.contacts; first++) {
        if (island[first] != none) continue;
        size_t waiting = 0;
        island[first] = count;
        stack[waiting++] = first;
        while (waiting > 0) {
            const size_t i = stack[--waiting];
            for (size_t j = 0; j < g->of.contacts; j++) {
                if (island[j] != none || !share(g, i, j)) continue;
                island[j] = count;
                stack[waiting++] = j;
            }
        }
        count++;
    }
    free(stack);
    return count;
}

static size_t check_islands(const graph *g) {
    size_t *const expected = array_new(g->of.contacts, sizeof *expected);
    const size_t count = flood(g, expected);
    impinge_contact_groups found = islands_of(g);
    cr_assert_eq(found.count, count, "%zu islands, not %zu", found.count, count);
    size_t at = 0;
    for (size_t k = 0; k < count; k++) {
        cr_assert_eq(found.starts[k], at);
        for (size_t i = 0; i < g->of.contacts; i++) {
            if (expected[i] != k) continue;
            cr_assert_eq(found.order[at], i, "order[%zu] is %u, not %zu", at,
                         (unsigned)found.order[at], i);
            at++;
        }
    }
    cr_assert_eq(found.starts[count], g->of.contacts);
    islands_free(&found);
    free(expected);
    return count;
}

Test(groups, islands_of_random_graphs) {
    uint64_t state = 203;
    const size_t sizes[][2] = {{0, 3}, {1, 1}, {300, 7}, {300, 300}, {300, 700}, {300, 3000}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int round = 0; round < 10; round++) {
            graph g = random_graph(&state, sizes[i][0], sizes[i][1]);
            check_islands(&g);
            graph_free(&g);
        }
    }
}

Test(groups, islands_of_chains_and_stars) {
    graph g = chain(400);
    cr_assert_eq(check_islands(&g), 1);
    /* An immovable link parts it. */
    g.immovable[200] = 1;
    cr_assert_eq(check_islands(&g), 2);
    /* Two immovable bodies: their contact stands alone, and all of it if there is nothing else. */
    g.immovable[201] = 1;
    cr_assert_eq(check_islands(&g), 3);
    memset(g.immovable, 1, g.of.bodies);
    cr_assert_eq(check_islands(&g), g.of.contacts);
    graph_free(&g);

    g = star(300);
    cr_assert_eq(check_islands(&g), 1);
    g.immovable[0] = 1;
    cr_assert_eq(check_islands(&g), g.of.contacts);
    graph_free(&g);
}

/* The chain in an order in which each contact joins two islands as late as can be. */
Test(groups, islands_joined_in_any_order) {
    uint64_t state = 204;
    graph g = chain(500);
    for (size_t i = g.of.contacts - 1; i > 0; i--) {
        const size_t j = random_below(&state, (unsigned)i + 1);
        const uint32_t a = g.index_a[i], b = g.index_b[i];
        g.index_a[i] = g.index_b[j]; /* and turned */
        g.index_b[i] = g.index_a[j];
        g.index_a[j] = a;
        g.index_b[j] = b;
    }
    cr_assert_eq(check_islands(&g), 1);
    graph_free(&g);
}

/* ---- Both ---- */

Test(groups, workspaces) {
    cr_assert_eq(impinge_colour_contacts_workspace(1000, 10), 1000 * 4 + 10 * 8);
    cr_assert_eq(impinge_find_islands_workspace(1000, 10), 1000 * 4 + 10 * 8);
    const size_t much[][2] = {{UINT32_MAX, 1}, {1, (size_t)UINT32_MAX + 1}, {SIZE_MAX, SIZE_MAX}};
    for (size_t i = 0; i < 3; i++) {
        cr_expect_eq(impinge_colour_contacts_workspace(much[i][0], much[i][1]), SIZE_MAX);
        cr_expect_eq(impinge_find_islands_workspace(much[i][0], much[i][1]), SIZE_MAX);
    }
}

Test(groups, statuses) {
    graph g = chain(3);
    uint64_t workspace[64];
    uint32_t order[3], starts[4];
    uint32_t colour_starts[IMPINGE_COLOURS_MAX + 1];
    impinge_contact_groups colouring = {.order = order, .starts = colour_starts, .count = 77};
    impinge_contact_groups no_order = {.starts = colour_starts}, no_starts = {.order = order};
    impinge_contact_groups islands = {.order = order, .starts = starts, .count = 77}, lacking = {0};
    impinge_contact_graph lacks_a = g.of, lacks_b = g.of, many = g.of, large = g.of;
    lacks_a.index_a = NULL;
    lacks_b.index_b = NULL;
    many.contacts = UINT32_MAX;
    large.bodies = (size_t)UINT32_MAX + 1;
    const struct {
        const impinge_contact_graph *graph;
        void *workspace;
        impinge_status status;
    } wrong[] = {{NULL, workspace, IMPINGE_ERROR_NULL_POINTER},
                 {&lacks_a, workspace, IMPINGE_ERROR_NULL_POINTER},
                 {&lacks_b, workspace, IMPINGE_ERROR_NULL_POINTER},
                 {&g.of, NULL, IMPINGE_ERROR_NULL_POINTER},
                 {&many, workspace, IMPINGE_ERROR_COUNT},
                 {&large, workspace, IMPINGE_ERROR_COUNT}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(impinge_colour_contacts(wrong[i].graph, wrong[i].workspace, &colouring),
                     wrong[i].status, "colours: %zu", i);
        cr_expect_eq(impinge_find_islands(wrong[i].graph, wrong[i].workspace, &islands),
                     wrong[i].status, "islands: %zu", i);
    }
    cr_expect_eq(impinge_colour_contacts(&g.of, workspace, NULL), IMPINGE_ERROR_NULL_POINTER);
    cr_expect_eq(impinge_colour_contacts(&g.of, workspace, &no_order), IMPINGE_ERROR_NULL_POINTER);
    cr_expect_eq(impinge_colour_contacts(&g.of, workspace, &no_starts), IMPINGE_ERROR_NULL_POINTER);
    cr_expect_eq(impinge_find_islands(&g.of, workspace, NULL), IMPINGE_ERROR_NULL_POINTER);
    cr_expect_eq(impinge_find_islands(&g.of, workspace, &lacking), IMPINGE_ERROR_NULL_POINTER);
    lacking.starts = starts;
    cr_expect_eq(impinge_find_islands(&g.of, workspace, &lacking), IMPINGE_ERROR_NULL_POINTER);
    cr_expect(colouring.count == 77 && islands.count == 77, "an error, and something is written");

    /* Without contacts no array is needed. */
    const impinge_contact_graph nothing = {0};
    cr_expect_eq(impinge_colour_contacts(&nothing, NULL, &no_order), IMPINGE_OK);
    cr_expect(no_order.count == 0 && no_order.starts[0] == 0);
    cr_expect_eq(impinge_find_islands(&nothing, NULL, &lacking), IMPINGE_OK);
    cr_expect(lacking.count == 0 && starts[0] == 0);
    graph_free(&g);
}
