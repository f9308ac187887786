/* What the entry points of resolving share: checks, the choice of target, the report. */
#ifndef IMPINGE_DISPATCH_CALL_H
#define IMPINGE_DISPATCH_CALL_H

#include "check.h"
#include "float_environment.h"
#include "select.h"

/* How many of `count` pointers are null. */
static inline size_t count_null(const void *const *pointers, size_t count) {
    size_t nulls = 0;
    for (size_t i = 0; i < count; i++)
        nulls += !pointers[i];
    return nulls;
}

#define POINTERS(...)   ((const void *const[]){__VA_ARGS__})
#define COUNT_OF(...)   (sizeof POINTERS(__VA_ARGS__) / sizeof(void *))
#define COUNT_NULL(...) count_null(POINTERS(__VA_ARGS__), COUNT_OF(__VA_ARGS__))
#define ANY_NULL(...)   (COUNT_NULL(__VA_ARGS__) > 0)
#define ANY_GIVEN(...)  (COUNT_NULL(__VA_ARGS__) < COUNT_OF(__VA_ARGS__))

/* One call, between its checks and its report. */
typedef struct call {
    const impinge_target_entry *target;
    impinge_options options;
    impinge_report report;
} call_t;

static inline impinge_status call_begin(call_t *call, size_t first, size_t count, size_t element,
                                        const impinge_options *options, double default_tolerance) {
    call->report = (impinge_report){.contacts = count, .first_invalid = SIZE_MAX};
    impinge_status status = impinge_check_count(first, count, element);
    if (status != IMPINGE_OK) return status;
    status = impinge_check_options(options, default_tolerance, &call->options);
    if (status != IMPINGE_OK) return status;
    return impinge_current_target(&call->target);
}

static inline impinge_status call_end(const call_t *call, impinge_report *report) {
    if (report) *report = call->report;
    return call->report.invalid > 0 ? IMPINGE_SOME_INVALID : IMPINGE_OK;
}

#endif
