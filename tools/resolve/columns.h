/** Converts resolved rows to columns of numbers, for files that hold columns. */
#ifndef TOOLS_COLUMNS_H
#define TOOLS_COLUMNS_H

#include "load.h"

/** The type of a column's numbers in memory. All take 8 bytes. */
typedef enum column_kind { COLUMN_REAL, COLUMN_SIGNED, COLUMN_UNSIGNED } column_kind;

/** The columns of some rows: the table's own, the outputs, the outcome. */
typedef struct column_block {
    size_t count;             /**< how many columns */
    size_t rows, capacity;    /**< of each */
    const column_kind *kinds; /**< of each; the caller's */
    uint64_t **values;        /**< of each; a double's, int64_t's or uint64_t's bytes */
} column_block;

column_block columns_allocate(const column_kind *kinds, size_t count);
void columns_free(column_block *of);

/** Adds rows and their results. Fails where a carried field is not a number. */
void columns_add(const load_plan *by, const csv_row *rows, const batch *from, column_block *to);

#endif
