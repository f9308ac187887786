/* The example boxes: they fall, collapse and come to rest. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

#include "runs.h"

/*
 * 64 boxes of 1 kg fall and collapse. After 8 s they lie: no more moves than if each had a
 * hundredth of the speed that it falls by in a step of 1/240 s, and none is deeper in another than
 * the slop.
 */
Test(example_boxes, fall_and_rest, .timeout = 120) {
    program_run said = run_loudly("sh", "-c \"'" EXAMPLE("boxes") "' 2>&1 >/dev/null\"");
    cr_assert_eq(said.code, 0, "%s", said.text);
    const double fall = 9.81 / 240;
    const char *falls = text_from(said.text, "0.8 s: ");
    cr_expect_gt(strtod(falls + strlen("0.8 s: "), NULL), 1, "%s", said.text);
    const char *lies = text_from(said.text, "8.0 s: ");
    cr_expect_lt(strtod(lies + strlen("8.0 s: "), NULL), 64 * fall * fall / 2 * 1e-4, "%s",
                 said.text);
    cr_expect_gt(number_behind(lies, "motion, "), 3 * 64, "%s", said.text);
    cr_expect_leq(number_behind(lies, "overlap "), 0.005, "%s", said.text);
    free(said.text);
}

Test(example_boxes, has_no_options) { expect_no_options(EXAMPLE("boxes")); }

Test(example_boxes, failures_are_told) { expect_failures(EXAMPLE("boxes")); }
