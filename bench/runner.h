/** Resolves a set on a target: the innermost loop of the benchmark. */
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include <stdbool.h>
#include <stddef.h>

#include <impinge/batch.h>

#include "errors.h"
#include "set_id.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum run_precision { RUN_F32, RUN_F64, RUN_PRECISIONS } run_precision;

/** "f32" and "f64". */
extern const char *const run_precision_names[RUN_PRECISIONS];

/** The targets that this CPU has, best first, and `scalar-fma`. */
size_t run_target_count(void);
const char *run_target_name(size_t i);

/** The law, target and set of a run. */
typedef struct run {
    size_t target;
    run_precision precision;
    set_id set;
    impinge_law law;
    impinge_restitution_rule rule;
    bool impulse_only; /**< in contact space: only p and the outcome are written, else everything */
} run;

/**
 * Makes the set if that has not been done yet, selects the target and prepares the call, so that
 * none of it is timed. Returns false, with a message, if the set cannot be made.
 */
bool run_begin(const run *r);

/** Goes back to the best target. Also to be called once before anything else. */
void run_end(void);

/**
 * Resolves the whole set with the default tolerance, every coefficient from an array; `r` is that
 * of the last run_begin.
 */
impinge_status run_resolve(const run *r, impinge_report *report);

/** The number of contacts in the set, in that precision. Call run_begin first. */
size_t run_contacts(const run *r);

/**
 * The number of bytes that the call reads and writes: the arrays that the law reads, and the
 * outputs.
 */
size_t run_bytes(const run *r);

/**
 * The errors of what run_resolve has written, by Routh's law and Stronge's rule, on a sample of the
 * set "boxes". Not before run_resolve, and only for that set, law and rule.
 */
run_errors run_errors_of(const run *r);

#ifdef __cplusplus
}
#endif
#endif
