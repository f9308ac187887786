/*
 * The command-line program, from outside: its output, its messages and its exit code.
 * IMPINGE_PROGRAM is its path, IMPINGE_TEST_DATA the folder with the two recorded sets.
 */
#define _XOPEN_SOURCE 700

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <impinge/impinge.h>

#include "support/random.h"

extern char **environ;

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- Running it, in a folder of the test's own ---- */

/* The results of a run. */
typedef struct run {
    int code; /* its exit code; minus the signal that ended it */
    char *out, *err;
} run;

enum { ARGUMENTS_MAX = 24 };

static char folder[] = "/tmp/impinge-test-XXXXXX";

/* Enters an empty folder, so that a test sees every file that is left behind. */
static void enter_folder(void) {
    cr_assert_not_null(mkdtemp(folder));
    cr_assert_eq(chdir(folder), 0);
    unsetenv("IMPINGE_TARGET");
}

static bool is_of_the_test(const char *name) {
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

static void leave_folder(void) {
    DIR *listing = opendir(".");
    for (struct dirent *entry; (entry = readdir(listing));)
        if (is_of_the_test(entry->d_name)) remove(entry->d_name);
    closedir(listing);
    cr_expect_eq(chdir("/"), 0);
    rmdir(folder);
}

TestSuite(program, .init = enter_folder, .fini = leave_folder);

/* How many files there are, other than those through which run_program talks. */
static int files(void) {
    int count = 0;
    DIR *listing = opendir(".");
    for (struct dirent *entry; (entry = readdir(listing));)
        count += is_of_the_test(entry->d_name) && strncmp(entry->d_name, "std", 3) != 0;
    closedir(listing);
    return count;
}

static char *read_file(const char *path) {
    FILE *stream = fopen(path, "rb");
    cr_assert_not_null(stream, "%s is not there", path);
    cr_assert_eq(fseek(stream, 0, SEEK_END), 0);
    size_t size = (size_t)ftell(stream);
    rewind(stream);
    char *text = malloc(size + 1);
    cr_assert_eq(fread(text, 1, size, stream), size);
    text[size] = 0;
    fclose(stream);
    return text;
}

static void write_file(const char *path, const char *text) {
    FILE *stream = fopen(path, "wb");
    cr_assert_not_null(stream);
    cr_assert_eq(fwrite(text, 1, strlen(text), stream), strlen(text));
    cr_assert_eq(fclose(stream), 0);
}

static bool exists(const char *path) { return !access(path, F_OK); }

/* Cuts a line of arguments at its spaces. */
static void split_arguments(char *line, char *arguments[ARGUMENTS_MAX]) {
    size_t count = 1;
    for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) {
        cr_assert_lt(count, ARGUMENTS_MAX - 1);
        arguments[count++] = word;
    }
    arguments[count] = NULL;
}

