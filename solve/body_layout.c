/* The layout of a step's contacts: in pairs, by colour, in groups of lanes. */
#include <string.h>

#include "bodies.h"
#include "body_groups.h"
#include "body_shares.h"
#include "carving.h"
#include "graph.h"

static void carve_impacts(NAME(impact_room) * r, carving_t *c, size_t contacts, size_t bodies) {
    const size_t ties = contacts < TIES_MAX ? contacts : TIES_MAX;
    r->approach = carve(c, contacts, sizeof(real_t));
    r->fastest = carve(c, bodies, sizeof(real_t));
    r->touched = carve(c, bodies, sizeof(uint8_t));
    r->settled = carve(c, contacts, sizeof(uint8_t));
    r->waits = carve(c, contacts, sizeof(uint8_t));
    r->parent = carve(c, bodies, sizeof(uint32_t));
    r->head = carve(c, bodies, sizeof(uint32_t));
    uint32_t **const words[] = {&r->next, &r->leading, &r->picked, &r->outcome, &r->outcomes};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        *words[i] = carve(c, contacts, sizeof(uint32_t));
    for (size_t k = 0; k < 6; k++) {
        r->arm[k] = carve(c, contacts, sizeof(real_t));
        r->result[k] = carve(c, contacts, sizeof(real_t));
        r->sum[k] = carve(c, contacts, sizeof(real_t));
    }
    r->tied = carve(c, ties, sizeof(uint32_t));
    r->ties = carve(c, 1, NAME(impinge_ties_size)(ties));
    r->fallen = carve(c, ties, sizeof *r->fallen);
    r->tied_velocity = carve(c, ties, sizeof *r->tied_velocity);
}

size_t NAME(impinge_stage_carve)(NAME(body_stage) * s, void *workspace, size_t contacts,
                                 size_t bodies) {
    /* In each colour, the last groups of manifolds and of single contacts may have lanes to spare,
     * and a group's pairs fewer contacts than its first; the total is less than this. */
    const size_t lanes = contacts + WIDE_COLOURS * LANES_MAX * 2;
    const size_t slots = contacts + WIDE_COLOURS * LANES_MAX * (MANIFOLD_MAX + 1);
    const size_t rows = (bodies + 1 + lanes) * BODY_ROW;
    carving_t c = {workspace, 0};
    NAME(impinge_body_rest) *const r = &s->rest;
    (void)carve(&c, 1, sizeof *s);
    r->rows = carve(&c, rows, sizeof(real_t));
    r->start = carve(&c, rows, sizeof(real_t));
    r->mass = carve(&c, rows, sizeof(real_t));
    r->shift = carve(&c, rows, sizeof(real_t));
    r->swept = carve(&c, rows, sizeof(real_t));
    r->ahead_rows = carve(&c, rows, sizeof(real_t));
    r->body_word = carve(&c, bodies + 1, sizeof(uint32_t));
    r->sharing = carve(&c, bodies + 1, sizeof(uint32_t));
    carve_groups(r, &s->colours, &s->pair_of, &c, lanes, slots);
    r->number = carve(&c, slots, sizeof(uint32_t));
    r->word = carve(&c, contacts, sizeof(uint32_t));
    real_t **const of_contacts[] = {&r->work_0, &r->work, &r->scale, &r->change};
    for (size_t i = 0; i < sizeof of_contacts / sizeof *of_contacts; i++)
        *of_contacts[i] = carve(&c, contacts, sizeof(real_t));
    uint32_t **const of_pairs[] = {&s->order,        &s->pair_first,    &s->pair_a,
                                   &s->pair_b,       &s->colours.group, &s->islands.starts,
                                   &s->sorted,       &s->islands.order, &s->colours.run,
                                   &s->colours.lane, &s->coloured};
    for (size_t i = 0; i < sizeof of_pairs / sizeof *of_pairs; i++)
        *of_pairs[i] = carve(&c, contacts + 1, sizeof(uint32_t));
    s->contacts_in = carve(&c, contacts, sizeof(uint8_t));
    r->swamps = carve(&c, contacts, sizeof(uint8_t));
    s->immovable = carve(&c, bodies, sizeof(uint8_t));
    s->island_of = carve(&c, bodies, sizeof(uint32_t));
    s->island_scale = carve(&c, contacts, sizeof(double));
    s->body_works = carve(&c, BODY_WORKS * bodies, sizeof(double));
    s->colouring = carve(&c, 1, impinge_graph_colour_size(contacts, bodies));
    s->uniting = carve(&c, 1, impinge_graph_islands_size(contacts, bodies));
    carve_impacts(&s->impacts, &c, contacts, bodies);
    NAME(impinge_focus_carve)(&s->focus, &c, contacts, bodies);
    return c.size;
}

