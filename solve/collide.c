/*
 * Contacts that name their bodies. The kernels read them as body pairs, a vector at a time, from
 * the stage, where they are gathered as they are read: Routh's law, which takes contacts as others
 * leave its ring, never waits for the last of a piece. (Pieces of 256 had its lanes run empty at
 * the end of each: the call took 1.4 times as long as pairs that were gathered before.)
 */
#include "results.h"
#include "solve.h"
#include "stage.h"

/*
 * The velocities after these contacts are written when all have been computed: if a movable body is
 * in two of them, which is the caller's mistake, both still see the same velocity before, for any
 * width of the target.
 */
enum { MOVED = IMPINGE_REAL_BITS == 32 ? 256 : 192 };

enum { MOTION_COLUMNS = FIELDS(FIELDS_MOTION) };

typedef struct moved {
    real_t after[2][MOTION_COLUMNS][MOVED]; /* of A and B */
    bool collided[MOVED];
} moved_t;

/* Contacts that are being collided. */
typedef struct colliding {
    staged_t stage;
    const resolver_t *by;
    impinge_selection selection;
    const collide_mode_t *mode;
    const NAME(impinge_indexed_results) * to;
    moved_t *moved; /* null: velocities stay */
    size_t collided;
    real_t *column[RESULT_COLUMNS]; /* of `to` */
    real_t result[RESULT_COLUMNS][STAGED];
    uint32_t outcome[STAGED];
    NAME(impinge_body_pair_results) results; /* all of these */
} colliding_t;

static void count_invalid(impinge_report *report, size_t number) {
    report->invalid++;
    if (number < report->first_invalid) report->first_invalid = number;
}

/* ---- Results ---- */

/* True if results of consecutive contacts are written where they belong; otherwise on the stage. */
static bool writes_at_once(const colliding_t *c) { return c->stage.consecutive && !c->mode->adds; }

static inline void point_to_results(colliding_t *c) {
    const bool at_once = writes_at_once(c);
    real_t *at[RESULT_COLUMNS];
    for (size_t k = 0; k < RESULT_COLUMNS; k++) {
        at[k] = c->column[k];
        if (!at[k]) continue;
        at[k] = at_once ? at[k] + result_element(c->to, k, c->stage.number[0]) : c->result[k];
    }
#define AT(name) c->results.name = at[COLUMN_##name];
    FIELDS_RESULTS(AT)
#undef AT
    c->results.impulse_stride = at_once ? c->to->impulse_stride : 1;
    c->results.work_stride = at_once ? c->to->work_stride : 1;
}

static void point_to_motions(NAME(impinge_body_results) * to, real_t (*after)[MOVED],
                             size_t position) {
#define AT(name) to->name = *after++ + position;
    FIELDS_MOTION(AT)
#undef AT
}

/* The kernels' `gather`. */
static void bring(void *colliding, size_t position, size_t count, bool bodies) {
    colliding_t *const c = colliding;
    stage_gather(&c->stage, position, count, bodies);
    point_to_results(c);
    if (!c->moved) return;
    point_to_motions(&c->results.a, c->moved->after[0], position);
    point_to_motions(&c->results.b, c->moved->after[1], position);
}

/* Some contacts on the stage, from `first` to before `end`. */
typedef struct part {
    size_t first, end;
} part_t;

/* Contacts with bad indices were staged as world-world: no impulse, but another reason. */
static void judge_indices(colliding_t *c, part_t part) {
    for (size_t j = part.first; c->stage.any_bad && j < part.end; j++) {
        if (c->stage.bad_index[j])
            c->outcome[j] = IMPINGE_OUTCOME_INVALID | (uint32_t)IMPINGE_OUTCOME_INVALID_INDEX;
    }
}

