/**
 * Batches for tests: all inputs of a call in one array, column by column, all outputs in another,
 * so that what must not matter (alignment, position, order) can be varied for both levels at once.
 */
#ifndef BATCHES_H
#define BATCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <impinge/batch.h>
#include <impinge/planar.h>

/** The call that a batch is for. */
typedef enum batch_level { LEVEL_CONTACTS, LEVEL_BODY_PAIRS, LEVEL_COUNT } batch_level;

/** "contacts" and "body_pairs". */
extern const char *const batch_level_names[LEVEL_COUNT];

/** Columns of inputs: contact space. */
enum contact_input {
    IN_K11,
    IN_K12,
    IN_K13,
    IN_K22,
    IN_K23,
    IN_K33,
    IN_U1,
    IN_U2,
    IN_U3,
    IN_RESTITUTION,
    IN_FRICTION,
    IN_FRICTION_STATIC,
    IN_TANGENTIAL_RESTITUTION, /* zero in a row that ends before it, as every law allows */
    IN_MIX,
    IN_IMPULSE_RATIO_T1,
    IN_IMPULSE_RATIO_T2,
    CONTACT_INPUTS
};

/** The number of columns of coefficients, from restitution on. */
#define COEFFICIENT_INPUTS (CONTACT_INPUTS - IN_RESTITUTION)

/** And of outputs. */
enum contact_output {
    OUT_P1,
    OUT_P2,
    OUT_P3,
    OUT_U1,
    OUT_U2,
    OUT_U3,
    OUT_WORK_COMPRESSION,
    OUT_WORK_RESTITUTION,
    OUT_WORK_FRICTION,
    CONTACT_OUTPUTS
};

/** Columns of one body, by x, y, z or xx, xy, xz, yy, yz, zz. */
enum body_input {
    BODY_INVERSE_MASS,
    BODY_INVERSE_INERTIA,
    BODY_ARM = BODY_INVERSE_INERTIA + 6,
    BODY_VELOCITY = BODY_ARM + 3,
    BODY_ANGULAR_VELOCITY = BODY_VELOCITY + 3,
    BODY_INPUTS = BODY_ANGULAR_VELOCITY + 3
};

/** Columns of inputs: body pairs. */
enum pair_input {
    IN_BODY_A,
    IN_BODY_B = IN_BODY_A + BODY_INPUTS,
    IN_NORMAL = IN_BODY_B + BODY_INPUTS,
    IN_PAIR_RESTITUTION = IN_NORMAL + 3,
    IN_PAIR_FRICTION,
    IN_PAIR_FRICTION_STATIC,
    PAIR_INPUTS = IN_PAIR_RESTITUTION + COEFFICIENT_INPUTS
};

/** And of outputs; six velocities a body. */
enum pair_output {
    OUT_IMPULSE,
    OUT_BODY_A = OUT_IMPULSE + 3,
    OUT_BODY_B = OUT_BODY_A + 6,
    OUT_PAIR_WORK_COMPRESSION = OUT_BODY_B + 6,
    OUT_PAIR_WORK_RESTITUTION,
    OUT_PAIR_WORK_FRICTION,
    PAIR_OUTPUTS
};

/** The numbers of columns of a level. */
size_t batch_inputs(batch_level level);
size_t batch_outputs(batch_level level);

#define BATCH_REAL       float
#define BATCH_NAME(name) name##_f32
#include "batches_real.inc"
#undef BATCH_NAME
#undef BATCH_REAL

#define BATCH_REAL       double
#define BATCH_NAME(name) name##_f64
#include "batches_real.inc"
#undef BATCH_NAME
#undef BATCH_REAL

#endif