/* Starts "impinge LINE" with its standard streams tied to files. */
static pid_t start(const char *in, const char *out, const char *err, const char *line) {
    char words[2048], name[] = "impinge", *arguments[ARGUMENTS_MAX] = {name};
    snprintf(words, sizeof words, "%s", line);
    split_arguments(words, arguments);
    posix_spawn_file_actions_t streams;
    posix_spawn_file_actions_init(&streams);
    posix_spawn_file_actions_addopen(&streams, 0, in, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&streams, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_addopen(&streams, 2, err, O_WRONLY | O_CREAT | O_TRUNC | O_NOCTTY,
                                     0666);
    pid_t process;
    cr_assert_eq(posix_spawn(&process, IMPINGE_PROGRAM, &streams, NULL, arguments, environ), 0);
    posix_spawn_file_actions_destroy(&streams);
    return process;
}

static int wait_for(pid_t process) {
    int status;
    cr_assert_eq(waitpid(process, &status, 0), process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* Runs "impinge LINE" on a standard input. */
static run run_on(const char *input, const char *line) {
    write_file("stdin", input);
    int code = wait_for(start("stdin", "stdout", "stderr", line));
    return (run){code, read_file("stdout"), read_file("stderr")};
}

__attribute__((format(printf, 1, 2))) static run run_program(const char *format, ...) {
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    return run_on("", line);
}

/* Exactly one line, which has these words in it. */
static bool is_a_line_with(const char *text, const char *words) {
    const char *newline = strchr(text, '\n');
    return newline && !newline[1] && strstr(text, words);
}

static void expect_failure(run of, const char *words) {
    cr_expect_eq(of.code, 2, "exit code %d for: %s", of.code, words);
    cr_expect(is_a_line_with(of.err, words), "'%s' is not in: %s", words, of.err);
}

/* ---- Tables ---- */

/* Field `column` of line `line`, both from 0, into a buffer that the next call takes again. */
static const char *field_at(const char *table, size_t line, size_t column) {
    static char field[512];
    for (; line; line--) {
        table = strchr(table, '\n');
        cr_assert_not_null(table, "a row is missing");
        table++;
    }
    for (; column; column--) {
        size_t length = strcspn(table, ",\n");
        cr_assert_eq(table[length], ',', "a field is missing");
        table += length + 1;
    }
    snprintf(field, sizeof field, "%.*s", (int)strcspn(table, ",\r\n"), table);
    return field;
}

static size_t column_of(const char *table, const char *name) {
    size_t columns = 1;
    for (size_t i = 0; table[i] != '\n'; i++)
        columns += table[i] == ',';
    for (size_t i = 0; i < columns; i++)
        if (!strcmp(field_at(table, 0, i), name)) return i;
    cr_assert_fail("no column %s", name);
    return 0;
}

/* The field of row `row`, from 0, below the header. */
static const char *field_of(const char *table, size_t row, const char *name) {
    return field_at(table, row + 1, column_of(table, name));
}

static double number_of(const char *table, size_t row, const char *name) {
    const char *text = field_of(table, row, name);
    char *end;
    double value = strtod(text, &end);
    cr_assert(*text && !*end, "'%s' of %s is no number", text, name);
    return value;
}

static void expect_near(const char *table, size_t row, const char *name, double right,
                        double tolerance) {
    double value = number_of(table, row, name);
    cr_expect(fabs(value - right) <= tolerance, "%s of row %zu is %.17g, not %.17g", name, row,
              value, right);
}

static void expect_vector(const char *table, size_t row, const char *const names[3],
                          const double right[3], double tolerance) {
    for (size_t i = 0; i < 3; i++)
        expect_near(table, row, names[i], right[i], tolerance);
}

static bool has_word(const char *outcome, const char *word) {
    size_t length = strlen(word);
    for (const char *at = outcome; (at = strstr(at, word)); at += length)
        if ((at == outcome || at[-1] == '|') && (!at[length] || at[length] == '|')) return true;
    return false;
}

static void expect_outcome(const char *table, size_t row, const char *word) {
    const char *outcome = field_of(table, row, "outcome");
    cr_expect(has_word(outcome, word), "row %zu: '%s' without '%s'", row, outcome, word);
}

static size_t rows_of(const char *table) {
    size_t newlines = 0;
    for (; *table; table++)
        newlines += *table == '\n';
    return newlines - 1;
}

static const char *const impulse_p[3] = {"p1", "p2", "p3"};
static const char *const after_u[3] = {"u1_after", "u2_after", "u3_after"};
static const char *const impulse_xyz[3] = {"impulse_x", "impulse_y", "impulse_z"};
static const char *const after_a[3] = {"velocity_a_x_after", "velocity_a_y_after",
                                       "velocity_a_z_after"};
static const char *const after_b[3] = {"velocity_b_x_after", "velocity_b_y_after",
                                       "velocity_b_z_after"};

/* ---- Inputs ---- */

#define MATRIX         "k11,k12,k13,k22,k23,k33,u1,u2,u3"
#define CONTACT_HEADER MATRIX COEFFICIENTS
#define CONTACT_ADDED                                                                              \
    ",p1,p2,p3,u1_after,u2_after,u3_after,work_compression,work_restitution,work_friction,"        \
    "outcome\n"

/* A solid sphere on a plane, sliding (friction 0.05): p = (-0.075, 0, 1.5). */
#define SPHERE_ON_PLANE "3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.05\n"

#define VECTOR(name) name "_x," name "_y," name "_z"
#define TENSOR(side)                                                                               \
    "inv_inertia_" side "_xx,inv_inertia_" side "_xy,inv_inertia_" side "_xz,inv_inertia_" side    \
    "_yy,inv_inertia_" side "_yz,inv_inertia_" side "_zz"
#define VELOCITIES(side) VECTOR("velocity_" side) "," VECTOR("angular_velocity_" side)
#define MASSES           "inv_mass_a,inv_mass_b,"
#define TENSORS          TENSOR("a") "," TENSOR("b") ","
#define GEOMETRY         VECTOR("arm_a") "," VECTOR("arm_b") "," VECTOR("normal") ","
#define BODY_HEADER      MASSES TENSORS GEOMETRY VELOCITIES("a") "," VELOCITIES("b") COEFFICIENTS

#define COEFFICIENTS  ",restitution,friction\n"
#define SIZES         "radius_a,radius_b,mass_a,mass_b,"
#define POSITIONS     VECTOR("position_a") "," VECTOR("position_b") ","
#define LINEAR        VECTOR("velocity_a") "," VECTOR("velocity_b") ","
#define ANGULAR       VECTOR("angular_velocity_a") "," VECTOR("angular_velocity_b")
#define SPHERE_HEADER SIZES POSITIONS LINEAR ANGULAR "\n"

/* A body of mass 1 and inertia 0.4 on an immovable one, but for the normal. */
#define BODY_BEFORE_NORMAL "1,0,2.5,0,0,2.5,0,2.5,0,0,0,0,0,0,0,0,-1,0,0,0,"
#define BODY_AFTER_NORMAL  ",0.7,0,-1,0,0,0,0,0,0,0,0,0,0.5,0.05\n"
#define BODY(normal)       BODY_BEFORE_NORMAL normal BODY_AFTER_NORMAL

#define BOXES   IMPINGE_TEST_DATA "/boxes_pit.csv"
#define SPHERES IMPINGE_TEST_DATA "/spheres_pour.csv"
/* The second set has no columns for these. */
#define SPHERES_WITH_COEFFICIENTS SPHERES " --restitution 0.9 --friction 0.4"

/* Resolves a table from standard input to standard output, and expects that it can be done. */
static char *resolve(const char *table, const char *options) {
    char line[512];
    snprintf(line, sizeof line, "resolve - -o - %s", options);
    run of = run_on(table, line);
    cr_assert_eq(of.code, 0, "exit code %d: %s", of.code, of.err);
    return of.out;
}

/* ---- Help and usage ---- */

typedef struct usage_case {
    const char *line;
    const char *words;
} usage_case;

static const usage_case helps[] = {{"--help", "impinge resolve IN -o OUT"},
                                   {"-h", "impinge resolve IN -o OUT"},
                                   {"help", "impinge resolve IN -o OUT"},
                                   {"help rays", "K11 K12 K13 K22 K23 K33 MU"},
                                   {"resolve --help", "--restitution X"},
                                   {"resolve -h", "Example: impinge resolve"},
                                   {"targets --help", "IMPINGE_TARGET"},
                                   {"rays --help", "K11 K12 K13 K22 K23 K33 MU"},
                                   {"compare --help", "--csv"},
                                   {"compare -h", "Example: impinge compare"}};

/* Cases are found by their index: a parameter may not hold pointers. */
#define CASES_OF(table)                                                                            \
    static size_t indices[COUNT(table)];                                                           \
    for (size_t i = 0; i < COUNT(table); i++)                                                      \
        indices[i] = i;                                                                            \
    return cr_make_param_array(size_t, indices, COUNT(table), NULL)

ParameterizedTestParameters(program, help_goes_to_standard_output) { CASES_OF(helps); }

ParameterizedTest(size_t *i, program, help_goes_to_standard_output) {
    run of = run_program("%s", helps[*i].line);
    cr_expect_eq(of.code, 0);
    cr_expect_not_null(strstr(of.out, "Usage: impinge"));
    cr_expect_not_null(strstr(of.out, helps[*i].words), "%s", of.out);
    cr_expect_str_empty(of.err);
}

Test(program, lines_of_help_fit_a_terminal) {
    static const char *const commands[] = {"",        "resolve", "compare", "survey",
                                           "targets", "rays",    "trace"};
    for (size_t i = 0; i < COUNT(commands); i++) {
        run of = run_program("%s --help", commands[i]);
        for (const char *line = of.out; *line; line += strcspn(line, "\n") + 1)
            cr_expect_leq(strcspn(line, "\n"), 100);
    }
}

Test(program, help_has_a_line_for_every_law) {
    run of = run_program("resolve --help");
    const char *laws = strstr(of.out, "\nLaws:\n");
    cr_assert_not_null(laws);
    for (int i = 0; i < IMPINGE_LAW_COUNT; i++) {
        char line[64];
        snprintf(line, sizeof line, "\n  %s ", impinge_law_name((impinge_law)i));
        cr_expect_not_null(strstr(laws, line), "no%s in %s", line, laws);
    }
    cr_expect_not_null(strstr(laws, "\n  planar "));
}

Test(program, without_arguments_says_how_to_use_it) {
    run of = run_program("%s", "");
    cr_expect_eq(of.code, 2);
    cr_expect_str_empty(of.out);
    cr_expect_not_null(strstr(of.err, "Usage: impinge"));
}

Test(program, version) {
    run of = run_program("--version");
    int numbers[3];
    char rest;
    cr_expect_eq(of.code, 0);
    cr_assert(!strncmp(of.out, "impinge ", 8), "%s", of.out);
    cr_expect_eq(sscanf(of.out + 8, "%d.%d.%d%c", numbers, numbers + 1, numbers + 2, &rest), 4);
    cr_expect_eq(rest, '\n');
}

Test(program, output_to_a_full_disk_is_an_error_for_help_too) {
    cr_expect_eq(wait_for(start("/dev/null", "/dev/full", "stderr", "--help")), 2);
    cr_expect(is_a_line_with(read_file("stderr"), "standard output"));
}

static const usage_case wrong_usages[] = {
    {"reslove in.csv", "did you mean 'resolve'?"},
    {"target", "did you mean 'targets'?"},
    {"help reslove", "did you mean 'resolve'?"},
    {"xyzzy", "unknown command 'xyzzy'; see"},
    {"resolve in.csv -o out.csv --presicion f64", "did you mean --precision?"},
    {"resolve in.csv -o out.csv --treads=4", "did you mean --threads?"},
    {"reslove", "unknown command 'reslove'"},
    {"resolve", "which file?"},
    {"resolve -o out.csv", "which file?"},
    {"resolve in.csv", "-o OUT"},
    {"resolve in.csv -o", "needs a value"},
    {"resolve in.csv -o out.csv --bogus", "unknown option '--bogus'"},
    {"resolve in.csv -o out.csv -x", "unknown option '-x'"},
    {"resolve in.csv -o out.csv --verify=yes", "--verify takes no value"},
    {"resolve in.csv other.csv -o out.csv", "'other.csv' is one argument too many"},
    {"resolve in.csv -o out.csv --law moreau",
     "--law: there is no 'moreau'; known: routh, frictionless, whittaker, smith, two-stage, "},
    {"resolve in.csv -o out.csv --law planar",
     "--law planar: the columns are those of contact space, which every law but planar resolves"},
    {"resolve in.csv -o out.csv --limit-impulse-ratios=1", "--limit-impulse-ratios takes no value"},
    {"compare", "which file? see impinge compare --help"},
    {"compare in.csv -o out.csv", "unknown option '-o'"},
    {"compare in.csv --law routh", "unknown option '--law'"},
    {"compare in.csv --precision f16", "known: f32, f64"},
    {"compare in.csv --target sse9", "--target sse9: there is no such target"},
    {"compare in.csv --csv=yes", "--csv takes no value"},
    {"compare missing.csv", "cannot open missing.csv: No such file"},
    {"compare in.csv --mix 2", "--mix: '2' is not between 0 and 1"},
    {"resolve in.csv -o out.csv --rule moreau", "known: stronge, poisson, newton"},
    {"resolve in.csv -o out.csv --precision f16", "known: f32, f64"},
    {"resolve in.csv -o out.csv --threads 0", "--threads: '0'"},
    {"resolve in.csv -o out.csv --threads 1.5", "--threads: '1.5'"},
    {"resolve in.csv -o out.csv --threads two", "--threads: 'two' is not a number"},
    {"resolve in.csv -o out.csv --threads 1e9", "--threads: '1e9'"},
    {"resolve in.csv -o out.csv --tolerance 0", "--tolerance: '0'"},
    {"resolve in.csv -o out.csv --tolerance -1e-6", "--tolerance: '-1e-6'"},
    {"resolve in.csv -o out.csv --tolerance 0.1", "--tolerance: '0.1'"},
    {"resolve in.csv -o out.csv --tolerance nan", "--tolerance: 'nan'"},
    {"resolve in.csv -o out.csv --target sse9", "--target sse9: there is no such target"},
    {"resolve missing.csv -o out.csv", "cannot open missing.csv: No such file"},
    {"resolve . -o out.csv", "cannot read .: Is a directory"},
    {"resolve in.csv -o missing/out.csv", "cannot write missing/out.csv: No such file"},
    {"resolve in.csv -o .", "cannot write .: Is a directory"},
    {"trace in.csv --friction 0.1", "which row of in.csv? give --row N"},
    {"targets all", "'all' is one argument too many"},
    {"rays 20 0 1 4 6 10", "MU is missing"},
    {"rays 20 0 1 4 6 10 0.7 1", "'1' is one argument too many"},
    {"rays 20 0 1 4 6 ten 0.7", "K33: 'ten' is not a number"},
    {"rays 20 0 1 4 6 9x 0.7", "K33: '9x' is not a number"},
    {"rays 1 2 0 1 0 1 0.7", "positive definite"},
    {"rays 20 0 1 4 6 10 -0.7", "MU finite and 0 or more"},
    {"rays 20 0 1 4 6 10 inf", "MU finite and 0 or more"}};

ParameterizedTestParameters(program, wrong_usage_is_a_sentence) { CASES_OF(wrong_usages); }

ParameterizedTest(size_t *i, program, wrong_usage_is_a_sentence) {
    write_file("in.csv", CONTACT_HEADER SPHERE_ON_PLANE);
    run of = run_program("%s", wrong_usages[*i].line);
    expect_failure(of, wrong_usages[*i].words);
    cr_expect_str_empty(of.out);
    cr_expect_eq(files(), 1);
}

Test(program, survey_of_no_contacts_is_an_error) {
    expect_failure(run_on(CONTACT_HEADER, "survey -"), "<stdin> has no contacts");
}

/* mu_s < mu is invalid, but not by a law that has no static friction. */
Test(program, static_friction_is_only_for_laws_that_have_it) {
    static const char table[] = "k11,k12,k13,k22,k23,k33,u1,u2,u3,restitution,friction,"
                                "friction_static\n3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.1,0.05\n";
    run without = run_on(table, "resolve - -o - --law whittaker --verify");
    cr_expect_eq(without.code, 0);
    cr_expect(strstr(without.out, ",slid\n"), "%s", without.out);
    cr_expect(strstr(without.err, "1 impulses compared"), "%s", without.err);
    run with = run_on(table, "resolve - -o - --law composite --verify");
    cr_expect(strstr(with.out, "invalid-friction"), "%s", with.out);
}

#define USUAL "--friction 0.1 --restitution 0.5"

static const usage_case wrong_coefficients[] = {
    {"--friction 0.1", "<stdin>:1: column restitution: missing"},
    {"--restitution 0.1", "<stdin>:1: column friction: missing"},
    {"--friction 0.1 --restitution 1.5", "--restitution: '1.5' is not between 0 and 1"},
    {"--friction 0.1 --restitution -0.5", "--restitution: '-0.5'"},
    {"--friction 0.1 --restitution nan", "--restitution: 'nan'"},
    {"--friction 0.1 --restitution half", "--restitution: 'half' is not a number"},
    {"--friction -0.1 --restitution 0.5", "--friction: '-0.1'"},
    {"--friction nan --restitution 0.5", "--friction: 'nan'"},
    {"--friction 0.1 --restitution 0.5 --friction-static 0", "--friction-static: '0'"},
    {"--friction 1e40 --restitution 0.5", "--friction: '1e40' is too large for f32"},
    {USUAL " --tangential-restitution -1.5", "--tangential-restitution: '-1.5' is not between -1"},
    {USUAL " --tangential-restitution nan", "--tangential-restitution: 'nan' is not between -1"},
    {USUAL " --mix -0.1", "--mix: '-0.1' is not between 0 and 1"},
    {USUAL " --mix half", "--mix: 'half' is not a number"},
    {USUAL " --impulse-ratio-t1 inf", "--impulse-ratio-t1: 'inf' is not finite"},
    {USUAL " --impulse-ratio-t2 nan", "--impulse-ratio-t2: 'nan' is not finite"},
    {USUAL " --damping-fraction 0.4", "--damping-fraction: '0.4' is not between 0.5 and 1"},
    {USUAL " --damping-fraction 0", "--damping-fraction: '0' is not between 0.5 and 1"},
    {USUAL " --damping-fraction 1.1", "--damping-fraction: '1.1'"},
    {"--friction 0.1 --restitution-above-one --restitution -1", "'-1' is not 0 or more and finite"},
    {"--friction 0.1 --restitution-above-one --restitution inf", "'inf' is not 0 or more and"},
    {"--law frictionless", "column restitution: missing"},
    {"--law frictionless --friction 0.1", "column restitution: missing"},
    {"--law whittaker --damping-fraction 1 --friction 0", "column restitution: missing"},
    {"--law whittaker --restitution 0.1", "column friction: missing"}};

ParameterizedTestParameters(program, wrong_coefficients_are_refused) {
    CASES_OF(wrong_coefficients);
}

ParameterizedTest(size_t *i, program, wrong_coefficients_are_refused) {
    char line[256];
    snprintf(line, sizeof line, "resolve - -o out.csv %s", wrong_coefficients[*i].line);
    expect_failure(run_on(MATRIX "\n1,0,0,1,0,1,0,0,-1\n", line), wrong_coefficients[*i].words);
    cr_expect_eq(files(), 0);
}

static const char *const options_with_columns[] = {"--restitution 0.5 --law composite",
                                                   "--friction 0.1 --law composite",
                                                   "--friction-static 0.1 --law composite",
                                                   "--tangential-restitution 0.1 --law composite",
                                                   "--mix 0.1 --law composite",
                                                   "--impulse-ratio-t1 0.1 --law brach",
                                                   "--impulse-ratio-t2 0.1 --law brach",
                                                   "--damping-fraction 0.6 --law frictionless"};

#define ALL_COEFFICIENTS                                                                           \
    ",restitution,friction,friction_static,tangential_restitution,mix,impulse_ratio_t1,"           \
    "impulse_ratio_t2,damping_fraction"

ParameterizedTestParameters(program, a_coefficient_is_a_column_or_an_option) {
    CASES_OF(options_with_columns);
}

ParameterizedTest(size_t *i, program, a_coefficient_is_a_column_or_an_option) {
    char line[256], words[256];
    snprintf(line, sizeof line, "resolve - -o out.csv %s", options_with_columns[*i]);
    snprintf(words, sizeof words, "also given by %.*s; use one",
             (int)strcspn(options_with_columns[*i], " "), options_with_columns[*i]);
    expect_failure(
        run_on(MATRIX ALL_COEFFICIENTS "\n1,0,0,1,0,1,0,0,-1,0.5,0.1,0.2,0,0,0,0,1\n", line),
        words);
    cr_expect_eq(files(), 0);
}

/* ---- Targets ---- */

/* The line of the table of targets that is about `name`. */
static bool target_line(const char *table, const char *name, char available[8], char chosen[8]) {
    char line[256], needs[200], found[32];
    for (; *table; table += strcspn(table, "\n") + 1) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(table, "\n"), table);
        if (sscanf(line, "%31s %7s %199[^\n]", found, available, needs) < 3) continue;
        if (strcmp(found, name) != 0) continue;
        snprintf(chosen, 8, "%s", strncmp(needs, "yes ", 4) ? "" : "yes");
        return true;
    }
    return false;
}

static const char *const target_names[] = {"avx512", "avx2", "neon", "scalar"};

Test(program, targets_are_listed_and_one_is_chosen) {
    run of = run_program("targets");
    char available[8], chosen[8];
    int chosen_count = 0;
    cr_expect_eq(of.code, 0);
    for (size_t i = 0; i < COUNT(target_names); i++) {
        cr_assert(target_line(of.out, target_names[i], available, chosen), "%s", target_names[i]);
        chosen_count += !strcmp(chosen, "yes");
        if (!strcmp(chosen, "yes")) cr_expect_str_eq(available, "yes");
    }
    cr_expect_str_eq(available, "yes", "scalar is always there");
    cr_expect_eq(chosen_count, 1, "%s", of.out);
}

Test(program, targets_follow_the_environment) {
    char available[8], chosen[8];
    setenv("IMPINGE_TARGET", "scalar", 1);
    run of = run_program("targets");
    cr_assert(target_line(of.out, "scalar", available, chosen));
    cr_expect_str_eq(chosen, "yes");
}

Test(program, an_unknown_target_in_the_environment_is_an_error) {
    setenv("IMPINGE_TARGET", "nonsense", 1);
    run of = run_program("targets");
    expect_failure(of, "IMPINGE_TARGET=nonsense: there is no such target");
    cr_expect_not_null(strstr(of.out, "scalar"), "the list is of use all the same");
    write_file("in.csv", CONTACT_HEADER SPHERE_ON_PLANE);
    expect_failure(run_program("resolve in.csv -o out.csv"), "IMPINGE_TARGET=nonsense");
    cr_expect_not(exists("out.csv"));
    cr_expect_eq(run_program("resolve in.csv -o out.csv --target scalar").code, 0,
                 "an option goes before the environment");
}

/* No CPU has both of these. */
Test(program, an_unavailable_target_is_an_error) {
    write_file("in.csv", CONTACT_HEADER SPHERE_ON_PLANE);
    run list = run_program("targets");
    char available[8], chosen[8];
    cr_assert(target_line(list.out, "neon", available, chosen));
    const char *missing = strcmp(available, "no") ? "avx2" : "neon";
    run of = run_program("resolve in.csv -o out.csv --target %s", missing);
    expect_failure(of, missing);
    expect_failure(of, "does not have it");
    setenv("IMPINGE_TARGET", missing, 1);
    expect_failure(run_program("resolve in.csv -o out.csv"), "does not have it");
    cr_expect_eq(files(), 1);
}

Test(program, the_summary_names_the_target) {
    run of = run_on(CONTACT_HEADER SPHERE_ON_PLANE, "resolve - -o - --target scalar");
    cr_expect(is_a_line_with(of.err, "target scalar"), "%s", of.err);
}

/* ---- Rays ---- */

/* The angle, in degrees, and the kind of ray `i`, and whether it is marked. */
static double ray(const char *table, size_t i, char kind[16], bool *marked) {
    for (size_t line = 0; line <= i; line++)
        table += strcspn(table, "\n") + 1;
    double angle, rate, normal_rate;
    cr_assert_eq(sscanf(table, "%lf %15s %lf %lf", &angle, kind, &rate, &normal_rate), 4);
    *marked = memchr(table, '<', strcspn(table, "\n")) != NULL;
    return angle;
}

/* Mirtich 1996, corrected, figure 4. */
Test(program, rays_of_figure_4) {
    static const double right[] = {87, 209, 281, 323};
    run of = run_program("rays 20 0 1 4 6 10 0.7");
    cr_assert_eq(of.code, 0, "%s", of.err);
    for (size_t i = 0; i < COUNT(right); i++) {
        char kind[16];
        bool marked;
        cr_expect_float_eq(ray(of.out, i, kind, &marked), right[i], 0.5);
        cr_expect_str_eq(kind, i ? "converging" : "diverging");
        cr_expect_eq(marked, i == 0);
    }
    cr_expect_not_null(strstr(of.out, "Sticking is unstable."));
}

Test(program, rays_where_sticking_is_stable) {
    run of = run_program("rays 3 0 -0.1 4 0.1 2 1");
    cr_assert_eq(of.code, 0, "%s", of.err);
    cr_expect_not_null(strstr(of.out, "Sticking is stable."));
    cr_expect_null(strstr(of.out, "diverging"));
    cr_expect_null(strchr(of.out, '<'));
}

Test(program, rays_of_a_sphere_are_every_direction) {
    run of = run_program("rays 3.5 0 0 3.5 0 1 0.3");
    cr_expect_eq(of.code, 0);
    cr_expect_not_null(strstr(of.out, "Every direction is a ray"));
}

/* ---- Resolving, the three formats ---- */

Test(program, contact_space) {
    char *out = resolve(CONTACT_HEADER SPHERE_ON_PLANE, "");
    cr_expect(!strncmp(out, MATRIX ",restitution,friction" CONTACT_ADDED,
                       strlen(MATRIX ",restitution,friction" CONTACT_ADDED)),
              "%s", out);
    expect_vector(out, 0, impulse_p, (double[]){-0.075, 0, 1.5}, 2e-6);
    expect_vector(out, 0, after_u, (double[]){0.4375, 0, 0.5}, 2e-6);
    expect_near(out, 0, "work_compression", -0.5, 1e-6);
    expect_near(out, 0, "work_restitution", 0.125, 1e-6);
    expect_near(out, 0, "work_friction", -0.075 * (0.7 + 0.4375) / 2, 1e-6);
    expect_outcome(out, 0, "slid");
}

Test(program, body_pairs) {
    char *out = resolve(BODY_HEADER BODY("0,0,1"), "");
    cr_expect_not_null(
        strstr(out, ",impulse_x,impulse_y,impulse_z,velocity_a_x_after,velocity_a_y_after,"
                    "velocity_a_z_after,angular_velocity_a_x_after,angular_velocity_a_y_after,"
                    "angular_velocity_a_z_after,velocity_b_x_after,velocity_b_y_after,"
                    "velocity_b_z_after,angular_velocity_b_x_after,angular_velocity_b_y_after,"
                    "angular_velocity_b_z_after,work_compression,work_restitution,work_friction,"
                    "outcome\n"));
    expect_vector(out, 0, impulse_xyz, (double[]){-0.075, 0, 1.5}, 2e-6);
    expect_vector(out, 0, after_a, (double[]){0.625, 0, 0.5}, 2e-6);
    expect_near(out, 0, "angular_velocity_a_y_after", 2.5 * 0.075, 1e-6);
    expect_vector(out, 0, after_b, (double[]){0, 0, 0}, 0);
    expect_near(out, 0, "work_restitution", 0.125, 1e-6);
    expect_outcome(out, 0, "slid");
}

/* Equal spheres that slide, in a frame in which neither rests. */
Test(program, sphere_pairs) {
    char *out = resolve(SPHERE_HEADER "0.5,0.5,1,1,0,0,1,0,0,0,1,0,-1,0,0,0,0,0,0,0,0,0\n",
                        "--restitution 0.8 --friction 0.05 --precision f64");
    expect_vector(out, 0, impulse_xyz, (double[]){-0.045, 0, 0.9}, 1e-12);
    expect_vector(out, 0, after_a, (double[]){0.955, 0, -0.1}, 1e-12);
    expect_vector(out, 0, after_b, (double[]){0.045, 0, -0.9}, 1e-12);
    /* Torque arm x p with arm_a = -n / 2, and arm_b x -p with arm_b = n / 2: the same. */
    expect_near(out, 0, "angular_velocity_a_y_after", 10 * 0.5 * 0.045, 1e-12);
    expect_near(out, 0, "angular_velocity_b_y_after", 10 * 0.5 * 0.045, 1e-12);
}

/* The slip grows, and the three rules differ. */
Test(program, rules) {
    static const char table[] = CONTACT_HEADER "2.92,0,1.44,4,0,2.08,1.1,0,-1,0.5,2\n";
    expect_near(resolve(table, "--precision f64"), 0, "u3_after", 0.740510745623269, 1e-11);
    expect_near(resolve(table, "--precision f64 --rule stronge"), 0, "u3_after", 0.740510745623269,
                1e-11);
    expect_near(resolve(table, "--precision f64 --rule poisson"), 0, "u3_after", 0.771232876712329,
                1e-11);
    expect_near(resolve(table, "--precision f64 --rule newton --law routh"), 0, "u3_after", 0.5,
                1e-11);
}

/* Slip along +t1 presses together, along -t1 apart. */
Test(program, jams_are_resolved_on_request) {
    static const char jam[] = CONTACT_HEADER "2.92,0,1.44,4,0,2.08,1,0,0,0.5,2\n";
    static const char no_jam[] = CONTACT_HEADER "2.92,0,1.44,4,0,2.08,-1,0,0,0.5,2\n";
    expect_outcome(resolve(jam, ""), 0, "separating");
    expect_outcome(resolve(jam, "--resolve-jams"), 0, "jammed");
    expect_outcome(resolve(no_jam, "--resolve-jams"), 0, "separating");
}

/* At rest tangentially; |T^-1 k| = 0.49 lies between the two frictions. */
#define UNSTABLE "2.92,0,1.44,4,0,2.08,0,0,-1"

Test(program, static_friction_as_a_column_and_as_an_option) {
    static const char plain[] = CONTACT_HEADER UNSTABLE ",0.5,0.1\n";
    static const char column[] =
        MATRIX ",restitution,friction,friction_static\n" UNSTABLE ",0.5,0.1,0.6\n";
    expect_outcome(resolve(plain, ""), 0, "diverged");
    expect_outcome(resolve(column, ""), 0, "stuck");
    expect_outcome(resolve(plain, "--friction-static 0.6"), 0, "stuck");
}

/* The text that follows another. */
static const char *after(const char *text, const char *piece) {
    const char *found = strstr(text, piece);
    cr_assert_not_null(found, "'%s' is not in: %s", piece, text);
    return found + strlen(piece);
}

Test(program, options_give_what_columns_give) {
    static const char columns[] =
        MATRIX ",restitution,friction,friction_static\n" UNSTABLE ",0.3,0.1,0.2\n";
    char *by_columns = resolve(columns, "");
    char *by_options = resolve(MATRIX "\n" UNSTABLE "\n",
                               "--restitution 0.3 --friction=0.1 --friction-static 0.2");
    cr_expect_str_eq(after(by_options, UNSTABLE), after(by_columns, UNSTABLE ",0.3,0.1,0.2"));
}

Test(program, infinite_friction_is_legal) {
    char *out = resolve(CONTACT_HEADER "3.5,0,0,3.5,0,1,0.7,0,-1,0.5,inf\n", "");
    expect_vector(out, 0, impulse_p, (double[]){-0.2, 0, 1.5}, 2e-6);
    expect_outcome(out, 0, "stuck");
}

Test(program, tolerance_is_passed_on) {
    static const char table[] = CONTACT_HEADER "2.92,0.3,1.44,4,0.2,2.08,1.1,0.7,-1,0.5,0.4\n";
    char *tight = resolve(table, "--precision f64");
    char *loose = resolve(table, "--precision f64 --tolerance 0.01");
    cr_expect_str_neq(after(tight, "0.4,"), after(loose, "0.4,"));
    expect_near(loose, 0, "p3", number_of(tight, 0, "p3"), 0.05);
}

Test(program, f32_is_the_default_precision) {
    static const char table[] = CONTACT_HEADER SPHERE_ON_PLANE;
    char *single = resolve(table, "--precision f32");
    cr_expect_str_eq(resolve(table, ""), single);
    cr_expect_str_neq(resolve(table, "--precision f64"), single);
    /* 0.7 is rounded to f32, and comes back as that. */
    char *separating = resolve(CONTACT_HEADER "3.5,0,0,3.5,0,1,0.7,0,1,0.5,0.05\n", "");
    cr_expect_eq((float)number_of(separating, 0, "u1_after"), 0.7f);
    cr_expect_str_eq(field_of(separating, 0, "u1_after"), "0.7");
}

/* ---- Cases from public reports ---- */

#define SPHERES_AT(positions, velocity_a)                                                          \
    SPHERE_HEADER "0.5,0.5,1,1," positions "," velocity_a ",0,0,0,0,0,0,0,0,0\n"
#define C01_OPTIONS "--restitution 0.5 --friction 0.3"

Test(program, coincident_spheres_are_invalid_and_keep_their_velocities) {
    char *out = resolve(SPHERES_AT("1,2,3,1,2,3", "0,0,-1"), C01_OPTIONS);
    expect_outcome(out, 0, "invalid");
    expect_outcome(out, 0, "invalid-normal");
    expect_vector(out, 0, impulse_xyz, (double[]){0, 0, 0}, 0);
    expect_vector(out, 0, after_a, (double[]){0, 0, -1}, 0);
    expect_vector(out, 0, after_b, (double[]){0, 0, 0}, 0);
    cr_expect_null(strstr(strchr(out, '\n'), "nan"));
}

static const usage_case small_distances[] = {
    {"--precision f32", SPHERES_AT("1e-30,0,0,0,0,0", "-1,0,0")},
    {"--precision f64", SPHERES_AT("1e-170,0,0,0,0,0", "-1,0,0")},
    {"--precision f64", SPHERES_AT("4e-324,0,0,0,0,0", "-1,0,0")},
    {"--precision f64", SPHERES_AT("1e308,0,0,-1e308,0,0", "-1,0,0")}};

ParameterizedTestParameters(program, spheres_have_a_normal_at_any_distance) {
    CASES_OF(small_distances);
}

/* Distances whose squares vanish, and the other end of the exponents. */
ParameterizedTest(size_t *i, program, spheres_have_a_normal_at_any_distance) {
    char options[128];
    snprintf(options, sizeof options, C01_OPTIONS " %s", small_distances[*i].line);
    char *out = resolve(small_distances[*i].words, options);
    expect_vector(out, 0, impulse_xyz, (double[]){0.75, 0, 0}, 1e-6);
    expect_vector(out, 0, after_a, (double[]){-0.25, 0, 0}, 1e-6);
    expect_vector(out, 0, after_b, (double[]){-0.75, 0, 0}, 1e-6);
}

/* A length of 1 within 1e-3 is accepted. */
Test(program, normals_that_are_nearly_unit_vectors) {
    char *out = resolve(BODY_HEADER BODY("0,0,1") BODY("0,0,1.000000001"), "--precision f64");
    for (size_t row = 0; row < 2; row++) {
        expect_vector(out, row, impulse_xyz, (double[]){-0.075, 0, 1.5}, 1e-8);
        expect_vector(out, row, after_a, (double[]){0.625, 0, 0.5}, 1e-8);
    }
}

static const char *const wrong_normals[] = {BODY("0,0,2"), BODY("0,0,0"), BODY("nan,0,0"),
                                            BODY("0,0,inf")};

ParameterizedTestParameters(program, wrong_normals_are_invalid) { CASES_OF(wrong_normals); }

ParameterizedTest(size_t *i, program, wrong_normals_are_invalid) {
    char table[2048];
    snprintf(table, sizeof table, "%s%s", BODY_HEADER, wrong_normals[*i]);
    char *out = resolve(table, "");
    expect_outcome(out, 0, "invalid-normal");
    expect_vector(out, 0, impulse_xyz, (double[]){0, 0, 0}, 0);
    cr_expect_eq((float)number_of(out, 0, "velocity_a_x_after"), 0.7f);
    expect_near(out, 0, "velocity_a_z_after", -1, 0);
}

Test(program, two_immovable_bodies_in_contact_space) {
    char *out = resolve(CONTACT_HEADER "0,0,0,0,0,0,0.3,0,-2,0.5,0.4\n", "--precision f64");
    cr_expect_str_eq(field_of(out, 0, "outcome"), "immovable");
    expect_vector(out, 0, impulse_p, (double[]){0, 0, 0}, 0);
    expect_vector(out, 0, after_u, (double[]){0.3, 0, -2}, 0);
}

Test(program, two_immovable_bodies) {
    char *out = resolve(BODY_HEADER "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,-1,0,0,1,0,0,1,"
                                    "0.3,0,-2,0,0,0,0,0,0,0,0,0,0.5,0.4\n",
                        "--precision f64");
    cr_expect_str_eq(field_of(out, 0, "outcome"), "immovable");
    expect_vector(out, 0, impulse_xyz, (double[]){0, 0, 0}, 0);
    expect_vector(out, 0, after_a, (double[]){0.3, 0, -2}, 0);
}

static const char *const wrong_spheres[] = {"0.5,0.5,0,1", "0.5,0.5,1,-1", "0.5,0.5,1,nan",
                                            "0,0.5,1,1",   "0.5,-0.5,1,1", "0.5,nan,1,1"};

ParameterizedTestParameters(program, masses_and_radii_must_be_positive) { CASES_OF(wrong_spheres); }

/* Mass 0 given as a mass is no immovable body. */
ParameterizedTest(size_t *i, program, masses_and_radii_must_be_positive) {
    char table[1024];
    snprintf(table, sizeof table, "%s%s,0,0,1,0,0,0,0,0,-1,0,0,0,0,0,0,0,0,0\n", SPHERE_HEADER,
             wrong_spheres[*i]);
    char *out = resolve(table, C01_OPTIONS);
    expect_outcome(out, 0, "invalid-mass");
    expect_vector(out, 0, impulse_xyz, (double[]){0, 0, 0}, 0);
}

Test(program, an_infinite_mass_is_immovable) {
    char *out = resolve(SPHERE_HEADER "0.5,0.5,1,inf,0,0,1,0,0,0,0,0,-1,0,0,0,0,0,0,0,0,0\n",
                        "--restitution 0.5 --friction 0");
    expect_vector(out, 0, impulse_xyz, (double[]){0, 0, 1.5}, 2e-6);
    expect_vector(out, 0, after_b, (double[]){0, 0, 0}, 0);
}

static const usage_case wrong_contacts[] = {
    {"3.5,0,0,3.5,0,1,0.7,0,-1,-0.1,0.05\n", "invalid-restitution"},
    {"3.5,0,0,3.5,0,1,0.7,0,-1,1.5,0.05\n", "invalid-restitution"},
    {"3.5,0,0,3.5,0,1,0.7,0,-1,nan,0.05\n", "invalid-restitution"},
    {"3.5,0,0,3.5,0,1,0.7,0,-1,0.5,-0.2\n", "invalid-friction"},
    {"3.5,0,0,3.5,0,1,0.7,0,-1,0.5,NaN\n", "invalid-friction"},
    {"3.5,0,0,3.5,0,1,nan,0,-1,0.5,0.05\n", "invalid-velocity"},
    {"3.5,0,0,3.5,0,1,0,0,-INFINITY,0.5,0.05\n", "invalid-velocity"},
    {"3.5,0,0,3.5,0,0,0.7,0,-1,0.5,0.05\n", "invalid-matrix"},
    {"3.5,0,0,3.5,0,-1,0.7,0,-1,0.5,0.05\n", "invalid-matrix"}};

ParameterizedTestParameters(program, one_bad_contact_among_eight) { CASES_OF(wrong_contacts); }

/* The rows of a table that follow the header, without row 3. */
static void without_row_3(const char *table, char *to) {
    for (size_t line = 0; *table; line++) {
        size_t length = strcspn(table, "\n") + 1;
        if (line != 4) {
            memcpy(to, table, length);
            to += length;
        }
        table += length;
    }
    *to = 0;
}

ParameterizedTest(size_t *i, program, one_bad_contact_among_eight) {
    char table[2048] = CONTACT_HEADER, good[4096], others[4096];
    for (size_t row = 0; row < 8; row++)
        strcat(table, row == 3 ? wrong_contacts[*i].line : SPHERE_ON_PLANE);
    run of = run_on(table, "resolve - -o -");
    cr_assert_eq(of.code, 0, "%s", of.err);
    expect_outcome(of.out, 3, "invalid");
    expect_outcome(of.out, 3, wrong_contacts[*i].words);
    expect_vector(of.out, 3, impulse_p, (double[]){0, 0, 0}, 0);
    cr_expect(is_a_line_with(of.err, "8 contacts"), "%s", of.err);
    cr_expect(is_a_line_with(of.err, "1 invalid (the first in line 5; 1 "), "%s", of.err);
    without_row_3(of.out, others);
    without_row_3(
        resolve(CONTACT_HEADER SPHERE_ON_PLANE SPHERE_ON_PLANE SPHERE_ON_PLANE SPHERE_ON_PLANE
                    SPHERE_ON_PLANE SPHERE_ON_PLANE SPHERE_ON_PLANE SPHERE_ON_PLANE,
                ""),
        good);
    cr_expect_str_eq(others, good);
}

/* ---- Bits ---- */

/* A number of a fixed sequence whose bits are those of any finite float. */
static float any_float(uint64_t *state) {
    for (;;) {
        uint32_t bits = (uint32_t)(random_bits(state) >> 32);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) return value;
    }
}

