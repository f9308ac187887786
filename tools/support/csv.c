#include "csv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads to the end, whatever it is: a file, a pipe or a terminal has no size to ask for. */
static void read_text(csv_table *table, FILE *stream) {
    size_t capacity = 1u << 16;
    table->text = reallocate(NULL, capacity, 1);
    size_t got;
    while ((got = fread(table->text + table->size, 1, capacity - table->size - 1, stream)) > 0) {
        table->size += got;
        if (capacity - table->size < capacity / 4)
            table->text = reallocate(table->text, capacity *= 2, 1);
    }
    if (ferror(stream)) fail("cannot read %s: %s", table->file, strerror(errno));
    table->text[table->size] = 0;
}

static void read_file(csv_table *table, const char *path) {
    if (!strcmp(path, "-")) {
        table->file = "<stdin>";
        read_text(table, stdin);
        return;
    }
    table->file = path;
    FILE *stream = fopen(path, "rb");
    if (!stream) fail("cannot open %s: %s", path, strerror(errno));
    read_text(table, stream);
    fclose(stream);
}

/* The end of the line at `start` where no field is quoted: found at the speed of memchr. */
static const char *end_of_plain_line(const char *start, const char *end) {
    const char *newline = memchr(start, '\n', (size_t)(end - start));
    return newline ? newline : end;
}

/*
 * The end of the quoted part of a field that begins at `quote`: past the quote that closes it, a
 * doubled quote being part of the text. Null if nothing closes it.
 */
static const char *end_of_quotes(const char *quote, const char *end) {
    const char *at = quote + 1;
    while ((at = memchr(at, '"', (size_t)(end - at)))) {
        if (at + 1 == end || at[1] != '"') return at + 1;
        at += 2;
    }
    return NULL;
}

/* The end of the row at `start`: the newline outside quotes, or the end of the text. */
static const char *end_of_row(const csv_table *table, const char *start, size_t line) {
    const char *end = table->text + table->size;
    const char *newline = end_of_plain_line(start, end);
    if (!memchr(start, '"', (size_t)(newline - start))) return newline;
    const char *at = start;
    for (;;) {
        if (at < end && *at == '"' && !(at = end_of_quotes(at, end)))
            fail_at((place){table->file, line, {NULL, 0}}, "a quote is opened and never closed");
        while (at < end && *at != ',' && *at != '\n')
            at++;
        if (at == end || *at == '\n') return at;
        at++;
    }
}

static size_t newlines_in(const char *start, const char *end) {
    size_t newlines = 0;
    while ((start = memchr(start, '\n', (size_t)(end - start)))) {
        newlines++;
        start++;
    }
    return newlines;
}

/* Takes the row at *start off the text, and moves *start and *line past it. */
static csv_row take_row(const csv_table *table, const char **start, size_t *line) {
    const char *end = end_of_row(table, *start, *line);
    csv_row row = {{*start, (size_t)(end - *start)}, *line};
    *line += newlines_in(*start, end) + 1;
    *start = end < table->text + table->size ? end + 1 : end;
    if (row.text.length && end[-1] == '\r') row.text.length--;
    return row;
}

/* The length of the byte order mark before the header; 0 if there is none. */
static size_t byte_order_mark(const csv_table *table) {
    static const char mark[] = "\xEF\xBB\xBF";
    size_t length = sizeof mark - 1;
    return table->size >= length && !memcmp(table->text, mark, length) ? length : 0;
}

static void split_rows(csv_table *table) {
    size_t mark = byte_order_mark(table);
    const char *start = table->text + mark;
    const char *end = table->text + table->size;
    size_t line = 1;
    size_t capacity = 0;
    table->header = take_row(table, &start, &line);
    table->mark = mark;
    while (start < end) {
        if (table->count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            table->rows = reallocate(table->rows, capacity, sizeof *table->rows);
        }
        table->rows[table->count++] = take_row(table, &start, &line);
    }
    while (table->count && !table->rows[table->count - 1].text.length)
        table->count--;
}

static void split_header(csv_table *table) {
    span rest = table->header.text;
    size_t capacity = 0;
    span name;
    while (csv_next_field(&rest, &name)) {
        if (table->columns == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            table->names = reallocate(table->names, capacity, sizeof *table->names);
        }
        table->names[table->columns++] = span_trimmed(name);
    }
}

static void refuse_repeated_names(const csv_table *table) {
    for (size_t i = 0; i < table->columns; i++)
        for (size_t j = 0; j < i; j++)
            if (span_equal(table->names[i], table->names[j]))
                fail_at(csv_place(table, table->header.line, i), "named twice");
}

csv_table csv_read(const char *path) {
    csv_table table = {0};
    read_file(&table, path);
    split_rows(&table);
    split_header(&table);
    if (table.columns == 1 && !table.names[0].length)
        fail_at((place){table.file, 1, {NULL, 0}}, "no line of column names");
    refuse_repeated_names(&table);
    return table;
}

void csv_free(csv_table *table) {
    free(table->text);
    free(table->names);
    free(table->rows);
}

size_t csv_find(const csv_table *table, const char *name) {
    span wanted = span_of(name);
    for (size_t i = 0; i < table->columns; i++)
        if (span_equal(table->names[i], wanted)) return i;
    return CSV_NO_COLUMN;
}

/* A field with quotes around it, without them; other fields as they are. */
static span without_quotes(span field) {
    if (field.length < 2 || field.start[0] != '"' || field.start[field.length - 1] != '"')
        return field;
    return (span){field.start + 1, field.length - 2};
}

bool csv_next_field(span *rest, span *field) {
    if (!rest->start) return false;
    const char *end = rest->start + rest->length;
    const char *at = rest->start;
    /* The quote is closed: csv_read has seen to it. */
    if (at < end && *at == '"') at = end_of_quotes(at, end);
    const char *comma = memchr(at, ',', (size_t)(end - at));
    const char *stop = comma ? comma : end;
    *field = without_quotes((span){rest->start, (size_t)(stop - rest->start)});
    *rest = comma ? (span){comma + 1, (size_t)(end - comma - 1)} : (span){NULL, 0};
    return true;
}

static const char *own_end_of_line(const csv_row *row) {
    const char *end = row->text.start + row->text.length;
    if (*end == '\r') return "\r\n";
    return *end == '\n' ? "\n" : NULL;
}

const char *csv_end_of_line(const csv_table *table, const csv_row *row) {
    const char *own = own_end_of_line(row);
    if (!own) own = own_end_of_line(&table->header);
    return own ? own : "\n";
}

place csv_place(const csv_table *table, size_t line, size_t column) {
    return (place){table->file, line, table->names[column]};
}
