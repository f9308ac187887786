/* impinge trace */
#include "commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/arguments.h"
#include "support/coefficient.h"
#include "support/csv.h"
#include "support/fail.h"
#include "support/law.h"
#include "support/number.h"
#include "support/output.h"
#include "trace_path.h"

static const char help[] =
    "Usage: impinge trace K11 K12 K13 K22 K23 K33 U1 U2 U3 --restitution X --friction X\n"
    "                     [OPTION]...\n"
    "       impinge trace IN --row N [OPTION]...\n"
    "\n"
    "Prints the path of one contact under Routh's law, as comma-separated values: impulse p,\n"
    "separation velocity u (axes t1, t2, n), works, and at each point the phase (compression or\n"
    "restitution) and the state (slides, sticks or diverges) that it ends.\n"
    "\n"
    "The contact is given by its collision matrix K and its velocity, or by a row of IN, a file "
    "of\n"
    "contacts in contact space (see impinge resolve --help); the first row below the names is 1.\n"
    "\n"
    "      --row N             which row\n"
    "      --restitution X     0 to 1; here and below: unless IN has a column of that name\n"
    "      --friction X        0 or more, inf allowed\n"
    "      --friction-static X at least the friction; left out, equal to it\n"
    "      --rule RULE         of restitution: stronge (the default), poisson or newton\n"
    "      --resolve-jams      a grazing contact that friction presses together is a collision\n"
    "      --points N          points per step of the integration and per straight line; 8 if "
    "left\n"
    "                          out; the ends of phases come on top\n"
    "      --json              lines of JSON instead\n"
    "  -o, --output OUT        where to write; standard output if left out\n"
    "\n"
    "Example: impinge trace 20 -23 4 31 -7 4 630 -780 -0.22 --restitution 0.9 --friction 0.5\n";

enum { NUMBERS = 9 };

static const char *const number_names[NUMBERS] = {"K11", "K12", "K13", "K22", "K23",
                                                  "K33", "U1",  "U2",  "U3"};
static const char *const column_names[NUMBERS] = {"k11", "k12", "k13", "k22", "k23",
                                                  "k33", "u1",  "u2",  "u3"};

/* What the command line asks for, as given. */
typedef struct request {
    const char *rest[NUMBERS];
    size_t count;
    const char *row, *rule, *points, *output;
    const char *coefficients[FRICTION_STATIC + 1];
    bool resolve_jams, json;
} request;

/* Where a contact's numbers go: nine, and its coefficients. */
typedef struct contact {
    double numbers[NUMBERS];
    double coefficients[FRICTION_STATIC + 1];
} contact;

/* The field of a row in a column; fails if the row is too short or it is no number. */
static double field_required(const csv_table *table, const csv_row *row, size_t column) {
    span rest = row->text;
    span field = {NULL, 0};
    for (size_t i = 0; i <= column; i++)
        if (!csv_next_field(&rest, &field))
            fail_at(csv_place(table, row->line, column), "missing; the row is too short");
    double value;
    char shown[SPAN_SHOWN_SIZE];
    const number_fault fault = number_read(field, PRECISION_F64, &value);
    if (fault != NUMBER_RIGHT)
        fail_at(csv_place(table, row->line, column), "'%s' %s", span_show(field, shown),
                number_fault_text(fault, PRECISION_F64));
    return value;
}

/* A coefficient comes from a column or an option; static friction may have neither. */
static double coefficient_of(const request *by, const csv_table *table, const csv_row *row,
                             enum coefficient which) {
    const char *text = by->coefficients[which];
    const char *option = coefficient_option(which);
    const size_t column = table ? csv_find(table, coefficient_name(which)) : CSV_NO_COLUMN;
    if (column != CSV_NO_COLUMN && text)
        fail_at(csv_place(table, table->header.line, column),
                "also given by %s; use one of the two", option);
    if (column != CSV_NO_COLUMN) return field_required(table, row, column);
    if (text) return coefficient_required(which, text, PRECISION_F64, false);
    if (which != FRICTION_STATIC) fail("%s X is missing; see impinge trace --help", option);
    return 0;
}

static void coefficients_of(const request *by, const csv_table *table, const csv_row *row,
                            contact *to) {
    for (size_t i = 0; i <= FRICTION_STATIC; i++)
        to->coefficients[i] = coefficient_of(by, table, row, (enum coefficient)i);
}

