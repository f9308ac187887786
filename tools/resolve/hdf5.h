/**
 * Tables in HDF5: each column a dataset of one dimension in the root group. They are read and
 * written in blocks of rows, so that little of a file is in memory. A build without libhdf5 refuses
 * them.
 */
#ifndef TOOLS_HDF5_H
#define TOOLS_HDF5_H

#include "columns.h"
#include "support/input.h"

typedef struct hdf5_input hdf5_input;
typedef struct hdf5_output hdf5_output;

/** True if a file's first bytes are those of HDF5, and this build can read it. */
bool hdf5_is(const char *path);

/** True if an output's name ends in .h5 or .hdf5. */
bool hdf5_is_named(const char *path);

/**
 * Opens a file as a table: its datasets of one dimension that hold numbers, in the order in which
 * they were made if the file has that order, or by name. Other datasets are skipped. Fails if it is
 * damaged, or if columns are of different lengths.
 *
 * Its bytes are comma-separated values, each of which reads back to the same number:
 * a number in single precision is written with the digits of the double that is equal to it.
 *
 * @param typed gives the columns' types while the input is open
 */
input *hdf5_open(const char *path, const hdf5_input **typed);

/** The contents of a file. */
typedef struct hdf5_request {
    const load_plan *plan;
    const hdf5_input *typed; /**< carried columns keep its types; null: they are doubles */
    const char *law, *rule;  /**< for its attributes */
} hdf5_request;

/** Begins the output, which is open and has to be an ordinary file. */
hdf5_output *hdf5_begin(const hdf5_request *by);

/** The kinds of the columns, and how many there are. */
const column_kind *hdf5_kinds(const hdf5_output *of);
size_t hdf5_count(const hdf5_output *of);

/** Adds rows behind those that are there. Any thread, one at a time. */
void hdf5_append(hdf5_output *to, const column_block *rows);

/** Completes the file; output_finish then gives it its name. */
void hdf5_finish(hdf5_output *of);

#endif
