/* What is checked of a model of restitution that depends on the speed alone. */
#ifndef IMPINGE_API_CHECK_MODEL_H
#define IMPINGE_API_CHECK_MODEL_H

#include <impinge/particles.h>

#include "../kernels/real.h"

impinge_status NAME(impinge_check_model)(const NAME(impinge_coefficients) * coefficients);

#endif
