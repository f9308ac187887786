/* Puts pairs of contacts into groups of lanes, colour by colour. */
#ifndef IMPINGE_SOLVE_BODY_GROUPS_H
#define IMPINGE_SOLVE_BODY_GROUPS_H

#include "body_stage.h"
#include "carving.h"

/* The pair of a lane that has none. */
#define NO_PAIR UINT32_MAX

/* Room for groups with this number of lanes and of slots in all. */
static inline void carve_groups(NAME(impinge_body_rest) * r, rest_order *colours,
                                uint32_t **pair_of, carving_t *c, size_t lanes, size_t slots) {
    r->group = carve(c, lanes, sizeof *r->group);
    colours->run_first = carve(c, lanes + 1, sizeof(uint32_t));
    uint32_t **const of_lanes[] = {&r->from_a, &r->from_b, &r->to_a, &r->to_b, pair_of};
    for (size_t i = 0; i < sizeof of_lanes / sizeof *of_lanes; i++)
        *of_lanes[i] = carve(c, lanes, sizeof(uint32_t));
    r->pair_column = carve(c, lanes * PAIR_COLUMNS, sizeof(real_t));
    r->uphill = carve(c, lanes, sizeof(real_t));
    r->changed = carve(c, lanes, sizeof(real_t));
    r->column = carve(c, slots * REST_COLUMNS, sizeof(real_t));
}

/*
 * The row from which a lane reads the body with the number `place`, and the row to which it writes
 * it. An immovable body is written to a row that is never read.
 */
static inline void row_of(size_t bodies, size_t place, bool moves, size_t lane, uint32_t *from,
                          uint32_t *to) {
    *from = (uint32_t)(place * BODY_ROW);
    *to = moves ? *from : (uint32_t)((bodies + 1 + lane) * BODY_ROW);
}

/* Groups that are being laid out. */
typedef struct grouping {
    rest_order *colours;
    rest_group *group;
    uint32_t *pair;          /* of each lane */
    const uint8_t *contacts; /* of each pair: how many */
    size_t groups, lane, slot;
} grouping_t;

/*
 * Within a colour, pairs with the most contacts come first, so that the pairs of a group have
 * similar numbers of contacts.
 */
static inline void sort_colour(const uint8_t *contacts, const uint32_t *pairs, size_t count,
                               uint32_t *sorted) {
    size_t next[MANIFOLD_MAX + 2] = {0};
    for (size_t i = 0; i < count; i++)
        next[MANIFOLD_MAX - contacts[pairs[i]] + 1]++;
    for (size_t k = 0; k <= MANIFOLD_MAX; k++)
        next[k + 1] += next[k];
    for (size_t i = 0; i < count; i++)
        sorted[next[MANIFOLD_MAX - contacts[pairs[i]]]++] = pairs[i];
}

static inline void groups_begin(const grouping_t *g) {
    rest_order *const to = g->colours;
    to->count = to->runs = 0;
    to->group[0] = to->run[0] = to->lane[0] = to->run_first[0] = 0;
}

/* The next colour: groups of `lanes` lanes for its sorted pairs. */
static inline void add_colour(grouping_t *g, const uint32_t *sorted, size_t count, size_t lanes) {
    rest_order *const to = g->colours;
    for (size_t i = 0; i < count; i += lanes) {
        rest_group *const group = &g->group[g->groups];
        *group = (rest_group){g->lane, g->slot, g->contacts[sorted[i]]};
        if (i == 0 || group->depth != group[-1].depth)
            to->run_first[to->runs++] = (uint32_t)g->groups;
        for (size_t j = 0; j < lanes; j++)
            g->pair[g->lane + j] = i + j < count ? sorted[i + j] : NO_PAIR;
        g->groups++;
        g->lane += lanes;
        g->slot += lanes * group->depth;
    }
    to->count++;
    to->group[to->count] = (uint32_t)g->groups;
    to->run[to->count] = (uint32_t)to->runs;
    to->lane[to->count] = (uint32_t)g->lane;
    to->run_first[to->runs] = (uint32_t)g->groups;
}

#endif
