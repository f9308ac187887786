/*
 * Contacts that name their bodies. The kernels read them as body pairs, a vector at a time, from
 * the stage, where they are gathered as they are read. So Routh's law, which loads contacts as
 * others leave its ring, never waits for the last of a piece. (With pieces of 256 contacts its
 * lanes ran empty at the end of each: the call took 1.4 times as long as pairs that were gathered
 * before.)
 */
#include "results.h"
#include "solve.h"
#include "stage.h"

/*
 * Velocities are written as contacts leave the lanes. No movable body may be in two contacts that
 * are in the lanes together: contacts are resolved in pieces, and a piece ends before the first
 * contact that has a body of an earlier one. So such contacts collide one after the other, whatever
 * the width of the target. At the end of a piece the lanes run empty, so pieces are long.
 */
enum { PIECE = 1024, CHOSEN = 256 };

/* Contacts that are being collided. */
typedef struct colliding {
    staged_t stage;
    const resolver_t *by;
    impinge_selection selection;
    const collide_mode_t *mode;
    const NAME(impinge_indexed_results) * to;
    size_t collided;
    real_t *column[RESULT_COLUMNS];          /* of `to` */
    NAME(impinge_body_pair_results) results; /* all of these */
} colliding_t;

static void count_invalid(impinge_report *report, size_t number) {
    report->invalid++;
    if (number < report->first_invalid) report->first_invalid = number;
}

/* ---- Results ---- */

/*
 * True if results of consecutive contacts are written to the caller's arrays directly; otherwise
 * they go to the stage first.
 */
static bool writes_at_once(const colliding_t *c) { return c->stage.consecutive && !c->mode->adds; }

static inline void point_to_results(colliding_t *c) {
    const bool at_once = writes_at_once(c);
    real_t *at[RESULT_COLUMNS];
    for (size_t k = 0; k < RESULT_COLUMNS; k++) {
        at[k] = c->column[k];
        if (!at[k]) continue;
        at[k] = at_once ? at[k] + result_element(c->to, k, c->stage.at->number[0])
                        : staged_result(c->stage.at, k);
    }
#define AT(name) c->results.name = at[COLUMN_##name];
    FIELDS_RESULTS(AT)
#undef AT
    c->results.impulse_stride = at_once ? c->to->impulse_stride : 1;
    c->results.work_stride = at_once ? c->to->work_stride : 1;
}

/* On the stage, the kernels overwrite the velocities before with those after. */
static void point_to_motions(NAME(impinge_body_results) * to, staged_side_t *side) {
#define AT(name) to->name = side->column[COLUMN_##name];
    FIELDS_MOTION(AT)
#undef AT
}

_Static_assert(sizeof(staged_contacts_t) <= IMPINGE_STAGE_ROOM, "contacts have room there");

/* The kernels' `place`. */
static void place(void *colliding, void *room) {
    colliding_t *const c = colliding;
    staged_contacts_t *const at = room;
    stage_place(&c->stage, at);
    c->results.outcome = at->outcome;
    if (!c->mode->applies) return;
    point_to_motions(&c->results.a, &at->a);
    point_to_motions(&c->results.b, &at->b);
}

/* Some contacts on the stage, from `first` to before `end`. */
typedef struct part {
    size_t first, end;
} part_t;

/*
 * Contacts with bad indices were staged between the world and itself: they have no impulse, but
 * need another reason.
 */
static void judge_indices(colliding_t *c, part_t part) {
    for (size_t j = part.first; c->stage.any_bad && j < part.end; j++) {
        if (c->stage.at->bad_index[j])
            c->stage.at->outcome[j] =
                IMPINGE_OUTCOME_INVALID | (uint32_t)IMPINGE_OUTCOME_INVALID_INDEX;
    }
}

/* Counts outcomes, and adds the bits that only the call can set. */
static inline void conclude(colliding_t *c, part_t part) {
    const staged_t *const s = &c->stage;
    const uint32_t got = IMPINGE_OUTCOME_GOT_IMPULSE;
    uint32_t any = 0, collided = 0;
    judge_indices(c, part);
    for (size_t j = part.first; j < part.end; j++) {
        const uint32_t outcome = c->stage.at->outcome[j];
        any |= outcome;
        collided += (outcome & got) != 0;
    }
    c->collided += collided;
    /* Without a branch: whether a contact collides cannot be predicted. */
    for (size_t j = part.first; s->splits && j < part.end; j++) {
        const uint32_t collides = (c->stage.at->outcome[j] & got) != 0 ? 1 : 0;
        c->stage.at->outcome[j] |= (collides & s->at->split[j]) * IMPINGE_OUTCOME_MASS_SPLIT;
    }
    for (size_t j = part.first; (any & IMPINGE_OUTCOME_INVALID) && j < part.end; j++)
        if (c->stage.at->outcome[j] & IMPINGE_OUTCOME_INVALID)
            count_invalid(c->by->report, s->at->number[j]);
}

/* ---- Velocities ---- */

