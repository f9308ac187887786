#include "batch.h"

#include <stdlib.h>

#include "fail.h"

#define REAL       float
#define NAME(name) name##_f32
#include "batch_real.inc"
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#include "batch_real.inc"
#undef NAME
#undef REAL

size_t batch_inputs(const batch *of) { return of->pairs ? PAIR_INPUTS : CONTACT_INPUTS; }

size_t batch_outputs(const batch *of) { return of->pairs ? PAIR_OUTPUTS : CONTACT_OUTPUTS; }

batch batch_allocate(precision of, bool pairs, size_t count) {
    batch made = {.precision = of, .pairs = pairs, .count = count};
    for (size_t i = 0; i < batch_inputs(&made); i++)
        made.inputs[i] = numbers_allocate(of, count);
    for (size_t i = 0; i < batch_outputs(&made); i++)
        made.outputs[i] = numbers_allocate(of, count);
    made.outcomes = allocate(count, sizeof *made.outcomes);
    return made;
}

void batch_free(batch *of) {
    for (size_t i = 0; i < BATCH_INPUTS_MAX; i++)
        numbers_free(&of->inputs[i]);
    for (size_t i = 0; i < BATCH_OUTPUTS_MAX; i++)
        numbers_free(&of->outputs[i]);
    for (size_t i = 0; i < COEFFICIENTS; i++)
        numbers_free(&of->coefficients[i]);
    free(of->outcomes);
}

double batch_coefficient(const batch *of, enum coefficient which, size_t i) {
    const numbers *values = &of->coefficients[which];
    return values->elements ? numbers_get(values, i) : of->coefficient_values[which];
}

impinge_status batch_resolve(const batch *of, const impinge_options *options, size_t first,
                             size_t count) {
    bool single = of->precision == PRECISION_F32;
    if (of->pairs)
        return (single ? resolve_pairs_f32 : resolve_pairs_f64)(of, options, first, count);
    return (single ? resolve_contacts_f32 : resolve_contacts_f64)(of, options, first, count);
}
