/* The results of contacts that are summed up over several collisions. */
#ifndef IMPINGE_SOLVE_RESULTS_H
#define IMPINGE_SOLVE_RESULTS_H

#include <impinge/bodies.h>

#include "../kernels/real.h"

/* Of an outcome: there was an impulse. */
#define OUTCOME_COLLIDED                                                                           \
    ((uint32_t)IMPINGE_OUTCOME_SLID | IMPINGE_OUTCOME_STUCK | IMPINGE_OUTCOME_DIVERGED)

/* The outcome of a contact that is resolved again: all that happened, or else why nothing did. */
static inline uint32_t merged(uint32_t before, uint32_t now) {
    if (!(before & OUTCOME_COLLIDED)) return now;
    return now & OUTCOME_COLLIDED ? before | now : before;
}

enum { RESULTS = 6 };

static inline void result_columns(const NAME(impinge_indexed_results) * results,
                                  real_t *columns[RESULTS]) {
    columns[0] = results->impulse_x;
    columns[1] = results->impulse_y;
    columns[2] = results->impulse_z;
    columns[3] = results->work_compression;
    columns[4] = results->work_restitution;
    columns[5] = results->work_friction;
}

/* No impulses yet: `count` contacts that have not collided. */
static inline void clear_results(const NAME(impinge_indexed_results) * results,
                                 const uint32_t *numbers, size_t count, size_t contacts) {
    real_t *columns[RESULTS];
    result_columns(results, columns);
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] >= contacts) continue;
        for (size_t c = 0; c < RESULTS; c++)
            if (columns[c]) columns[c][numbers[i]] = 0;
        if (results->outcome) results->outcome[numbers[i]] = IMPINGE_OUTCOME_SEPARATING;
    }
}

#endif
