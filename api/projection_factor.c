/* The projection factor of particles, which has one form for both precisions. */
#include <impinge/particles.h>

#include <math.h>

#include "float_environment.h"

static bool is_positive_or_zero(double a) { return a >= 0 && isfinite(a); }

/* A number as a fraction times 2^exponent: products of fractions stay in range. */
typedef struct split {
    double fraction;
    int exponent;
} split_t;

static split_t split(double a) {
    split_t s;
    s.fraction = frexp(a, &s.exponent);
    return s;
}

static split_t split_sum(double a, double b) {
    if (isfinite(a + b)) return split(a + b);
    split_t s = split(a / 2 + b / 2); /* numbers so large halve exactly */
    s.exponent++;
    return s;
}

/* Only the product has to fit, not those of some of its factors. */
static double product(const split_t *k, const split_t *w, const split_t *h) {
    const double fraction = k->fraction * w->fraction * h->fraction * h->fraction;
    return ldexp(fraction, k->exponent + w->exponent + 2 * h->exponent);
}

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
    const split_t spring = split(stiffness);
    const split_t masses = split_sum(inverse_mass_a, inverse_mass_b);
    const split_t step = split(time_step);
    const double k = product(&spring, &masses, &step);
    if (!isfinite(k)) return IMPINGE_ERROR_ARGUMENT;
    *factor = k;
    if (stable) *stable = k <= IMPINGE_PROJECTION_FACTOR_STABLE;
    return IMPINGE_OK;
}