static double any_double(uint64_t *state) {
    for (;;) {
        uint64_t bits = random_bits(state);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) return value;
    }
}

enum { BIT_ROWS = 500 };

/* Contacts that separate: what goes in comes out. */
static char *separating_contacts(const char *format, bool single, double velocities[BIT_ROWS]) {
    char *table = malloc(BIT_ROWS * 128 + sizeof CONTACT_HEADER);
    char *end = table + sprintf(table, CONTACT_HEADER);
    uint64_t state = 1;
    for (size_t row = 0; row < BIT_ROWS; row++) {
        velocities[row] = single ? (double)any_float(&state) : any_double(&state);
        end += sprintf(end, "1,0,0,1,0,1,");
        end += sprintf(end, format, velocities[row]);
        end += sprintf(end, ",-0.0,1,0.5,0.3\n");
    }
    return table;
}

Test(program, f32_numbers_keep_their_bits) {
    double velocities[BIT_ROWS];
    char *out = resolve(separating_contacts("%.9g", true, velocities), "");
    for (size_t row = 0; row < BIT_ROWS; row++) {
        float value = strtof(field_of(out, row, "u1_after"), NULL), right = (float)velocities[row];
        cr_expect(!memcmp(&value, &right, sizeof value), "%a is not %a", (double)value,
                  (double)right);
    }
    cr_expect_str_eq(field_of(out, 0, "u2_after"), "-0");
}

Test(program, f64_numbers_keep_their_bits) {
    double velocities[BIT_ROWS];
    char *out = resolve(separating_contacts("%.17g", false, velocities), "--precision f64");
    for (size_t row = 0; row < BIT_ROWS; row++) {
        double value = strtod(field_of(out, row, "u1_after"), NULL);
        cr_expect(!memcmp(&value, &velocities[row], sizeof value), "%a is not %a", value,
                  velocities[row]);
    }
}

/* Halfway between two floats, and a little more: by way of a double it would be rounded down. */
Test(program, f32_numbers_are_rounded_once) {
    char *out =
        resolve(CONTACT_HEADER "1,0,0,1,0,1,1.000000059604644775390625000001,0,1,0.5,1\n", "");
    cr_expect_eq((float)number_of(out, 0, "u1_after"), 1.00000012f);
}

typedef struct set_case {
    const char *input;
    const char *options;
} set_case;

static const set_case sets[] = {{BOXES, "--precision f32"},
                                {BOXES, "--precision f64"},
                                {SPHERES_WITH_COEFFICIENTS, "--precision f32"},
                                {SPHERES_WITH_COEFFICIENTS, "--precision f64"}};

static void expect_same_bytes(const set_case *of, const char *options, const char *others) {
    run one = run_program("resolve %s -o one.csv %s %s", of->input, of->options, options);
    run other = run_program("resolve %s -o other.csv %s %s", of->input, of->options, others);
    cr_assert_eq(one.code, 0, "%s", one.err);
    cr_assert_eq(other.code, 0, "%s", other.err);
    cr_expect(!strcmp(read_file("one.csv"), read_file("other.csv")));
    cr_expect_eq(files(), 2);
}

ParameterizedTestParameters(program, threads_do_not_change_bits) { CASES_OF(sets); }

ParameterizedTest(size_t *i, program, threads_do_not_change_bits) {
    expect_same_bytes(&sets[*i], "--threads 1", "--threads 4");
    expect_same_bytes(&sets[*i], "--threads 3", "--threads 7");
}

Test(program, threads_do_not_change_bits_in_contact_space) {
    double velocities[BIT_ROWS];
    char *table = separating_contacts("%.9g", true, velocities);
    cr_expect_str_eq(resolve(table, "--threads 3"), resolve(table, "--threads 1"));
}

ParameterizedTestParameters(program, targets_do_not_change_bits) { CASES_OF(sets); }

ParameterizedTest(size_t *i, program, targets_do_not_change_bits) {
    expect_same_bytes(&sets[*i], "--target scalar", "");
}

ParameterizedTestParameters(program, real_sets_verify) { CASES_OF(sets); }

ParameterizedTest(size_t *i, program, real_sets_verify) {
    run of = run_program("resolve %s -o out.csv --verify --threads 2 %s", sets[*i].input,
                         sets[*i].options);
    cr_assert_eq(of.code, 0, "%s", of.err);
    char *out = read_file("out.csv");
    char words[128];
    snprintf(words, sizeof words, "%zu impulses compared with the reference; largest",
             rows_of(out));
    cr_expect_not_null(strstr(of.err, words), "%s", of.err);
    cr_expect_not_null(strstr(of.err, " 0 invalid"), "%s", of.err);
}

static const char *const surveyed[] = {BOXES, SPHERES_WITH_COEFFICIENTS};

