/* A step's contacts of bodies: impacts, the kick, rest with its guard, and positions. */
#include <impinge/body_step.h>

#include <math.h>
#include <string.h>

#include "advance.h"
#include "body_shares.h"
#include "body_step.h"
#include "impacts.h"
#include "results.h"

typedef NAME(body_stage) stage_t;

/* ---- Options ---- */

static NAME(step_ways) ways_of(const impinge_step_options *how, bool poses) {
    return (NAME(step_ways)){.step = (real_t)how->time_step,
                             .rest_speed = (real_t)how->impacts.rest_speed,
                             .rounds_max = how->impacts.rounds_max,
                             .tie = how->impacts.tie_tolerance,
                             .waits = how->impacts.leftover == IMPINGE_LEFTOVER_WAIT,
                             .sweeps_max = how->rest.sweeps_max,
                             .position_sweeps = how->positions.sweeps,
                             .residual_max = how->rest.residual_max,
                             .unordered = how->rest.method == IMPINGE_REST_UNORDERED,
                             .ignore_energy = how->rest.ignore_energy,
                             .places = poses && !how->positions.skip};
}

/* ---- A team's work ---- */

static range_t of_bodies(const stage_t *s, const impinge_team *team) {
    return team_range(team, s->rest.bodies->count, LANES_MAX);
}

/* The kernels for the groups of a colour. */
static const NAME(impinge_body_rest_kernels) *
    kernels_of(const stage_t *s, const rest_order *colours, size_t colour) {
    return colour < colours->wide ? s->wide : s->narrow;
}

/* Groups of all colours, which do not depend on each other here. */
static void for_groups_of(const NAME(impinge_body_rest) * rest, const stage_t *s,
                          const impinge_team *team, group_work *wide, group_work *narrow) {
    for (size_t colour = 0; colour < s->colours.count; colour++)
        for_colour(rest, &s->colours, team, colour, colour < s->colours.wide ? wide : narrow);
}

static void for_groups(const stage_t *s, const impinge_team *team, group_work *wide,
                       group_work *narrow) {
    for_groups_of(&s->rest, s, team, wide, narrow);
}

/* One colour after the other, each with the velocities that the ones before it left. */
static void for_colours(stage_t *s, const impinge_team *team, group_work *wide, group_work *narrow,
                        bool backward) {
    for (size_t i = 0; i < s->colours.count; i++) {
        const size_t colour = backward ? s->colours.count - 1 - i : i;
        for_colour(&s->rest, &s->colours, team, colour, colour < s->colours.wide ? wide : narrow);
        team_wait(team);
    }
}

/* ---- The beginning and the end ---- */

/*
 * A sweep begins from impulses that are extrapolated along their last change: by 1 - 3/2 / inertia,
 * where the inertia grows by 1 a sweep. That is twice as fast as Nesterov's, because extrapolation
 * is restarted when it points uphill (O'Donoghue and Candes 2015, 3.2), about every ten sweeps. It
 * begins as if there had been some sweeps, since the first factors would waste some, and a restart
 * leaves 4/5 of the inertia. Over 44 steps of four collapses (geometric mean, f32 and f64) to an
 * approach of 0.01 m/s Nesterov's growth from 5 on, restarted at 5, takes 29.9 and 31.8 sweeps,
 * growth by 1 with a restart at 5 28.9 and 30.1, and this 27.9 and 29.0; to 0.001 m/s 99 and 98,
 * and this 86 and 85. Restarts that leave 0.7 or 0.6, growth by 1.5 or 2, and a beginning at 3 or 4
 * take 27.7 to 31.2. The most inertia matters little (the same to 2 % with 30, 50, 100 and none):
 * it is so that a restart is one after thousands of sweeps, too.
 */
#define INERTIA_FIRST 5
#define INERTIA_MOST  50
#define INERTIA_KEPT  0.8

