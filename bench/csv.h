/** The recorded sets' files: a line of names, then lines of numbers. */
#ifndef BENCH_CSV_H
#define BENCH_CSV_H

#include <stdbool.h>
#include <stddef.h>

typedef struct csv {
    char *text;
    size_t count; /**< rows */
    char **lines; /**< the header, then the rows; they point into `text` */
} csv;

/** Returns false if the file cannot be read or has no row. */
bool csv_open(csv *file, const char *path);
void csv_close(csv *file);

/** The place of a column in a row, or -1. */
int csv_column(const csv *file, const char *name);

/** Reads the first `columns` numbers of row i; returns false if there are not as many. */
bool csv_row(const csv *file, size_t i, double *numbers, int columns);

#endif
