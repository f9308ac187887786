#include "collision.h"

#include "widen.h"

long double collision_energy(const collision *of, const long double u[3]) {
    const reference_contact_long *c = &of->contact;
    /* The adjugate of K. */
    const long double a11 = c->k22 * c->k33 - c->k23 * c->k23;
    const long double a12 = c->k13 * c->k23 - c->k12 * c->k33;
    const long double a13 = c->k12 * c->k23 - c->k13 * c->k22;
    const long double a22 = c->k11 * c->k33 - c->k13 * c->k13;
    const long double a23 = c->k12 * c->k13 - c->k11 * c->k23;
    const long double a33 = c->k11 * c->k22 - c->k12 * c->k12;
    const long double determinant = c->k11 * a11 + c->k12 * a12 + c->k13 * a13;
    const long double square = a11 * u[0] * u[0] + a22 * u[1] * u[1] + a33 * u[2] * u[2] +
                               2 * (a12 * u[0] * u[1] + a13 * u[0] * u[2] + a23 * u[1] * u[2]);
    return square / (2 * determinant);
}

long double collision_energy_lost(const collision *of) {
    long double twice = 0;
    for (size_t i = 0; i < 3; i++)
        twice -= of->p[i] * (of->contact.u[i] + of->u[i]);
    return twice / 2;
}

/* The library's impulse, turned from the axes of the batch into those of the contact. */
static void set_impulse(const batch *resolved, size_t row, const reference_frame_long *frame,
                        collision *to) {
    for (size_t i = 0; i < 3; i++) {
        to->p[i] = 0;
        for (size_t j = 0; j < batch_axes(resolved->kind); j++)
            to->p[i] += frame->rows[i][j] * numbers_get(&resolved->outputs[BATCH_IMPULSE + j], row);
    }
}

bool collision_of(const batch *resolved, size_t row, collision *found) {
    const uint32_t none = IMPINGE_OUTCOME_INVALID | IMPINGE_OUTCOME_IMMOVABLE;
    if (resolved->outcomes[row] & none) return false;
    const widened_contact contact = widen(resolved, row);
    reference_contact_long *c = &found->contact;
    reference_frame_long frame;
    if (widened_set_up(&contact, c, &frame) != 0) return false;
    set_impulse(resolved, row, &frame, found);
    const long double *p = found->p;
    found->u[0] = c->u[0] + c->k11 * p[0] + c->k12 * p[1] + c->k13 * p[2];
    found->u[1] = c->u[1] + c->k12 * p[0] + c->k22 * p[1] + c->k23 * p[2];
    found->u[2] = c->u[2] + c->k13 * p[0] + c->k23 * p[1] + c->k33 * p[2];
    return true;
}