static void stage_begin(stage_t *s, const NAME(impinge_body_step) * step, const resolver_t *by,
                        const NAME(impinge_body_rest_kernels) * narrow,
                        const impinge_step_options *options) {
    memset(s, 0, sizeof *s);
    s->step = step;
    s->ways = ways_of(options, step->poses.position_x);
    s->wide = by->kernels->body_rest;
    s->narrow = narrow;
    s->rest.bodies = step->bodies;
    s->rest.contacts = step->contacts;
    s->rest.gap = step->gap;
    s->rest.gap_stride = stride_of(AS_GIVEN, step->gap_stride);
    s->rest.state = &step->state;
    s->rest.results = &step->results;
    s->inertia = INERTIA_FIRST;
    s->rest.inverse_step = s->ways.step > 0 ? 1 / s->ways.step : 0;
    s->rest.half_step = s->ways.step / 2;
    s->rest.factor = (real_t)options->positions.factor;
    s->rest.slop = (real_t)options->positions.slop;
    s->rest.parting = s->ways.rest_speed;
    s->rest.unordered = s->ways.unordered;
    s->report.contacts = step->contacts->count;
    NAME(impinge_stage_carve)(s, s, step->contacts->count, step->bodies->count);
}

/* The world's row: it does not move, and has no mass. */
static void clear_world(stage_t *s) {
    const size_t world = s->rest.bodies->count;
    real_t *const rows[] = {s->rest.rows,  s->rest.start, s->rest.mass,
                            s->rest.shift, s->rest.swept, s->rest.ahead_rows};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        memset(rows[k] + world * BODY_ROW, 0, BODY_ROW * sizeof(real_t));
    s->rest.body_word[world] = 0;
}

/* Bodies into rows. */
static void stage_pack(stage_t *s, const impinge_team *team) {
    const range_t bodies = of_bodies(s, team);
    s->wide->pack(&s->rest, bodies.first, range_count(bodies));
    team_wait(team);
    if (team_leads(team)) clear_world(s);
    team_wait(team);
}

/* Contacts into groups. */
static void stage_fill(stage_t *s, const impinge_team *team) {
    const range_t contacts = team_range(team, s->rest.contacts->count, CARVING_LINE);
    memset(s->rest.swamps + contacts.first, 0, range_count(contacts));
    if (team_leads(team)) NAME(impinge_stage_find_pairs)(s);
    team_wait(team);
    if (team_leads(team)) NAME(impinge_stage_find_groups)(s);
    if (team->member == team->members - 1) NAME(impinge_stage_find_islands)(s);
    team_wait(team);
    NAME(impinge_stage_fill_lanes)(s, team);
    for_groups(s, team, s->wide->prepare, s->narrow->prepare);
    team_wait(team);
}

/* ---- Impacts ---- */

/* The leader resolves them: there are few, and each round depends on the one before. */
static void stage_impacts(stage_t *s, const impinge_team *team, const resolver_t *by) {
    const range_t contacts = team_range(team, s->rest.contacts->count, 1);
    for (size_t k = 0; k < 6; k++)
        memset(s->impacts.sum[k] + contacts.first, 0, range_count(contacts) * sizeof(real_t));
    for (size_t i = contacts.first; i < contacts.end; i++)
        s->impacts.outcomes[i] = IMPINGE_OUTCOME_SEPARATING;
    s->approaches[team->member] =
        NAME(impinge_impacts_look)(s, contacts.first, range_count(contacts));
    team_wait(team);
    if (team_leads(team)) {
        bool any = false;
        for (size_t k = 0; k < team->members; k++)
            any |= s->approaches[k];
        if (any) NAME(impinge_impacts_run)(s, by);
    }
    team_wait(team);
}

/* ---- Rest ---- */

/* The contacts of a sweep: all, or those in the focus. */
typedef struct swept {
    const NAME(impinge_body_rest) * rest;
    const rest_order *colours;
    size_t bodies;
} swept_t;

