#include "drawn.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/rays.h>

#include "../tests/random_contacts.h"

/* Candidates drawn and resolved at a time, and after how many of these to give up. */
enum { AT_ONCE = 4096, ATTEMPTS = 1000 };

/* The bits of an outcome that decide, and their required values. */
static const struct wanted {
    uint32_t bits, values;
} wanted[] = {
    [DRAWN_ANY] = {0, 0},
    [DRAWN_SPHERES] = {0, 0},
    [DRAWN_SLIDING] = {IMPINGE_OUTCOME_GOT_IMPULSE, IMPINGE_OUTCOME_SLID},
    [DRAWN_STICKING] = {IMPINGE_OUTCOME_STUCK, IMPINGE_OUTCOME_STUCK},
    [DRAWN_DIVERGING] = {IMPINGE_OUTCOME_DIVERGED, IMPINGE_OUTCOME_DIVERGED},
    [DRAWN_SEPARATING] = {IMPINGE_OUTCOME_SEPARATING, IMPINGE_OUTCOME_SEPARATING},
};

/* The first ray on which the slip shrinks, if there is one. */
static bool converging_ray(const double row[CONTACT_INPUTS], impinge_ray *ray) {
    const impinge_collision_matrix matrix = {row[IN_K11], row[IN_K12], row[IN_K13],
                                             row[IN_K22], row[IN_K23], row[IN_K33]};
    impinge_ray rays[IMPINGE_RAYS_MAX];
    size_t count;
    if (impinge_find_rays(&matrix, row[IN_FRICTION], rays, &count) != IMPINGE_OK) return false;
    for (size_t i = 0; count != IMPINGE_RAYS_EVERY_DIRECTION && i < count; i++) {
        *ray = rays[i];
        if (ray->kind == IMPINGE_RAY_CONVERGING) return true;
    }
    return false;
}

/*
 * Where sticking is unstable, nearly every slip turns away before it vanishes: one of a thousand
 * random contacts diverges. So half of the candidates start without slip, and half come straight
 * to where it vanishes.
 */
static void aim_at_no_slip(uint64_t *state, double row[CONTACT_INPUTS]) {
    const bool at_rest = random_below(state, 2) == 0;
    const double speed = random_between(state, 0, 2);
    impinge_ray ray;
    if (at_rest) {
        row[IN_U1] = row[IN_U2] = 0;
    } else if (converging_ray(row, &ray)) {
        row[IN_U1] = speed * ray.s1;
        row[IN_U2] = speed * ray.s2;
    }
}

static void round_to_f32(double row[CONTACT_INPUTS]) {
    for (size_t c = 0; c < CONTACT_INPUTS; c++)
        row[c] = (double)(float)row[c];
}

static void draw_candidate(uint64_t *state, drawn_kind kind, double row[CONTACT_INPUTS]) {
    random_contact(state, kind == DRAWN_SPHERES ? RANDOM_SPHERES : RANDOM_BOXES, 0, row);
    row[IN_U1] = random_between(state, -2, 2);
    row[IN_U2] = random_between(state, -2, 2);
    row[IN_U3] = random_between(state, -2, kind == DRAWN_SEPARATING ? 2 : 0);
    row[IN_RESTITUTION] = random_positive(state);
    row[IN_FRICTION] = row[IN_FRICTION_STATIC] = random_between(state, 0, 1.2);
    if (kind == DRAWN_DIVERGING) aim_at_no_slip(state, row);
    round_to_f32(row);
}

/* AT_ONCE candidates, and what becomes of them. */
typedef struct candidates {
    contact_rows rows;
    batch_f32 f32;
    batch_f64 f64;
} candidates;

static candidates candidates_new(void) {
    return (candidates){
        .rows = rows_new(LEVEL_CONTACTS, AT_ONCE),
        .f32 = batch_new_f32(LEVEL_CONTACTS, AT_ONCE),
        .f64 = batch_new_f64(LEVEL_CONTACTS, AT_ONCE),
    };
}

static void candidates_free(candidates *c) {
    free(c->rows.values);
    batch_free_f32(&c->f32);
    batch_free_f64(&c->f64);
}

static void draw_and_resolve(candidates *c, uint64_t *state, drawn_kind kind) {
    for (size_t i = 0; i < AT_ONCE; i++) {
        double *row = rows_at(&c->rows, i);
        draw_candidate(state, kind, row);
        batch_set_row_f32(&c->f32, i, row);
        batch_set_row_f64(&c->f64, i, row);
    }
    batch_resolve_f32(&c->f32, 0, AT_ONCE, NULL, NULL);
    batch_resolve_f64(&c->f64, 0, AT_ONCE, NULL, NULL);
}

static bool is_wanted(const candidates *c, size_t i, drawn_kind kind) {
    const uint32_t bits = wanted[kind].bits;
    const uint32_t values = wanted[kind].values;
    return (c->f32.outcome[i] & bits) == values && (c->f64.outcome[i] & bits) == values;
}

/* Copies the wanted rows behind the `kept` ones; returns how many there are then. */
static size_t keep_wanted(const candidates *c, drawn_kind kind, contact_rows *rows, size_t kept) {
    for (size_t i = 0; i < AT_ONCE && kept < rows->count; i++) {
        if (!is_wanted(c, i, kind)) continue;
        memcpy(rows_at(rows, kept++), rows_at(&c->rows, i), CONTACT_INPUTS * sizeof(double));
    }
    return kept;
}

/* Coefficients that Routh's law lacks. Brach's tangential impulse is a part of friction's. */
static void draw_further_coefficients(uint64_t *state, double row[CONTACT_INPUTS]) {
    const double slip = hypot(row[IN_U1], row[IN_U2]);
    const double ratio = random_between(state, 0, row[IN_FRICTION]);
    row[IN_TANGENTIAL_RESTITUTION] = random_between(state, -1, 1);
    row[IN_MIX] = random_positive(state);
    row[IN_IMPULSE_RATIO_T1] = slip > 0 ? -ratio * row[IN_U1] / slip : 0;
    row[IN_IMPULSE_RATIO_T2] = slip > 0 ? -ratio * row[IN_U2] / slip : 0;
    round_to_f32(row);
}

/* Drawn apart from the rest, which does not depend on them. */
static void give_further_coefficients(const contact_rows *rows) {
    uint64_t state = 20001;
    for (size_t i = 0; i < rows->count; i++)
        draw_further_coefficients(&state, rows_at(rows, i));
}

contact_rows draw_contacts(drawn_kind kind, size_t count) {
    contact_rows rows = rows_new(LEVEL_CONTACTS, count);
    candidates drawn = candidates_new();
    uint64_t state = 20000;
    size_t kept = 0;
    for (int i = 0; i < ATTEMPTS && kept < count; i++) {
        draw_and_resolve(&drawn, &state, kind);
        kept = keep_wanted(&drawn, kind, &rows, kept);
    }
    candidates_free(&drawn);
    give_further_coefficients(&rows);
    if (kept == count) return rows;
    fprintf(stderr, "found %zu contacts of kind %d, not %zu\n", kept, (int)kind, count);
    exit(1);
}
