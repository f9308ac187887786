/*
 * Impacts in local rounds: in each round, those contacts collide by the single-contact law that
 * approach fastest among all contacts of both their bodies. Where contacts are apart, this is the
 * sequence of Chatterjee and Ruina 1998, 6.4.
 *
 * A contact leads if no other contact of its bodies is faster by more than the tie tolerance.
 * Leading contacts that share a movable body are tied: those of one pair of bodies are one impact
 * at the mean of their points, so that a box that lands flat does not turn; those of several pairs
 * collide together (body_ties.c).
 */
#include "impacts.h"

#include <math.h>
#include <string.h>

#include "bodies.h"
#include "restitution.h"
#include "results.h"
#include "union.h"

typedef NAME(body_stage) stage_t;

#define NONE UINT32_MAX

/*
 * Whether a contact may collide: not again after it was refused. Not in the round after the law
 * collided it alone, since what is left of its approach is rounding, or gave it no impulse, unless
 * another contact has changed its bodies. After a round in which it collided with others, its
 * `approach` is first that which rounding alone can leave: up to there it is settled as well.
 */
enum impact_settled { OPEN, REFUSED, JUST_COLLIDED, COLLIDED_TOGETHER, PASSED_OVER };

/* ---- Approach velocities ---- */

/* The velocity of a body's row; the world is at rest. */
static contact_velocity_t contact_velocity_of(const stage_t *s, uint32_t index, triple_t arm) {
    if (index >= s->rest.bodies->count) return (contact_velocity_t){{0, 0, 0}, {0, 0, 0}};
    const real_t *const v = s->rest.rows + (size_t)index * BODY_ROW;
    const real_t *const w = v + 4;
    return (contact_velocity_t){{v[0], v[1], v[2]}, cross((triple_t){w[0], w[1], w[2]}, arm)};
}

/* -u_n where it is above the rest speed and an impulse can change it; else 0. */
static real_t approach_of(const stage_t *s, size_t i) {
    const NAME(impinge_indexed_contacts) *const c = s->rest.contacts;
    const uint32_t a = body_a_of(c, i);
    const uint32_t b = body_b_of(c, i);
    if (!NAME(impinge_names_pair)(s->rest.bodies, c, i) || (!row_moves(s, a) && !row_moves(s, b)))
        return 0;
    if (s->rest.gap && !(s->rest.gap[i * s->rest.gap_stride] <= 0)) return 0;
    const contact_velocity_t of_a = contact_velocity_of(s, a, arm_a_of(c, i));
    const contact_velocity_t of_b = contact_velocity_of(s, b, arm_b_of(c, i));
    return approach_above(s->ways.rest_speed, normal_of(c, i), &of_a, &of_b);
}

bool NAME(impinge_impacts_look)(stage_t *s, size_t first, size_t count) {
    bool any = false;
    for (size_t i = first; i < first + count; i++) {
        s->impacts.approach[i] = approach_of(s, i);
        any |= s->impacts.approach[i] > 0;
    }
    return any;
}

/* ---- Which contacts collide in a round ---- */

static void note_fastest(const stage_t *s, uint32_t body, real_t approach) {
    if (row_moves(s, body) && approach > s->impacts.fastest[body])
        s->impacts.fastest[body] = approach;
}

static real_t friction_of(const stage_t *s, uint32_t i) {
    const NAME(impinge_coefficient) *const mu = &s->rest.contacts->coefficients.friction;
    return mu->values ? mu->values[element(i, mu->stride)] : mu->value;
}

/*
 * The reasons why no law can resolve an impact with the contact's coefficients; 0: they are legal.
 */
static uint32_t coefficient_faults(const stage_t *s, uint32_t i) {
    const double e = NAME(impinge_restitution_at)(&s->rest.contacts->coefficients, i,
                                                  (double)s->impacts.approach[i]);
    return (e >= 0 && e <= 1 ? 0 : (uint32_t)IMPINGE_OUTCOME_INVALID_RESTITUTION) |
           (friction_of(s, i) >= 0 ? 0 : (uint32_t)IMPINGE_OUTCOME_INVALID_FRICTION);
}

