#include "columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"

column_block columns_allocate(const column_kind *kinds, size_t count) {
    return (column_block){
        .count = count, .kinds = kinds, .values = allocate(count, sizeof(uint64_t *))};
}

void columns_free(column_block *of) {
    for (size_t i = 0; i < of->count; i++)
        free(of->values[i]);
    free(of->values);
    of->values = NULL;
}

static void make_room(column_block *of, size_t rows) {
    if (rows <= of->capacity) return;
    of->capacity = 2 * rows;
    for (size_t i = 0; i < of->count; i++)
        of->values[i] = reallocate(of->values[i], of->capacity, sizeof(uint64_t));
}

static void set_real(column_block *to, size_t column, size_t row, double value) {
    memcpy(&to->values[column][row], &value, sizeof value);
}

/* A whole number that was made of one, so that it fits and nothing follows it. */
static bool set_whole(column_block *to, size_t column, size_t row, span text) {
    char digits[32];
    if (!text.length || text.length >= sizeof digits) return false;
    memcpy(digits, text.start, text.length);
    digits[text.length] = '\0';
    char *end;
    errno = 0;
    if (to->kinds[column] == COLUMN_SIGNED) {
        const int64_t value = strtoll(digits, &end, 10);
        memcpy(&to->values[column][row], &value, sizeof value);
    } else {
        to->values[column][row] = strtoull(digits, &end, 10);
    }
    return !*end && !errno;
}

static void add_fields(const load_plan *by, const csv_row *row, size_t at, column_block *to) {
    const csv_header *names = by->names;
    span rest = row->text, field;
    for (size_t column = 0; column < names->columns; column++) {
        csv_next_field(&rest, names->separator, &field);
        double value = 0;
        const bool real = to->kinds[column] == COLUMN_REAL;
        if (real ? number_read(field, PRECISION_F64, &value) != NUMBER_RIGHT
                 : !set_whole(to, column, at, field)) {
            char shown[SPAN_SHOWN_SIZE];
            fail_at(csv_place(names, row->line, column),
                    "'%s' is not a number, and HDF5 is written as columns of numbers",
                    span_show(field, shown));
        }
        if (real) set_real(to, column, at, value);
    }
}

void columns_add(const load_plan *by, const csv_row *rows, const batch *from, column_block *to) {
    const size_t outputs = batch_output_count(from->kind), own = by->names->columns;
    make_room(to, to->rows + from->count);
    for (size_t i = 0; i < from->count; i++) {
        const size_t at = to->rows + i;
        add_fields(by, &rows[i], at, to);
        for (size_t j = 0; j < outputs; j++)
            set_real(to, own + j, at, numbers_get(&from->outputs[j], i));
        to->values[own + outputs][at] = from->outcomes[i];
    }
    to->rows += from->count;
}
