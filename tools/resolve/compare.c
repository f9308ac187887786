/* impinge compare: one set of contacts by every law, side by side. */
#include "commands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collision.h"
#include "format.h"
#include "settings.h"
#include "support/csv.h"
#include "support/fail.h"

static const char help_before_options[] =
    "Usage: impinge compare IN [OPTION]...\n"
    "\n"
    "Resolves the contacts in IN (see impinge resolve --help) by every law and prints a table, a\n"
    "line for each: routh with each of its rules; brach only if impulse ratios are given;\n"
    "bilinear where the collision matrix is diagonal; composite with mix 0.5 unless another is\n"
    "given. Planar contacts: the planar law with each of its rules. '-' is standard input.\n"
    "\n"
    "  resolved    contacts that got an impulse; all that follows is about them\n"
    "  lost        energy that they lost, in J and as a share of the energy 1/2 u.K^-1 u before,\n"
    "              which is what an impulse at the contact can change\n"
    "  stuck       share without slip after it\n"
    "  reversed    share whose slip after is opposed to that before\n"
    "  normal      mean of u_n after / -u_n before: 1 keeps the speed\n"
    "  tangential  mean of -u_t after . u_t before / |u_t before|^2, of contacts that slip by\n"
    "              more than a thousandth of |u_n|: -1 keeps the slip, 0 ends it, 1 reverses it\n"
    "  outside     contacts whose impulse is outside the permissible region\n"
    "  gained      contacts that gained energy, which are among them\n"
    "\n"
    "After that, how many contacts the law could not resolve, and why.\n"
    "\n";

static const char help_after_options[] =
    "      --csv               the table as comma-separated values, shares from 0 to 1\n"
    "\n"
    "Example: impinge compare contacts.csv --tangential-restitution 0.4\n";

/*
 * With less slip than this, relative to the normal speed, slip has a direction but hardly a ratio.
 */
static const long double least_slip = 1e-3L;

/* Sums over the contacts that a law resolved, and counts of the others. */
typedef struct tally {
    size_t resolved, stuck, reversed, outside, gained;
    size_t not_diagonal, no_solution, invalid, out_of_range;
    size_t approaching, slipping; /* those that the two means below are of */
    long double energy, lost, normal, tangential;
} tally;

static void count_outcome(uint32_t outcome, tally *to) {
    to->stuck += (outcome & IMPINGE_OUTCOME_STUCK) != 0;
    to->reversed += (outcome & IMPINGE_OUTCOME_SLIP_REVERSED) != 0;
    to->outside += (outcome & IMPINGE_OUTCOME_OUTSIDE_REGION) != 0;
    to->gained += (outcome & IMPINGE_OUTCOME_ENERGY_GAINED) != 0;
}

static void count_unresolved(uint32_t outcome, tally *to) {
    if (outcome & IMPINGE_OUTCOME_NOT_DIAGONAL)
        to->not_diagonal++;
    else if (outcome & IMPINGE_OUTCOME_INVALID)
        to->invalid++;
    else if (outcome & IMPINGE_OUTCOME_NO_SOLUTION)
        to->no_solution++;
    else if (outcome & IMPINGE_OUTCOME_OUT_OF_RANGE)
        to->out_of_range++;
}

static void add_rebounds(const collision *of, tally *to) {
    const long double *before = of->contact.u;
    const long double *after = of->u;
    if (before[2] < 0) {
        to->approaching++;
        to->normal -= after[2] / before[2];
    }
    const long double slip = hypotl(before[0], before[1]);
    if (!(slip > 0 && slip >= least_slip * -before[2])) return;
    to->slipping++;
    to->tangential -= (after[0] * (before[0] / slip) + after[1] * (before[1] / slip)) / slip;
}

static tally tally_of(const batch *resolved) {
    tally sum = {0};
    for (size_t row = 0; row < resolved->count; row++) {
        collision found;
        const uint32_t outcome = resolved->outcomes[row];
        if (!(outcome & IMPINGE_OUTCOME_GOT_IMPULSE) || !collision_of(resolved, row, &found)) {
            count_unresolved(outcome, &sum);
            continue;
        }
        sum.resolved++;
        count_outcome(outcome, &sum);
        sum.energy += collision_energy(&found, found.contact.u);
        sum.lost += collision_energy_lost(&found);
        add_rebounds(&found, &sum);
    }
    return sum;
}

/* A column of the table. */
typedef struct column {
    const char *head; /* of the text, as wide as its fields; null: only in CSV */
    const char *name; /* in CSV */
    double value;     /* NaN: the column is empty */
    const char *form; /* of the text */
} column;

enum { COLUMNS = 14 };

static double ratio(long double part, long double whole) {
    return whole > 0 ? (double)(part / whole) : NAN;
}

static double share(size_t part, size_t whole) {
    return ratio((long double)part, (long double)whole);
}

static void set_columns(const tally *t, column columns[COLUMNS]) {
    const double lost = ratio(t->lost, t->energy);
    const double stuck = share(t->stuck, t->resolved);
    const double reversed = share(t->reversed, t->resolved);
    const column all[COLUMNS] = {
        {"  resolved", "resolved", (double)t->resolved, "%.0f"},
        {NULL, "energy_before", (double)t->energy, NULL},
        {"      lost J", "energy_lost", (double)t->lost, "%.6g"},
        {"  lost %", "energy_lost_share", lost, "%.2f"},
        {"  stuck %", "stuck_share", stuck, "%.2f"},
        {"  reversed %", "reversed_share", reversed, "%.2f"},
        {"   normal", "normal_rebound", ratio(t->normal, t->approaching), "%.4f"},
        {"  tangential", "tangential_rebound", ratio(t->tangential, t->slipping), "%.4f"},
        {"  outside", "outside_region", (double)t->outside, "%.0f"},
        {"  gained", "energy_gained", (double)t->gained, "%.0f"},
        {NULL, "not_diagonal", (double)t->not_diagonal, NULL},
        {NULL, "no_solution", (double)t->no_solution, NULL},
        {NULL, "invalid", (double)t->invalid, NULL},
        {NULL, "out_of_range", (double)t->out_of_range, NULL}};
    memcpy(columns, all, sizeof all);
}