/* As impinge_is_movable, for a body on the stage; the world is not movable. */
static inline bool is_movable_there(const NAME(impinge_bodies) * b, const staged_side_t *side,
                                    size_t j) {
#define MOVES(name)         side->column[COLUMN_##name][j] != 0 ||
#define PRODUCT_MOVES(name) (b->name && side->column[COLUMN_##name][j] != 0) ||
    return FIELDS_MASS(MOVES) FIELDS_PRODUCTS(PRODUCT_MOVES) false;
#undef PRODUCT_MOVES
#undef MOVES
}

static void write_velocities(const NAME(impinge_bodies) * b, const staged_side_t *side, size_t j) {
    if (!is_movable_there(b, side, j)) return;
    const size_t v = element(side->index[j], b->velocity_stride);
    const size_t w = element(side->index[j], b->angular_velocity_stride);
#define WRITE_VELOCITY(name) b->name[v] = side->column[COLUMN_##name][j];
#define WRITE_TURNING(name)  b->name[w] = side->column[COLUMN_##name][j];
    FIELDS_VELOCITY(WRITE_VELOCITY)
    FIELDS_TURNING(WRITE_TURNING)
#undef WRITE_TURNING
#undef WRITE_VELOCITY
}

static void move_bodies(const colliding_t *c, part_t part) {
    const staged_t *const s = &c->stage;
    for (size_t j = part.first; j < part.end; j++) {
        if (!(c->stage.at->outcome[j] & IMPINGE_OUTCOME_GOT_IMPULSE)) continue;
        write_velocities(s->bodies, &s->at->a, j);
        write_velocities(s->bodies, &s->at->b, j);
    }
}

/* ---- What the kernels call ---- */

/* The kernels' `gather`. */
static void bring(void *colliding, size_t position, size_t count, bool bodies) {
    colliding_t *const c = colliding;
    stage_gather(&c->stage, position, count, bodies);
    point_to_results(c);
}

/* The kernels' `scatter`: staged results go to the contacts' numbers. */
static void take(void *colliding, size_t position, size_t count) {
    colliding_t *const c = colliding;
    const staged_t *const s = &c->stage;
    const bool adds = c->mode->adds;
    const part_t part = {position - s->position, position - s->position + count};
    conclude(c, part);
    if (c->mode->applies) move_bodies(c, part);
    for (size_t k = 0; k < RESULT_COLUMNS && !writes_at_once(c); k++) {
        if (!c->column[k]) continue;
        const real_t *const staged = staged_result(s->at, k);
        for (size_t j = part.first; j < part.end; j++) {
            real_t *const result = &c->column[k][result_element(c->to, k, s->at->number[j])];
            *result = adds ? *result + staged[j] : staged[j];
        }
    }
    if (!c->to->outcome) return;
    for (size_t j = part.first; j < part.end; j++) {
        uint32_t *const outcome = result_outcome(c->to, s->at->number[j]);
        *outcome = adds ? merged(*outcome, c->stage.at->outcome[j]) : c->stage.at->outcome[j];
    }
}

/* ---- The bodies of a piece ---- */

/* A set of bodies: their indices, each in the first free slot from that of its hash on. */
typedef struct body_set {
    unsigned shift;                   /* of a hash to a slot */
    uint32_t slot[4 * (size_t)PIECE]; /* an index, plus 1; 0: free. Half of them stay free */
} body_set_t;

static void set_clear(body_set_t *set, size_t contacts) {
    unsigned bits = 2;
    while (((size_t)1 << bits) < 4 * contacts)
        bits++;
    set->shift = 32 - bits;
    memset(set->slot, 0, sizeof *set->slot << bits);
}

/* The slot of the index, or the one where it would be. By Fibonacci's hash (Knuth 1998, 6.4). */
static uint32_t *slot_of(body_set_t *set, uint32_t index) {
    const uint32_t last = UINT32_MAX >> set->shift;
    uint32_t i = index * UINT32_C(2654435769) >> set->shift;
    while (set->slot[i] != 0 && set->slot[i] != index + 1)
        i = (i + 1) & last;
    return &set->slot[i];
}

/* As impinge_is_movable, but without a call for most bodies. */
static inline bool moves(const NAME(impinge_bodies) * bodies, uint32_t index) {
    return index < bodies->count &&
           (bodies->inverse_mass[element(index, bodies->inverse_mass_stride)] != 0 ||
            NAME(impinge_is_movable)(bodies, index));
}

/* Adds the movable bodies of a contact; false if one of them is already in the set. */
static bool set_add(body_set_t *set, const staged_t *s, size_t number) {
    const uint32_t a = body_a_of(s->contacts, number), b = body_b_of(s->contacts, number);
    uint32_t *const slot_a = moves(s->bodies, a) ? slot_of(set, a) : NULL;
    if (slot_a && *slot_a != 0) return false;
    uint32_t *const slot_b = moves(s->bodies, b) ? slot_of(set, b) : NULL;
    if (slot_b && *slot_b != 0) return false;
    if (slot_a) *slot_a = a + 1;
    if (slot_b) *slot_of(set, b) = b + 1; /* a may have taken it */
    return true;
}

/* ---- Which contacts ---- */

