/* What is checked of a model of restitution that depends on the speed alone. */
#ifndef IMPINGE_SOLVE_RESTITUTION_H
#define IMPINGE_SOLVE_RESTITUTION_H

#include <impinge/particles.h>

impinge_status impinge_check_model_f32(const impinge_coefficients_f32 *coefficients);
impinge_status impinge_check_model_f64(const impinge_coefficients_f64 *coefficients);

/* e of contact i at an approach speed; kernels/speed.h has the same in lanes. */
double impinge_restitution_at_f32(const impinge_coefficients_f32 *coefficients, size_t i,
                                  double speed);
double impinge_restitution_at_f64(const impinge_coefficients_f64 *coefficients, size_t i,
                                  double speed);

#endif
