#include "lammps.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "support/decimal.h"
#include "support/fail.h"
#include "support/number.h"

/* ---- Lines ---- */

/* A file, line by line. */
typedef struct lines {
    input *from;
    char *text;
    size_t begin, end, capacity; /* bytes that are read and not used yet */
    size_t last;                 /* where the last line that was given begins */
    size_t number;               /* of the last line that was given */
    bool ended;
} lines;

/* The size of a read, and the bytes past the end of a text that may be read. */
enum { CHUNK = 1 << 16, PADDING = 16 };

static place place_of(const lines *of) {
    return (place){input_name(of->from), of->number, {NULL, 0}};
}

static void read_on(lines *of) {
    /* Before the first read there is no text to move, and no place for it. */
    if (of->end > of->begin) memmove(of->text, of->text + of->begin, of->end - of->begin);
    of->end -= of->begin;
    of->begin = 0;
    if (of->capacity < of->end + CHUNK + PADDING) {
        of->capacity = 2 * of->end + CHUNK + PADDING;
        of->text = reallocate(of->text, of->capacity, 1);
    }
    const size_t got = input_read(of->from, of->text + of->end, CHUNK);
    of->end += got;
    of->ended = got == 0;
    if (of->ended && of->end && of->text[of->end - 1] != '\n') of->text[of->end++] = '\n';
}

/* Reads the next line without its end; false: there is none. */
static bool next_line(lines *of, span *line) {
    const char *newline = NULL;
    for (;;) {
        const size_t length = of->end - of->begin;
        newline = length ? memchr(of->text + of->begin, '\n', length) : NULL;
        if (newline || of->ended) break;
        read_on(of);
    }
    if (!newline) return false;
    of->last = of->begin;
    *line = (span){of->text + of->begin, (size_t)(newline - of->text) - of->begin};
    of->begin += line->length + 1;
    of->number++;
    if (line->length && line->start[line->length - 1] == '\r') line->length--;
    return true;
}

/* The last line is to be read again. */
static void put_back(lines *of) {
    of->begin = of->last;
    of->number--;
}

static span line_required(lines *of) {
    span line;
    if (!next_line(of, &line)) fail_at(place_of(of), "the dump ends in the middle of a frame");
    return line;
}

/* Reads the next word of a line; false: there is none. */
static bool next_word(span *rest, span *word) {
    *rest = span_trimmed(*rest);
    if (!rest->length) return false;
    size_t length = 0;
    while (length < rest->length && rest->start[length] != ' ' && rest->start[length] != '\t')
        length++;
    *word = (span){rest->start, length};
    *rest = (span){rest->start + length, rest->length - length};
    return true;
}

static span word_required(const lines *of, span *rest) {
    span word;
    if (!next_word(rest, &word)) fail_at(place_of(of), "the line is too short");
    return word;
}

static double number_in(const lines *of, span word) {
    double value;
    const char *end = decimal_read_f64(word.start, &value);
    if (end == word.start + word.length) return value;
    char shown[SPAN_SHOWN_SIZE];
    const number_fault fault = number_read(word, PRECISION_F64, &value);
    if (fault != NUMBER_RIGHT)
        fail_at(place_of(of), "'%s' %s", span_show(word, shown),
                number_fault_text(fault, PRECISION_F64));
    return value;
}

/* A count or an id, which a double represents exactly. */
static double whole_number_in(const lines *of, span word, const char *fault) {
    const double value = number_in(of, word);
    if (!(value >= 0 && value <= 0x1p53 && value == trunc(value)))
        fail_at(place_of(of), "%s", fault);
    return value;
}

/* ---- Frames ---- */

/* The header of a frame. */
typedef struct frame {
    uint64_t step;
    size_t count;
    double period[3]; /* 0: that direction is not periodic */
} frame;

static bool begins(span line, const char *words) {
    const size_t length = strlen(words);
    return line.length >= length && !memcmp(line.start, words, length);
}

static size_t count_in(lines *of) {
    span line = line_required(of);
    return (size_t)whole_number_in(of, word_required(of, &line), "this is no count");
}

