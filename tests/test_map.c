/* impinge map: its pictures, and what it refuses. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include <impinge/impinge.h>

#include "pictures.h"
#include "runs.h"

enum { LINE_SIZE = 1024, PICTURE_MAX = 100000 };

static char *picture(const char *arguments) {
    char line[LINE_SIZE + sizeof "map "];
    snprintf(line, sizeof line, "map %s", arguments);
    return picture_of(IMPINGE_PROGRAM, line, PICTURE_MAX);
}

Test(pictures, tells_what_is_well_formed) {
    static const char *const right[] = {"<a/>\n", "<a>x&amp;<b c=\"1\" d=\"2\"/></a>\n"};
    static const char *const wrong[] = {
        "<a>\n",        "<a></b>\n",  "<a b=1/>\n",     "<a b=\"1\" b=\"1\"/>\n",
        "<a>&x;</a>\n", "<a/><a/>\n", "<a b=\"<\"/>\n", "x\n"};
    for (size_t i = 0; i < 2; i++)
        cr_expect(is_well_formed(right[i]), "%s", right[i]);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect(!is_well_formed(wrong[i]), "%s", wrong[i]);
}

Test(map, normal_of_the_example_of_the_paper) {
    char *svg = picture("normal 20 -23 4 31 -7 4 630 -780 -0.22 0.5");
    const double zeros[] = {14.6, 29.8, 56.0};
    cr_expect(count_of(svg, "zero: p_n = ") == 3);
    for (size_t i = 0; i < 3; i++)
        cr_expect(fabs(number_after(svg, "zero: p_n = ", i) - zeros[i]) < 0.05);
    cr_expect(count_of(svg, "maximum: p_n = ") == 1);
    cr_expect(fabs(number_after(svg, "maximum: p_n = ", 0) - 22.5) < 0.05);
    static const char *const labels[] = {">14.6<", ">29.8<",   ">56.0<",
                                         ">22.5<", "(kg m/s)", "(m/s)"};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        cr_expect(strstr(svg, labels[i]) != NULL, "%s", labels[i]);
    free(svg);
}

/* A frictionless contact: u_n = u3 + K33 p_n has one zero. */
Test(map, normal_of_a_straight_line) {
    char *svg = picture("normal 3 0 0 3 0 2 1 0 -5 0");
    cr_expect(count_of(svg, "zero: p_n = ") == 1);
    cr_expect(fabs(number_after(svg, "zero: p_n = ", 0) - 2.5) < 1e-5);
    cr_expect(count_of(svg, "maximum: ") == 0 && count_of(svg, "minimum: ") == 0);
    free(svg);
}

/*
 * A jam that ends in sticking: u_t = -1 and then falls by 2.1 p_n, to zero at 1 / 2.1, as u_n falls
 * by 1.7; then u_n rises by 0.19, from -1 - 1.7 / 2.1.
 */
Test(map, normal_with_a_kink) {
    char *svg = picture("normal 1 0 -0.9 1 0 1 -1 0 -1 3");
    const double kink = 1 / 2.1;
    cr_expect(count_of(svg, "zero: p_n = ") == 1 && count_of(svg, "minimum: p_n = ") == 1);
    cr_expect(fabs(number_after(svg, "minimum: p_n = ", 0) - kink) < 1e-5);
    cr_expect(fabs(number_after(svg, "zero: p_n = ", 0) - (kink + (1 + 1.7 * kink) / 0.19)) < 1e-4);
    free(svg);
}

/* Where the middle of a map of slip is, in pixels: zero slip. */
#define MIDDLE "279 197\""

Test(map, slip_of_figure_4) {
    char *svg = picture("slip 20 0 1 4 6 10 0.7");
    const impinge_collision_matrix k = {20, 0, 1, 4, 6, 10};
    impinge_ray rays[IMPINGE_RAYS_MAX];
    size_t count = 0;
    cr_assert(impinge_find_rays(&k, 0.7, rays, &count) == IMPINGE_OK && count == 4);
    for (size_t i = 0; i < count; i++) {
        char words[64];
        snprintf(words, sizeof words, ">%.2f\xc2\xb0 %s<", rays[i].angle * 57.295779513082320877,
                 i == 0 ? "diverging" : "converging");
        cr_expect(strstr(svg, words) != NULL, "%s", words);
    }
    static const char *const labels[] = {">87\xc2\xb0<", ">209\xc2\xb0<", ">281\xc2\xb0<",
                                         ">323\xc2\xb0<", "unstable"};
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
        cr_expect(strstr(svg, labels[i]) != NULL, "%s", labels[i]);
    /* "The 5 trajectories at the bottom end up at the origin" of 16. */
    cr_expect(count_of(svg, "<path d=\"M") == 16 + 4 * 3, "%zu", count_of(svg, "<path d=\"M"));
    cr_expect(count_of(svg, "L" MIDDLE) == 5, "%zu", count_of(svg, "L" MIDDLE));
    cr_expect(count_of(svg, "r=\"3\"") == 16 + 1); /* and in the legend */
    /* Two of four sectors, of three wedges each, lead to zero slip, and two to the diverging ray.
     */
    cr_expect(count_of(svg, "fill=\"#dcebf7\"") == 2 * 3 + 1);
    cr_expect(count_of(svg, "fill=\"#fbe3d6\"") == 2 * 3 + 1);
    free(svg);
}

