/** The coefficients of contacts: their columns, their options, their ranges. */
#ifndef TOOLS_COEFFICIENT_H
#define TOOLS_COEFFICIENT_H

#include <stdbool.h>

#include "number.h"

enum coefficient {
    RESTITUTION,
    FRICTION,
    FRICTION_STATIC,
    TANGENTIAL_RESTITUTION,
    MIX,
    IMPULSE_RATIO_T1,
    IMPULSE_RATIO_T2,
    DAMPING_FRACTION,
    COEFFICIENTS
};

/** The name of its column: "restitution". */
const char *coefficient_name(enum coefficient which);

/** The option that gives it to all contacts: "--restitution". */
const char *coefficient_option(enum coefficient which);

/**
 * Reads the value of a coefficient's option, and fails if it is not in its range.
 *
 * @param restitution_above_one whether restitution may be
 */
double coefficient_required(enum coefficient which, const char *text, precision to,
                            bool restitution_above_one);

/** The nearest value in a coefficient's range. */
long double coefficient_limited(enum coefficient which, long double value,
                                bool restitution_above_one);

#endif
