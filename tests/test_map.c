/* What is there to look at: impinge trace, impinge map, impinge penalty and impinge scene. */
#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#include <impinge/impinge.h>

#include "penalty_scenes.h"
#include "xml.h"

/* A command has room for a line of arguments and the program's path. */
enum { OUTPUT_MAX = 1 << 20, LINE_SIZE = 1024, COMMAND_SIZE = 2 * LINE_SIZE };

/* What a command printed, on standard output or on standard error, and its exit code. */
typedef struct run {
    char *text;
    size_t length;
    int code;
} run;

static run run_shell(const char *line) {
    FILE *from = popen(line, "r");
    cr_assert(from != NULL);
    run of = {.text = malloc(OUTPUT_MAX + 1)};
    of.length = fread(of.text, 1, OUTPUT_MAX, from);
    of.text[of.length] = '\0';
    const int status = pclose(from);
    of.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return of;
}

static run run_output(const char *arguments) {
    char line[COMMAND_SIZE];
    snprintf(line, sizeof line, "'%s' %s 2>/dev/null", IMPINGE_PROGRAM, arguments);
    return run_shell(line);
}

/* One line to standard error, with these words in it, nothing to standard output, exit code 2. */
static void expect_failure(const char *arguments, const char *words) {
    char line[COMMAND_SIZE];
    snprintf(line, sizeof line, "'%s' %s 2>&1", IMPINGE_PROGRAM, arguments);
    run of = run_shell(line);
    const char *end = strchr(of.text, '\n');
    cr_expect(of.code == 2, "%s: exit code %d", arguments, of.code);
    cr_expect(end && !end[1], "%s: not one line: %s", arguments, of.text);
    cr_expect(strstr(of.text, words) != NULL, "%s: %s", arguments, of.text);
    free(of.text);
}

Test(map, tells_what_is_well_formed) {
    static const char *const right[] = {"<a/>\n", "<a>x&amp;<b c=\"1\" d=\"2\"/></a>\n"};
    static const char *const wrong[] = {
        "<a>\n",        "<a></b>\n",  "<a b=1/>\n",     "<a b=\"1\" b=\"1\"/>\n",
        "<a>&x;</a>\n", "<a/><a/>\n", "<a b=\"<\"/>\n", "x\n"};
    for (size_t i = 0; i < 2; i++)
        cr_expect(is_well_formed(right[i]), "%s", right[i]);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect(!is_well_formed(wrong[i]), "%s", wrong[i]);
}

/* ---- Pictures ---- */

static size_t count_of(const char *text, const char *piece) {
    size_t count = 0;
    for (const char *at = strstr(text, piece); at; at = strstr(at + 1, piece))
        count++;
    return count;
}

/* A picture: small, white, by itself, and the same every time. To be freed. */
static char *picture_of(const char *command, const char *arguments, size_t most) {
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "%s %s -o -", command, arguments);
    run of = run_output(line);
    run again = run_output(line);
    cr_assert(of.code == 0, "%s: exit code %d", arguments, of.code);
    cr_expect(of.length < most, "%s: %zu bytes", arguments, of.length);
    cr_expect(is_well_formed(of.text), "%s", arguments);
    cr_expect_str_eq(of.text, again.text);
    cr_expect(strstr(of.text, "fill=\"#ffffff\"/>") != NULL);
    static const char *const outside[] = {"<script", "href", "url(", "<image",
                                          "<style",  "nan",  "inf "};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        cr_expect(!strstr(of.text, outside[i]), "%s has %s", arguments, outside[i]);
    free(again.text);
    return of.text;
}

static char *picture(const char *arguments) { return picture_of("map", arguments, 100000); }