static swept_t swept_now(const stage_t *s) {
    if (s->focus.is_on) return (swept_t){&s->focus.rest, &s->focus.colours, s->focus.bodies};
    return (swept_t){&s->rest, &s->colours, s->rest.bodies->count};
}

/*
 * Sweeps always go in the same direction. If they went forward and backward in turn, each would
 * undo much of the one before, and extrapolation would not help: 200 boxes that collapse then took
 * 65 sweeps in f32 and 97 in f64; in one direction they took 37 and 66, and with extrapolation 10
 * and 16.
 */
static real_t sweep_colours(stage_t *s, const impinge_team *team) {
    const swept_t of = swept_now(s);
    const range_t bodies = team_range(team, of.bodies, LANES_MAX);
    real_t largest = 0;
    s->wide->bodies_ahead(of.rest, bodies.first, range_count(bodies));
    team_wait(team);
    for (size_t colour = 0; colour < of.colours->count; colour++) {
        const real_t residual = solve_colour(of.rest, of.colours, team, colour,
                                             kernels_of(s, of.colours, colour)->sweep);
        if (residual > largest) largest = residual;
        team_wait(team);
    }
    return largest;
}

static real_t sweep_unordered(stage_t *s, const impinge_team *team) {
    real_t largest = 0;
    for (size_t colour = 0; colour < s->colours.count; colour++) {
        const real_t residual = solve_colour(&s->rest, &s->colours, team, colour,
                                             kernels_of(s, &s->colours, colour)->solve);
        if (residual > largest) largest = residual;
    }
    team_wait(team);
    for_colours(s, team, s->wide->apply_changes, s->narrow->apply_changes, false);
    return largest;
}

/*
 * With fewer contacts, the leader goes from colour to colour alone: waiting for others after each
 * colour, and reading the rows that they wrote, takes longer than they save. Two threads made 0.47
 * times as many steps a second as one with 4,278 contacts and 1.19 times with 42,780 (f64: 0.66 and
 * 1.45), so that they are as fast as one with some 28,000 (f64: 14,000).
 */
#define SHARED_CONTACTS 16384

/* The parts of the sum over all lanes, the same for any team: members share them out. */
static size_t uphill_parts(const stage_t *s) {
    return s->rest.contacts->count >= SHARED_CONTACTS ? UPHILL_PARTS : 1;
}

/*
 * A part of the sum, in an order that neither the width of groups nor the number of members
 * changes: by a lane's place in its colour, modulo SUMS. (One sum after the other would take longer
 * than a tenth of the sweep.)
 */
static double uphill_of(const stage_t *s, size_t part) {
    enum { SUMS = 16 };
    double sum[SUMS] = {0};
    const swept_t of = swept_now(s);
    const uint32_t *const first = of.colours->lane;
    for (size_t colour = part; colour < of.colours->count; colour += uphill_parts(s)) {
        const real_t *const uphill = of.rest->uphill + first[colour];
        const size_t lanes = first[colour + 1] - first[colour];
        const size_t whole = lanes / SUMS * SUMS;
        for (size_t i = 0; i < whole; i += SUMS)
            for (size_t k = 0; k < SUMS; k++)
                sum[k] += (double)uphill[i + k];
        for (size_t i = whole; i < lanes; i++)
            sum[i - whole] += (double)uphill[i];
    }
    double all = 0;
    for (size_t k = 0; k < SUMS; k++)
        all += sum[k];
    return all;
}

static void sum_uphill(stage_t *s, const impinge_team *team) {
    for (size_t part = team->member; part < uphill_parts(s); part += team->members)
        s->uphill[part] = uphill_of(s, part);
}

