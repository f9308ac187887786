/*
 * The focus: after some sweeps, most contacts of many scenes hardly change any more, while a few
 * still do (light bodies between heavy ones, a pile that still settles). Then only these are swept,
 * for some sweeps, in groups and rows of their own; and then all again, since the others depend on
 * them. Only a sweep over all contacts ends the rest, so that the residual is always that of all.
 *
 * The 403 contacts of the recorded pit take 36 sweeps to an approach of 0.01 m/s; after six of
 * them, all but 83 change by less than 1/20 of the largest change.
 */
#include <math.h>
#include <string.h>

#include "body_groups.h"
#include "body_shares.h"

typedef NAME(body_stage) stage_t;
typedef NAME(body_focus) focus_t;

/* The sweeps over all contacts before the first focus. */
#define FOCUS_FIRST 6

/* Contacts are in the focus if their residual is more than this part of the largest. */
#define FOCUS_PART 0.03

/* At most one contact in FOCUS_SHARE is in the focus. */
#define FOCUS_SHARE 4

/* With fewer contacts, groups in the focus would be all but empty. */
#define FOCUS_CONTACTS 128

/* The number of sweeps over the focus, after which one is over all contacts. */
#define FOCUS_SWEEPS 12

/*
 * A focus has helped if, when the next one begins, the residual is below FOCUS_HELPS of its former
 * value. If not, contacts outside need more sweeps: each time FOCUS_WAIT times as many, plus one.
 * (Otherwise a cluster that never converges would keep all others from converging.)
 */
#define FOCUS_HELPS 0.8
#define FOCUS_WAIT  4

void NAME(impinge_focus_carve)(focus_t *f, carving_t *c, size_t contacts, size_t bodies) {
    const size_t room = contacts / FOCUS_SHARE;
    /* As for all contacts (impinge_stage_carve). */
    const size_t lanes = room + FOCUS_COLOURS * LANES_MAX;
    const size_t slots = room + FOCUS_COLOURS * LANES_MAX * (MANIFOLD_MAX + 1);
    const size_t rows = (2 * room + 1 + lanes) * BODY_ROW;
    NAME(impinge_body_rest) *const r = &f->rest;
    f->room = room;
    real_t **const of_rows[] = {&r->rows, &r->swept, &r->ahead_rows};
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++)
        *of_rows[i] = carve(c, rows, sizeof(real_t));
    carve_groups(r, &f->colours, &f->pair_of, c, lanes, slots);
    uint32_t **const of_colours[] = {&f->colours.group, &f->colours.run, &f->colours.lane};
    for (size_t i = 0; i < sizeof of_colours / sizeof *of_colours; i++)
        *of_colours[i] = carve(c, FOCUS_COLOURS + 1, sizeof(uint32_t));
    f->pair = carve(c, room, sizeof *f->pair);
    f->order = carve(c, room, sizeof(uint32_t));
    f->sorted = carve(c, room, sizeof(uint32_t));
    f->colour = carve(c, room, sizeof(uint8_t));
    f->contacts_in = carve(c, room, sizeof(uint8_t));
    f->body = carve(c, 2 * room, sizeof(uint32_t));
    f->taken = carve(c, 2 * room, sizeof(uint32_t));
    f->number = carve(c, bodies, sizeof(uint32_t));
}

/* ---- Which contacts ---- */

/*
 * Lists the pairs with contacts whose squared change exceeds `square`; false: there are none, or
 * too many.
 */
static bool list_pairs(stage_t *s, real_t square) {
    focus_t *const f = &s->focus;
    size_t contacts = 0;
    f->pairs = 0;
    for (uint32_t c = 0; c < s->colours.count; c++)
        for (uint32_t lane = s->colours.lane[c]; lane < s->colours.lane[c + 1]; lane++) {
            if (!(s->rest.changed[lane] > square)) continue;
            const uint8_t more = s->contacts_in[s->pair_of[lane]];
            contacts += more;
            if (contacts > f->room) return false;
            f->contacts_in[f->pairs] = more;
            f->pair[f->pairs++] = (focus_pair){.colour = c, .lane = lane};
        }
    return f->pairs > 0;
}

static uint32_t number_body(stage_t *s, uint32_t body) {
    focus_t *const f = &s->focus;
    if (body == IMPINGE_WORLD) return NO_FOCUS;
    if (f->number[body] == NO_FOCUS) {
        f->number[body] = (uint32_t)f->bodies;
        f->body[f->bodies++] = body;
    }
    return f->number[body];
}