/* The number after the nth occurrence of some words. */
static double number_after(const char *text, const char *words, size_t nth) {
    const char *at = strstr(text, words);
    for (; at && nth > 0; nth--)
        at = strstr(at + 1, words);
    cr_assert(at != NULL, "no '%s'", words);
    return strtod(at + strlen(words), NULL);
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

/* Where a point with such a tip stands, in pixels. */
static void pixels_of(const char *svg, const char *tip, double at[2]) {
    const char *title = strstr(svg, tip);
    cr_assert(title != NULL);
    const char *circle = title;
    while (strncmp(circle, "<circle", 7) != 0)
        circle--;
    cr_assert(sscanf(circle, "<circle cx=\"%lf\" cy=\"%lf\"", &at[0], &at[1]) == 2);
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
                 {"map region --figure 4 -o /nowhere/x.svg", "cannot write"},
                 {"trace 1 0 0 1 0 1 0 0 --restitution 1 --friction 0", "U3 is missing"},
                 {"trace 1 0 0 1 0 1 0 0 -1 --friction 0", "--restitution X is missing"},
                 {"trace 1 0 0 1 0 1 0 0 -1 --restitution 2 --friction 0", "--restitution"},
                 {"trace 1 2 0 1 0 1 0 0 -1 --restitution 1 --friction 0", "invalid-matrix"},
                 {"trace 1 0 0 1 0 1 0 0 -1 --restitution 1 --friction 0 --points 0", "--points"},
                 {"trace 1 0 0 1 0 1 0 0 -1 --restitution 1 --friction 0 --rule x", "'x'"},
                 {"trace /nowhere/in.csv --row 1 --restitution 1 --friction 0", "/nowhere/in.csv"},
                 {"trace '" IMPINGE_TEST_DATA "/boxes_pit.csv' --row 1", "no column k11"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        expect_failure(wrong[i].arguments, wrong[i].words);
}

/* ---- Traces ---- */

enum { COLUMNS = 9 };

static const char header[] =
    "p1,p2,p3,u1,u2,u3,work_compression,work_restitution,work_friction,phase,state\n";

#define EXAMPLE "20 -23 4 31 -7 4 630 -780 -0.22"

/* What resolving the example gives, in the order of the columns. */
static void resolve_example(impinge_restitution_rule rule, double values[COLUMNS]) {
    const double in[] = {20, -23, 4, 31, -7, 4, 630, -780, -0.22};
    const impinge_contacts_f64 contacts = {
        .count = 1,
        .k11 = &in[0],
        .k12 = &in[1],
        .k13 = &in[2],
        .k22 = &in[3],
        .k23 = &in[4],
        .k33 = &in[5],
        .u1 = &in[6],
        .u2 = &in[7],
        .u3 = &in[8],
        .coefficients = {.restitution.value = 0.9, .friction.value = 0.5}};
    const impinge_contact_results_f64 results = {.p1 = &values[0],
                                                 .p2 = &values[1],
                                                 .p3 = &values[2],
                                                 .u1_after = &values[3],
                                                 .u2_after = &values[4],
                                                 .u3_after = &values[5],
                                                 .work_compression = &values[6],
                                                 .work_restitution = &values[7],
                                                 .work_friction = &values[8]};
    const impinge_options options = {.rule = rule};
    cr_assert(impinge_resolve_contacts_f64(&contacts, &options, &results, NULL) == IMPINGE_OK);
}

static const char *last_line(const char *text) {
    const char *line = text;
    for (const char *at = text; *at; at++)
        if (*at == '\n' && at[1]) line = at + 1;
    return line;
}

/* The numbers of a line, whatever stands before each of them. */
static void expect_numbers(const char *line, const double right[COLUMNS], bool json) {
    for (size_t i = 0; i < COLUMNS; i++) {
        if (json) line = strchr(line, ':') + 1;
        char *end;
        const double found = strtod(line, &end);
        cr_expect(end != line && memcmp(&found, &right[i], sizeof found) == 0, "%zu: %a, not %a", i,
                  found, right[i]);
        line = end + (*end == ',');
    }
}

Test(trace, printed_ends_where_resolving_does) {
    double right[COLUMNS];
    resolve_example(IMPINGE_RULE_STRONGE, right);
    run of = run_output("trace " EXAMPLE " --restitution 0.9 --friction 0.5");
    cr_assert(of.code == 0);
    cr_expect(strncmp(of.text, header, sizeof header - 1) == 0);
    cr_expect(strncmp(of.text + sizeof header - 1, "0,0,0,630,-780,-0.22", 20) == 0);
    expect_numbers(last_line(of.text), right, false);
    cr_expect(strstr(last_line(of.text), ",restitution,slides\n") != NULL);
    cr_expect(count_of(of.text, ",0,") >= 3, "where u3 = 0");
    free(of.text);

    resolve_example(IMPINGE_RULE_NEWTON, right);
    of = run_output("trace " EXAMPLE
                    " --restitution 0.9 --friction 0.5 --rule newton --json --points 3");
    cr_assert(of.code == 0);
    expect_numbers(last_line(of.text), right, true);
    cr_expect(strstr(last_line(of.text), ",\"phase\":\"restitution\",\"state\":\"slides\"}\n"));
    free(of.text);
}

Test(trace, of_a_row) {
    char path[] = "/tmp/impinge-trace-XXXXXX";
    const int file = mkstemp(path);
    cr_assert(file >= 0);
    FILE *to = fdopen(file, "w");
    fputs("name,k11,k12,k13,k22,k23,k33,u1,u2,u3,restitution\n"
          "first,1,0,0,1,0,1,0,0,-1,0\n"
          "second,20,-23,4,31,-7,4,630,-780,-0.22,0.9\n",
          to);
    fclose(to);
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "trace %s --row 2 --friction 0.5", path);
    run of = run_output(line);
    run direct = run_output("trace " EXAMPLE " --restitution 0.9 --friction 0.5");
    cr_expect(of.code == 0);
    cr_expect_str_eq(of.text, direct.text);
    free(of.text);
    free(direct.text);
    snprintf(line, sizeof line, "trace %s --row 3 --friction 0.5", path);
    expect_failure(line, "has 2 rows");
    snprintf(line, sizeof line, "trace %s --row 1 --friction 0.5 --restitution 1", path);
    expect_failure(line, "also given by --restitution");
    snprintf(line, sizeof line, "trace %s --row 1", path);
    expect_failure(line, "--friction X is missing");
    unlink(path);
}

/* ---- Scenes that move ---- */

enum { SCENE_BYTES = 200000, SCENE_FRAMES = 66, SCENE_CONTACT = 30, GYROSCOPE_FRAMES = 120 };

static const char frame_start[] = "<g class=\"frame\" visibility=\"hidden\">";

static const char *const scene_bodies[PENALTY_SCENES][2] = {
    {">rolling ball<", ">spinning ball<"}, {">ball<", ">bat<"}, {">first man<", ">second man<"}};

/* When a frame is seen, as shares of the whole: the text behind its beginning must say so. */
static void expect_shown_in_turn(const char *frame, size_t index, size_t count) {
    const char *keys = strstr(frame, "keyTimes=\"0") + 11;
    const bool first = index == 0, last = index + 1 == count;
    const char *values = first  ? "values=\"visible;hidden\""
                         : last ? "values=\"hidden;visible\""
                                : "values=\"hidden;visible;hidden\"";
    const char *found = strstr(frame, "values=");
    cr_expect(strncmp(found, values, strlen(values)) == 0, "frame %zu: %.40s", index, found);
    if (!first)
        cr_expect(fabs(strtod(keys + 1, (char **)&keys) - (double)index / (double)count) < 1e-5);
    if (!last)
        cr_expect(fabs(strtod(keys + 1, (char **)&keys) - (double)(index + 1) / (double)count) <
                  1e-5);
    cr_expect(*keys == '"', "frame %zu: %.10s", index, keys);
}

/* The frames of a picture: all there, one seen after the other. */
static size_t frames_of(const char *svg, const char **frames, size_t most) {
    size_t count = 0;
    for (const char *at = strstr(svg, frame_start); at; at = strstr(at + 1, frame_start)) {
        cr_assert(count < most);
        frames[count++] = at;
    }
    for (size_t i = 0; i < count; i++)
        expect_shown_in_turn(frames[i], i, count);
    return count;
}

/* Where the centres of the two bodies are in each frame, in pixels. */
typedef struct ways {
    double at[SCENE_FRAMES][2][2];
} ways;

static ways ways_of(const char *svg, size_t scene) {
    const char *frames[SCENE_FRAMES];
    ways of;
    cr_assert(frames_of(svg, frames, SCENE_FRAMES) == SCENE_FRAMES);
    for (size_t i = 0; i < SCENE_FRAMES; i++)
        for (size_t body = 0; body < 2; body++)
            pixels_of(frames[i], scene_bodies[scene][body], of.at[i][body]);
    return of;
}

/* Pixels are rounded to a hundredth, either way; so are means of two of them. */
static const double pixel_rounding = 0.005 + 1e-9;

/* The total momentum is 0: the centre of mass stays where it is. */
static void expect_momentum_kept(const ways *of, size_t scene) {
    const penalty_system system = penalty_scene(scene, PENALTY_FIXED, 1);
    const double m1 = system.bodies[0].mass, m2 = system.bodies[1].mass;
    double first[2];
    for (size_t i = 0; i < SCENE_FRAMES; i++) {
        for (size_t j = 0; j < 2; j++) {
            const double middle = (m1 * of->at[i][0][j] + m2 * of->at[i][1][j]) / (m1 + m2);
            if (i == 0) first[j] = middle;
            cr_expect(fabs(middle - first[j]) <= 2 * pixel_rounding, "%s, frame %zu: %g, then %g",
                      penalty_scene_names[scene], i, first[j], middle);
        }
    }
}

/* Bodies in the air go straight on: second differences vanish, which four roundings make. */
static void expect_free_flight(const ways *of, size_t first, size_t last) {
    for (size_t i = first + 1; i < last; i++) {
        for (size_t j = 0; j < 4; j++) {
            const double second = of->at[i - 1][j / 2][j % 2] - 2 * of->at[i][j / 2][j % 2] +
                                  of->at[i + 1][j / 2][j % 2];
            cr_expect(fabs(second) <= 4 * pixel_rounding, "frame %zu: %g", i, second);
        }
    }
}

/* The impulse is along the normal that is drawn from the contact. */
static void expect_push_along_normal(const ways *of, const char *svg) {
    double contact[2], x1, y1, x2, y2;
    pixels_of(svg, ">contact</title>", contact);
    const char *line = strstr(svg, "<line ");
    cr_assert(line && sscanf(line, "<line x1=\"%lf\" y1=\"%lf\" x2=\"%lf\" y2=\"%lf\"", &x1, &y1,
                             &x2, &y2) == 4);
    cr_expect(x1 == contact[0] && y1 == contact[1]);
    double push[2];
    for (size_t j = 0; j < 2; j++)
        push[j] = (of->at[SCENE_FRAMES - 1][1][j] - of->at[SCENE_CONTACT][1][j]) /
                      (SCENE_FRAMES - 1 - SCENE_CONTACT) -
                  (of->at[SCENE_CONTACT][1][j] - of->at[0][1][j]) / SCENE_CONTACT;
    const double n[2] = {x2 - x1, y2 - y1};
    /* The velocities are known to two roundings over so many frames, the normal to two. */
    const double velocity_rounding = 2 * sqrt(2) * pixel_rounding * (1.0 / 30 + 1.0 / 35);
    const double rounding = velocity_rounding * hypot(n[0], n[1]) +
                            2 * sqrt(2) * pixel_rounding * hypot(push[0], push[1]);
    cr_expect(fabs(push[0] * n[1] - push[1] * n[0]) <= rounding, "%g %g, not along %g %g", push[0],
              push[1], n[0], n[1]);
    cr_expect(push[0] * n[0] + push[1] * n[1] > 0);
}

static ways check_scene(size_t scene, const char *options, double kept) {
    char arguments[LINE_SIZE];
    snprintf(arguments, sizeof arguments, "%s %s", penalty_scene_names[scene], options);
    char *svg = picture_of("scene", arguments, SCENE_BYTES);
    const ways of = ways_of(svg, scene);
    expect_momentum_kept(&of, scene);
    expect_free_flight(&of, 0, SCENE_CONTACT);
    if (!strstr(options, "--penalty")) {
        expect_free_flight(&of, SCENE_CONTACT, SCENE_FRAMES - 1);
        expect_push_along_normal(&of, svg);
    }
    const double before = number_after(svg, "Kinetic energy ", 0);
    const double after = number_after(svg, " J before, ", 0);
    /* Written to six digits. */
    if (kept > 0)
        cr_expect(fabs(after / before - kept) <= 1e-5, "%s: %g", arguments, after / before);
    else
        cr_expect(after < 0.999 * before);
    free(svg);
    return of;
}

Test(scene, bodies_collide) {
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        check_scene(scene, "", 1);
        check_scene(scene, "--fraction 0.95", 0);
    }
}

