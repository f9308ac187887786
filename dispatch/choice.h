/*
 * The target of a call on contacts, by its law and by how many there are: a wide target takes as
 * long for one contact as for a vector of them, and a narrower one is done sooner where there are
 * few. All give the same bits. Where a target is asked for (IMPINGE_TARGET, impinge_target_select),
 * it is used for every call.
 */
#ifndef IMPINGE_DISPATCH_CHOICE_H
#define IMPINGE_DISPATCH_CHOICE_H

#include <stddef.h>

#include <impinge/status.h>

#include "registry.h"

/* What calls do, as far as the quickest target depends on it. */
typedef enum impinge_work {
    IMPINGE_WORK_CLOSED,
    IMPINGE_WORK_EQUATION, /* a scalar equation is solved */
    IMPINGE_WORK_INTEGRAL, /* the impulse is followed as it grows */
    IMPINGE_WORK_GATHER,   /* numbers of two particles are gathered, more than computed with */
    IMPINGE_WORKS
} impinge_work;

/* The fewest contacts for which a target is taken; 0: whatever is left. */
typedef struct impinge_choice {
    size_t fewest;
    const impinge_target_entry *target;
} impinge_choice;

/*
 * The targets among which calls choose, best first, and ending with one that is taken for any
 * count: the first of them whose count is reached. An error if IMPINGE_TARGET names none that runs.
 */
impinge_status impinge_choices(impinge_work work, unsigned bits,
                               impinge_choice choices[IMPINGE_TARGET_COUNT]);

/* The same of those that run, by their bits, whatever was asked for; scalar always does. */
void impinge_choices_among(unsigned runs, impinge_work work, unsigned bits,
                           impinge_choice choices[IMPINGE_TARGET_COUNT]);

#endif