/* A line of the table: a law, with the rule if that is one of several. */
typedef struct entry {
    size_t law;
    impinge_restitution_rule rule;
    bool has_rules;
} entry;

/* Room for "chatterjee-ruina" and "planar stronge", and two spaces. */
enum { LABEL_WIDTH = 18 };

static void print_label(const entry *of) {
    char label[2 * LABEL_WIDTH];
    snprintf(label, sizeof label, "%s%s%s", law_name(of->law), of->has_rules ? " " : "",
             of->has_rules ? rule_name(of->rule) : "");
    printf("%-*s", LABEL_WIDTH, label);
}

static void print_value(const column *of) {
    /* A head with "%" marks a column of shares in percent. */
    const bool percent = strchr(of->head, '%') != NULL;
    const double value = percent ? 100 * of->value : of->value;
    const size_t width = strlen(of->head);
    char text[NUMBER_SIZE];
    /* Leaves room for a blank before it: longer numbers are shown in fewer digits. */
    if ((size_t)snprintf(text, sizeof text, of->form, value) >= width)
        snprintf(text, sizeof text, "%.2g", value);
    printf("%*s", (int)width, isnan(of->value) ? "-" : text);
}

static void print_unresolved(const tally *of) {
    const struct {
        size_t count;
        const char *words;
    } reasons[] = {{of->not_diagonal, "not diagonal"},
                   {of->no_solution, "without solution"},
                   {of->invalid, "invalid"},
                   {of->out_of_range, "out of range"}};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].count) printf("  %zu %s", reasons[i].count, reasons[i].words);
}

static void print_as_text(const entry *of, const tally *t, const column columns[COLUMNS]) {
    print_label(of);
    for (size_t i = 0; i < COLUMNS; i++)
        if (columns[i].head) print_value(&columns[i]);
    print_unresolved(t);
    putchar('\n');
}

static void print_as_csv(const entry *of, const column columns[COLUMNS]) {
    printf("%s,%s", law_name(of->law), of->has_rules ? rule_name(of->rule) : "");
    for (size_t i = 0; i < COLUMNS; i++) {
        char text[NUMBER_SIZE];
        number_write(text, columns[i].value, PRECISION_F64);
        printf(",%s", text);
    }
    putchar('\n');
}

static void print_head(bool csv) {
    const tally nothing = {0};
    column columns[COLUMNS];
    set_columns(&nothing, columns);
    if (csv)
        fputs("law,rule", stdout);
    else
        printf("%-*s", LABEL_WIDTH, "law");
    for (size_t i = 0; i < COLUMNS; i++) {
        if (csv)
            printf(",%s", columns[i].name);
        else if (columns[i].head)
            fputs(columns[i].head, stdout);
    }
    putchar('\n');
}

static void compare_law(const batch *contacts, const settings *by, const entry *of, bool csv) {
    impinge_options options = by->options;
    options.rule = of->rule;
    options.law = law_option(of->law);
    batch_resolve_all(contacts, &options, by->threads);
    const tally sum = tally_of(contacts);
    column columns[COLUMNS];
    set_columns(&sum, columns);
    if (csv)
        print_as_csv(of, columns);
    else
        print_as_text(of, &sum, columns);
}

/* Without impulse ratios, Brach's law is the frictionless one. */
static bool has_ratios(const csv_header *names, const given_coefficients *given) {
    return coefficient_is_given(names, given, IMPULSE_RATIO_T1) ||
           coefficient_is_given(names, given, IMPULSE_RATIO_T2);
}

static void compare_laws(const csv_header *names, const batch *contacts, const settings *by,
                         bool csv) {
    print_head(csv);
    for (size_t law = 0; law < LAWS; law++) {
        if (batch_is_planar(contacts->kind) != (law == LAW_PLANAR)) continue;
        if (law == IMPINGE_LAW_BRACH && !has_ratios(names, &by->coefficients)) continue;
        const bool has_rules = law == IMPINGE_LAW_ROUTH || law == LAW_PLANAR;
        for (int rule = 0; rule < (has_rules ? RULES : 1); rule++) {
            const entry line = {law, (impinge_restitution_rule)rule, has_rules};
            compare_law(contacts, by, &line, csv);
        }
    }
}

int command_compare(char *const *arguments) {
    bool csv = false;
    const argument_option own[] = {{"--csv", NULL, NULL, &csv}};
    settings by = settings_read("impinge compare", arguments, own, 1);
    if (by.help) {
        fputs(help_before_options, stdout);
        settings_print_coefficients();
        putchar('\n');
        fputs(settings_help, stdout);
        fputs(help_after_options, stdout);
        return EXIT_RIGHT;
    }
    const hdf5_input *typed;
    csv_file *table = settings_open(&by, &typed);
    const csv_header *names = csv_names(table);
    const format *of = format_recognise(names);
    by.coefficients.law = LAW_EVERY;
    if (!coefficient_is_given(names, &by.coefficients, MIX)) by.coefficients.texts[MIX] = "0.5";
    load_plan plan = load_begin(names, of, by.precision, &by.coefficients);
    loaded all;
    load_all(&plan, 1, table, &all);
    compare_laws(names, &all.contacts, &by, csv);
    loaded_free(&all);
    load_end(&plan);
    csv_close(table);
    return EXIT_RIGHT;
}
