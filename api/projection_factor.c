/* The projection factor of particles, which has one form for both precisions. */
#include <impinge/particles.h>

#include <math.h>

#include "float_environment.h"

static bool is_positive_or_zero(double a) { return a >= 0 && isfinite(a); }

impinge_status impinge_projection_factor(double stiffness, double inverse_mass_a,
                                         double inverse_mass_b, double time_step, double *factor,
                                         bool *stable) {
    FLOAT_ENVIRONMENT_OF_CALL;
    FLOAT_FROM_CALLER(stiffness);
    FLOAT_FROM_CALLER(inverse_mass_a);
    FLOAT_FROM_CALLER(inverse_mass_b);
    FLOAT_FROM_CALLER(time_step);
    if (!factor) return IMPINGE_ERROR_NULL_POINTER;
    if (!is_positive_or_zero(stiffness) || !is_positive_or_zero(inverse_mass_a) ||
        !is_positive_or_zero(inverse_mass_b) || !is_positive_or_zero(time_step))
        return IMPINGE_ERROR_ARGUMENT;
    const double k = stiffness * (inverse_mass_a + inverse_mass_b) * time_step * time_step;
    if (!isfinite(k)) return IMPINGE_ERROR_ARGUMENT;
    *factor = k;
    if (stable) *stable = k <= IMPINGE_PROJECTION_FACTOR_STABLE;
    return IMPINGE_OK;
}
