/* impinge trace */
#include "commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "resolve/load.h"
#include "resolve/table.h"
#include "resolve/widen.h"
#include "support/arguments.h"
#include "support/coefficient.h"
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
    "contacts, body pairs or sphere pairs (see impinge resolve --help), in the contact's own "
    "axes;\n"
    "the first row below the names is 1.\n"
    "\n"
    "      --row N             which row\n"
    "      --restitution X     0 to 1; here and below: unless IN has a column of that name\n"
    "      --friction X        0 or more, inf allowed\n"
    "      --friction-static X above 0, at least friction; left out, equal to it\n"
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
/* The command line's options, as given. */
typedef struct request {
    const char *rest[NUMBERS];
    size_t count;
    const char *row, *rule, *points, *output;
    const char *coefficients[FRICTION_STATIC + 1];
    bool resolve_jams, json;
} request;

/* A contact's nine numbers, and its coefficients. */
typedef struct contact {
    double numbers[NUMBERS];
    double coefficients[FRICTION_STATIC + 1];
} contact;

/* A contact of a batch, in its own axes, with its coefficients. */
static void contact_of(const batch *from, size_t row, contact *to) {
    const widened_contact wide = widen(from, 0);
    reference_contact_long found;
    reference_frame_long frame;
    const uint32_t invalid = widened_set_up(&wide, &found, &frame);
    if (invalid) {
        char words[IMPINGE_OUTCOME_TEXT_SIZE];
        impinge_outcome_text(invalid, words, sizeof words);
        fail("--row: there is no contact in row %zu: %s", row + 1, words);
    }
    const long double found_numbers[NUMBERS] = {found.k11,  found.k12,  found.k13,
                                                found.k22,  found.k23,  found.k33,
                                                found.u[0], found.u[1], found.u[2]};
    for (size_t i = 0; i < NUMBERS; i++)
        to->numbers[i] = (double)found_numbers[i];
    for (size_t i = 0; i <= FRICTION_STATIC; i++)
        to->coefficients[i] = (double)wide.coefficients[i];
    /* The path reads 0 as left out, but a column's 0 is below the friction, which is invalid. */
    if (to->coefficients[FRICTION_STATIC] == 0 && to->coefficients[FRICTION] != 0)
        to->coefficients[FRICTION_STATIC] = (double)NAN;
}

/* Fails unless the cursor is at row `wanted` afterwards. */
static void find_row(csv_file *table, size_t wanted, csv_block *block, csv_cursor *at) {
    size_t rows = 0;
    while (csv_next_block(table, block)) {
        rows += block->rows;
        if (wanted >= rows) continue;
        csv_row passed;
        *at = csv_begin(block);
        for (size_t i = block->first_row; i < wanted; i++)
            csv_next_row(at, csv_names(table)->separator, &passed);
        return;
    }
    fail("--row: %s has %zu rows, so there is no row %zu", csv_names(table)->file, rows,
         wanted + 1);
}

static void read_row(const request *by, contact *to) {
    if (by->count != 1) fail("--row goes with one file; see impinge trace --help");
    const size_t row = (size_t)whole_required("--row", by->row, 1, UINT64_MAX) - 1;
    csv_file *table = table_open(by->rest[0], NULL);
    const format *of = format_recognise(csv_names(table));
    if (batch_is_planar(of->kind)) fail("%s has %s; give K and U", by->rest[0], of->title);
    given_coefficients given = {.law = IMPINGE_LAW_ROUTH};
    memcpy(given.texts, by->coefficients, sizeof by->coefficients);
    load_plan plan = load_begin(csv_names(table), of, PRECISION_F64, &given);
    loaded one = loaded_allocate(&plan, 1, false);
    csv_block block = {.text = NULL};
    csv_cursor at;
    load_fault found;
    find_row(table, row, &block, &at);
    if (!load_rows(&plan, &at, &one, &found)) load_fail(&plan, &found);
    contact_of(&one.contacts, row, to);
    loaded_free(&one);
    load_end(&plan);
    csv_block_free(&block);
    csv_close(table);
}

/* Static friction may be left out. */
static double coefficient_of(const request *by, enum coefficient which) {
    const char *text = by->coefficients[which];
    if (text) return coefficient_required(which, text, PRECISION_F64, false);
    if (which != FRICTION_STATIC)
        fail("%s X is missing; see impinge trace --help", coefficient_option(which));
    return 0;
}

static void read_numbers(const request *by, contact *to) {
    if (by->count == 1)
        fail("which row of %s? give --row N; see impinge trace --help", by->rest[0]);
    if (by->count < NUMBERS)
        fail("%s is missing; see impinge trace --help", number_names[by->count]);
    for (size_t i = 0; i < NUMBERS; i++)
        to->numbers[i] = number_required(number_names[i], by->rest[i], PRECISION_F64);
    for (size_t i = 0; i <= FRICTION_STATIC; i++)
        to->coefficients[i] = coefficient_of(by, (enum coefficient)i);
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

/* JSON has only null for numbers that are not finite. */
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
    const impinge_trace_input traced = input_of(&of);
    const impinge_options how = {.rule = rule_required(by.rule), .resolve_jams = by.resolve_jams};
    trace_path path =
        trace_path_of(&traced, &how, whole_required("--points", by.points, 1, 1000000));
    write_path(&path, &by);
    trace_path_free(&path);
    return EXIT_RIGHT;
}
