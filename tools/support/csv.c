#include "csv.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A block is so large that little time goes between blocks, and so small that it stays in a cache.
 */
enum { BLOCK_SIZE = 1 << 18 };

/* No row is longer: a quote that is never closed would take in the rest of the file. */
static const size_t row_most = (size_t)1 << 26;

/* May be read past the end of a text. */
enum { PADDING = 16 };

struct csv_file {
    input *from;
    csv_header header;
    csv_block pending; /* bytes that are read and not used yet; they begin with a row */
    bool ended;        /* there is nothing left to read */
};

/* ---- Rows and fields ---- */

/*
 * The end of the quoted part of a field that begins at `quote`: past the quote that closes it, a
 * doubled quote being part of the text. Null if nothing closes it.
 */
static const char *end_of_quotes(const char *quote, const char *end) {
    const char *at = quote + 1;
    while (at < end && (at = memchr(at, '"', (size_t)(end - at)))) {
        if (at + 1 == end || at[1] != '"') return at + 1;
        at += 2;
    }
    return NULL;
}

/* The end of the row at `start`, a newline outside quotes. Null: it is not before `end`. */
static const char *end_of_row(const char *start, const char *end, char separator, bool quoted) {
    const char *newline = memchr(start, '\n', (size_t)(end - start));
    if (!quoted || !newline || !memchr(start, '"', (size_t)(newline - start))) return newline;
    const char *at = start;
    for (;;) {
        if (at < end && *at == '"' && !(at = end_of_quotes(at, end))) return NULL;
        while (at < end && *at != separator && *at != '\n')
            at++;
        if (at == end) return NULL;
        if (*at == '\n') return at;
        at++;
    }
}

static size_t newlines_in(const char *start, const char *end) {
    size_t newlines = 0;
    for (; start < end; start++)
        newlines += *start == '\n';
    return newlines;
}

csv_cursor csv_begin(const csv_block *of) {
    return (csv_cursor){of->text, of->text + of->length, of->first_line, of->quoted};
}

bool csv_next_row(csv_cursor *from, char separator, csv_row *row) {
    if (from->at == from->end) return false;
    const char *start = from->at;
    const char *end = end_of_row(start, from->end, separator, from->quoted);
    *row = (csv_row){{start, (size_t)(end - start)}, from->line};
    if (row->text.length && end[-1] == '\r') row->text.length--;
    from->line += from->quoted ? newlines_in(start, end) + 1 : 1;
    from->at = end + 1;
    return true;
}

/* A field with quotes around it, without them; other fields as they are. */
static span without_quotes(span field) {
    if (field.length < 2 || field.start[0] != '"' || field.start[field.length - 1] != '"')
        return field;
    return (span){field.start + 1, field.length - 2};
}

bool csv_next_field(span *rest, char separator, span *field) {
    if (!rest->start) return false;
    const char *end = rest->start + rest->length;
    const char *at = rest->start;
    /* The end of the names was found without regard to separators, so a quote may be open there. */
    if (at < end && *at == '"') at = end_of_quotes(at, end);
    if (!at) at = end;
    const char *next = memchr(at, separator, (size_t)(end - at));
    const char *stop = next ? next : end;
    *field = without_quotes((span){rest->start, (size_t)(stop - rest->start)});
    *rest = next ? (span){next + 1, (size_t)(end - next - 1)} : (span){NULL, 0};
    return true;
}

place csv_place(const csv_header *header, size_t line, size_t column) {
    return (place){header->file, line, header->names[column]};
}

/* ---- Blocks ---- */

/* Makes room for some more bytes and the padding behind them. */
static void reserve(csv_block *of, size_t more) {
    const size_t wanted = of->length + more + PADDING;
    if (wanted <= of->capacity) return;
    of->capacity = wanted;
    of->text = reallocate(of->text, wanted, 1);
}

static void append(csv_block *to, const char *bytes, size_t length) {
    reserve(to, length);
    memcpy(to->text + to->length, bytes, length);
    to->length += length;
}

static noreturn void fail_for_quote(const csv_file *of, const char *row) {
    const csv_block *block = &of->pending;
    const size_t line = block->first_line + newlines_in(block->text, row);
    fail_at((place){of->header.file, line, {NULL, 0}}, "a quote is opened and never closed");
}

/* At the end of the file, the rest is a row if it lacks only the end of its line. */
static void end_last_row(csv_file *of) {
    csv_block *block = &of->pending;
    of->ended = true;
    if (block->length && block->text[block->length - 1] != '\n') {
        const char *end = of->header.end_of_line ? of->header.end_of_line : "\n";
        append(block, end, strlen(end));
    }
    const char *end = block->text + block->length;
    const char *row = block->text;
    const char *next;
    for (; row < end && (next = end_of_row(row, end, of->header.separator, block->quoted));)
        row = next + 1;
    if (row < end) fail_for_quote(of, row);
}

