/* The reader of tables: any bytes as a file; all fields are read as numbers of both precisions. */
#include "contained_fail.h"
#include "support/csv.h"
#include "support/number.h"
#include "target.h"

static void read_fields(const csv_header *header, const csv_row *row) {
    span rest = row->text, field;
    size_t column = 0;
    while (csv_next_field(&rest, header->separator, &field)) {
        double value;
        number_read(field, PRECISION_F32, &value);
        const number_fault fault = number_read(field, PRECISION_F64, &value);
        number_fault_text(fault, PRECISION_F64);
        if (column < header->columns) csv_place(header, row->line, column);
        column++;
    }
}

static void read_table(const char *path) {
    csv_file *const file = csv_open(path);
    const csv_header *const header = csv_names(file);
    csv_find(header, "restitution");
    csv_block block = {.text = NULL};
    while (csv_next_block(file, &block)) {
        csv_cursor cursor = csv_begin(&block);
        csv_row row;
        while (csv_next_row(&cursor, header->separator, &row))
            read_fields(header, &row);
    }
    csv_block_free(&block);
    csv_close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    contained(read_table, data, size);
    return 0;
}