/* A stiff contact is over within the first frame: it ends where the library's does, but for some
 * 1e-3 of the way (impinge penalty). A soft one takes some frames, and ends elsewhere. */
Test(scene, penalty_comes_near_if_stiff) {
    for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
        const ways by_law = check_scene(scene, "", 1);
        const ways stiff = check_scene(scene, "--penalty 1e10", 1);
        const ways soft = check_scene(scene, scene == 2 ? "--penalty 1e5" : "--penalty 2e5", 1);
        double off[2] = {0, 0};
        for (size_t j = 0; j < 4; j++) {
            const double right = by_law.at[SCENE_FRAMES - 1][j / 2][j % 2];
            off[0] = fmax(off[0], fabs(stiff.at[SCENE_FRAMES - 1][j / 2][j % 2] - right));
            off[1] = fmax(off[1], fabs(soft.at[SCENE_FRAMES - 1][j / 2][j % 2] - right));
        }
        cr_expect(off[0] < 0.5, "%s: %g pixels", penalty_scene_names[scene], off[0]);
        cr_expect(off[1] > 2, "%s: %g pixels", penalty_scene_names[scene], off[1]);
    }
}

Test(scene, gyroscope) {
    char *svg = picture_of("scene", "gyroscope", SCENE_BYTES);
    const char *frames[GYROSCOPE_FRAMES];
    cr_assert(frames_of(svg, frames, GYROSCOPE_FRAMES) == GYROSCOPE_FRAMES);
    for (size_t i = 0; i < GYROSCOPE_FRAMES; i++) {
        double centre[2];
        pixels_of(frames[i], ">gyroscope<", centre);
        cr_expect(centre[0] > 0 && centre[0] < 640 && centre[1] > 0 && centre[1] < 376);
    }
    cr_expect(count_of(svg, ">gyroscope<") == GYROSCOPE_FRAMES + 2);
    /* It precesses some times before it tips over, and then still rolls. */
    const double tips = number_after(svg, "on its rim after ", 0);
    const double all = number_after(svg, " s of ", 0);
    cr_expect(tips > 1 && tips < all - 0.5, "%g of %g s", tips, all);
    free(svg);
}

