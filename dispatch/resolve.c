/* The entry points of resolving: checks, the choice of target, the report. */
#include "check.h"
#include "select.h"

static bool any_null(const void *const *pointers, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!pointers[i]) return true;
    return false;
}

#define ANY_NULL(...)                                                                              \
    any_null((const void *const[]){__VA_ARGS__},                                                   \
             sizeof((const void *const[]){__VA_ARGS__}) / sizeof(void *))

/* One call, between its checks and its report. */
typedef struct call {
    const impinge_target_entry *target;
    impinge_options options;
    impinge_report report;
} call_t;

static impinge_status call_begin(call_t *call, size_t first, size_t count, size_t element,
                                 const impinge_options *options, double default_tolerance) {
    call->report = (impinge_report){.contacts = count, .first_invalid = SIZE_MAX};
    impinge_status status = impinge_check_count(first, count, element);
    if (status != IMPINGE_OK) return status;
    status = impinge_check_options(options, default_tolerance, &call->options);
    if (status != IMPINGE_OK) return status;
    return impinge_current_target(&call->target);
}

static impinge_status call_end(const call_t *call, impinge_report *report) {
    if (report) *report = call->report;
    return call->report.invalid > 0 ? IMPINGE_SOME_INVALID : IMPINGE_OK;
}

#define IMPINGE_REAL       float
#define IMPINGE_NAME(name) name##_f32
#define IMPINGE_TABLE      f32
#define DEFAULT_TOLERANCE  1e-6
#include "resolve_real.inc"
#undef DEFAULT_TOLERANCE
#undef IMPINGE_TABLE
#undef IMPINGE_NAME
#undef IMPINGE_REAL

#define IMPINGE_REAL       double
#define IMPINGE_NAME(name) name##_f64
#define IMPINGE_TABLE      f64
#define DEFAULT_TOLERANCE  1e-12
#include "resolve_real.inc"