ParameterizedTestParameters(program, surveys) { CASES_OF(surveyed); }

/* The output of scripts/run: both precisions, every target, and that all of it is right. */
ParameterizedTest(size_t *i, program, surveys) {
    run of = run_program("survey %s", surveyed[*i]);
    cr_assert_eq(of.code, 0, "%s%s", of.out, of.err);
    const char *second = strstr(of.out, " in f64: ");
    cr_assert_not_null(strstr(of.out, " in f32: "), "%s", of.out);
    cr_assert_not_null(second, "%s", of.out);
    const char *const shown[] = {"scalar ",      "1.0 x scalar", "all targets agree bit for bit",
                                 "outcomes   ",  " J before, ",  "lost to restitution ",
                                 "to friction ", " 0 of "};
    for (size_t j = 0; j < COUNT(shown); j++)
        cr_expect_not_null(strstr(second, shown[j]), "no '%s' in %s", shown[j], second);
    double before, after, restitution, friction;
    const char *energy = strstr(second, "energy     ");
    cr_assert_not_null(energy);
    cr_assert_eq(sscanf(energy,
                        "energy %lf J before, %lf J after; lost to restitution %lf (%*f %%), to "
                        "friction %lf",
                        &before, &after, &restitution, &friction),
                 4, "%s", energy);
    /* Six digits are printed of each. */
    cr_expect(fabs(before - after - restitution - friction) < 2e-5 * before, "%s", energy);
    cr_expect(after < before && restitution > 0 && friction > 0);
}

/* Options, and how many of the eight contacts below are legal with them. */
typedef struct verified_case {
    const char *options;
    int legal;
} verified_case;

static const verified_case verified[] = {
    {"", 6},
    {"--rule poisson", 6},
    {"--rule newton --precision f64", 6},
    {"--resolve-jams --precision f64", 6},
    {"--tolerance 1e-3", 6},
    {"--tolerance 0.01 --precision f64", 6},
    {"--restitution-above-one", 7},
    {"--law frictionless --damping-fraction 0.6", 7},
    {"--law frictionless", 6},
    {"--law whittaker --resolve-jams", 6},
    {"--law whittaker --precision f64", 6},
    {"--law smith --resolve-jams", 6},
    {"--law smith --precision f64", 6},
    {"--law two-stage --resolve-jams", 6},
    {"--law two-stage --precision f64", 6},
    {"--law bilinear --tangential-restitution 0.3", 2},
    {"--law chatterjee-ruina --tangential-restitution -0.3 --resolve-jams", 6},
    {"--law chatterjee-ruina --restitution-above-one --precision f64", 7},
    {"--law brach --impulse-ratio-t1 0.3 --impulse-ratio-t2 -0.2", 6},
    {"--law brach --impulse-ratio-t1 3 --limit-impulse-ratios --precision f64", 6},
    {"--law composite --mix 0.3 --tangential-restitution 0.2 --resolve-jams", 6},
    {"--law composite --mix 0.3 --rule poisson --precision f64", 6}};

ParameterizedTestParameters(program, contact_space_verifies) { CASES_OF(verified); }

ParameterizedTest(size_t *i, program, contact_space_verifies) {
    char line[256], words[64];
    snprintf(line, sizeof line, "resolve - -o out.csv --verify %s", verified[*i].options);
    snprintf(words, sizeof words, "%d impulses compared with the reference", verified[*i].legal);
    run of = run_on(CONTACT_HEADER SPHERE_ON_PLANE UNSTABLE
                    ",0.5,0.1\n2.92,0,1.44,4,0,2.08,1.1,0,-1,0.5,2\n"
                    "2.92,0,1.44,4,0,2.08,1,0,0,0.5,2\n3.5,0,0,3.5,0,1,0.7,0,1,0.5,0\n"
                    "2.92,0.3,1.44,4,0.2,2.08,1.1,0.7,-1,0.5,0.4\n"
                    "1,2,0,1,0,1,0.7,0,1,0.5,0\n1,0,0,1,0,1,0.7,0,1,1.5,0\n",
                    line);
    cr_expect_eq(of.code, 0, "%s", of.err);
    cr_expect_not_null(strstr(of.err, words), "%s", of.err);
}

static const set_case sets_by_laws[] = {
    {BOXES, "--law frictionless"},
    {BOXES, "--law whittaker"},
    {BOXES, "--law smith"},
    {BOXES, "--law two-stage"},
    {BOXES, "--law chatterjee-ruina --tangential-restitution 0.4"},
    {BOXES, "--law brach --impulse-ratio-t1 0.1 --impulse-ratio-t2 -0.2"},
    {BOXES, "--law composite --mix 0.4 --tangential-restitution -0.3"},
    {SPHERES_WITH_COEFFICIENTS, "--law bilinear --tangential-restitution 0.4"}};

ParameterizedTestParameters(program, real_sets_verify_by_every_law) { CASES_OF(sets_by_laws); }

ParameterizedTest(size_t *i, program, real_sets_verify_by_every_law) {
    static const char *const precisions[] = {"f32", "f64"};
    for (size_t j = 0; j < COUNT(precisions); j++) {
        run of = run_program("resolve %s -o out.csv --verify --threads 2 --precision %s %s",
                             sets_by_laws[*i].input, precisions[j], sets_by_laws[*i].options);
        cr_assert_eq(of.code, 0, "%s", of.err);
        char words[128];
        snprintf(words, sizeof words, "%zu impulses compared with the reference; largest",
                 rows_of(read_file("out.csv")));
        cr_expect_not_null(strstr(of.err, words), "%s", of.err);
    }
}

/* ---- Laws ---- */

typedef struct law_case {
    const char *options;
    double p[3];
} law_case;

#define C06_SPHERE "3.5,0,0,3.5,0,1,0.7,0,-1,0.5,1\n"
#define C14_ROD    "2.92,0,1.44,4,0,2.08,1,0,-1,0.5,0.1\n"

/* A solid sphere at friction 1: all stick but the frictionless law, Smith's and Brach's. */
static const law_case laws_of_a_sphere[] = {
    {"", {-0.2, 0, 1.5}},
    {"--law routh", {-0.2, 0, 1.5}},
    {"--law frictionless", {0, 0, 1.5}},
    {"--law frictionless --damping-fraction 0.75", {0, 0, 1.5}},
    {"--law frictionless --damping-fraction 1", {0, 0, 2}},
    {"--law whittaker", {-0.2, 0, 1.5}},
    {"--law smith", {-0.356917857360853, 0, 1.5}},
    {"--law two-stage", {-0.2, 0, 1.5}},
    {"--law bilinear", {-0.2, 0, 1.5}},
    {"--law bilinear --tangential-restitution 0.5", {-0.3, 0, 1.5}},
    {"--law bilinear --tangential-restitution -1", {0, 0, 1.5}},
    {"--law chatterjee-ruina", {-0.2, 0, 1.5}},
    {"--law chatterjee-ruina --tangential-restitution 0.5", {-0.3, 0, 1.5}},
    {"--law brach", {0, 0, 1.5}},
    {"--law brach --impulse-ratio-t1 -0.1", {-0.15, 0, 1.5}},
    {"--law brach --impulse-ratio-t2 -0.1", {0, -0.15, 1.5}},
    {"--law brach --impulse-ratio-t1 -1.5", {-2.25, 0, 1.5}},
    {"--law composite", {-0.2, 0, 1.5}},
    {"--law composite --mix 1 --tangential-restitution 0.5", {-0.3, 0, 1.5}},
    {"--law composite --mix 0.25 --tangential-restitution 0.4", {-0.22, 0, 1.5}},
    {"--law composite --tangential-restitution 0.4", {-0.2, 0, 1.5}}};

ParameterizedTestParameters(program, laws_of_a_sphere_on_a_plane) { CASES_OF(laws_of_a_sphere); }

ParameterizedTest(size_t *i, program, laws_of_a_sphere_on_a_plane) {
    char options[256];
    snprintf(options, sizeof options, "--precision f64 %s", laws_of_a_sphere[*i].options);
    char *out = resolve(CONTACT_HEADER C06_SPHERE, options);
    expect_vector(out, 0, impulse_p, laws_of_a_sphere[*i].p, 1e-12);
    char *single = resolve(CONTACT_HEADER C06_SPHERE, laws_of_a_sphere[*i].options);
    expect_vector(single, 0, impulse_p, laws_of_a_sphere[*i].p, 2e-6);
}

/* A rod that slides in one direction: all laws agree. */
static const law_case laws_of_a_rod[] = {
    {"--law frictionless", {0, 0, 1.5 / 2.08}},
    {"--law whittaker", {-0.15 / 1.936, 0, 1.5 / 1.936}},
    {"--law smith", {-0.15 / 1.936, 0, 1.5 / 1.936}},
    {"--law two-stage", {-0.15 / 1.936, 0, 1.5 / 1.936}},
    {"--law chatterjee-ruina", {-0.15 / 1.936, 0, 1.5 / 1.936}},
    {"--law brach --impulse-ratio-t1 -0.1", {-0.15 / 1.936, 0, 1.5 / 1.936}},
    {"--law composite --mix 0.3", {-0.15 / 1.936, 0, 1.5 / 1.936}}};

ParameterizedTestParameters(program, laws_of_a_sliding_rod) { CASES_OF(laws_of_a_rod); }

ParameterizedTest(size_t *i, program, laws_of_a_sliding_rod) {
    char options[256];
    snprintf(options, sizeof options, "--precision f64 %s", laws_of_a_rod[*i].options);
    char *out = resolve(CONTACT_HEADER C14_ROD, options);
    expect_vector(out, 0, impulse_p, laws_of_a_rod[*i].p, 1e-12);
}

Test(program, the_bilinear_law_is_for_diagonal_matrices) {
    run of = run_on(CONTACT_HEADER C14_ROD C06_SPHERE, "resolve - -o - --law bilinear");
    cr_assert_eq(of.code, 0, "%s", of.err);
    expect_outcome(of.out, 0, "not-diagonal");
    expect_vector(of.out, 0, impulse_p, (double[]){0, 0, 0}, 0);
    expect_vector(of.out, 1, impulse_p, (double[]){-0.2, 0, 1.5}, 2e-6);
    cr_expect(is_a_line_with(of.err, "1 invalid (the first in line 2; 1 not-diagonal)"), "%s",
              of.err);
}

/* Ratios beyond friction: flagged, or scaled back to it. */
Test(program, impulse_ratios_are_limited_on_request) {
    static const char ratios[] = "--precision f64 --law brach --impulse-ratio-t1 -0.2";
    char options[128];
    snprintf(options, sizeof options, "%s --limit-impulse-ratios", ratios);
    char *free_ratios = resolve(CONTACT_HEADER C14_ROD, ratios);
    char *limited = resolve(CONTACT_HEADER C14_ROD, options);
    expect_outcome(free_ratios, 0, "outside-region");
    expect_near(free_ratios, 0, "p1", -0.3 / (2.08 - 0.2 * 1.44), 1e-12);
    expect_outcome(limited, 0, "clipped");
    expect_vector(limited, 0, impulse_p, (double[]){-0.15 / 1.936, 0, 1.5 / 1.936}, 1e-12);
}

Test(program, restitution_above_one_is_an_option) {
    static const char table[] = CONTACT_HEADER "3.5,0,0,3.5,0,1,0,0,-1,1.5,0\n";
    expect_outcome(resolve(table, "--law frictionless"), 0, "invalid-restitution");
    char *out = resolve(table, "--law frictionless --restitution-above-one");
    expect_near(out, 0, "p3", 2.5, 1e-6);
    expect_outcome(out, 0, "energy-gained");
    expect_outcome(out, 0, "outside-region");
    out = resolve(MATRIX "\n3.5,0,0,3.5,0,1,0,0,-1\n",
                  "--restitution-above-one --restitution 1.5 --friction 0 --law frictionless");
    expect_near(out, 0, "p3", 2.5, 1e-6);
}

typedef struct column_case {
    const char *columns, *values, *options;
} column_case;

static const column_case coefficient_columns[] = {
    {",restitution,friction,tangential_restitution", ",0.5,1,0.5",
     "--law bilinear --restitution 0.5 --friction 1 --tangential-restitution 0.5"},
    {",restitution,tangential_restitution,friction", ",0.5,0.5,1",
     "--law chatterjee-ruina --restitution 0.5 --friction 1 --tangential-restitution 0.5"},
    {",mix,restitution,friction,tangential_restitution", ",0.25,0.5,1,0.4",
     "--law composite --mix 0.25 --restitution 0.5 --friction 1 --tangential-restitution 0.4"},
    {",restitution,friction,impulse_ratio_t2,impulse_ratio_t1", ",0.5,1,0.2,-0.1",
     "--law brach --restitution 0.5 --friction 1 --impulse-ratio-t1 -0.1 --impulse-ratio-t2 0.2"},
    {",damping_fraction", ",0.625", "--law frictionless --damping-fraction 0.625"},
    {",restitution", ",0.25", "--law frictionless --restitution 0.25"}};

ParameterizedTestParameters(program, options_of_laws_give_what_columns_give) {
    CASES_OF(coefficient_columns);
}

/* The name of the law is the first two words of the options. */
ParameterizedTest(size_t *i, program, options_of_laws_give_what_columns_give) {
    static const char contact[] = "3.5,0,0,3.5,0,1,0.7,0,-1";
    const column_case *of = &coefficient_columns[*i];
    char table[512], plain[256], law[64];
    snprintf(table, sizeof table, MATRIX "%s\n%s%s\n", of->columns, contact, of->values);
    snprintf(plain, sizeof plain, MATRIX "\n%s\n", contact);
    const char *name = after(of->options, "--law ");
    snprintf(law, sizeof law, "--law %.*s", (int)strcspn(name, " "), name);
    char *by_columns = resolve(table, law), *by_options = resolve(plain, of->options);
    cr_expect_str_eq(after(by_options, contact), after(after(by_columns, contact), of->values));
    cr_expect_gt(number_of(by_columns, 0, "p3"), 1);
}

/* A coefficient that a law does not have may be anything, and its option is ignored. */
Test(program, columns_that_a_law_does_not_have_are_carried_through) {
    char *out =
        resolve(MATRIX ALL_COEFFICIENTS "\n3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.05,0.06,x,,?,\"a b\",-\n",
                "--law whittaker --mix 0.5");
    cr_expect_not_null(strstr(out, ",0.5,0.05,0.06,x,,?,\"a b\",-,-0.07"), "%s", out);
    expect_outcome(out, 0, "slid");
}

Test(program, the_frictionless_law_needs_no_friction) {
    char *out =
        resolve(MATRIX ",restitution\n3.5,0,0,3.5,0,1,0.7,0,-1,0.5\n", "--law frictionless");
    expect_vector(out, 0, impulse_p, (double[]){0, 0, 1.5}, 2e-6);
    out = resolve(MATRIX ",friction,friction_static\n3.5,0,0,3.5,0,1,0.7,0,-1,none,\n",
                  "--law frictionless --damping-fraction 0.75");
    expect_vector(out, 0, impulse_p, (double[]){0, 0, 1.5}, 2e-6);
    /* A fraction goes before restitution, whatever that is. */
    out = resolve(MATRIX ",damping_fraction,restitution\n3.5,0,0,3.5,0,1,0.7,0,-1,0.75,?\n",
                  "--law frictionless");
    expect_vector(out, 0, impulse_p, (double[]){0, 0, 1.5}, 2e-6);
}

static const usage_case wrong_law_coefficients[] = {
    {"--law bilinear", ",tangential_restitution\n3.5,0,0,3.5,0,1,0.7,0,-1,0.5,1,1.5\n"},
    {"--law chatterjee-ruina", ",tangential_restitution\n3.5,0,0,3.5,0,1,0.7,0,-1,0.5,1,nan\n"},
    {"--law composite", ",mix\n3.5,0,0,3.5,0,1,0.7,0,-1,0.5,1,-0.1\n"},
    {"--law brach", ",impulse_ratio_t1\n3.5,0,0,3.5,0,1,0.7,0,-1,0.5,1,inf\n"},
    {"--law brach", ",impulse_ratio_t2\n3.5,0,0,3.5,0,1,0.7,0,-1,0.5,1,nan\n"},
    {"--law frictionless", ",damping_fraction\n3.5,0,0,3.5,0,1,0.7,0,-1,0.5,1,0.4\n"},
    {"--law frictionless", ",damping_fraction\n3.5,0,0,3.5,0,1,0.7,0,-1,0.5,1,0\n"}};

ParameterizedTestParameters(program, wrong_coefficients_of_laws_are_invalid) {
    CASES_OF(wrong_law_coefficients);
}