/* The extrapolation before the next sweep. A NaN restarts it, too. */
static void choose_ahead(stage_t *s) {
    if (!s->ways.unordered && !(s->uphill[0] + s->uphill[1] >= 0))
        s->inertia = fmax(INERTIA_FIRST, INERTIA_KEPT * s->inertia);
    s->inertia = fmin(INERTIA_MOST, s->inertia + 1);
    s->rest.ahead = (real_t)(1 - 1.5 / s->inertia);
    s->focus.rest.ahead = s->rest.ahead;
}

/* True if another sweep is needed; the leader decides for all. */
static bool goes_on(stage_t *s, const impinge_team *team, real_t residual) {
    s->residual[team->member] = (double)residual;
    if (!s->ways.unordered) sum_uphill(s, team);
    team_wait(team);
    if (team_leads(team)) {
        double largest = 0;
        for (size_t t = 0; t < team->members; t++)
            if (s->residual[t] > largest) largest = s->residual[t];
        s->report.sweeps++;
        if (!s->focus.is_on) s->report.residual = largest;
        s->goes_on =
            s->report.sweeps < s->ways.sweeps_max &&
            (s->focus.is_on || !(s->ways.residual_max > 0 && largest <= s->ways.residual_max));
        choose_ahead(s);
        NAME(impinge_focus_choose)(s, largest);
    }
    team_wait(team);
    NAME(impinge_focus_turn)(s, team);
    return s->goes_on;
}

/* What does not fit the range is infinite, and a sum that has no value, too. */
static double number_or_infinity(double a) { return a == a ? a : (double)INFINITY; }

static void report_residual(stage_t *s) {
    double squares = 0;
    size_t count = 0;
    for (size_t p = 0; p < s->pair_first[s->pairs]; p++) {
        const double change = (double)s->rest.change[s->order[p]];
        if (s->rest.word[s->order[p]] != 0) continue;
        squares += change * change;
        count++;
    }
    s->report.residual_rms = count > 0 ? number_or_infinity(sqrt(squares / (double)count)) : 0;
}

/* Energies and means are computed only if a member has a report: they take 3 ns a contact. */
static bool some_report(const stage_t *s, const impinge_team *team) {
    bool any = false;
    for (size_t k = 0; k < team->members; k++)
        any |= s->reports[k];
    return any;
}

/* Whether a member takes part in sweeps over colours, and with which team. */
static bool takes_part(const stage_t *s, const impinge_team *team, impinge_team *of) {
    *of = *team;
    if (s->rest.contacts->count >= SHARED_CONTACTS) return true;
    of->member = 0;
    of->members = 1;
    return team_leads(team);
}

/* Applies the given impulses, and sweeps. */
static void find_impulses(stage_t *s, const impinge_team *team) {
    for_colours(s, team, s->wide->apply_impulses, s->narrow->apply_impulses, false);
    const range_t bodies = of_bodies(s, team);
    const size_t first = bodies.first * BODY_ROW;
    memset(s->rest.swept + first, 0, range_count(bodies) * BODY_ROW * sizeof(real_t));
    memset(s->rest.ahead_rows + first, 0, range_count(bodies) * BODY_ROW * sizeof(real_t));
    real_t residual;
    do {
        residual = s->ways.unordered ? sweep_unordered(s, team) : sweep_colours(s, team);
    } while (goes_on(s, team, residual));
}

/* What the guard needs of each contact. */
static void account(stage_t *s, const impinge_team *team) {
    if (!s->swamped) {
        for_groups(s, team, s->wide->account, s->narrow->account);
        return;
    }
    NAME(impinge_swamped_fill)(s, team);
    for_groups_of(&s->driven, s, team, s->wide->account, s->narrow->account);
}

/*
 * Rows of marked bodies anew, from the impulses that are left, and what the guard needs of them.
 * The leader does it: it is rare.
 */
