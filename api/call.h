/*
 * A call that resolves contacts, between its checks and its report. Every entry point has the same
 * shape: check the arguments, call_begin (options, count, target), forward, call_end.
 */
#ifndef IMPINGE_API_CALL_H
#define IMPINGE_API_CALL_H

#include "../dispatch/choice.h"
#include "../dispatch/select.h"
#include "../kernels/laws/list.h"
#include "../kernels/real.h"
#include "../kernels/table.h"
#include "check.h"
#include "float_environment.h"
#include "pointers.h"
#include "strides.h"

typedef struct call {
    const impinge_target_entry *target;
    const NAME(impinge_kernels) * kernels; /* the target's */
    impinge_options options;               /* complete */
    selected_t selected;                   /* of the elements that there are */
    impinge_report report;
} call_t;

/*
 * Checks the options, the count and the selection of the elements that there are, and selects the
 * target.
 */
static inline impinge_status call_begin(call_t *call, const impinge_selection *selection,
                                        size_t count, const impinge_options *options) {
    impinge_status status = impinge_check_count(count, sizeof(real_t));
    if (status != IMPINGE_OK) return status;
    status = impinge_check_selection(selection, count, &call->selected);
    if (status != IMPINGE_OK) return status;
    call->report = (impinge_report){.contacts = call->selected.count, .first_invalid = SIZE_MAX};
    status = impinge_check_options(options, NAME(DEFAULT_TOLERANCE), &call->options);
    if (status != IMPINGE_OK) return status;
    status = impinge_current_target(&call->target);
    if (status == IMPINGE_OK) call->kernels = call->target->NAME(kernels);
    return status;
}

static inline impinge_call_kind call_kind_of(impinge_law law) {
    switch (law_kind_of(law)) {
    case LAW_KIND_CLOSED:
        return IMPINGE_CALL_CLOSED;
    case LAW_KIND_EQUATION:
        return IMPINGE_CALL_EQUATION;
    case LAW_KIND_INCREMENTAL:
    case LAW_KIND_MIXED:
        break;
    }
    return IMPINGE_CALL_INTEGRAL;
}

/* The targets that are quickest for some counts of contacts, after call_begin. */
static inline impinge_status call_choices(const call_t *call,
                                          impinge_choice choices[IMPINGE_TARGET_COUNT]) {
    return impinge_choices(call_kind_of(call->options.law), IMPINGE_REAL_BITS, choices);
}

/* The kernels for a kind of call and a number of contacts, after call_begin. */
static inline const NAME(impinge_kernels) *
    call_kernels_for(const call_t *call, impinge_call_kind kind, size_t count) {
    impinge_choice choices[IMPINGE_TARGET_COUNT];
    size_t i = 0;
    if (impinge_choices(kind, IMPINGE_REAL_BITS, choices) != IMPINGE_OK) return call->kernels;
    while (choices[i].fewest > count)
        i++;
    return choices[i].target->NAME(kernels);
}

static inline impinge_status call_end(const call_t *call, impinge_report *report) {
    if (report) *report = call->report;
    return call->report.invalid > 0 ? IMPINGE_SOME_INVALID : IMPINGE_OK;
}

#endif