ParameterizedTest(size_t *i, program, wrong_coefficients_of_laws_are_invalid) {
    char table[256], options[64];
    snprintf(table, sizeof table, MATRIX ",restitution,friction%s",
             wrong_law_coefficients[*i].words);
    snprintf(options, sizeof options, "%s --verify", wrong_law_coefficients[*i].line);
    expect_outcome(resolve(table, options), 0, "invalid-coefficient");
}

/* ---- Bodies in their own frames ---- */

#define QUATERNION(name) name "_w," name "_x," name "_y," name "_z"
#define BODY_COLUMNS     MASSES TENSORS GEOMETRY VELOCITIES("a") "," VELOCITIES("b")
#define ROOT_HALF        "0.70710678118654752440"
#define PAIR_REST        "0.5,0,0,0.5,0,0.5,0.3,-0.2,-0.4,0.1,0.2,0.5,0,0,1,0.5,0.1,-1"

/* A by its principal axes, which stand a quarter turn about z from the world's. */
static const char pair_in_world[] = BODY_COLUMNS COEFFICIENTS
    "1,0.5,2,0,0,1,0,3," PAIR_REST ",0.1,0.2,0.3,0,0,0.2,-0.4,0,0.1,0.5,0.4\n";
static const char pair_in_own_frame[] = BODY_COLUMNS "," QUATERNION("orientation_a") COEFFICIENTS
    "1,0.5,1,0,0,2,0,3," PAIR_REST ",0.2,-0.1,0.3,0,0,0.2,-0.4,0,0.1," ROOT_HALF ",0,0," ROOT_HALF
    ",0.5,0.4\n";
/* The same, and B by half a turn about x. */
static const char both_in_own_frames[] =
    BODY_COLUMNS "," QUATERNION("orientation_b") "," QUATERNION("orientation_a") COEFFICIENTS
    "1,0.5,1,0,0,2,0,3," PAIR_REST ",0.2,-0.1,0.3,0,0,0.2,-0.4,0,-0.1,0,1,0,0," ROOT_HALF
    ",0,0," ROOT_HALF ",0.5,0.4\n";

static void expect_same_number(const char *table, const char *name, double sign, const char *other,
                               const char *other_name) {
    expect_near(table, 0, name, sign * number_of(other, 0, other_name), 1e-12);
}

static void expect_same_pair(const char *turned, const char *world) {
    for (size_t i = 0; i < 3; i++) {
        expect_same_number(turned, impulse_xyz[i], 1, world, impulse_xyz[i]);
        expect_same_number(turned, after_a[i], 1, world, after_a[i]);
        expect_same_number(turned, after_b[i], 1, world, after_b[i]);
    }
    expect_same_number(turned, "angular_velocity_a_x_after", 1, world,
                       "angular_velocity_a_y_after");
    expect_same_number(turned, "angular_velocity_a_y_after", -1, world,
                       "angular_velocity_a_x_after");
    expect_same_number(turned, "angular_velocity_a_z_after", 1, world,
                       "angular_velocity_a_z_after");
    expect_same_number(turned, "angular_velocity_b_x_after", 1, world,
                       "angular_velocity_b_x_after");
}

Test(program, bodies_in_their_own_frames) {
    static const char options[] = "--precision f64 --verify";
    char *world = resolve(pair_in_world, options);
    cr_expect_gt(fabs(number_of(world, 0, "angular_velocity_a_x_after") - 0.1), 0.01);
    char *one = resolve(pair_in_own_frame, options), *both = resolve(both_in_own_frames, options);
    expect_same_pair(one, world);
    expect_same_pair(both, world);
    expect_same_number(both, "angular_velocity_b_z_after", -1, world, "angular_velocity_b_z_after");
}

Test(program, an_orientation_must_be_a_rotation) {
    char table[2048];
    snprintf(table, sizeof table, "%s", pair_in_own_frame);
    char *w = strstr(table, "," ROOT_HALF);
    memcpy(w, ",2.", 3);
    expect_outcome(resolve(table, ""), 0, "invalid-orientation");
}

Test(program, an_orientation_has_four_columns) {
    expect_failure(run_on(BODY_COLUMNS
                          ",orientation_b_w,orientation_b_y,orientation_b_z" COEFFICIENTS,
                          "resolve - -o out.csv"),
                   "<stdin>:1: column orientation_b_x: missing, but orientation_b_w is there; give "
                   "all 4 or none");
    cr_expect_eq(files(), 0);
}

/* Surveys a table from standard input. */
static void expect_survey(const char *table, double energy) {
    run of = run_on(table, "survey -");
    cr_expect_eq(of.code, 0, "%s%s", of.out, of.err);
    const char *line = strstr(of.out, "  energy ");
    double before;
    cr_assert_not_null(line);
    cr_assert_eq(sscanf(line, " energy %lf J before", &before), 1, "%s", line);
    cr_expect_float_eq(before, energy, 1e-5 * energy, "%s", line);
}

/* ---- Planar contacts ---- */

#define PLANAR_MATRIX "ktt,ktn,knn,ut,un"
#define PLANAR_BODY(side)                                                                          \
    "inv_mass_" side ",inv_inertia_" side ",arm_" side "_x,arm_" side "_y,velocity_" side          \
    "_x,velocity_" side "_y,angular_velocity_" side
#define PLANAR_PAIR PLANAR_BODY("a") "," PLANAR_BODY("b") ",normal_x,normal_y"

/* The rod in its plane. */
static const char planar_rod[] = PLANAR_MATRIX COEFFICIENTS "2.92,1.44,2.08,1,-1,0.5,0.1\n";
static const char planar_rod_on_a_plane[] =
    PLANAR_PAIR COEFFICIENTS "1,12,0.3,-0.4,1,-1,0,0,0,0,0,0,0,0,0,1,0.5,0.1\n";

Test(program, planar_contacts) {
    char *out = resolve(planar_rod, "--precision f64 --verify");
    cr_expect_not_null(strstr(out, "friction,pt,pn,ut_after,un_after,work_compression,"
                                   "work_restitution,work_friction,outcome\n"));
    expect_near(out, 0, "pt", -0.15 / 1.936, 1e-14);
    expect_near(out, 0, "pn", 1.5 / 1.936, 1e-14);
    expect_near(out, 0, "ut_after", 1.889462809917355, 1e-14);
    expect_near(out, 0, "un_after", 0.5, 1e-14);
    /* All three together are the loss of energy. */
    double works = number_of(out, 0, "work_compression") + number_of(out, 0, "work_restitution") +
                   number_of(out, 0, "work_friction");
    cr_expect_float_eq(works, 0.679364818830681 - 0.985, 1e-14);
    expect_outcome(out, 0, "slid");
    cr_expect_str_eq(resolve(planar_rod, "--law planar --precision f64"), out);
}

Test(program, planar_pairs) {
    char *out = resolve(planar_rod_on_a_plane, "--law planar --precision f64 --verify");
    cr_expect_not_null(strstr(out, "friction,impulse_x,impulse_y,velocity_a_x_after,"
                                   "velocity_a_y_after,angular_velocity_a_after,velocity_b_x_after,"
                                   "velocity_b_y_after,angular_velocity_b_after,work_compression,"
                                   "work_restitution,work_friction,outcome\n"));
    const double x = -0.15 / 1.936, y = 1.5 / 1.936;
    expect_near(out, 0, "impulse_x", x, 1e-14);
    expect_near(out, 0, "impulse_y", y, 1e-14);
    expect_near(out, 0, "velocity_a_x_after", 1 + x, 1e-14);
    expect_near(out, 0, "velocity_a_y_after", -1 + y, 1e-14);
    expect_near(out, 0, "angular_velocity_a_after", 12 * (0.3 * y + 0.4 * x), 1e-13);
    expect_near(out, 0, "velocity_b_x_after", 0, 0);
    expect_near(out, 0, "angular_velocity_b_after", 0, 0);
    expect_near(out, 0, "work_restitution",
                number_of(resolve(planar_rod, "--precision f64"), 0, "work_restitution"), 1e-14);
}

Test(program, surveys_of_planar_contacts) {
    expect_survey(planar_rod, 0.985);
    expect_survey(planar_rod_on_a_plane, 0.985);
}

static const law_case planar_rules[] = {{"--rule stronge", {0.740510745623269}},
                                        {"--rule poisson", {0.771232876712329}},
                                        {"--rule newton --law planar", {0.5}},
                                        {"--law planar", {0.740510745623269}}};

ParameterizedTestParameters(program, planar_contacts_have_rules) { CASES_OF(planar_rules); }

ParameterizedTest(size_t *i, program, planar_contacts_have_rules) {
    char options[128];
    snprintf(options, sizeof options, "--precision f64 --verify %s", planar_rules[*i].options);
    char *out = resolve(PLANAR_MATRIX COEFFICIENTS "2.92,1.44,2.08,1.1,-1,0.5,2\n", options);
    expect_near(out, 0, "un_after", planar_rules[*i].p[0], 1e-13);
}

Test(program, planar_options) {
    static const char jam[] = PLANAR_MATRIX COEFFICIENTS "2.92,1.44,2.08,1,0,0.5,2\n";
    expect_outcome(resolve(jam, ""), 0, "separating");
    expect_outcome(resolve(jam, "--resolve-jams --verify"), 0, "jammed");
    static const char fast[] = PLANAR_MATRIX COEFFICIENTS "3,0,1,0,-1,1.5,0\n";
    expect_outcome(resolve(fast, "--verify"), 0, "invalid-restitution");
    expect_near(resolve(fast, "--restitution-above-one --verify"), 0, "pn", 2.5, 1e-6);
}

static const usage_case wrong_planar_laws[] = {{"--law routh", PLANAR_MATRIX COEFFICIENTS},
                                               {"--law whittaker", PLANAR_PAIR COEFFICIENTS},
                                               {"--law composite", PLANAR_PAIR COEFFICIENTS},
                                               {"--law planar", BODY_HEADER},
                                               {"--law planar", SPHERE_HEADER}};

ParameterizedTestParameters(program, a_law_is_for_its_columns) { CASES_OF(wrong_planar_laws); }

ParameterizedTest(size_t *i, program, a_law_is_for_its_columns) {
    char line[128];
    const usage_case *of = &wrong_planar_laws[*i];
    snprintf(line, sizeof line, "resolve - -o out.csv %s", of->line);
    expect_failure(run_on(of->words, line), !strcmp(of->line, "--law planar")
                                                ? "which every law but planar resolves"
                                                : "which only --law planar resolves");
    cr_expect_eq(files(), 0);
}

/* ---- Comparing ---- */

/* Compares a table from standard input, and expects that it can be done. */
static char *compare(const char *table, const char *options) {
    char line[512];
    snprintf(line, sizeof line, "compare - %s", options);
    run of = run_on(table, line);
    cr_assert_eq(of.code, 0, "exit code %d: %s", of.code, of.err);
    cr_expect_str_empty(of.err);
    return of.out;
}

/* The row of a table of comparison; -1: there is none. */
static int row_of_law(const char *table, const char *law, const char *rule) {
    for (size_t row = 0; row < rows_of(table); row++)
        if (!strcmp(field_of(table, row, "law"), law) &&
            !strcmp(field_of(table, row, "rule"), rule))
            return (int)row;
    return -1;
}

typedef struct comparison_case {
    const char *law, *rule;
    double lost, stuck, reversed, tangential;
} comparison_case;

#define TWO_CONTACTS CONTACT_HEADER C06_SPHERE C14_ROD

/* The energies of the sphere at friction 1, 0.57 J, and of the rod, 0.985 J; restitution 0.5. */
static const double energy_of_two = 0.57 + 0.985;
#define ROD_LOST   (0.985 - 0.679364818830681)
#define ROD_SLIP   1.889462809917355
#define SMITH_SLIP -0.549212500762985

static const comparison_case two_contacts[] = {
    {"routh", "stronge", 0.57 - 0.125 + ROD_LOST, 0.5, 0, -ROD_SLIP / 2},
    {"routh", "poisson", 0.57 - 0.125 + ROD_LOST, 0.5, 0, -ROD_SLIP / 2},
    {"routh", "newton", 0.57 - 0.125 + ROD_LOST, 0.5, 0, -ROD_SLIP / 2},
    {"frictionless", "", 0.375 + 0.25 * 1.5 / 2.08, 0, 0, -(0.7 / 0.7 + 1 + 1.44 * 1.5 / 2.08) / 2},
    {"whittaker", "", 0.57 - 0.125 + ROD_LOST, 0.5, 0, -ROD_SLIP / 2},
    {"smith", "", 0.57 - 0.125 - SMITH_SLIP *SMITH_SLIP / 7 + ROD_LOST, 0, 0.5,
     (-SMITH_SLIP / 0.7 - ROD_SLIP) / 2},
    {"two-stage", "", 0.57 - 0.125 + ROD_LOST, 0.5, 0, -ROD_SLIP / 2},
    {"chatterjee-ruina", "", 0.57 - 0.125 + ROD_LOST, 0.5, 0, -ROD_SLIP / 2},
    {"brach", "", 0.57 - 0.125 - 0.175 * 0.175 / 7 + ROD_LOST, 0, 0, (-0.175 / 0.7 - ROD_SLIP) / 2},
    {"composite", "", 0.57 - 0.125 + ROD_LOST, 0.5, 0, -ROD_SLIP / 2}};

ParameterizedTestParameters(program, compares_two_contacts) { CASES_OF(two_contacts); }

/* The sphere and the rod: eight roundings or so of numbers near 1. */
ParameterizedTest(size_t *i, program, compares_two_contacts) {
    const comparison_case *of = &two_contacts[*i];
    char *out = compare(TWO_CONTACTS, "--csv --precision f64 --impulse-ratio-t1 -0.1");
    int row = row_of_law(out, of->law, of->rule);
    cr_assert_geq(row, 0, "no %s in %s", of->law, out);
    expect_near(out, (size_t)row, "resolved", 2, 0);
    expect_near(out, (size_t)row, "energy_before", energy_of_two, 1e-14);
    expect_near(out, (size_t)row, "energy_lost", of->lost, 1e-13);
    expect_near(out, (size_t)row, "energy_lost_share", of->lost / energy_of_two, 1e-13);
    expect_near(out, (size_t)row, "stuck_share", of->stuck, 0);
    expect_near(out, (size_t)row, "reversed_share", of->reversed, 0);
    expect_near(out, (size_t)row, "normal_rebound", 0.5, 1e-14);
    expect_near(out, (size_t)row, "tangential_rebound", of->tangential, 1e-13);
    static const char *const none[] = {"outside_region", "energy_gained", "not_diagonal",
                                       "no_solution",    "invalid",       "out_of_range"};
    for (size_t j = 0; j < COUNT(none); j++)
        expect_near(out, (size_t)row, none[j], 0, 0);
}

/* One of the two is diagonal; the other is counted. */
Test(program, compares_bilinear_where_it_is_one) {
    char *out = compare(TWO_CONTACTS, "--csv --precision f64 --tangential-restitution 0.5");
    const int row = row_of_law(out, "bilinear", "");
    cr_assert_geq(row, 0);
    expect_near(out, (size_t)row, "resolved", 1, 0);
    expect_near(out, (size_t)row, "not_diagonal", 1, 0);
    expect_near(out, (size_t)row, "invalid", 0, 0);
    expect_near(out, (size_t)row, "energy_before", 0.57, 1e-14);
    expect_near(out, (size_t)row, "energy_lost", 0.57 - 0.125 - 0.35 * 0.35 / 7, 1e-14);
    expect_near(out, (size_t)row, "tangential_rebound", 0.5, 1e-14);
    char *text = compare(TWO_CONTACTS, "--precision f64 --tangential-restitution 0.5");
    cr_expect_not_null(strstr(text, "\nbilinear                   1      0.4275   75.00     0.00"
                                    "      100.00   0.5000      0.5000        0       0"
                                    "  1 not diagonal\n"),
                       "%s", text);
}

Test(program, compares_brach_only_with_ratios) {
    cr_expect_lt(row_of_law(compare(TWO_CONTACTS, "--csv"), "brach", ""), 0);
    cr_expect_geq(row_of_law(compare(TWO_CONTACTS, "--csv --impulse-ratio-t2 0"), "brach", ""), 0);
    cr_expect_geq(row_of_law(compare(MATRIX ",restitution,friction,impulse_ratio_t1\n"
                                            "3.5,0,0,3.5,0,1,0.7,0,-1,0.5,1,-0.1\n",
                                     "--csv"),
                             "brach", ""),
                  0);
}

/* Routh's law ends the slip and the other, at e_t = 1, reverses it; half of each is an end of 0.5.
 */
