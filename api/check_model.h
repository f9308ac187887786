/* Checks of restitution models: those of particles, and those in coefficients. */
#ifndef IMPINGE_API_CHECK_MODEL_H
#define IMPINGE_API_CHECK_MODEL_H

#include <impinge/particles.h>

#include "../kernels/real.h"

impinge_status NAME(impinge_check_restitution)(const NAME(impinge_restitution) * restitution);
impinge_status NAME(impinge_check_model)(const NAME(impinge_coefficients) * coefficients);

#endif
