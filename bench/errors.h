/** Errors against the accurate solution. */
#ifndef BENCH_ERRORS_H
#define BENCH_ERRORS_H

/**
 * Errors of the velocities after, relative to |u0|.
 */
typedef struct run_errors {
    double mean, largest;
} run_errors;

#endif