/* Counts outcomes, and adds the bits that only the call can set. */
static inline void conclude(colliding_t *c, part_t part) {
    const staged_t *const s = &c->stage;
    const uint32_t got = IMPINGE_OUTCOME_GOT_IMPULSE, split = IMPINGE_OUTCOME_MASS_SPLIT;
    uint32_t any = 0, collided = 0;
    judge_indices(c, part);
    for (size_t j = part.first; j < part.end; j++) {
        const uint32_t outcome = c->outcome[j];
        any |= outcome;
        collided += (outcome & got) != 0;
    }
    c->collided += collided;
    for (size_t j = part.first; s->splits && j < part.end; j++)
        c->outcome[j] |= (c->outcome[j] & got) && s->split[j] ? split : 0;
    for (size_t j = part.first; (any & IMPINGE_OUTCOME_INVALID) && j < part.end; j++)
        if (c->outcome[j] & IMPINGE_OUTCOME_INVALID) count_invalid(c->by->report, s->number[j]);
    for (size_t j = part.first; c->moved && j < part.end; j++)
        c->moved->collided[s->position + j] = (c->outcome[j] & got) != 0;
}

/* The kernels' `scatter`: staged results go to the contacts' numbers. */
static void take(void *colliding, size_t position, size_t count) {
    colliding_t *const c = colliding;
    const staged_t *const s = &c->stage;
    const bool adds = c->mode->adds;
    const part_t part = {position - s->position, position - s->position + count};
    conclude(c, part);
    for (size_t k = 0; k < RESULT_COLUMNS && !writes_at_once(c); k++) {
        if (!c->column[k]) continue;
        for (size_t j = part.first; j < part.end; j++) {
            real_t *const result = &c->column[k][result_element(c->to, k, s->number[j])];
            *result = adds ? *result + c->result[k][j] : c->result[k][j];
        }
    }
    if (!c->to->outcome) return;
    for (size_t j = part.first; j < part.end; j++) {
        uint32_t *const outcome = result_outcome(c->to, s->number[j]);
        *outcome = adds ? merged(*outcome, c->outcome[j]) : c->outcome[j];
    }
}

/* ---- Velocities ---- */

static void write_velocities(const NAME(impinge_bodies) * b, uint32_t index, real_t (*after)[MOVED],
                             size_t position) {
    if (!NAME(impinge_is_movable)(b, index)) return;
    const size_t v = element(index, b->velocity_stride);
    const size_t w = element(index, b->angular_velocity_stride);
#define WRITE_VELOCITY(name) b->name[v] = (*after++)[position];
#define WRITE_TURNING(name)  b->name[w] = (*after++)[position];
    FIELDS_VELOCITY(WRITE_VELOCITY)
    FIELDS_TURNING(WRITE_TURNING)
#undef WRITE_TURNING
#undef WRITE_VELOCITY
}

static void write_moved(colliding_t *c, size_t count) {
    const staged_t *const s = &c->stage;
    for (size_t i = 0; i < count; i++) {
        if (!c->moved->collided[i]) continue;
        const size_t number = number_at(s, i);
        write_velocities(s->bodies, body_a_of(s->contacts, number), c->moved->after[0], i);
        write_velocities(s->bodies, body_b_of(s->contacts, number), c->moved->after[1], i);
    }
}

/* ---- Which contacts ---- */

/* Those that `order` numbers or, if it is null, those from `first` on. */
static void collide_these(colliding_t *c, const uint32_t *order, size_t first, size_t count) {
    const NAME(impinge_pair_source) source = {.count = count,
                                              .moves = c->moved != NULL,
                                              .pairs = &c->stage.pairs,
                                              .results = &c->results,
                                              .stage = c,
                                              .gather = bring,
                                              .scatter = take};
    impinge_report report = {0};
    stage_clear(&c->stage, order, first);
    kernels_for(c->by, count)->resolve_gathered(&source, c->by->options, &report);
    c->by->report->steps += report.steps;
    c->by->report->lane_slots += report.lane_slots;
    if (c->moved) write_moved(c, count);
}

