/*
 * Tables in HDF5, by the library's own calls and against the same tables as comma-separated values:
 * what the program writes, what it reads, and what it refuses.
 */
#include <criterion/criterion.h>

#include <impinge/impinge.h>

#include "runs.h"

#ifdef HAVE_HDF5
#include <hdf5.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BOXES IMPINGE_TEST_DATA "/boxes_pit.csv"

enum { ROWS_MAX = 5000, COLUMNS_MAX = 96 };

static char folder[] = "/tmp/impinge-hdf5-XXXXXX";

static void enter_folder(void) {
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void leave_folder(void) {
    cr_expect_eq(system("rm -f ./*"), 0);
    cr_expect_eq(chdir("/"), 0);
    rmdir(folder);
}

TestSuite(hdf5, .init = enter_folder, .fini = leave_folder, .timeout = 120);

static void resolve(const char *arguments) {
    program_run of = run_loudly(IMPINGE_PROGRAM, arguments);
    cr_assert_eq(of.code, 0, "%s: %s", arguments, of.text);
    free(of.text);
}

/* ---- A table of values, as text has it ---- */

typedef struct table {
    size_t columns, rows;
    char names[COLUMNS_MAX][64];
    char (*fields)[COLUMNS_MAX][128]; /* of rows */
} table;

static table read_csv(const char *path) {
    table of = {.fields = calloc(ROWS_MAX, sizeof *of.fields)};
    FILE *from = fopen(path, "r");
    cr_assert_not_null(from, "%s", path);
    static char line[8192];
    for (int row = -1; fgets(line, sizeof line, from); row++) {
        size_t column = 0;
        for (char *field = strtok(line, ",\n"); field; field = strtok(NULL, ",\n"), column++)
            snprintf(row < 0 ? of.names[column] : of.fields[row][column],
                     row < 0 ? sizeof *of.names : sizeof **of.fields, "%s", field);
        if (row < 0) of.columns = column;
        cr_assert_eq(column, of.columns);
        of.rows = (size_t)row + 1;
    }
    fclose(from);
    return of;
}

/* ---- A column of a file ---- */

typedef struct column {
    size_t rows, size;           /* bytes of an element in the file */
    H5T_class_t class;           /* of its numbers */
    double values[ROWS_MAX];     /* a float's value is a double's */
    uint32_t outcomes[ROWS_MAX]; /* of whole numbers */
    char units[32];
    bool packed;
} column;

static void read_units(hid_t set, column *to) {
    to->units[0] = '\0';
    if (H5Aexists(set, "units") <= 0) return;
    const hid_t attribute = H5Aopen(set, "units", H5P_DEFAULT), type = H5Aget_type(attribute);
    cr_assert_lt(H5Tget_size(type), sizeof to->units);
    cr_assert_geq(H5Aread(attribute, type, to->units), 0);
    H5Tclose(type);
    H5Aclose(attribute);
}

static const column *read_column(const char *path, const char *name) {
    static column of;
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    cr_assert_geq(file, 0, "%s", path);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    cr_assert_geq(set, 0, "no %s in %s", name, path);
    const hid_t type = H5Dget_type(set), list = H5Dget_create_plist(set);
    const hid_t space = H5Dget_space(set);
    of.rows = (size_t)H5Sget_simple_extent_npoints(space);
    cr_assert_leq(of.rows, ROWS_MAX);
    of.size = H5Tget_size(type);
    of.class = H5Tget_class(type);
    unsigned flags;
    H5Z_filter_t deflate = H5Z_FILTER_DEFLATE;
    of.packed = H5Pget_layout(list) == H5D_CHUNKED &&
                H5Pget_filter_by_id2(list, deflate, &flags, NULL, NULL, 0, NULL, NULL) >= 0;
    cr_assert_geq(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, of.values), 0);
    if (of.class == H5T_INTEGER)
        cr_assert_geq(H5Dread(set, H5T_NATIVE_UINT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, of.outcomes),
                      0);
    read_units(set, &of);
    H5Sclose(space);
    H5Pclose(list);
    H5Tclose(type);
    H5Dclose(set);
    H5Fclose(file);
    return &of;
}

static bool same_bits(double a, double b) { return !memcmp(&a, &b, sizeof a); }

/* ---- Writing ---- */

