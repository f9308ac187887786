#include "format.h"

#include <stdio.h>
#include <string.h>

#include "spheres.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A column; `with` is where the indices of its list begin. */
#define COLUMN(index, member, column, with) {column, (with) + (index)},
#define NAME(index, member, column, with)   column,

static const format_column contact_columns[] = {CONTACT_INPUT_FIELDS(COLUMN, 0)};

static const format_column body_columns[] = {
    BODY_SHAPE_FIELDS(COLUMN, "a", PAIR_A) BODY_SHAPE_FIELDS(COLUMN, "b", PAIR_B)
        NORMAL_FIELDS(COLUMN, 0) BODY_MOTION_FIELDS(COLUMN, "a", PAIR_A)
            BODY_MOTION_FIELDS(COLUMN, "b", PAIR_B)};

static const format_column orientation_columns[] = {QUATERNION_FIELDS(
    COLUMN, "a", PAIR_ORIENTATION_A) QUATERNION_FIELDS(COLUMN, "b", PAIR_ORIENTATION_B)};

static const format_column sphere_motion_columns[] = {BODY_MOTION_FIELDS(COLUMN, "a", PAIR_A)
                                                          BODY_MOTION_FIELDS(COLUMN, "b", PAIR_B)};

static const char *const sphere_columns[SPHERE_COLUMNS] = {SPHERE_FIELDS(NAME, )};

static const format_column planar_contact_columns[] = {PLANAR_CONTACT_INPUT_FIELDS(COLUMN, 0)};

static const format_column planar_body_columns[] = {
    PLANAR_BODY_FIELDS(COLUMN, "a", PLANAR_PAIR_A) PLANAR_BODY_FIELDS(COLUMN, "b", PLANAR_PAIR_B)
        PLANAR_NORMAL_FIELDS(COLUMN, 0)};

static const char *const contact_outputs[CONTACT_OUTPUTS] = {CONTACT_OUTPUT_FIELDS(NAME, )};

static const char *const pair_outputs[PAIR_OUTPUTS] = {
    PAIR_IMPULSE_FIELDS(NAME, ) BODY_OUTPUT_FIELDS(NAME, "a", ) BODY_OUTPUT_FIELDS(NAME, "b", )
        PAIR_WORK_FIELDS(NAME, )};

static const char *const planar_contact_outputs[PLANAR_CONTACT_OUTPUTS] = {
    PLANAR_CONTACT_OUTPUT_FIELDS(NAME, )};

static const char *const planar_pair_outputs[PLANAR_PAIR_OUTPUTS] = {
    PLANAR_PAIR_IMPULSE_FIELDS(NAME, ) PLANAR_BODY_OUTPUT_FIELDS(NAME, "a", )
        PLANAR_BODY_OUTPUT_FIELDS(NAME, "b", ) PLANAR_PAIR_WORK_FIELDS(NAME, )};

static const format formats[] = {{.title = "contact space",
                                  .kind = BATCH_CONTACTS,
                                  .inputs = contact_columns,
                                  .input_count = COUNT(contact_columns),
                                  .outputs = contact_outputs},
                                 {.title = "body pairs",
                                  .kind = BATCH_PAIRS,
                                  .inputs = body_columns,
                                  .input_count = COUNT(body_columns),
                                  .optional = orientation_columns,
                                  .optional_count = COUNT(orientation_columns),
                                  .outputs = pair_outputs},
                                 {.title = "sphere pairs",
                                  .kind = BATCH_PAIRS,
                                  .inputs = sphere_motion_columns,
                                  .input_count = COUNT(sphere_motion_columns),
                                  .spheres = sphere_columns,
                                  .sphere_count = SPHERE_COLUMNS,
                                  .outputs = pair_outputs},
                                 {.title = "planar contacts",
                                  .kind = BATCH_PLANAR_CONTACTS,
                                  .inputs = planar_contact_columns,
                                  .input_count = COUNT(planar_contact_columns),
                                  .outputs = planar_contact_outputs},
                                 {.title = "planar pairs",
                                  .kind = BATCH_PLANAR_PAIRS,
                                  .inputs = planar_body_columns,
                                  .input_count = COUNT(planar_body_columns),
                                  .outputs = planar_pair_outputs}};

static size_t required_count(const format *of) { return of->sphere_count + of->input_count; }

/*
 * Name of column i of those that a format needs. A format's own columns come first, as in its
 * tables.
 */
static const char *required_name(const format *of, size_t i) {
    return i < of->sphere_count ? of->spheres[i] : of->inputs[i - of->sphere_count].name;
}

/* Counts the needed columns that a table has, and finds the first that it lacks. */
static size_t count_present(const format *of, const csv_header *names, const char **missing) {
    size_t present = 0;
    *missing = NULL;
    for (size_t i = 0; i < required_count(of); i++) {
        if (csv_find(names, required_name(of, i)) != CSV_NO_COLUMN)
            present++;
        else if (!*missing)
            *missing = required_name(of, i);
    }
    return present;
}

static place place_of_name(const csv_header *names, const char *name) {
    return (place){names->file, 1, span_of(name)};
}

/*
 * Assumes that the format meant is the one with the most columns present, or, of two, the one with
 * fewer missing. The share of columns would mislead: planar pairs have few columns besides those of
 * body pairs.
 */
