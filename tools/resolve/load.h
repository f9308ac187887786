/** Converts rows of a table to a batch. */
#ifndef TOOLS_LOAD_H
#define TOOLS_LOAD_H

#include "format.h"
#include "spheres.h"
#include "support/law.h"

/** Coefficients from the command line. */
typedef struct given_coefficients {
    const char *texts[COEFFICIENTS]; /**< for all contacts, as text; null: not given */
    size_t law;                      /**< whose coefficients are wanted: see law_need */
    bool restitution_above_one;
} given_coefficients;

/** True if a coefficient is given, as a column or as an option. */
bool coefficient_is_given(const csv_header *names, const given_coefficients *given,
                          enum coefficient which);

/** The arrays that columns go to: inputs, then coefficients, then what spheres are. */
enum load_array {
    LOAD_COEFFICIENTS = BATCH_INPUTS_MAX,
    LOAD_SPHERES = LOAD_COEFFICIENTS + COEFFICIENTS,
    LOAD_ARRAYS = LOAD_SPHERES + SPHERE_COLUMNS,
    LOAD_NONE /**< a column that is only carried through */
};

/** The plan by which the rows of a table are read; all threads share it. */
typedef struct load_plan {
    const csv_header *names;
    const format *format;
    precision precision;
    unsigned char *arrays; /**< of every column: one of enum load_array */
    double coefficient_values[COEFFICIENTS];
    bool coefficient_given[COEFFICIENTS]; /**< by an option */
} load_plan;

/**
 * Ties columns to arrays. Columns of coefficients that the law does not have are not read. Fails if
 * a coefficient is missing; if one is both a column and an option; and if an option's value is out
 * of its range.
 */
load_plan load_begin(const csv_header *names, const format *of, precision to,
                     const given_coefficients *coefficients);
void load_end(load_plan *of);

/** Errors of a row. */
typedef enum load_fault_kind { LOAD_RIGHT, LOAD_SHORT, LOAD_LONG, LOAD_NUMBER } load_fault_kind;

typedef struct load_fault {
    load_fault_kind kind;
    csv_row row;
    size_t column;
    span text; /**< of the field */
    number_fault number;
} load_fault;

/** Fails, and reports the error and its place. */
noreturn void load_fail(const load_plan *by, const load_fault *found);

/** Rows that are read: one thread's. */
typedef struct loaded {
    batch contacts; /**< its count is how many rows there are; room for `capacity` */
    size_t capacity;
    numbers spheres[SPHERE_COLUMNS];
    csv_row *rows; /**< null: they are not kept */
} loaded;

loaded loaded_allocate(const load_plan *by, size_t capacity, bool keeps_rows);
void loaded_free(loaded *of);

/** Makes room for more rows. */
void loaded_grow(loaded *of, size_t capacity);

/**
 * Reads rows until there is no room or no row, behind those that are there. False: at a row that is
 * short, long or has something else than a number where a number must be.
 */
bool load_rows(const load_plan *by, csv_cursor *from, loaded *to, load_fault *found);

/** Reads all rows of a table by each of some plans. Fails at the first faulty one. */
void load_all(const load_plan *plans, size_t count, csv_file *from, loaded *to);

#endif
