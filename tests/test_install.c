/*
 * The first steps of a newcomer: install, link the README's program through pkg-config, run it; and
 * other ways: CMake, Meson, Fortran, another compiler, another way to link.
 *
 * From the build: INSTALL_CHECK, the script of the first; INSTALL_PROJECTS, that of the others;
 * IMPINGE_SOURCE and IMPINGE_BUILD, folders.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include <criterion/criterion.h>

static int run(const char *command, char *output, size_t size) {
    FILE *pipe = popen(command, "r");
    cr_assert(pipe != NULL);
    output[fread(output, 1, size - 1, pipe)] = '\0';
    const int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(install, program_of_the_readme, .timeout = 120) {
    char output[8192];
    const int status = run("'" INSTALL_CHECK "' '" IMPINGE_SOURCE "' '" IMPINGE_BUILD "' 2>&1",
                           output, sizeof output);
    cr_expect(status == 0, "%s", output);
    cr_expect(strstr(output, "installed, compiled, run\n") != NULL, "%s", output);
}

/* Exit code of the script where a tool is not installed. */
enum { SKIPPED = 77 };

static void check_project(const char *what) {
    char command[2048], output[8192];
    snprintf(command, sizeof command, "'%s' %s '%s' '%s' 2>&1", INSTALL_PROJECTS, what,
             IMPINGE_SOURCE, IMPINGE_BUILD);
    const int status = run(command, output, sizeof output);
    if (status == SKIPPED) {
        cr_skip_test("%s: skipped, %s", what, output);
    }
    cr_expect(status == 0, "%s: %s", what, output);
    cr_expect(strstr(output, "linked, and run\n") != NULL, "%s: %s", what, output);
}

#define PROJECT(what)                                                                              \
    Test(install, what, .timeout = 900) { check_project(#what); }

PROJECT(languages)
PROJECT(fortran)
PROJECT(both)
PROJECT(subproject)
PROJECT(clang)
PROJECT(lto)
PROJECT(musl)
