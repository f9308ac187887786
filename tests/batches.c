#include "batches.h"

#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const batch_level_names[LEVEL_COUNT] = {"contacts", "body_pairs"};

size_t batch_inputs(batch_level level) {
    return level == LEVEL_CONTACTS ? (size_t)CONTACT_INPUTS : (size_t)PAIR_INPUTS;
}

size_t batch_outputs(batch_level level) {
    return level == LEVEL_CONTACTS ? (size_t)CONTACT_OUTPUTS : (size_t)PAIR_OUTPUTS;
}

/* An array that a test cannot do without. */
static void *allocated(size_t count, size_t size) {
    void *memory = calloc(count, size);
    cr_assert_not_null(memory);
    return memory;
}

#define REAL       float
#define NAME(name) name##_f32
#include "batches_body.inc"
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#include "batches_body.inc"
