#include "coefficient.h"

#include <float.h>
#include <math.h>

#include "fail.h"

typedef struct description {
    const char *name, *option;
    double least, most;
    const char *range; /* in words, after "is not" */
} description;

static const description descriptions[COEFFICIENTS] = {
    [RESTITUTION] = {"restitution", "--restitution", 0, 1, "between 0 and 1"},
    [FRICTION] = {"friction", "--friction", 0, INFINITY, "0 or more"},
    /* The library reads a single 0 as "the same as friction"; here leaving the option out does. */
    [FRICTION_STATIC] = {"friction_static", "--friction-static", DBL_TRUE_MIN, INFINITY,
                         "more than 0"},
    [TANGENTIAL_RESTITUTION] = {"tangential_restitution", "--tangential-restitution", -1, 1,
                                "between -1 and 1"},
    [MIX] = {"mix", "--mix", 0, 1, "between 0 and 1"},
    [IMPULSE_RATIO_T1] = {"impulse_ratio_t1", "--impulse-ratio-t1", -DBL_MAX, DBL_MAX, "finite"},
    [IMPULSE_RATIO_T2] = {"impulse_ratio_t2", "--impulse-ratio-t2", -DBL_MAX, DBL_MAX, "finite"},
    /* A fraction of 1/2 stops the approach, 1 is fully elastic (seed 001); 0 would be "not given".
     */
    [DAMPING_FRACTION] = {"damping_fraction", "--damping-fraction", 0.5, 1, "between 0.5 and 1"}};

static const description unlimited_restitution = {"restitution", "--restitution", 0, DBL_MAX,
                                                  "0 or more and finite"};

const char *coefficient_name(enum coefficient which) { return descriptions[which].name; }

const char *coefficient_option(enum coefficient which) { return descriptions[which].option; }

static const description *description_of(enum coefficient which, bool restitution_above_one) {
    const bool unlimited = which == RESTITUTION && restitution_above_one;
    return unlimited ? &unlimited_restitution : &descriptions[which];
}

double coefficient_required(enum coefficient which, const char *text, precision to,
                            bool restitution_above_one) {
    const description *of = description_of(which, restitution_above_one);
    const double value = number_required(of->option, text, to);
    if (!(value >= of->least && value <= of->most))
        fail("%s: '%s' is not %s", of->option, text, of->range);
    return value;
}

long double coefficient_limited(enum coefficient which, long double value,
                                bool restitution_above_one) {
    const description *of = description_of(which, restitution_above_one);
    return fminl(fmaxl(value, of->least), of->most);
}
