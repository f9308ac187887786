/*
 * Simultaneous contacts as a sequence (Chatterjee and Ruina 1998, 6.4), many islands side by side.
 *
 * Each island has a tournament over its contacts, with the greatest approach velocity at its root.
 * A round picks one contact from each of the active islands, collides all of them in lanes, and
 * computes the approach velocities of the contacts that share a body with them again. An island
 * that has ended leaves its place to the next one.
 */
#include <math.h>
#include <string.h>

#include "bodies.h"
#include "carving.h"
#include "graph.h"
#include "results.h"
#include "solve.h"

/* Islands at a time: some vectors of lanes on every target. */
#define ACTIVE 128

/* Chatterjee and Ruina 1998 proves no bound; this is for sequences that never end. */
#define COLLISIONS_PER_CONTACT 1000

/* The longest cycle, in contacts, that is searched for in a tail. It must occur three times. */
#define CYCLE_MAX 32
#define HISTORY   (3 * CYCLE_MAX)

/*
 * A tail is geometric if two successive cycles shrink by the same r. The error of the extrapolation
 * is that of r over (1 - r)^2; the sequence goes on and corrects it.
 */
#define GEOMETRIC_ERROR 1e-3

/* The interval between searches for a cycle, in collisions of the island. */
#define CYCLE_EVERY 8

/*
 * A hash by the finish of splitmix64 (Steele, Lea and Flood 2014). The generator itself is
 * tools/support/random.h's; the library draws no numbers, and includes nothing of the program's.
 */
