#include "load.h"

#include <stdlib.h>

#include "support/decimal.h"
#include "support/fail.h"
#include "support/progress.h"

/* ---- The plan ---- */

static void tie(load_plan *plan, const char *column, size_t array) {
    plan->arrays[csv_find(plan->names, column)] = (unsigned char)array;
}

static void tie_columns(load_plan *plan) {
    const format *of = plan->format;
    for (size_t i = 0; i < plan->names->columns; i++)
        plan->arrays[i] = LOAD_NONE;
    for (size_t i = 0; i < of->input_count; i++)
        tie(plan, of->inputs[i].name, of->inputs[i].input);
    for (size_t i = 0; i < of->sphere_count; i++)
        tie(plan, of->spheres[i], LOAD_SPHERES + i);
    for (size_t i = 0; i < of->optional_count; i++)
        if (format_has_optional(of, plan->names, i))
            tie(plan, of->optional[i].name, of->optional[i].input);
}

bool coefficient_is_given(const csv_header *names, const given_coefficients *given,
                          enum coefficient which) {
    return given->texts[which] || csv_find(names, coefficient_name(which)) != CSV_NO_COLUMN;
}

/* A coefficient that the law has is a column or an option. */
static void tie_coefficient(load_plan *plan, const given_coefficients *given,
                            enum coefficient which) {
    const char *option = coefficient_option(which);
    const char *text = given->texts[which];
    const double value =
        text ? coefficient_required(which, text, plan->precision, given->restitution_above_one) : 0;
    const bool damped = coefficient_is_given(plan->names, given, DAMPING_FRACTION);
    const coefficient_need need = law_need(given->law, which, damped);
    if (need == COEFFICIENT_IGNORED) return;
    const size_t column = csv_find(plan->names, coefficient_name(which));
    const place where = {plan->names->file, 1, span_of(coefficient_name(which))};
    if (column != CSV_NO_COLUMN && text)
        fail_at(where, "also given by %s; use one of the two", option);
    if (column == CSV_NO_COLUMN && !text && need == COEFFICIENT_REQUIRED)
        fail_at(where, "missing; add it, or give all contacts the same with %s X", option);
    plan->coefficient_values[which] = value;
    plan->coefficient_given[which] = text != NULL;
    if (column != CSV_NO_COLUMN) plan->arrays[column] = (unsigned char)(LOAD_COEFFICIENTS + which);
}

load_plan load_begin(const csv_header *names, const format *of, precision to,
                     const given_coefficients *coefficients) {
    load_plan plan = {.names = names, .format = of, .precision = to};
    plan.arrays = allocate(names->columns, sizeof *plan.arrays);
    tie_columns(&plan);
    for (size_t i = 0; i < COEFFICIENTS; i++)
        tie_coefficient(&plan, coefficients, (enum coefficient)i);
    return plan;
}

void load_end(load_plan *of) {
    free(of->arrays);
    of->arrays = NULL;
}

/* ---- Room for rows ---- */

static numbers *array_of(loaded *of, size_t array) {
    if (array < LOAD_COEFFICIENTS) return &of->contacts.inputs[array];
    if (array < LOAD_SPHERES) return &of->contacts.coefficients[array - LOAD_COEFFICIENTS];
    return &of->spheres[array - LOAD_SPHERES];
}

loaded loaded_allocate(const load_plan *by, size_t capacity, bool keeps_rows) {
    loaded made = {.contacts = batch_allocate(by->precision, by->format->kind, capacity),
                   .capacity = capacity};
    made.contacts.count = 0;
    for (size_t i = 0; i < COEFFICIENTS; i++)
        made.contacts.coefficient_values[i] = by->coefficient_values[i];
    for (size_t i = 0; i < by->names->columns; i++) {
        const size_t array = by->arrays[i];
        if (array == LOAD_NONE || array_of(&made, array)->elements) continue;
        const precision of = array < LOAD_SPHERES ? by->precision : PRECISION_F64;
        *array_of(&made, array) = numbers_allocate(of, capacity);
    }
    if (keeps_rows) made.rows = allocate(capacity, sizeof *made.rows);
    return made;
}

void loaded_grow(loaded *of, size_t capacity) {
    if (capacity <= of->capacity) return;
    for (size_t i = 0; i < LOAD_ARRAYS; i++)
        if (array_of(of, i)->elements) numbers_grow(array_of(of, i), capacity);
    batch_grow_outputs(&of->contacts, capacity);
    if (of->rows) of->rows = reallocate(of->rows, capacity, sizeof *of->rows);
    of->capacity = capacity;
}

void loaded_free(loaded *of) {
    batch_free(&of->contacts);
    for (size_t i = 0; i < SPHERE_COLUMNS; i++)
        numbers_free(&of->spheres[i]);
    free(of->rows);
    of->rows = NULL;
}

/* ---- Rows ---- */

/* Any row, field by field. */
static load_fault load_row(const load_plan *by, const csv_row *row, loaded *to) {
    const csv_header *names = by->names;
    span rest = row->text;
    load_fault found = {.kind = LOAD_NUMBER, .row = *row};
    size_t column = 0;
    while (column < names->columns && csv_next_field(&rest, names->separator, &found.text)) {
        if (by->arrays[column] != LOAD_NONE) {
            const numbers *array = array_of(to, by->arrays[column]);
            double value;
            found.column = column;
            found.number = number_read(found.text, array->precision, &value);
            if (found.number != NUMBER_RIGHT) return found;
            numbers_set(array, to->contacts.count, value);
        }
        column++;
    }
    found.column = column;
    found.kind = column < names->columns ? LOAD_SHORT : rest.start ? LOAD_LONG : LOAD_RIGHT;
    return found;
}

