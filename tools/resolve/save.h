/** Converts a resolved batch to text. */
#ifndef TOOLS_SAVE_H
#define TOOLS_SAVE_H

#include "format.h"

/** Text that grows. */
typedef struct text {
    char *bytes;
    size_t length, capacity;
} text;

void text_free(text *of);

/** The header with the names of the outputs behind it. */
void save_header(const csv_header *names, const format *of, text *to);

/** Adds every row as it is, and behind it the results of the contact. */
void save_rows(const csv_header *names, const csv_row *rows, const batch *from, text *to);

#endif
