/**
 * A batch for the library, in either precision: one array per quantity, found by an index instead
 * of by a name, so that columns of a file can be tied to quantities in tables.
 */
#ifndef TOOLS_BATCH_H
#define TOOLS_BATCH_H

#include <impinge/impinge.h>

#include "support/coefficient.h"
#include "support/number.h"

#include "fields.h"

/** The inputs of a batch's contacts, which decide its outputs. */
typedef enum batch_kind {
    BATCH_CONTACTS, /**< K and u0 */
    BATCH_PAIRS,    /**< two bodies */
    BATCH_PLANAR_CONTACTS,
    BATCH_PLANAR_PAIRS
} batch_kind;

/** The inputs of a contact given by K and u0. */
enum contact_input { CONTACT_INPUT_FIELDS(FIELD_INDEX, ) CONTACT_INPUTS };

/** The inputs of one body of a pair; three in a row are x, y, z. */
enum body_input {
    BODY_SHAPE_FIELDS(FIELD_INDEX, "", ) BODY_MOTION_FIELDS(FIELD_INDEX, "", ) BODY_INPUTS
};

/** A unit quaternion. */
enum { QUATERNION_FIELDS(FIELD_INDEX, "", ) QUATERNION_INPUTS };

/** The inputs of a body pair: those of A, those of B, the normal, and two that may be missing. */
enum pair_input {
    PAIR_A = 0,
    PAIR_B = BODY_INPUTS,
    PAIR_BODIES_END = 2 * BODY_INPUTS - 1,
    NORMAL_FIELDS(FIELD_INDEX, ) PAIR_REQUIRED_INPUTS,
    PAIR_ORIENTATION_A = PAIR_REQUIRED_INPUTS,
    PAIR_ORIENTATION_B = PAIR_ORIENTATION_A + QUATERNION_INPUTS,
    PAIR_INPUTS = PAIR_ORIENTATION_B + QUATERNION_INPUTS
};

/** The inputs of a planar contact given by K and u0. */
enum planar_contact_input { PLANAR_CONTACT_INPUT_FIELDS(FIELD_INDEX, ) PLANAR_CONTACT_INPUTS };

/** The inputs of one body of a planar pair; two in a row are x, y. */
enum planar_body_input { PLANAR_BODY_FIELDS(FIELD_INDEX, "", ) PLANAR_BODY_INPUTS };

enum planar_pair_input {
    PLANAR_PAIR_A = 0,
    PLANAR_PAIR_B = PLANAR_BODY_INPUTS,
    PLANAR_PAIR_BODIES_END = 2 * PLANAR_BODY_INPUTS - 1,
    PLANAR_NORMAL_FIELDS(FIELD_INDEX, ) PLANAR_PAIR_INPUTS
};

/** The outputs of a contact given by K and u0, before the outcome. */
enum contact_output { CONTACT_OUTPUT_FIELDS(FIELD_INDEX, ) CONTACT_OUTPUTS };

/** The outputs of a body, and those of a body pair, before the outcome. */
enum body_output { BODY_OUTPUT_FIELDS(FIELD_INDEX, "", ) BODY_OUTPUTS };

enum pair_output {
    PAIR_IMPULSE_FIELDS(FIELD_INDEX, ) PAIR_A_AFTER,
    PAIR_B_AFTER = PAIR_A_AFTER + BODY_OUTPUTS,
    PAIR_AFTER_END = PAIR_B_AFTER + BODY_OUTPUTS - 1,
    PAIR_WORK_FIELDS(FIELD_INDEX, ) PAIR_OUTPUTS
};

enum planar_contact_output { PLANAR_CONTACT_OUTPUT_FIELDS(FIELD_INDEX, ) PLANAR_CONTACT_OUTPUTS };

enum planar_body_output { PLANAR_BODY_OUTPUT_FIELDS(FIELD_INDEX, "", ) PLANAR_BODY_OUTPUTS };

enum planar_pair_output {
    PLANAR_PAIR_IMPULSE_FIELDS(FIELD_INDEX, ) PLANAR_PAIR_A_AFTER,
    PLANAR_PAIR_B_AFTER = PLANAR_PAIR_A_AFTER + PLANAR_BODY_OUTPUTS,
    PLANAR_PAIR_AFTER_END = PLANAR_PAIR_B_AFTER + PLANAR_BODY_OUTPUTS - 1,
    PLANAR_PAIR_WORK_FIELDS(FIELD_INDEX, ) PLANAR_PAIR_OUTPUTS
};

/** No other kind has as many as body pairs. */
enum { BATCH_INPUTS_MAX = PAIR_INPUTS, BATCH_OUTPUTS_MAX = PAIR_OUTPUTS };

/** The impulse comes first among the outputs of all kinds. */
enum { BATCH_IMPULSE = 0 };

typedef struct batch {
    precision precision;
    batch_kind kind;
    size_t count;
    numbers inputs[BATCH_INPUTS_MAX];   /**< no elements: an input that may be missing, and is */
    numbers coefficients[COEFFICIENTS]; /**< no elements: the value below for all contacts */
    double coefficient_values[COEFFICIENTS];
    numbers outputs[BATCH_OUTPUTS_MAX];
    uint32_t *outcomes;
} batch;

bool batch_is_planar(batch_kind kind);

/** The number of outputs of a kind, and the first of its three works. */
size_t batch_output_count(batch_kind kind);
size_t batch_works(batch_kind kind);

/** The number of components of an impulse: 3, or 2 in the plane. */
size_t batch_axes(batch_kind kind);

/** A batch with room for every output of its kind and every input that may not be missing. */
batch batch_allocate(precision of, batch_kind kind, size_t count);
void batch_free(batch *of);

/** Makes room for the outputs of more contacts. */
void batch_grow_outputs(batch *of, size_t capacity);

/** The coefficient of contact i, from its array or the value for all. */
double batch_coefficient(const batch *of, enum coefficient which, size_t i);

/** True if a coefficient is given, as an array or as a value that is not 0. */
bool batch_has_coefficient(const batch *of, enum coefficient which);

/** Resolves contacts `first` to `first + count - 1`; what impinge_resolve_... returns. */
impinge_status batch_resolve(const batch *of, const impinge_options *options, size_t first,
                             size_t count);

/** Resolves them all, shared out among threads; fails if the library returns an error. */
void batch_resolve_all(const batch *of, const impinge_options *options, size_t threads);

#endif
