/*
 * A step of particles: its workspace, and the parts of a step in their order.
 *
 * Every member of a team runs all of this. Loops over bodies, contacts, and the contacts of a
 * colour are shared out; the first does work that only one may do. A barrier separates each write
 * from the reads of other members.
 */
#include "particle_step.h"

#include <math.h>
#include <string.h>

#include "carving.h"
#include "momentum.h"
#include "pages.h"
#include "team.h"
#include "union.h"

typedef NAME(impinge_particle_step_state) step_state_t;
typedef NAME(impinge_particle_step_kernels) kernels_t;
typedef NAME(impinge_found_block) found_block_t;

/* Numbers in rows of eight are counted in 32 bits, with one of them to spare. */
#define BODIES_MAX   ((size_t)1 << 28)
#define CONTACTS_MAX ((size_t)1 << 29)

/* Vectors read as many numbers beyond the last place, and prefetch the rows of further ones. */
#define BEYOND ((size_t)CHUNK_LANES + ROWS_AHEAD)

/* Bodies and contacts are shared out in multiples of these, so that members share no cache line. */
#define SHARE 64

/* The most members of a team that colour contacts; each needs eight bytes for each body. */
enum { COLOURERS = 4 };

/* ---- Workspace ---- */

static void carve_bodies(step_state_t *w, carving_t *c, size_t bodies) {
    const size_t rows = bodies + IMPINGE_TEAM_MAX;
    w->rows = carve(c, rows * ROW, sizeof(real_t));
    w->place = carve(c, rows * PLACE_ROW, sizeof(real_t));
    w->before = carve(c, rows * ROW, sizeof(real_t));
    w->body = carve(c, rows, sizeof(uint32_t));
    w->island = carve(c, rows, sizeof(uint32_t));
    w->gained = carve(c, 3 * rows, sizeof(double));
    w->energy = carve(c, 3 * rows, sizeof(double));
    w->taken = carve(c, COLOURERS * rows, sizeof(uint64_t));
    w->best = carve(c, rows, sizeof(real_t));
    w->touch_start = carve(c, rows + 1, sizeof(uint32_t));
    w->tied = carve(c, rows, sizeof(uint32_t));
    w->tied_row = carve(c, rows * TIED_ROW, sizeof(double));
}

static size_t rounded_up(size_t count, size_t unit) { return (count + unit - 1) / unit * unit; }

/*
 * The contacts of a block. If there are few blocks, they have equal lengths, and so have groups of
 * them: the waves of two threads then end together.
 */
static size_t block_size(size_t contacts) {
    const size_t blocks = rounded_up(contacts, COLOUR_BLOCK) / COLOUR_BLOCK;
    if (blocks < GROUPS_LEAST || blocks >= BLOCKS_MANY) return COLOUR_BLOCK;
    const size_t equal = rounded_up(blocks, GROUPS_LEAST);
    return rounded_up((contacts + equal - 1) / equal, SHARE);
}

static size_t blocks_in(size_t contacts) {
    const size_t size = block_size(contacts);
    return rounded_up(contacts, size) / size;
}

/* The largest number of groups of so many contacts, which is that of sweeps in order. */
static size_t groups_in(size_t contacts) {
    const size_t blocks = blocks_in(contacts);
    if (blocks < GROUPS_LEAST) return 1;
    if (blocks < BLOCKS_MANY) return GROUPS_LEAST;
    return blocks < GROUPS ? blocks : GROUPS;
}

/* Room for the rows found for a block; members share no cache line of it. */
static size_t found_most(size_t contacts) {
    const size_t most = contacts < COLOUR_BLOCK ? contacts : COLOUR_BLOCK;
    return rounded_up(most, SHARE) + SHARE;
}

static size_t rooms_in(size_t contacts) {
    return blocks_in(contacts) < COLOURERS ? blocks_in(contacts) : COLOURERS;
}

static void carve_contacts(step_state_t *w, carving_t *c, size_t contacts) {
    const size_t count = contacts + BEYOND;
    const size_t blocks = rooms_in(contacts) * found_most(contacts);
    w->found = carve(c, blocks * FOUND_ROW, sizeof(real_t));
    for (size_t k = 0; k < 2; k++)
        w->found_row[k] = carve(c, blocks, sizeof(uint32_t));
    w->live = carve(c, blocks, sizeof(uint32_t));
    for (size_t k = 0; k < 3; k++) {
        w->normal[k] = carve(c, count, sizeof(real_t));
        w->impulse[k] = carve(c, count, sizeof(real_t));
        w->aim[k] = carve(c, count, sizeof(real_t));
    }
    w->friction = carve(c, count, sizeof(real_t));
    w->gap = carve(c, count, sizeof(real_t));
    w->approach = carve(c, count, sizeof(real_t));
    w->row_a = carve(c, count, sizeof(uint32_t));
    w->row_b = carve(c, count, sizeof(uint32_t));
    w->number = carve(c, count, sizeof(uint32_t));
    w->colour = carve(c, count, sizeof(uint32_t));
    w->block = carve(c, blocks_in(contacts) + 2, sizeof(uint32_t));
    w->pages = carve(c, blocks_in(contacts), sizeof *w->pages);
    w->stamp = carve(c, count, sizeof(uint32_t));
    w->touching = carve(c, 2 * count, sizeof(uint32_t));
    for (size_t k = 0; k < 4; k++)
        w->list[k] = carve(c, count, sizeof(uint32_t));
    for (size_t k = 0; k < sizeof w->tie / sizeof *w->tie; k++)
        w->tie[k] = carve(c, count, sizeof(real_t));
    w->chunk_square = carve(c, count / CHUNK + count, sizeof(double));
}

