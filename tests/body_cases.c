#include "body_cases.h"

#include <string.h>

static void set_body(double *row, const body *b) {
    row[BODY_INVERSE_MASS] = b->inverse_mass;
    row[BODY_INVERSE_INERTIA] = row[BODY_INVERSE_INERTIA + 3] = row[BODY_INVERSE_INERTIA + 5] =
        b->inverse_inertia;
    memcpy(row + BODY_ARM, b->arm, sizeof b->arm);
    memcpy(row + BODY_VELOCITY, b->velocity, sizeof b->velocity);
    memcpy(row + BODY_ANGULAR_VELOCITY, b->angular_velocity, sizeof b->angular_velocity);
}

void row_of_bodies(const body_case *c, double row[PAIR_INPUTS]) {
    memset(row, 0, PAIR_INPUTS * sizeof *row);
    set_body(row + IN_BODY_A, &c->a);
    set_body(row + IN_BODY_B, &c->b);
    memcpy(row + IN_NORMAL, c->normal, sizeof c->normal);
    row[IN_PAIR_RESTITUTION] = c->restitution;
    row[IN_PAIR_FRICTION] = row[IN_PAIR_FRICTION_STATIC] = c->friction;
}