static noreturn void fail_unrecognised(const csv_header *names) {
    const format *nearest = NULL;
    const char *first_missing = NULL;
    size_t most = 0;
    for (size_t i = 0; i < COUNT(formats); i++) {
        const char *missing;
        const size_t present = count_present(&formats[i], names, &missing);
        const bool fewer_missing = nearest && required_count(&formats[i]) < required_count(nearest);
        if (present < most || (present == most && !fewer_missing)) continue;
        most = present;
        nearest = &formats[i];
        first_missing = missing;
    }
    if (!nearest)
        fail_at(place_of_name(names, "k11"),
                "missing, and so is every other column of contact space (k11, ...), body pairs "
                "(inv_mass_a, ...), sphere pairs (radius_a, ...) and planar contacts (ktt, ...)");
    fail_at(place_of_name(names, first_missing), "missing; the other columns look like %s",
            nearest->title);
}

bool format_has_optional(const format *of, const csv_header *names, size_t i) {
    return csv_find(names, of->optional[i].name) != CSV_NO_COLUMN;
}

/* The name of the first of a group's columns that is present, or missing; null: none. */
static const char *first_optional(const format *of, const csv_header *names, size_t group,
                                  bool there) {
    for (size_t i = group; i < group + QUATERNION_INPUTS; i++)
        if (format_has_optional(of, names, i) == there) return of->optional[i].name;
    return NULL;
}

static void refuse_incomplete_groups(const format *of, const csv_header *names) {
    for (size_t group = 0; group < of->optional_count; group += QUATERNION_INPUTS) {
        const char *present = first_optional(of, names, group, true);
        const char *missing = first_optional(of, names, group, false);
        if (present && missing)
            fail_at(place_of_name(names, missing), "missing, but %s is there; give all %d or none",
                    present, QUATERNION_INPUTS);
    }
}

void format_refuse_output_names(const format *of, const csv_header *names) {
    const size_t count = batch_output_count(of->kind);
    for (size_t i = 0; i <= count; i++) {
        const char *name = i < count ? of->outputs[i] : "outcome";
        if (csv_find(names, name) != CSV_NO_COLUMN)
            fail_at(place_of_name(names, name), "the output adds a column of this name; rename it");
    }
}

const format *format_recognise(const csv_header *names) {
    const format *found = NULL;
    for (size_t i = 0; i < COUNT(formats); i++) {
        const char *missing;
        count_present(&formats[i], names, &missing);
        if (missing) continue;
        if (found)
            fail_at(place_of_name(names, required_name(&formats[i], 0)),
                    "the columns of %s and of %s are both there; leave one set out", found->title,
                    formats[i].title);
        found = &formats[i];
    }
    if (!found) fail_unrecognised(names);
    refuse_incomplete_groups(found, names);
    return found;
}

/* ---- Help ---- */

/* The length of the part up to "_" that two names share; 0: none. */
static size_t shared_stem(const char *a, const char *b) {
    const char *last = strrchr(a, '_');
    const size_t length = last ? (size_t)(last - a) + 1 : 0;
    const char *other = strrchr(b, '_');
    return length && other && (size_t)(other - b) + 1 == length && !strncmp(a, b, length) ? length
                                                                                          : 0;
}

enum { HELP_INDENT = 19, HELP_WIDTH = 88 };

/* Words that wrap at the width of a page; a null word ends the line. */
static void print_word(const char *word, size_t *at) {
    const size_t length = word ? strlen(word) : 0;
    if (!word || (*at > HELP_INDENT && *at + 1 + length > HELP_WIDTH)) {
        putchar('\n');
        *at = 0;
    }
    if (!word) return;
    *at += (size_t)(*at ? printf(" %s", word) : printf("%*s%s", HELP_INDENT, "", word));
}

typedef const char *name_at(const format *of, size_t i);

static const char *optional_name(const format *of, size_t i) { return of->optional[i].name; }

/* Names of one stem, such as those of a vector, are one word: "normal_{x,y,z}". */
static void print_names(const format *of, name_at *name, size_t count, size_t *at) {
    for (size_t i = 0; i < count;) {
        char word[128];
        size_t next = i + 1;
        const size_t stem = next < count ? shared_stem(name(of, i), name(of, next)) : 0;
        int length =
            snprintf(word, sizeof word, "%.*s{%s", (int)stem, name(of, i), name(of, i) + stem);
        for (; stem && next < count && shared_stem(name(of, i), name(of, next)) == stem; next++)
            length +=
                snprintf(word + length, sizeof word - (size_t)length, ",%s", name(of, next) + stem);
        snprintf(word + length, sizeof word - (size_t)length, "}");
        print_word(stem ? word : name(of, i), at);
        i = next;
    }
}

void format_print_list(void) {
    for (size_t i = 0; i < COUNT(formats); i++) {
        const format *of = &formats[i];
        size_t at = (size_t)printf("  %-*s", HELP_INDENT - 3, of->title);
        print_names(of, required_name, required_count(of), &at);
        print_word(NULL, &at);
        if (!of->optional_count) continue;
        print_word("or besides, for the bodies' own frames,", &at);
        print_names(of, optional_name, of->optional_count, &at);
        print_word(NULL, &at);
    }
}
