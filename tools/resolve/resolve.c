/* impinge resolve */
#include "commands.h"

#include <stdio.h>

#include "format.h"
#include "settings.h"
#include "stream.h"
#include "support/fail.h"
#include "support/output.h"
#include "support/progress.h"

static const char help_before_laws[] =
    "Usage: impinge resolve IN -o OUT [OPTION]...\n"
    "\n"
    "Resolves the contacts in IN, a file of comma-separated values whose first line names the\n"
    "columns, and writes OUT: the rows of IN as they are, and after them the impulse, the\n"
    "velocities after, the works and the outcome of each contact. '-' is standard input or "
    "output.\n"
    "\n"
    "A row is written as soon as it is resolved; of a file of any length little is in memory. "
    "What\n"
    "separates values may be ',', ';' or a tab; IN may be gzip'd. IN may be HDF5, each column a\n"
    "dataset of one dimension in the root group; OUT is HDF5 if its name ends in .h5 or .hdf5.\n"
    "\n"
    "Columns, in any order, others are carried through (SI units or any consistent ones). Contact\n"
    "space has axes t1, t2, n, and u3 < 0 approaches; planar contacts t, n. Normals point from b "
    "to\n"
    "a; angular velocities of the plane are anticlockwise. Orientations are unit quaternions: "
    "with\n"
    "them, inertia and angular velocities, before and after, are in the body's own frame.\n"
    "\n";

static const char help_laws[] =
    "\n"
    "A law needs restitution and friction; frictionless needs no friction, and no restitution if\n"
    "it has a damping fraction. Coefficients that a law does not have do nothing; their columns\n"
    "are carried through like any other.\n"
    "\n"
    "  -o, --output OUT        where to write; complete or not there at all: a new file takes the\n"
    "                          name, also from a file that is read-only or has other hard links,\n"
    "                          which keep the old content\n"
    "      --law LAW           one of those below\n"
    "      --rule RULE         of restitution: stronge (the default), poisson or newton\n";

static const char help_after_laws[] =
    "\n"
    "A contact whose numbers make no sense (nan, a negative mass, ...) gets no impulse and an\n"
    "outcome that begins with 'invalid'; a field that is no number ends the program with its line\n"
    "and column, and exit code 2.\n"
    "\n"
    "Example: impinge resolve spheres.csv -o resolved.csv --restitution 0.9 --friction 0.4\n";

static void print_help(void) {
    fputs(help_before_laws, stdout);
    format_print_list();
    putchar('\n');
    settings_print_coefficients();
    fputs(help_laws, stdout);
    fputs(settings_help, stdout);
    fputs(
        "      --verify            compare with the slow reference; exit code 1 if it is too far\n"
        "      --verify-every N    compare every Nth contact only\n"
        "  -q, --quiet             no summary and no progress on standard error\n"
        "\n"
        "Laws:\n",
        stdout);
    law_print_list();
    fputs(help_after_laws, stdout);
}

static size_t bit_of(uint32_t outcome) {
    size_t bit = 0;
    for (; !(outcome & 1); outcome >>= 1)
        bit++;
    return bit;
}

/* Prints the number of invalid contacts, the line of the first, and the reasons. */
static void print_invalid(const stream_summary *of) {
    const stream_count *invalid = &of->outcomes[bit_of(IMPINGE_OUTCOME_INVALID)];
    fprintf(stderr, ", %zu invalid", invalid->count);
    if (!invalid->count) return;
    fprintf(stderr, " (the first in line %zu; ", invalid->first_line);
    const char *separator = "";
    for (size_t bit = 0; bit < OUTCOME_BITS; bit++) {
        char word[IMPINGE_OUTCOME_TEXT_SIZE];
        if (!of->outcomes[bit].count || !(IMPINGE_OUTCOME_INVALID_REASONS & (uint32_t)1 << bit))
            continue;
        impinge_outcome_text((uint32_t)1 << bit, word, sizeof word);
        fprintf(stderr, "%s%zu %s", separator, of->outcomes[bit].count, word);
        separator = ", ";
    }
    fputc(')', stderr);
}