Test(scene, says_what_is_wrong) {
    expect_failure("scene -o -", "which scene?");
    expect_failure("scene tennis -o -", "there is no 'tennis'");
    expect_failure("scene billiard", "where to?");
    expect_failure("scene billiard --fraction 0.3 -o -", "--fraction must be from 0.5 to 1");
    expect_failure("scene billiard --penalty 0 -o -", "--penalty must be above 0");
    expect_failure("scene billiard --penalty 1 -o -", "does not end in the time");
    expect_failure("scene billiard --penalty 1e6 --fraction 1 -o -", "exclude each other");
    expect_failure("scene gyroscope --penalty 1e6 -o -", "for the collisions of two bodies");
    expect_failure("penalty --geometry round", "there is no 'round'");
    expect_failure("penalty --steps 0", "--steps");
}

/* The table's rows are what the reference says, to the digits that are printed. */
static void expect_row(const char *line, size_t scene, penalty_geometry geometry) {
    double stiffness, lasted, velocity, omega;
    char order[2][16];
    cr_assert(sscanf(line, "%lf %lf %lf %15s %lf %15s", &stiffness, &lasted, &velocity, order[0],
                     &omega, order[1]) == 6);
    const penalty_comparison row = penalty_compare(scene, geometry, stiffness, 256);
    cr_expect(fabs(lasted / row.lasted - 1) < 1e-5);
    cr_expect(fabs(velocity / row.velocity_error - 1) < 1e-6);
    cr_expect(fabs(omega / row.omega_error - 1) < 1e-6);
    if (stiffness < 2e4) return;
    const penalty_comparison softer = penalty_compare(scene, geometry, stiffness / 10, 256);
    cr_expect(fabs(strtod(order[0], NULL) - log10(softer.velocity_error / row.velocity_error)) <
              1e-3);
    cr_expect(fabs(strtod(order[1], NULL) - log10(softer.omega_error / row.omega_error)) < 1e-3);
}

Test(scene, penalty_prints_the_table) {
    static const char *const commands[] = {"penalty --steps 256",
                                           "penalty --steps 256 --geometry face"};
    for (size_t i = 0; i < 2; i++) {
        run of = run_output(commands[i]);
        cr_assert(of.code == 0);
        const char *at = of.text;
        for (size_t scene = 0; scene < PENALTY_SCENES; scene++) {
            at = strstr(at, penalty_scene_names[scene]);
            cr_assert(at != NULL);
            at = strchr(strchr(at, '\n') + 1, '\n') + 1; /* its name, and the names of columns */
            for (int row = 0; row < 9; row++) {
                expect_row(at, scene, i ? PENALTY_FACE : PENALTY_FIXED);
                at = strchr(at, '\n') + 1;
            }
        }
        cr_expect(*at == '\0', "%s", at);
        free(of.text);
    }
}
