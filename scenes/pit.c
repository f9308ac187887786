#include "pit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_FIRST = 4096, LINE_SIZE = 2048 };

static FILE *open_in(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return fopen(path, "r");
}

static bool read_row(const char *numbers, const char *names, pit_row *row) {
    char kind[8];
    if (sscanf(names, "%*u,%lu,%" SCNu32 ",%" SCNu32 ",%lf,%7[a-z]", &row->substep, &row->a,
               &row->b, &row->normal_velocity, kind) != 5)
        return false;
    row->of_set = strcmp(kind, "set") == 0;
    const char *at = numbers;
    for (size_t k = 0; k < PIT_NUMBERS; k++) {
        char *end;
        row->number[k] = strtod(at, &end);
        if (end == at) return false;
        at = *end == ',' ? end + 1 : end;
    }
    return true;
}

/* Rows of both files, after their headers; null: one is wrong, or there is no memory. */
static pit_row *read_rows(FILE *boxes, FILE *index, size_t *count) {
    char numbers[LINE_SIZE], names[LINE_SIZE];
    size_t room = ROWS_FIRST;
    pit_row *rows = malloc(room * sizeof *rows);
    *count = 0;
    if (!fgets(numbers, sizeof numbers, boxes) || !fgets(names, sizeof names, index)) room = 0;
    while (rows && room && fgets(numbers, sizeof numbers, boxes) &&
           fgets(names, sizeof names, index)) {
        if (*count == room) {
            pit_row *const more = realloc(rows, 2 * room * sizeof *rows);
            if (!more) break;
            rows = more;
            room *= 2;
        }
        if (!read_row(numbers, names, &rows[*count])) break;
        ++*count;
    }
    if (room && feof(boxes)) return rows;
    free(rows);
    return NULL;
}

pit_row *pit_read(const char *folder, size_t *count) {
    FILE *const boxes = open_in(folder, "boxes_pit.csv");
    FILE *const index = open_in(folder, "boxes_pit_index.csv");
    pit_row *const rows = boxes && index ? read_rows(boxes, index, count) : NULL;
    if (boxes) fclose(boxes);
    if (index) fclose(index);
    return rows;
}

size_t pit_keep_sets(pit_row *rows, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (rows[i].of_set) rows[kept++] = rows[i];
    return kept;
}