static void carve_all(step_state_t *w, carving_t *c, size_t bodies, size_t contacts) {
    w->shared = carve(c, 1, sizeof *w->shared);
    carve_bodies(w, c, bodies);
    carve_contacts(w, c, contacts);
}

size_t NAME(impinge_particle_step_size)(size_t particles, size_t planes, size_t contacts) {
    if (particles >= BODIES_MAX || planes >= BODIES_MAX - particles || contacts >= CONTACTS_MAX)
        return SIZE_MAX;
    step_state_t w;
    carving_t c = {NULL, 0};
    carve_all(&w, &c, particles + planes, contacts);
    return c.size + CARVING_LINE;
}

static step_state_t state_of(const NAME(impinge_particle_step) * s,
                             const impinge_step_options *options) {
    const size_t planes = s->planes ? s->planes->count : 0;
    step_state_t w = {.step = s,
                      .options = *options,
                      .team = team_given(s->team),
                      .particles = s->particles->count,
                      .bodies = s->particles->count + planes,
                      .contacts = s->contacts->count,
                      .spheres = s->particles->angular_velocity_x,
                      .aims = s->state.aim_x,
                      .rolls = s->rolling_resistance && s->particles->angular_velocity_x,
                      .far = s->particles->count >= FAR_BODIES};
    if (s->impact_options) w.impact_options = *s->impact_options;
    carving_t c = carving_aligned(s->workspace);
    carve_all(&w, &c, w.bodies, w.contacts);
    return w;
}

/* ---- Sharing out ---- */

/* This member's part of `count`. */
static range_t share_of(const step_state_t *w, size_t count, size_t unit) {
    return team_range(&w->team, count, unit);
}

static void barrier(const step_state_t *w) { team_wait(&w->team); }

static bool is_first(const step_state_t *w) { return team_leads(&w->team); }
static bool is_last(const step_state_t *w) { return w->team.member == w->team.members - 1; }

/* ---- Contacts that take part ---- */

static void clear_spares(const step_state_t *w) {
    memset(w->rows + w->bodies * ROW, 0, IMPINGE_TEAM_MAX * ROW * sizeof *w->rows);
    memset(w->place + w->bodies * PLACE_ROW, 0, IMPINGE_TEAM_MAX * PLACE_ROW * sizeof *w->place);
    for (size_t i = 0; i < IMPINGE_TEAM_MAX; i++)
        w->body[w->bodies + i] = 0;
}

/* A block of contacts to colour: the rows of their bodies, and their colours. */
enum { COLOURS = 64, WAITS = COLOURS, PLACED };
typedef struct block {
    size_t count;
    const uint32_t *row_a, *row_b;
    uint8_t colour[COLOUR_BLOCK];
} block_t;

static bool is_unordered(const step_state_t *w) {
    return w->options.rest.method == IMPINGE_REST_UNORDERED;
}

/* ---- Waves ---- */

/* Sweeps without an order take all contacts for one block. */
static size_t blocks_of_sweeps(const step_state_t *w) {
    const size_t blocks = blocks_in(w->contacts);
    return is_unordered(w) && blocks > 0 ? 1 : blocks;
}

/*
 * The groups of blocks, the same for any team. A few successive blocks stay together, since a block
 * finds bodies of the one before it in the caches.
 */
static size_t groups_of(const step_state_t *w) {
    if (w->contacts == 0) return 0;
    return is_unordered(w) ? 1 : groups_in(w->contacts);
}

/* The number of members of the team that colour contacts. */
static size_t colourers_of(const step_state_t *w) {
    return w->team.members < COLOURERS ? w->team.members : COLOURERS;
}

static range_t blocks_of_group(const step_state_t *w, size_t group) {
    const impinge_team all = {.members = groups_of(w)};
    return team_range_of(&all, group, blocks_of_sweeps(w), 1);
}

/* Lists the pages of a block's bodies that move. */
static void list_pages(const step_state_t *w, const uint32_t *row_a, const uint32_t *row_b,
                       size_t count, uint64_t *pages) {
    /*
     * Bytes, since with bits each write would wait for the one before; and a page that does not
     * count.
     */
    uint8_t marked[PAGES + 1] = {0};
    const unsigned shift = page_shift(w);
    for (size_t i = 0; i < count; i++) {
        marked[row_a[i] & ROW_FIXED ? PAGES : row_a[i] / ROW >> shift] = 1;
        marked[row_b[i] & ROW_FIXED ? PAGES : row_b[i] / ROW >> shift] = 1;
    }
    memset(pages, 0, PAGE_WORDS * sizeof *pages);
    for (size_t k = 0; k < PAGES; k++)
        pages[k / 64] |= (uint64_t)marked[k] << k % 64;
}

/*
 * Puts each group into the first wave in which no group shares a page with it. `wave` receives the
 * pages of waves. Returns the number of waves.
 */
static size_t choose_waves(const step_state_t *w, uint64_t (*wave)[PAGE_WORDS],
                           uint8_t of[GROUPS]) {
    const size_t groups = groups_of(w);
    size_t waves = 0;
    for (size_t g = 0; g < groups; g++) {
        uint64_t pages[PAGE_WORDS] = {0};
        const range_t blocks = blocks_of_group(w, g);
        for (size_t b = blocks.first; groups > 1 && b < blocks.end; b++)
            add_pages(pages, w->pages[b]);
        size_t k = 0;
        while (k < waves && share_pages(wave[k], pages))
            k++;
        if (k == waves) memset(wave[waves++], 0, sizeof *wave);
        add_pages(wave[k], pages);
        of[g] = (uint8_t)k;
    }
    return waves;
}

