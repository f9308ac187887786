/** The kinds of tables: which columns they have, what is made of them, what is added. */
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
    /** Inputs that may be missing, in groups of QUATERNION_INPUTS of which all are there or none.
     */
    const format_column *optional;
    size_t optional_count;
    const char *const *outputs; /**< the names of the batch's outputs, in order */
} format;

/**
 * The format whose columns a table has. Fails, naming the first missing column of the format that
 * comes nearest, if there is none; also if there are two, if some columns of an orientation are
 * missing, or if an output has a column's name.
 */
const format *format_recognise(const csv_header *names);

/** The formats and their columns, as lines of help. */
void format_print_list(void);

/** Whether a table has the optional column i of its format. */
bool format_has_optional(const format *of, const csv_header *names, size_t i);

#endif