static void take_rows_anew(stage_t *s) {
    const impinge_team alone = {.members = 1};
    const size_t bytes = BODY_ROW * sizeof(real_t);
    real_t *const rows = s->rest.rows;
    real_t *const kept = s->rest.swept; /* free after the sweeps */
    for (size_t i = 0; i < s->rest.bodies->count; i++) {
        const size_t at = i * BODY_ROW;
        memcpy(kept + at, rows + at, bytes);
        if (s->island_of[i] != UINT32_MAX) memcpy(rows + at, s->rest.start + at, bytes);
    }
    for_colours(s, &alone, s->wide->apply_impulses, s->narrow->apply_impulses, false);
    for (size_t i = 0; i < s->rest.bodies->count; i++)
        if (s->island_of[i] == UINT32_MAX) memcpy(rows + i * BODY_ROW, kept + i * BODY_ROW, bytes);
    account(s, &alone);
    NAME(impinge_weigh_anew)(s);
}

static void stage_rest(stage_t *s, const impinge_team *team) {
    impinge_team sweeping;
    if (team_leads(team)) {
        s->swamped = false;
        s->rest.begun = s->rest.start;
        NAME(impinge_stage_part_islands)(s);
        NAME(impinge_swamped_find)(s, SWAMPS_FIRST);
    }
    if (takes_part(s, team, &sweeping)) find_impulses(s, &sweeping);
    team_wait(team);
    account(s, team);
    team_wait(team);
    if (team_leads(team)) {
        NAME(impinge_weigh)(s);
        s->late = NAME(impinge_swamped_find)(s, SWAMPS_SWEPT);
    }
    team_wait(team);
    if (s->late) {
        account(s, team);
        team_wait(team);
    }
    if (team_leads(team)) {
        const bool reports = some_report(s, team);
        if (reports) report_residual(s);
        if (s->late && NAME(impinge_weigh_late)(s)) take_rows_anew(s);
        NAME(impinge_guard)(s);
        if (reports) {
            s->report.energy_before =
                number_or_infinity(NAME(impinge_rows_energy)(s, s->rest.start));
            s->report.energy_after = number_or_infinity(NAME(impinge_rows_energy)(s, s->rest.rows));
        }
    }
    team_wait(team);
    for_groups(s, team, s->wide->write_rest, s->narrow->write_rest);
    const range_t bodies = of_bodies(s, team);
    s->wide->unpack(&s->rest, bodies.first, range_count(bodies));
    team_wait(team);
}

/* ---- Positions ---- */

static void move_bodies(stage_t *s, range_t share) {
    for (size_t i = share.first; i < share.end; i++) {
        if (s->rest.body_word[i] != BODY_MOVABLE) continue;
        const real_t *const row = s->rest.shift + i * BODY_ROW;
        const double by[3] = {(double)row[0], (double)row[1], (double)row[2]};
        const double turn[3] = {(double)row[4], (double)row[5], (double)row[6]};
        if (by[0] == 0 && by[1] == 0 && by[2] == 0 && turn[0] == 0 && turn[1] == 0 && turn[2] == 0)
            continue;
        NAME(impinge_move_pose)(&s->step->poses, i, by, turn, false);
    }
}

static void stage_place(stage_t *s, const impinge_team *team) {
    const range_t bodies = of_bodies(s, team);
    memset(s->rest.shift + bodies.first * BODY_ROW, 0,
           range_count(bodies) * BODY_ROW * sizeof(real_t));
    for_groups(s, team, s->wide->aim_positions, s->narrow->aim_positions);
    team_wait(team);
    impinge_team placing;
    if (takes_part(s, team, &placing))
        for (size_t k = 0; k < s->ways.position_sweeps; k++)
            for_colours(s, &placing, s->wide->place, s->narrow->place, k % 2 == 1);
    team_wait(team);
    move_bodies(s, bodies);
}

/* ---- The kick ---- */

/*
 * Kicks both the caller's velocities and the rows, which have the same bits. A body that would get
 * a velocity that is not finite keeps its own, and is invalid.
 */
