/* Contacts of mechanisms. */
#include <impinge/mechanisms.h>

#include "call.h"
#include "check_model.h"

enum { SPACE_ROWS = 3, PLANAR_ROWS = 2 };

/*
 * Checks the call's numbers before any array is read: arrays of `rows` rows of J and of all of M
 * must fit the address space.
 */
static impinge_status check_shape(size_t count, size_t coordinates, size_t stride, size_t rows) {
    if (coordinates < 1 || coordinates > IMPINGE_COORDINATES_MAX) return IMPINGE_ERROR_ARGUMENT;
    const impinge_status status = impinge_check_count(count, sizeof(real_t));
    if (status != IMPINGE_OK) return status;
    const size_t triangle = coordinates * (coordinates + 1) / 2;
    const size_t jacobian = coordinates * rows;
    const size_t most =
        (size_t)PTRDIFF_MAX / sizeof(real_t) / (triangle > jacobian ? triangle : jacobian);
    return count <= stride && stride <= most ? IMPINGE_OK : IMPINGE_ERROR_COUNT;
}

static impinge_status check(const NAME(impinge_mechanisms) * m, size_t rows) {
    if (m->count > 0 && ANY_NULL(m->mass, m->jacobian, m->speeds))
        return IMPINGE_ERROR_NULL_POINTER;
    return check_shape(m->count, m->coordinates, m->stride, rows);
}

static impinge_status begin(call_t *call, const NAME(impinge_mechanisms) * m,
                            const impinge_selection *selection, size_t rows,
                            const impinge_options *options) {
    impinge_status status = check(m, rows);
    if (status == IMPINGE_OK && !coefficients_fit(&m->coefficients, m->count))
        return IMPINGE_ERROR_COUNT;
    if (status == IMPINGE_OK) status = NAME(impinge_check_model)(&m->coefficients);
    if (status != IMPINGE_OK) return status;
    return call_begin(call, selection, m->count, options);
}

impinge_status NAME(impinge_resolve_mechanisms)(const NAME(impinge_mechanisms) * mechanisms,
                                                const impinge_selection *selection,
                                                const impinge_options *options,
                                                const NAME(impinge_mechanism_results) * results,
                                                impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!mechanisms || !results) return IMPINGE_ERROR_NULL_POINTER;
    call_t call;
    const impinge_status status = begin(&call, mechanisms, selection, SPACE_ROWS, options);
    if (status != IMPINGE_OK) return status;
    if (!mechanism_results_fit(results, mechanisms->count)) return IMPINGE_ERROR_COUNT;
    call.kernels->mechanisms->resolve(mechanisms, call.selected, &call.options, results,
                                      &call.report);
    return call_end(&call, report);
}

impinge_status NAME(impinge_resolve_planar_mechanisms)(
    const NAME(impinge_mechanisms) * mechanisms, const impinge_selection *selection,
    const impinge_options *options, const NAME(impinge_planar_mechanism_results) * results,
    impinge_report *report) {
    FLOAT_ENVIRONMENT_OF_CALL;
    if (!mechanisms || !results) return IMPINGE_ERROR_NULL_POINTER;
    if (options && !law_has(options->law, IMPINGE_LAW_RESOLVES_PLANAR)) return IMPINGE_ERROR_OPTION;
    call_t call;
    const impinge_status status = begin(&call, mechanisms, selection, PLANAR_ROWS, options);
    if (status != IMPINGE_OK) return status;
    if (!planar_mechanism_results_fit(results, mechanisms->count)) return IMPINGE_ERROR_COUNT;
    call.kernels->mechanisms->resolve_planar(mechanisms, call.selected, &call.options, results,
                                             &call.report);
    return call_end(&call, report);
}
