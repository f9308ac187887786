/* The reader of tables: any bytes as a file; all fields are read as numbers of both precisions. */
#include "../../tools/csv.h"
#include "../../tools/number.h"
#include "contained_fail.h"
#include "target.h"

static void read_fields(const csv_table *table, const csv_row *row) {
    span rest = row->text, field;
    size_t column = 0;
    while (csv_next_field(&rest, &field)) {
        double value;
        number_read(field, PRECISION_F32, &value);
        const number_fault fault = number_read(field, PRECISION_F64, &value);
        number_fault_text(fault, PRECISION_F64);
        if (column < table->columns) csv_place(table, row->line, column);
        column++;
    }
    csv_end_of_line(table, row);
}

static void read_table(const char *path) {
    csv_table table = csv_read(path);
    read_fields(&table, &table.header);
    for (size_t i = 0; i < table.count; i++)
        read_fields(&table, &table.rows[i]);
    csv_find(&table, "restitution");
    csv_free(&table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    contained(read_table, data, size);
    return 0;
}
