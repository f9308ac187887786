/** From a table to a batch. */
#ifndef TOOLS_LOAD_H
#define TOOLS_LOAD_H

#include "format.h"
#include "support/law.h"

/** What the command line says about coefficients. */
typedef struct given_coefficients {
    const char *texts[COEFFICIENTS]; /**< for all contacts, as text; null: not given */
    size_t law;                      /**< whose coefficients are wanted: see law_need */
    bool restitution_above_one;
} given_coefficients;

/** Whether a coefficient is a column or an option. */
bool coefficient_is_given(const csv_table *table, const given_coefficients *given,
                          enum coefficient which);

/**
 * Reads the numbers of a table into a batch of the format. Columns of coefficients that the law
 * does not have are not read.
 *
 * Fails at the first row that is short, long or has something else than a number where a number
 * must be; if a coefficient is missing; if one is both a column and an option; and if an option's
 * value is out of its range.
 */
batch load_batch(const csv_table *table, const format *of, precision to,
                 const given_coefficients *coefficients, size_t threads);

#endif
