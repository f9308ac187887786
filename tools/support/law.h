/** The laws of the library and the planar one, by name, and which coefficients they have. */
#ifndef TOOLS_LAW_H
#define TOOLS_LAW_H

#include <stddef.h>

#include <impinge/impinge.h>

#include "coefficient.h"

/** Laws are indices: those of enum impinge_law, then the planar one, which has calls of its own. */
enum { LAW_PLANAR = IMPINGE_LAW_COUNT, LAWS };

/** All laws, one after the other, on one batch: has the coefficients of all. */
enum { LAW_EVERY = LAWS };

/** "routh", ..., "planar"; the law of that name, failing if there is none; all of them, as help. */
const char *law_name(size_t law);
size_t law_required(const char *name);
void law_print_list(void);

/** The law for the library's options; the planar calls are those of Routh's. */
impinge_law law_option(size_t law);

/** The number of restitution rules, and the same for them. */
enum { RULES = 3 };
const char *rule_name(impinge_restitution_rule rule);
impinge_restitution_rule rule_required(const char *name);

/** How a law uses a coefficient. */
typedef enum coefficient_need {
    COEFFICIENT_IGNORED,
    COEFFICIENT_OPTIONAL,
    COEFFICIENT_REQUIRED
} coefficient_need;

/**
 * @param law one of LAWS, or LAW_EVERY
 * @param damped whether a damping fraction is given, which the frictionless law has instead of
 * restitution
 */
coefficient_need law_need(size_t law, enum coefficient which, bool damped);

#endif