/* The outcome in words is what the bits say. */
static void expect_outcomes(const table *text, const char *path) {
    const column *of = read_column(path, "outcome");
    cr_assert_eq(of->rows, text->rows);
    for (size_t row = 0; row < text->rows; row++) {
        char words[IMPINGE_OUTCOME_TEXT_SIZE];
        impinge_outcome_text(of->outcomes[row], words, sizeof words);
        cr_assert_str_eq(words, text->fields[row][text->columns - 1]);
    }
}

static void expect_same(const char *csv, const char *path, size_t carried, bool single) {
    const table text = read_csv(csv);
    cr_assert_eq(text.rows, 4161);
    for (size_t i = 0; i + 1 < text.columns; i++) {
        const bool output = i >= carried;
        const column *of = read_column(path, text.names[i]);
        cr_assert_eq(of->rows, text.rows);
        cr_expect(of->packed, "%s", text.names[i]);
        cr_expect_eq(of->class, H5T_FLOAT);
        cr_expect_eq(of->size, output && single ? 4 : 8, "%s", text.names[i]);
        for (size_t row = 0; row < text.rows; row++) {
            const char *field = text.fields[row][i];
            const double right =
                output && single ? (double)strtof(field, NULL) : strtod(field, NULL);
            cr_assert(same_bits(of->values[row], right), "%s, row %zu: %a, %s", text.names[i], row,
                      of->values[row], field);
        }
    }
    expect_outcomes(&text, path);
    free(text.fields);
}

static size_t columns_of(const char *csv) {
    const table text = read_csv(csv);
    free(text.fields);
    return text.columns;
}

Test(hdf5, has_the_values_of_the_text) {
    const size_t carried = columns_of(BOXES);
    resolve("resolve " BOXES " -q --precision f32 -o f32.csv");
    resolve("resolve " BOXES " -q --precision f32 -o f32.h5");
    expect_same("f32.csv", "f32.h5", carried, true);
    resolve("resolve " BOXES " -q --precision f64 -o f64.csv");
    resolve("resolve " BOXES " -q --precision f64 -o f64.hdf5 --threads 3");
    expect_same("f64.csv", "f64.hdf5", carried, false);
}

/* High bits mark invalid contacts. */
Test(hdf5, has_the_outcome_of_invalid_contacts) {
    FILE *to = fopen("in.csv", "w");
    fputs("k11,k12,k13,k22,k23,k33,u1,u2,u3,restitution,friction\n"
          "3.5,0,0,3.5,0,1,1,0,-1,0.5,-1\n3.5,0,0,3.5,0,1,nan,0,-1,0.5,0.1\n"
          "3.5,0,0,3.5,0,-1,1,0,-1,2,0.1\n",
          to);
    fclose(to);
    resolve("resolve in.csv -q -o out.csv");
    resolve("resolve in.csv -q -o out.h5");
    const table text = read_csv("out.csv");
    cr_assert_eq(text.rows, 3);
    expect_outcomes(&text, "out.h5");
    free(text.fields);
}

/* A text attribute of the file. */
static void expect_attribute(hid_t file, const char *name, const char *right) {
    char text[64] = "";
    const hid_t attribute = H5Aopen(file, name, H5P_DEFAULT);
    cr_assert_geq(attribute, 0, "no %s", name);
    const hid_t type = H5Aget_type(attribute);
    cr_assert_lt(H5Tget_size(type), sizeof text);
    H5Aread(attribute, type, text);
    cr_expect_str_eq(text, right);
    H5Tclose(type);
    H5Aclose(attribute);
}

