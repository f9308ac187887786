/* Models of restitution. */
#include <math.h>
#include <stdbool.h>

#include "check_model.h"

static impinge_status check_table(const NAME(impinge_restitution) * r) {
    if (!r->table_speed || !r->table_restitution) return IMPINGE_ERROR_NULL_POINTER;
    if (r->points < 1 || r->points > IMPINGE_RESTITUTION_TABLE_MAX) return IMPINGE_ERROR_ARGUMENT;
    for (size_t i = 0; i < r->points; i++) {
        if (!(r->table_speed[i] >= 0 && isfinite(r->table_speed[i]))) return IMPINGE_ERROR_ARGUMENT;
        if (i > 0 && !(r->table_speed[i - 1] < r->table_speed[i])) return IMPINGE_ERROR_ARGUMENT;
        if (!(r->table_restitution[i] >= 0 && r->table_restitution[i] <= 1))
            return IMPINGE_ERROR_ARGUMENT;
    }
    return IMPINGE_OK;
}

static bool is_viscoelastic(const NAME(impinge_restitution) * r) {
    return r->dissipation_time >= 0 && isfinite(r->dissipation_time) && r->young_modulus > 0 &&
           isfinite(r->young_modulus) && r->poisson_ratio > -1 && r->poisson_ratio <= (real_t)0.5;
}

impinge_status NAME(impinge_check_restitution)(const NAME(impinge_restitution) * r) {
    switch (r->kind) {
    case IMPINGE_RESTITUTION_CONSTANT:
        return IMPINGE_OK;
    case IMPINGE_RESTITUTION_THRESHOLD:
    case IMPINGE_RESTITUTION_ELASTOPLASTIC:
        return r->speed >= 0 && isfinite(r->speed) ? IMPINGE_OK : IMPINGE_ERROR_ARGUMENT;
    case IMPINGE_RESTITUTION_VISCOELASTIC:
        return is_viscoelastic(r) ? IMPINGE_OK : IMPINGE_ERROR_ARGUMENT;
    case IMPINGE_RESTITUTION_TABLE:
        return check_table(r);
    default:
        return IMPINGE_ERROR_ARGUMENT;
    }
}

impinge_status NAME(impinge_check_model)(const NAME(impinge_coefficients) * coefficients) {
    const NAME(impinge_restitution) *const r = coefficients->model;
    if (!r) return IMPINGE_OK;
    /* The viscoelastic model needs a radius, and bodies have none. */
    if (r->kind == IMPINGE_RESTITUTION_VISCOELASTIC) return IMPINGE_ERROR_ARGUMENT;
    return NAME(impinge_check_restitution)(r);
}
