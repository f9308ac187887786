/* impinge trace: its output ends with the result of resolving, and it refuses wrong arguments. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <impinge/impinge.h>

#include "printed.h"
#include "runs.h"

enum { LINE_SIZE = 1024 };

enum { COLUMNS = 9 };

static const char header[] =
    "p1,p2,p3,u1,u2,u3,work_compression,work_restitution,work_friction,phase,state\n";

#define PAPERS_CONTACT "20 -23 4 31 -7 4 630 -780 -0.22"

/* The results of the example, in the order of the columns. */
static void resolve_example(impinge_restitution_rule rule, double values[COLUMNS]) {
    const double in[] = {20, -23, 4, 31, -7, 4, 630, -780, -0.22};
    const impinge_contacts_f64 contacts = {
        .count = 1,
        .k11 = &in[0],
        .k12 = &in[1],
        .k13 = &in[2],
        .k22 = &in[3],
        .k23 = &in[4],
        .k33 = &in[5],
        .u1 = &in[6],
        .u2 = &in[7],
        .u3 = &in[8],
        .coefficients = {.restitution.value = 0.9, .friction.value = 0.5}};
    const impinge_contact_results_f64 results = {.p1 = &values[0],
                                                 .p2 = &values[1],
                                                 .p3 = &values[2],
                                                 .u1_after = &values[3],
                                                 .u2_after = &values[4],
                                                 .u3_after = &values[5],
                                                 .work_compression = &values[6],
                                                 .work_restitution = &values[7],
                                                 .work_friction = &values[8]};
    const impinge_options options = {.rule = rule};
    cr_assert(impinge_resolve_contacts_f64(&contacts, NULL, &options, &results, NULL) ==
              IMPINGE_OK);
}

static const char *last_line(const char *text) {
    const char *line = text;
    for (const char *at = text; *at; at++)
        if (*at == '\n' && at[1]) line = at + 1;
    return line;
}

/* The numbers of a line, whatever stands before each of them. */
static void expect_numbers(const char *line, const double right[COLUMNS], bool json) {
    for (size_t i = 0; i < COLUMNS; i++) {
        if (json) line = strchr(line, ':') + 1;
        char *end;
        const double found = strtod(line, &end);
        cr_expect(end != line && memcmp(&found, &right[i], sizeof found) == 0, "%zu: %a, not %a", i,
                  found, right[i]);
        line = end + (*end == ',');
    }
}

Test(trace_command, printed_ends_where_resolving_does) {
    double right[COLUMNS];
    resolve_example(IMPINGE_RULE_STRONGE, right);
    program_run of =
        run_quietly(IMPINGE_PROGRAM, "trace " PAPERS_CONTACT " --restitution 0.9 --friction 0.5");
    cr_assert(of.code == 0);
    cr_expect(strncmp(of.text, header, sizeof header - 1) == 0);
    cr_expect(strncmp(of.text + sizeof header - 1, "0,0,0,630,-780,-0.22", 20) == 0);
    expect_numbers(last_line(of.text), right, false);
    cr_expect(strstr(last_line(of.text), ",restitution,slides\n") != NULL);
    cr_expect(count_of(of.text, ",0,") >= 3, "where u3 = 0");
    free(of.text);

    resolve_example(IMPINGE_RULE_NEWTON, right);
    of = run_quietly(IMPINGE_PROGRAM,
                     "trace " PAPERS_CONTACT
                     " --restitution 0.9 --friction 0.5 --rule newton --json --points 3");
    cr_assert(of.code == 0);
    expect_numbers(last_line(of.text), right, true);
    cr_expect(strstr(last_line(of.text), ",\"phase\":\"restitution\",\"state\":\"slides\"}\n"));
    free(of.text);
}

Test(trace_command, of_a_row) {
    char path[] = "/tmp/impinge-trace-XXXXXX";
    const int file = mkstemp(path);
    cr_assert(file >= 0);
    FILE *to = fdopen(file, "w");
    fputs("name,k11,k12,k13,k22,k23,k33,u1,u2,u3,restitution\n"
          "first,1,0,0,1,0,1,0,0,-1,0\n"
          "second,20,-23,4,31,-7,4,630,-780,-0.22,0.9\n",
          to);
    fclose(to);
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "trace %s --row 2 --friction 0.5", path);
    program_run of = run_quietly(IMPINGE_PROGRAM, line);
    program_run direct =
        run_quietly(IMPINGE_PROGRAM, "trace " PAPERS_CONTACT " --restitution 0.9 --friction 0.5");
    cr_expect(of.code == 0);
    cr_expect_str_eq(of.text, direct.text);
    free(of.text);
    free(direct.text);
    snprintf(line, sizeof line, "trace %s --row 3 --friction 0.5", path);
    expect_refusal(IMPINGE_PROGRAM, line, "has 2 rows");
    snprintf(line, sizeof line, "trace %s --row 1 --friction 0.5 --restitution 1", path);
    expect_refusal(IMPINGE_PROGRAM, line, "also given by --restitution");
    snprintf(line, sizeof line, "trace %s --row 1", path);
    expect_refusal(IMPINGE_PROGRAM, line, "column friction: missing");
    unlink(path);
}

