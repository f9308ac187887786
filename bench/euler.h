/** The baselines of the kernels: the reference's Euler loop, and the reference itself. */
#ifndef BENCH_EULER_H
#define BENCH_EULER_H

#include <stdbool.h>
#include <stddef.h>

#include "errors.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The mean error that Euler's steps are chosen for: the default tolerance of f32. */
#define EULER_ACCURACY      1e-6
#define EULER_ACCURACY_NAME "1e-6"

/** The cost and errors of a pass over the sample. */
typedef struct euler_pass {
    double steps; /**< evaluations of the right-hand side, of all contacts */
    run_errors errors;
} euler_pass;

/**
 * Chooses a step for every contact of a small sample of the set "boxes": that with which
 * reference_euler_step meets the accuracy, and then all of them longer or shorter by one factor, so
 * that the mean error is the accuracy. This is Euler at his best: the algorithm of the paper has no
 * way of knowing any of these steps.
 *
 * Returns false if no contact has such a step.
 */
bool euler_begin(void);
size_t euler_contacts(void);
/** Resolves the sample. */
euler_pass euler_run(void);

/** The same for the reference in double precision, on a sample of its own. */
void reference_begin(void);
size_t reference_contacts(void);
euler_pass reference_run(void);

#ifdef __cplusplus
}
#endif
#endif