/* Reads on. */
static void fill(csv_file *of) {
    csv_block *block = &of->pending;
    const size_t least =
        block->length < BLOCK_SIZE / 2 ? BLOCK_SIZE - block->length : block->length;
    reserve(block, least);
    char *to = block->text + block->length;
    const size_t got = input_read(of->from, to, least);
    block->quoted = block->quoted || memchr(to, '"', got);
    block->length += got;
    if (!got) end_last_row(of);
}

/* The number of bytes of a text that are whole rows. */
static size_t whole_rows(const csv_block *of, char separator) {
    if (!of->quoted) {
        size_t length = of->length;
        while (length && of->text[length - 1] != '\n')
            length--;
        return length;
    }
    const char *at = of->text;
    const char *end = of->text + of->length;
    for (const char *next; at < end && (next = end_of_row(at, end, separator, true));)
        at = next + 1;
    return (size_t)(at - of->text);
}

/* Without the empty rows at the end: they count only if something comes after them. */
static size_t without_empty(const char *text, size_t length) {
    for (;;) {
        size_t end = length;
        if (end == 0 || text[end - 1] != '\n') return length;
        end--;
        if (end && text[end - 1] == '\r') end--;
        if (end && text[end - 1] != '\n') return length;
        length = end;
    }
}

static size_t rows_in(const csv_block *of, char separator) {
    if (!of->quoted) return newlines_in(of->text, of->text + of->length);
    size_t rows = 0;
    csv_cursor at = csv_begin(of);
    for (csv_row row; csv_next_row(&at, separator, &row);)
        rows++;
    return rows;
}

/* Hands over the first rows of the pending text, and keeps the rest. */
static void give(csv_file *from, size_t length, csv_block *to) {
    csv_block *pending = &from->pending;
    const csv_block spare = *to;
    const size_t left = pending->length - length;
    *to = *pending;
    to->length = length;
    to->rows = rows_in(to, from->header.separator);
    const size_t lines = to->quoted ? newlines_in(to->text, to->text + length) : to->rows;
    *pending = (csv_block){.text = spare.text,
                           .capacity = spare.capacity,
                           .first_row = to->first_row + to->rows,
                           .first_line = to->first_line + lines};
    append(pending, to->text + length, left);
    pending->quoted = memchr(pending->text, '"', left) != NULL;
}

/* Keeps only the first of several empty rows: if more rows follow, it is the one to report. */
static void drop_empty(csv_block *of, size_t length) {
    const size_t first = of->text[0] == '\r' ? 2 : 1;
    if (length <= first) return;
    memmove(of->text + first, of->text + length, of->length - length);
    of->length -= length - first;
}

bool csv_next_block(csv_file *from, csv_block *to) {
    csv_block *pending = &from->pending;
    const char separator = from->header.separator;
    for (;;) {
        const size_t whole = whole_rows(pending, separator);
        const size_t length = without_empty(pending->text, whole);
        if (length) {
            give(from, length, to);
            return true;
        }
        if (from->ended) return false;
        drop_empty(pending, whole);
        if (pending->length > row_most)
            fail_at((place){from->header.file, pending->first_line, {NULL, 0}},
                    "the row that begins here is longer than %zu bytes; is a quote never closed?",
                    row_most);
        fill(from);
    }
}

void csv_block_free(csv_block *of) {
    free(of->text);
    of->text = NULL;
}

/* ---- The header ---- */

/* Refuses files that begin with bytes of other formats. */
static void refuse_what_is_no_text(const csv_file *of) {
    static const struct {
        const char *bytes;
        size_t length;
        const char *words;
    } known[] = {
        {"\xFF\xFE", 2, "is UTF-16; convert it: iconv -f UTF-16 -t UTF-8"},
        {"\xFE\xFF", 2, "is UTF-16; convert it: iconv -f UTF-16 -t UTF-8"},
        {"\x1F\x8B", 2, "is gzip'd, and this build has no zlib; unpack it: gzip -d"},
        {"\x28\xB5\x2F\xFD", 4, "is packed; unpack it: zstd -d"},
        {"\xFD"
         "7zXZ",
         5, "is packed; unpack it: xz -d"},
        {"BZh", 3, "is packed; unpack it: bzip2 -d"},
        {"PK\x03\x04", 4, "is a zip archive or a spreadsheet; save it as CSV"},
        {"ITEM:", 5, "is a dump of LAMMPS; see --atoms in impinge resolve --help"},
        {"\x89HDF", 4, "is HDF5, but damaged, a pipe, or not for this build (no libhdf5)"}};
    const csv_block *begin = &of->pending;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (begin->length >= known[i].length &&
            !memcmp(begin->text, known[i].bytes, known[i].length))
            fail("%s %s", of->header.file, known[i].words);
    /* UTF-16 without a mark has a 0 in every other byte of Latin letters. */
    if (begin->length >= 2 && (!begin->text[0] || !begin->text[1]))
        fail("%s %s", of->header.file, known[0].words);
}

