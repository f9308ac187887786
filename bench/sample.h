/** Some contacts of the set "boxes" with their accurate velocities after, by Stronge's rule. */
#ifndef BENCH_SAMPLE_H
#define BENCH_SAMPLE_H

#include <reference.h>

#include "errors.h"

typedef struct contact_sample {
    size_t count;
    reference_contact_double *contacts;
    double (*accurate)[3];
} contact_sample;

/**
 * The first `count` contacts of the set; the reference in long double gives the accurate answers.
 */
contact_sample sample_new(size_t count);

/** Errors of velocities that another solver found for all of them. */
run_errors sample_errors(const contact_sample *sample, double (*velocities)[3]);

#endif