/* The contacts whose numbers are in `order` or, if it is null, those from `first` on. */
static void collide_these(colliding_t *c, const uint32_t *order, size_t first, size_t count) {
    const NAME(impinge_pair_source) source = {.count = count,
                                              .moves = c->mode->applies,
                                              .pairs = &c->stage.pairs,
                                              .results = &c->results,
                                              .stage = c,
                                              .gather = bring,
                                              .scatter = take,
                                              .place = place};
    impinge_report report = {0};
    stage_clear(&c->stage, order, first);
    c->results.impulse_stride = c->to->impulse_stride;
    c->results.work_stride = c->to->work_stride;
    kernels_for(c->by, count)->resolve_gathered(&source, c->by->options, &report);
    c->by->report->steps += report.steps;
    c->by->report->lane_slots += report.lane_slots;
}

/*
 * The number of these, from the first on, that have no movable body twice. In a stack frame of its
 * own: the kernels need the stack afterwards.
 */
static APART size_t run_of_independent(const staged_t *s, const uint32_t *order, size_t first,
                                       size_t most) {
    body_set_t set;
    size_t count = 0;
    set_clear(&set, most);
    while (count < most && set_add(&set, s, order ? order[count] : first + count))
        count++;
    return count;
}

/* Collides as many of these as possible at a time, at least one, and returns their number. */
static size_t collide_piece(colliding_t *c, const uint32_t *order, size_t first, size_t most) {
    const bool all = most == 1 || !c->mode->applies;
    const size_t count = all ? most : run_of_independent(&c->stage, order, first, most);
    collide_these(c, order, first, count);
    return count;
}

static bool is_chosen(const colliding_t *c, size_t number) {
    const collide_mode_t *const mode = c->mode;
    const real_t approach = NAME(impinge_approach)(c->stage.bodies, c->stage.contacts, number);
    if (approach == 0) return mode->still;
    if (!mode->faster || !((double)approach > mode->rest_speed)) return false;
    return !mode->again ||
           (double)approach > rounding_of(c->stage.bodies, c->stage.contacts, c->to, number);
}

/*
 * Chooses at most CHOSEN contacts from element *i of the list on, and moves *i on. They are chosen
 * by the velocities before the first of them collides.
 */
static size_t choose(const colliding_t *c, size_t *i, uint32_t chosen[CHOSEN]) {
    const impinge_selection from = c->selection;
    const size_t end = from.first + from.count;
    size_t count = 0;
    for (; *i < end && count < CHOSEN; (*i)++) {
        const size_t number = from.order ? from.order[*i] : *i;
        if (number >= c->stage.contacts->count)
            count_invalid(c->by->report, number);
        else if (is_chosen(c, number))
            chosen[count++] = (uint32_t)number;
    }
    return count;
}

/* In a stack frame of its own, for the list of them. */
static APART void collide_chosen(colliding_t *c) {
    const size_t end = c->selection.first + c->selection.count;
    uint32_t chosen[CHOSEN];
    size_t i = c->selection.first;
    while (i < end) {
        const size_t count = choose(c, &i, chosen);
        for (size_t k = 0; k < count;)
            k += collide_piece(c, chosen + k, 0, count - k);
    }
}

/* The number of successive contacts from element i of the list on whose numbers are in range. */
static size_t run_of_numbers(const colliding_t *c, size_t i, size_t most) {
    const uint32_t *const order = c->selection.order;
    size_t count = 0;
    if (!order) return most;
    while (count < most && order[i + count] < c->stage.contacts->count)
        count++;
    return count;
}

/* Collides all of them, as many at a time as possible. */
static void collide_all(colliding_t *c) {
    const uint32_t *const order = c->selection.order;
    const size_t end = c->selection.first + c->selection.count;
    size_t i = c->selection.first;
    while (i < end) {
        const size_t most = c->mode->applies && end - i > PIECE ? PIECE : end - i;
        const size_t numbers = run_of_numbers(c, i, most);
        for (size_t k = 0; k < numbers;)
            k += collide_piece(c, order ? order + i + k : NULL, i + k, numbers - k);
        i += numbers;
        if (numbers < most) count_invalid(c->by->report, order[i++]);
    }
}

static void begin(colliding_t *c, const resolver_t *by, const collide_mode_t *mode,
                  const NAME(impinge_indexed_results) * results) {
    c->by = by;
    c->mode = mode;
    c->to = results;
    c->collided = 0;
    result_columns(results, c->column);
    c->results = (NAME(impinge_body_pair_results)){.outcome = NULL};
}

size_t NAME(impinge_collide)(const resolver_t *by, const NAME(impinge_bodies) * bodies,
                             const NAME(impinge_indexed_contacts) * contacts,
                             impinge_selection selection, const collide_mode_t *mode,
                             const NAME(impinge_indexed_results) * results) {
    colliding_t c;
    stage_begin(&c.stage, bodies, contacts, mode->splits);
    begin(&c, by, mode, results);
    c.selection = selection;
    if (mode->chooses)
        collide_chosen(&c);
    else
        collide_all(&c);
    return c.collided;
}
