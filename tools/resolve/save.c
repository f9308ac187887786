#include "save.h"

#include <stdlib.h>
#include <string.h>

#include "support/decimal.h"

void text_free(text *of) {
    free(of->bytes);
    of->bytes = NULL;
}

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

void save_header(const csv_header *names, const format *of, text *to) {
    const span separator = {&names->separator, 1};
    text_add(to, (span){names->line, names->length});
    for (size_t i = 0; i < batch_output_count(of->kind); i++) {
        text_add(to, separator);
        text_add(to, span_of(of->outputs[i]));
    }
    text_add(to, separator);
    text_add(to, span_of("outcome"));
    text_add(to, span_of(names->end_of_line));
}

/* Most contacts have one of a few outcomes: the last ones' words are kept. */
enum { KEPT_OUTCOMES = 64 };

typedef struct outcome_words {
    uint32_t outcome;
    size_t length; /* 0: no text is kept */
    char text[IMPINGE_OUTCOME_TEXT_SIZE];
} outcome_words;

static size_t write_outcome(outcome_words kept[KEPT_OUTCOMES], uint32_t outcome, char *to) {
    /* The low bits are events, the high ones reasons of errors. */
    outcome_words *words = &kept[(outcome ^ outcome >> 7 ^ outcome >> 16) % KEPT_OUTCOMES];
    if (!words->length || words->outcome != outcome) {
        words->outcome = outcome;
        words->length = impinge_outcome_text(outcome, words->text, sizeof words->text);
    }
    memcpy(to, words->text, words->length);
    return words->length;
}

static char *write_numbers(const batch *from, size_t row, char separator, char *to) {
    const size_t outputs = batch_output_count(from->kind);
    for (size_t i = 0; i < outputs; i++) {
        const void *elements = from->outputs[i].elements;
        *to++ = separator;
        to += from->precision == PRECISION_F32
                  ? decimal_write_f32(to, ((const float *)elements)[row])
                  : decimal_write_f64(to, ((const double *)elements)[row]);
    }
    return to;
}

/* A row keeps its end of line. One that had none has been given the header's. */
static char *write_end(const csv_row *row, char *to) {
    if (row->text.start[row->text.length] == '\r') *to++ = '\r';
    *to++ = '\n';
    return to;
}

void save_rows(const csv_header *names, const csv_row *rows, const batch *from, text *to) {
    outcome_words *kept = allocate(KEPT_OUTCOMES, sizeof *kept);
    const size_t most =
        batch_output_count(from->kind) * (1 + DECIMAL_SIZE) + 1 + IMPINGE_OUTCOME_TEXT_SIZE + 2;
    for (size_t i = 0; i < from->count; i++) {
        text_add(to, rows[i].text);
        char *start = text_room(to, most);
        char *end = write_numbers(from, i, names->separator, start);
        *end++ = names->separator;
        end += write_outcome(kept, from->outcomes[i], end);
        end = write_end(&rows[i], end);
        to->length += (size_t)(end - start);
    }
    free(kept);
}
