/* The manual page, IMPINGE_MANUAL: it has all of the program's help, and man accepts it. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runs.h"

/* The page as a reader sees it, with what man and groff complain about between. */
static char *page(void) {
    program_run of = run_quietly("man", "--version");
    free(of.text);
    if (of.code != 0) cr_skip_test("skipped, man is not installed");
    of = run_loudly("env",
                    "MANWIDTH=120 LC_ALL=C.UTF-8 man -P cat -l --warnings '" IMPINGE_MANUAL "'");
    cr_assert_eq(of.code, 0, "%s", of.text);
    return of.text;
}

static const char *const commands[] = {"",        "resolve", "compare", "survey",
                                       "targets", "rays",    "trace"};

/* Every line of the help is a line of the page, which indents it. */
static void expect_lines_in(const char *shown, const char *arguments) {
    program_run help = run_quietly(IMPINGE_PROGRAM, arguments);
    cr_assert_eq(help.code, 0, "%s", arguments);
    int lines = 0;
    for (char *line = strtok(help.text, "\n"); line; line = strtok(NULL, "\n"), lines++)
        cr_expect_not_null(strstr(shown, line), "%s: not in the page: %s", arguments, line);
    cr_expect_gt(lines, 3, "%s", arguments);
    free(help.text);
}

Test(manual, has_every_command_and_option, .timeout = 60) {
    char *shown = page();
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "%s --help", commands[i]);
        expect_lines_in(shown, arguments);
    }
    free(shown);
}

/* The list above is all that there is: the program's own list of commands, but for `help`. */
Test(manual, knows_the_commands) {
    program_run help = run_quietly(IMPINGE_PROGRAM, "--help");
    size_t listed = 0;
    for (const char *at = help.text; (at = strstr(at, "\n  impinge ")); at++)
        listed++;
    cr_expect_eq(listed, sizeof commands / sizeof *commands - 1 + 2, "%s", help.text);
    free(help.text);
}

Test(manual, has_no_warnings, .timeout = 60) {
    free(page());
    /* A shell of its own: what the page says goes nowhere, what is complained about comes here. */
    program_run of = run_loudly("sh", "-c \"LC_ALL=C.UTF-8 man -l --warnings " IMPINGE_MANUAL
                                      " 2>&1 >/dev/null\"");
    cr_expect_str_eq(of.text, "");
    free(of.text);
}
