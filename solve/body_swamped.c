/*
 * Islands whose warm start, or whose last sweep, is far larger than the velocities of their bodies.
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
 * then got 40 times the energy (1000:1, f32), or where a body is wedged between two others.
 */
#include <string.h>

#include "body_stage.h"
#include "team.h"

typedef NAME(body_stage) stage_t;

static bool is_swamped(const stage_t *s, size_t island) {
    for (size_t p = s->islands.starts[island]; p < s->islands.starts[island + 1]; p++) {
        const uint32_t pair = s->islands.order[p];
        for (uint32_t k = s->pair_first[pair]; k < s->pair_first[pair + 1]; k++)
            if (s->rest.swamps[s->order[k]]) return true;
    }
    return false;
}

bool NAME(impinge_swamped_find)(stage_t *s, int by) {
    const size_t contacts = s->rest.contacts->count;
    if (contacts == 0 || !memchr(s->rest.swamps, by, contacts)) return false;
    s->swamped = true;
    for (size_t i = 0; i < s->rest.bodies->count; i++)
        s->island_of[i] = UINT32_MAX;
    for (size_t i = 0; i < s->islands.count; i++)
        if (is_swamped(s, i)) NAME(impinge_mark_bodies)(s, i);
    s->driven = s->rest;
    s->driven.rows = s->rest.swept;
    s->driven.start = s->rest.ahead_rows; /* both free after the sweeps */
    return true;
}

void NAME(impinge_swamped_fill)(const stage_t *s, const impinge_team *team) {
    const range_t bodies = team_range(team, s->rest.bodies->count, LANES_MAX);
    const size_t size = BODY_ROW * sizeof(real_t);
    for (size_t i = bodies.first; i < bodies.end; i++) {
        real_t *const row = s->driven.rows + i * BODY_ROW;
        real_t *const start = s->driven.start + i * BODY_ROW;
        if (s->island_of[i] != UINT32_MAX) {
            NAME(impinge_body_works)(s, i, s->body_works + 2 * i);
            memset(row, 0, size);
            memset(start, 0, size);
        } else {
            memcpy(row, s->rest.rows + i * BODY_ROW, size);
            memcpy(start, s->rest.start + i * BODY_ROW, size);
        }
    }
    team_wait(team);
}