Test(program, compares_composite_with_half_of_each) {
    static const char options[] = "--csv --precision f64 --tangential-restitution 1";
    static const double right[] = {0.5, 0.25, 0};
    static const char *const mixes[] = {"", " --mix 0.25", " --mix 0"};
    for (size_t i = 0; i < COUNT(mixes); i++) {
        char all[128];
        snprintf(all, sizeof all, "%s%s", options, mixes[i]);
        char *out = compare(CONTACT_HEADER C06_SPHERE, all);
        expect_near(out, (size_t)row_of_law(out, "composite", ""), "tangential_rebound", right[i],
                    1e-14);
    }
}

Test(program, compares_what_cannot_be_resolved) {
    char *out = compare(CONTACT_HEADER "3.5,0,0,3.5,0,1,0.7,0,-1,-0.5,1\n"
                                       "3.5,0,0,3.5,0,1,0.7,0,1,0.5,1\n",
                        "--csv");
    const int row = row_of_law(out, "whittaker", "");
    expect_near(out, (size_t)row, "resolved", 0, 0);
    expect_near(out, (size_t)row, "invalid", 1, 0);
    cr_expect_str_eq(field_of(out, (size_t)row, "normal_rebound"), "nan");
    out = compare(CONTACT_HEADER "3.5,0,0,3.5,0,1,0.7,0,-1,-0.5,1\n", "");
    cr_expect_not_null(strstr(out, "\nwhittaker                  0           0       -        -"
                                   "           -        -           -        0       0"
                                   "  1 invalid\n"),
                       "%s", out);
}

/* A pull would be needed: K_33 + k . mu < 0. */
Test(program, compares_what_has_no_solution) {
    char *out = compare(CONTACT_HEADER C14_ROD, "--csv --impulse-ratio-t1 -2");
    expect_near(out, (size_t)row_of_law(out, "brach", ""), "no_solution", 1, 0);
    out = compare(CONTACT_HEADER C14_ROD, "--impulse-ratio-t1 -2");
    cr_expect_not_null(strstr(out, "  1 without solution\n"), "%s", out);
}

/* The option is passed on, and what it makes is counted. */
Test(program, compares_with_restitution_above_one) {
    char *out = compare(MATRIX ",friction\n3.5,0,0,3.5,0,1,0,0,-1,0\n",
                        "--csv --restitution 1.5 --restitution-above-one");
    const int row = row_of_law(out, "frictionless", "");
    expect_near(out, (size_t)row, "outside_region", 1, 0);
    expect_near(out, (size_t)row, "energy_gained", 1, 0);
    expect_near(out, (size_t)row, "normal_rebound", 1.5, 1e-6);
}

Test(program, compares_planar_contacts_by_rules) {
    static const char *const rules[] = {"stronge", "poisson", "newton"};
    static const double rebounds[] = {0.740510745623269, 0.771232876712329, 0.5};
    char *out = compare(PLANAR_MATRIX COEFFICIENTS "2.92,1.44,2.08,1.1,-1,0.5,2\n",
                        "--csv --precision f64");
    cr_expect_eq(rows_of(out), 3);
    for (size_t i = 0; i < 3; i++) {
        const int row = row_of_law(out, "planar", rules[i]);
        cr_assert_geq(row, 0, "%s", out);
        expect_near(out, (size_t)row, "normal_rebound", rebounds[i], 1e-13);
    }
    out = compare(planar_rod_on_a_plane, "--csv --precision f64");
    expect_near(out, 0, "energy_lost", ROD_LOST, 1e-13);
    expect_near(out, 0, "tangential_rebound", -ROD_SLIP, 1e-13);
    cr_expect_not_null(strstr(compare(planar_rod, ""), "\nplanar poisson "));
}

/* Friction and restitution are needed, whatever a single law would do without. */
Test(program, comparing_needs_the_usual_coefficients) {
    expect_failure(run_on(MATRIX "\n", "compare - --friction 1 --damping-fraction 1"),
                   "<stdin>:1: column restitution: missing; add it");
    expect_failure(run_on(MATRIX "\n", "compare - --restitution 1"),
                   "<stdin>:1: column friction: missing; add it");
    expect_failure(run_on(MATRIX ",mix\n", "compare - --restitution 1 --friction 1 --mix 1"),
                   "<stdin>:1: column mix: also given by --mix");
}

static const set_case compared[] = {
    {BOXES, ""}, {BOXES, "--csv --precision f64"}, {SPHERES_WITH_COEFFICIENTS, "--csv"}};

ParameterizedTestParameters(program, comparing_is_the_same_by_threads_and_targets) {
    CASES_OF(compared);
}

ParameterizedTest(size_t *i, program, comparing_is_the_same_by_threads_and_targets) {
    const set_case *of = &compared[*i];
    run one = run_program("compare %s %s", of->input, of->options);
    run other = run_program("compare %s %s --threads 3 --target scalar", of->input, of->options);
    cr_assert_eq(one.code, 0, "%s", one.err);
    cr_expect_str_eq(other.out, one.out);
}

/* Every contact of the set approaches and is legal; no law that stays in the region leaves it. */
Test(program, compares_a_real_set) {
    static const char *const inside[] = {"frictionless", "smith", "two-stage", "chatterjee-ruina",
                                         "composite"};
    run of = run_program("compare " BOXES " --csv");
    cr_assert_eq(of.code, 0, "%s", of.err);
    cr_expect_eq(rows_of(of.out), IMPINGE_LAW_COUNT - 1 + 2, "without brach, with three rules");
    for (size_t i = 0; i < COUNT(inside); i++) {
        const int row = row_of_law(of.out, inside[i], "");
        cr_assert_geq(row, 0);
        expect_near(of.out, (size_t)row, "resolved", 4161, 0);
        expect_near(of.out, (size_t)row, "outside_region", 0, 0);
        expect_near(of.out, (size_t)row, "energy_gained", 0, 0);
    }
}

/* ---- Tables of all kinds ---- */

static const char *const table_looks[] = {
    "friction,u3,u2,u1,k33,k23,k22,k13,k12,k11,restitution\n0.1,-1,0.3,1,2.08,0.2,4,1.44,0.1,2.92,"
    "0.5\n",
    "k11,name,k12,k13,k22,k23,,k33,u1,u2,u3,restitution,friction\n"
    "2.92,box 1,0.1,1.44,4,0.2,?,2.08,1,0.3,-1,0.5,0.1\n",
    "\"k11\",\"k12\", k13 ,k22,k23,k33,u1,u2,u3,restitution,friction,\"a,\"\"b\"\"\nc\"\n"
    "\"2.92\",0.1, 1.44,4 ,0.2,2.08,\t1,0.3,-1,0.5,0.1,\"x,y\"\n",
    "\xEF\xBB\xBFk11,k12,k13,k22,k23,k33,u1,u2,u3,restitution,friction\n"
    "2.92,0.1,1.44,4,0.2,2.08,1,0.3,-1,0.5,0.1\n",
    "\xEF\xBB\xBF\"k11\",k12,k13,k22,k23,k33,u1,u2,u3,restitution,friction\r\n"
    "2.92,0.1,1.44,4,0.2,2.08,1,0.3,-1,0.5,0.1\r\n\r\n\r\n",
    "k11,k12,k13,k22,k23,k33,u1,u2,u3,restitution,friction\n"
    "0x1.75c28f5c28f5cp+1,1e-1,1.44e0,4.,.2,+2.08,1,0.3,-1,0.5,0.1"};

ParameterizedTestParameters(program, the_table_may_look_like_this) { CASES_OF(table_looks); }

/* The rows as they were, and the same numbers after each, whatever the table looks like. */
ParameterizedTest(size_t *i, program, the_table_may_look_like_this) {
    static const char row[] = "2.92,0.1,1.44,4,0.2,2.08,1,0.3,-1,0.5,0.1";
    char plain[512], added[512];
    snprintf(plain, sizeof plain, CONTACT_HEADER "%s\n", row);
    const char *right = after(resolve(plain, "--precision f64"), row);
    char *out = resolve(table_looks[*i], "--precision f64");
    snprintf(added, sizeof added, "%.*s", (int)strcspn(right, "\n"), right);
    const char *given = table_looks[*i], *end_of_line = strstr(given, "\r\n") ? "\r\n" : "\n";
    cr_expect_not_null(strstr(out, added), "%s", out);
    char *end = strstr(out, added) + strlen(added);
    cr_expect_str_eq(end, end_of_line);
}

Test(program, rows_are_carried_through_byte_for_byte) {
    char *out = resolve("note,k11,k12,k13,k22,k23,k33,u1,u2,u3,restitution,friction,last\n"
                        "\"a, \"\"b\"\"\n c\", 3.5,0,0,3.5,0,1.0,0.70,0,-1,5e-1,0.05,  d \n"
                        ",3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.05,\n",
                        "");
    cr_expect(!strncmp(out, "note,k11,k12,k13,k22,k23,k33,u1,u2,u3,restitution,friction,last,p1,",
                       strlen("note,k11,k12,k13,k22,k23,k33,u1,u2,u3,restitution,friction,last,"
                              "p1,")));
    cr_expect_not_null(strstr(out, "outcome\n\"a, \"\"b\"\"\n c\", 3.5,0,0,3.5,0,1.0,0.70,0,-1,"
                                   "5e-1,0.05,  d ,-0.07"));
    cr_expect_not_null(strstr(out, "slid\n,3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.05,,-0.07"));
}

Test(program, real_rows_are_carried_through) {
    cr_assert_eq(run_program("resolve " BOXES " -o out.csv").code, 0);
    char *in = read_file(BOXES), *out = read_file("out.csv");
    cr_expect_eq(rows_of(in), rows_of(out));
    for (size_t i = 0; *in; i++) {
        size_t length = strcspn(in, "\n"), whole = strcspn(out, "\n");
        cr_assert(!strncmp(in, out, length) && out[length] == ',', "line %zu", i + 1);
        in += length + 1;
        out += whole + 1;
    }
}

Test(program, carriage_returns_stay) {
    char *out = resolve("k11,k12,k13,k22,k23,k33,u1,u2,u3,restitution,friction\r\n"
                        "3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.05\r\n\r\n",
                        "");
    cr_expect_not_null(strstr(out, ",outcome\r\n"));
    cr_expect_str_eq(after(out, "slid"), "\r\n");
}

Test(program, a_byte_order_mark_stays) {
    char *out = resolve("\xEF\xBB\xBF" CONTACT_HEADER SPHERE_ON_PLANE, "");
    cr_expect(!strncmp(out, "\xEF\xBB\xBFk11,", 7));
}

Test(program, the_last_row_gets_the_end_that_it_lacks) {
    char *out = resolve(CONTACT_HEADER "3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.05", "");
    cr_expect_str_eq(after(out, "slid"), "\n");
    out = resolve(MATRIX ",restitution,friction\r\n3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.05", "");
    cr_expect_str_eq(after(out, "slid"), "\r\n");
}

/*
 * Report R35: in a locale whose decimals have a comma the same numbers are read and written. The
 * locale is made here where the system can; a program that asks for none that is there keeps C.
 */
Test(program, the_locale_changes_no_number) {
    char here[256];
    const run plain = run_on(CONTACT_HEADER SPHERE_ON_PLANE, "compare -");
    const run plain_rows = run_on(CONTACT_HEADER SPHERE_ON_PLANE, "resolve - -o -");
    cr_assert_not_null(getcwd(here, sizeof here));
    const int made = system("localedef -i de_DE -f UTF-8 ./de_DE.UTF-8 >stdlocale 2>&1");
    setenv("LOCPATH", here, 1);
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    const run german = run_on(CONTACT_HEADER SPHERE_ON_PLANE, "compare -");
    const run german_rows = run_on(CONTACT_HEADER SPHERE_ON_PLANE, "resolve - -o -");
    unsetenv("LC_ALL");
    unsetenv("LOCPATH");
    cr_expect_eq(system("rm -r de_DE.UTF-8 2>stdlocale") != 0, made != 0);
    cr_expect_eq(german.code, 0);
    cr_expect_eq(german_rows.code, 0);
    cr_expect_str_eq(german.out, plain.out);
    cr_expect_str_eq(german_rows.out, plain_rows.out);
}

/* Report R35: numbers of other programs, refused where they stand. */
Test(program, other_ways_to_write_numbers_are_refused) {
    expect_failure(run_on("k11;k12;k13;k22;k23;k33;u1;u2;u3;restitution;friction\n"
                          "3,5;0;0;3,5;0;1;0,7;0;-1;0,5;0,05\n",
                          "resolve - -o -"),
                   "<stdin>:2: column k11: '3,5' is not a number; decimals need a point");
    expect_failure(run_on(CONTACT_HEADER "3.5,0,0,3.5,0,1,0.7d0,0,-1,0.5,0.05\n", "resolve - -o -"),
                   "<stdin>:2: column u1: '0.7d0' is not a number");
}

Test(program, a_header_alone_gives_a_header) {
    run of = run_on(CONTACT_HEADER, "resolve - -o - --verify");
    cr_expect_eq(of.code, 0);
    cr_expect_str_eq(of.out, MATRIX ",restitution,friction" CONTACT_ADDED);
    cr_expect_not_null(strstr(of.err, " 0 contacts"));
}

Test(program, standard_streams_and_files_are_the_same) {
    write_file("in.csv", CONTACT_HEADER SPHERE_ON_PLANE UNSTABLE ",0.5,0.1\n");
    run by_files = run_program("resolve in.csv -o out.csv");
    run by_streams =
        run_on(CONTACT_HEADER SPHERE_ON_PLANE UNSTABLE ",0.5,0.1\n", "resolve - --output=-");
    cr_expect_eq(by_files.code, 0);
    cr_expect_str_empty(by_files.out);
    cr_expect_str_eq(by_streams.out, read_file("out.csv"));
    cr_expect_eq(files(), 2);
}

Test(program, quiet_says_nothing) {
    cr_expect_str_empty(run_on(CONTACT_HEADER SPHERE_ON_PLANE, "resolve - -o - -q").err);
    cr_expect_str_empty(run_on(CONTACT_HEADER SPHERE_ON_PLANE, "resolve --quiet - -o -").err);
}

Test(program, the_summary_counts) {
    run of =
        run_on(CONTACT_HEADER SPHERE_ON_PLANE SPHERE_ON_PLANE, "resolve - -o - --precision f64");
    cr_expect(is_a_line_with(of.err, "2 contacts (contact space, f64, target "), "%s", of.err);
    cr_expect(is_a_line_with(of.err, ", 0 invalid\n"), "%s", of.err);
    of = run_on(CONTACT_HEADER "nan,0,0,3.5,0,1,0.7,0,-1,0.5,0.05\n" SPHERE_ON_PLANE,
                "resolve - -o -");
    cr_expect(is_a_line_with(of.err, ", 1 invalid (the first in line 2; 1 invalid-matrix)\n"), "%s",
              of.err);
}

/* ---- What is wrong with a table, where ---- */

typedef struct bad_table {
    const char *table;
    const char *words;
} bad_table;

#define GOOD CONTACT_HEADER SPHERE_ON_PLANE

