/* impinge map */
#include "map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "drawing/svg.h"
#include "support/arguments.h"
#include "support/fail.h"
#include "support/number.h"
#include "support/output.h"
#include "trace_path.h"

static const char help[] =
    "Usage: impinge map normal K11 K12 K13 K22 K23 K33 U1 U2 U3 MU -o OUT.svg\n"
    "       impinge map slip K11 K12 K13 K22 K23 K33 MU [--starts N] -o OUT.svg\n"
    "       impinge map region KTT KTN KNN UT UN MU -o OUT.svg\n"
    "       impinge map region --figure F -o OUT.svg\n"
    "\n"
    "Draws a picture as SVG, of a collision matrix K (axes t1, t2, n), a velocity U before the\n"
    "collision and a coefficient of friction MU.\n"
    "\n"
    "  normal   the normal velocity as the normal impulse grows: where the bodies are compressed\n"
    "           and where they expand, as far as it may go\n"
    "  slip     trajectories of the slip from N points (16 if left out) on a circle, and the rays\n"
    "           of constant sliding: where they are, and what the slip does there\n"
    "  region   a collision in a plane (axes t, n; MU may be inf): the impulses that are\n"
    "           permissible, and those that each law gives as restitution goes from 0 to 1\n"
    "\n"
    "      --starts N   points on the circle\n"
    "      --figure F   one of the paper's collisions: 3a 3b 3c 3d 4 5 6 7 8\n"
    "  -o, --output OUT where to write; '-' is standard output\n"
    "\n"
    "Example: impinge map slip 20 0 1 4 6 10 0.7 -o slip.svg\n";

enum { NUMBERS_MAX = 10 };

static const char *const normal_names[] = {"K11", "K12", "K13", "K22", "K23",
                                           "K33", "U1",  "U2",  "U3",  "MU"};
static const char *const slip_names[] = {"K11", "K12", "K13", "K22", "K23", "K33", "MU"};
static const char *const region_names[] = {"KTT", "KTN", "KNN", "UT", "UN", "MU"};

typedef struct request {
    const char *rest[1 + NUMBERS_MAX]; /* the figure's name and its numbers */
    size_t count;
    const char *starts, *figure, *output;
} request;

static void read_numbers(const request *by, const char *const *names, size_t count,
                         double *values) {
    if (by->count < 1 + count) fail("%s is missing; see impinge map --help", names[by->count - 1]);
    if (by->count > 1 + count)
        fail("'%s' is one argument too many; see impinge map --help", by->rest[1 + count]);
    for (size_t i = 0; i < count; i++)
        values[i] = number_required(names[i], by->rest[1 + i], PRECISION_F64);
}

static void require_only(const char *given, bool fits, const char *option, const char *figure) {
    if (given && !fits) fail("%s is for impinge map %s only", option, figure);
}

/* Whether K is positive definite and MU legal; pictures are of finite friction unless they say. */
static void require_matrix(const impinge_collision_matrix *matrix, double friction, bool infinite) {
    bool stable;
    if (impinge_sticking_is_stable(matrix, friction, &stable) != IMPINGE_OK)
        fail("the matrix must be positive definite, and MU 0 or more");
    if (!infinite && isinf(friction)) fail("MU must be finite");
}

static void require_finite(const char *name, double value) {
    if (!isfinite(value)) fail("%s must be finite", name);
}

static void draw_normal(const request *by) {
    double values[NUMBERS_MAX];
    read_numbers(by, normal_names, 10, values);
    const impinge_trace_input contact = {.matrix = matrix_of_numbers(values),
                                         .u1 = values[6],
                                         .u2 = values[7],
                                         .u3 = values[8],
                                         .friction = values[9]};
    require_matrix(&contact.matrix, contact.friction, false);
    for (size_t i = 6; i < 9; i++)
        require_finite(normal_names[i], values[i]);
    if (!(contact.u3 < 0)) fail("U3 must be below 0: the bodies approach");
    output_open(by->output);
    map_normal(&contact);
}

static void draw_slip(const request *by) {
    double values[NUMBERS_MAX];
    read_numbers(by, slip_names, 7, values);
    const impinge_collision_matrix matrix = matrix_of_numbers(values);
    require_matrix(&matrix, values[6], false);
    const size_t starts = by->starts ? whole_required("--starts", by->starts, 1, 360) : 16;
    output_open(by->output);
    map_slip(&matrix, values[6], starts);
}

static void draw_region_of(const request *by) {
    double values[NUMBERS_MAX];
    read_numbers(by, region_names, 6, values);
    const map_planar contact = {values[0], values[1], values[2], values[3], values[4], values[5]};
    const impinge_collision_matrix matrix = {contact.ktt, 0, contact.ktn,
                                             contact.ktt, 0, contact.knn};
    require_matrix(&matrix, contact.friction, true);
    for (size_t i = 3; i < 5; i++)
        require_finite(region_names[i], values[i]);
    if (!(contact.un < 0 || (contact.un == 0 && contact.ut != 0)))
        fail("UN must be below 0: the bodies approach (or 0, if they slip)");
    output_open(by->output);
    map_region(&contact);
}

static void draw_region(const request *by) {
    if (!by->figure) {
        draw_region_of(by);
        return;
    }
    if (by->count > 1) fail("--figure has its own numbers; see impinge map --help");
    output_open(by->output);
    if (!map_region_figure(by->figure))
        fail("--figure: there is no '%s'; known: 3a 3b 3c 3d 4 5 6 7 8", by->figure);
}

static void draw(const request *by) {
    static const struct {
        const char *name;
        void (*draw)(const request *by);
    } figures[] = {{"normal", draw_normal}, {"slip", draw_slip}, {"region", draw_region}};
    const char *name = by->rest[0];
    svg_require("--output", by->output);
    require_only(by->starts, !strcmp(name, "slip"), "--starts", "slip");
    require_only(by->figure, !strcmp(name, "region"), "--figure", "region");
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
        if (strcmp(name, figures[i].name) != 0) continue;
        figures[i].draw(by);
        output_finish();
        return;
    }
    fail("there is no picture '%s'; known: normal, slip, region", name);
}

int command_map(char *const *arguments) {
    request by = {.output = NULL};
    bool wants_help = false;
    const argument_option options[] = {{"--starts", NULL, &by.starts, NULL},
                                       {"--figure", NULL, &by.figure, NULL},
                                       {"--output", "-o", &by.output, NULL},
                                       {"--help", "-h", NULL, &wants_help}};
    by.count = arguments_read("impinge map", arguments, options, sizeof options / sizeof *options,
                              by.rest, 1 + NUMBERS_MAX);
    if (wants_help) {
        fputs(help, stdout);
        return EXIT_RIGHT;
    }
    if (by.count == 0) fail("which picture? normal, slip or region; see impinge map --help");
    if (!by.output) fail("where to? give -o OUT.svg, or -o - for standard output");
    draw(&by);
    return EXIT_RIGHT;
}
