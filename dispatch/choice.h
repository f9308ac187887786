/*
 * The target of a call on contacts, by its law and its count: a wide target takes as long for one
 * contact as for a vector of them, so a narrower one is faster for a few. All give the same bits. A
 * forced target (IMPINGE_TARGET, impinge_target_select) is used for every call.
 */
#ifndef IMPINGE_DISPATCH_CHOICE_H
#define IMPINGE_DISPATCH_CHOICE_H

#include <stddef.h>

#include <impinge/status.h>

#include "cpu.h"
#include "registry.h"

/* Kinds of calls that differ in their fastest target. */
typedef enum impinge_call_kind {
    IMPINGE_CALL_CLOSED,
    IMPINGE_CALL_EQUATION, /* a scalar equation is solved */
    IMPINGE_CALL_INTEGRAL, /* the impulse is followed as it grows */
    IMPINGE_CALL_GATHER,   /* numbers of two particles are gathered, more than computed with */
    IMPINGE_CALL_KINDS
} impinge_call_kind;

/* The fewest contacts for which a target is taken; 0: any number. */
typedef struct impinge_choice {
    size_t fewest;
    const impinge_target_entry *target;
} impinge_choice;

/*
 * The targets among which calls choose, best first: a call uses the first one whose count is
 * reached. The last of them is for any count. An error if IMPINGE_TARGET names none that runs.
 */
impinge_status impinge_choices(impinge_call_kind kind, unsigned bits,
                               impinge_choice choices[IMPINGE_TARGET_COUNT]);

/*
 * The same among the targets that run, by their bits, on a CPU of this maker, even if a target is
 * forced; scalar always runs.
 */
void impinge_choices_among(unsigned runs, impinge_cpu_maker maker, impinge_call_kind kind,
                           unsigned bits, impinge_choice choices[IMPINGE_TARGET_COUNT]);

#endif
