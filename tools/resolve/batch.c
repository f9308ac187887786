#include "batch.h"

#include <pthread.h>
#include <stdlib.h>

#include "support/fail.h"
#include "support/parallel.h"

/* The lists have every member of the library's structs: fields.h misses none that is added. */
#define FIELD_ONE(...) +1
#define POINTERS(list) ((size_t)(0 list) * sizeof(void *))
_Static_assert(sizeof(impinge_contacts_f64) == POINTERS(CONTACT_INPUT_FIELDS(FIELD_ONE, )) +
                                                   sizeof(impinge_coefficients_f64) +
                                                   3 * sizeof(size_t),
               "beside them `count` and two strides");
_Static_assert(sizeof(impinge_pair_side_f64) == POINTERS(BODY_SHAPE_FIELDS(FIELD_ONE, "", )
                                                             BODY_MOTION_FIELDS(FIELD_ONE, "", )) +
                                                    sizeof(impinge_orientation_f64) +
                                                    5 * sizeof(size_t),
               "beside them the orientation and five strides");
_Static_assert(sizeof(impinge_body_results_f64) ==
                   POINTERS(BODY_OUTPUT_FIELDS(FIELD_ONE, "", )) + 2 * sizeof(size_t),
               "beside them two strides");

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

typedef struct shape {
    size_t inputs; /* that may not be missing */
    size_t outputs, works, axes;
} shape;

static const shape shapes[] = {
    [BATCH_CONTACTS] = {CONTACT_INPUTS, CONTACT_OUTPUTS, CONTACT_WORKS, 3},
    [BATCH_PAIRS] = {PAIR_REQUIRED_INPUTS, PAIR_OUTPUTS, PAIR_WORKS, 3},
    [BATCH_PLANAR_CONTACTS] = {PLANAR_CONTACT_INPUTS, PLANAR_CONTACT_OUTPUTS, PLANAR_CONTACT_WORKS,
                               2},
    [BATCH_PLANAR_PAIRS] = {PLANAR_PAIR_INPUTS, PLANAR_PAIR_OUTPUTS, PLANAR_PAIR_WORKS, 2}};

size_t batch_output_count(batch_kind kind) { return shapes[kind].outputs; }

size_t batch_works(batch_kind kind) { return shapes[kind].works; }

size_t batch_axes(batch_kind kind) { return shapes[kind].axes; }

bool batch_is_planar(batch_kind kind) { return batch_axes(kind) == 2; }

batch batch_allocate(precision of, batch_kind kind, size_t count) {
    batch made = {.precision = of, .kind = kind, .count = count};
    for (size_t i = 0; i < shapes[kind].inputs; i++)
        made.inputs[i] = numbers_allocate(of, count);
    for (size_t i = 0; i < shapes[kind].outputs; i++)
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

void batch_grow_outputs(batch *of, size_t capacity) {
    for (size_t i = 0; i < shapes[of->kind].outputs; i++)
        numbers_grow(&of->outputs[i], capacity);
    of->outcomes = reallocate(of->outcomes, capacity, sizeof *of->outcomes);
}

double batch_coefficient(const batch *of, enum coefficient which, size_t i) {
    const numbers *values = &of->coefficients[which];
    return values->elements ? numbers_get(values, i) : of->coefficient_values[which];
}

bool batch_has_coefficient(const batch *of, enum coefficient which) {
    return of->coefficients[which].elements || of->coefficient_values[which] != 0;
}

typedef impinge_status resolve_function(const batch *of, const impinge_options *options,
                                        size_t first, size_t count);

impinge_status batch_resolve(const batch *of, const impinge_options *options, size_t first,
                             size_t count) {
    static resolve_function *const functions[][2] = {
        [BATCH_CONTACTS] = {resolve_contacts_f32, resolve_contacts_f64},
        [BATCH_PAIRS] = {resolve_pairs_f32, resolve_pairs_f64},
        [BATCH_PLANAR_CONTACTS] = {resolve_planar_contacts_f32, resolve_planar_contacts_f64},
        [BATCH_PLANAR_PAIRS] = {resolve_planar_pairs_f32, resolve_planar_pairs_f64}};
    return functions[of->kind][of->precision == PRECISION_F64](of, options, first, count);
}

typedef struct resolving {
    const batch *contacts;
    const impinge_options *options;
    pthread_mutex_t lock;
    impinge_status status; /* the first error; or IMPINGE_OK */
} resolving;

static void resolve_part(void *context, size_t part, size_t first, size_t count) {
    (void)part;
    resolving *work = context;
    impinge_status status = batch_resolve(work->contacts, work->options, first, count);
    if (status >= 0) return;
    pthread_mutex_lock(&work->lock);
    if (work->status >= 0) work->status = status;
    pthread_mutex_unlock(&work->lock);
}

void batch_resolve_all(const batch *of, const impinge_options *options, size_t threads) {
    resolving work = {.contacts = of, .options = options};
    pthread_mutex_init(&work.lock, NULL);
    parallel_work all = {.verb = "resolved", .grain = 8192, .part = resolve_part, .context = &work};
    parallel_run(&all, threads, of->count);
    pthread_mutex_destroy(&work.lock);
    if (work.status < 0) fail("%s", impinge_status_text(work.status));
}