static bool is_chosen(const colliding_t *c, size_t number) {
    const collide_mode_t *const mode = c->mode;
    if (!mode->chooses) return true;
    const real_t approach = NAME(impinge_approach)(c->stage.bodies, c->stage.contacts, number);
    return approach == 0 ? mode->still : mode->faster && (double)approach > mode->rest_speed;
}

/* One by one: some are left out. */
static void collide_chosen(colliding_t *c) {
    const impinge_selection from = c->selection;
    uint32_t chosen[MOVED];
    size_t count = 0;
    for (size_t i = from.first; i < from.first + from.count; i++) {
        const size_t number = from.order ? from.order[i] : i;
        if (number >= c->stage.contacts->count)
            count_invalid(c->by->report, number);
        else if (is_chosen(c, number))
            chosen[count++] = (uint32_t)number;
        if (count < MOVED) continue;
        collide_these(c, chosen, 0, count);
        count = 0;
    }
    if (count > 0) collide_these(c, chosen, 0, count);
}

/* The contacts from element i of the list on whose numbers there are. */
static size_t run_of_numbers(const colliding_t *c, size_t i, size_t most) {
    const uint32_t *const order = c->selection.order;
    size_t count = 0;
    if (!order) return most;
    while (count < most && order[i + count] < c->stage.contacts->count)
        count++;
    return count;
}

/* All of them, as many at a time as may be. */
static void collide_all(colliding_t *c) {
    const uint32_t *const order = c->selection.order;
    const size_t end = c->selection.first + c->selection.count;
    size_t i = c->selection.first;
    while (i < end) {
        const size_t most = c->moved && end - i > MOVED ? MOVED : end - i;
        const size_t count = run_of_numbers(c, i, most);
        if (count > 0) collide_these(c, order ? order + i : NULL, i, count);
        i += count;
        if (count < most) count_invalid(c->by->report, order[i++]);
    }
}

static void begin(colliding_t *c, const resolver_t *by, const collide_mode_t *mode,
                  const NAME(impinge_indexed_results) * results) {
    c->by = by;
    c->mode = mode;
    c->to = results;
    c->collided = 0;
    result_columns(results, c->column);
    c->results = (NAME(impinge_body_pair_results)){.outcome = c->outcome,
                                                   .impulse_stride = results->impulse_stride,
                                                   .work_stride = results->work_stride};
}

static size_t collide_selected(const resolver_t *by, const NAME(impinge_bodies) * bodies,
                               const NAME(impinge_indexed_contacts) * contacts,
                               impinge_selection selection, const collide_mode_t *mode,
                               const NAME(impinge_indexed_results) * results, moved_t *moved) {
    colliding_t c;
    stage_begin(&c.stage, bodies, contacts, mode->splits);
    begin(&c, by, mode, results);
    c.selection = selection;
    c.moved = moved;
    if (mode->chooses)
        collide_chosen(&c);
    else
        collide_all(&c);
    return c.collided;
}

/* Velocities that wait take stack, which calls that write none need not have. */
static __attribute__((noinline)) size_t
collide_and_move(const resolver_t *by, const NAME(impinge_bodies) * bodies,
                 const NAME(impinge_indexed_contacts) * contacts, impinge_selection selection,
                 const collide_mode_t *mode, const NAME(impinge_indexed_results) * results) {
    moved_t moved;
    return collide_selected(by, bodies, contacts, selection, mode, results, &moved);
}

size_t NAME(impinge_collide)(const resolver_t *by, const NAME(impinge_bodies) * bodies,
                             const NAME(impinge_indexed_contacts) * contacts,
                             impinge_selection selection, const collide_mode_t *mode,
                             const NAME(impinge_indexed_results) * results) {
    return mode->applies ? collide_and_move(by, bodies, contacts, selection, mode, results)
                         : collide_selected(by, bodies, contacts, selection, mode, results, NULL);
}
