/* Restitution that depends on the approach speed alone. */
#include "restitution.h"

#include "../kernels/element.h"

#include <math.h>

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
    const double given = (double)(c->values ? c->values[element(i, c->stride)] : c->value);
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