/* ---- Pairs ---- */

static bool is_body(const NAME(body_stage) * s, uint32_t index) {
    return index < s->rest.bodies->count;
}

/* True if a contact is between two bodies, a body and the world, or the world and itself. */
static bool names_pair(const NAME(body_stage) * s, size_t contact) {
    const uint32_t a = body_a_of(s->rest.contacts, contact);
    const uint32_t b = body_b_of(s->rest.contacts, contact);
    return (is_body(s, a) || a == IMPINGE_WORLD) && (is_body(s, b) || b == IMPINGE_WORLD) &&
           (a != b || a == IMPINGE_WORLD);
}

/*
 * Lists the valid contacts in their order; for the others, which impacts have rejected or which
 * have no valid bodies, writes the reason.
 */
static size_t list_contacts(NAME(body_stage) * s) {
    size_t count = 0;
    for (size_t i = 0; i < s->rest.contacts->count; i++) {
        const uint32_t refused =
            s->collides ? s->impacts.outcomes[i] & IMPINGE_OUTCOME_INVALID_REASONS : 0;
        const bool right = names_pair(s, i) && refused == 0;
        s->rest.word[i] = right || refused ? refused : (uint32_t)IMPINGE_OUTCOME_INVALID_INDEX;
        if (right && !(s->some_wait && s->impacts.waits[i])) s->order[count++] = (uint32_t)i;
    }
    return count;
}

/* Sorts the contacts by their keys: a merge sort, so that equal keys stay in the list's order. */
static void sort_by_key(NAME(body_stage) * s, size_t count) {
    uint32_t *from = s->order;
    uint32_t *to = s->sorted;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t first = 0; first < count; first += 2 * width) {
            const size_t middle = first + width < count ? first + width : count;
            const size_t end = first + 2 * width < count ? first + 2 * width : count;
            size_t left = first, right = middle;
            for (size_t i = first; i < end; i++) {
                const bool takes_left =
                    left < middle &&
                    (right == end || key_of(s, from[left]) <= key_of(s, from[right]));
                to[i] = takes_left ? from[left++] : from[right++];
            }
        }
        uint32_t *const swapped = from;
        from = to;
        to = swapped;
    }
    s->order = from;
    s->sorted = to;
}

/* True if the contact in place i of the order belongs to the pair that began at `first`. */
static bool continues_pair(const NAME(body_stage) * s, size_t first, size_t i) {
    const NAME(impinge_indexed_contacts) *const c = s->rest.contacts;
    const uint32_t one = s->order[first];
    const uint32_t other = s->order[i];
    return !s->ways.unordered && i - first < MANIFOLD_MAX &&
           body_a_of(c, one) == body_a_of(c, other) && body_b_of(c, one) == body_b_of(c, other);
}

static void find_pairs(NAME(body_stage) * s, size_t count) {
    s->pairs = 0;
    for (size_t first = 0; first < count;) {
        size_t end = first + 1;
        while (end < count && continues_pair(s, first, end))
            end++;
        const uint32_t contact = s->order[first];
        s->pair_first[s->pairs] = (uint32_t)first;
        s->pair_a[s->pairs] = body_a_of(s->rest.contacts, contact);
        s->pair_b[s->pairs] = body_b_of(s->rest.contacts, contact);
        s->contacts_in[s->pairs] = (uint8_t)(end - first);
        s->pairs++;
        first = end;
    }
    s->pair_first[s->pairs] = (uint32_t)count;
}

static void count_sharing(NAME(body_stage) * s, size_t count) {
    uint32_t *const sharing = s->rest.sharing;
    const size_t bodies = s->rest.bodies->count;
    memset(sharing, 0, bodies * sizeof *sharing);
    sharing[bodies] = 1;
    for (size_t i = 0; i < count; i++) {
        const uint32_t a = body_a_of(s->rest.contacts, s->order[i]);
        const uint32_t b = body_b_of(s->rest.contacts, s->order[i]);
        if (a != IMPINGE_WORLD) sharing[a]++;
        if (b != IMPINGE_WORLD) sharing[b]++;
    }
}

/* ---- Groups ---- */

static void fill_side(const NAME(body_stage) * s, uint32_t body, size_t lane, uint32_t *from,
                      uint32_t *to) {
    const size_t bodies = s->rest.bodies->count;
    const bool given = is_body(s, body);
    row_of(bodies, given ? body : bodies, given && !s->immovable[body], lane, from, to);
}

