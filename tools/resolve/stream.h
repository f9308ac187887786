/**
 * Resolves a table as it is read: blocks of rows are read, parsed, resolved and printed by threads
 * side by side, and written in their order. However long the table, the memory is some megabytes
 * for each thread, and output begins before the input ends.
 */
#ifndef TOOLS_STREAM_H
#define TOOLS_STREAM_H

#include "hdf5.h"
#include "verify.h"

typedef struct stream_request {
    const load_plan *plan;
    const impinge_options *options;
    size_t threads;
    size_t verify_every;     /**< every so many rows are compared with the reference; 0: none */
    hdf5_output *columns_to; /**< where the columns go; null: text to the output */
} stream_request;

/** The number of contacts that have some outcome, and the line of the first; 0: none. */
typedef struct stream_count {
    size_t count, first_line;
} stream_count;

enum { OUTCOME_BITS = 32 };

/** The outcomes of all contacts. */
typedef struct stream_summary {
    size_t contacts;
    stream_count outcomes[OUTCOME_BITS]; /**< by the bit of the outcome */
    verification verified;
} stream_summary;

/**
 * Writes the header and all rows, resolved, to the output, which is open, or completes HDF5. Fails
 * at the first faulty row; rows of blocks before it may have been written.
 */
stream_summary stream_resolve(csv_file *from, const stream_request *by);

#endif