static const bad_table bad_tables[] = {
    /* Numbers. */
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,x,0.5,0.05\n", "<stdin>:3: column u3: 'x' is not a number\n"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,-1x,0.5,0.05\n", "<stdin>:3: column u3: '-1x' is not a number"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,-1 2,0.5,0.05\n", "<stdin>:3: column u3: '-1 2' is not"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,--1,0.5,0.05\n", "<stdin>:3: column u3: '--1' is not"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,,0.5,0.05\n", "<stdin>:3: column u3: the field is empty"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0, ,0.5,0.05\n", "<stdin>:3: column u3: the field is empty"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,\"\",0.5,0.05\n", "<stdin>:3: column u3: the field is empty"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,-1,0.5,\n3.5", "<stdin>:3: column friction: the field is empty"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,-1,0.5, \n3.5", "<stdin>:3: column friction: the field is empty"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,-1e40,0.5,0.05\n", "<stdin>:3: column u3: '-1e40' is too large"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,\"-1\"\"\",0.5,0.05\n", "<stdin>:3: column u3: '-1\"\"' is not"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,\"-\n1\",0.5,0.05\n", "<stdin>:3: column u3: '-?1' is not"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,\"\n1\",0.5,0.05\n", "<stdin>:3: column u3: '?1' is not"},
    {CONTACT_HEADER "a,0,0,3.5,0,1,0.7,0,-1,0.5,b\n", "<stdin>:2: column k11: 'a'"},
    {"x," CONTACT_HEADER "\"\n\n\"," SPHERE_ON_PLANE "," SPHERE_ON_PLANE ",y," SPHERE_ON_PLANE,
     "<stdin>:6: column k11: 'y'"},
    {BODY_HEADER BODY("0,0,1") BODY("0,?,1"), "<stdin>:3: column normal_y: '?'"},
    {SPHERE_HEADER "0.5,0.5,1,heavy,0,0,1,0,0,0,0,0,-1,0,0,0,0,0,0,0,0,0\n",
     "<stdin>:1: column restitution: missing"},
    /* Rows. */
    {GOOD "3.5,0,0,3.5\n", "<stdin>:3: column k23: missing; the row has 4 of 11 fields\n"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,-1,0.5\n", "<stdin>:3: column friction: missing; the row has 10"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.05,\n",
     "<stdin>:3: column friction: the row goes on after it; it has 12 fields for 11 columns\n"},
    {GOOD "3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.05,1,2\n", "it has 13 fields for 11 columns"},
    {CONTACT_HEADER "\n" SPHERE_ON_PLANE, "<stdin>:2: column k11: the field is empty"},
    {"note," CONTACT_HEADER "\n," SPHERE_ON_PLANE, "<stdin>:2: column k11: missing"},
    {GOOD "\"3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.05\n", "<stdin>:3: a quote is opened and never closed"},
    /* The header. */
    {"", "<stdin>:1: no line of column names"},
    {"\n\n", "<stdin>:1: no line of column names"},
    {"a,b\n1,2\n", "<stdin>:1: column k11: missing, and so is every other column"},
    {"k11,k12,k13,k22,k33,u1,u2,u3,restitution,friction\n",
     "<stdin>:1: column k23: missing; the other columns look like contact space\n"},
    {"x,k11,k12,k13,k11,k23,k33,u1,u2,u3,restitution,friction\n",
     "<stdin>:1: column k11: named twice"},
    {"x,x," CONTACT_HEADER, "<stdin>:1: column x: named twice"},
    {MATRIX ",friction\n", "<stdin>:1: column restitution: missing; add it, or give"},
    {MATRIX ",restitution\n", "<stdin>:1: column friction: missing; add it, or give"},
    {"p2," CONTACT_HEADER, "<stdin>:1: column p2: the output adds a column of this name"},
    {"outcome," CONTACT_HEADER, "<stdin>:1: column outcome: the output adds"},
    {"velocity_b_z_after," BODY_HEADER, "<stdin>:1: column velocity_b_z_after: the output adds"},
    {MATRIX "," BODY_HEADER,
     "<stdin>:1: column inv_mass_a: the columns of contact space and of body"},
    {"K11,K12,K13,K22,K23,K33,U1,U2,U3,restitution,friction\n", "<stdin>:1: column k11: missing"},
    {"inv_mass_a,inv_mass_b," TENSOR("a") "," TENSOR("b") "\n",
     "<stdin>:1: column arm_a_x: missing; the other columns look like body pairs"},
    {"radius_a,radius_b,mass_a," VECTOR("position_a") "," VECTOR("position_b") "\n",
     "<stdin>:1: column mass_b: missing; the other columns look like sphere pairs"},
    {"ktt,ktn,knn,ut\n",
     "<stdin>:1: column un: missing; the other columns look like planar contacts\n"},
    {PLANAR_BODY("a") "," PLANAR_BODY("b") ",normal_x\n",
     "<stdin>:1: column normal_y: missing; the other columns look like planar pairs\n"},
    /* Without the tensors, more of the columns of planar pairs are there than are missing. */
    {MASSES GEOMETRY VELOCITIES("a") "," VELOCITIES("b") COEFFICIENTS,
     "<stdin>:1: column inv_inertia_a_xx: missing; the other columns look like body pairs\n"},
    {PLANAR_MATRIX "," CONTACT_HEADER,
     "<stdin>:1: column ktt: the columns of contact space and of planar contacts are both"},
    {"pn," PLANAR_MATRIX COEFFICIENTS, "<stdin>:1: column pn: the output adds a column"},
    {"angular_velocity_b_after," PLANAR_PAIR COEFFICIENTS,
     "<stdin>:1: column angular_velocity_b_after: the output adds a column"},
    {PLANAR_MATRIX COEFFICIENTS "1,0,1,?,-1,0,0\n", "<stdin>:2: column ut: '?' is not a number"},
    {BODY_COLUMNS "," QUATERNION("orientation_a") COEFFICIENTS
     "1,0.5,1,0,0,2,0,3," PAIR_REST ",0.2,-0.1,0.3,0,0,0.2,-0.4,0,0.1,1,x,0,0,0.5,0.4\n",
     "<stdin>:2: column orientation_a_x: 'x' is not a number"}};

ParameterizedTestParameters(program, a_bad_table_is_an_error_with_its_place) {
    CASES_OF(bad_tables);
}

ParameterizedTest(size_t *i, program, a_bad_table_is_an_error_with_its_place) {
    run of = run_on(bad_tables[*i].table, "resolve - -o out.csv");
    expect_failure(of, bad_tables[*i].words);
    cr_expect_str_empty(of.out);
    cr_expect_eq(files(), 0, "a file is left behind");
}

Test(program, an_error_names_the_file) {
    write_file("in.csv", GOOD "3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.o5\n");
    expect_failure(run_program("resolve in.csv -o out.csv"),
                   "in.csv:3: column friction: '0.o5' is not a number");
    cr_expect_eq(files(), 1);
}

Test(program, a_long_field_is_cut_in_the_message) {
    char table[4096] = CONTACT_HEADER;
    memset(table + strlen(table), 'x', 3000);
    run of = run_on(table, "resolve - -o out.csv");
    expect_failure(of, "<stdin>:2: column k11: 'xxxxxxxxxxxxxxxxxxxx");
    cr_expect_lt(strlen(of.err), 200);
}

/* The whole of the first set, with one row changed, many threads at work. */
Test(program, the_first_error_is_reported_whatever_the_threads) {
    char *table = read_file(BOXES);
    char *row = table, *late = NULL;
    for (size_t line = 1; line < 4000; line++) {
        row = strchr(row, '\n') + 1;
        if (line == 3000) late = row;
    }
    *row = 'y';
    *late = 'x';
    expect_failure(run_on(table, "resolve - -o out.csv --threads 4"),
                   "<stdin>:3001: column inv_mass_a: 'x");
    cr_expect_eq(files(), 0);
}

Test(program, what_is_too_large_for_f32_fits_f64) {
    char *out = resolve(GOOD "3.5,0,0,3.5,0,1,0.7,0,1e60,0.5,0.05\n", "--precision f64");
    expect_near(out, 1, "u3_after", 1e60, 0);
    resolve(GOOD "3.5,0,0,3.5,0,1,0.7,0,1e-60,0.5,0.05\n", "--precision f32");
}

/* ---- The output file ---- */

Test(program, a_failure_leaves_an_older_output_alone) {
    write_file("out.csv", "older");
    cr_expect_eq(run_on(GOOD "1\n", "resolve - -o out.csv").code, 2);
    cr_expect_str_eq(read_file("out.csv"), "older");
    cr_expect_eq(files(), 1);
}

Test(program, an_older_output_is_replaced_and_keeps_its_mode) {
    write_file("out.csv", "older");
    chmod("out.csv", 0640);
    cr_expect_eq(run_on(GOOD, "resolve - -o out.csv").code, 0);
    cr_expect_not_null(strstr(read_file("out.csv"), "slid"));
    struct stat now;
    cr_expect_eq(stat("out.csv", &now), 0);
    cr_expect_eq(now.st_mode & 0777, 0640);
    cr_expect_eq(files(), 1);
}

Test(program, a_new_output_has_the_usual_mode) {
    umask(022);
    cr_expect_eq(run_on(GOOD, "resolve - -o out.csv").code, 0);
    struct stat now;
    cr_expect_eq(stat("out.csv", &now), 0);
    cr_expect_eq(now.st_mode & 0777, 0644);
}

Test(program, input_and_output_may_be_one_file) {
    write_file("contacts.csv", GOOD);
    cr_expect_eq(run_program("resolve contacts.csv -o contacts.csv").code, 0);
    cr_expect_not_null(strstr(read_file("contacts.csv"), "slid"));
    cr_expect_eq(files(), 1);
}

Test(program, a_link_stays_a_link) {
    write_file("real.csv", "older");
    cr_assert_eq(symlink("real.csv", "out.csv"), 0);
    cr_expect_eq(run_on(GOOD, "resolve - -o out.csv").code, 0);
    struct stat now;
    cr_expect_eq(lstat("out.csv", &now), 0);
    cr_expect(S_ISLNK(now.st_mode));
    cr_expect_not_null(strstr(read_file("real.csv"), "slid"));
    cr_expect_eq(files(), 2);
}

Test(program, what_a_link_points_to_is_made) {
    cr_assert_eq(mkdir("folder", 0700), 0);
    cr_assert_eq(symlink("second.csv", "out.csv"), 0);
    cr_assert_eq(symlink("folder/real.csv", "second.csv"), 0);
    cr_expect_eq(run_on(GOOD, "resolve - -o out.csv").code, 0);
    struct stat now;
    cr_expect(!lstat("out.csv", &now) && S_ISLNK(now.st_mode));
    cr_expect(!lstat("second.csv", &now) && S_ISLNK(now.st_mode));
    cr_expect_not_null(strstr(read_file("folder/real.csv"), "slid"));
    remove("folder/real.csv");
    cr_assert_eq(symlink("around.csv", "around.csv"), 0);
    expect_failure(run_on(GOOD, "resolve - -o around.csv"), "cannot write around.csv");
    cr_expect_eq(files(), 4);
}

Test(program, the_longest_name_is_a_name) {
    enum { NAME_MOST = 255 };
    char name[NAME_MOST + 2];
    memset(name, 'n', sizeof name);
    for (size_t length = NAME_MOST - 7; length <= NAME_MOST; length++) {
        char line[512];
        snprintf(line, sizeof line, "resolve - -o %.*s", (int)length, name);
        cr_expect_eq(run_on(GOOD, line).code, 0, "%zu bytes", length);
        cr_expect_eq(files(), 1);
        name[length] = '\0';
        cr_expect_eq(remove(name), 0);
        name[length] = 'n';
    }
}

/*
 * A pipe of the test's own stands for all that is no ordinary file: a program that is wrong about
 * them replaces its output, and as root it would replace a device of the machine.
 */
Test(program, what_is_no_ordinary_file_is_written_in_place, .timeout = 10) {
    cr_assert_eq(mkfifo("out.csv", 0600), 0);
    int reader = open("out.csv", O_RDONLY | O_NONBLOCK);
    cr_assert_geq(reader, 0);
    cr_expect_eq(run_on(GOOD, "resolve - -o out.csv").code, 0);
    char text[1024] = "";
    cr_expect_gt(read(reader, text, sizeof text - 1), 0);
    cr_expect_not_null(strstr(text, "slid"));
    struct stat now;
    cr_expect_eq(lstat("out.csv", &now), 0);
    cr_expect(S_ISFIFO(now.st_mode));
    cr_expect_eq(files(), 1);
    close(reader);
}

Test(program, a_full_standard_output_is_an_error) {
    write_file("stdin", GOOD);
    cr_expect_eq(wait_for(start("stdin", "/dev/full", "stderr", "resolve - -o -")), 2);
    cr_expect(is_a_line_with(read_file("stderr"), "cannot write standard output: No space"));
}

/* The disk is full after 64 KiB. */
Test(program, a_write_that_fails_leaves_no_file) {
    struct rlimit limit = {65536, 65536};
    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    expect_failure(run_program("resolve " BOXES " -o out.csv"), "cannot write out.csv: ");
    cr_expect_eq(files(), 0);
}

/* The first set, many times over: some seconds of work. */
static void write_long_input(const char *path, size_t times) {
    char *table = read_file(BOXES);
    char *rows = strchr(table, '\n') + 1;
    FILE *stream = fopen(path, "wb");
    cr_assert_not_null(stream);
    fwrite(table, 1, (size_t)(rows - table), stream);
    for (size_t i = 0; i < times; i++)
        fputs(rows, stream);
    cr_assert_eq(fclose(stream), 0);
}

/* ---- Other texts ---- */

/* The table with another separator; numbers have no comma. */
static char *separated(const char *table, char separator) {
    char *text = strdup(table);
    for (char *at = text; *at; at++)
        if (*at == ',') *at = separator;
    return text;
}

Test(program, semicolons_and_tabs_separate_too) {
    static const char separators[] = {';', '\t'};
    const char *commas = resolve(GOOD SPHERE_ON_PLANE, "");
    for (size_t i = 0; i < sizeof separators; i++)
        cr_expect_str_eq(resolve(separated(GOOD SPHERE_ON_PLANE, separators[i]), ""),
                         separated(commas, separators[i]));
    /* In quotes they separate nothing. */
    resolve("\"a;b;c;d;e;f;g;h;i;j;k;l\"," CONTACT_HEADER "x," SPHERE_ON_PLANE, "--verify");
}

Test(program, decimal_commas_are_told) {
    char *table = separated(GOOD "3.5,0,0,3.5,0,1,0.7,0,-1,0.5,0.05\n", ';');
    char *at = strrchr(table, '.');
    *at = ',';
    expect_failure(run_on(table, "resolve - -o out.csv"),
                   "column friction: '0,05' is not a number; decimals need a point");
}

Test(program, what_is_no_text_is_told) {
    static const struct {
        const char *bytes;
        size_t size;
        const char *words;
    } files[] = {{"\xFF\xFEk\0", 4, "is UTF-16; convert it"},
                 {"\xFE\xFF\0k", 4, "is UTF-16; convert it"},
                 {"k\0001\0001\0", 6, "is UTF-16; convert it"},
                 {"PK\003\004....", 8, "is a zip archive or a spreadsheet"},
                 {"\x28\xB5\x2F\xFD..", 6, "zstd -d"},
                 {"\x89HDF\r\n", 6, "is HDF5"}};
    for (size_t i = 0; i < COUNT(files); i++) {
        FILE *stream = fopen("in.csv", "wb");
        fwrite(files[i].bytes, 1, files[i].size, stream);
        fclose(stream);
        expect_failure(run_program("resolve in.csv -o out.csv"), files[i].words);
    }
}

/* As many members as blocks of 64 KiB; with the first cut off, it ends too early. */
Test(program, gzip_is_unpacked, .timeout = 60) {
    if (system("gzip -c </dev/null >in.gz 2>/dev/null")) cr_skip_test("gzip: skipped, not there");
    cr_assert_eq(system("split -b 65536 --filter='gzip -c' '" BOXES "' >in.gz"), 0);
    run plain = run_program("resolve " BOXES " -o -");
    run packed = run_program("resolve in.gz -o -");
    if (packed.code == 2 && strstr(packed.err, "no zlib")) cr_skip_test("zlib: skipped, not built");
    cr_expect_eq(packed.code, 0, "%s", packed.err);
    cr_expect_str_eq(packed.out, plain.out);
    cr_assert_eq(truncate("in.gz", 100000), 0);
    expect_failure(run_program("resolve in.gz -o out.csv"), "gzip'd and ends too early");
    cr_expect(!exists("out.csv"));
}

/* As many columns as lines: in a second, not in one for each pair of names. */
Test(program, many_columns, .timeout = 20) {
    enum { EXTRA = 80000 };
    char *table = malloc(EXTRA * 20 + 1000);
    char *at = table + sprintf(table, "%.*s", (int)strlen(CONTACT_HEADER) - 1, CONTACT_HEADER);
    for (int i = 0; i < EXTRA; i++)
        at += sprintf(at, ",extra%d", i);
    at += sprintf(at, "\n%.*s", (int)strlen(SPHERE_ON_PLANE) - 1, SPHERE_ON_PLANE);
    for (int i = 0; i < EXTRA; i++)
        at += sprintf(at, ",0");
    sprintf(at, "\n");
    cr_expect_not_null(strstr(resolve(table, ""), ",slid\n"));
    char *last = strstr(table, ",extra79999");
    memcpy(last, ",extra00042", 11);
    memcpy(strstr(table, ",extra42,") + 6, "00", 2);
    cr_expect_eq(run_on(table, "resolve - -o out.csv").code, 0);
    memcpy(last, ",extra79998", 11);
    expect_failure(run_on(table, "resolve - -o out.csv"), "column extra79998: named twice");
}

