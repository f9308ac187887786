/** Resolving a set on a target: what the benchmark does in its innermost loop. */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include <stdbool.h>
#include <stddef.h>

#include <impinge/batch.h>

#include "errors.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum run_precision { RUN_F32, RUN_F64, RUN_PRECISIONS } run_precision;

/** "f32" and "f64". */
extern const char *const run_precision_names[RUN_PRECISIONS];

/** The targets that this CPU has, best first, and `scalar-fma`. */
size_t run_target_count(void);
const char *run_target_name(size_t i);

/** What is run. Sets are those of sets.h. */
typedef struct run {
    size_t target, set;
    run_precision precision;
    impinge_restitution_rule rule;
} run;

/**
 * Makes the set if that has not been done yet, and selects the target, so that neither is timed.
 * Returns false, with a message, if the set cannot be made.
 */
bool run_begin(const run *r);

/** Goes back to the best target. Also to be called once before anything else. */
void run_end(void);

/** Resolves the whole set with the default tolerance, all outputs written. */
impinge_status run_resolve(const run *r, impinge_report *report);

/** How many contacts the set has, and how many bytes of inputs and outputs. Not before run_begin.
 */
size_t run_contacts(const run *r);
size_t run_bytes(const run *r);

/**
 * The errors of what run_resolve has written, by Stronge's rule, on a sample of the set "boxes".
 * Not before run_resolve, and only for that set and that rule.
 */
run_errors run_errors_of(const run *r);

/** The names of the sets. */
size_t run_set_count(void);
const char *run_set_name(size_t i);
size_t run_set_boxes(void);

#ifdef __cplusplus
}
#endif
#endif
