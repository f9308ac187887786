#include "load.h"

#include <pthread.h>
#include <stdlib.h>

#include "spheres.h"
#include "support/fail.h"
#include "support/parallel.h"

/* What is wrong with a row. */
typedef enum row_fault { ROW_RIGHT, ROW_SHORT, ROW_LONG, ROW_NUMBER } row_fault;

typedef struct fault {
    row_fault kind;
    size_t row, column;
    span text; /* of the field */
    number_fault number;
} fault;

typedef struct loading {
    const csv_table *table;
    const format *format;
    batch *into;
    numbers spheres[SPHERE_COLUMNS];
    const numbers **destinations; /* one per column of the table; null: only carried through */
    pthread_mutex_t lock;
    fault first; /* the fault of the first faulty row so far */
} loading;

static fault load_row(const loading *work, size_t row) {
    const csv_table *table = work->table;
    span rest = table->rows[row].text;
    fault found = {.kind = ROW_NUMBER, .row = row};
    size_t column = 0;
    while (column < table->columns && csv_next_field(&rest, &found.text)) {
        const numbers *destination = work->destinations[column];
        if (destination) {
            double value;
            found.column = column;
            found.number = number_read(found.text, destination->precision, &value);
            if (found.number != NUMBER_RIGHT) return found;
            numbers_set(destination, row, value);
        }
        column++;
    }
    found.column = column;
    found.kind = column < table->columns ? ROW_SHORT : rest.start ? ROW_LONG : ROW_RIGHT;
    return found;
}

static void keep_first(loading *work, fault found) {
    pthread_mutex_lock(&work->lock);
    if (work->first.kind == ROW_RIGHT || found.row < work->first.row) work->first = found;
    pthread_mutex_unlock(&work->lock);
}

static void load_part(void *context, size_t part, size_t first, size_t count) {
    (void)part;
    loading *work = context;
    for (size_t row = first; row < first + count; row++) {
        fault found = load_row(work, row);
        if (found.kind == ROW_RIGHT) continue;
        keep_first(work, found);
        return;
    }
    if (work->format->sphere_count) spheres_to_pairs(work->spheres, work->into, first, count);
}

static size_t fields_of(span rest) {
    size_t fields = 0;
    span field;
    while (csv_next_field(&rest, &field))
        fields++;
    return fields;
}

static void fail_if_faulty(void *context, size_t parts) {
    (void)parts;
    const loading *work = context;
    const fault *found = &work->first;
    if (found->kind == ROW_RIGHT) return;
    const csv_table *table = work->table;
    const csv_row *row = &table->rows[found->row];
    char shown[SPAN_SHOWN_SIZE];
    if (found->kind == ROW_SHORT)
        fail_at(csv_place(table, row->line, found->column),
                "missing; the row has %zu of %zu fields", fields_of(row->text), table->columns);
    if (found->kind == ROW_LONG)
        fail_at(csv_place(table, row->line, table->columns - 1),
                "the row goes on after it; it has %zu fields for %zu columns", fields_of(row->text),
                table->columns);
    precision to = work->destinations[found->column]->precision;
    const char *what = number_fault_text(found->number, to);
    place where = csv_place(table, row->line, found->column);
    if (found->number == NUMBER_EMPTY) fail_at(where, "the field %s", what);
    fail_at(where, "'%s' %s", span_show(found->text, shown), what);
}

static void tie_columns(loading *work) {
    const format *of = work->format;
    for (size_t i = 0; i < of->input_count; i++)
        work->destinations[csv_find(work->table, of->inputs[i].name)] =
            &work->into->inputs[of->inputs[i].input];
    for (size_t i = 0; i < of->sphere_count; i++) {
        work->spheres[i] = numbers_allocate(PRECISION_F64, work->table->count);
        work->destinations[csv_find(work->table, of->spheres[i])] = &work->spheres[i];
    }
}

static void tie_optional_columns(loading *work) {
    const format *of = work->format;
    for (size_t i = 0; i < of->optional_count; i++) {
        if (!format_has_optional(of, work->table, i)) continue;
        numbers *input = &work->into->inputs[of->optional[i].input];
        *input = numbers_allocate(work->into->precision, work->table->count);
        work->destinations[csv_find(work->table, of->optional[i].name)] = input;
    }
}

bool coefficient_is_given(const csv_table *table, const given_coefficients *given,
                          enum coefficient which) {
    return given->texts[which] || csv_find(table, coefficient_name(which)) != CSV_NO_COLUMN;
}

/* A coefficient that the law has is a column or an option. */
static void tie_coefficient(loading *work, const given_coefficients *given,
                            enum coefficient which) {
    const char *option = coefficient_option(which);
    const char *text = given->texts[which];
    batch *into = work->into;
    const double value =
        text ? coefficient_required(which, text, into->precision, given->restitution_above_one) : 0;
    const bool damped = coefficient_is_given(work->table, given, DAMPING_FRACTION);
    const coefficient_need need = law_need(given->law, which, damped);
    if (need == COEFFICIENT_IGNORED) return;
    const size_t column = csv_find(work->table, coefficient_name(which));
    const place where = {work->table->file, work->table->header.line,
                         span_of(coefficient_name(which))};
    if (column != CSV_NO_COLUMN && text)
        fail_at(where, "also given by %s; use one of the two", option);
    if (column == CSV_NO_COLUMN && !text && need == COEFFICIENT_REQUIRED)
        fail_at(where, "missing; add it, or give all contacts the same with %s X", option);
    into->coefficient_values[which] = value;
    if (column == CSV_NO_COLUMN) return;
    into->coefficients[which] = numbers_allocate(into->precision, into->count);
    work->destinations[column] = &into->coefficients[which];
}

batch load_batch(const csv_table *table, const format *of, precision to,
                 const given_coefficients *coefficients, size_t threads) {
    batch into = batch_allocate(to, of->kind, table->count);
    loading work = {.table = table, .format = of, .into = &into};
    work.destinations = allocate(table->columns, sizeof *work.destinations);
    pthread_mutex_init(&work.lock, NULL);
    tie_columns(&work);
    tie_optional_columns(&work);
    for (size_t i = 0; i < COEFFICIENTS; i++)
        tie_coefficient(&work, coefficients, (enum coefficient)i);
    parallel_work all = {.verb = "read",
                         .grain = 8192,
                         .part = load_part,
                         .after = fail_if_faulty,
                         .context = &work};
    parallel_run(&all, threads, table->count);
    pthread_mutex_destroy(&work.lock);
    for (size_t i = 0; i < SPHERE_COLUMNS; i++)
        numbers_free(&work.spheres[i]);
    free(work.destinations);
    return into;
}