/* Sorts the groups into waves. */
static void find_waves(const step_state_t *w) {
    NAME(impinge_particle_shared) *const s = w->shared;
    uint64_t wave[GROUPS][PAGE_WORDS];
    uint8_t of[GROUPS];
    size_t next = 0;
    s->waves = choose_waves(w, wave, of);
    for (size_t k = 0; k < s->waves; k++) {
        s->wave[k] = (uint8_t)next;
        for (size_t g = 0; g < groups_of(w); g++)
            if (of[g] == k) s->group[next++] = (uint8_t)g;
    }
    s->wave[s->waves] = (uint8_t)next;
}

/* ---- Colours ---- */

/*
 * The colours that the body of a row has already; a body that cannot move may have each many times.
 */
static uint64_t colours_of(const uint64_t *taken, uint32_t row) {
    return row & ROW_FIXED ? 0 : taken[row / ROW];
}

/*
 * A round of 64 colours. Each waiting contact gets the lowest colour that its movable bodies do not
 * have yet, in the order of the list. Returns the number that still wait.
 */
static size_t colour_round(block_t *b, uint64_t *taken, size_t counts[COLOURS]) {
    size_t waiting = 0;
    for (size_t i = 0; i < b->count; i++)
        taken[b->row_a[i] / ROW] = taken[b->row_b[i] / ROW] = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (b->colour[i] != WAITS) continue;
        const uint32_t row_a = b->row_a[i];
        const uint32_t row_b = b->row_b[i];
        const uint64_t both = colours_of(taken, row_a) | colours_of(taken, row_b);
        if (both == UINT64_MAX) {
            waiting++;
            continue;
        }
        const unsigned colour = (unsigned)__builtin_ctzll(~both);
        taken[row_a / ROW] |= UINT64_C(1) << colour;
        taken[row_b / ROW] |= UINT64_C(1) << colour;
        b->colour[i] = (uint8_t)colour;
        counts[colour]++;
    }
    return waiting;
}

/*
 * Gives the contacts of a block colours and their places, from `place` on: those of the first
 * colour first. Returns the number of colours, whose first places it lists.
 */
static size_t colour_block(const step_state_t *w, const found_block_t *from, size_t count,
                           size_t place, uint32_t *colours, uint64_t *pages) {
    uint64_t *const taken = w->taken + w->team.member * (w->bodies + IMPINGE_TEAM_MAX);
    size_t found = 0;
    /* In the list's order until the places are written. */
    uint32_t *const row_a = w->row_a + place;
    uint32_t *const row_b = w->row_b + place;
    block_t b = {.count = count, .row_a = row_a, .row_b = row_b};
    memset(b.colour, WAITS, count);
    for (size_t i = 0; i < count; i++) {
        row_a[i] = from->row_a[from->live[i] - from->first];
        row_b[i] = from->row_b[from->live[i] - from->first];
    }
    if (groups_of(w) > 1) list_pages(w, row_a, row_b, count, pages);
    for (size_t waiting = count; waiting > 0;) {
        size_t counts[COLOURS] = {0};
        size_t next[COLOURS];
        waiting = colour_round(&b, taken, counts);
        for (size_t k = 0; k < COLOURS && counts[k] > 0; k++) {
            next[k] = place;
            colours[found++] = (uint32_t)place;
            place += counts[k];
        }
        for (size_t i = 0; i < count; i++) {
            if (b.colour[i] >= COLOURS) continue;
            w->number[next[b.colour[i]]++] = from->live[i];
            b.colour[i] = PLACED;
        }
    }
    return found;
}

/* Islands of bodies that move. */
static void find_islands(const step_state_t *w) {
    for (size_t i = 0; i < w->bodies; i++)
        w->island[i] = (uint32_t)i;
    for (size_t j = 0; j < w->shared->live; j++) {
        if ((w->row_a[j] | w->row_b[j]) & ROW_FIXED) continue;
        unite(w->island, w->row_a[j] / ROW, w->row_b[j] / ROW);
    }
    for (size_t i = 0; i < w->bodies; i++)
        w->island[i] = find_root(w->island, (uint32_t)i);
}

/* ---- Places ---- */

/* The contacts of a member: whole blocks, of those members that have room to colour. */
static range_t blocks_of(const step_state_t *w, size_t member) {
    const impinge_team some = {.members = colourers_of(w)};
    if (member >= some.members) return (range_t){w->contacts, w->contacts};
    return team_range_of(&some, member, w->contacts, block_size(w->contacts));
}

/* If there are fewer blocks than members that may colour, each block has a room, for any member. */
static size_t room_of(const step_state_t *w, range_t contacts, size_t member) {
    if (contacts.first == contacts.end) return 0;
    return blocks_in(w->contacts) < COLOURERS ? contacts.first / block_size(w->contacts) : member;
}

/*
 * The places of this member's contacts, from the number of its first contact on: block by block, so
 * that the row found for a contact is still in the cache when its columns are written. Blocks are
 * those of the list, whichever contacts take part.
 */