/* The same for its normal and its bodies. */
static uint32_t other_faults(const stage_t *s, uint32_t i) {
    const triple_t normal = normal_of(s->rest.contacts, i);
    const double n[3] = {(double)normal.x, (double)normal.y, (double)normal.z};
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    const uint32_t a = body_a_of(s->rest.contacts, i);
    const uint32_t b = body_b_of(s->rest.contacts, i);
    const uint32_t of_bodies = (a < s->rest.bodies->count ? s->rest.body_word[a] : 0) |
                               (b < s->rest.bodies->count ? s->rest.body_word[b] : 0);
    return (of_bodies & ~BODY_MOVABLE) |
           (fabs(length - 1) <= 1e-3 ? 0 : (uint32_t)IMPINGE_OUTCOME_INVALID_NORMAL);
}

/* Excludes a contact from further rounds. If it never collided, its outcome has the reasons. */
static void refuse(stage_t *s, uint32_t i, uint32_t reasons) {
    NAME(impact_room) *const r = &s->impacts;
    r->settled[i] = REFUSED;
    r->approach[i] = 0;
    if (!(r->outcomes[i] & IMPINGE_OUTCOME_GOT_IMPULSE))
        r->outcomes[i] = IMPINGE_OUTCOME_INVALID | reasons;
}

static bool leads_for(const stage_t *s, uint32_t body, real_t approach) {
    return !row_moves(s, body) ||
           (double)approach >= (1 - s->ways.tie) * (double)s->impacts.fastest[body];
}

/*
 * The contacts that lead, in the order of their numbers. Those that are rejected do not collide,
 * and others of their bodies may lead in the next round.
 */
static size_t find_leading(stage_t *s) {
    NAME(impact_room) *const r = &s->impacts;
    const NAME(impinge_indexed_contacts) *const c = s->rest.contacts;
    size_t count = 0;
    memset(r->fastest, 0, s->rest.bodies->count * sizeof *r->fastest);
    for (uint32_t i = 0; i < c->count; i++) {
        if (!(r->approach[i] > 0)) continue;
        const uint32_t faults = coefficient_faults(s, i) | other_faults(s, i);
        if (faults != 0) {
            refuse(s, i, faults);
            continue;
        }
        note_fastest(s, body_a_of(c, i), r->approach[i]);
        note_fastest(s, body_b_of(c, i), r->approach[i]);
    }
    for (uint32_t i = 0; i < c->count; i++) {
        if (r->approach[i] > 0 && leads_for(s, body_a_of(c, i), r->approach[i]) &&
            leads_for(s, body_b_of(c, i), r->approach[i]))
            r->leading[count++] = i;
    }
    return count;
}

/* The root of a leading contact, by one of its bodies that moves. */
static uint32_t root_of_contact(const stage_t *s, uint32_t i) {
    const uint32_t a = body_a_of(s->rest.contacts, i);
    return find_root(s->impacts.parent, row_moves(s, a) ? a : body_b_of(s->rest.contacts, i));
}

/* Puts leading contacts of connected bodies into a list for each root, ascending. */
static void connect_leading(stage_t *s, size_t count) {
    NAME(impact_room) *const r = &s->impacts;
    const NAME(impinge_indexed_contacts) *const c = s->rest.contacts;
    for (size_t k = 0; k < count; k++) {
        const uint32_t body[2] = {body_a_of(c, r->leading[k]), body_b_of(c, r->leading[k])};
        for (int side = 0; side < 2; side++)
            if (row_moves(s, body[side])) r->parent[body[side]] = body[side];
    }
    for (size_t k = 0; k < count; k++) {
        const uint32_t a = body_a_of(c, r->leading[k]);
        const uint32_t b = body_b_of(c, r->leading[k]);
        if (row_moves(s, a) && row_moves(s, b)) unite(r->parent, a, b);
    }
    for (size_t k = 0; k < count; k++)
        r->head[root_of_contact(s, r->leading[k])] = NONE;
    for (size_t k = count; k > 0; k--) {
        const uint32_t i = r->leading[k - 1];
        uint32_t *const head = &r->head[root_of_contact(s, i)];
        r->next[i] = *head;
        *head = i;
    }
}

/* ---- One pair: the law itself ---- */

/* Normals as close as this belong to one face, which a mean point can represent. */
#define PARALLEL (1 - 1e-6)

/* True for contacts of the same two bodies with nearly the same normal. */
static bool same_pair(const stage_t *s, uint32_t i, uint32_t j) {
    const NAME(impinge_indexed_contacts) *const c = s->rest.contacts;
    const triple_t m = normal_of(c, i), n = normal_of(c, j);
    const double cosine =
        (double)m.x * (double)n.x + (double)m.y * (double)n.y + (double)m.z * (double)n.z;
    return body_a_of(c, i) == body_a_of(c, j) && body_b_of(c, i) == body_b_of(c, j) &&
           (i == j || cosine >= PARALLEL);
}