static void fill_lane(NAME(body_stage) * s, const rest_group *g, size_t lanes, size_t j) {
    NAME(impinge_body_rest) *const r = &s->rest;
    const size_t lane = g->lane + j;
    const uint32_t pair = s->pair_of[lane];
    const bool none = pair == NO_PAIR;
    const uint32_t contacts = none ? 0 : s->contacts_in[pair];
    fill_side(s, none ? IMPINGE_WORLD : s->pair_a[pair], lane, &r->from_a[lane], &r->to_a[lane]);
    fill_side(s, none ? IMPINGE_WORLD : s->pair_b[pair], lane, &r->from_b[lane], &r->to_b[lane]);
    for (uint32_t k = 0; k < g->depth; k++)
        r->number[g->slot + k * lanes + j] =
            k < contacts ? s->order[s->pair_first[pair] + k] : NO_CONTACT;
}

/* The member's groups, which are also its own in the work that follows. */
void NAME(impinge_stage_fill_lanes)(NAME(body_stage) * s, const impinge_team *team) {
    const rest_order *const colours = &s->colours;
    for (size_t c = 0; c < colours->count; c++) {
        const size_t lanes = colour_lanes(s, c);
        for (size_t run = colours->run[c]; run < colours->run[c + 1]; run++) {
            const range_t share = of_run(colours, team, c, run);
            for (size_t g = share.first; g < share.end; g++)
                for (size_t j = 0; j < lanes; j++)
                    fill_lane(s, &s->rest.group[g], lanes, j);
        }
    }
}

static impinge_contact_graph graph_of(const NAME(body_stage) * s) {
    return (impinge_contact_graph){.contacts = s->pairs,
                                   .index_a = s->pair_a,
                                   .index_b = s->pair_b,
                                   .bodies = s->rest.bodies->count,
                                   .immovable = s->immovable};
}

void NAME(impinge_stage_find_groups)(NAME(body_stage) * s) {
    uint32_t starts[IMPINGE_COLOURS_MAX + 1];
    const impinge_contact_graph graph = graph_of(s);
    impinge_contact_groups colours = {.order = s->coloured, .starts = starts};
    impinge_graph_colour(&graph, s->colouring, &colours);
    grouping_t to = {.colours = &s->colours,
                     .group = s->rest.group,
                     .pair = s->pair_of,
                     .contacts = s->contacts_in};
    groups_begin(&to);
    s->colours.wide = colours.count < WIDE_COLOURS ? colours.count : WIDE_COLOURS;
    for (size_t c = 0; c < colours.count; c++) {
        const size_t first = colours.starts[c];
        const size_t count = colours.starts[c + 1] - first;
        sort_colour(s->contacts_in, colours.order + first, count, s->sorted + first);
        add_colour(&to, s->sorted + first, count, colour_lanes(s, c));
    }
    /* Pairs without a colour share bodies with each other: each is a colour of its own. */
    for (size_t i = colours.starts[colours.count]; i < s->pairs; i++)
        add_colour(&to, colours.order + i, 1, 1);
}

void NAME(impinge_stage_find_islands)(NAME(body_stage) * s) {
    const impinge_contact_graph graph = graph_of(s);
    impinge_graph_islands(&graph, s->uniting, &s->islands);
}

static bool has_valid_contact(const NAME(body_stage) * s, size_t pair) {
    for (uint32_t k = s->pair_first[pair]; k < s->pair_first[pair + 1]; k++)
        if (s->rest.word[s->order[k]] == 0) return true;
    return false;
}

void NAME(impinge_stage_part_islands)(NAME(body_stage) * s) {
    bool parts = false;
    for (size_t p = 0; p < s->pairs; p++) {
        if (has_valid_contact(s, p)) continue;
        s->pair_a[p] = s->pair_b[p] = IMPINGE_WORLD;
        parts = true;
    }
    if (parts) NAME(impinge_stage_find_islands)(s);
}

void NAME(impinge_stage_find_pairs)(NAME(body_stage) * s) {
    const size_t contacts = list_contacts(s);
    if (s->ways.unordered) sort_by_key(s, contacts);
    if (NAME(impinge_rest_counts)(&s->rest)) count_sharing(s, contacts);
    find_pairs(s, contacts);
    for (size_t i = 0; i < s->rest.bodies->count; i++) {
        s->immovable[i] = !(s->rest.body_word[i] & BODY_MOVABLE);
        s->island_of[i] = UINT32_MAX;
    }
}