/* T isotropic and k = 0: nothing turns, everything comes to rest. */
Test(map, slip_where_every_direction_is_a_ray) {
    char *svg = picture("slip 3.5 0 0 3.5 0 1 0.3 --starts 8");
    cr_expect(strstr(svg, "Every direction is a ray") != NULL);
    cr_expect(count_of(svg, "<path d=\"M") == 8);
    cr_expect(count_of(svg, "L" MIDDLE) == 8);
    free(svg);
}

/* The two numbers of a tip such as "F: p = (0.27, 1.9)". */
static void expect_point(const char *svg, const char *name, double p_t, double p_n) {
    char words[64];
    snprintf(words, sizeof words, "%s: p = (", name);
    const char *at = strstr(svg, words);
    cr_assert(at != NULL, "no %s", name);
    double found[2];
    cr_assert(sscanf(at + strlen(words), "%lf, %lf", &found[0], &found[1]) == 2);
    /* They are written to four digits. */
    const double rounding = 1e-3 * hypot(p_t, p_n);
    cr_expect(fabs(found[0] - p_t) <= rounding && fabs(found[1] - p_n) <= rounding,
              "%s: (%g, %g), not (%g, %g)", name, found[0], found[1], p_t, p_n);
}

/*
 * K = (1 1/2, 1/2 1), so M = (4 -2, -2 4) / 3; u0 = (-0.6, -1), mu = 0.4. P_I = (0, 1), P_II = M
 * (0.6, 1) = (0.4, 2.8) / 3; E = 2 P_I and F = 2 P_II. The energy u0.M u0 is 3.04 / 3; at A the
 * velocity is (-v, 0) with v^2 4 / 3 = 3.04 / 3, and so on round the ellipse.
 */
Test(map, region_of_figure_3a) {
    char *svg = picture("region --figure 3a");
    const double v = sqrt(3.04 / 4);
    expect_point(svg, "O", 0, 0);
    expect_point(svg, "E", 0, 2);
    expect_point(svg, "F", 0.8 / 3, 5.6 / 3);
    expect_point(svg, "A", (0.4 - 4 * v) / 3, (2.8 + 2 * v) / 3);
    expect_point(svg, "B", (0.4 + 4 * v) / 3, (2.8 - 2 * v) / 3);
    expect_point(svg, "C", (0.4 - 2 * v) / 3, (2.8 + 4 * v) / 3);
    expect_point(svg, "D", (0.4 + 2 * v) / 3, (2.8 - 4 * v) / 3);
    free(svg);
}

static void take_least(double *least, double value) {
    if (value < *least) *least = value;
}

/* The shaded region of figure 3a: all its corners keep the four conditions; each of those binds. */
Test(map, region_is_where_the_conditions_hold) {
    char *svg = picture("region --figure 3a");
    double origin[2], elastic[2];
    pixels_of(svg, "O: p", origin);
    pixels_of(svg, "E: p", elastic);
    const double scale = 2 / (origin[1] - elastic[1]); /* E is at (0, 2) */
    /* Coordinates are rounded to a hundredth, on either side. */
    const double rounding = 0.02 * scale;
    double least[] = {1, 1, 1, 1};
    const char *at = strstr(svg, "<path d=\"M") + 9;
    while (*at == 'M' || *at == 'L') {
        double x, y;
        int length;
        cr_assert(sscanf(at + 1, "%lf %lf%n", &x, &y, &length) == 2);
        at += 1 + length;
        const double p_t = (x - origin[0]) * scale;
        const double p_n = (origin[1] - y) * scale;
        const double u_t = -0.6 + p_t + p_n / 2;
        const double u_n = -1 + p_t / 2 + p_n;
        take_least(&least[0], 0.4 * p_n - p_t);
        take_least(&least[1], 0.4 * p_n + p_t);
        take_least(&least[2], u_n);
        take_least(&least[3], (3.04 - 4 * (u_t * u_t - u_t * u_n + u_n * u_n)) / 3);
    }
    cr_expect(strncmp(at, "Z\"", 2) == 0);
    /* Of all conditions energy changes most with p: by 2 |u|, and |u| < 3 all over the ellipse. */
    for (size_t i = 0; i < 4; i++)
        cr_expect(fabs(least[i]) < 6 * rounding, "%zu: %g", i, least[i]);
    free(svg);
}