static void print_summary(const load_plan *plan, const settings *by, const stream_summary *of) {
    const stream_count *far = &of->outcomes[bit_of(IMPINGE_OUTCOME_OUT_OF_RANGE)];
    progress_clear();
    fprintf(stderr, "impinge: %zu contacts (%s, %s, target %s)", of->contacts, plan->format->title,
            precision_name(by->precision), by->target);
    print_invalid(of);
    if (far->count)
        fprintf(stderr, ", %zu out of range (the first in line %zu)", far->count, far->first_line);
    fputc('\n', stderr);
}

/* Returns the exit code. */
static int print_verification(const verification *found) {
    progress_clear();
    fprintf(stderr, "impinge: %zu impulses compared with the reference", found->compared);
    if (found->compared)
        fprintf(stderr, "; largest relative error %.2g in line %zu, allowed there %.2g",
                found->largest.error, found->largest.line, found->largest.allowed);
    fputc('\n', stderr);
    if (!found->failed) return EXIT_RIGHT;
    fprintf(stderr,
            "impinge: %zu impulses are farther from it than allowed; the worst, in line %zu, by "
            "%.2g where %.2g is allowed\n",
            found->failed, found->worst.line, found->worst.error, found->worst.allowed);
    return EXIT_NOT_VERIFIED;
}

/* Options that only this command has. */
typedef struct own_options {
    const char *output, *law, *rule;
    bool verify, quiet;
    size_t verify_every; /* 0: no row is verified */
} own_options;

/* The columns decide the kind of contacts; a law that is named must apply to it. */
static size_t law_for(const format *of, const char *named) {
    const bool planar = batch_is_planar(of->kind);
    if (!named) return planar ? (size_t)LAW_PLANAR : (size_t)IMPINGE_LAW_ROUTH;
    const size_t law = law_required(named);
    if (planar != (law == LAW_PLANAR))
        fail("--law %s: the columns are those of %s, which %s", named, of->title,
             planar ? "only --law planar resolves" : "every law but planar resolves");
    return law;
}

/* Returns the exit code. */
static int resolve_file(settings *by, const own_options *chosen) {
    const hdf5_input *typed;
    csv_file *table = settings_open(by, &typed);
    const format *of = format_recognise(csv_names(table));
    format_refuse_output_names(of, csv_names(table));
    by->coefficients.law = law_for(of, chosen->law);
    by->options.law = law_option(by->coefficients.law);
    load_plan plan = load_begin(csv_names(table), of, by->precision, &by->coefficients);
    output_open(chosen->output);
    const hdf5_request columns_of = {.plan = &plan,
                                     .typed = typed,
                                     .law = law_name(by->coefficients.law),
                                     .rule = rule_name(by->options.rule)};
    const stream_request how = {.plan = &plan,
                                .options = &by->options,
                                .threads = by->threads,
                                .verify_every = chosen->verify_every,
                                .columns_to =
                                    hdf5_is_named(chosen->output) ? hdf5_begin(&columns_of) : NULL};
    const stream_summary sum = stream_resolve(table, &how);
    output_finish();
    if (!chosen->quiet) print_summary(&plan, by, &sum);
    load_end(&plan);
    csv_close(table);
    return chosen->verify_every ? print_verification(&sum.verified) : EXIT_RIGHT;
}

int command_resolve(char *const *arguments) {
    own_options chosen = {.rule = rule_name(IMPINGE_RULE_STRONGE)};
    const char *every = NULL;
    const argument_option own[] = {
        {"--output", "-o", &chosen.output, NULL}, {"--law", NULL, &chosen.law, NULL},
        {"--rule", NULL, &chosen.rule, NULL},     {"--verify", NULL, NULL, &chosen.verify},
        {"--verify-every", NULL, &every, NULL},   {"--quiet", "-q", NULL, &chosen.quiet}};
    settings by = settings_read("impinge resolve", arguments, own, sizeof own / sizeof *own);
    if (by.help) {
        print_help();
        return EXIT_RIGHT;
    }
    if (!chosen.output) fail("where to? give -o OUT, or -o - for standard output");
    /* Wrong names are found before a large file is read. */
    by.options.rule = rule_required(chosen.rule);
    if (chosen.law) law_required(chosen.law);
    chosen.verify_every =
        every ? whole_required("--verify-every", every, 1, UINT64_MAX) : chosen.verify;
    progress_enable(!chosen.quiet);
    int code = resolve_file(&by, &chosen);
    progress_clear();
    return code;
}
