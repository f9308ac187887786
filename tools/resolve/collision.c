#include "collision.h"

#include <math.h>

#include "widen.h"

/* A symmetric matrix. */
typedef struct matrix {
    long double m11, m12, m13, m22, m23, m33;
} matrix;

static matrix adjugate_of(const reference_contact_long *c) {
    return (matrix){.m11 = c->k22 * c->k33 - c->k23 * c->k23,
                    .m12 = c->k13 * c->k23 - c->k12 * c->k33,
                    .m13 = c->k12 * c->k23 - c->k13 * c->k22,
                    .m22 = c->k11 * c->k33 - c->k13 * c->k13,
                    .m23 = c->k12 * c->k13 - c->k11 * c->k23,
                    .m33 = c->k11 * c->k22 - c->k12 * c->k12};
}

static long double determinant_of(const reference_contact_long *c, const matrix *adjugate) {
    return c->k11 * adjugate->m11 + c->k12 * adjugate->m12 + c->k13 * adjugate->m13;
}

/* Frobenius's. */
static long double norm_of(const matrix *a) {
    return sqrtl(a->m11 * a->m11 + a->m22 * a->m22 + a->m33 * a->m33 +
                 2 * (a->m12 * a->m12 + a->m13 * a->m13 + a->m23 * a->m23));
}

long double collision_energy(const collision *of, const long double u[3]) {
    const matrix a = adjugate_of(&of->contact);
    const long double square =
        a.m11 * u[0] * u[0] + a.m22 * u[1] * u[1] + a.m33 * u[2] * u[2] +
        2 * (a.m12 * u[0] * u[1] + a.m13 * u[0] * u[2] + a.m23 * u[1] * u[2]);
    return square / (2 * determinant_of(&of->contact, &a));
}

long double collision_condition(const reference_contact_long *c, long double impulse) {
    const matrix a = adjugate_of(c);
    const matrix k = {c->k11, c->k12, c->k13, c->k22, c->k23, c->k33};
    const long double inverse = norm_of(&a) / determinant_of(c, &a);
    const long double speed = hypotl(hypotl(c->u[0], c->u[1]), c->u[2]);
    return inverse * (speed / impulse + norm_of(&k));
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