static void touch(stage_t *s, uint32_t body) {
    if (row_moves(s, body)) s->impacts.touched[body] = 1;
}

static void touch_bodies(stage_t *s, uint32_t i) {
    touch(s, body_a_of(s->rest.contacts, i));
    touch(s, body_b_of(s->rest.contacts, i));
}

/* Sets the arms of a contact, or of the mean point of the contacts of its pair in its list. */
static void place_impact(stage_t *s, uint32_t first) {
    const NAME(impinge_indexed_contacts) *const c = s->rest.contacts;
    const real_t *const arm[6] = {c->arm_a_x, c->arm_a_y, c->arm_a_z,
                                  c->arm_b_x, c->arm_b_y, c->arm_b_z};
    for (int k = 0; k < 6; k++) {
        double sum = 0;
        double count = 0;
        for (uint32_t i = first; i != NONE; i = s->impacts.next[i]) {
            if (!same_pair(s, i, first)) continue;
            sum += (double)arm[k][element(i, c->arm_stride)];
            count++;
        }
        s->impacts.arm[k][first] =
            count > 1 ? (real_t)(sum / count) : arm[k][element(first, c->arm_stride)];
    }
}

static void add_result(stage_t *s, uint32_t i, const double by[6], uint32_t outcome) {
    for (int k = 0; k < 3; k++)
        s->impacts.sum[k][i] += (real_t)by[k];
    for (size_t k = 0; k < 3; k++)
        s->impacts.sum[3 + k][i] = sum_of_works(s->impacts.sum[3 + k][i], (real_t)by[3 + k], k);
    s->impacts.outcomes[i] = merged(s->impacts.outcomes[i], outcome);
    s->report.collisions++;
}

/*
 * No law gives the contact an impulse: it approaches by rounding, or the impulse does not fit. It
 * waits until the velocity of one of its bodies changes.
 */
static void pass_over(stage_t *s, uint32_t i, uint32_t outcome) {
    s->impacts.approach[i] = 0;
    s->impacts.settled[i] = PASSED_OVER;
    s->impacts.outcomes[i] = merged(s->impacts.outcomes[i], outcome);
}

/*
 * Contacts of a manifold have collided at their mean point, and each may still approach by the
 * turning of the bodies. The arm of the mean point is no longer than the longest of theirs.
 */
static void settle_manifold(stage_t *s, uint32_t first) {
    NAME(impact_room) *const r = &s->impacts;
    const real_t p[3] = {r->result[0][first], r->result[1][first], r->result[2][first]};
    double most = 0;
    for (uint32_t i = first; i != NONE; i = r->next[i])
        if (same_pair(s, i, first))
            most = fmax(most,
                        NAME(impinge_approach_by_rounding)(s->rest.bodies, s->rest.contacts, i, p));
    for (uint32_t i = first; i != NONE; i = r->next[i]) {
        if (!same_pair(s, i, first)) continue;
        r->settled[i] = COLLIDED_TOGETHER;
        r->approach[i] = (real_t)most;
    }
}

/* Shares the result of an impact equally among the contacts that it represents. */
static void share_result(stage_t *s, uint32_t first) {
    NAME(impact_room) *const r = &s->impacts;
    size_t count = 0;
    for (uint32_t i = first; i != NONE; i = r->next[i])
        count += same_pair(s, i, first);
    double by[6];
    for (int k = 0; k < 6; k++)
        by[k] = (double)r->result[k][first] / (double)count;
    const uint32_t faults = r->outcome[first] & IMPINGE_OUTCOME_INVALID_REASONS;
    if (faults != 0) {
        /* The others of its list may be valid: they collide without it. */
        refuse(s, first, faults);
        return;
    }
    const bool collided = r->outcome[first] & IMPINGE_OUTCOME_GOT_IMPULSE;
    for (uint32_t i = first; i != NONE; i = r->next[i]) {
        if (!same_pair(s, i, first)) continue;
        if (collided)
            add_result(s, i, by, r->outcome[first]);
        else
            pass_over(s, i, r->outcome[first]);
    }
    if (!collided) return;
    touch_bodies(s, first);
    if (count == 1)
        r->settled[first] = JUST_COLLIDED;
    else
        settle_manifold(s, first);
}

