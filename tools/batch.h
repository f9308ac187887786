/**
 * A batch for the library, in either precision: one array per quantity, found by an index instead
 * of by a name, so that columns of a file can be tied to quantities in tables.
 */
#ifndef TOOLS_BATCH_H
#define TOOLS_BATCH_H

#include <impinge/impinge.h>

#include "number.h"

/** The inputs of a contact given by K and u0. */
enum contact_input {
    CONTACT_K11,
    CONTACT_K12,
    CONTACT_K13,
    CONTACT_K22,
    CONTACT_K23,
    CONTACT_K33,
    CONTACT_U1,
    CONTACT_U2,
    CONTACT_U3,
    CONTACT_INPUTS
};

/** What one body of a pair is given by; three in a row are x, y, z. */
enum body_input {
    BODY_INVERSE_MASS,
    BODY_INVERSE_INERTIA_XX,
    BODY_INVERSE_INERTIA_XY,
    BODY_INVERSE_INERTIA_XZ,
    BODY_INVERSE_INERTIA_YY,
    BODY_INVERSE_INERTIA_YZ,
    BODY_INVERSE_INERTIA_ZZ,
    BODY_ARM,
    BODY_VELOCITY = BODY_ARM + 3,
    BODY_ANGULAR_VELOCITY = BODY_VELOCITY + 3,
    BODY_INPUTS = BODY_ANGULAR_VELOCITY + 3
};

/** The inputs of a body pair: those of A, those of B, the normal. */
enum pair_input {
    PAIR_A = 0,
    PAIR_B = BODY_INPUTS,
    PAIR_NORMAL = 2 * BODY_INPUTS,
    PAIR_INPUTS = PAIR_NORMAL + 3
};

enum coefficient { RESTITUTION, FRICTION, FRICTION_STATIC, COEFFICIENTS };

/** The outputs of a contact given by K and u0, before the outcome. */
enum contact_output {
    CONTACT_P = 0,
    CONTACT_U_AFTER = 3,
    CONTACT_WORKS = 6,
    CONTACT_OUTPUTS = CONTACT_WORKS + 3
};

/** The outputs of a body pair, before the outcome. */
enum pair_output {
    PAIR_IMPULSE = 0,
    PAIR_VELOCITY_A_AFTER = 3,
    PAIR_ANGULAR_VELOCITY_A_AFTER = 6,
    PAIR_VELOCITY_B_AFTER = 9,
    PAIR_ANGULAR_VELOCITY_B_AFTER = 12,
    PAIR_WORKS = 15,
    PAIR_OUTPUTS = PAIR_WORKS + 3
};

enum { BATCH_INPUTS_MAX = PAIR_INPUTS, BATCH_OUTPUTS_MAX = PAIR_OUTPUTS };

/** The impulse comes first among the outputs of both kinds. */
enum { BATCH_IMPULSE = 0 };

typedef struct batch {
    precision precision;
    bool pairs; /**< body pairs; else contacts given by K and u0 */
    size_t count;
    numbers inputs[BATCH_INPUTS_MAX];   /**< the first CONTACT_INPUTS or PAIR_INPUTS are used */
    numbers coefficients[COEFFICIENTS]; /**< no elements: the value below for all contacts */
    double coefficient_values[COEFFICIENTS];
    numbers outputs[BATCH_OUTPUTS_MAX]; /**< the first CONTACT_OUTPUTS or PAIR_OUTPUTS are used */
    uint32_t *outcomes;
} batch;

size_t batch_inputs(const batch *of);
size_t batch_outputs(const batch *of);

/** A batch with room for every input and output of its kind, but for no coefficients. */
batch batch_allocate(precision of, bool pairs, size_t count);
void batch_free(batch *of);

/** The coefficient of contact i, from its array or the value for all. */
double batch_coefficient(const batch *of, enum coefficient which, size_t i);

/** Resolves contacts `first` to `first + count - 1`; what impinge_resolve_... returns.
 */
impinge_status batch_resolve(const batch *of, const impinge_options *options, size_t first,
                             size_t count);

#endif
