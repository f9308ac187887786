/* The example drum: it turns and stops, and its bed comes to rest. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runs.h"

/*
 * Spheres of the bed that are outside of the glass and the wall by more than the slop and the way
 * of a step of 0.5 ms at 1.4 m/s, the speed of a fall of 0.1 m.
 */
static size_t outside(const char *csv, size_t *spheres) {
    size_t count = 0;
    *spheres = 0;
    for (const char *line = strchr(csv, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        double time, energy, slope, p[3], radius;
        int sphere, driven;
        cr_assert_eq(sscanf(line, "%lf,%lf,%lf,%d,%d,%lf,%lf,%lf,%lf", &time, &energy, &slope,
                            &sphere, &driven, &p[0], &p[1], &p[2], &radius),
                     9);
        if (driven) continue;
        ++*spheres;
        const double inside = radius - 0.036e-3 - 0.7e-3;
        /* The wall is a polygon of 64 sides around the circle. */
        count += hypot(p[0], p[2]) > 0.08 / cos(3.14159265358979 / 64) - inside || p[1] < inside ||
                 p[1] > 0.041 - inside;
    }
    return count;
}

/*
 * While the drum turns, its angular momentum and the bed's stay but for how the bed sways, so that
 * the mean moments of weight and drum agree: the sway is of some 1e-3 kg m^2/s (0.45 kg at 0.1 m/s
 * and 0.05 m), over 4 s and against 0.1 N m below 1 %. When it has stopped, the bed lies: less than
 * 1e-8 J move of 2,000 spheres, as in a box, and a slope stays that is above the 5.8 degrees of
 * spheres without friction (Peyneau and Roux 2008: a ratio of 0.100).
 */
Test(example_drum, turns_and_rests, .timeout = 120) {
    char csv[] = "/tmp/impinge-drum-XXXXXX", line[256];
    const int file = mkstemp(csv);
    cr_assert_geq(file, 0);
    close(file);
    snprintf(line, sizeof line, "-c \"'%s' 2>&1 >%s\"", EXAMPLE("drum"), csv);
    program_run said = run_quietly("sh", line);
    cr_assert_eq(said.code, 0, "%s", said.text);
    const double weight = number_behind(said.text, "moment of the weight ");
    const double drum = number_behind(said.text, "of the drum ");
    cr_expect(weight > 0.05 && fabs(drum / weight - 1) < 0.01, "%g, %g", weight, drum);
    const char *lies = text_from(said.text, "8.0 s: ");
    cr_expect_lt(number_behind(lies, "moving "), 1e-8 * 700 / 2000, "%s", said.text);
    cr_expect_lt(number_behind(lies, "spinning "), 1e-5 * 700 / 2000, "%s", said.text);
    cr_expect_gt(number_behind(lies, "slope "), 5.8, "%s", said.text);
    cr_expect_lt(number_behind(lies, "overlap "), 0.0101, "%s", said.text);
    const char *turns = text_from(said.text, "6.0 s: ");
    cr_expect_gt(number_behind(turns, "slope "), number_behind(lies, "slope "), "%s", said.text);
    free(said.text);
    program_run printed = run_quietly("cat", csv);
    unlink(csv);
    size_t spheres;
    cr_expect_eq(outside(printed.text, &spheres), 0);
    cr_expect_eq(spheres, 4 * 700);
    free(printed.text);
}

Test(example_drum, has_no_options) { expect_no_options(EXAMPLE("drum")); }

Test(example_drum, failures_are_told, .timeout = 60) { expect_failures(EXAMPLE("drum")); }