/* "ITEM: BOX BOUNDS pp ff ff", then a line of low and high for each direction. */
static void read_box(lines *of, span line, frame *to) {
    span word, kinds[3];
    size_t count = 0;
    line =
        (span){line.start + strlen("ITEM: BOX BOUNDS"), line.length - strlen("ITEM: BOX BOUNDS")};
    /* Boxes with other angles have the tilts xy, xz and yz before. */
    for (; next_word(&line, &word); count++)
        if (count < 3) kinds[count] = word;
    if (count != 3)
        fail_at(place_of(of), "only boxes with right angles are known: BOX BOUNDS pp pp pp");
    for (size_t axis = 0; axis < 3; axis++) {
        const bool periodic = kinds[axis].start[0] == 'p';
        span bounds = line_required(of);
        const double low = number_in(of, word_required(of, &bounds));
        const double high = number_in(of, word_required(of, &bounds));
        if (!(low <= high)) fail_at(place_of(of), "the box ends before it begins");
        to->period[axis] = periodic ? high - low : 0;
    }
}

/* What a frame has before its columns. */
enum { HAS_STEP = 1, HAS_COUNT = 2, HAS_BOX = 4 };

static void check_header(const lines *of, unsigned has) {
    if (!(has & HAS_STEP)) fail_at(place_of(of), "the frame has no TIMESTEP");
    if (!(has & HAS_COUNT)) fail_at(place_of(of), "the frame has no NUMBER OF");
    if (!(has & HAS_BOX)) fail_at(place_of(of), "the frame has no BOX BOUNDS");
}

/*
 * Reads up to the line that names the columns, "ITEM: ENTRIES ..." or "ITEM: ATOMS ...", whose rest
 * goes to *names. False: there is no frame any more.
 */
static bool next_frame(lines *of, const char *kind, frame *to, span *names) {
    span line;
    bool begun = false;
    unsigned has = 0;
    *to = (frame){0};
    for (; next_line(of, &line); begun = true) {
        if (begins(line, "ITEM: TIMESTEP")) {
            to->step = count_in(of);
            has |= HAS_STEP;
        } else if (begins(line, "ITEM: NUMBER OF")) {
            to->count = count_in(of);
            has |= HAS_COUNT;
        } else if (begins(line, "ITEM: BOX BOUNDS")) {
            /* The kinds must outlive the reading of the next lines. */
            char copy[128];
            const size_t length = line.length < sizeof copy ? line.length : sizeof copy;
            memcpy(copy, line.start, length);
            read_box(of, (span){copy, length}, to);
            has |= HAS_BOX;
        } else if (begins(line, kind)) {
            check_header(of, has);
            *names = (span){line.start + strlen(kind), line.length - strlen(kind)};
            return true;
        } else if (!begins(line, "ITEM: UNITS") && !begins(line, "ITEM: TIME")) {
            fail_at(place_of(of), "'%s' is expected here", kind);
        } else {
            line_required(of);
        }
    }
    if (begun) line_required(of); /* fails */
    return false;
}

/* Fails if there are more lines of the frame than its count. */
static void end_frame(lines *of) {
    span line;
    if (!next_line(of, &line) || span_trimmed(line).length == 0) return;
    if (!begins(line, "ITEM:")) fail_at(place_of(of), "more lines than NUMBER OF says");
    put_back(of);
}

/* ---- Atoms ---- */

/* The columns of an atom, in LAMMPS's words. */
enum atom_column { ID, X, Y, Z, RADIUS, MASS, VX, VY, VZ, OMEGA_X, OMEGA_Y, OMEGA_Z, ATOM_COLUMNS };
static const char *const atom_names[ATOM_COLUMNS] = {
    "id", "x", "y", "z", "radius", "mass", "vx", "vy", "vz", "omegax", "omegay", "omegaz"};

typedef struct atom {
    double numbers[ATOM_COLUMNS];
} atom;

enum { COLUMNS_MAX = 256 };

