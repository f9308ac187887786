/** From a table to a batch. */
#ifndef TOOLS_LOAD_H
#define TOOLS_LOAD_H

#include "format.h"

/**
 * Reads the numbers of a table into a batch of the format.
 *
 * @param coefficients the coefficients given as options, as text, null: not given
 *
 * Fails at the first row that is short, long or has something else than a number where a number
 * must be; if a coefficient is missing; and if one is both a column and an option.
 */
batch load_batch(const csv_table *table, const format *of, precision to,
                 const char *const coefficients[COEFFICIENTS], size_t threads);

#endif