static void place_contacts(const step_state_t *w, const kernels_t *kernels) {
    const range_t contacts = blocks_of(w, w->team.member);
    const size_t m = w->team.member;
    const size_t size = block_size(w->contacts);
    const size_t room = room_of(w, contacts, m) * found_most(w->contacts);
    found_block_t block = {.row = w->found + room * FOUND_ROW,
                           .row_a = w->found_row[0] + room,
                           .row_b = w->found_row[1] + room,
                           .live = w->live + room};
    uint32_t *const fast = w->list[0] + contacts.first;
    size_t place = contacts.first;
    size_t colours = contacts.first;
    size_t approaching = 0;
    w->shared->invalid[m] = 0;
    for (size_t i = contacts.first; i < contacts.end; i += size) {
        const size_t end = contacts.end - i < size ? contacts.end : i + size;
        block.first = i;
        const size_t count = kernels->find_contacts(w, &block, end, &w->shared->invalid[m]);
        w->block[i / size] = (uint32_t)(colours - contacts.first);
        if (is_unordered(w))
            memcpy(w->number + place, block.live, count * sizeof *block.live);
        else
            colours +=
                colour_block(w, &block, count, place, w->colour + colours, w->pages[i / size]);
        approaching += kernels->set_up(w, &block, place, place + count, fast + approaching);
        place += count;
    }
    w->shared->placed[m] = place - contacts.first;
    w->shared->coloured[m] = colours - contacts.first;
    w->shared->some[m] = approaching;
}

/* Moves the columns of some places down. */
static void move_places(const step_state_t *w, size_t from, size_t to, size_t count) {
    real_t *const numbers[] = {w->normal[0],  w->normal[1],  w->normal[2],
                               w->impulse[0], w->impulse[1], w->impulse[2],
                               w->friction,   w->gap,        w->approach};
    uint32_t *const words[] = {w->row_a, w->row_b, w->number};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        memmove(numbers[k] + to, numbers[k] + from, count * sizeof(real_t));
    for (size_t k = 0; k < 3 && w->aims; k++)
        memmove(w->aim[k] + to, w->aim[k] + from, count * sizeof(real_t));
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        memmove(words[k] + to, words[k] + from, count * sizeof(uint32_t));
}

/* Appends a member's list to those of the others, with each number reduced by `less`. */
static void append(uint32_t *list, size_t *end, size_t from, size_t count, size_t less) {
    for (size_t k = 0; k < count; k++)
        list[*end + k] = list[from + k] - (uint32_t)less;
    *end += count;
}

static double *uphill_of(const step_state_t *w) {
    return w->chunk_square + (w->contacts + BEYOND) / 2;
}

/*
 * Joins the places of all members, one after the other, their colours and the lists of approaching
 * places.
 */
static void join_places(const step_state_t *w) {
    NAME(impinge_particle_shared) *const s = w->shared;
    const size_t size = block_size(w->contacts);
    for (size_t m = 0; m < w->team.members; m++) {
        const range_t mine = blocks_of(w, m);
        const size_t first = mine.first;
        const size_t less = first - s->live;
        if (less > 0 && s->placed[m] > 0) move_places(w, first, s->live, s->placed[m]);
        for (size_t b = first / size; first < mine.end && b * size < mine.end; b++)
            w->block[b] += (uint32_t)s->colours;
        append(w->colour, &s->colours, first, s->coloured[m], less);
        append(w->list[0], &s->approaching, first, s->some[m], less);
        s->live += s->placed[m];
    }
    /* Without an order there is one colour, in the order of the list. */
    if (is_unordered(w)) {
        w->colour[0] = w->block[0] = 0;
        s->colours = s->live > 0;
    }
    w->block[blocks_of_sweeps(w)] = (uint32_t)s->colours;
    s->paged = groups_of(w) > 1 ? blocks_in(w->contacts) : 0;
    w->colour[s->colours] = (uint32_t)s->live;
    s->chunks = s->live / CHUNK + s->colours;
    memset(w->chunk_square, 0, s->chunks * sizeof *w->chunk_square);
    memset(uphill_of(w), 0, is_unordered(w) ? s->chunks * sizeof *w->chunk_square : 0);
    find_waves(w);
}

/* Writes bodies as rows, and puts the contacts that take part into the order of the sweeps. */
static void begin(const step_state_t *w, const kernels_t *kernels) {
    const range_t bodies = share_of(w, w->bodies, SHARE);
    if (is_first(w)) {
        memset(w->shared, 0, sizeof *w->shared);
        clear_spares(w);
    }
    kernels->pack(w, bodies.first, bodies.end);
    barrier(w);
    place_contacts(w, kernels);
    barrier(w);
    if (is_first(w)) join_places(w);
    barrier(w);
}

/* ---- Impacts ---- */

/* Rounds by one member, islands by another at the same time. */
static void collide_beside_islands(const step_state_t *w, const kernels_t *kernels, bool impacts,
                                   bool islands) {
    if (is_first(w) && impacts) NAME(impinge_collide_rounds)(w, kernels, w->shared->approaching);
    if (is_last(w) && islands) find_islands(w);
    barrier(w);
}

/* ---- Rest ---- */

typedef void colour_visit(const step_state_t *w, const kernels_t *kernels, size_t first, size_t end,
                          size_t chunk, size_t sweep);

/*
 * Visits the places of a colour, or this member's chunks of it. The number of a chunk follows from
 * its places, plus one for each colour before.
 */
static void visit_colour(const step_state_t *w, const kernels_t *kernels, size_t colour, bool alone,
                         size_t sweep, colour_visit *visit) {
    const size_t first = w->colour[colour];
    const size_t count = w->colour[colour + 1] - first;
    const range_t mine = alone ? (range_t){0, count} : share_of(w, count, CHUNK);
    for (size_t i = mine.first; i < mine.end; i += CHUNK) {
        const size_t end = mine.end - i < CHUNK ? mine.end : i + CHUNK;
        visit(w, kernels, first + i, first + end, first / CHUNK + colour + i / CHUNK, sweep);
    }
    if (!alone) barrier(w);
}

