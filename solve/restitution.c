#include "restitution.h"

#include <math.h>
#include <stdbool.h>

#include "../kernels/real.h"

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

static double elastoplastic(double speed, double yield) {
    if (!(speed > yield)) return 1;
    const double q = yield / speed;
    const double rest = 1.2 - 0.2 * q * q;
    return fmin(sqrt(sqrt(3.0) * rest * sqrt(q / (q + 2 * sqrt(rest)))), 1);
}

static double tabulated(const NAME(impinge_restitution) * r, double speed) {
    size_t above = 0;
    while (above < r->points && (double)r->table_speed[above] < speed)
        above++;
    if (above == 0) return (double)r->table_restitution[0];
    if (above == r->points) return (double)r->table_restitution[above - 1];
    const double low = (double)r->table_speed[above - 1];
    const double part = (speed - low) / ((double)r->table_speed[above] - low);
    const double e = (double)r->table_restitution[above - 1];
    return e + part * ((double)r->table_restitution[above] - e);
}

double NAME(impinge_restitution_at)(const NAME(impinge_coefficients) * coefficients, size_t i,
                                    double speed) {
    const NAME(impinge_coefficient) *const c = &coefficients->restitution;
    const NAME(impinge_restitution) *const r = coefficients->model;
    const double given = (double)(c->values ? c->values[i] : c->value);
    if (!r) return given;
    switch (r->kind) {
    case IMPINGE_RESTITUTION_THRESHOLD:
        return speed < (double)r->speed ? 0 : given;
    case IMPINGE_RESTITUTION_ELASTOPLASTIC:
        return elastoplastic(speed, (double)r->speed);
    case IMPINGE_RESTITUTION_TABLE:
        return tabulated(r, speed);
    default:
        return given;
    }
}