static void kick_bodies(const stage_t *s, range_t share) {
    const NAME(impinge_kick) *const k = &s->step->kick;
    const NAME(impinge_bodies) *const b = s->step->bodies;
    const bool each = k->each_x;
    if (!each && k->x == 0 && k->y == 0 && k->z == 0) return;
    for (size_t i = share.first; i < share.end; i++) {
        if (!(b->inverse_mass[element(i, b->inverse_mass_stride)] > 0)) continue;
        const size_t e = element(i, k->each_stride);
        const size_t at = element(i, b->velocity_stride);
        const real_t by[3] = {each ? k->x + k->each_x[e] : k->x, each ? k->y + k->each_y[e] : k->y,
                              each ? k->z + k->each_z[e] : k->z};
        real_t *const v[3] = {&b->velocity_x[at], &b->velocity_y[at], &b->velocity_z[at]};
        const real_t kicked[3] = {*v[0] + by[0], *v[1] + by[1], *v[2] + by[2]};
        if (!isfinite(kicked[0]) || !isfinite(kicked[1]) || !isfinite(kicked[2])) {
            s->rest.body_word[i] |= IMPINGE_OUTCOME_INVALID_VELOCITY;
            continue;
        }
        for (size_t d = 0; d < 3; d++) {
            *v[d] = kicked[d];
            s->rest.rows[i * BODY_ROW + d] = kicked[d];
            s->rest.start[i * BODY_ROW + d] = kicked[d];
        }
    }
}

/* ---- The calls ---- */

static void stage_run(stage_t *s, const impinge_team *team, const resolver_t *by,
                      body_parts_t does) {
    stage_pack(s, team);
    if (does.impacts) stage_impacts(s, team, by);
    if (does.kick) kick_bodies(s, of_bodies(s, team));
    stage_fill(s, team);
    if (does.rest) stage_rest(s, team);
    if (does.places && s->ways.places) stage_place(s, team);
    team_wait(team);
}

/* The sums of impulses and works of the impacts. */
static void tell_sums(const stage_t *s, range_t share, const NAME(impinge_indexed_results) * to,
                      bool impacts) {
    real_t *columns[RESULTS];
    result_columns(to, columns);
    for (size_t k = 0; k < RESULTS; k++)
        for (size_t i = share.first; columns[k] && i < share.end; i++)
            columns[k][result_element(to, k, i)] = impacts ? s->impacts.sum[k][i] : 0;
}

/* The outcome of a contact's collisions, or the reason why it had none. */
static uint32_t impact_outcome_of(const stage_t *s, size_t i, bool impacts) {
    const uint32_t outcome = impacts ? s->impacts.outcomes[i] : IMPINGE_OUTCOME_SEPARATING;
    const bool collided =
        outcome & ~(IMPINGE_OUTCOME_SEPARATING | (uint32_t)IMPINGE_OUTCOME_TOLERANCE_MISSED);
    if (!collided && s->rest.word[i] & IMPINGE_OUTCOME_IMMOVABLE) return IMPINGE_OUTCOME_IMMOVABLE;
    if (collided || !(s->rest.word[i] & IMPINGE_OUTCOME_INVALID_REASONS)) return outcome;
    return IMPINGE_OUTCOME_INVALID | (s->rest.word[i] & IMPINGE_OUTCOME_INVALID_REASONS);
}

/* Writes the results of impacts for the caller; zeros if there were none. */
static void write_impacts(const stage_t *s, range_t share, bool impacts) {
    const NAME(impinge_step_results) *const to = &s->step->results;
    const NAME(impinge_indexed_results) sums = {.impulse_x = to->impact_x,
                                                .impulse_y = to->impact_y,
                                                .impulse_z = to->impact_z,
                                                .work_compression = to->work_compression,
                                                .work_restitution = to->work_restitution,
                                                .work_friction = to->work_friction,
                                                .impulse_stride = to->impact_stride,
                                                .work_stride = to->work_stride};
    tell_sums(s, share, &sums, impacts);
    uint32_t *const outcome = s->step->impact_outcome;
    for (size_t i = share.first; outcome && i < share.end; i++)
        outcome[element(i, s->step->impact_outcome_stride)] = impact_outcome_of(s, i, impacts);
}