/* Visits the colours of a group, by this member alone or by all, backward in every other sweep. */
static void visit_group(const step_state_t *w, const kernels_t *kernels, size_t group, bool alone,
                        size_t sweep, colour_visit *visit) {
    const range_t blocks = blocks_of_group(w, group);
    const size_t first = w->block[blocks.first];
    const size_t end = w->block[blocks.end];
    for (size_t k = first; k < end; k++)
        visit_colour(w, kernels, sweep % 2 == 1 ? first + end - 1 - k : k, alone, sweep, visit);
}

/*
 * Visits all colours, forward and backward in turn, wave by wave. Groups of a wave share no body,
 * so that each member takes the same number of them, and no barrier between their colours is
 * needed; members process the remaining groups together, colour by colour.
 */
static void each_colour(const step_state_t *w, const kernels_t *kernels, size_t sweep,
                        colour_visit *visit) {
    const NAME(impinge_particle_shared) *const s = w->shared;
    for (size_t k = 0; k < s->waves; k++) {
        const size_t wave = sweep % 2 == 1 ? s->waves - 1 - k : k;
        const uint8_t *const group = s->group + s->wave[wave];
        const size_t count = (size_t)(s->wave[wave + 1] - s->wave[wave]);
        const size_t whole = count - count % w->team.members;
        const range_t mine = share_of(w, whole, 1);
        for (size_t i = mine.first; i < mine.end; i++)
            visit_group(w, kernels, group[i], true, sweep, visit);
        for (size_t i = whole; i < count; i++)
            visit_group(w, kernels, group[i], false, sweep, visit);
        barrier(w);
    }
}

static void visit_warm(const step_state_t *w, const kernels_t *kernels, size_t first, size_t end,
                       size_t chunk, size_t sweep) {
    (void)sweep;
    (void)chunk;
    kernels->start_warm(w, first, end);
}

static void visit_rolling(const step_state_t *w, const kernels_t *kernels, size_t first, size_t end,
                          size_t chunk, size_t sweep) {
    (void)sweep;
    (void)chunk;
    kernels->start_rolling(w, first, end);
}

static void keep_largest(const step_state_t *w, real_t residual) {
    real_t *const largest = &w->shared->residual[w->team.member];
    if (residual > *largest) *largest = residual;
}

static void visit_sweep(const step_state_t *w, const kernels_t *kernels, size_t first, size_t end,
                        size_t chunk, size_t sweep) {
    (void)sweep;
    double *const square = &w->chunk_square[chunk];
    keep_largest(w, kernels->sweep(w, first, end, square));
    if (w->rolls) keep_largest(w, kernels->sweep_rolling(w, first, end, square));
}

static project_sweep_t project_sweep_of(const step_state_t *w, size_t sweep) {
    return (project_sweep_t){sweep == 0, sweep + 1 == w->options.positions.sweeps};
}

static void visit_project(const step_state_t *w, const kernels_t *kernels, size_t first, size_t end,
                          size_t chunk, size_t sweep) {
    (void)chunk;
    kernels->project(w, first, end, project_sweep_of(w, sweep));
}

/* ---- Sweeps without an order ---- */

static void visit_split(const step_state_t *w, const kernels_t *kernels, size_t first, size_t end,
                        size_t chunk, size_t sweep) {
    (void)sweep;
    double *const square = &w->chunk_square[chunk];
    keep_largest(w, kernels->split_sweep(w, first, end, square, &uphill_of(w)[chunk]));
    if (w->rolls) keep_largest(w, kernels->split_sweep_rolling(w, first, end, square));
}

static void visit_split_project(const step_state_t *w, const kernels_t *kernels, size_t first,
                                size_t end, size_t chunk, size_t sweep) {
    (void)chunk;
    kernels->split_project(w, first, end, project_sweep_of(w, sweep));
}

/* Finds the contacts that touch each body, and counts them. */
static void begin_split(const step_state_t *w) {
    if (is_first(w)) {
        NAME(impinge_find_touching)(w);
        for (size_t i = 0; i < w->bodies; i++)
            w->best[i] = (real_t)(w->touch_start[i + 1] - w->touch_start[i]);
        for (size_t i = w->bodies; i < w->bodies + IMPINGE_TEAM_MAX; i++)
            w->best[i] = 0;
        w->shared->inertia = 1;
    }
    barrier(w);
}

/* The extrapolation before the next sweep: none after the last one, or if it points uphill. */
static void go_ahead(const step_state_t *w, bool last) {
    NAME(impinge_particle_shared) *const s = w->shared;
    double uphill = 0;
    for (size_t i = 0; i < s->chunks; i++)
        uphill += uphill_of(w)[i];
    if (uphill < 0) s->inertia = 1;
    const double by = momentum_next(&s->inertia);
    s->ahead = last ? 0 : (real_t)by;
}

/* Combines the residuals of a sweep over all members, and tests whether they are small enough. */
static void end_sweep(const step_state_t *w) {
    impinge_step_report *const report = &w->shared->report;
    double square = 0;
    real_t largest = 0;
    for (size_t i = 0; i < w->shared->chunks; i++)
        square += w->chunk_square[i];
    for (size_t m = 0; m < w->team.members; m++)
        if (w->shared->residual[m] > largest) largest = w->shared->residual[m];
    report->sweeps++;
    report->residual = (double)largest;
    report->residual_rms = w->shared->live > 0 ? sqrt(square / (double)w->shared->live) : 0;
    w->shared->ended =
        w->options.rest.residual_max > 0 && report->residual <= w->options.rest.residual_max;
}