/* The separator that occurs most often outside quotes; the first of several equal ones. */
static char separator_of(span line) {
    static const char separators[] = {',', ';', '\t'};
    size_t counts[sizeof separators] = {0};
    const char *end = line.start + line.length;
    for (const char *at = line.start; at < end; at++) {
        if (*at == '"' && !(at = end_of_quotes(at, end))) break;
        for (size_t i = 0; at < end && i < sizeof separators; i++)
            counts[i] += *at == separators[i];
    }
    size_t best = 0;
    for (size_t i = 1; i < sizeof separators; i++)
        if (counts[i] > counts[best]) best = i;
    return separators[best];
}

/* FNV-1a. */
static uint64_t hash_of(span text) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < text.length; i++)
        hash = (hash ^ (unsigned char)text.start[i]) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

/*
 * The place of a name in the hash table, or where it would be. It holds the column plus 1, or 0 for
 * none.
 */
static size_t *place_of(const csv_header *of, span name) {
    size_t at = (size_t)hash_of(name) & (of->place_count - 1);
    while (of->places[at] && !span_equal(of->names[of->places[at] - 1], name))
        at = (at + 1) & (of->place_count - 1);
    return &of->places[at];
}

static void find_places(csv_header *of) {
    of->place_count = 16;
    while (of->place_count < 2 * of->columns)
        of->place_count *= 2;
    of->places = allocate(of->place_count, sizeof *of->places);
    for (size_t i = 0; i < of->columns; i++) {
        size_t *at = place_of(of, of->names[i]);
        if (*at) fail_at(csv_place(of, 1, i), "named twice");
        *at = i + 1;
    }
}

size_t csv_find(const csv_header *header, const char *name) {
    return *place_of(header, span_of(name)) - 1;
}

static void split_names(csv_header *of, span rest) {
    size_t capacity = 0;
    span name;
    while (csv_next_field(&rest, of->separator, &name)) {
        if (of->columns == capacity) {
            capacity = capacity ? 2 * capacity : 64;
            of->names = reallocate(of->names, capacity, sizeof *of->names);
        }
        of->names[of->columns++] = span_trimmed(name);
    }
}

/* The length of the byte order mark before a text; 0 if there is none. */
static size_t mark_of(const csv_block *text) {
    static const char mark[] = "\xEF\xBB\xBF";
    size_t length = sizeof mark - 1;
    return text->length >= length && !memcmp(text->text, mark, length) ? length : 0;
}

/* A newline outside quotes, whatever the separator is: with an even number of quotes before it. */
static const char *end_of_names(const char *at, const char *end) {
    bool inside = false;
    for (; at < end && (inside || *at != '\n'); at++)
        inside = inside != (*at == '"');
    return at < end ? at : NULL;
}

static const char *first_line_of(csv_file *of, size_t mark) {
    const csv_block *block = &of->pending;
    for (;;) {
        const char *newline = end_of_names(block->text + mark, block->text + block->length);
        if (newline || of->ended) return newline;
        if (block->length > row_most) fail("%s has no line of column names", of->header.file);
        fill(of);
    }
}

static void read_header(csv_file *of) {
    csv_header *header = &of->header;
    /* The longest of the signatures. */
    while (of->pending.length < 5 && !of->ended)
        fill(of);
    refuse_what_is_no_text(of);
    const size_t mark = mark_of(&of->pending);
    const char *newline = first_line_of(of, mark);
    if (!newline) fail_at((place){header->file, 1, {NULL, 0}}, "no line of column names");
    const bool returns = newline > of->pending.text && newline[-1] == '\r';
    header->end_of_line = returns ? "\r\n" : "\n";
    header->length = (size_t)(newline - of->pending.text) - returns;
    header->line = allocate(header->length + 1, 1);
    memcpy(header->line, of->pending.text, header->length);
    const span names = {header->line + mark, header->length - mark};
    header->separator = separator_of(names);
    split_names(header, names);
    if (header->columns == 1 && !header->names[0].length)
        fail_at((place){header->file, 1, {NULL, 0}}, "no line of column names");
    find_places(header);
    const size_t taken = (size_t)(newline + 1 - of->pending.text);
    of->pending.first_line = 1 + newlines_in(of->pending.text, newline + 1);
    of->pending.length -= taken;
    memmove(of->pending.text, newline + 1, of->pending.length);
    of->pending.quoted = memchr(of->pending.text, '"', of->pending.length) != NULL;
}

csv_file *csv_open(const char *path) { return csv_open_input(input_open(path)); }

csv_file *csv_open_input(input *from) {
    csv_file *made = allocate(1, sizeof *made);
    made->from = from;
    made->header.file = input_name(made->from);
    made->header.separator = ',';
    made->pending.first_line = 1;
    read_header(made);
    return made;
}

void csv_close(csv_file *of) {
    input_close(of->from);
    free(of->header.line);
    free(of->header.names);
    free(of->header.places);
    csv_block_free(&of->pending);
    free(of);
}

const csv_header *csv_names(const csv_file *of) { return &of->header; }

double csv_share(const csv_file *of) { return input_share(of->from); }
