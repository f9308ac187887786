/*
 * What a newcomer does first: install, link the README's program through pkg-config, run it.
 *
 * From the build: INSTALL_CHECK, the script that does it; IMPINGE_SOURCE and IMPINGE_BUILD,
 * folders.
 */
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

Test(install, program_of_the_readme, .timeout = 120) {
    FILE *pipe = popen("'" INSTALL_CHECK "' '" IMPINGE_SOURCE "' '" IMPINGE_BUILD "' 2>&1", "r");
    cr_assert(pipe != NULL);
    char output[8192];
    const size_t size = fread(output, 1, sizeof output - 1, pipe);
    output[size] = '\0';
    const int status = pclose(pipe);
    cr_expect(status == 0, "%s", output);
    cr_expect(strstr(output, "installed, compiled, run\n") != NULL, "%s", output);
}
