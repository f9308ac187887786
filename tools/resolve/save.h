/** From a resolved batch to the output. */
#ifndef TOOLS_SAVE_H
#define TOOLS_SAVE_H

#include "format.h"

/** Writes every row of the table as it is, and after it what came of the contact, to the output. */
void save_batch(const csv_table *table, const format *of, const batch *from, size_t threads);

#endif
