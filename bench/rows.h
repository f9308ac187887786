/**
 * Contacts in double precision, one after the other: the form of a set before it is converted to a
 * precision.
 */
#ifndef BENCH_ROWS_H
#define BENCH_ROWS_H

#include "../tests/batches.h"

/** `count` rows of batch_inputs(level) numbers each, in the order of the columns in batches.h. */
typedef struct contact_rows {
    batch_level level;
    size_t count;
    double *values;
} contact_rows;

/** All zero. */
contact_rows rows_new(batch_level level, size_t count);

double *rows_at(const contact_rows *rows, size_t i);

#endif
