#include "runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <criterion/criterion.h>

/* A command has room for a line of arguments and the program's path. */
enum { OUTPUT_MAX = 1 << 20, COMMAND_SIZE = 2048 };

static program_run run_shell(const char *program, const char *arguments, const char *errors) {
    char line[COMMAND_SIZE];
    const int length = snprintf(line, sizeof line, "env -u IMPINGE_TARGET '%s' %s 2>%s", program,
                                arguments, errors);
    cr_assert(length > 0 && (size_t)length < sizeof line);
    FILE *from = popen(line, "r");
    cr_assert_not_null(from);
    program_run of = {.text = malloc(OUTPUT_MAX + 1)};
    of.length = fread(of.text, 1, OUTPUT_MAX, from);
    of.text[of.length] = '\0';
    const int status = pclose(from);
    of.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return of;
}

program_run run_quietly(const char *program, const char *arguments) {
    return run_shell(program, arguments, "/dev/null");
}

program_run run_loudly(const char *program, const char *arguments) {
    return run_shell(program, arguments, "&1");
}

void expect_refusal(const char *program, const char *arguments, const char *words) {
    program_run of = run_loudly(program, arguments);
    const char *end = strchr(of.text, '\n');
    cr_expect(of.code == 2, "%s: exit code %d: %s", arguments, of.code, of.text);
    cr_expect(end && !end[1], "%s: not one line: %s", arguments, of.text);
    cr_expect(strstr(of.text, words) != NULL, "%s: %s", arguments, of.text);
    free(of.text);
}

void expect_no_options(const char *program) {
    program_run help = run_quietly(program, "--help");
    cr_expect_eq(help.code, 0);
    text_from(help.text, "usage: ");
    free(help.text);
    expect_refusal(program, "8", "usage: ");
}

void expect_failures(const char *program) {
    char shell[COMMAND_SIZE];
    static const char *const how[] = {"\"$0\" >/dev/full", "IMPINGE_TARGET=none \"$0\" >/dev/null"};
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        snprintf(shell, sizeof shell, "-c '%s' '%s'", how[i], program);
        program_run of = run_loudly("sh", shell);
        cr_expect(of.code > 0, "%s: %s: %s", program, how[i], of.text);
        free(of.text);
    }
}

double number_behind(const char *text, const char *words) {
    return strtod(text_from(text, words) + strlen(words), NULL);
}

const char *text_from(const char *text, const char *words) {
    const char *const at = strstr(text, words);
    cr_assert_not_null(at, "no '%s' in %s", words, text);
    return at;
}
