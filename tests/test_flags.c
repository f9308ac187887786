/*
 * Compiler options that change results do not compile (kernels/arithmetic.h).
 *
 * From the build: FLAGS_CHECK, the script that tries; IMPINGE_SOURCE and IMPINGE_BUILD, folders.
 */
#include <stdio.h>
#include <string.h>

#include <criterion/criterion.h>

Test(flags, that_change_results_are_refused, .timeout = 300) {
    FILE *pipe = popen("'" FLAGS_CHECK "' '" IMPINGE_SOURCE "' '" IMPINGE_BUILD "' 2>&1", "r");
    cr_assert(pipe != NULL);
    char output[8192];
    const size_t size = fread(output, 1, sizeof output - 1, pipe);
    output[size] = '\0';
    const int status = pclose(pipe);
    cr_expect(status == 0, "%s", output);
    cr_expect(strstr(output, "refused, all of them\n") != NULL, "%s", output);
}