/* Maps the numbers of a line to columns; -1: not needed. */
static size_t find_atom_columns(const lines *of, span names, int columns[COLUMNS_MAX]) {
    bool found[ATOM_COLUMNS] = {false};
    size_t count = 0;
    for (span word; next_word(&names, &word); count++) {
        if (count == COLUMNS_MAX) fail_at(place_of(of), "more than %d columns", COLUMNS_MAX);
        columns[count] = -1;
        for (int i = 0; i < ATOM_COLUMNS; i++) {
            if (!span_equal(word, span_of(atom_names[i]))) continue;
            columns[count] = i;
            found[i] = true;
        }
    }
    for (size_t i = 0; i < ATOM_COLUMNS; i++)
        if (!found[i]) fail_at(place_of(of), "the atoms have no column %s", atom_names[i]);
    return count;
}

static const char no_id[] = "this is no id";

static int by_id(const void *a, const void *b) {
    const double x = ((const atom *)a)->numbers[ID], y = ((const atom *)b)->numbers[ID];
    return (x > y) - (x < y);
}

/* ---- The table ---- */

typedef struct lammps {
    lines pairs, atoms;
    frame of_pairs, of_atoms;
    bool any_frame; /* of pairs, so far */
    size_t left;    /* entries of the frame */
    size_t id_columns[2];
    atom *all; /* of the frame, by id */
    size_t room;
    made_text row;
} lammps;

static void read_atoms(lammps *of, span names) {
    int columns[COLUMNS_MAX];
    lines *from = &of->atoms;
    const size_t column_count = find_atom_columns(from, names, columns);
    for (size_t i = 0; i < of->of_atoms.count; i++) {
        /* Memory grows with the rows that are read, not with the count that the dump promises. */
        if (i == of->room) {
            of->room = of->room ? 2 * of->room : 1024;
            of->all = reallocate(of->all, of->room, sizeof *of->all);
        }
        span line = line_required(from);
        double *const row = of->all[i].numbers;
        for (size_t column = 0; column < column_count; column++) {
            const span word = word_required(from, &line);
            if (columns[column] == ID)
                row[ID] = whole_number_in(from, word, no_id);
            else if (columns[column] >= 0)
                row[columns[column]] = number_in(from, word);
        }
    }
    end_frame(from);
    /* Without atoms there is no array. */
    if (of->of_atoms.count > 0) qsort(of->all, of->of_atoms.count, sizeof *of->all, by_id);
    for (size_t i = 1; i < of->of_atoms.count; i++)
        if (by_id(&of->all[i - 1], &of->all[i]) == 0)
            fail("%s has two atoms %.0f in step %llu", input_name(from->from),
                 of->all[i].numbers[ID], (unsigned long long)of->of_atoms.step);
}

/* The atoms of the step that the pairs are of. */
static void find_atoms(lammps *of) {
    span names;
    while (next_frame(&of->atoms, "ITEM: ATOMS", &of->of_atoms, &names)) {
        if (of->of_atoms.step == of->of_pairs.step) {
            read_atoms(of, names);
            return;
        }
        for (size_t i = 0; i < of->of_atoms.count; i++)
            line_required(&of->atoms);
    }
    fail("%s has no frame of step %llu", input_name(of->atoms.from),
         (unsigned long long)of->of_pairs.step);
}

/* The first two columns that are called "name[1]" and "name[2]". */
static void find_id_columns(lammps *of, span names) {
    span last = {NULL, 0}, word;
    for (size_t column = 0; next_word(&names, &word); last = word, column++) {
        if (word.length < 4 || last.length != word.length ||
            memcmp(last.start, word.start, word.length - 2) != 0 ||
            memcmp(last.start + word.length - 3, "[1]", 3) != 0 ||
            memcmp(word.start + word.length - 3, "[2]", 3) != 0)
            continue;
        of->id_columns[0] = column - 1;
        of->id_columns[1] = column;
        return;
    }
    fail_at(place_of(&of->pairs), "no two columns name[1] and name[2], which would be the ids");
}