/*
 * Routh: along the right friction line until u_t = -0.6 + 0.9 p_n = 0, p_n = 2/3; then dp_t = -0.4
 * dp_n, du_n = 0.8 dp_n, from u_n = -0.2, so that compression ends after another 1/4. Whittaker: u
 * = (0, e), p = P_II + e M (0, 1).
 */
Test(map, laws_of_the_generic_figures) {
    const double p_n = 2.0 / 3 + 0.25;
    char *routh = picture("region --figure 3b");
    expect_point(routh, "Routh (Poisson), e = 0", 0.4 * (2.0 / 3 - 0.25), p_n);
    expect_point(routh, "Routh (Poisson), e = 1", 0.4 * (2.0 / 3 - 0.25 - p_n), 2 * p_n);
    free(routh);
    char *whittaker = picture("region --figure 3d");
    expect_point(whittaker, "Whittaker, e = 0", 0.4 / 3, 2.8 / 3);
    expect_point(whittaker, "Whittaker, e = 1", (0.4 - 2) / 3, (2.8 + 4) / 3);
    free(whittaker);
    char *all = picture("region --figure 4");
    static const char *const names[] = {"Routh", "two-stage", "Smith", "Whittaker",
                                        "Chatterjee-Ruina"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect(strstr(all, names[i]) != NULL, "%s", names[i]);
    free(all);
}

/* Smith's law, solved here by bisection on p_n of eq. (8) for e = 1 in figure 3c. */
Test(map, smith_of_figure_3c) {
    char *svg = picture("region --figure 3c");
    double low = 0.67; /* u_t < 0 below it */
    double high = 4;
    for (int i = 0; i < 100; i++) {
        const double p_n = (low + high) / 2;
        const double p_t = 2 * (2 - p_n); /* u_n = -1 + p_t / 2 + p_n = 1 */
        const double u_t = -0.6 + p_t + p_n / 2;
        const double share = (0.6 * -0.6 + fabs(u_t) * u_t) / (0.36 + u_t * u_t);
        *(p_t > -0.4 * p_n * share ? &low : &high) = p_n;
    }
    expect_point(svg, "Smith, e = 1", 2 * (2 - low), low);
    free(svg);
}

Test(map, every_region) {
    static const char *const others[] = {
        "--figure 5",        "--figure 6",          "--figure 7",
        "--figure 8",        "1 0.5 1 -0.6 -1 0.4", "1 0 1 0 -1 0",
        "2 -0.4 1 1 -1 inf", "1 -0.8 1 -1 0 1.5",   "1e-8 0 1e-8 1e5 -1e5 0.5"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char line[LINE_SIZE];
        snprintf(line, sizeof line, "region %s", others[i]);
        char *svg = picture(line);
        cr_expect(strstr(svg, "permissible region") != NULL);
        cr_expect_null(strstr(svg, "nan"), "%s", others[i]);
        free(svg);
    }
}

Test(map, refuses_what_makes_no_sense) {
    static const struct {
        const char *arguments, *words;
    } wrong[] = {{"map", "which picture"},
                 {"map slip 20 0 1 4 6 10 0.7", "where to?"},
                 {"map sketch 1 -o -", "no picture 'sketch'"},
                 {"map slip 20 0 1 4 6 10 -o -", "MU is missing"},
                 {"map slip 20 0 1 4 6 10 0.7 8 -o -", "one argument too many"},
                 {"map slip 20 0 1 4 6 ten 0.7 -o -", "K33: 'ten' is not a number"},
                 {"map slip 1 2 0 1 0 1 0.5 -o -", "positive definite"},
                 {"map slip 20 0 1 4 6 10 inf -o -", "MU must be finite"},
                 {"map slip 20 0 1 4 6 10 -1 -o -", "MU 0 or more"},
                 {"map slip 20 0 1 4 6 10 0.7 --starts 0 -o -", "--starts"},
                 {"map normal 3 0 0 3 0 1 0 0 1 0.5 -o -", "U3 must be below 0"},
                 {"map normal 3 0 0 3 0 1 0 nan -1 0.5 -o -", "U2 must be finite"},
                 {"map region --figure 9 -o -", "there is no '9'"},
                 {"map region 1 --figure 4 -o -", "--figure has its own numbers"},
                 {"map region 1 2 1 0 -1 0.5 -o -", "positive definite"},
                 {"map region 1 0 1 1 1 0.5 -o -", "UN must be below 0"},
                 {"map normal --starts 3 -o -", "--starts is for"},
                 {"map slip --figure 4 -o -", "--figure is for"},
                 {"map region --figure 4 -o /nowhere/x.svg", "cannot write"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_refusal(IMPINGE_PROGRAM, wrong[i].arguments, wrong[i].words);
}
