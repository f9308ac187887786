/* The site of the documentation: Doxygen builds it without a warning, and has every page. */
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "runs.h"

static char folder[] = "/tmp/impinge-docs-XXXXXX";

/* As Doxygen calls what it makes of docs/NAME.md and of a header. */
static const char *const pages[] = {"index",
                                    "md_docs_laws",
                                    "md_docs_stepping",
                                    "md_docs_precision",
                                    "md_docs_threads",
                                    "md_docs_porting",
                                    "md_docs_program",
                                    "md_docs_speed",
                                    "md_docs_speed_routh",
                                    "md_docs_examples",
                                    "batch__f32_8h",
                                    "structimpinge__contacts__f64"};

Test(docs, site_has_no_warnings, .timeout = 300) {
    program_run of = run_quietly("sh", "-c 'command -v doxygen'");
    free(of.text);
    if (of.code != 0) cr_skip_test("skipped, doxygen is not installed");
    cr_assert_not_null(mkdtemp(folder));
    of = run_loudly(IMPINGE_SOURCE "/scripts/docs", folder);
    cr_expect_eq(of.code, 0, "%s", of.text);
    free(of.text);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/html/%s.html", folder, pages[i]);
        cr_expect_eq(access(path, R_OK), 0, "no %s", path);
    }
    char line[64];
    snprintf(line, sizeof line, "-rf %s", folder);
    free(run_quietly("rm", line).text);
}
