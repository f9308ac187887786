/** Runs a program of the build through the shell, and returns its output. */
#ifndef RUNS_H
#define RUNS_H

#include <stddef.h>

/** An example's path. */
#define EXAMPLE(name) IMPINGE_EXAMPLES "/" name

/** The output of a program, and its exit code (-1: a signal ended it). */
typedef struct program_run {
    char *text; /**< ends in a zero; to be freed */
    size_t length;
    int code;
} program_run;

/** Runs "PROGRAM ARGUMENTS" without a choice of target; standard output alone. */
program_run run_quietly(const char *program, const char *arguments);

/** The same with standard error between it. */
program_run run_loudly(const char *program, const char *arguments);

/** Expects one line, which has these words in it, on standard error, no other output, and code 2.
 */
void expect_refusal(const char *program, const char *arguments, const char *words);

/** Expects its usage for --help, and a refusal with its usage for any other argument. */
void expect_no_options(const char *program);

/** Expects an exit code above 0 where standard output is a full disk, and where the
 * target that is chosen does not exist. */
void expect_failures(const char *program);

/** The number that stands behind these words, which must be in the text. */
double number_behind(const char *text, const char *words);

/** The rest of the text, from these words on, which must be in it. */
const char *text_from(const char *text, const char *words);

#endif
