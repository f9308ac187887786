/*
 * The batches of the tests in a program without Criterion: the same code, which handles a lack of
 * memory and logs in its own way.
 */
#include "../tests/batches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

#define cr_log_error(...) fprintf(stderr, __VA_ARGS__)

const char *const batch_level_names[LEVEL_COUNT] = {"contacts", "body_pairs"};

size_t batch_inputs(batch_level level) {
    return level == LEVEL_CONTACTS ? (size_t)CONTACT_INPUTS : (size_t)PAIR_INPUTS;
}

size_t batch_outputs(batch_level level) {
    return level == LEVEL_CONTACTS ? (size_t)CONTACT_OUTPUTS : (size_t)PAIR_OUTPUTS;
}

#define REAL       float
#define NAME(name) name##_f32
#include "../tests/batches_body.inc"
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#include "../tests/batches_body.inc"