static void number_bodies(stage_t *s) {
    focus_t *const f = &s->focus;
    for (size_t i = 0; i < s->rest.bodies->count; i++)
        f->number[i] = NO_FOCUS;
    f->bodies = 0;
    for (size_t p = 0; p < f->pairs; p++) {
        const uint32_t pair = s->pair_of[f->pair[p].lane];
        f->pair[p].body[0] = number_body(s, s->pair_a[pair]);
        f->pair[p].body[1] = number_body(s, s->pair_b[pair]);
    }
}

static bool is_moved(const stage_t *s, uint32_t number) {
    return number != NO_FOCUS && !s->immovable[s->focus.body[number]];
}

/*
 * Gives each pair the first colour that none of its bodies has: in the order of the colours of all
 * contacts, so that it is no later than the one there. Returns whether there are enough.
 */
static bool colour_pairs(stage_t *s, uint32_t *count) {
    focus_t *const f = &s->focus;
    memset(f->taken, 0, f->bodies * sizeof *f->taken);
    memset(count, 0, FOCUS_COLOURS * sizeof *count);
    for (size_t p = 0; p < f->pairs; p++) {
        const uint32_t *const body = f->pair[p].body;
        uint32_t taken = 0;
        for (size_t k = 0; k < 2; k++)
            if (is_moved(s, body[k])) taken |= f->taken[body[k]];
        const uint32_t free = ~taken & ((UINT32_C(1) << FOCUS_COLOURS) - 1);
        if (free == 0) return false;
        for (size_t k = 0; k < 2; k++)
            if (is_moved(s, body[k])) f->taken[body[k]] |= free & -free;
        f->colour[p] = (uint8_t)__builtin_ctz(free);
        count[f->colour[p]]++;
    }
    return true;
}

/* Lays the pairs out by colour. */
static void group_pairs(stage_t *s, const uint32_t *count) {
    focus_t *const f = &s->focus;
    uint32_t next[FOCUS_COLOURS], sum = 0;
    for (size_t c = 0; c < FOCUS_COLOURS; c++) {
        next[c] = sum;
        sum += count[c];
    }
    for (uint32_t p = 0; p < f->pairs; p++)
        f->order[next[f->colour[p]]++] = p;
    grouping_t to = {.colours = &f->colours,
                     .group = f->rest.group,
                     .pair = f->pair_of,
                     .contacts = f->contacts_in};
    groups_begin(&to);
    for (size_t c = 0; c < FOCUS_COLOURS && count[c] > 0; c++) {
        const uint32_t first = next[c] - count[c];
        sort_colour(f->contacts_in, f->order + first, count[c], f->sorted + first);
        add_colour(&to, f->sorted + first, count[c], s->wide->lanes);
    }
    f->colours.wide = f->colours.count;
}

/* Lays out the contacts that change by more than `least`; false: it does not pay. */
static bool lay_out(stage_t *s, double least) {
    uint32_t count[FOCUS_COLOURS];
    if (!list_pairs(s, (real_t)(least * least))) return false;
    number_bodies(s);
    if (!colour_pairs(s, count)) return false;
    group_pairs(s, count);
    return true;
}

void NAME(impinge_focus_choose)(stage_t *s, double residual) {
    focus_t *const f = &s->focus;
    const size_t sweeps = s->report.sweeps;
    const size_t left = s->ways.sweeps_max - sweeps;
    f->turns = false;
    if (s->ways.unordered || !s->goes_on) return;
    if (f->is_on) {
        f->sweeps--;
        /* The last sweep is over all contacts. */
        f->turns = f->sweeps == 0 || residual <= f->enough || left == 1;
        return;
    }
    if (sweeps < FOCUS_FIRST || s->rest.contacts->count < FOCUS_CONTACTS || left == 1) return;
    if (f->waits > 0) {
        f->waits--;
        return;
    }
    f->enough = fmax(FOCUS_PART * residual, s->ways.residual_max);
    if (!lay_out(s, f->enough)) return;
    const bool helped = f->residual == 0 || residual < FOCUS_HELPS * f->residual;
    if (!helped) f->wait = FOCUS_WAIT * f->wait + 1;
    f->waits = f->wait;
    f->sweeps = FOCUS_SWEEPS;
    f->residual = residual;
    f->turns = true;
}

/* ---- To the focus ---- */

/* A slot's or a pair's columns of one lane. */
typedef struct NAME(lane_columns) {
    real_t *first;
    size_t lanes; /* from one to the next */
} columns_t;