static void split_add(const step_state_t *w, const kernels_t *kernels, range_t bodies) {
    kernels->split_add(w, bodies.first, bodies.end, false);
    if (w->rolls) kernels->split_add_rolling(w, bodies.first, bodies.end);
}

static void split_sweeps(const step_state_t *w, const kernels_t *kernels) {
    const range_t bodies = share_of(w, w->bodies, SHARE);
    const range_t places = share_of(w, w->shared->live, SHARE);
    const size_t most = w->options.rest.sweeps_max;
    begin_split(w);
    kernels->split_warm(w, places.first, places.end);
    barrier(w);
    split_add(w, kernels, bodies);
    barrier(w);
    for (size_t s = 0; s < most && !w->shared->ended; s++) {
        w->shared->residual[w->team.member] = 0;
        each_colour(w, kernels, 0, visit_split);
        barrier(w);
        if (is_first(w)) {
            end_sweep(w);
            go_ahead(w, s + 1 == most || w->shared->ended);
        }
        barrier(w);
        kernels->split_accelerate(w, places.first, places.end, w->shared->ahead);
        barrier(w);
        split_add(w, kernels, bodies);
        barrier(w);
    }
}

/* ---- Sweeps in order ---- */

/*
 * The first sweeps go forward and backward in turn. Later sweeps go forward, and between two of
 * them impulses are extrapolated along their last change, by 1 - 3/2 / inertia (see body_step.c).
 * The inertia grows by 1 a sweep; a sweep that changes more than the one before, in the mean
 * square, reduces it. The first sweep after the plain ones has no earlier change in the same
 * direction to extrapolate.
 */
#define SWEEPS_PLAIN  5
#define INERTIA_FIRST 5
#define INERTIA_KEPT  0.8

static void choose_ahead(const step_state_t *w, size_t sweep) {
    NAME(impinge_particle_shared) *const s = w->shared;
    const double rms = s->report.residual_rms;
    if (sweep + 1 == SWEEPS_PLAIN)
        s->inertia = INERTIA_FIRST;
    else if (rms <= s->rms)
        s->inertia += 1;
    else
        s->inertia = fmax(INERTIA_FIRST, INERTIA_KEPT * s->inertia);
    s->ahead = sweep + 1 == SWEEPS_PLAIN ? 0 : (real_t)(1 - 1.5 / s->inertia);
    s->rms = rms;
}

static void visit_ahead(const step_state_t *w, const kernels_t *kernels, size_t first, size_t end,
                        size_t chunk, size_t sweep) {
    (void)sweep;
    (void)chunk;
    kernels->go_ahead(w, first, end, w->shared->ahead);
}

static void sweeps(const step_state_t *w, const kernels_t *kernels) {
    const size_t most = w->options.rest.sweeps_max;
    /* Couples of rolling are not extrapolated, so neither are the impulses that bound them. */
    const size_t plain = w->rolls ? most : SWEEPS_PLAIN;
    for (size_t s = 0; s < most; s++) {
        w->shared->residual[w->team.member] = 0;
        each_colour(w, kernels, s < plain ? s : 0, visit_sweep);
        barrier(w);
        if (is_first(w)) {
            end_sweep(w);
            if (s + 1 >= plain) choose_ahead(w, s);
        }
        barrier(w);
        if (w->shared->ended) return;
        if (s + 1 >= plain && s + 1 < most) each_colour(w, kernels, 0, visit_ahead);
    }
}

/* The same for its couple and the spin of an immovable body. */
static double driven_turning(const step_state_t *w, size_t place) {
    const uint32_t row[2] = {w->row_a[place], w->row_b[place]};
    const double share[2] = {(double)w->tie[ROLL_SHARE_A][place],
                             -(double)w->tie[ROLL_SHARE_B][place]};
    double work = 0;
    for (size_t side = 0; side < 2; side++) {
        if (!(row[side] & ROW_FIXED)) continue;
        const real_t *const s = w->rows + (row[side] & ~ROW_FIXED) + ROW_SURFACE;
        for (size_t k = 0; k < 3; k++)
            work += share[side] * (double)w->tie[ROLL_COUPLE + k][place] * (double)s[k];
    }
    return work;
}

/* The work p.u of the velocities of immovable bodies at the contact, less that of the aim. */
static double driven_work(const step_state_t *w, size_t place) {
    const uint32_t row[2] = {w->row_a[place], w->row_b[place]};
    const real_t p[3] = {w->impulse[0][place], w->impulse[1][place], w->impulse[2][place]};
    const real_t n[3] = {w->normal[0][place], w->normal[1][place], w->normal[2][place]};
    double work = 0;
    for (size_t side = 0; side < 2; side++) {
        if (!(row[side] & ROW_FIXED)) continue;
        const real_t *const v = w->rows + (row[side] & ~ROW_FIXED);
        const real_t *const s = v + ROW_SURFACE;
        for (size_t k = 0; k < 3; k++) {
            const size_t l = (k + 1) % 3;
            const size_t m = (k + 2) % 3;
            const double turned = (double)n[l] * (double)s[m] - (double)n[m] * (double)s[l];
            /* -R n x omega on either side: r_A = -R_A n, r_B = R_B n. */
            const double u = side == 0 ? (double)v[k] + turned : -((double)v[k] - turned);
            work += (double)p[k] * u;
        }
    }
    for (size_t k = 0; k < 3 && w->aims; k++)
        work -= (double)p[k] * (double)w->aim[k][place];
    return w->rolls ? work + driven_turning(w, place) : work;
}

