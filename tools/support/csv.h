/**
 * A table of comma-separated values, held in memory as its file has it.
 *
 * The first line names the columns. Lines end in LF or CR LF, a byte order mark may stand before
 * everything, empty lines at the end do not count, and a field in double quotes may hold commas and
 * ends of lines. Nothing is decoded: rows can be copied on byte for byte.
 */
#ifndef TOOLS_CSV_H
#define TOOLS_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "fail.h"

/** A row: its bytes without the end of its line, and the line of the file where it begins. */
typedef struct csv_row {
    span text;
    size_t line;
} csv_row;

typedef struct csv_table {
    const char *file; /**< its name, for messages */
    char *text;       /**< the whole file and a terminating zero */
    size_t size;      /**< without that zero */
    size_t mark;      /**< the length of the byte order mark before the header */
    csv_row header;
    span *names; /**< of the columns, without quotes and blanks around them */
    size_t columns;
    csv_row *rows; /**< the rows below the header */
    size_t count;
} csv_table;

/** What csv_find returns if there is no such column. */
#define CSV_NO_COLUMN ((size_t)-1)

/**
 * Reads a file ("-": standard input). Fails if it cannot be read, is empty, names a column twice or
 * leaves a quote open; the rows' lengths are not looked at.
 */
csv_table csv_read(const char *path);
void csv_free(csv_table *table);

/** The column of that name. */
size_t csv_find(const csv_table *table, const char *name);

/**
 * Takes the next field off a row, without the quotes around it. Returns whether there was one; a
 * row of no bytes has one empty field. Begin with a copy of the row's text.
 */
bool csv_next_field(span *rest, span *field);

/** The end of line of a row, "\n" or "\r\n"; if the file ends without one, that of the header. */
const char *csv_end_of_line(const csv_table *table, const csv_row *row);

/** Where a row's field is, for fail_at. */
place csv_place(const csv_table *table, size_t line, size_t column);

#endif