static uint64_t hash(uint64_t seed, uint64_t a, uint64_t b) {
    uint64_t z = seed + a * UINT64_C(0x9e3779b97f4a7c15) + b * UINT64_C(0xd1342543de82ef95);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* A collision in the tail of an island. */
typedef struct past {
    uint32_t position;
    real_t impulse[3];
} past_t;

/* An island under way. A position is an index into the islands' order. */
typedef struct active {
    size_t island;
    size_t first, count; /* positions */
    size_t picked;       /* position */
    size_t collisions;
    size_t quiet;  /* collisions in a row whose work was small */
    double energy; /* the sum of all works of compression */
    bool extrapolated;
    size_t recorded; /* collisions in the history, which is a ring, since the last extrapolation */
    past_t history[HISTORY];
} active_t;

typedef struct sequence {
    const resolver_t *by;
    const NAME(impinge_bodies) * bodies;
    const NAME(impinge_indexed_contacts) * contacts;
    const impinge_contact_groups *islands;
    size_t island_end; /* of those to do */
    impinge_sequence_options options;
    const NAME(impinge_indexed_results) * results;
    const NAME(impinge_island_results) * island_results;
    impinge_sequence_report report;
    /* Arrays in the workspace, per position: */
    real_t *approach;
    uint32_t *winner; /* tournaments, see winner_of */
    /* The positions that touch a body: touching[touch_starts[body]] and on. */
    uint32_t *touch_starts, *touching;
    real_t *result[RESULTS]; /* of one collision, at the contact's number */
    uint32_t *outcome;
    active_t *active;
    uint32_t *picks; /* numbers of contacts */
} sequence_t;

/* ---- Workspace ---- */

static void carve_all(sequence_t *s, carving_t *c, size_t contacts, size_t bodies) {
    s->approach = carve(c, contacts, sizeof(real_t));
    s->winner = carve(c, contacts, sizeof(uint32_t));
    s->touch_starts = carve(c, bodies + 1, sizeof(uint32_t));
    s->touching = carve(c, 2 * contacts, sizeof(uint32_t));
    for (size_t k = 0; k < RESULTS; k++)
        s->result[k] = carve(c, contacts, sizeof(real_t));
    s->outcome = carve(c, contacts, sizeof(uint32_t));
    s->active = carve(c, ACTIVE, sizeof *s->active);
    s->picks = carve(c, ACTIVE, sizeof(uint32_t));
}

size_t NAME(impinge_sequences_size)(size_t contacts, size_t bodies) {
    sequence_t s;
    carving_t c = {NULL, 0};
    carve_all(&s, &c, contacts, bodies);
    return c.size;
}

/* ---- Contacts by body ---- */

static uint32_t number_of(const sequence_t *s, size_t position) {
    return s->islands->order[position];
}

static bool shares(const sequence_t *s, uint32_t body) {
    return NAME(impinge_is_movable)(s->bodies, body);
}

/* The bodies of a contact that others may touch. Returns how many. */
static size_t shared_bodies(const sequence_t *s, size_t position, uint32_t bodies[2]) {
    const uint32_t number = number_of(s, position);
    const uint32_t a = body_a_of(s->contacts, number);
    const uint32_t b = body_b_of(s->contacts, number);
    size_t count = 0;
    if (shares(s, a)) bodies[count++] = a;
    if (b != a && shares(s, b)) bodies[count++] = b;
    return count;
}

/* Counts, sums up, fills from the ends: positions ascend for each body. */
static void find_touching(sequence_t *s, size_t first, size_t end) {
    uint32_t bodies[2];
    memset(s->touch_starts, 0, (s->bodies->count + 1) * sizeof *s->touch_starts);
    for (size_t p = first; p < end; p++) {
        const size_t count = shared_bodies(s, p, bodies);
        for (size_t k = 0; k < count; k++)
            s->touch_starts[bodies[k]]++;
    }
    uint32_t sum = 0;
    for (size_t body = 0; body <= s->bodies->count; body++)
        s->touch_starts[body] = sum += s->touch_starts[body];
    for (size_t p = end; p > first; p--) {
        const size_t count = shared_bodies(s, p - 1, bodies);
        for (size_t k = 0; k < count; k++)
            s->touching[--s->touch_starts[bodies[k]]] = (uint32_t)(p - 1);
    }
}

/* ---- Tournaments ---- */

/*
 * The tournament of an island of n contacts: node i's winner, 1 <= i < n, is that of nodes 2 i and
 * 2 i + 1; nodes from n on are the contacts. Node 1 has the greatest approach velocity.
 */
static size_t winner_of(const sequence_t *s, const active_t *a, size_t node) {
    return node >= a->count ? a->first + (node - a->count) : s->winner[a->first + node];
}

static void play(sequence_t *s, const active_t *a, size_t node) {
    const size_t left = winner_of(s, a, 2 * node);
    const size_t right = winner_of(s, a, 2 * node + 1);
    const bool is_right = s->approach[right] > s->approach[left];
    s->winner[a->first + node] = (uint32_t)(is_right ? right : left);
}

static void play_all(sequence_t *s, const active_t *a) {
    for (size_t node = a->count; node > 1; node--)
        play(s, a, node - 1);
}

static void set_approach(sequence_t *s, const active_t *a, size_t position, real_t approach) {
    s->approach[position] = approach;
    for (size_t node = (a->count + (position - a->first)) / 2; node > 0; node /= 2)
        play(s, a, node);
}

/* The greatest approach velocity; 0 if there is no contact. */
static real_t greatest_approach(const sequence_t *s, const active_t *a) {
    return a->count > 0 ? s->approach[winner_of(s, a, 1)] : 0;
}

/* The contacts that are tied for it. */
typedef struct ties {
    const sequence_t *s;
    const active_t *a;
    real_t least; /* approach velocity of those that are tied */
    size_t count;
    size_t first;  /* position of the lowest number */
    size_t wanted; /* the one to find, counting from 0 */
    size_t found;
} ties_t;

static void collect(ties_t *t, size_t node) {
    const size_t position = winner_of(t->s, t->a, node);
    const real_t approach = t->s->approach[position];
    if (approach < t->least || !((double)approach > t->s->options.rest_speed)) return;
    if (node < t->a->count) { /* no deeper than 32 */
        collect(t, 2 * node);
        collect(t, 2 * node + 1);
        return;
    }
    if (t->count == t->wanted) t->found = position;
    if (t->count == 0 || number_of(t->s, position) < number_of(t->s, t->first)) t->first = position;
    t->count++;
}

/* The contact that collides next; false if none does. */
static bool pick(const sequence_t *s, active_t *a) {
    const real_t greatest = greatest_approach(s, a);
    if (!((double)greatest > s->options.rest_speed)) return false;
    ties_t t = {.s = s, .a = a, .least = greatest * (1 - (real_t)s->options.tie_tolerance)};
    collect(&t, 1);
    a->picked = t.first;
    if (s->options.tie == IMPINGE_TIE_BY_INDEX || t.count == 1) return true;
    t.wanted = (size_t)(hash(s->options.seed, number_of(s, a->first), a->collisions) % t.count);
    t.count = 0;
    collect(&t, 1);
    a->picked = t.found;
    return true;
}

/* ---- Islands come and go ---- */

static void end_island(sequence_t *s, const active_t *a, impinge_sequence_end end) {
    const real_t left = greatest_approach(s, a);
    const NAME(impinge_island_results) *const to = s->island_results;
    s->report.collisions += a->collisions;
    s->report.truncated += end != IMPINGE_SEQUENCE_COMPLETE;
    s->report.extrapolated += a->extrapolated;
    if ((double)left > s->report.largest_approach) s->report.largest_approach = (double)left;
    if (!to) return;
    if (to->collisions)
        to->collisions[a->island] =
            a->collisions < UINT32_MAX ? (uint32_t)a->collisions : UINT32_MAX;
    if (to->largest_approach) to->largest_approach[a->island] = left;
    if (to->end) to->end[a->island] = (uint8_t)end;
}

static size_t collisions_max(const sequence_t *s, const active_t *a) {
    return s->options.collisions_max > 0 ? s->options.collisions_max
                                         : a->count * COLLISIONS_PER_CONTACT;
}

/* True if the island goes on, with a contact picked; if not, `end` receives the reason. */
static bool goes_on(const sequence_t *s, active_t *a, impinge_sequence_end *end) {
    *end = IMPINGE_SEQUENCE_COMPLETE;
    if (!pick(s, a)) return false;
    *end = IMPINGE_SEQUENCE_ENERGY;
    if (s->options.energy_fraction > 0 && a->quiet >= a->count) return false;
    *end = IMPINGE_SEQUENCE_COUNT;
    return a->collisions < collisions_max(s, a);
}

static void begin_island(sequence_t *s, active_t *a, size_t island) {
    a->island = island;
    a->first = s->islands->starts[island];
    a->count = s->islands->starts[island + 1] - a->first;
    a->collisions = a->quiet = a->recorded = 0;
    a->energy = 0;
    a->extrapolated = false;
    play_all(s, a);
}

/* Fills the place with the next island that has a collision; false if none is left. */
static bool next_island(sequence_t *s, active_t *a, size_t *next) {
    while (*next < s->island_end) {
        impinge_sequence_end end;
        const size_t island = (*next)++;
        begin_island(s, a, island);
        if (goes_on(s, a, &end)) return true;
        end_island(s, a, end);
    }
    return false;
}

/* ---- After a collision ---- */

/* The approach velocities of all contacts of a body, but the one that has just collided. */
static void approach_again(sequence_t *s, const active_t *a, uint32_t body, size_t except) {
    for (size_t t = s->touch_starts[body]; t < s->touch_starts[body + 1]; t++) {
        const size_t position = s->touching[t];
        /* In a wrong list of islands, two of them may share a body. */
        if (position == except || position < a->first || position - a->first >= a->count) continue;
        set_approach(s, a, position,
                     NAME(impinge_approach)(s->bodies, s->contacts, number_of(s, position)));
    }
}

/* Everything that a contact's collision changed. */
static void follow(sequence_t *s, const active_t *a, size_t position) {
    uint32_t bodies[2];
    const size_t count = shared_bodies(s, position, bodies);
    for (size_t k = 0; k < count; k++)
        approach_again(s, a, bodies[k], position);
}

static void sum_up(const sequence_t *s, uint32_t number) {
    real_t *columns[RESULTS];
    result_columns(s->results, columns);
    for (size_t c = 0; c < RESULTS; c++) {
        if (!columns[c]) continue;
        real_t *const to = &columns[c][result_element(s->results, c, number)];
        const real_t now = s->result[c][number];
        *to = c < 3 ? *to + now : sum_of_works(*to, now, c - 3);
    }
    if (s->results->outcome)
        *result_outcome(s->results, number) =
            merged(*result_outcome(s->results, number), s->outcome[number]);
}

static void record(const sequence_t *s, active_t *a, uint32_t number) {
    past_t *const past = &a->history[a->recorded++ % HISTORY];
    past->position = (uint32_t)a->picked;
    for (size_t k = 0; k < 3; k++)
        past->impulse[k] = s->result[k][number];
}

/*
 * Accounts for the result of the picked contact. If it got no impulse (it is invalid, or has no
 * solution), nothing has changed, and it waits until its bodies' velocities change. If it got one,
 * its remaining approach is rounding.
 */
static void account(sequence_t *s, active_t *a) {
    const uint32_t number = number_of(s, a->picked);
    const double work = -(double)s->result[3][number];
    sum_up(s, number);
    set_approach(s, a, a->picked, 0);
    if (!(s->outcome[number] & IMPINGE_OUTCOME_GOT_IMPULSE)) return;
    a->collisions++;
    a->quiet = work <= s->options.energy_fraction * a->energy ? a->quiet + 1 : 0;
    a->energy += work;
    record(s, a, number);
    follow(s, a, a->picked);
}

/* ---- Extrapolation ---- */

/* The collision before the last `back` ones. */
static const past_t *past_at(const active_t *a, size_t back) {
    return &a->history[(a->recorded - 1 - back) % HISTORY];
}

static bool is_cycle(const active_t *a, size_t length) {
    for (size_t k = 0; k < 2 * length; k++)
        if (past_at(a, k)->position != past_at(a, k + length)->position) return false;
    return true;
}

/* The shortest cycle that the last collisions repeated three times; 0 if there is none. */
static size_t cycle_of(const active_t *a) {
    for (size_t length = 1; length <= CYCLE_MAX && 3 * length <= a->recorded; length++)
        if (is_cycle(a, length)) return length;
    return 0;
}

/* The sum over a cycle, `back` collisions back, of the squares of its impulses less r times those
 * of the cycle before it. */
static double square_of_difference(const active_t *a, size_t back, size_t length, double r) {
    double sum = 0;
    for (size_t k = back; k < back + length; k++) {
        const real_t *const now = past_at(a, k)->impulse;
        const real_t *const before = r == 0 ? now : past_at(a, k + length)->impulse;
        for (size_t c = 0; c < 3; c++) {
            const double difference = (double)now[c] - r * (double)before[c];
            sum += difference * difference;
        }
    }
    return sum;
}

/* r of a geometric tail; 0 if the tail is not geometric. */
static double ratio_of(const active_t *a, size_t length) {
    const double last = square_of_difference(a, 0, length, 0);
    const double middle = square_of_difference(a, length, length, 0);
    if (!(last > 0 && last < middle)) return 0;
    const double r = sqrt(last / middle);
    const double error = GEOMETRIC_ERROR * (1 - r);
    const bool is_geometric = square_of_difference(a, 0, length, r) <= error * error * last &&
                              square_of_difference(a, length, length, r) <= error * error * middle;
    return is_geometric ? r : 0;
}

/* A tail: impulses of a cycle's contacts, and the velocities of their bodies before it. */
typedef struct tail {
    size_t length;
    uint32_t position[CYCLE_MAX];
    real_t impulse[CYCLE_MAX][3];
    real_t before[CYCLE_MAX][2][6];
} tail_t;

/* One of the six numbers of a body's velocity. */
static real_t *velocity_number(const NAME(impinge_bodies) * b, uint32_t body, size_t k) {
    real_t *const columns[6] = {b->velocity_x,         b->velocity_y,
                                b->velocity_z,         b->angular_velocity_x,
                                b->angular_velocity_y, b->angular_velocity_z};
    return columns[k] + element(body, k < 3 ? b->velocity_stride : b->angular_velocity_stride);
}

/* r + r^2 + ... = r / (1 - r) times the last cycle. */
static void find_tail(const active_t *a, size_t length, double r, tail_t *to) {
    to->length = length;
    for (size_t k = 0; k < length; k++) {
        const past_t *const past = past_at(a, length - 1 - k);
        to->position[k] = past->position;
        for (size_t c = 0; c < 3; c++)
            to->impulse[k][c] = (real_t)((double)past->impulse[c] * (r / (1 - r)));
    }
}

static void push_tail(sequence_t *s, tail_t *t) {
    for (size_t k = 0; k < t->length; k++) {
        const uint32_t i = number_of(s, t->position[k]);
        const real_t back[3] = {-t->impulse[k][0], -t->impulse[k][1], -t->impulse[k][2]};
        const uint32_t body[2] = {body_a_of(s->contacts, i), body_b_of(s->contacts, i)};
        real_t arm[2][3];
        numbers_of(arm_a_of(s->contacts, i), arm[0]);
        numbers_of(arm_b_of(s->contacts, i), arm[1]);
        for (size_t b = 0; b < 2; b++) {
            if (!shares(s, body[b])) continue;
            for (size_t c = 0; c < 6; c++)
                t->before[k][b][c] = *velocity_number(s->bodies, body[b], c);
            NAME(impinge_push)(s->bodies, body[b], arm[b], b == 0 ? t->impulse[k] : back);
        }
    }
}

/* Undoes push_tail, in the opposite order, since a body may have several of the contacts. */
static void take_back(const sequence_t *s, const tail_t *t) {
    for (size_t k = t->length; k-- > 0;) {
        const uint32_t i = number_of(s, t->position[k]);
        const uint32_t body[2] = {body_a_of(s->contacts, i), body_b_of(s->contacts, i)};
        for (size_t b = 2; b-- > 0;)
            for (size_t c = 0; c < 6 && shares(s, body[b]); c++)
                *velocity_number(s->bodies, body[b], c) = t->before[k][b][c];
    }
}

/* The sum of p.u over the tail's contacts, with the velocities as they are. */
static double power_of(const sequence_t *s, const tail_t *t) {
    double sum = 0;
    for (size_t k = 0; k < t->length; k++) {
        const triple_t u =
            NAME(impinge_contact_velocity)(s->bodies, s->contacts, number_of(s, t->position[k]));
        const real_t *const p = t->impulse[k];
        sum += (double)p[0] * (double)u.x + (double)p[1] * (double)u.y + (double)p[2] * (double)u.z;
    }
    return sum;
}

static void add_tail_to_results(const sequence_t *s, const tail_t *t) {
    real_t *columns[RESULTS];
    result_columns(s->results, columns);
    for (size_t k = 0; k < t->length; k++)
        for (size_t c = 0; c < 3; c++)
            if (columns[c])
                columns[c][result_element(s->results, c, number_of(s, t->position[k]))] +=
                    t->impulse[k][c];
}

/* The approach velocities of everything that the tail changed. */
static void follow_tail(sequence_t *s, const active_t *a, const tail_t *t) {
    for (size_t k = t->length; k-- > 0;) {
        uint32_t bodies[2];
        const size_t count = shared_bodies(s, t->position[k], bodies);
        for (size_t b = 0; b < count; b++)
            approach_again(s, a, bodies[b], SIZE_MAX);
    }
}

/*
 * All of a geometric tail at once. The impulses of a cycle may shrink by the same r three times,
 * but not continue to: e may change with the speed, or another contact may be about to collide.
 * With r near 1 the tail is then many times too long. A tail that would add energy is dropped: its
 * work is the sum of p.(u + u') / 2, u before and u' after it, and must not be positive. In a stack
 * frame of its own, which is released before collisions, which need most of the stack.
 */
__attribute__((noinline)) static void extrapolate(sequence_t *s, active_t *a) {
    const size_t length = cycle_of(a);
    const double r = length > 0 ? ratio_of(a, length) : 0;
    if (r == 0) return;
    tail_t tail;
    find_tail(a, length, r, &tail);
    const double before = power_of(s, &tail);
    push_tail(s, &tail);
    a->recorded = 0;
    const double twice = before + power_of(s, &tail);
    /* A velocity that does not fit makes it infinite or NaN. */
    if (!(isfinite(twice) && twice <= 0)) {
        take_back(s, &tail);
        return;
    }
    add_tail_to_results(s, &tail);
    follow_tail(s, a, &tail);
    a->extrapolated = true;
}

/* ---- The rounds ---- */

/* One collision in each of the active islands. */
static void collide_picks(sequence_t *s, size_t active) {
    for (size_t k = 0; k < active; k++)
        s->picks[k] = number_of(s, s->active[k].picked);
    const NAME(impinge_indexed_results) results = results_in(s->result, s->outcome);
    const collide_mode_t mode = {.applies = true};
    const impinge_selection picked = {0, active, s->picks};
    NAME(impinge_collide)(s->by, s->bodies, s->contacts, picked, &mode, &results);
}

/* Ends the round. Returns the number of islands that are still active. */
static size_t end_round(sequence_t *s, size_t active, size_t *next) {
    size_t kept = 0;
    for (size_t k = 0; k < active; k++) {
        active_t *const a = &s->active[k];
        impinge_sequence_end end;
        account(s, a);
        if (s->options.extrapolate && a->collisions % CYCLE_EVERY == 0) extrapolate(s, a);
        bool stays = goes_on(s, a, &end);
        if (!stays) {
            end_island(s, a, end);
            stays = next_island(s, a, next);
        }
        if (!stays) continue;
        if (kept != k) s->active[kept] = *a;
        kept++;
    }
    return kept;
}

static void run(sequence_t *s, size_t island_first) {
    size_t next = island_first;
    size_t active = 0;
    while (active < ACTIVE && next_island(s, &s->active[active], &next))
        active++;
    while (active > 0) {
        collide_picks(s, active);
        active = end_round(s, active, &next);
    }
}

/* Prepares all that the first collision needs. */
static void prepare(sequence_t *s, size_t first, size_t end) {
    clear_results(s->results, s->islands->order + first, end - first, s->contacts->count);
    find_touching(s, first, end);
    for (size_t p = first; p < end; p++)
        s->approach[p] = NAME(impinge_approach)(s->bodies, s->contacts, number_of(s, p));
    /* Records why contacts that do not approach got no impulse. */
    const collide_mode_t mode = {.chooses = true, .still = true};
    const NAME(impinge_indexed_results)
        outcomes = {.outcome = s->results->outcome, .outcome_stride = s->results->outcome_stride};
    const impinge_selection all = {first, end - first, s->islands->order};
    NAME(impinge_collide)(s->by, s->bodies, s->contacts, all, &mode, &outcomes);
    /* By rounding, the kernels may find an approach where there is none here. */
    for (size_t p = first; s->results->outcome && p < end; p++) {
        uint32_t *const outcome = result_outcome(s->results, number_of(s, p));
        if (*outcome & IMPINGE_OUTCOME_GOT_IMPULSE) *outcome = IMPINGE_OUTCOME_SEPARATING;
    }
}

void NAME(impinge_run_sequences)(const resolver_t *by, const sequences_t *sequences,
                                 impinge_sequence_report *report) {
    const selected_t selected = sequences->selected;
    sequence_t s = {.by = by,
                    .bodies = sequences->bodies,
                    .contacts = sequences->contacts,
                    .islands = sequences->islands,
                    .island_end = selected.first + selected.count,
                    .options = sequences->options,
                    .results = sequences->results,
                    .island_results = sequences->island_results,
                    .report = {.islands = selected.count}};
    if (selected.count > 0) {
        const uint32_t *const starts = s.islands->starts;
        carving_t c = {sequences->workspace, 0};
        carve_all(&s, &c, s.contacts->count, s.bodies->count);
        prepare(&s, starts[selected.first], starts[s.island_end]);
        run(&s, selected.first);
    }
    if (report) *report = s.report;
}