/* The island of a contact: that of its body that moves. */
static uint32_t island_of(const step_state_t *w, size_t place) {
    const uint32_t a = w->row_a[place];
    const uint32_t row = a & ROW_FIXED ? w->row_b[place] : a;
    return w->island[(row & ~ROW_FIXED) / ROW];
}

/* True if a body that cannot move has a velocity, and so can do work. */
static bool drives(const step_state_t *w, size_t body) {
    const real_t *const row = w->rows + body * ROW;
    return w->body[body] == 0 &&
           (row[0] != 0 || row[1] != 0 || row[2] != 0 || row[ROW_SURFACE] != 0 ||
            row[ROW_SURFACE + 1] != 0 || row[ROW_SURFACE + 2] != 0);
}

/* Sums of what bodies gained, by island, in the order of bodies. */
static void sum_islands(const step_state_t *w) {
    bool driven = w->aims;
    memset(w->gained, 0, 3 * w->bodies * sizeof *w->gained);
    for (size_t i = 0; i < w->bodies;) {
        /* Neighbours in the arrays are mostly of one island, whose sums then stay in registers. */
        const uint32_t island = w->island[i];
        double *const g = w->gained + 3 * (size_t)island;
        double sum[3] = {g[0], g[1], w->shared->report.energy_before};
        for (; i < w->bodies && w->island[i] == island; i++) {
            const double *const e = w->energy + 3 * i;
            for (size_t k = 0; k < 3; k++)
                sum[k] += e[k];
            driven |= drives(w, i);
        }
        g[0] = sum[0];
        g[1] = sum[1];
        g[2] = sum[0];
        w->shared->report.energy_before = sum[2];
    }
    for (size_t j = 0; j < w->shared->live && driven; j++)
        w->gained[3 * (size_t)island_of(w, j)] += driven_work(w, j);
}

/* alpha of each island, in the place of its A. */
static void guard_islands(const step_state_t *w) {
    impinge_step_report *const report = &w->shared->report;
    sum_islands(w);
    report->energy_after = report->energy_before;
    w->shared->guarded = false;
    for (size_t i = 0; i < w->bodies; i++) {
        double *const g = w->gained + 3 * i;
        if (w->island[i] != i) continue;
        const double a = g[0];
        const double b = g[1];
        const bool gained = a + b > 0 && b > 0 && !w->options.rest.ignore_energy;
        const double alpha = !gained ? 1 : a < 0 ? -a / b : 0;
        g[0] = alpha;
        report->energy_after += alpha * g[2] + alpha * alpha * b;
        if (!gained) continue;
        report->guarded++;
        w->shared->guarded = true;
    }
}

static void scale_impulses(const step_state_t *w, size_t first, size_t end) {
    for (size_t j = first; j < end; j++) {
        const double alpha = w->gained[3 * (size_t)island_of(w, j)];
        for (size_t k = 0; k < 3 && alpha < 1; k++)
            w->impulse[k][j] = (real_t)(alpha * (double)w->impulse[k][j]);
        for (size_t k = 0; k < 3 && alpha < 1 && w->rolls; k++)
            w->tie[ROLL_COUPLE + k][j] = (real_t)(alpha * (double)w->tie[ROLL_COUPLE + k][j]);
    }
}

static void guard(const step_state_t *w, const kernels_t *kernels) {
    const range_t bodies = share_of(w, w->bodies, SHARE);
    kernels->weigh(w, bodies.first, bodies.end);
    barrier(w);
    if (is_first(w)) guard_islands(w);
    barrier(w);
    if (!w->shared->guarded) return;
    const range_t places = share_of(w, w->shared->live, SHARE);
    kernels->scale(w, bodies.first, bodies.end);
    scale_impulses(w, places.first, places.end);
    barrier(w);
}

/* Couples at the start; those of contacts that take no part in the rest are 0. */
static void begin_rolling(const step_state_t *w, const kernels_t *kernels) {
    const NAME(impinge_rolling_resistance) *const of = w->step->rolling_resistance;
    const range_t places = share_of(w, w->shared->live, SHARE);
    const range_t contacts = share_of(w, w->contacts, SHARE);
    const real_t none[3] = {0, 0, 0};
    if (w->rolls) kernels->begin_rolling(w, places.first, places.end);
    if (!of || !of->couple_x) return;
    barrier(w);
    for (size_t i = contacts.first; i < contacts.end; i++)
        write_numbers(stride_of(AS_GIVEN, of->couple_stride), of->couple_x, of->couple_y,
                      of->couple_z, i, none);
}

/* ---- Given impulses that are too large ---- */

static void note_largest(double *most, const real_t v[3]) {
    for (size_t k = 0; k < 3; k++)
        if (fabs((double)v[k]) > *most) *most = fabs((double)v[k]);
}

/*
 * The largest speed of the bodies of a contact, at its island: at the beginning of the rest, of
 * their surfaces, too, and before impacts and kicks; and that of its aim.
 */
static void note_speeds(const step_state_t *w, size_t place) {
    const NAME(impinge_particles) *const p = w->step->particles;
    const uint32_t rows[2] = {w->row_a[place], w->row_b[place]};
    double *const most = w->gained + island_of(w, place);
    for (size_t side = 0; side < 2; side++) {
        const size_t body = rows[side] / ROW;
        real_t given[3];
        note_largest(most, w->before + body * ROW);
        note_largest(most, w->before + body * ROW + ROW_SURFACE);
        if (body >= w->particles) continue;
        numbers_at(VECTOR_OF(AS_GIVEN, p, velocity), body, given);
        note_largest(most, given);
    }
    const real_t aim[3] = {w->aim[0][place], w->aim[1][place], w->aim[2][place]};
    if (w->aims) note_largest(most, aim);
}

