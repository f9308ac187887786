#include "check.h"

#include <stdint.h>

/* Above this the result is no approximation. */
static const double tolerance_max = 0.01;

impinge_status impinge_check_count(size_t first, size_t count, size_t element) {
    const size_t most = (size_t)PTRDIFF_MAX / element;
    return first <= most && count <= most - first ? IMPINGE_OK : IMPINGE_ERROR_COUNT;
}

impinge_status impinge_check_reserved(const uint64_t *reserved, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (reserved[i] != 0) return IMPINGE_ERROR_OPTION;
    return IMPINGE_OK;
}

impinge_status impinge_check_step_reserved(const impinge_step_options *options) {
    const uint64_t *const reserved[] = {options->reserved, options->impacts.reserved,
                                        options->rest.reserved, options->positions.reserved};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (impinge_check_reserved(reserved[i], RESERVED(*options)) != IMPINGE_OK)
            return IMPINGE_ERROR_OPTION;
    return IMPINGE_OK;
}

impinge_status impinge_check_options(const impinge_options *options, double default_tolerance,
                                     impinge_options *checked) {
    *checked = options ? *options : (impinge_options){0};
    if (!impinge_law_name(checked->law)) return IMPINGE_ERROR_OPTION;
    switch (checked->rule) {
    case IMPINGE_RULE_STRONGE:
    case IMPINGE_RULE_POISSON:
    case IMPINGE_RULE_NEWTON:
        break;
    default:
        return IMPINGE_ERROR_OPTION;
    }
    if (!(checked->tolerance >= 0 && checked->tolerance <= tolerance_max))
        return IMPINGE_ERROR_OPTION;
    if (checked->tolerance == 0) checked->tolerance = default_tolerance;
    return impinge_check_reserved(checked->reserved, RESERVED(*checked));
}
