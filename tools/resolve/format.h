/** The kinds of tables: their columns, the batches made from them, and the columns added. */
#ifndef TOOLS_FORMAT_H
#define TOOLS_FORMAT_H

#include "batch.h"
#include "support/csv.h"

/** A column and the input of the batch that it holds. */
typedef struct format_column {
    const char *name;
    size_t input;
} format_column;

typedef struct format {
    const char *title; /**< "contact space" */
    batch_kind kind;
    const format_column *inputs;
    size_t input_count;
    /** Columns that are not inputs, but from which inputs are made: those of enum sphere_column. */
    const char *const *spheres;
    size_t sphere_count; /**< 0 or SPHERE_COLUMNS */
    /** Inputs that may be missing, in groups of QUATERNION_INPUTS: a table has all of a group or
     * none.
     */
    const format_column *optional;
    size_t optional_count;
    const char *const *outputs; /**< the names of the batch's outputs, in order */
} format;

/**
 * The format whose columns a table has. If there is none, fails and names the first missing column
 * of the nearest format. Also fails if there are two, or if some columns of an orientation are
 * missing.
 */
const format *format_recognise(const csv_header *names);

/** Fails if an output has a column's name: for commands that add outputs to the columns. */
void format_refuse_output_names(const format *of, const csv_header *names);

/** The formats and their columns, as lines of help. */
void format_print_list(void);

/** True if a table has the optional column i of its format. */
bool format_has_optional(const format *of, const csv_header *names, size_t i);

#endif
