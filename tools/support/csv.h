/**
 * Tables of values separated by commas, semicolons or tabs, read a block of rows at a time: a file
 * of any length takes little memory.
 *
 * The first line names the columns; the separator that it has most of is the file's. Lines end in
 * LF or CR LF, a byte order mark may come first, empty lines at the end do not count, and a field
 * in double quotes may hold separators and ends of lines. Text is not decoded: rows can be copied
 * byte for byte. Files packed by gzip are unpacked.
 */
#ifndef TOOLS_CSV_H
#define TOOLS_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "fail.h"
#include "input.h"

/** The first line. */
typedef struct csv_header {
    const char *file; /**< its name, for messages */
    char *line;       /**< with its byte order mark and without its end */
    size_t length;
    char separator;
    const char *end_of_line; /**< "\n" or "\r\n" */
    span *names;             /**< of the columns, without quotes and blanks around them */
    size_t columns;
    size_t *places, place_count; /**< a hash table of them: see csv.c */
} csv_header;

/** Rows, all of them whole. The text goes on for 16 bytes that may be read. */
typedef struct csv_block {
    char *text;
    size_t length, capacity;
    size_t rows;
    size_t first_row;  /**< the number of its first row, from 0 */
    size_t first_line; /**< the line of the file where that begins, from 1 */
    bool quoted;       /**< whether there is a quote in it */
} csv_block;

/** A row: its bytes without the end of its line, and the line of the file where it begins. */
typedef struct csv_row {
    span text;
    size_t line;
} csv_row;

/** A position within a block. */
typedef struct csv_cursor {
    const char *at, *end;
    size_t line;
    bool quoted;
} csv_cursor;

typedef struct csv_file csv_file;

/**
 * Opens a file ("-": standard input) and reads its first line. Fails if it cannot be read, is
 * not a table, or names a column twice.
 */
csv_file *csv_open(const char *path);

/** The same of bytes that come from elsewhere; closes them in the end. */
csv_file *csv_open_input(input *from);
void csv_close(csv_file *of);
const csv_header *csv_names(const csv_file *of);

/** The share of the file that has been read, from 0 to 1; NaN if that is not known. */
double csv_share(const csv_file *of);

/**
 * Reads the next rows, as soon as there are some. False: there are no more. Fails if a quote is
 * never closed. One thread at a time.
 */
bool csv_next_block(csv_file *from, csv_block *to);
void csv_block_free(csv_block *of);

csv_cursor csv_begin(const csv_block *of);

/** Takes the next row; false: there are no more. */
bool csv_next_row(csv_cursor *from, char separator, csv_row *row);

/**
 * Takes the next field off a row, without the quotes around it. Returns whether there was one; a
 * row of no bytes has one empty field. Begin with a copy of the row's text.
 */
bool csv_next_field(span *rest, char separator, span *field);

/** The result of csv_find if there is no such column. */
#define CSV_NO_COLUMN ((size_t)-1)

/** The column of that name. */
size_t csv_find(const csv_header *header, const char *name);

/** The place of a row's field, for fail_at. */
place csv_place(const csv_header *header, size_t line, size_t column);

#endif