/* A column's static friction of 0 is below the friction, as for `resolve`; equal to it, it is
 * valid, and without the column it is left out. */
Test(trace_command, of_a_row_with_static_friction) {
    static const struct {
        const char *text; /* after the restitution */
        bool valid;
    } rows[] = {{"0.2,0", false},  {"0.2,-0", false}, {"0.2,0.1", false},
                {"0.2,0.2", true}, {"0.2,inf", true}, {"0,0", true}};
    char path[] = "/tmp/impinge-trace-XXXXXX", line[LINE_SIZE];
    const int file = mkstemp(path);
    cr_assert(file >= 0);
    FILE *to = fdopen(file, "w");
    fputs("k11,k12,k13,k22,k23,k33,u1,u2,u3,restitution,friction,friction_static\n", to);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        fprintf(to, "3.5,0,0,3.5,0,1,1,0,-1,0.5,%s\n", rows[i].text);
    fclose(to);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(line, sizeof line, "trace %s --row %zu", path, i + 1);
        if (!rows[i].valid) {
            expect_refusal(IMPINGE_PROGRAM, line, "invalid-friction");
            continue;
        }
        program_run of = run_loudly(IMPINGE_PROGRAM, line);
        cr_expect_eq(of.code, 0, "%s: %s", rows[i].text, of.text);
        free(of.text);
    }
    unlink(path);
}

/* A row of body pairs, traced in the contact's axes, ends at the impulse that resolving gives. */
Test(trace_command, of_a_row_of_body_pairs) {
    program_run resolved =
        run_quietly(IMPINGE_PROGRAM, "resolve '" IMPINGE_TEST_DATA "/boxes_pit.csv' -o - "
                                     "--precision f64 -q | sed -n 8p");
    program_run traced = run_quietly(IMPINGE_PROGRAM, "trace '" IMPINGE_TEST_DATA
                                                      "/boxes_pit.csv' --row 7 --points 1");
    enum { COLUMNS_BEFORE = 37 };
    const char *at = resolved.text;
    for (size_t i = 0; i < COLUMNS_BEFORE; i++)
        at = strchr(at, ',') + 1;
    double impulse[3], p[3];
    cr_assert_eq(sscanf(at, "%lf,%lf,%lf", &impulse[0], &impulse[1], &impulse[2]), 3);
    cr_assert_eq(sscanf(last_line(traced.text), "%lf,%lf,%lf", &p[0], &p[1], &p[2]), 3);
    const double size = hypot(hypot(impulse[0], impulse[1]), impulse[2]);
    cr_assert_gt(size, 0);
    /* K and u0 were made by the reference and rounded; the law's tolerance is 1e-12. */
    cr_expect(fabs(hypot(hypot(p[0], p[1]), p[2]) / size - 1) < 1e-11);
    free(resolved.text);
    free(traced.text);
}

Test(trace_command, refuses_what_makes_no_sense) {
    static const struct {
        const char *arguments, *words;
    } wrong[] = {{"trace 1 0 0 1 0 1 0 0 --restitution 1 --friction 0", "U3 is missing"},
                 {"trace 1 0 0 1 0 1 0 0 -1 --friction 0", "--restitution X is missing"},
                 {"trace 1 0 0 1 0 1 0 0 -1 --restitution 2 --friction 0", "--restitution"},
                 {"trace 1 2 0 1 0 1 0 0 -1 --restitution 1 --friction 0", "invalid-matrix"},
                 {"trace 1 0 0 1 0 1 0 0 -1 --restitution 1 --friction 0 --points 0", "--points"},
                 {"trace 1 0 0 1 0 1 0 0 -1 --restitution 1 --friction 0 --rule x", "'x'"},
                 {"trace /nowhere/in.csv --row 1 --restitution 1 --friction 0", "/nowhere/in.csv"},
                 {"trace '" IMPINGE_TEST_DATA "/spheres_pour.csv' --row 1", "restitution: missing"},
                 {"trace '" IMPINGE_TEST_DATA "/boxes_pit.csv' --row 4162", "has 4161 rows"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_refusal(IMPINGE_PROGRAM, wrong[i].arguments, wrong[i].words);
}
