/*
 * Contacts that name their bodies: gathered on the stage, resolved by the kernels as body pairs;
 * impulses, outcomes and velocities go back to the contacts' numbers and to the bodies.
 */
#include "results.h"
#include "solve.h"
#include "stage.h"

/* True if results of consecutive contacts can be written directly; otherwise they are staged. */
static bool writes_at_once(const staged_t *s, const collide_mode_t *mode) {
    return s->consecutive && !mode->adds;
}

static void resolve_staged(const resolver_t *by, staged_t *s, const collide_mode_t *mode,
                           const NAME(impinge_indexed_results) * to) {
    const bool quaternion = s->bodies->orientation.w;
    gather_bodies(&s->a, s->bodies, s->count);
    gather_bodies(&s->b, s->bodies, s->count);
    make_worlds(&s->a, s->count, quaternion);
    make_worlds(&s->b, s->count, quaternion);
    if (mode->splits) {
        split_masses(&s->a, s->contacts->sharing, s->count);
        split_masses(&s->b, s->contacts->sharing, s->count);
    }
    const NAME(impinge_body_pairs) pairs = staged_pairs(s);
    const bool at_once = writes_at_once(s, mode);
    real_t *column[RESULT_COLUMNS];
    result_columns(to, column);
    for (size_t c = 0; c < RESULT_COLUMNS; c++) {
        if (!column[c]) continue;
        column[c] = at_once ? column[c] + result_element(to, c, s->number[0]) : s->result[c];
    }
#define STAGED_AT(name) .name = column[COLUMN_##name],
    NAME(impinge_body_pair_results)
    results = {FIELDS_RESULTS(STAGED_AT).outcome = s->outcome};
#undef STAGED_AT
    results.impulse_stride = at_once ? to->impulse_stride : 1;
    results.work_stride = at_once ? to->work_stride : 1;
    if (mode->applies) {
        results.a = staged_after(&s->a);
        results.b = staged_after(&s->b);
    }
    impinge_report report = {0};
    by->kernels->resolve_body_pairs(&pairs, by->options, &results, &report);
    by->report->steps += report.steps;
    by->report->lane_slots += report.lane_slots;
}

/* ---- Going back ---- */

static void scatter_velocities(const staged_t *s, const staged_side_t *side, size_t j) {
    const NAME(impinge_bodies) *const b = s->bodies;
    const real_t(*const c)[STAGED] = side->column;
    const size_t i = side->index[j];
    if (side->is_world[j] || !NAME(impinge_is_movable)(b, (uint32_t)i)) return;
    const size_t v = element(i, b->velocity_stride);
    const size_t w = element(i, b->angular_velocity_stride);
#define SCATTER_VELOCITY(name) b->name[v] = c[COLUMN_##name][j];
#define SCATTER_TURNING(name)  b->name[w] = c[COLUMN_##name][j];
    FIELDS_VELOCITY(SCATTER_VELOCITY)
    FIELDS_TURNING(SCATTER_TURNING)
#undef SCATTER_TURNING
#undef SCATTER_VELOCITY
}

/* Writes staged impulses, works and outcomes to the contacts' numbers. */
static void scatter_results(const staged_t *s, const NAME(impinge_indexed_results) * to,
                            const collide_mode_t *mode) {
    const bool adds = mode->adds;
    real_t *columns[RESULT_COLUMNS];
    result_columns(to, columns);
    for (size_t c = 0; c < RESULT_COLUMNS && !writes_at_once(s, mode); c++) {
        if (!columns[c]) continue;
        for (size_t j = 0; j < s->count; j++) {
            real_t *const result = &columns[c][result_element(to, c, s->number[j])];
            *result = adds ? *result + s->result[c][j] : s->result[c][j];
        }
    }
    if (!to->outcome) return;
    for (size_t j = 0; j < s->count; j++) {
        uint32_t *const outcome = result_outcome(to, s->number[j]);
        *outcome = adds ? merged(*outcome, s->outcome[j]) : s->outcome[j];
    }
}

/* Contacts with bad indices were staged as world-world: no impulse, but another reason. */
static void judge_indices(staged_t *s) {
    for (size_t j = 0; j < s->count; j++) {
        if (s->bad_index[j])
            s->outcome[j] = IMPINGE_OUTCOME_INVALID | (uint32_t)IMPINGE_OUTCOME_INVALID_INDEX;
    }
}

static void count_invalid(impinge_report *report, size_t number) {
    report->invalid++;
    if (number < report->first_invalid) report->first_invalid = number;
}

/* Resolves what is staged and empties the stage. Returns how many collided. */
static size_t finish(const resolver_t *by, staged_t *s, const collide_mode_t *mode,
                     const NAME(impinge_indexed_results) * results) {
    size_t collided = 0;
    resolve_staged(by, s, mode, results);
    judge_indices(s);
    for (size_t j = 0; j < s->count; j++) {
        if (s->outcome[j] & IMPINGE_OUTCOME_INVALID) count_invalid(by->report, s->number[j]);
        if (!(s->outcome[j] & IMPINGE_OUTCOME_GOT_IMPULSE)) continue;
        collided++;
        if (mode->splits && (s->a.is_split[j] || s->b.is_split[j]))
            s->outcome[j] |= IMPINGE_OUTCOME_MASS_SPLIT;
        if (!mode->applies) continue;
        scatter_velocities(s, &s->a, j);
        scatter_velocities(s, &s->b, j);
    }
    scatter_results(s, results, mode);
    stage_clear(s);
    return collided;
}

static bool is_chosen(const staged_t *s, const collide_mode_t *mode, size_t number) {
    if (!mode->chooses) return true;
    const real_t approach = NAME(impinge_approach)(s->bodies, s->contacts, number);
    return approach == 0 ? mode->still : mode->faster && (double)approach > mode->rest_speed;
}

size_t NAME(impinge_collide)(const resolver_t *by, const NAME(impinge_bodies) * bodies,
                             const NAME(impinge_indexed_contacts) * contacts,
                             const collide_mode_t *mode,
                             const NAME(impinge_indexed_results) * results) {
    staged_t s;
    s.bodies = bodies;
    s.contacts = contacts;
    stage_clear(&s);
    size_t collided = 0;
    for (size_t i = contacts->first; i < contacts->first + contacts->count; i++) {
        const size_t number = contacts->order ? contacts->order[i] : i;
        if (contacts->order && number >= contacts->contacts)
            count_invalid(by->report, number);
        else if (is_chosen(&s, mode, number))
            stage_contact(&s, (uint32_t)number);
        if (s.count == STAGED) collided += finish(by, &s, mode, results);
    }
    if (s.count > 0) collided += finish(by, &s, mode, results);
    return collided;
}
