#include "rows.h"

#include "memory.h"

contact_rows rows_new(batch_level level, size_t count) {
    return (contact_rows){
        .level = level,
        .count = count,
        .values = allocated(count * batch_inputs(level), sizeof(double)),
    };
}

double *rows_at(const contact_rows *rows, size_t i) {
    return rows->values + i * batch_inputs(rows->level);
}
