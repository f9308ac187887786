#include "csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static char *text_of(FILE *stream) {
    if (fseek(stream, 0, SEEK_END) != 0) return NULL;
    const long size = ftell(stream);
    if (size <= 0) return NULL;
    rewind(stream);
    char *text = allocated((size_t)size + 1, 1);
    if (fread(text, 1, (size_t)size, stream) == (size_t)size) return text;
    free(text);
    return NULL;
}

static size_t lines_in(const char *text) {
    size_t lines = 0;
    for (const char *end = strchr(text, '\n'); end; end = strchr(end + 1, '\n'))
        lines++;
    return lines;
}

static void split_lines(csv *file, size_t lines) {
    file->lines = allocated(lines, sizeof *file->lines);
    char *line = file->text;
    for (size_t i = 0; i < lines; i++) {
        file->lines[i] = line;
        line = strchr(line, '\n');
        *line++ = '\0';
    }
}

bool csv_open(csv *file, const char *path) {
    *file = (csv){0};
    FILE *stream = fopen(path, "rb");
    if (!stream) return false;
    file->text = text_of(stream);
    fclose(stream);
    if (!file->text) return false;
    const size_t lines = lines_in(file->text);
    if (lines > 0) split_lines(file, lines);
    if (lines > 1) file->count = lines - 1;
    return file->count > 0;
}

void csv_close(csv *file) {
    free(file->lines);
    free(file->text);
    *file = (csv){0};
}

int csv_column(const csv *file, const char *name) {
    const size_t length = strlen(name);
    const char *field = file->lines[0];
    for (int column = 0;; column++) {
        const size_t width = strcspn(field, ",\r");
        if (width == length && memcmp(field, name, length) == 0) return column;
        if (field[width] != ',') return -1;
        field += width + 1;
    }
}

bool csv_row(const csv *file, size_t i, double *numbers, int columns) {
    char *at = file->lines[i + 1];
    for (int column = 0; column < columns; column++) {
        if (column > 0 && *at++ != ',') return false;
        char *end;
        numbers[column] = strtod(at, &end);
        if (end == at) return false;
        at = end;
    }
    return true;
}
