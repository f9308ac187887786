/** The cases with right answers of tests/cases/routh.csv: the incremental law in contact space. */
#ifndef ROUTH_CASES_H
#define ROUTH_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <impinge/batch.h>
#include <impinge/outcome.h>

/** One row. The inputs are exact in f32, so in double; the answer is right to 18 digits at least.
 */
typedef struct routh_case {
    int id;
    char source[32];   /**< boxes, spd, two_phase, at_rest_tangentially, static */
    char category[32]; /**< slid, stuck, stuck_at_once, diverged, two_compressions */
    impinge_restitution_rule rule;
    double k11, k12, k13, k22, k23, k33;
    double u[3];
    double restitution, friction, friction_static;
    long double p[3];       /**< the impulse */
    long double u_after[3]; /**< the velocity after */
    double condition;       /**< relative change of p per relative change of all inputs */
} routh_case;

/**
 * Reads all rows from the directory that the macro IMPINGE_TEST_CASES names.
 *
 * @param count how many there are
 * Returns them, to be freed by the caller; null if the file has a bad row. Ends the program if it
 * cannot be read.
 */
routh_case *routh_cases_load(size_t *count);

/** True if an outcome agrees with the case's category. */
bool routh_case_is(const routh_case *c, uint32_t outcome);

#endif
