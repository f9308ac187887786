/*
 * The Python module's own tests, by pytest, on the module in the build; and `pip install .` without
 * a network.
 *
 * From the build: IMPINGE_PYTHON, the Python that the module is built for, "" where there is none;
 * PYTHON_CHECK, the script; IMPINGE_SOURCE, IMPINGE_BUILD and IMPINGE_PROGRAM.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <criterion/criterion.h>

/* Exit code of the script where a package of Python is not installed. */
enum { SKIPPED = 77 };

static void check_python(const char *what) {
    char command[2048], output[16384];
    if (IMPINGE_PYTHON[0] == '\0') {
        cr_skip_test("%s: skipped, the build has no Python module", what);
    }
    snprintf(command, sizeof command, "'%s' %s '%s' '%s' '%s' '%s' 2>&1", PYTHON_CHECK, what,
             IMPINGE_PYTHON, IMPINGE_SOURCE, IMPINGE_BUILD, IMPINGE_PROGRAM);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe != NULL);
    output[fread(output, 1, sizeof output - 1, pipe)] = '\0';
    const int status = pclose(pipe);
    if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) {
        cr_skip_test("%s: skipped, %s", what, output);
    }
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0, "%s", output);
}

Test(python, tests, .timeout = 600) { check_python("tests"); }
Test(python, pip, .timeout = 600) { check_python("pip"); }
