#include "save.h"

#include <stdlib.h>
#include <string.h>

#include "support/output.h"
#include "support/parallel.h"

/* Text that grows; each thread fills one of its own. */
typedef struct text {
    char *bytes;
    size_t length, capacity;
} text;

typedef struct saving {
    const csv_table *table;
    const batch *from;
    text *parts;
} saving;

/* Makes room for some more bytes, and returns where they go. */
static char *text_room(text *to, size_t more) {
    if (to->capacity - to->length < more) {
        to->capacity = 2 * to->capacity + more;
        to->bytes = reallocate(to->bytes, to->capacity, 1);
    }
    return to->bytes + to->length;
}

static void text_add(text *to, span added) {
    memcpy(text_room(to, added.length), added.start, added.length);
    to->length += added.length;
}

static void add_number(text *to, double value, precision of) {
    char *room = text_room(to, 1 + NUMBER_SIZE);
    room[0] = ',';
    to->length += 1 + number_write(room + 1, value, of);
}

static void add_outcome(text *to, uint32_t outcome) {
    char *room = text_room(to, 1 + IMPINGE_OUTCOME_TEXT_SIZE);
    room[0] = ',';
    to->length += 1 + impinge_outcome_text(outcome, room + 1, IMPINGE_OUTCOME_TEXT_SIZE);
}

static void save_part(void *context, size_t part, size_t first, size_t count) {
    const saving *work = context;
    const batch *from = work->from;
    text *to = &work->parts[part];
    to->length = 0;
    for (size_t row = first; row < first + count; row++) {
        text_add(to, work->table->rows[row].text);
        for (size_t i = 0; i < batch_outputs(from->kind); i++)
            add_number(to, numbers_get(&from->outputs[i], row), from->precision);
        add_outcome(to, from->outcomes[row]);
        text_add(to, span_of(csv_end_of_line(work->table, &work->table->rows[row])));
    }
}

static void write_parts(void *context, size_t parts) {
    const saving *work = context;
    for (size_t i = 0; i < parts; i++)
        output_write((span){work->parts[i].bytes, work->parts[i].length});
}

static void write_header(const csv_table *table, const format *of, size_t outputs) {
    output_write((span){table->text, table->mark});
    output_write(table->header.text);
    for (size_t i = 0; i < outputs; i++) {
        output_text(",");
        output_text(of->outputs[i]);
    }
    output_text(",outcome");
    output_text(csv_end_of_line(table, &table->header));
}

void save_batch(const csv_table *table, const format *of, const batch *from, size_t threads) {
    saving work = {table, from, allocate(threads, sizeof *work.parts)};
    write_header(table, of, batch_outputs(from->kind));
    parallel_work all = {
        .verb = "wrote", .grain = 8192, .part = save_part, .after = write_parts, .context = &work};
    parallel_run(&all, threads, table->count);
    for (size_t i = 0; i < threads; i++)
        free(work.parts[i].bytes);
    free(work.parts);
}
