/* The results of contacts that are summed up over several collisions. */
#ifndef IMPINGE_SOLVE_RESULTS_H
#define IMPINGE_SOLVE_RESULTS_H

#include <impinge/bodies.h>

#include "../kernels/merged.h"
#include "../kernels/real.h"
#include "bodies.h"
#include "fields.h"
#include "vector.h"

enum { RESULTS = FIELDS(FIELDS_RESULTS) };

/* The columns of the impulse and the works, in the order of the list. */
static inline void result_columns(const NAME(impinge_indexed_results) * results,
                                  real_t *columns[RESULTS]) {
#define SOURCE(name) *columns++ = results->name;
    FIELDS_RESULTS(SOURCE)
#undef SOURCE
}

/* Results that are written to such contiguous columns of the library's own. */
static inline NAME(impinge_indexed_results)
    results_in(real_t *const columns[RESULTS], uint32_t *outcome) {
    NAME(impinge_indexed_results) results = {.outcome = outcome};
#define TARGET(name) results.name = *columns++;
    FIELDS_RESULTS(TARGET)
#undef TARGET
    return results;
}

/* The position of contact `number` in a column of results, numbered as in the list. */
static inline size_t result_element(const NAME(impinge_indexed_results) * results, size_t column,
                                    size_t number) {
    const bool is_impulse = column < 3;
    return element(number, is_impulse ? results->impulse_stride : results->work_stride);
}

static inline uint32_t *result_outcome(const NAME(impinge_indexed_results) * results,
                                       size_t number) {
    return &results->outcome[element(number, results->outcome_stride)];
}

/*
 * The approach that rounding alone can leave to a contact after the impulses that the results have.
 * Where impulses are not wanted, they are not known: then that of the velocities.
 */
static inline double rounding_of(const NAME(impinge_bodies) * bodies,
                                 const NAME(impinge_indexed_contacts) * contacts,
                                 const NAME(impinge_indexed_results) * results, size_t number) {
    const size_t i = element(number, results->impulse_stride);
    const real_t p[3] = {results->impulse_x ? results->impulse_x[i] : 0,
                         results->impulse_y ? results->impulse_y[i] : 0,
                         results->impulse_z ? results->impulse_z[i] : 0};
    return NAME(impinge_approach_by_rounding)(bodies, contacts, number, p);
}

/* No impulses yet: `count` contacts that have not collided. */
static inline void clear_results(const NAME(impinge_indexed_results) * results,
                                 const uint32_t *numbers, size_t count, size_t contacts) {
    real_t *columns[RESULTS];
    result_columns(results, columns);
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] >= contacts) continue;
        for (size_t c = 0; c < RESULTS; c++)
            if (columns[c]) columns[c][result_element(results, c, numbers[i])] = 0;
        if (results->outcome) *result_outcome(results, numbers[i]) = IMPINGE_OUTCOME_SEPARATING;
    }
}

#endif