/* Contacts that are in no group have no impulse of rest. */
static void clear_impulse(const stage_t *s, size_t i) {
    real_t *const impulse[3] = {s->step->results.impulse_x, s->step->results.impulse_y,
                                s->step->results.impulse_z};
    for (size_t k = 0; k < 3; k++)
        if (impulse[k]) impulse[k][element(i, s->step->results.impulse_stride)] = 0;
}

/* Writes outcomes and other results for the caller; returns how many contacts are invalid. */
static size_t stage_end(stage_t *s, range_t share, bool rested) {
    const NAME(impinge_step_results) *const to = &s->step->results;
    const NAME(impinge_indexed_contacts) *const c = s->step->contacts;
    const real_t *const from[4] = {c->normal_x, c->normal_y, c->normal_z, s->step->gap};
    real_t *const outputs[4] = {to->normal_x, to->normal_y, to->normal_z, to->gap};
    size_t wrong = 0;
    for (size_t i = share.first; i < share.end; i++) {
        const bool invalid = s->rest.word[i] & IMPINGE_OUTCOME_INVALID_REASONS;
        const bool waits = s->some_wait && s->impacts.waits[i];
        if (invalid) s->rest.word[i] |= IMPINGE_OUTCOME_INVALID;
        if (s->rest.word[i] == 0) s->rest.word[i] = IMPINGE_OUTCOME_SEPARATING;
        if (s->collides && !invalid)
            s->rest.word[i] |= s->impacts.outcomes[i] & IMPINGE_OUTCOME_ENERGY_GAINED;
        if (rested && (waits || invalid)) clear_impulse(s, i);
        wrong += invalid;
        if (to->outcome) to->outcome[element(i, to->outcome_stride)] = s->rest.word[i];
        const size_t read[2] = {element(i, c->normal_stride), element(i, s->step->gap_stride)};
        const size_t written[2] = {element(i, to->normal_stride), element(i, to->gap_stride)};
        for (size_t k = 0; k < 4; k++)
            if (outputs[k])
                outputs[k][written[k == 3]] = invalid || !from[k] ? 0 : from[k][read[k == 3]];
    }
    return wrong;
}

size_t NAME(impinge_body_step_size)(size_t contacts, size_t bodies) {
    if (contacts > STEP_CONTACTS_MAX || bodies > STEP_BODIES_MAX) return SIZE_MAX;
    stage_t none;
    return NAME(impinge_stage_carve)(&none, NULL, contacts, bodies);
}

size_t NAME(impinge_run_body_step)(const resolver_t *by,
                                   const NAME(impinge_body_rest_kernels) * narrow,
                                   const NAME(impinge_body_step) * step,
                                   const impinge_step_options *options, body_parts_t does,
                                   impinge_step_report *report) {
    const impinge_team own = team_given(step->team);
    const impinge_team *const team = &own;
    stage_t *const s = step->workspace;
    if (team_leads(team)) {
        stage_begin(s, step, by, narrow, options);
        s->collides = does.impacts;
    }
    team_wait(team);
    s->reports[team->member] = report != NULL;
    stage_run(s, team, by, does);
    const range_t contacts = team_range(team, step->contacts->count, LANES_MAX);
    s->invalid[team->member] = stage_end(s, contacts, does.rest);
    write_impacts(s, contacts, does.impacts);
    team_wait(team);
    size_t invalid = 0;
    for (size_t k = 0; k < team->members; k++)
        invalid += s->invalid[k];
    if (report) {
        *report = s->report;
        report->invalid = invalid;
    }
    team_wait(team);
    return invalid;
}
