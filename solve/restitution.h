/* Restitution that depends on the approach speed alone. */
#ifndef IMPINGE_SOLVE_RESTITUTION_H
#define IMPINGE_SOLVE_RESTITUTION_H

#include <impinge/particles.h>

#include "../kernels/real.h"

/* e of contact i at an approach speed; kernels/speed.h has the same in lanes. */
double NAME(impinge_restitution_at)(const NAME(impinge_coefficients) * coefficients, size_t i,
                                    double speed);

#endif
