/**
 * A batch for the library, in either precision: one array per quantity, found by an index instead
 * of by a name, so that columns of a file can be tied to quantities in tables.
 */
#ifndef TOOLS_BATCH_H
#define TOOLS_BATCH_H

#include <impinge/impinge.h>

#include "support/coefficient.h"
#include "support/number.h"

/** What the contacts of a batch are given by, and so what comes out. */
typedef enum batch_kind {
    BATCH_CONTACTS, /**< K and u0 */
    BATCH_PAIRS,    /**< two bodies */
    BATCH_PLANAR_CONTACTS,
    BATCH_PLANAR_PAIRS
} batch_kind;

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

/** A unit quaternion is w, x, y, z. */
enum { QUATERNION_INPUTS = 4 };

/** The inputs of a body pair: those of A, those of B, the normal, and two that may be missing. */
enum pair_input {
    PAIR_A = 0,
    PAIR_B = BODY_INPUTS,
    PAIR_NORMAL = 2 * BODY_INPUTS,
    PAIR_REQUIRED_INPUTS = PAIR_NORMAL + 3,
    PAIR_ORIENTATION_A = PAIR_REQUIRED_INPUTS,
    PAIR_ORIENTATION_B = PAIR_ORIENTATION_A + QUATERNION_INPUTS,
    PAIR_INPUTS = PAIR_ORIENTATION_B + QUATERNION_INPUTS
};

/** The inputs of a planar contact given by K and u0. */
enum planar_contact_input {
    PLANAR_KTT,
    PLANAR_KTN,
    PLANAR_KNN,
    PLANAR_UT,
    PLANAR_UN,
    PLANAR_CONTACT_INPUTS
};

/** What one body of a planar pair is given by; two in a row are x, y. */
enum planar_body_input {
    PLANAR_BODY_INVERSE_MASS,
    PLANAR_BODY_INVERSE_INERTIA,
    PLANAR_BODY_ARM,
    PLANAR_BODY_VELOCITY = PLANAR_BODY_ARM + 2,
    PLANAR_BODY_ANGULAR_VELOCITY = PLANAR_BODY_VELOCITY + 2,
    PLANAR_BODY_INPUTS
};

enum planar_pair_input {
    PLANAR_PAIR_A = 0,
    PLANAR_PAIR_B = PLANAR_BODY_INPUTS,
    PLANAR_PAIR_NORMAL = 2 * PLANAR_BODY_INPUTS,
    PLANAR_PAIR_INPUTS = PLANAR_PAIR_NORMAL + 2
};

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

enum planar_contact_output {
    PLANAR_CONTACT_P = 0,
    PLANAR_CONTACT_U_AFTER = 2,
    PLANAR_CONTACT_WORKS = 4,
    PLANAR_CONTACT_OUTPUTS = PLANAR_CONTACT_WORKS + 3
};

enum planar_pair_output {
    PLANAR_PAIR_IMPULSE = 0,
    PLANAR_PAIR_VELOCITY_A_AFTER = 2,
    PLANAR_PAIR_ANGULAR_VELOCITY_A_AFTER = 4,
    PLANAR_PAIR_VELOCITY_B_AFTER = 5,
    PLANAR_PAIR_ANGULAR_VELOCITY_B_AFTER = 7,
    PLANAR_PAIR_WORKS = 8,
    PLANAR_PAIR_OUTPUTS = PLANAR_PAIR_WORKS + 3
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

/** How many outputs a kind has; which of them is the first of the three works. */
size_t batch_outputs(batch_kind kind);
size_t batch_works(batch_kind kind);

/** How many components an impulse has: 3, or 2 in the plane. */
size_t batch_axes(batch_kind kind);

/** A batch with room for every output of its kind and every input that may not be missing. */
batch batch_allocate(precision of, batch_kind kind, size_t count);
void batch_free(batch *of);

/** The coefficient of contact i, from its array or the value for all. */
double batch_coefficient(const batch *of, enum coefficient which, size_t i);

/** Whether a coefficient is given at all, as an array or as a value that is not 0. */
bool batch_has_coefficient(const batch *of, enum coefficient which);

/** Resolves contacts `first` to `first + count - 1`; what impinge_resolve_... returns. */
impinge_status batch_resolve(const batch *of, const impinge_options *options, size_t first,
                             size_t count);

/** Resolves them all, shared out among threads; fails if the library returns an error. */
void batch_resolve_all(const batch *of, const impinge_options *options, size_t threads);

#endif