Test(hdf5, has_units_and_the_law) {
    resolve("resolve " BOXES " -q --law smith --precision f64 -o out.h5");
    static const char *const units[][2] = {{"inv_mass_a", "1/kg"},
                                           {"inv_inertia_b_xy", "1/(kg m^2)"},
                                           {"arm_a_z", "m"},
                                           {"velocity_b_x", "m/s"},
                                           {"angular_velocity_a_y", "rad/s"},
                                           {"normal_x", "1"},
                                           {"friction", "1"},
                                           {"impulse_z", "kg m/s"},
                                           {"angular_velocity_b_z_after", "rad/s"},
                                           {"work_friction", "J"},
                                           {"outcome", ""}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        cr_expect_str_eq(read_column("out.h5", units[i][0])->units, units[i][1], "%s", units[i][0]);
    const hid_t file = H5Fopen("out.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    expect_attribute(file, "law", "smith");
    expect_attribute(file, "precision", "f64");
    expect_attribute(file, "impinge_version", impinge_version());
    cr_expect_eq(H5Aexists(file, "restitution"), 0, "from a column");
    H5Fclose(file);
}

/* A zero is a value, too. */
Test(hdf5, has_the_coefficients_of_options) {
    FILE *to = fopen("in.csv", "w");
    fputs("k11,k12,k13,k22,k23,k33,u1,u2,u3\n3.5,0,0,3.5,0,1,1,0,-1\n", to);
    fclose(to);
    resolve("resolve in.csv -q -o out.h5 --restitution 0 --friction 0.25");
    static const struct {
        const char *name;
        double value;
    } given[] = {{"restitution", 0}, {"friction", 0.25}};
    const hid_t file = H5Fopen("out.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        double value = -1;
        cr_assert_gt(H5Aexists(file, given[i].name), 0, "%s", given[i].name);
        const hid_t attribute = H5Aopen(file, given[i].name, H5P_DEFAULT);
        cr_assert_geq(H5Aread(attribute, H5T_NATIVE_DOUBLE, &value), 0);
        cr_expect_eq(value, given[i].value, "%s", given[i].name);
        H5Aclose(attribute);
    }
    cr_expect_eq(H5Aexists(file, "friction_static"), 0);
    H5Fclose(file);
}

/* ---- Reading ---- */

/* Contacts of chosen types, by the library's own calls. */
static void write_column(hid_t file, const char *name, hid_t type, const double *values,
                         hsize_t rows) {
    const hid_t space = H5Screate_simple(1, &rows, NULL);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    cr_assert_geq(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    H5Dclose(set);
    H5Sclose(space);
}

enum { INPUTS = 11, ROWS = 3000 };
static const char *const inputs[INPUTS] = {"k11", "k12", "k13", "k22",         "k23",     "k33",
                                           "u1",  "u2",  "u3",  "restitution", "friction"};

/* Numbers that no short text has; more rows than are read at once. */
static double input_value(size_t i, size_t row) {
    static const double base[INPUTS] = {3.5, 0, 0, 3.5, 0, 1, 0.7, 0.3, -1, 0.5, 0.1};
    return base[i] * (1 + (double)row / 7919);
}

static void write_contacts(const char *path, hid_t type, size_t missing, size_t longer) {
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    static double values[ROWS + 1];
    for (size_t i = 0; i < INPUTS; i++) {
        for (size_t row = 0; row < ROWS; row++)
            values[row] = input_value(i, row);
        if (i != missing) write_column(file, inputs[i], type, values, ROWS + (i == longer));
    }
    for (size_t row = 0; row < ROWS; row++)
        values[row] = 4e9 - (double)row;
    write_column(file, "id", H5T_STD_U64LE, values, ROWS);
    /* Objects that are not columns are skipped. */
    H5Gclose(H5Gcreate2(file, "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Fclose(file);
}

static void write_text(const char *path, bool single) {
    FILE *to = fopen(path, "w");
    for (size_t i = 0; i < INPUTS; i++)
        fprintf(to, "%s,", inputs[i]);
    fputs("id\n", to);
    for (size_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < INPUTS; i++)
            fprintf(to, "%.17g,",
                    single ? (double)(float)input_value(i, row) : input_value(i, row));
        fprintf(to, "%.0f\n", 4e9 - (double)row);
    }
    fclose(to);
}

/* From either file the same impulses, to the bit, and the types that came in. */
static void expect_round_trip(hid_t type, const char *precision, bool single) {
    char line[128];
    write_contacts("in.h5", type, INPUTS, INPUTS);
    write_text("in.csv", single);
    snprintf(line, sizeof line, "resolve in.csv -q --precision %s -o a.h5", precision);
    resolve(line);
    snprintf(line, sizeof line, "resolve in.h5 -q --precision %s -o b.h5 --threads 2", precision);
    resolve(line);
    static const char *const outputs[] = {"p1", "p2", "p3", "u1_after", "work_friction", "outcome"};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
        const column from_text = *read_column("a.h5", outputs[i]);
        const column *of = read_column("b.h5", outputs[i]);
        cr_assert_eq(of->rows, ROWS);
        cr_expect_eq(of->size, from_text.size);
        cr_expect(!memcmp(of->values, from_text.values, ROWS * sizeof *of->values), "%s",
                  outputs[i]);
    }
    for (size_t i = 0; i < INPUTS; i++) {
        const column *of = read_column("b.h5", inputs[i]);
        cr_expect_eq(of->size, single ? 4 : 8);
        for (size_t row = 0; row < ROWS; row++) {
            const double right = input_value(i, row);
            cr_assert(same_bits(of->values[row], single ? (double)(float)right : right));
        }
    }
    const column *id = read_column("b.h5", "id");
    cr_expect_eq(id->class, H5T_INTEGER);
    cr_expect_eq(id->size, 8);
    cr_expect_eq(id->values[ROWS - 1], 4e9 - (ROWS - 1));
}

Test(hdf5, round_trip_of_doubles) { expect_round_trip(H5T_IEEE_F64LE, "f64", false); }

Test(hdf5, round_trip_of_floats) {
    expect_round_trip(H5T_IEEE_F32LE, "f32", true);
    /* A float in double precision is the double that is equal to it. */
    expect_round_trip(H5T_IEEE_F32LE, "f64", true);
}

Test(hdf5, every_command_reads_it) {
    write_contacts("in.h5", H5T_IEEE_F64LE, INPUTS, INPUTS);
    write_text("in.csv", false);
    static const char *const commands[] = {"compare %s", "compare %s --csv --precision f64",
                                           "trace %s --row 7", "resolve %s -o - --precision f64"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char of_text[128], of_columns[128];
        snprintf(of_text, sizeof of_text, commands[i], "in.csv");
        snprintf(of_columns, sizeof of_columns, commands[i], "in.h5");
        program_run a = run_quietly(IMPINGE_PROGRAM, of_text);
        program_run b = run_quietly(IMPINGE_PROGRAM, of_columns);
        cr_expect_eq(a.code, 0);
        cr_expect_eq(b.code, 0, "%s", of_columns);
        /* Rows are carried through as they are: of those only the impulses can be the same. */
        if (i < 3) cr_expect_str_eq(a.text, b.text, "%s", of_columns);
        free(a.text);
        free(b.text);
    }
    resolve("survey in.h5");
}

/* ---- What is refused ---- */

/* And no file is left. */
static void expect_no_output(const char *arguments, const char *words) {
    expect_refusal(IMPINGE_PROGRAM, arguments, words);
    cr_expect_neq(access("out.h5", F_OK), 0);
    cr_expect_eq(system("test -z \"$(ls -a | grep impinge)\""), 0);
}

Test(hdf5, a_missing_column) {
    write_contacts("in.h5", H5T_IEEE_F64LE, 4, INPUTS);
    expect_no_output("resolve in.h5 -o out.h5", "in.h5:1: column k23: missing");
}

Test(hdf5, columns_of_different_lengths) {
    write_contacts("in.h5", H5T_IEEE_F64LE, INPUTS, 3);
    expect_no_output("resolve in.h5 -o out.h5", "the column k22 has 3001 rows, and");
}

/* Links that lead nowhere are no columns; numbers that do not fit are not left out silently. */
Test(hdf5, links_and_wide_numbers) {
    write_contacts("in.h5", H5T_IEEE_F64LE, INPUTS, INPUTS);
    hid_t file = H5Fopen("in.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    H5Lcreate_soft("/nowhere", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
    H5Lcreate_external("nowhere.h5", "/", file, "external", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    resolve("resolve in.h5 -q -o out.h5");
    cr_assert_eq(unlink("out.h5"), 0);
    file = H5Fopen("in.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    const double values[1] = {0};
    write_column(file, "wide", H5T_NATIVE_LDOUBLE, values, 1);
    H5Fclose(file);
    expect_no_output("resolve in.h5 -o out.h5", "the numbers of the column wide have 16 bytes");
}

Test(hdf5, text_in_a_column) {
    FILE *to = fopen("in.csv", "w");
    fputs("k11,k12,k13,k22,k23,k33,u1,u2,u3,note\n3.5,0,0,3.5,0,1,1,0,-1,soft\n", to);
    fclose(to);
    expect_no_output("resolve in.csv -o out.h5 --restitution 0.5 --friction 0.1",
                     "in.csv:2: column note: 'soft' is not a number");
}

static void cut(const char *path, double share) {
    FILE *of = fopen(path, "rb");
    fseek(of, 0, SEEK_END);
    const long size = ftell(of);
    fclose(of);
    cr_assert_eq(truncate(path, (off_t)(share * (double)size)), 0);
}

static void spoil(const char *path, double share) {
    FILE *of = fopen(path, "r+b");
    fseek(of, 0, SEEK_END);
    fseek(of, (long)(share * (double)ftell(of)), SEEK_SET);
    for (int i = 0; i < 256; i++)
        fputc(0xA5, of);
    fclose(of);
}

/* A file that ends too early, or whose packed bytes are not those that were written. */
Test(hdf5, damage) {
    write_contacts("in.h5", H5T_IEEE_F64LE, INPUTS, INPUTS);
    cut("in.h5", 0.5);
    expect_no_output("resolve in.h5 -o out.h5", "this HDF5 file is damaged");
    write_text("in.csv", false);
    resolve("resolve in.csv -q -o whole.h5");
    for (int part = 2; part < 9; part++) {
        cr_assert_eq(system("cp whole.h5 in.h5"), 0);
        spoil("in.h5", part / 10.);
        /* Its own results have the names of outputs: a command that takes them. */
        program_run of = run_loudly(IMPINGE_PROGRAM, "trace in.h5 --row 2");
        cr_expect_neq(of.code, -1, "part %d: a signal", part);
        free(of.text);
    }
}

Test(hdf5, damaged_numbers_are_found) {
    write_text("in.csv", false);
    resolve("resolve in.csv -q -o whole.h5");
    /* The results out of the file, so that it is a table of contacts again. */
    const hid_t file = H5Fopen("whole.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    static const char *const outputs[] = {"p1",
                                          "p2",
                                          "p3",
                                          "u1_after",
                                          "u2_after",
                                          "u3_after",
                                          "outcome",
                                          "work_compression",
                                          "work_restitution",
                                          "work_friction"};
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        cr_assert_geq(H5Ldelete(file, outputs[i], H5P_DEFAULT), 0);
    const hid_t set = H5Dopen2(file, "k33", H5P_DEFAULT);
    haddr_t at;
    hsize_t size, first;
    unsigned mask;
    const hid_t space = H5Dget_space(set);
    cr_assert_geq(H5Dget_chunk_info(set, space, 0, &first, &mask, &at, &size), 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    resolve("resolve whole.h5 -q -o again.csv");
    FILE *of = fopen("whole.h5", "r+b");
    fseek(of, (long)(at + size / 2), SEEK_SET);
    const int byte = fgetc(of);
    fseek(of, -1, SEEK_CUR);
    fputc(byte ^ 1, of);
    fclose(of);
    expect_no_output("resolve whole.h5 -o out.h5", "the column k33 of this HDF5 file is damaged");
}

Test(hdf5, what_is_no_file) {
    cr_assert_eq(system("mkfifo pipe.h5"), 0);
    cr_assert_eq(system("(sleep 30 <pipe.h5 & echo $! >reader)"), 0);
    expect_refusal(IMPINGE_PROGRAM, "resolve " BOXES " -o pipe.h5", "an ordinary file only");
    cr_assert_eq(system("kill $(cat reader)"), 0);
}
/* A pipe of another format is read as text: finding out takes no bytes from it. */
Test(hdf5, text_comes_through_a_pipe, .timeout = 20) {
    resolve("resolve " BOXES " -q -o plain.csv");
    cr_assert_eq(system("mkfifo pipe"), 0);
    cr_assert_eq(system("cat '" BOXES "' >pipe &"), 0);
    resolve("resolve pipe -q -o piped.csv");
    cr_expect_eq(system("cmp plain.csv piped.csv"), 0);
}

/* The signal of a file that may not grow ends the program, and leaves nothing. */
Test(hdf5, a_file_beyond_its_limit_leaves_none) {
    program_run of = run_loudly("sh", "-c \"ulimit -f 64; '" IMPINGE_PROGRAM "' resolve '" BOXES
                                      "' -q -o out.h5\"");
    cr_expect_neq(of.code, 0);
    free(of.text);
    cr_expect_eq(system("test -z \"$(ls -A)\""), 0);
}
#else
Test(hdf5, is_refused) {
    expect_refusal(IMPINGE_PROGRAM,
                   "resolve " IMPINGE_TEST_DATA "/boxes_pit.csv -o impinge-none.h5",
                   "this build has no libhdf5");
}
#endif