static void read_row(const request *by, contact *to) {
    if (by->count != 1) fail("--row goes with one file; see impinge trace --help");
    csv_table table = csv_read(by->rest[0]);
    const size_t row = whole_required("--row", by->row, 1, UINT64_MAX) - 1;
    if (row >= table.count)
        fail("--row: %s has %zu rows, so there is no row %s", table.file, table.count, by->row);
    for (size_t i = 0; i < NUMBERS; i++) {
        const size_t column = csv_find(&table, column_names[i]);
        if (column == CSV_NO_COLUMN)
            fail("%s has no column %s; impinge trace reads contact space only", table.file,
                 column_names[i]);
        to->numbers[i] = field_required(&table, &table.rows[row], column);
    }
    coefficients_of(by, &table, &table.rows[row], to);
    csv_free(&table);
}

static void read_numbers(const request *by, contact *to) {
    if (by->count == 1)
        fail("which row of %s? give --row N; see impinge trace --help", by->rest[0]);
    if (by->count < NUMBERS)
        fail("%s is missing; see impinge trace --help", number_names[by->count]);
    for (size_t i = 0; i < NUMBERS; i++)
        to->numbers[i] = number_required(number_names[i], by->rest[i], PRECISION_F64);
    coefficients_of(by, NULL, NULL, to);
}

static impinge_trace_input input_of(const contact *from) {
    return (impinge_trace_input){.matrix = matrix_of_numbers(from->numbers),
                                 .u1 = from->numbers[6],
                                 .u2 = from->numbers[7],
                                 .u3 = from->numbers[8],
                                 .restitution = from->coefficients[RESTITUTION],
                                 .friction = from->coefficients[FRICTION],
                                 .friction_static = from->coefficients[FRICTION_STATIC]};
}

/* ---- Writing ---- */

enum { COLUMNS = 9 };

static const char *const point_names[COLUMNS] = {
    "p1", "p2", "p3", "u1", "u2", "u3", "work_compression", "work_restitution", "work_friction"};

static void write_header(void) {
    for (size_t i = 0; i < COLUMNS; i++) {
        output_text(point_names[i]);
        output_text(",");
    }
    output_text("phase,state\n");
}

/* JSON has no word for what is not finite but null. */
static void write_number(double value, bool json) {
    char text[NUMBER_SIZE];
    number_write(text, value, PRECISION_F64);
    output_text(json && !isfinite(value) ? "null" : text);
}

static void write_point(const impinge_trace_point *point, bool json) {
    const double values[COLUMNS] = {point->p1,
                                    point->p2,
                                    point->p3,
                                    point->u1,
                                    point->u2,
                                    point->u3,
                                    point->work_compression,
                                    point->work_restitution,
                                    point->work_friction};
    for (size_t i = 0; i < COLUMNS; i++) {
        if (json) {
            output_text(i == 0 ? "{\"" : "\"");
            output_text(point_names[i]);
            output_text("\":");
        }
        write_number(values[i], json);
        output_text(",");
    }
    output_text(json ? "\"phase\":\"" : "");
    output_text(impinge_trace_phase_name(point->phase));
    output_text(json ? "\",\"state\":\"" : ",");
    output_text(impinge_trace_state_name(point->state));
    output_text(json ? "\"}\n" : "\n");
}

static void write_path(const trace_path *path, const request *by) {
    output_open(by->output);
    if (!by->json) write_header();
    for (size_t i = 0; i < path->count; i++)
        write_point(&path->points[i], by->json);
    output_finish();
}

int command_trace(char *const *arguments) {
    request by = {.rule = "stronge", .points = "8", .output = "-"};
    bool wants_help = false;
    const argument_option options[] = {
        {"--row", NULL, &by.row, NULL},
        {"--restitution", NULL, &by.coefficients[RESTITUTION], NULL},
        {"--friction", NULL, &by.coefficients[FRICTION], NULL},
        {"--friction-static", NULL, &by.coefficients[FRICTION_STATIC], NULL},
        {"--rule", NULL, &by.rule, NULL},
        {"--resolve-jams", NULL, NULL, &by.resolve_jams},
        {"--points", NULL, &by.points, NULL},
        {"--json", NULL, NULL, &by.json},
        {"--output", "-o", &by.output, NULL},
        {"--help", "-h", NULL, &wants_help}};
    by.count = arguments_read("impinge trace", arguments, options, sizeof options / sizeof *options,
                              by.rest, NUMBERS);
    if (wants_help) {
        fputs(help, stdout);
        return EXIT_RIGHT;
    }
    contact of;
    (by.row ? read_row : read_numbers)(&by, &of);
    const impinge_trace_input input = input_of(&of);
    const impinge_options how = {.rule = rule_required(by.rule), .resolve_jams = by.resolve_jams};
    trace_path path =
        trace_path_of(&input, &how, whole_required("--points", by.points, 1, 1000000));
    write_path(&path, &by);
    trace_path_free(&path);
    return EXIT_RIGHT;
}
