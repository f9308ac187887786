/* The first programs (examples/first): their output against calculations by hand and theory. */
#include <criterion/criterion.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runs.h"

static char *printed(const char *name) {
    program_run of = run_loudly(name, "");
    cr_assert_eq(of.code, 0, "%s: %s", name, of.text);
    return of.text;
}

/* The number that follows the words. */
static void expect_near(const char *what, double found, double right, double tolerance) {
    cr_expect(fabs(found - right) <= tolerance, "%s: %g, not %g", what, found, right);
}

/* Half of the last digit that is printed. */
static const double printed_6 = 0.5000001e-6, printed_4 = 0.5000001e-4;

/* A slip of s <= 7/2 mu (1 + e) ends after an impulse of s / (7/2). */
Test(example_first, contacts) {
    char *const text = printed(EXAMPLE("first_contacts"));
    const char *line = text;
    for (int i = 0; i < 5; i++) {
        line = strchr(line, '\n') + 1;
        double got[5];
        cr_assert_eq(sscanf(line, "%lf %lf %lf %lf %lf", got, got + 1, got + 2, got + 3, got + 4),
                     5);
        const double slip = 0.5 * i, friction = fmin(slip / 3.5, 0.2 * 1.5);
        const double right[5] = {slip, -friction, 1.5, slip - 3.5 * friction, 0.5};
        for (int column = 0; column < 5; column++)
            expect_near("column", got[column], right[column], printed_6);
        const char *words = i == 0 ? "  stuck\n" : i < 3 ? "  slid|stuck\n" : "  slid\n";
        const char *end = strchr(line, '\n') + 1;
        cr_expect(!strncmp(end - strlen(words), words, strlen(words)), "%s", line);
    }
    free(text);
}

/* A fall of 1 m takes sqrt(2 / g) and is noticed within a step; e^2 of it is the way up, less what
 * a step of 0.1 ms at 4.4 m/s goes too far. */
Test(example_first, bodies) {
    char *const text = printed(EXAMPLE("first_bodies"));
    const double step = 1e-4, speed = sqrt(2 * 9.81);
    const double late = number_behind(text, "touches after ") - sqrt(2 / 9.81);
    cr_expect(late >= -printed_4 && late <= step + printed_4, "%g", late);
    expect_near("way up", number_behind(text, "rises to "), 0.64, 2 * speed * step);
    expect_near("the other", number_behind(text, "x = "), 5 - 11000 * step, printed_4);
    free(text);
}

/*
 * Energy is kept to rounding: of 4500 means of 512 squares each, far below the 12 digits. The
 * fourth moment of Maxwell's distribution is 5/3, and less by 10 / (3 (3 N + 2)) on the sphere of
 * constant energy of N particles. A mean of n independent samples of v^4 / <v^2>^2 has the
 * deviation sqrt((945/81 - 25/9) / n) = 3 / sqrt(n), that of a share of the energy sqrt(2/9 2/3 /
 * n) = 0.4 / sqrt(n). Here n is 512 times how often all velocities are new: a sphere of radius r
 * flies 1 / (sqrt(2) pi (2 r)^2 N) = 0.12 m between collisions at its speed of about 1 m/s, and
 * forgets its velocity in about two of them, so 4.5 s hold 19 times. Four deviations.
 */
Test(example_first, box, .timeout = 60) {
    char *const text = printed(EXAMPLE("first_box"));
    const double samples = 512 * 19;
    expect_near("energy", number_behind(text, "beginning: "), 1, 1e-11);
    double shares[3];
    cr_assert_eq(sscanf(strstr(text, "z: ") + 3, "%lf %lf %lf", shares, shares + 1, shares + 2), 3);
    for (int axis = 0; axis < 3; axis++)
        expect_near("share", shares[axis], 1. / 3, 4 * 0.4 / sqrt(samples));
    expect_near("fourth moment", number_behind(text, "<v^2>^2: "), 5. / 3, 4 * 3 / sqrt(samples));
    free(text);
}

/*
 * For every law that resolves the rod: u = u0 + K p, the energy lost is -p . (u0 + u) / 2, and the
 * rebound is Newton's where that is the law's rule.
 */
Test(example_first, laws) {
    char *const text = printed(EXAMPLE("first_laws"));
    const double k11 = 3.25, k13 = 3 * sqrt(3) / 4, k33 = 1.75; /* 1 + 3 cos^2, 3 sin cos, ... */
    int lines = 0, resolved = 0;
    for (const char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1, lines++) {
        char law[32], outcome[128];
        double p1, p3, u1, u3, lost;
        cr_assert_eq(
            sscanf(line, "%31s %lf %lf %lf %lf %lf %127s", law, &p1, &p3, &u1, &u3, &lost, outcome),
            7);
        if (strstr(outcome, "not-diagonal")) {
            cr_expect_str_eq(law, "bilinear");
            continue;
        }
        resolved++;
        expect_near(law, u1, -1 + k11 * p1 + k13 * p3, (1 + k11 + k13) * printed_6);
        expect_near(law, u3, -1 + k13 * p1 + k33 * p3, (1 + k13 + k33) * printed_6);
        expect_near(law, lost, -(p1 * (u1 - 1) + p3 * (u3 - 1)) / 2, 4 * printed_6);
        cr_expect(fabs(p1) <= 0.8 * p3 + 2 * printed_6, "%s", line);
        /* Without friction p3 is (1 + e) / K_33. */
        if (!strcmp(law, "frictionless")) expect_near(law, p3, 1.5 / k33, printed_6);
    }
    cr_expect_eq(lines, 9);
    cr_expect_eq(resolved, 8);
    free(text);
}

Test(example_first, failures_are_told) {
    expect_failures(EXAMPLE("first_bodies"));
    expect_failures(EXAMPLE("first_box"));
    expect_failures(EXAMPLE("first_contacts"));
    expect_failures(EXAMPLE("first_laws"));
#if defined HAVE_CPP_EXAMPLE
    expect_failures(EXAMPLE("first_pairs"));
#endif
}

#if defined HAVE_CPP_EXAMPLE
/* The spin of a ball that sticks is that of rolling: 5/7 v / r. */
Test(example_first, pairs) {
    char *const text = printed(EXAMPLE("first_pairs"));
    const double degrees = 180 / acos(-1), printed_2 = 0.5000001e-2;
    const double right = degrees * atan(3.5 * 0.2 * 1.5);
    expect_near("angle", number_behind(text, "slides throughout from "), right, 0.01 + printed_2);
    expect_near("by hand", number_behind(text, "by hand "), right, printed_2);
    expect_near("spin", number_behind(text, "45 degrees: "), 5. / 7 * sqrt(0.5) / 0.1, printed_6);
    free(text);
}
#endif

#if defined HAVE_FORTRAN_EXAMPLE
/* Head on without friction's work; at a slip of 2 m/s it slides throughout. */
Test(example_first, contacts_in_fortran) {
    char *const text = printed(EXAMPLE("first_contacts_fortran"));
    cr_expect_str_eq(text, "p = ( 0.000000, 1.500000)\np = (-0.150000, 1.500000)\n");
    free(text);
}
#endif
