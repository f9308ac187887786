#include "reference_sequence.h"

#include <stdlib.h>
#include <string.h>

typedef struct sequence {
    reference_body_double *bodies;
    const reference_sequence_contact *contacts;
    size_t count;
    double tie_tolerance, rest_speed;
    bool *settled; /* collided, and nothing has moved its bodies since */
    double *approach;
} sequence;

static bool is_movable(const sequence *s, uint32_t body) {
    if (body == REFERENCE_WORLD) return false;
    bool moves = s->bodies[body].inverse_mass != 0;
    for (int i = 0; i < 6; i++)
        moves |= s->bodies[body].inverse_inertia[i] != 0;
    return moves;
}

/* The body with the contact's arm. */
static reference_body_double body_at(const sequence *s, uint32_t body, const double arm[3]) {
    reference_body_double at = {0};
    if (body != REFERENCE_WORLD) at = s->bodies[body];
    memcpy(at.arm, arm, sizeof at.arm);
    return at;
}

/* n . (v + omega x r) */
static double normal_velocity(const reference_body_double *b, const double n[3]) {
    const double *const v = b->velocity, *const w = b->angular_velocity, *const r = b->arm;
    return n[0] * (v[0] + (w[1] * r[2] - w[2] * r[1])) +
           n[1] * (v[1] + (w[2] * r[0] - w[0] * r[2])) +
           n[2] * (v[2] + (w[0] * r[1] - w[1] * r[0]));
}

static double approach_of(const sequence *s, size_t i) {
    const reference_sequence_contact *const c = &s->contacts[i];
    if (!is_movable(s, c->a) && !is_movable(s, c->b)) return 0;
    const reference_body_double a = body_at(s, c->a, c->arm_a);
    const reference_body_double b = body_at(s, c->b, c->arm_b);
    const double approach = normal_velocity(&b, c->normal) - normal_velocity(&a, c->normal);
    return s->settled[i] || !(approach > 0) ? 0 : approach;
}

static double find_greatest(sequence *s) {
    double greatest = 0;
    for (size_t i = 0; i < s->count; i++) {
        s->approach[i] = approach_of(s, i);
        if (s->approach[i] > greatest) greatest = s->approach[i];
    }
    return greatest;
}

/* The first of those that are tied; `closest` is the fastest of the others. */
static size_t pick(const sequence *s, double greatest, double *closest) {
    size_t picked = s->count;
    for (size_t i = 0; i < s->count; i++) {
        const double slower = 1 - s->approach[i] / greatest;
        if (slower <= s->tie_tolerance) {
            if (picked == s->count && s->approach[i] > s->rest_speed) picked = i;
        } else if (slower < *closest) {
            *closest = slower;
        }
    }
    return picked;
}

static bool share_body(const sequence *s, size_t i, size_t j) {
    const reference_sequence_contact *const c = &s->contacts[i], *const d = &s->contacts[j];
    return (is_movable(s, c->a) && (c->a == d->a || c->a == d->b)) ||
           (is_movable(s, c->b) && (c->b == d->a || c->b == d->b));
}

static void move(sequence *s, uint32_t body, const reference_body_double *after) {
    if (!is_movable(s, body)) return;
    memcpy(s->bodies[body].velocity, after->velocity, sizeof after->velocity);
    memcpy(s->bodies[body].angular_velocity, after->angular_velocity,
           sizeof after->angular_velocity);
}

/* Returns whether there was an impulse. */
static bool collide(sequence *s, size_t i, const impinge_options *options, double impulse[3]) {
    const reference_sequence_contact *const c = &s->contacts[i];
    reference_body_double a = body_at(s, c->a, c->arm_a);
    reference_body_double b = body_at(s, c->b, c->arm_b);
    reference_contact_double contact = c->coefficient;
    reference_frame_double frame;
    reference_result_double result;
    s->settled[i] = true;
    if (reference_contact_from_bodies_double(&a, &b, c->normal, &frame, &contact)) return false;
    reference_resolve_double(&contact, options, &result);
    if (!(result.outcome & IMPINGE_OUTCOME_GOT_IMPULSE)) return false;
    reference_apply_impulse_double(&a, &b, &frame, result.p);
    move(s, c->a, &a);
    move(s, c->b, &b);
    for (int k = 0; k < 3; k++)
        for (int axis = 0; axis < 3; axis++)
            impulse[k] += frame.rows[axis][k] * result.p[axis];
    for (size_t j = 0; j < s->count; j++)
        if (j != i && share_body(s, i, j)) s->settled[j] = false;
    return true;
}

void reference_sequence(reference_body_double *bodies, const reference_sequence_contact *contacts,
                        size_t count, const impinge_options *options, double tie_tolerance,
                        double rest_speed, size_t collisions_max,
                        reference_sequence_result *result) {
    sequence s = {bodies,
                  contacts,
                  count,
                  tie_tolerance,
                  rest_speed,
                  calloc(count + 1, sizeof(bool)),
                  calloc(count + 1, sizeof(double))};
    result->collisions = 0;
    result->closest = 1;
    memset(result->impulse, 0, count * sizeof *result->impulse);
    while ((result->left = find_greatest(&s)) > rest_speed && result->collisions < collisions_max) {
        const size_t picked = pick(&s, result->left, &result->closest);
        if (collide(&s, picked, options, result->impulse[picked]))
            result->picks[result->collisions++] = (uint32_t)picked;
    }
    free(s.settled);
    free(s.approach);
}