static const atom *atom_of(const lammps *of, double id) {
    const atom wanted = {.numbers = {[ID] = id}};
    const atom *found = of->of_atoms.count
                            ? bsearch(&wanted, of->all, of->of_atoms.count, sizeof *of->all, by_id)
                            : NULL;
    if (!found)
        fail_at(place_of(&of->pairs), "%s has no atom %.0f in step %llu",
                input_name(of->atoms.from), id, (unsigned long long)of->of_pairs.step);
    return found;
}

/* Two numbers of each atom at a time, A's and B's, in the order of the columns. */
static void pair_numbers(const lammps *of, const atom *a, const atom *b, double *to) {
    *to++ = a->numbers[RADIUS];
    *to++ = b->numbers[RADIUS];
    *to++ = a->numbers[MASS];
    *to++ = b->numbers[MASS];
    for (size_t axis = 0; axis < 3; axis++)
        *to++ = a->numbers[X + axis];
    for (size_t axis = 0; axis < 3; axis++) {
        const double period = of->of_atoms.period[axis];
        const double apart = b->numbers[X + axis] - a->numbers[X + axis];
        *to++ = b->numbers[X + axis] - (period > 0 ? period * rint(apart / period) : 0);
    }
    for (size_t i = VX; i < ATOM_COLUMNS; i++)
        *to++ = a->numbers[i];
    for (size_t i = VX; i < ATOM_COLUMNS; i++)
        *to++ = b->numbers[i];
}

#define COLUMN_NAME(index, member, column, with) "," column

static const char header[] = "step,id_a,id_b" SPHERE_FIELDS(COLUMN_NAME, )
    BODY_MOTION_FIELDS(COLUMN_NAME, "a", ) BODY_MOTION_FIELDS(COLUMN_NAME, "b", ) "\n";

enum { PAIR_NUMBERS = 10 + 2 * 6, ROW_SIZE = (3 + PAIR_NUMBERS) * (DECIMAL_SIZE + 1) };

static void write_row(lammps *of, const double ids[2]) {
    double values[3 + PAIR_NUMBERS] = {(double)of->of_pairs.step, ids[0], ids[1]};
    pair_numbers(of, atom_of(of, ids[0]), atom_of(of, ids[1]), values + 3);
    char *to = of->row.text;
    for (size_t i = 0; i < 3 + PAIR_NUMBERS; i++) {
        to += decimal_write_f64(to, values[i]);
        *to++ = ',';
    }
    to[-1] = '\n';
    of->row.end = (size_t)(to - of->row.text);
    of->row.begin = 0;
}

static void read_pair(lammps *of) {
    double ids[2];
    span line = line_required(&of->pairs);
    for (size_t column = 0, found = 0; found < 2; column++) {
        const span word = word_required(&of->pairs, &line);
        if (column == of->id_columns[found])
            ids[found++] = whole_number_in(&of->pairs, word, no_id);
    }
    write_row(of, ids);
    of->left--;
}

/* Makes the next row of the table; false: there is none. */
static bool make_row(void *context) {
    lammps *of = context;
    while (!of->left) {
        span names;
        if (!next_frame(&of->pairs, "ITEM: ENTRIES", &of->of_pairs, &names)) {
            if (!of->any_frame) fail("%s has no frame", input_name(of->pairs.from));
            return false;
        }
        of->any_frame = true;
        find_id_columns(of, names);
        of->left = of->of_pairs.count;
        if (of->left) find_atoms(of);
    }
    read_pair(of);
    return true;
}

static void close_table(void *context) {
    lammps *of = context;
    input_close(of->pairs.from);
    input_close(of->atoms.from);
    free(of->pairs.text);
    free(of->atoms.text);
    free(of->all);
    free(of->row.text);
    free(of);
}

input *lammps_open(const char *pairs, const char *atoms) {
    lammps *made = allocate(1, sizeof *made);
    made->pairs.from = input_open(pairs);
    made->atoms.from = input_open(atoms);
    made->row.text = allocate(ROW_SIZE > sizeof header ? ROW_SIZE : sizeof header, 1);
    made->row.end = sizeof header - 1;
    memcpy(made->row.text, header, made->row.end);
    return input_made(input_name(made->pairs.from), &made->row, make_row, close_table, made);
}
