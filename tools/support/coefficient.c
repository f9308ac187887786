#include "coefficient.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include <impinge/batch.h>

#include "fail.h"

_Static_assert(COEFFICIENTS * sizeof(impinge_coefficient_f64) + sizeof(void *) ==
                   sizeof(impinge_coefficients_f64),
               "COEFFICIENT_FIELDS has every coefficient of the library; beside them the model of "
               "restitution");

typedef struct description {
    const char *name, *option;
    double least, most;
    const char *range, *help;
} description;

#define DESCRIPTION(index, member, option, least, most, range, help)                               \
    [index] = {#member, option, least, most, range, help},

static const description descriptions[COEFFICIENTS] = {COEFFICIENT_FIELDS(DESCRIPTION)};

static const description unlimited_restitution = {"restitution", "--restitution",        0,
                                                  DBL_MAX,       "0 or more and finite", NULL};

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

void coefficient_print_list(void) {
    for (size_t i = 0; i < COEFFICIENTS; i++)
        printf("  %-23s %s X, %s\n", descriptions[i].name, descriptions[i].option,
               descriptions[i].help);
}