/* Collides the picked impacts at once; no two of them share a movable body. */
static void collide_picked(stage_t *s, const resolver_t *by, size_t count) {
    NAME(impact_room) *const r = &s->impacts;
    NAME(impinge_indexed_contacts) contacts = *s->rest.contacts;
    contacts.arm_a_x = r->arm[0];
    contacts.arm_a_y = r->arm[1];
    contacts.arm_a_z = r->arm[2];
    contacts.arm_b_x = r->arm[3];
    contacts.arm_b_y = r->arm[4];
    contacts.arm_b_z = r->arm[5];
    contacts.arm_stride = 1;
    const NAME(impinge_indexed_results) results = results_in(r->result, r->outcome);
    const impinge_selection picked = {0, count, r->picked};
    const collide_mode_t mode = {.applies = true};
    NAME(impinge_collide)(by, s->rest.bodies, &contacts, picked, &mode, &results);
    for (size_t k = 0; k < count; k++)
        share_result(s, r->picked[k]);
}

/* ---- Several pairs ---- */

/* Sorts by keys, then by numbers. Insertion, since lists are short and nearly in order. */
static void sort_by_key(const stage_t *s, uint32_t *numbers, size_t count) {
    for (size_t k = 1; k < count; k++) {
        const uint32_t number = numbers[k];
        size_t at = k;
        for (; at > 0 && key_of(s, numbers[at - 1]) > key_of(s, number); at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

/*
 * What a tie leaves: its iterations end at TIE_CONVERGED of the fastest approach, in double, and
 * the velocities of bodies are rounded once.
 */
static void settle_tied(stage_t *s, uint32_t i, double fastest) {
    const real_t none[3] = {0, 0, 0};
    const double rounded =
        NAME(impinge_approach_by_rounding)(s->rest.bodies, s->rest.contacts, i, none);
    s->impacts.settled[i] = COLLIDED_TOGETHER;
    s->impacts.approach[i] = (real_t)(rounded + 8 * TIE_CONVERGED * fastest);
}

static void collide_tied(stage_t *s, uint32_t *numbers, size_t count) {
    sort_by_key(s, numbers, count);
    const bool fits = NAME(impinge_tie)(s, numbers, count, s->impacts.fallen);
    double fastest = 0;
    for (size_t k = 0; k < count; k++)
        fastest = fmax(fastest, (double)s->impacts.approach[numbers[k]]);
    for (size_t k = 0; k < count; k++) {
        const uint32_t i = numbers[k];
        const double *const by = s->impacts.fallen[k];
        const bool slides = by[5] != 0;
        if (!fits)
            pass_over(s, i, IMPINGE_OUTCOME_OUT_OF_RANGE);
        else if (by[0] == 0 && by[1] == 0 && by[2] == 0)
            pass_over(s, i, IMPINGE_OUTCOME_SEPARATING);
        else
            add_result(s, i, by,
                       slides ? (uint32_t)IMPINGE_OUTCOME_SLID : (uint32_t)IMPINGE_OUTCOME_STUCK);
        if (!fits) continue;
        touch_bodies(s, i);
        settle_tied(s, i, fastest);
    }
}

/* ---- A round ---- */

static bool are_several(const stage_t *s, uint32_t first) {
    for (uint32_t i = first; i != NONE; i = s->impacts.next[i])
        if (!same_pair(s, i, first)) return true;
    return false;
}

/* Excludes those of a list whose K no bodies have. Returns the first of the others. */
static uint32_t without_indefinite(stage_t *s, uint32_t first) {
    NAME(impact_room) *const r = &s->impacts;
    uint32_t *link = &first;
    for (uint32_t i = first; i != NONE; i = r->next[i]) {
        if (NAME(impinge_tied_is_definite)(s, i)) {
            *link = i;
            link = &r->next[i];
        } else {
            refuse(s, i, IMPINGE_OUTCOME_INVALID_MATRIX);
        }
    }
    *link = NONE;
    return first;
}

/*
 * Processes the list of a root: one impact of a pair, which is picked for later, or a cluster. Of a
 * cluster that is too large, or has a body whose inertia no body has, takes the first pair; the
 * others come in the next rounds.
 */
static void take_root(stage_t *s, uint32_t first, size_t *picked) {
    NAME(impact_room) *const r = &s->impacts;
    if (are_several(s, first)) first = without_indefinite(s, first);
    if (first == NONE) return;
    size_t count = 0;
    bool together = are_several(s, first);
    for (uint32_t i = first; i != NONE && together; i = r->next[i]) {
        together = count < TIES_MAX && NAME(impinge_tied_bodies_are_sound)(s, i);
        if (together) r->tied[count++] = i;
    }
    if (together) {
        collide_tied(s, r->tied, count);
    } else {
        place_impact(s, first);
        r->picked[(*picked)++] = first;
    }
}

/* -u_n as above; 0 where it is what the contact's own collision with others has left. */
static real_t approach_above_rounding(const stage_t *s, size_t i) {
    const real_t approach = approach_of(s, i);
    const bool settles = s->impacts.settled[i] == COLLIDED_TOGETHER;
    return settles && approach <= s->impacts.approach[i] ? 0 : approach;
}

/*
 * Updates the rows and approach velocities of bodies that have changed. In a round, nothing else
 * changed the bodies of a contact that has just collided.
 */
static size_t look_again(stage_t *s) {
    NAME(impact_room) *const r = &s->impacts;
    const NAME(impinge_indexed_contacts) *const c = s->rest.contacts;
    const size_t bodies = s->rest.bodies->count;
    size_t left = 0;
    for (size_t i = 0; i < bodies; i++)
        if (r->touched[i]) s->wide->pack(&s->rest, i, 1);
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t a = body_a_of(c, i);
        const uint32_t b = body_b_of(c, i);
        const bool touched = (a < bodies && r->touched[a]) || (b < bodies && r->touched[b]);
        if (r->settled[i] == REFUSED || r->settled[i] == JUST_COLLIDED)
            r->approach[i] = 0;
        else if (touched)
            r->approach[i] = approach_above_rounding(s, i);
        if (r->settled[i] != REFUSED && touched) r->settled[i] = OPEN;
        left += r->approach[i] > 0;
    }
    memset(r->touched, 0, bodies * sizeof *r->touched);
    return left;
}

/* Returns how many contacts still approach. */
static size_t round_of_impacts(stage_t *s, const resolver_t *by) {
    NAME(impact_room) *const r = &s->impacts;
    const size_t count = find_leading(s);
    size_t picked = 0;
    connect_leading(s, count);
    for (size_t k = 0; k < count; k++) {
        const uint32_t i = r->leading[k];
        if (r->head[root_of_contact(s, i)] == i) take_root(s, i, &picked);
    }
    collide_picked(s, by, picked);
    return look_again(s);
}

/* ---- All rounds ---- */

static void begin(stage_t *s) {
    NAME(impact_room) *const r = &s->impacts;
    const size_t contacts = s->rest.contacts->count;
    memset(r->settled, OPEN, contacts * sizeof *r->settled);
    memset(r->touched, 0, s->rest.bodies->count * sizeof *r->touched);
}

/*
 * Contacts that have collided, and then approached again without a law that resolves them: their
 * outcome has the bits of their collisions, and not the reason.
 */
static size_t left_after_refusal(const stage_t *s) {
    const NAME(impact_room) *const r = &s->impacts;
    const uint32_t unresolved = (uint32_t)IMPINGE_OUTCOME_NO_SOLUTION |
                                IMPINGE_OUTCOME_OUT_OF_RANGE | IMPINGE_OUTCOME_INVALID;
    size_t left = 0;
    for (size_t i = 0; i < s->rest.contacts->count; i++) {
        const bool refused = r->settled[i] == REFUSED ||
                             (r->settled[i] == PASSED_OVER && (r->outcome[i] & unresolved));
        left += refused && (r->outcomes[i] & IMPINGE_OUTCOME_GOT_IMPULSE) && approach_of(s, i) > 0;
    }
    return left;
}

void NAME(impinge_impacts_run)(stage_t *s, const resolver_t *by) {
    NAME(impact_room) *const r = &s->impacts;
    size_t left = 1;
    begin(s);
    while (left > 0 && s->report.rounds < s->ways.rounds_max) {
        left = round_of_impacts(s, by);
        s->report.rounds++;
    }
    s->report.left_approaching = left + left_after_refusal(s);
    if (left == 0 || !s->ways.waits) return;
    s->some_wait = true;
    for (size_t i = 0; i < s->rest.contacts->count; i++)
        r->waits[i] = r->approach[i] > 0;
}
