/* Models of restitution that depend on the speed alone. */
#include <math.h>
#include <stdbool.h>

#include "check_model.h"

static bool is_table(const NAME(impinge_restitution) * r) {
    if (r->points < 1 || r->points > IMPINGE_RESTITUTION_TABLE_MAX) return false;
    for (size_t i = 0; i < r->points; i++) {
        if (!isfinite(r->table_speed[i])) return false;
        if (i > 0 && !(r->table_speed[i - 1] < r->table_speed[i])) return false;
        if (!(r->table_restitution[i] >= 0 && r->table_restitution[i] <= 1)) return false;
    }
    return true;
}

impinge_status NAME(impinge_check_model)(const NAME(impinge_coefficients) * coefficients) {
    const NAME(impinge_restitution) *const r = coefficients->model;
    if (!r) return IMPINGE_OK;
    switch (r->kind) {
    case IMPINGE_RESTITUTION_CONSTANT:
        return IMPINGE_OK;
    case IMPINGE_RESTITUTION_THRESHOLD:
    case IMPINGE_RESTITUTION_ELASTOPLASTIC:
        return r->speed >= 0 && isfinite(r->speed) ? IMPINGE_OK : IMPINGE_ERROR_ARGUMENT;
    case IMPINGE_RESTITUTION_TABLE:
        if (!r->table_speed || !r->table_restitution) return IMPINGE_ERROR_NULL_POINTER;
        return is_table(r) ? IMPINGE_OK : IMPINGE_ERROR_ARGUMENT;
    default: /* viscoelastic, too: it needs a radius */
        return IMPINGE_ERROR_ARGUMENT;
    }
}
