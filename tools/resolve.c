/* impinge resolve */
#include "commands.h"

#include <pthread.h>
#include <stdio.h>

#include "batch.h"
#include "csv.h"
#include "fail.h"
#include "format.h"
#include "load.h"
#include "output.h"
#include "parallel.h"
#include "progress.h"
#include "save.h"
#include "settings.h"
#include "verify.h"

typedef struct resolving {
    const batch *contacts;
    const impinge_options *options;
    pthread_mutex_t lock;
    impinge_status status; /* the first error; or IMPINGE_OK */
} resolving;

static void resolve_part(void *context, size_t part, size_t first, size_t count) {
    (void)part;
    resolving *work = context;
    impinge_status status = batch_resolve(work->contacts, work->options, first, count);
    if (status >= 0) return;
    pthread_mutex_lock(&work->lock);
    if (work->status >= 0) work->status = status;
    pthread_mutex_unlock(&work->lock);
}

static void resolve_batch(const batch *contacts, const settings *by) {
    resolving work = {.contacts = contacts, .options = &by->options};
    pthread_mutex_init(&work.lock, NULL);
    parallel_work all = {.verb = "resolved", .grain = 8192, .part = resolve_part, .context = &work};
    parallel_run(&all, by->threads, contacts->count);
    pthread_mutex_destroy(&work.lock);
    if (work.status < 0) fail("%s", impinge_status_text(work.status));
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

/* Returns the exit code. */
static int report(const csv_table *table, const format *of, const settings *by,
                  const batch *contacts) {
    if (!by->quiet) print_summary(table, of, by, contacts);
    if (!by->verify) return EXIT_RIGHT;
    verification found = verify_batch(contacts, &by->options, by->threads);
    return print_verification(table, &found);
}

int command_resolve(char *const *arguments) {
    settings by;
    if (!settings_read(arguments, &by)) return EXIT_RIGHT;
    progress_enable(!by.quiet);
    csv_table table = csv_read(by.input);
    const format *of = format_recognise(&table);
    batch contacts = load_batch(&table, of, by.precision, by.coefficients, by.threads);
    output_open(by.output);
    resolve_batch(&contacts, &by);
    save_batch(&table, of, &contacts, by.threads);
    output_finish();
    int code = report(&table, of, &by, &contacts);
    progress_clear();
    batch_free(&contacts);
    csv_free(&table);
    return code;
}