/* Empty lines at the end do not count, however many; before a row they do. */
Test(program, empty_lines_at_the_end_do_not_count, .timeout = 60) {
    enum { LINES = 3000000 };
    char *table = malloc(sizeof GOOD + LINES + 100);
    memcpy(table, GOOD, sizeof GOOD - 1);
    char *end = table + sizeof GOOD - 1;
    memset(end, '\n', LINES);
    end[LINES] = 0;
    cr_expect_str_eq(resolve(table, ""), resolve(GOOD, ""));
    strcpy(end + LINES, SPHERE_ON_PLANE);
    expect_failure(run_on(table, "resolve - -o out.csv"), "<stdin>:3: column k11: the field is");
}

/* What resolve has written can be compared, surveyed and traced: these commands add no columns. */
Test(program, output_is_input_of_commands_that_add_none) {
    cr_assert_eq(run_on(GOOD, "resolve - -o out.csv").code, 0);
    cr_expect_eq(run_program("compare out.csv").code, 0);
    cr_expect_eq(run_program("survey out.csv").code, 0);
    cr_expect_eq(run_program("trace out.csv --row 1").code, 0);
    expect_failure(run_program("resolve out.csv -o again.csv"), "the output adds a column");
}

/* ---- Dumps of LAMMPS ---- */

#define BOX "ITEM: BOX BOUNDS pp ff ff\n-1 1\n0 4\n0 4\n"

/* Two steps of three spheres; of the atoms a step more, and other columns among those. */
#define PAIRS                                                                                      \
    "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ENTRIES\n2\n" BOX                                        \
    "ITEM: ENTRIES index c_dist c_ids[1] c_ids[2]\n1 0.1 7 2 \n2 0.2 2 5 \n"                       \
    "ITEM: TIMESTEP\n300\nITEM: NUMBER OF ENTRIES\n1\n" BOX                                        \
    "ITEM: ENTRIES index c_dist c_ids[1] c_ids[2]\n1 0.1 7 5 \n"
#define PAIR_OF(ids)                                                                               \
    "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ENTRIES\n1\n" BOX "ITEM: ENTRIES c_a[1] c_a[2]\n" ids "\n"
#define ATOM_NAMES     "ITEM: ATOMS type id x y z vx vy vz omegax omegay omegaz radius mass\n"
#define ATOM_7         "1 7 -0.95 1 1 -1 0 0 0 0 3 0.1 2\n"
#define ATOMS_OF(step) "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n3\n" BOX ATOM_NAMES
#define ATOMS                                                                                      \
    ATOMS_OF("100")                                                                                \
    "1 7 -0.95 1 1 -1 0 0 0 0 3 0.1 2\n1 2 0.9 1 1 1 0.5 0 0 0 0 0.1 1\n"                          \
    "2 5 0.75 1 1 2 0 0 0 1 0 0.1 4e-1\n" ATOMS_OF(                                                \
        "200") "1 1 0 0 0 0 0 0 0 0 0 1 1\n"                                                       \
               "1 2 0 0 0 0 0 0 0 0 0 1 1\n1 3 0 0 0 0 0 0 0 0 0 1 1\n" ATOMS_OF(                  \
                   "300") "1 7 -0.95 1 1 -1 0 0 0 0 3 0.1 2\n1 5 -0.8 1 1.05 -2 0 0 0 0 0 0.1 1\n" \
                          "2 2 0 0 0 2 0 0 0 1 0 0.1 4e-1\n"

/* The pairs as a table: atom 2 is at 0.9 - 2 beside atom 7. */
#define DUMPED                                                                                     \
    "step,id_a,id_b," SPHERE_HEADER                                                                \
    "100,7,2,0.1,0.1,2,1,-0.95,1,1,-1.1,1,1,-1,0,0,1,0.5,0,0,0,3,0,0,0\n"                          \
    "100,2,5,0.1,0.1,1,0.4,0.9,1,1,0.75,1,1,1,0.5,0,2,0,0,0,0,0,0,1,0\n"                           \
    "300,7,5,0.1,0.1,2,1,-0.95,1,1,-0.8,1,1.05,-1,0,0,-2,0,0,0,0,3,0,0,0\n"

Test(program, dumps_of_lammps_are_sphere_pairs) {
    write_file("pairs.dump", PAIRS);
    write_file("atoms.dump", ATOMS);
    run of = run_program("resolve pairs.dump --atoms atoms.dump -o - --precision f64 "
                         "--restitution 0.9 --friction 0.4");
    cr_assert_eq(of.code, 0, "%s", of.err);
    const char *right = resolve(DUMPED, "--precision f64 --restitution 0.9 --friction 0.4");
    static const char *const outputs[] = {"id_a",      "id_b",      "step",
                                          "impulse_x", "impulse_y", "velocity_b_x_after"};
    cr_assert_eq(rows_of(of.out), 3);
    for (size_t row = 0; row < 3; row++) {
        for (size_t i = 0; i < COUNT(outputs); i++)
            expect_near(of.out, row, outputs[i], number_of(right, row, outputs[i]), 1e-14);
        char outcome[64];
        snprintf(outcome, sizeof outcome, "%s", field_of(right, row, "outcome"));
        cr_expect_str_eq(field_of(of.out, row, "outcome"), outcome);
    }
    cr_expect_eq(run_program("compare pairs.dump --atoms atoms.dump --restitution 0.9 "
                             "--friction 0.4")
                     .code,
                 0);
}

static const struct {
    const char *pairs, *atoms, *words;
} bad_dumps[] = {
    {PAIRS, ATOMS_OF("100"), "atoms.dump:9: the dump ends in the middle of a frame"},
    {PAIRS, ATOMS_OF("101") "1\n2\n3\n", "atoms.dump has no frame of step 100"},
    {PAIRS, "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n0\n" BOX "ITEM: ATOMS id x y z\n",
     "atoms.dump:9: the atoms have no column radius"},
    {PAIRS, "k11,k12\n", "atoms.dump:1: 'ITEM: ATOMS' is expected here"},
    {"ITEM: TIMESTEP\n100\nITEM: NUMBER OF ENTRIES\n1\n" BOX "ITEM: ENTRIES c_a[1] c_b[2]\n1 2\n",
     ATOMS, "pairs.dump:9: no two columns name[1] and name[2]"},
    {"ITEM: TIMESTEP\n100\nITEM: NUMBER OF ENTRIES\n1\n" BOX "ITEM: ENTRIES c_a[1] c_a[2]\n7 9\n",
     ATOMS, "pairs.dump:10: atoms.dump has no atom 9 in step 100"},
    {"ITEM: TIMESTEP\n100\nITEM: NUMBER OF ENTRIES\n1\n" BOX "ITEM: ENTRIES c_a[1] c_a[2]\n7 x\n",
     ATOMS, "pairs.dump:10: 'x' is not a number"},
    {"ITEM: TIMESTEP\n1\nITEM: BOX BOUNDS xy xz yz pp pp pp\n0 1 0\n0 1 0\n0 1 0\n", ATOMS,
     "pairs.dump:3: only boxes with right angles"},
    {"ITEM: TIMESTEP\n1\nITEM: NUMBER OF ENTRIES\n3\n", ATOMS,
     "pairs.dump:4: the dump ends in the"},
    {PAIR_OF("nan 7"), ATOMS, "pairs.dump:10: this is no id"},
    {PAIR_OF("7 2.5"), ATOMS, "pairs.dump:10: this is no id"},
    {PAIR_OF("7 -2"), ATOMS, "pairs.dump:10: this is no id"},
    {"ITEM: TIMESTEP\n1.9\n", ATOMS, "pairs.dump:2: this is no count"},
    {"ITEM: NUMBER OF ENTRIES\n1.5\n", ATOMS, "pairs.dump:2: this is no count"},
    {"ITEM: NUMBER OF ENTRIES\n1\n" BOX "ITEM: ENTRIES c_a[1] c_a[2]\n", ATOMS,
     "pairs.dump:7: the frame has no TIMESTEP"},
    {"ITEM: TIMESTEP\n1\n" BOX "ITEM: ENTRIES c_a[1] c_a[2]\n", ATOMS,
     "pairs.dump:7: the frame has no NUMBER OF"},
    {"", ATOMS, "pairs.dump has no frame"},
    {PAIRS, "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n1\n" ATOM_NAMES ATOM_7,
     "atoms.dump:5: the frame has no BOX BOUNDS"},
    {PAIRS, "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp ff ff\n1 -1\n",
     "atoms.dump:6: the box ends before it begins"},
    {PAIRS, ATOMS_OF("100") ATOM_7 ATOM_7 ATOM_7, "atoms.dump has two atoms 7 in step 100"},
    {PAIRS, ATOMS_OF("100") ATOM_7 ATOM_7 ATOM_7 ATOM_7,
     "atoms.dump:13: more lines than NUMBER OF says"},
    {PAIRS, ATOMS_OF("100") "1 1e400 0 0 0 0 0 0 0 0 0 1 1\n", "atoms.dump:10: "}};

Test(program, a_bad_dump_is_an_error_with_its_place) {
    for (size_t i = 0; i < COUNT(bad_dumps); i++) {
        write_file("pairs.dump", bad_dumps[i].pairs);
        write_file("atoms.dump", bad_dumps[i].atoms);
        expect_failure(run_program("resolve pairs.dump --atoms atoms.dump -o out.csv "
                                   "--restitution 0.9 --friction 0.4"),
                       bad_dumps[i].words);
    }
    write_file("pairs.dump", PAIRS);
    expect_failure(run_program("resolve pairs.dump -o out.csv"), "is a dump of LAMMPS");
}

/* ---- Streams ---- */

static pid_t start_filter(int *to, int *from) {
    int in[2], out[2];
    cr_assert(!pipe(in) && !pipe(out));
    const pid_t process = fork();
    if (process == 0) {
        dup2(in[0], 0);
        dup2(out[1], 1);
        for (int file = 3; file < 64; file++)
            close(file);
        execl(IMPINGE_PROGRAM, "impinge", "resolve", "-", "-o", "-", "--quiet", (char *)NULL);
        _exit(127);
    }
    close(in[0]);
    close(out[1]);
    *to = in[1];
    *from = out[0];
    return process;
}

/* Reads from a pipe until a text of so many lines is there. */
static void read_lines(int from, char *text, size_t size, size_t lines) {
    size_t length = 0;
    while (lines && length < size - 1) {
        const ssize_t got = read(from, text + length, size - 1 - length);
        cr_assert(got > 0, "the output ends");
        for (ssize_t i = 0; i < got; i++)
            lines -= text[length + (size_t)i] == '\n';
        length += (size_t)got;
    }
    text[length] = 0;
}

Test(program, a_row_is_resolved_before_the_next_is_there, .timeout = 60) {
    int to, from;
    char text[4096];
    const pid_t process = start_filter(&to, &from);
    cr_assert(write(to, GOOD, strlen(GOOD)) > 0);
    read_lines(from, text, sizeof text, 2);
    cr_expect_not_null(strstr(text, "slid"));
    for (int i = 0; i < 3; i++) {
        cr_assert(write(to, SPHERE_ON_PLANE, strlen(SPHERE_ON_PLANE)) > 0);
        read_lines(from, text, sizeof text, 1);
        cr_expect_not_null(strstr(text, "slid"));
    }
    close(to);
    cr_expect_eq(wait_for(process), 0);
}

/* The first set eighty times, 125 MB. */
Test(program, a_large_file_takes_little_memory, .timeout = 120) {
    write_long_input("in.csv", 80);
    cr_expect_eq(
        wait_for(start("/dev/null", "stdout", "stderr", "resolve in.csv -o out.csv --threads 2")),
        0);
    cr_expect(is_a_line_with(read_file("stderr"), "332880 contacts"));
    struct rusage used;
    cr_assert_eq(getrusage(RUSAGE_CHILDREN, &used), 0);
    cr_expect_lt(used.ru_maxrss, 32 << 10, "%ld KiB", used.ru_maxrss);
}

Test(program, threads_and_blocks_do_not_change_a_bit, .timeout = 120) {
    write_long_input("in.csv", 3);
    run one = run_program("resolve in.csv -o one.csv --precision f64");
    run three = run_program("resolve in.csv -o three.csv --precision f64 --threads 3");
    cr_assert(one.code == 0 && three.code == 0);
    cr_expect_str_eq(one.err, three.err);
    char *whole = read_file("one.csv");
    cr_expect_str_eq(whole, read_file("three.csv"));
    /* One row after the other through a pipe is a block each. */
    cr_assert_eq(
        system("head -n 40 in.csv | while read -r l; do echo \"$l\"; done | '" IMPINGE_PROGRAM
               "' resolve - -o rows.csv --precision f64 -q"),
        0);
    char *rows = read_file("rows.csv");
    cr_expect_eq(strncmp(rows, whole, strlen(rows)), 0);
}

Test(program, a_sample_is_verified) {
    run all = run_program("resolve " BOXES " -o out.csv --verify --threads 2");
    run some = run_program("resolve " BOXES " -o out.csv --verify-every 100 --threads 2");
    cr_expect_eq(all.code, 0);
    cr_expect_eq(some.code, 0);
    cr_expect_not_null(strstr(all.err, " 4161 impulses compared"), "%s", all.err);
    cr_expect_not_null(strstr(some.err, " 42 impulses compared"), "%s", some.err);
    expect_failure(run_program("resolve " BOXES " -o out.csv --verify-every 0"), "--verify-every");
}

/* ---- Long work ---- */

static void nap(void) { nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); }

/* A pipe by the name of "in.csv" with a table whose end never comes. Returns what keeps it open. */
static int endless_input(void) {
    static char table[16384];
    FILE *stream = fopen(BOXES, "rb");
    cr_assert_not_null(stream);
    const size_t size = fread(table, 1, sizeof table, stream);
    fclose(stream);
    cr_assert_eq(mkfifo("in.csv", 0600), 0);
    const int pipe = open("in.csv", O_RDWR);
    cr_assert_geq(pipe, 0);
    cr_assert_eq(write(pipe, table, size), (ssize_t)size);
    return pipe;
}

/* As soon as the unfinished output is there, the program gets each signal that can end it. */
Test(program, an_interrupted_run_leaves_no_file, .timeout = 120) {
    static const int deadly[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGABRT, SIGPIPE, SIGALRM, SIGTERM,
                                 SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ, SIGSEGV, SIGBUS,  SIGFPE};
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    for (size_t i = 0; i < COUNT(deadly); i++) {
        const int pipe = endless_input();
        signal(deadly[i], SIG_DFL); /* a shell's background jobs inherit that some are ignored */
        pid_t process = start("/dev/null", "stdout", "stderr", "resolve in.csv -o out.csv");
        while (files() < 2)
            nap();
        cr_expect_not(exists("out.csv"));
        kill(process, deadly[i]);
        cr_expect_eq(wait_for(process), -deadly[i]);
        cr_expect_eq(files(), 1, "signal %d", deadly[i]);
        close(pipe);
        cr_assert_eq(unlink("in.csv"), 0);
    }
}

Test(program, a_file_beyond_its_limit_leaves_none) {
    struct rlimit limit = {65536, 65536};
    signal(SIGXFSZ, SIG_DFL);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_expect_eq(run_program("resolve " BOXES " -o out.csv").code, -SIGXFSZ);
    cr_expect_eq(files(), 0);
}

/* Everything that is written to the other side of a terminal. */
static size_t read_terminal(int terminal, char *text, size_t size) {
    size_t length = 0;
    ssize_t got;
    while (length < size - 1 && (got = read(terminal, text + length, size - 1 - length)) > 0)
        length += (size_t)got;
    text[length] = 0;
    return length;
}

Test(program, progress_is_shown_on_a_terminal, .timeout = 60) {
    write_long_input("in.csv", 60);
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) || unlockpt(terminal))
        cr_skip_test("a terminal: skipped, this system gives none");
    pid_t process = start("/dev/null", "stdout", ptsname(terminal), "resolve in.csv -o out.csv");
    /* Shorter work than half a second shows none: it is held up for longer on the way. */
    while (files() < 2)
        nap();
    kill(process, SIGSTOP);
    nanosleep(&(struct timespec){.tv_nsec = 700000000}, NULL);
    kill(process, SIGCONT);
    static char text[1 << 16];
    read_terminal(terminal, text, sizeof text);
    cr_expect_eq(wait_for(process), 0);
    cr_expect_not_null(strstr(text, " % of the file\033[K"), "%s", text);
    cr_expect_not_null(strstr(text, "\r\033[Kimpinge: 249660 contacts"), "%s", text);
}

Test(program, progress_is_not_written_to_a_file, .timeout = 60) {
    write_long_input("in.csv", 60);
    run of = run_program("resolve in.csv -o out.csv");
    cr_expect_eq(of.code, 0);
    cr_expect(is_a_line_with(of.err, "249660 contacts"), "%s", of.err);
    cr_expect_null(strchr(of.err, '\r'), "%s", of.err);
}