static columns_t slot_of(const NAME(impinge_body_rest) * r, const rest_group *g, size_t lanes,
                         size_t lane, size_t slot) {
    return (columns_t){r->column + (g->slot + slot * lanes) * REST_COLUMNS + (lane - g->lane),
                       lanes};
}

static columns_t pair_columns_of(const NAME(impinge_body_rest) * r, const rest_group *g,
                                 size_t lanes, size_t lane) {
    return (columns_t){r->pair_column + g->lane * PAIR_COLUMNS + (lane - g->lane), lanes};
}

static inline void copy_columns(columns_t to, columns_t from, size_t first, size_t count) {
    real_t *y = to.first + first * to.lanes;
    const real_t *x = from.first + first * from.lanes;
    for (size_t k = 0; k < count; k++, x += from.lanes, y += to.lanes)
        *y = *x;
}

/* All lanes of a group without contacts, as clear_where in prepare.h leaves them. */
static void clear_group(const NAME(impinge_body_rest) * r, const rest_group *g, size_t lanes) {
    static const enum rest_column ones[] = {SIGMA, SIGMA + 1, COMPLIANCE, COMPLIANCE + 1, ALPHA};
    memset(pair_columns_of(r, g, lanes, g->lane).first, 0, PAIR_COLUMNS * lanes * sizeof(real_t));
    for (size_t k = 0; k < g->depth; k++) {
        real_t *const slot = slot_of(r, g, lanes, g->lane, k).first;
        memset(slot, 0, REST_COLUMNS * lanes * sizeof(real_t));
        for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
            for (size_t j = 0; j < lanes; j++)
                slot[ones[i] * lanes + j] = 1;
    }
}

/* The group of all contacts that has a pair of the focus. */
static const rest_group *group_of(const stage_t *s, const focus_pair *p) {
    const rest_order *const c = &s->colours;
    const size_t within = (p->lane - c->lane[p->colour]) / colour_lanes(s, p->colour);
    return &s->rest.group[c->group[p->colour] + within];
}

static void fill_side(stage_t *s, uint32_t number, size_t lane, uint32_t *from, uint32_t *to) {
    const size_t bodies = s->focus.bodies;
    row_of(bodies, number == NO_FOCUS ? bodies : number, is_moved(s, number), lane, from, to);
}

static void fill_lane(stage_t *s, const rest_group *g, size_t lane) {
    NAME(impinge_body_rest) *const r = &s->focus.rest;
    const size_t lanes = s->wide->lanes;
    const uint32_t pair = s->focus.pair_of[lane];
    const focus_pair *const p = pair == NO_PAIR ? NULL : &s->focus.pair[pair];
    fill_side(s, p ? p->body[0] : NO_FOCUS, lane, &r->from_a[lane], &r->to_a[lane]);
    fill_side(s, p ? p->body[1] : NO_FOCUS, lane, &r->from_b[lane], &r->to_b[lane]);
    if (!p) return;
    const rest_group *const all = group_of(s, p);
    const size_t there = colour_lanes(s, p->colour);
    copy_columns(pair_columns_of(r, g, lanes, lane), pair_columns_of(&s->rest, all, there, p->lane),
                 0, PAIR_COLUMNS);
    for (size_t k = 0; k < s->focus.contacts_in[pair]; k++)
        copy_columns(slot_of(r, g, lanes, lane, k), slot_of(&s->rest, all, there, p->lane, k), 0,
                     REST_COLUMNS);
}

static void fill_group(stage_t *s, const rest_group *g) {
    const size_t lanes = s->wide->lanes;
    clear_group(&s->focus.rest, g, lanes);
    for (size_t j = 0; j < lanes; j++)
        fill_lane(s, g, g->lane + j);
}

static range_t of_groups(const rest_order *colours, const impinge_team *team) {
    return team_range(team, colours->group[colours->count], 1);
}

static range_t of_bodies(const stage_t *s, const impinge_team *team) {
    return team_range(team, s->focus.bodies + 1, 1);
}

