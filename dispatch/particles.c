/* The entry points of particles. */
#include <impinge/particle_rows.h>

#include "call.h"

#include <math.h>

/* Spheres have one and the same answer under these. */
static bool is_law_of_particles(impinge_law law) {
    return law == IMPINGE_LAW_ROUTH || law == IMPINGE_LAW_FRICTIONLESS ||
           law == IMPINGE_LAW_BILINEAR || law == IMPINGE_LAW_CHATTERJEE_RUINA;
}

static bool is_positive_or_zero(double a) { return a >= 0 && isfinite(a); }

impinge_status impinge_projection_factor(double stiffness, double inverse_mass_a,
                                         double inverse_mass_b, double step, double *factor) {
    if (!factor) return IMPINGE_ERROR_NULL_POINTER;
    if (!is_positive_or_zero(stiffness) || !is_positive_or_zero(inverse_mass_a) ||
        !is_positive_or_zero(inverse_mass_b) || !is_positive_or_zero(step))
        return IMPINGE_ERROR_ARGUMENT;
    *factor = stiffness * (inverse_mass_a + inverse_mass_b) * step * step;
    return *factor <= IMPINGE_PROJECTION_FACTOR_STABLE ? IMPINGE_OK : IMPINGE_SOME_INVALID;
}

/* How many contacts are looked through at once for those that change something. */
#define APPLY_BLOCK 256

#define IMPINGE_REAL       float
#define IMPINGE_NAME(name) name##_f32
#define IMPINGE_TABLE      f32
#include "particles_real.inc"
#undef IMPINGE_TABLE
#undef IMPINGE_NAME
#undef IMPINGE_REAL

#define IMPINGE_REAL       double
#define IMPINGE_NAME(name) name##_f64
#define IMPINGE_TABLE      f64
#include "particles_real.inc"
