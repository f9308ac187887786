/** The coefficients of contacts: their columns, their options, their ranges. */
#ifndef TOOLS_COEFFICIENT_H
#define TOOLS_COEFFICIENT_H

#include <stdbool.h>

#include "number.h"

/*
 * Each once: its index, its column and member of the library's struct, its option, its range as
 * numbers and in words after "is not", and as the help shows it.
 *
 * The library reads a single static friction of 0 as "the same as friction", and a damping fraction
 * of 0 as "not given"; here leaving the option out does. A fraction of 1/2 stops the approach, 1 is
 * fully elastic.
 */
#define COEFFICIENT_FIELDS(FIELD)                                                                  \
    FIELD(RESTITUTION, restitution, "--restitution", 0, 1, "between 0 and 1", "0 to 1")            \
    FIELD(FRICTION, friction, "--friction", 0, INFINITY, "0 or more", "0 or more, inf allowed")    \
    FIELD(FRICTION_STATIC, friction_static, "--friction-static", DBL_TRUE_MIN, INFINITY,           \
          "more than 0", "above 0, at least friction; left out, equal to it")                      \
    FIELD(TANGENTIAL_RESTITUTION, tangential_restitution, "--tangential-restitution", -1, 1,       \
          "between -1 and 1", "-1 to 1; left out, 0")                                              \
    FIELD(MIX, mix, "--mix", 0, 1, "between 0 and 1", "0 to 1; left out, 0")                       \
    FIELD(IMPULSE_RATIO_T1, impulse_ratio_t1, "--impulse-ratio-t1", -DBL_MAX, DBL_MAX, "finite",   \
          "left out, 0")                                                                           \
    FIELD(IMPULSE_RATIO_T2, impulse_ratio_t2, "--impulse-ratio-t2", -DBL_MAX, DBL_MAX, "finite",   \
          "left out, 0")                                                                           \
    FIELD(DAMPING_FRACTION, damping_fraction, "--damping-fraction", 0.5, 1, "between 0.5 and 1",   \
          "0.5 to 1; left out, restitution is used")

#define COEFFICIENT_INDEX(index, member, option, least, most, range, help) index,

enum coefficient { COEFFICIENT_FIELDS(COEFFICIENT_INDEX) COEFFICIENTS };

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

/** The coefficients, as lines of help. */
void coefficient_print_list(void);

#endif
