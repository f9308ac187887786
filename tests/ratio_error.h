/** The accuracy with which bounds on impulse ratios can be known. */
#ifndef RATIO_ERROR_H
#define RATIO_ERROR_H

#include "reference.h"

/**
 * How far energy's bound `at`, along the unit direction (r1, r2), may be off, relatively: A, B and
 * C (see impinge_impulse_ratio_bound) come of up to 8 roundings in double of the terms of each, and
 * move the root by what they add up to over the slope there. The reference's moves by its
 * allowance: energy's slack is A l^2 + B l + C times -p_n / (2 (K_33 + l k.r)).
 */
long double ratio_error(const reference_contact_long *contact, long double r1, long double r2,
                        long double at, long double allowance);

#endif
