#include "recorded_table.h"

#include <assert.h>
#include <stdlib.h>

#include "resolve/load.h"

static_assert((int)RECORDED_BODY == (int)BODY_INPUTS && (int)RECORDED_NORMAL == (int)PAIR_NORMAL,
              "rows begin as the inputs of a batch do");

static double *rows_of(const batch *from) {
    double *rows = allocate(from->count * RECORDED_NUMBERS, sizeof *rows);
    double *to = rows;
    for (size_t i = 0; i < from->count; i++) {
        for (size_t column = 0; column < PAIR_REQUIRED_INPUTS; column++)
            *to++ = numbers_get(&from->inputs[column], i);
        *to++ = batch_coefficient(from, RESTITUTION, i);
        *to++ = batch_coefficient(from, FRICTION, i);
    }
    return rows;
}

double *recorded_table(const char *path, const char *restitution, const char *friction,
                       size_t *count) {
    fail_as("impinge-bench");
    csv_file *table = csv_open(path);
    const given_coefficients given = {
        .law = IMPINGE_LAW_ROUTH, .texts = {[RESTITUTION] = restitution, [FRICTION] = friction}};
    const format *of = format_recognise(csv_names(table));
    if (of->kind != BATCH_PAIRS) fail("%s has %s, not pairs", path, of->title);
    load_plan plan = load_begin(csv_names(table), of, PRECISION_F64, &given);
    loaded all;
    load_all(&plan, 1, table, &all);
    double *rows = rows_of(&all.contacts);
    *count = all.contacts.count;
    loaded_free(&all);
    load_end(&plan);
    csv_close(table);
    return rows;
}
