/*
 * Islands whose warm start, or one of whose sweeps, is far larger than the velocities of their
 * bodies; and all of them after many sweeps.
 *
 * Rows of bodies, v = v0 + W p, lose digits while p is large, and do not get them back when sweeps
 * take p away: with W p = 1e6 v0, f32 errs by 6 % of v0, and errors of many contacts of a body add
 * up. Sweeps go on from these rows, so contacts come to rest all the same; but p . u is not the
 * work that changed v0 to v. So the guard takes the energy of such islands from their bodies. Not
 * that of all: what bodies have in common, a velocity far above those of the contacts, would leave
 * its rounding in their energies, but is not in p . u.
 *
 * Computing rows anew, from the impulses that are left, keeps the momentum, but then contacts do
 * not rest. And impulses stay as large as they were where heavy bodies lie on light ones, which
 * then got 40 times the energy (1000:1, f32), or where a body is wedged between two others. So it
 * is done only where sweeps swamped the velocities and the bodies have gained energy, which
 * impulses that vanished cannot have given them; and the guard takes their energies after it.
 * Elsewhere the works of contacts still guard: a gain below the rounding of a velocity that bodies
 * have in common, in each step, kept a stack on a floor that moves at 100 m/s from coming to rest
 * (f32).
 */
#include <string.h>

#include "body_stage.h"
#include "team.h"

typedef NAME(body_stage) stage_t;

/* The earliest mark of an island's contacts, or 0. */
static int swamps_of(const stage_t *s, size_t island) {
    int earliest = 0;
    for (size_t p = s->islands.starts[island]; p < s->islands.starts[island + 1]; p++) {
        const uint32_t pair = s->islands.order[p];
        for (uint32_t k = s->pair_first[pair]; k < s->pair_first[pair + 1]; k++) {
            const int by = s->rest.swamps[s->order[k]];
            if (by == SWAMPS_FIRST) return by;
            if (by) earliest = by;
        }
    }
    return earliest;
}

static void begin(stage_t *s) {
    if (s->swamped) return;
    s->swamped = true;
    for (size_t i = 0; i < s->rest.bodies->count; i++)
        s->island_of[i] = UINT32_MAX;
    s->driven = s->rest;
    s->driven.rows = s->rest.swept;
    s->driven.start = s->rest.ahead_rows; /* both free after the sweeps */
}

/*
 * Each sweep rounds the velocities of bodies, and its impulses apart from them: by some units,
 * which add up to 3e-4 of the momentum after 2,000 sweeps in f32. After more sweeps than this all
 * islands are taken as swamped.
 */
#define SWEEPS_MANY 16

bool NAME(impinge_swamped_find)(stage_t *s, int by) {
    const size_t contacts = s->rest.contacts->count;
    const bool all = by == SWAMPS_SWEPT && s->report.sweeps > SWEEPS_MANY;
    if (contacts == 0 || !(all || memchr(s->rest.swamps, by, contacts))) return false;
    bool any = false;
    for (size_t i = 0; i < s->islands.count; i++) {
        const int swamps = swamps_of(s, i);
        if (swamps != by && !(all && swamps == 0)) continue;
        begin(s);
        NAME(impinge_mark_bodies)(s, i);
        any = true;
    }
    return any;
}

/*
 * Of a row that is accounted by its body's energy there remains what no impulse changes, as of a
 * driven body: the velocity without a mass, the rotation about an axis that no moment turns.
 */
static void leave_driven(const real_t *mass, real_t *row) {
    for (size_t k = 0; k < 3; k++)
        if (mass[0] > 0) row[k] = 0;
    static const size_t diagonal[3] = {1, 4, 6}; /* xx, yy, zz */
    for (size_t k = 0; k < 3; k++)
        if (mass[diagonal[k]] > 0) row[4 + k] = 0;
}

void NAME(impinge_swamped_fill)(const stage_t *s, const impinge_team *team) {
    const range_t bodies = team_range(team, s->rest.bodies->count, LANES_MAX);
    const size_t size = BODY_ROW * sizeof(real_t);
    for (size_t i = bodies.first; i < bodies.end; i++) {
        real_t *const row = s->driven.rows + i * BODY_ROW;
        real_t *const start = s->driven.start + i * BODY_ROW;
        memcpy(row, s->rest.rows + i * BODY_ROW, size);
        memcpy(start, s->rest.start + i * BODY_ROW, size);
        if (s->island_of[i] == UINT32_MAX) continue;
        const real_t *const mass = s->rest.mass + i * BODY_ROW;
        NAME(impinge_body_works)(s, i, s->body_works + BODY_WORKS * i);
        leave_driven(mass, row);
        leave_driven(mass, start);
    }
    team_wait(team);
}