/* The end of a field without quotes. */
static const char *end_of_field(const char *at, char separator) {
    while (*at != separator && *at != '\n')
        at++;
    return at;
}

/* Reads a number of any notation in a field without quotes; null: it is no number. */
static const char *load_odd_number(const char *at, char separator, const numbers *into,
                                   size_t row) {
    const char *end = end_of_field(at, separator);
    const size_t length = (size_t)(end - at) - (end > at && *end == '\n' && end[-1] == '\r');
    double value;
    if (number_read((span){at, length}, into->precision, &value) != NUMBER_RIGHT) return NULL;
    numbers_set(into, row, value);
    return at + length;
}

/*
 * A row of fields without quotes, at full speed. Returns its end, its newline; null: it has
 * something else, which load_row understands or finds fault with.
 */
static const char *load_plain_row(const load_plan *by, const char *at, loaded *to) {
    const size_t row = to->contacts.count;
    const char separator = by->names->separator;
    const size_t columns = by->names->columns;
    for (size_t column = 0; column < columns; column++) {
        const size_t array = by->arrays[column];
        if (array == LOAD_NONE) {
            at = end_of_field(at, separator);
        } else {
            const numbers *into = array_of(to, array);
            const char *end = into->precision == PRECISION_F32
                                  ? decimal_read_f32(at, (float *)into->elements + row)
                                  : decimal_read_f64(at, (double *)into->elements + row);
            if (!end || (*end != separator && *end != '\n' && *end != '\r'))
                end = load_odd_number(at, separator, into, row);
            at = end;
        }
        if (!at) return NULL;
        if (column + 1 < columns && *at++ != separator) return NULL;
    }
    at += *at == '\r';
    return *at == '\n' ? at : NULL;
}

static bool load_next_row(const load_plan *by, csv_cursor *from, loaded *to, load_fault *found) {
    const char *start = from->at;
    const char *end = from->quoted ? NULL : load_plain_row(by, start, to);
    csv_row row;
    if (end) {
        const size_t length = (size_t)(end - start) - (end > start && end[-1] == '\r');
        row = (csv_row){{start, length}, from->line++};
        from->at = end + 1;
    } else {
        csv_next_row(from, by->names->separator, &row);
        *found = load_row(by, &row, to);
        if (found->kind != LOAD_RIGHT) return false;
    }
    if (to->rows) to->rows[to->contacts.count] = row;
    to->contacts.count++;
    return true;
}

bool load_rows(const load_plan *by, csv_cursor *from, loaded *to, load_fault *found) {
    const size_t first = to->contacts.count;
    while (to->contacts.count < to->capacity && from->at < from->end)
        if (!load_next_row(by, from, to, found)) return false;
    if (by->format->sphere_count)
        spheres_to_pairs(to->spheres, &to->contacts, first, to->contacts.count - first);
    return true;
}

static void load_block(const load_plan *by, const csv_block *block, loaded *to) {
    const size_t wanted = to->contacts.count + block->rows;
    if (wanted > to->capacity) loaded_grow(to, wanted + wanted / 2);
    csv_cursor at = csv_begin(block);
    load_fault found;
    if (!load_rows(by, &at, to, &found)) load_fail(by, &found);
}

void load_all(const load_plan *plans, size_t count, csv_file *from, loaded *to) {
    enum { FIRST_CAPACITY = 1024 };
    for (size_t i = 0; i < count; i++)
        to[i] = loaded_allocate(&plans[i], FIRST_CAPACITY, false);
    csv_block block = {.text = NULL};
    while (csv_next_block(from, &block)) {
        for (size_t i = 0; i < count; i++)
            load_block(&plans[i], &block, &to[i]);
        progress_line("read %zu contacts", to->contacts.count);
    }
    csv_block_free(&block);
}

/* ---- What is wrong ---- */

static size_t fields_of(span rest, char separator) {
    size_t fields = 0;
    span field;
    while (csv_next_field(&rest, separator, &field))
        fields++;
    return fields;
}

/* "1,5", where the comma is no separator. */
static bool has_decimal_comma(span text) {
    size_t digits = 0, commas = 0;
    for (size_t i = 0; i < text.length; i++) {
        const char byte = text.start[i];
        digits += byte >= '0' && byte <= '9';
        commas += byte == ',';
    }
    return digits > 0 && commas == 1;
}

noreturn void load_fail(const load_plan *by, const load_fault *found) {
    const csv_header *names = by->names;
    const csv_row *row = &found->row;
    const size_t columns = names->columns;
    if (found->kind == LOAD_SHORT)
        fail_at(csv_place(names, row->line, found->column),
                "missing; the row has %zu of %zu fields", fields_of(row->text, names->separator),
                columns);
    if (found->kind == LOAD_LONG)
        fail_at(csv_place(names, row->line, columns - 1),
                "the row goes on after it; it has %zu fields for %zu columns",
                fields_of(row->text, names->separator), columns);
    const precision to = by->arrays[found->column] < LOAD_SPHERES ? by->precision : PRECISION_F64;
    const char *what = number_fault_text(found->number, to);
    const place where = csv_place(names, row->line, found->column);
    if (found->number == NUMBER_EMPTY) fail_at(where, "the field %s", what);
    char shown[SPAN_SHOWN_SIZE];
    fail_at(where, "'%s' %s%s", span_show(found->text, shown), what,
            has_decimal_comma(found->text) ? "; decimals need a point, not a comma" : "");
}