/* The last changes of contacts outside the focus are not extrapolated. */
static void forget_changes(stage_t *s, const impinge_team *team) {
    const rest_order *const c = &s->colours;
    for (size_t colour = 0; colour < c->count; colour++) {
        const size_t lanes = colour_lanes(s, colour);
        const size_t first = c->group[colour];
        const range_t share = team_range(team, c->group[colour + 1] - first, 1);
        for (size_t g = first + share.first; g < first + share.end; g++)
            for (size_t k = 0; k < s->rest.group[g].depth; k++) {
                const columns_t slot =
                    slot_of(&s->rest, &s->rest.group[g], lanes, s->rest.group[g].lane, k);
                memset(slot.first + LAST * lanes, 0, 3 * lanes * sizeof(real_t));
            }
    }
}

/*
 * The rows of the focus: the present state of its bodies, and the effect of the last changes of its
 * own contacts on them, which the next sweep extrapolates.
 */
static void fill_rows(stage_t *s, const impinge_team *team) {
    const focus_t *const f = &s->focus;
    const range_t share = of_bodies(s, team);
    for (size_t i = share.first; i < share.end; i++) {
        const size_t all = i < f->bodies ? f->body[i] : s->rest.bodies->count;
        for (size_t k = 0; k < BODY_ROW; k++) {
            const real_t now = s->rest.rows[all * BODY_ROW + k];
            f->rest.swept[i * BODY_ROW + k] = now - f->rest.rows[i * BODY_ROW + k];
            f->rest.rows[i * BODY_ROW + k] = now;
        }
    }
}

static void enter(stage_t *s, const impinge_team *team) {
    const focus_t *const f = &s->focus;
    const range_t rows = of_bodies(s, team);
    const size_t bytes = range_count(rows) * BODY_ROW * sizeof(real_t);
    memset(f->rest.rows + rows.first * BODY_ROW, 0, bytes);
    memset(f->rest.ahead_rows + rows.first * BODY_ROW, 0, bytes);
    const range_t groups = of_groups(&f->colours, team);
    for (size_t i = groups.first; i < groups.end; i++)
        fill_group(s, &f->rest.group[i]);
    team_wait(team);
    forget_changes(s, team);
    for (size_t colour = 0; colour < f->colours.count; colour++) {
        for_colour(&f->rest, &f->colours, team, colour, s->wide->apply_changes);
        team_wait(team);
    }
    fill_rows(s, team);
    team_wait(team);
}

/* ---- Back to all contacts ---- */

/* The columns of a lane's contacts that sweeps change. */
static void tell_lane(stage_t *s, const rest_group *g, size_t lane) {
    const uint32_t pair = s->focus.pair_of[lane];
    if (pair == NO_PAIR) return;
    const focus_pair *const p = &s->focus.pair[pair];
    const rest_group *const all = group_of(s, p);
    for (size_t k = 0; k < s->focus.contacts_in[pair]; k++) {
        const columns_t to = slot_of(&s->rest, all, colour_lanes(s, p->colour), p->lane, k);
        const columns_t from = slot_of(&s->focus.rest, g, s->wide->lanes, lane, k);
        copy_columns(to, from, IMPULSE, PEAK + 1 - IMPULSE);
    }
}

/* The other bodies' contacts have not changed in the last sweep. */
static void leave(stage_t *s, const impinge_team *team) {
    const focus_t *const f = &s->focus;
    const range_t groups = of_groups(&f->colours, team);
    for (size_t i = groups.first; i < groups.end; i++)
        for (size_t j = 0; j < s->wide->lanes; j++)
            tell_lane(s, &f->rest.group[i], f->rest.group[i].lane + j);
    const range_t bodies = team_range(team, s->rest.bodies->count, 1);
    const size_t bytes = BODY_ROW * sizeof(real_t);
    for (size_t i = bodies.first; i < bodies.end; i++) {
        real_t *const row = s->rest.rows + i * BODY_ROW;
        real_t *const swept = s->rest.swept + i * BODY_ROW;
        real_t *const ahead = s->rest.ahead_rows + i * BODY_ROW;
        if (f->number[i] == NO_FOCUS) {
            memcpy(swept, row, bytes);
            memset(ahead, 0, bytes);
            continue;
        }
        const size_t from = f->number[i] * BODY_ROW;
        memcpy(row, f->rest.rows + from, bytes);
        memcpy(swept, f->rest.swept + from, bytes);
        memcpy(ahead, f->rest.ahead_rows + from, bytes);
    }
    team_wait(team);
}

void NAME(impinge_focus_turn)(stage_t *s, const impinge_team *team) {
    if (!s->focus.turns) return;
    const bool enters = !s->focus.is_on;
    if (enters)
        enter(s, team);
    else
        leave(s, team);
    if (team_leads(team)) s->focus.is_on = enters;
    team_wait(team);
}