/* Sets an impulse or couple to 0 that changes a velocity, by `each` a unit, by more than `most`. */
static void drop_above(real_t *const *column, size_t place, double each, double most) {
    double size = 0;
    const real_t p[3] = {column[0][place], column[1][place], column[2][place]};
    note_largest(&size, p);
    for (size_t k = 0; k < 3 && each * size > most; k++)
        column[k][place] = 0;
}

/* The same for the couple of a contact. */
static void drop_couple_above(const step_state_t *w, size_t place, const real_t *a, const real_t *b,
                              double most) {
    const double alpha = (double)w->tie[ROLL_SHARE_A][place];
    const double beta = (double)w->tie[ROLL_SHARE_B][place];
    const double k_c =
        alpha * alpha * (double)a[ROW_SURFACE + 3] + beta * beta * (double)b[ROW_SURFACE + 3];
    drop_above(w->tie + ROLL_COUPLE, place, k_c, most);
    drop_above(w->tie + ROLL_CHANGE, place, k_c, most);
}

/*
 * Takes given impulses and couples for 0 that are too large for the velocities of their island: v +
 * p / m would lose the digits of v, and with them the momentum, which sweeps that take p away again
 * do not give back. Of the island, since bodies at rest may transmit the impulses of others. This
 * is needed only where a contact has been found with an impulse too large for its own bodies.
 */
static void drop_unsupported(const step_state_t *w) {
    for (size_t i = 0; i < w->bodies; i++)
        w->gained[i] = (double)kick_size(&w->step->kick);
    for (size_t j = 0; j < w->shared->live; j++)
        note_speeds(w, j);
    for (size_t j = 0; j < w->shared->live; j++) {
        const real_t *const a = w->rows + (w->row_a[j] & ~ROW_FIXED);
        const real_t *const b = w->rows + (w->row_b[j] & ~ROW_FIXED);
        const double most = SUPPORTED * w->gained[island_of(w, j)];
        drop_above(w->impulse, j, (double)a[3] + (double)b[3], most);
        if (w->rolls) drop_couple_above(w, j, a, b, most);
    }
}

static bool may_be_unsupported(const step_state_t *w) {
    bool any = false;
    for (size_t m = 0; m < w->team.members; m++)
        any |= w->shared->unsupported[m];
    return any;
}

static void rest(const step_state_t *w, const kernels_t *kernels) {
    const range_t bodies = share_of(w, w->bodies, SHARE);
    kernels->begin(w, bodies.first, bodies.end, true);
    begin_rolling(w, kernels);
    barrier(w);
    if (may_be_unsupported(w)) {
        if (is_first(w)) drop_unsupported(w);
        barrier(w);
    }
    if (is_unordered(w)) {
        split_sweeps(w, kernels);
    } else {
        if (w->step->state.impulse_x) each_colour(w, kernels, 0, visit_warm);
        if (w->rolls && w->step->rolling_resistance->couple_x)
            each_colour(w, kernels, 0, visit_rolling);
        sweeps(w, kernels);
    }
    guard(w, kernels);
    if (w->rolls) {
        const range_t places = share_of(w, w->shared->live, SHARE);
        kernels->write_rolling(w, places.first, places.end);
    }
}

/* ---- Positions ---- */

static void project(const step_state_t *w, const kernels_t *kernels) {
    const range_t bodies = share_of(w, w->bodies, SHARE);
    kernels->begin_places(w, bodies.first, bodies.end);
    if (is_first(w))
        memset(w->place + w->bodies * PLACE_ROW, 0,
               IMPINGE_TEAM_MAX * PLACE_ROW * sizeof *w->place);
    if (is_unordered(w)) begin_split(w);
    barrier(w);
    for (size_t s = 0; s < w->options.positions.sweeps; s++) {
        each_colour(w, kernels, s, is_unordered(w) ? visit_split_project : visit_project);
        if (!is_unordered(w)) continue;
        kernels->split_add(w, bodies.first, bodies.end, true);
        barrier(w);
    }
}

/* ---- The end ---- */

/* `rests`: the results of the rest are still to be written. */
static void end(const step_state_t *w, const kernels_t *kernels, bool rests, bool moves) {
    const range_t bodies = share_of(w, w->bodies, SHARE);
    const range_t places = share_of(w, w->shared->live, SHARE);
    kernels->unpack(w, bodies.first, bodies.end, moves);
    if (rests) kernels->write_rest(w, places.first, places.end);
}

static size_t report_step(const step_state_t *w, impinge_step_report *report) {
    size_t invalid = 0;
    for (size_t m = 0; m < w->team.members; m++)
        invalid += w->shared->invalid[m];
    if (report) {
        *report = w->shared->report;
        report->contacts = w->contacts;
        report->invalid = invalid;
    }
    /* No member begins another call while another still reads the data of this one. */
    barrier(w);
    return invalid;
}

size_t NAME(impinge_run_particle_step)(const NAME(impinge_particle_step_kernels) * kernels,
                                       const NAME(impinge_particle_step) * step,
                                       const impinge_step_options *options, step_parts_t parts,
                                       impinge_step_report *report) {
    step_state_t w = state_of(step, options);
    w.rests = parts.rest;
    w.collides = parts.impacts;
    begin(&w, kernels);
    collide_beside_islands(&w, kernels, parts.impacts, parts.rest);
    if (parts.rest) rest(&w, kernels);
    if (parts.positions) project(&w, kernels);
    end(&w, kernels, parts.rest && !parts.positions, parts.positions);
    return report_step(&w, report);
}
