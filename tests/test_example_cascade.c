/* The example cascade: the numbers that it prints, and its file. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runs.h"

/* The output of "cascade ARGUMENTS", errors as well; to be freed. */
static char *printed(const char *arguments, int code) {
    program_run of = run_loudly(EXAMPLE("cascade"), arguments);
    cr_assert_eq(of.code, code, "%s: %s", arguments, of.text);
    return of.text;
}

/* Column `column` of the line that begins with these words, blanks before them apart. */
static double number_in(const char *text, const char *words, int column) {
    const size_t length = strlen(words);
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, " \n");
        if (strncmp(line, words, length) != 0 || line[length] != ' ') continue;
        char *at = (char *)line + length;
        double value = 0;
        for (int i = 0; i <= column; i++)
            value = strtod(at, &at);
        return value;
    }
    cr_assert_fail("no line '%s' in %s", words, text);
    return 0;
}

static void expect_line(const char *text, const char *words) {
    cr_expect_not_null(strstr(text, words), "no '%s' in %s", words, text);
}

/* The beginning of the velocities: the collisions before them have numbers, too. */
static const char *velocities_in(const char *text) {
    const char *const at = strstr(text, "\nbody");
    return at ? at : text;
}

Test(example_cascade, cradle) {
    char *const text = printed("cradle 5 --in 2 --trace", 0);
    const int contacts[] = {1, 0, 2, 1, 3, 2};
    for (int i = 0; i < 6; i++) {
        char step[12]; /* any int */
        snprintf(step, sizeof step, "%d", i + 1);
        cr_expect_eq(number_in(text, step, 0), contacts[i]);
        cr_expect_eq(number_in(text, step, 1), contacts[i]);
        cr_expect_eq(number_in(text, step, 2), contacts[i] + 1);
        cr_expect_eq(number_in(text, step, 3), 1);
    }
    for (int i = 0; i < 5; i++) {
        char body[12];
        snprintf(body, sizeof body, "%d", i);
        cr_expect_eq(number_in(velocities_in(text), body, 0), i >= 3);
    }
    cr_expect_eq(number_in(text, "momentum_x", 1), 2);
    cr_expect_eq(number_in(text, "energy", 1), 1);
    expect_line(text, "6 collisions; complete, greatest approach velocity left: 0 m/s");
    free(text);
}

/* s_k = 1, 1.75, 0.8125, -0.265625 for e = 1/2: the left tip is last, and leaves at half of
 * 0.8125; the other at 0.265625. */
Test(example_cascade, rod) {
    char *text = printed("rod", 0);
    cr_expect(fabs(number_in(text, "0", 2) - (0.40625 + 0.265625) / 2) < 1e-6);
    cr_expect(fabs(number_in(text, "0", 4) - (0.40625 - 0.265625) / 2) < 1e-6);
    expect_line(text, "3 collisions; complete");
    free(text);
    /* e = 0 halves the approach: 1.5 of 2^-k after k + 1 collisions. */
    text = printed("rod --restitution 0 --most 5", 0);
    expect_line(text, "5 collisions; truncated, greatest approach velocity left: 0.09375 m/s");
    free(text);
    text = printed("rod --restitution 0 --extrapolate --rest-speed 1e-9", 0);
    expect_line(text, "8 collisions and an extrapolated tail; complete");
    cr_expect_eq(number_in(text, "0", 2), 0);
    free(text);
    /* One of these seeds begins with the other tip. */
    bool left = false, right = false;
    for (int seed = 1; seed <= 20; seed++) {
        char line[64];
        snprintf(line, sizeof line, "rod --tie drawn --seed %d", seed);
        text = printed(line, 0);
        left |= number_in(text, "0", 4) > 0;
        right |= number_in(text, "0", 4) < 0;
        free(text);
    }
    cr_expect(left && right);
}

/* The rack takes the momentum; friction turns balls; all balls are written. */
Test(example_cascade, pool_break) {
    char *text = printed("break --friction 0.1 --angle 20", 0);
    cr_expect(fabs(number_in(text, "momentum_x", 1) - 1) < 1e-7);
    cr_expect(number_in(text, "energy", 1) < 0.49);
    cr_expect(fabs(number_in(text, "15", 5)) > 0.01);
    expect_line(text, "complete");
    free(text);
    text = printed("break -o -", 0);
    cr_expect(strncmp(text, "ball,x,y,vx,vy,vz,wx,wy,wz\n", 27) == 0);
    size_t lines = 0;
    for (const char *at = text; (at = strchr(at, '\n')); at++)
        lines++;
    cr_expect_eq(lines, 1 + 16);
    /* The cue ball touches the first, and comes back. */
    double cue[5];
    const char *last = strstr(text, "\n15,");
    cr_assert(last &&
              sscanf(last, "%lf,%lf,%lf,%lf,%lf", cue, cue + 1, cue + 2, cue + 3, cue + 4) == 5);
    cr_expect(cue[1] == -2 && cue[2] == 0);
    cr_expect(fabs(cue[3] + 0.1002) < 5e-5 && cue[4] == 0, "%g, %g", cue[3], cue[4]);
    free(text);
}

Test(example_cascade, wrong_arguments) {
    static const char *const wrong[][2] = {{"", "which scene"},
                                           {"domino", "there is no 'domino'"},
                                           {"cradle", "how many balls"},
                                           {"cradle 1", "2 balls"},
                                           {"cradle 65", "from 1 to 64"},
                                           {"cradle 3 --in 3", "cannot come"},
                                           {"rod 3", "'3' is too much"},
                                           {"rod --in 2", "--in needs the cradle"},
                                           {"rod -o x.csv", "--output needs the break"},
                                           {"rod --angle 2", "--angle needs the break"},
                                           {"break --angle 90", "not between"},
                                           {"rod --restitution 2", "between 0 and 1"},
                                           {"rod --law brach", "not for cascade"},
                                           {"rod --law composite", "not for cascade"},
                                           {"rod --law planar", "not for cascade"},
                                           {"rod --rest-speed -1", "not between"},
                                           {"rod --tie best", "there is no 'best'"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *const text = printed(wrong[i][0], 2);
        expect_line(text, wrong[i][1]);
        free(text);
    }
}
