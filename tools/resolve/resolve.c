/* impinge resolve */
#include "commands.h"

#include <stdio.h>

#include "format.h"
#include "save.h"
#include "settings.h"
#include "support/csv.h"
#include "support/fail.h"
#include "support/output.h"
#include "support/progress.h"
#include "verify.h"

static const char help_before_laws[] =
    "Usage: impinge resolve IN -o OUT [OPTION]...\n"
    "\n"
    "Resolves the contacts in IN, a file of comma-separated values whose first line names the\n"
    "columns, and writes OUT: the rows of IN as they are, and after them the impulse, the\n"
    "velocities after, the works and the outcome of each contact. '-' is standard input or "
    "output.\n"
    "\n"
    "Columns, in any order, others are carried through (SI units or any consistent ones):\n"
    "  contact space    k11 k12 k13 k22 k23 k33 u1 u2 u3 (axes t1, t2, n; u3 < 0 approaches)\n"
    "  body pairs       inv_mass_S, inv_inertia_S_{xx,xy,xz,yy,yz,zz}, arm_S_{x,y,z},\n"
    "                   velocity_S_{x,y,z}, angular_velocity_S_{x,y,z} for bodies S = a and b;\n"
    "                   normal_{x,y,z} from b to a; with orientation_S_{w,x,y,z}, a unit\n"
    "                   quaternion, the inertia and the angular velocities of S, before and\n"
    "                   after, are in the body's own frame\n"
    "  sphere pairs     radius_S, mass_S, position_S_{x,y,z}, velocity_S_{x,y,z},\n"
    "                   angular_velocity_S_{x,y,z}\n"
    "  planar contacts  ktt ktn knn ut un (axes t, n)\n"
    "  planar pairs     inv_mass_S, inv_inertia_S, arm_S_{x,y}, velocity_S_{x,y},\n"
    "                   angular_velocity_S (anticlockwise); normal_{x,y} from b to a\n"
    "\n";

static const char help_laws[] =
    "\n"
    "A law needs restitution and friction; frictionless needs no friction, and no restitution if\n"
    "it has a damping fraction. Coefficients that a law does not have do nothing; their columns\n"
    "are carried through like any other.\n"
    "\n"
    "  -o, --output OUT        where to write; complete or not there at all\n"
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
    fputs(settings_coefficient_help, stdout);
    fputs(help_laws, stdout);
    fputs(settings_help, stdout);
    fputs(
        "      --verify            compare with the slow reference; exit code 1 if it is too far\n"
        "  -q, --quiet             no summary and no progress on standard error\n"
        "\n"
        "Laws:\n",
        stdout);
    law_print_list();
    fputs(help_after_laws, stdout);
}

/* The number of contacts with an outcome, as words, and where the first is; nothing for none. */
static void print_count(const csv_table *table, const batch *contacts, impinge_outcome outcome,
                        const char *word) {
    size_t count = 0;
    size_t first = 0;
    for (size_t row = contacts->count; row-- > 0;) {
        if (!(contacts->outcomes[row] & (uint32_t)outcome)) continue;
        first = row;
        count++;
    }
    if (count)
        fprintf(stderr, ", %zu %s (the first in line %zu)", count, word, table->rows[first].line);
    else if (outcome == IMPINGE_OUTCOME_INVALID)
        fprintf(stderr, ", 0 %s", word);
}

static void print_summary(const csv_table *table, const format *of, const settings *by,
                          const batch *contacts) {
    progress_clear();
    fprintf(stderr, "impinge: %zu contacts (%s, %s, target %s)", contacts->count, of->title,
            precision_name(by->precision), by->target);
    print_count(table, contacts, IMPINGE_OUTCOME_INVALID, "invalid");
    print_count(table, contacts, IMPINGE_OUTCOME_OUT_OF_RANGE, "out of range");
    fputc('\n', stderr);
}

/* Returns the exit code. */
static int print_verification(const csv_table *table, const verification *found) {
    progress_clear();
    fprintf(stderr, "impinge: %zu impulses compared with the reference", found->compared);
    if (found->compared)
        fprintf(stderr, "; largest relative error %.2g in line %zu, allowed there %.2g",
                found->largest.error, table->rows[found->largest.row].line, found->largest.allowed);
    fputc('\n', stderr);
    if (!found->failed) return EXIT_RIGHT;
    fprintf(stderr,
            "impinge: %zu impulses are farther from it than allowed; the worst, in line %zu, by "
            "%.2g where %.2g is allowed\n",
            found->failed, table->rows[found->worst.row].line, found->worst.error,
            found->worst.allowed);
    return EXIT_NOT_VERIFIED;
}

/* What only this command is told. */
typedef struct request {
    const char *output, *law, *rule;
    bool verify, quiet;
} request;

/* Returns the exit code. */
static int report(const csv_table *table, const format *of, const settings *by,
                  const request *asked, const batch *contacts) {
    if (!asked->quiet) print_summary(table, of, by, contacts);
    if (!asked->verify) return EXIT_RIGHT;
    verification found = verify_batch(contacts, &by->options, by->threads);
    return print_verification(table, &found);
}

/* Columns say what the contacts are; a law that is named must be one for them. */
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
static int resolve_file(settings *by, const request *asked) {
    csv_table table = csv_read(by->input);
    const format *of = format_recognise(&table);
    by->coefficients.law = law_for(of, asked->law);
    by->options.law = law_option(by->coefficients.law);
    batch contacts = load_batch(&table, of, by->precision, &by->coefficients, by->threads);
    output_open(asked->output);
    batch_resolve_all(&contacts, &by->options, by->threads);
    save_batch(&table, of, &contacts, by->threads);
    output_finish();
    int code = report(&table, of, by, asked, &contacts);
    batch_free(&contacts);
    csv_free(&table);
    return code;
}

int command_resolve(char *const *arguments) {
    request asked = {.rule = rule_name(IMPINGE_RULE_STRONGE)};
    const argument_option own[] = {{"--output", "-o", &asked.output, NULL},
                                   {"--law", NULL, &asked.law, NULL},
                                   {"--rule", NULL, &asked.rule, NULL},
                                   {"--verify", NULL, NULL, &asked.verify},
                                   {"--quiet", "-q", NULL, &asked.quiet}};
    settings by = settings_read("impinge resolve", arguments, own, sizeof own / sizeof *own);
    if (by.help) {
        print_help();
        return EXIT_RIGHT;
    }
    if (!asked.output) fail("where to? give -o OUT, or -o - for standard output");
    /* Wrong names are found before a large file is read. */
    by.options.rule = rule_required(asked.rule);
    if (asked.law) law_required(asked.law);
    progress_enable(!asked.quiet);
    int code = resolve_file(&by, &asked);
    progress_clear();
    return code;
}
