/* impinge survey: one set of contacts by every target in both precisions, side by side. */
#define _POSIX_C_SOURCE 200809L
#include "commands.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collision.h"
#include "load.h"
#include "support/arguments.h"
#include "support/fail.h"
#include "table.h"
#include "verify.h"

static const char help[] =
    "Usage: impinge survey IN [--restitution X] [--friction X] [--friction-static X]\n"
    "\n"
    "Resolves the contacts in IN (see impinge resolve --help) by Routh's law with Stronge's\n"
    "restitution, with every target that this CPU has, in f32 and f64, in one thread. Prints the\n"
    "outcomes of the contacts, where the energy went, how far the impulses are from the reference, "
    "how\n"
    "fast each target is, and whether all of them agree bit for bit. Exit code 1: they do not, or\n"
    "an impulse is too far from the reference.\n";

/* Long enough for a timer's resolution not to matter; the median of so many runs is quoted. */
static const double seconds_of_a_run = 0.05;
enum { RUNS = 7 };

/* All the bytes that a target wrote for a batch, one output after the other. */
typedef struct written {
    unsigned char *bytes;
    size_t size;
} written;

static written copy_written(const batch *from) {
    const size_t outputs = batch_output_count(from->kind);
    const size_t element = from->precision == PRECISION_F32 ? sizeof(float) : sizeof(double);
    const size_t column = from->count * element;
    const size_t outcomes = from->count * sizeof *from->outcomes;
    written copy = {.size = outputs * column + outcomes};
    copy.bytes = allocate(copy.size + 1, 1);
    for (size_t i = 0; i < outputs; i++)
        memcpy(copy.bytes + i * column, from->outputs[i].elements, column);
    memcpy(copy.bytes + outputs * column, from->outcomes, outcomes);
    return copy;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void resolve_all(const batch *contacts) {
    const impinge_status status = batch_resolve(contacts, NULL, 0, contacts->count);
    if (status < 0) fail("%s", impinge_status_text(status));
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Contacts per second, the median of several runs. */
static double speed(const batch *contacts) {
    double speeds[RUNS];
    for (int i = 0; i < RUNS; i++) {
        size_t resolved = 0;
        const double start = now();
        double elapsed;
        do {
            resolve_all(contacts);
            resolved += contacts->count;
            elapsed = now() - start;
        } while (elapsed < seconds_of_a_run);
        speeds[i] = (double)resolved / elapsed;
    }
    qsort(speeds, RUNS, sizeof *speeds, by_size);
    return speeds[RUNS / 2];
}

/* The energy that a contact impulse can change, 1/2 u.K^-1 u, summed over contacts; in J. */
typedef struct energies {
    double before, after, restitution, friction;
} energies;

static energies add_up(const batch *resolved) {
    const size_t works = batch_works(resolved->kind);
    energies sum = {0};
    for (size_t row = 0; row < resolved->count; row++) {
        collision found;
        if (!collision_of(resolved, row, &found)) continue;
        sum.before += (double)collision_energy(&found, found.contact.u);
        sum.after += (double)collision_energy(&found, found.u);
        sum.restitution -= numbers_get(&resolved->outputs[works], row) +
                           numbers_get(&resolved->outputs[works + 1], row);
        sum.friction -= numbers_get(&resolved->outputs[works + 2], row);
    }
    return sum;
}

static void print_outcomes(const batch *resolved) {
    printf("  outcomes   ");
    const char *separator = "";
    for (uint32_t bit = 1; bit; bit <<= 1) {
        size_t count = 0;
        for (size_t row = 0; row < resolved->count; row++)
            count += (resolved->outcomes[row] & bit) != 0;
        if (count == 0) continue;
        char word[IMPINGE_OUTCOME_TEXT_SIZE];
        impinge_outcome_text(bit, word, sizeof word);
        printf("%s%s %zu", separator, word, count);
        separator = ", ";
    }
    printf("\n");
}

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

static void print_energies(const energies *e) {
    const double rest = e->before - e->after - e->restitution - e->friction;
    printf("  energy     %.6g J before, %.6g J after; lost to restitution %.6g (%.1f %%), to "
           "friction %.6g (%.1f %%), unaccounted %.1g\n",
           e->before, e->after, e->restitution, percent(e->restitution, e->before), e->friction,
           percent(e->friction, e->before), rest);
}

static bool print_errors(const batch *resolved) {
    const impinge_options defaults = {0};
    const verify_rows all = {.every = 1};
    const verification found = verify_batch(resolved, &defaults, &all);
    printf("  reference  largest relative error of an impulse %.2g, where its condition allows "
           "%.2g; %zu of %zu too far\n",
           found.largest.error, found.largest.allowed, found.failed, found.compared);
    return found.failed == 0;
}

/* The first target's results, to which the others are held. */
typedef struct comparison {
    const char *name;
    written results;
    bool agree;
    double speeds[8]; /* by target */
} comparison;

static void run_target(const batch *contacts, size_t target, comparison *with) {
    const char *name = impinge_target_name(target);
    if (!impinge_target_available(target)) {
        printf("  %-9s  not on this machine\n", name);
        return;
    }
    impinge_target_select(name);
    resolve_all(contacts);
    const written results = copy_written(contacts);
    with->speeds[target] = speed(contacts);
    if (!with->name) {
        with->name = name;
        with->results = results;
        return;
    }
    const bool same = memcmp(results.bytes, with->results.bytes, results.size) == 0;
    if (!same) printf("  %-9s  other bits than %s\n", name, with->name);
    with->agree = with->agree && same;
    free(results.bytes);
}

static void print_speeds(const comparison *of) {
    const size_t scalar = impinge_target_count() - 1; /* the last resort is the last in the list */
    for (size_t i = 0; i < impinge_target_count(); i++)
        if (of->speeds[i] > 0)
            printf("  %-9s  %8.3f million contacts/s, %6.1f x scalar\n", impinge_target_name(i),
                   1e-6 * of->speeds[i], of->speeds[i] / of->speeds[scalar]);
    printf("  bits       %s\n", of->agree ? "all targets agree bit for bit" : "TARGETS DIFFER");
}

static bool survey(const char *file, const format *of, precision in, const batch *contacts) {
    printf("%s in %s: %zu contacts (%s)\n", file, precision_name(in), contacts->count, of->title);
    comparison all = {.agree = true};
    for (size_t i = 0; i < impinge_target_count(); i++)
        run_target(contacts, i, &all);
    print_speeds(&all);
    print_outcomes(contacts);
    const energies sum = add_up(contacts);
    print_energies(&sum);
    const bool right = print_errors(contacts);
    free(all.results.bytes);
    return right && all.agree;
}

int command_survey(char *const *arguments) {
    const char *path = NULL;
    given_coefficients coefficients = {.law = IMPINGE_LAW_ROUTH};
    bool wants_help = false;
    const argument_option options[] = {
        {"--restitution", NULL, &coefficients.texts[RESTITUTION], NULL},
        {"--friction", NULL, &coefficients.texts[FRICTION], NULL},
        {"--friction-static", NULL, &coefficients.texts[FRICTION_STATIC], NULL},
        {"--help", "-h", NULL, &wants_help}};
    arguments_read("impinge survey", arguments, options, sizeof options / sizeof *options, &path,
                   1);
    if (wants_help) {
        fputs(help, stdout);
        return EXIT_RIGHT;
    }
    if (!path) fail("which file? see impinge survey --help");
    csv_file *table = table_open(path, NULL);
    const csv_header *names = csv_names(table);
    const format *of = format_recognise(names);
    /* A row in f64, rounded once more, is not the row in f32: each is read from the text. */
    enum { PRECISIONS = 2 };
    load_plan plans[PRECISIONS];
    loaded all[PRECISIONS];
    for (size_t i = 0; i < PRECISIONS; i++)
        plans[i] = load_begin(names, of, (precision)i, &coefficients);
    load_all(plans, PRECISIONS, table, all);
    if (all[0].contacts.count == 0)
        fail("%s has no contacts, only the names of columns", names->file);
    bool right = true;
    for (size_t i = 0; i < PRECISIONS; i++) {
        right = survey(names->file, of, (precision)i, &all[i].contacts) && right;
        loaded_free(&all[i]);
        load_end(&plans[i]);
    }
    csv_close(table);
    return right ? EXIT_RIGHT : EXIT_NOT_VERIFIED;
}
