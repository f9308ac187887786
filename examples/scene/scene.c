/* scene */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/plot.h"
#include "film.h"
#include "penalty_scenes.h"
#include "support/arguments.h"
#include "support/choice.h"
#include "support/fail.h"
#include "support/number.h"
#include "support/output.h"
#include "view.h"

static const char help[] =
    "Usage: scene billiard|baseball|stuntmen [--fraction F | --penalty K] -o OUT.svg\n"
    "       scene gyroscope -o OUT.svg\n"
    "\n"
    "Draws the inertia ellipsoids of two bodies before, at and after their contact, or a "
    "gyroscope\n"
    "that precesses and tips over, as an SVG that moves in a browser; elsewhere it shows some of\n"
    "the states at once. In the air bodies move by Euler's equations. The contact of two bodies "
    "is\n"
    "elastic, without friction, and resolved by the library; the gyroscope is pressed off the\n"
    "ground by the penalty model, with friction.\n"
    "\n"
    "      --fraction F the part of the elastic impulse that is applied, from 0.5 to 1\n"
    "      --penalty K  the contact by the penalty model instead, with this stiffness in N/m\n"
    "  -o, --output OUT where to write; '-' is standard output\n"
    "\n"
    "Example: scene stuntmen -o stuntmen.svg\n";

/* The picture, and what of it the bodies fill, in pixels. */
enum { WIDTH = 640, HEIGHT = 420, MARGIN = 16, CAPTION = 44 };

/* How long the frames of a picture take to show, s. */
static const double scene_seconds = 4, gyroscope_seconds = 12;

/* States in the still picture: dark enough to read, pale while the frames move above them. */
static const double still_opacity = 0.8, moving_opacity = 0.12;

static const scene_paint paints[2] = {{PLOT_BLUE, PLOT_PALE_BLUE}, {PLOT_VERMILION, PLOT_PALE_RED}};

static void caption(const char *first, const char *second) {
    svg_text(MARGIN, HEIGHT - CAPTION + 18, PLOT_TEXT, SVG_START, 0, first);
    svg_text(MARGIN, HEIGHT - CAPTION + 35, PLOT_TEXT, SVG_START, 0, second);
}

static void fit(scene_view *view) {
    view_fit(view, MARGIN, MARGIN + PLOT_TEXT, WIDTH - 2 * MARGIN,
             HEIGHT - CAPTION - 2 * MARGIN - PLOT_TEXT);
}

/* ---- Two bodies ---- */

typedef struct scene_look {
    const char *title;
    const char *bodies[2];
    double azimuth, elevation;
} scene_look;

static const scene_look looks[PENALTY_SCENES] = {
    {"Two billiard balls collide", {"rolling ball", "spinning ball"}, -90, 55},
    {"A baseball is hit by a bat", {"ball", "bat"}, -90, 50},
    {"Two stuntmen collide in the air", {"first man", "second man"}, -70, 12}};

static double nearness(const scene_view *view, const penalty_body *body) {
    double pixel[2], near;
    view_project(view, body->motion.position, pixel, &near);
    return near;
}

/* The farther body first. */
static void draw_bodies(const scene_view *view, const penalty_system *state,
                        const scene_look *look) {
    const size_t far =
        nearness(view, &state->bodies[0]) > nearness(view, &state->bodies[1]) ? 1 : 0;
    for (size_t i = 0; i < 2; i++) {
        const size_t body = i ? 1 - far : far;
        view_ellipsoid(view, &state->bodies[body], paints[body], look->bodies[body]);
    }
}

/* The ways of the centres. */
static void draw_ways(const scene_view *view, const scene_film *film) {
    double(*points)[3] = allocate(film->count, sizeof *points);
    for (size_t body = 0; body < 2; body++) {
        for (size_t i = 0; i < film->count; i++)
            memcpy(points[i], film->states[i].bodies[body].motion.position, sizeof *points);
        const svg_style style = {.stroke = paints[body].line, .width = 0.8, .dashes = "4 3"};
        view_line(view, (const double(*)[3])points, film->count, &style, false);
    }
    free(points);
}

/* The contact, and its normal away from the first body. */
static void draw_contact(const scene_view *view, const penalty_contact *contact) {
    static const double length = 34; /* pixels, if it lies across the line of sight */
    static const svg_style line = {.stroke = PLOT_BLACK, .width = 1.2};
    static const svg_style dot = {.fill = PLOT_BLACK};
    double tip[3], from[2], to[2], near;
    for (int i = 0; i < 3; i++)
        tip[i] = contact->point[i] + length / view->scale * contact->normal[i];
    view_project(view, contact->point, from, &near);
    view_project(view, tip, to, &near);
    svg_line(from[0], from[1], to[0], to[1], &line);
    svg_circle(from[0], from[1], 2.4, &dot, "contact");
    svg_text(to[0] + 4, to[1] - 4, PLOT_TEXT, SVG_START, 0, "*n*");
}

static void draw_scene(const scene_film *film, const scene_look *look) {
    scene_view view = view_from(look->azimuth, look->elevation);
    for (size_t i = 0; i < film->count; i++)
        for (size_t body = 0; body < 2; body++)
            view_include(&view, &film->states[i].bodies[body]);
    fit(&view);
    svg_begin(WIDTH, HEIGHT, look->title);
    draw_ways(&view, film);
    const size_t states[] = {0, film->count - 1, film->contact};
    static const char *const words[] = {"before", "after", "contact"};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        svg_still_begin(still_opacity, moving_opacity);
        draw_bodies(&view, &film->states[states[i]], look);
        svg_group_end();
    }
    svg_still_begin(still_opacity, moving_opacity);
    for (size_t i = 0; i < 2 * (sizeof states / sizeof *states); i++)
        view_words(&view, &film->states[states[i / 2]].bodies[i % 2], PLOT_TEXT, words[i / 2]);
    svg_group_end();
    for (size_t i = 0; i < film->count; i += film->stride) {
        svg_frame_begin(i / film->stride, film->count / film->stride, scene_seconds);
        draw_bodies(&view, &film->states[i], look);
        svg_group_end();
    }
    draw_contact(&view, &film->states[film->contact].contacts[0]);
}

static void caption_scene(const scene_film *film, scene_collision by, const char *title) {
    char first[160], second[160];
    if (by.stiffness > 0) {
        snprintf(first, sizeof first,
                 "%s: before, at and after the contact. Penalty model, %g N/m.", title,
                 by.stiffness);
    } else {
        snprintf(first, sizeof first,
                 "%s: before, at and after the contact. Frictionless, %g%% of lambda.", title,
                 100 * by.fraction);
    }
    snprintf(second, sizeof second,
             "Kinetic energy %.6g J before, %.6g J after. The total momentum is 0. %g ms shown.",
             film->energy_before, film->energy_after,
             1000 * film->interval * (double)(film->count - 1));
    caption(first, second);
}

static void picture_of_scene(size_t scene, scene_collision by) {
    scene_film film = film_of_scene(scene, by);
    draw_scene(&film, &looks[scene]);
    caption_scene(&film, by, looks[scene].title);
    svg_end();
    film_free(&film);
}

/* ---- The gyroscope ---- */

/* The disc is at the middle of the axle, which is that long to either side. */
static void axle_end(const penalty_body *top, double sign, double end[3]) {
    const double own[3] = {0, 0, sign * gyroscope_height};
    penalty_to_world(&top->motion, own, end);
    for (int i = 0; i < 3; i++)
        end[i] += top->motion.position[i];
}

static void draw_half_axle(const scene_view *view, const penalty_body *top, double sign) {
    static const svg_style axle = {.stroke = PLOT_BLACK, .width = 2.6};
    double line[2][3];
    memcpy(line[0], top->motion.position, sizeof line[0]);
    axle_end(top, sign, line[1]);
    view_line(view, (const double(*)[3])line, 2, &axle, false);
}

/* The half of the axle that points away from the eye is behind the disc. */
static void draw_top(const scene_view *view, const penalty_body *top) {
    double end[3], pixel[2], near;
    axle_end(top, 1, end);
    view_project(view, end, pixel, &near);
    const double front = near > nearness(view, top) ? 1 : -1;
    draw_half_axle(view, top, -front);
    view_ellipsoid(view, top, paints[0], "gyroscope");
    draw_half_axle(view, top, front);
}

/* The way of an end of the axle. */
static void draw_trace(const scene_view *view, const scene_film *film, double sign,
                       const char *colour) {
    double(*points)[3] = allocate(film->count, sizeof *points);
    for (size_t i = 0; i < film->count; i++)
        axle_end(&film->states[i].bodies[1], sign, points[i]);
    const svg_style style = {.stroke = colour, .width = 1};
    view_line(view, (const double(*)[3])points, film->count, &style, false);
    free(points);
}

/* Half the side of the piece of ground that is drawn, m. */
static const double ground = 0.1;

static void ground_corners(const scene_film *film, double corners[4][3]) {
    double middle[2] = {0, 0}; /* of where the gyroscope goes */
    for (size_t i = 0; i < film->count; i++)
        for (int j = 0; j < 2; j++)
            middle[j] += film->states[i].bodies[1].motion.position[j] / (double)film->count;
    for (int i = 0; i < 4; i++) {
        corners[i][0] = middle[0] + (i == 0 || i == 3 ? -ground : ground);
        corners[i][1] = middle[1] + (i < 2 ? -ground : ground);
        corners[i][2] = 0;
    }
}

static void picture_of_gyroscope(void) {
    static const svg_style floor_style = {
        .stroke = PLOT_GREY, .width = 0.8, .fill = PLOT_PALE_GREY};
    scene_film film = film_of_gyroscope();
    scene_view view = view_from(-60, 28);
    double corners[4][3];
    ground_corners(&film, corners);
    for (int i = 0; i < 4; i++)
        view_include_point(&view, corners[i]);
    for (size_t i = 0; i < film.count; i++) {
        double end[3];
        axle_end(&film.states[i].bodies[1], 1, end);
        view_include_point(&view, end);
        view_include(&view, &film.states[i].bodies[1]);
    }
    fit(&view);
    svg_begin(WIDTH, HEIGHT, "A gyroscope precesses and tips over");
    view_line(&view, (const double(*)[3])corners, 4, &floor_style, true);
    draw_trace(&view, &film, -1, PLOT_GREY);
    const size_t states[] = {film.count - film.stride, 0};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        svg_still_begin(still_opacity, moving_opacity);
        draw_top(&view, &film.states[states[i]].bodies[1]);
        svg_group_end();
    }
    for (size_t i = 0; i < film.count; i += film.stride) {
        svg_frame_begin(i / film.stride, film.count / film.stride, gyroscope_seconds);
        draw_top(&view, &film.states[i].bodies[1]);
        svg_group_end();
    }
    draw_trace(&view, &film, 1, PLOT_VERMILION);
    char first[160];
    snprintf(first, sizeof first,
             "A gyroscope at first and at last. It tips over on its rim after %.3g s of %.3g s.",
             film.interval * (double)film.contact, film.interval * (double)(film.count - 1));
    caption(first, "Red and grey: the ways of the axle's ends. Penalty model, with friction and a "
                   "torque against spin.");
    svg_end();
    film_free(&film);
}

/* ---- The command ---- */

static scene_collision collision_of(const char *fraction, const char *stiffness) {
    scene_collision by = {.fraction = 1};
    if (fraction && stiffness) fail("--fraction and --penalty exclude each other");
    if (fraction) by.fraction = number_required("--fraction", fraction, PRECISION_F64);
    if (!(by.fraction >= 0.5 && by.fraction <= 1)) fail("--fraction must be from 0.5 to 1");
    if (stiffness) {
        by.stiffness = number_required("--penalty", stiffness, PRECISION_F64);
        if (!(by.stiffness > 0 && by.stiffness <= 1e12))
            fail("--penalty must be above 0, and 1e12 at most");
    }
    return by;
}

int main(int argc, char **argv) {
    char *const *arguments = argv + (argc > 0);
    fail_as("scene");
    enum { NAMES = PENALTY_SCENES + 1 };
    const char *names[NAMES], *name, *fraction = NULL, *stiffness = NULL, *output = NULL;
    bool wants_help = false;
    const argument_option options[] = {{"--fraction", NULL, &fraction, NULL},
                                       {"--penalty", NULL, &stiffness, NULL},
                                       {"--output", "-o", &output, NULL},
                                       {"--help", "-h", NULL, &wants_help}};
    const size_t count =
        arguments_read("scene", arguments, options, sizeof options / sizeof *options, &name, 1);
    if (wants_help) {
        fputs(help, stdout);
        return output_exit(EXIT_RIGHT);
    }
    memcpy(names, penalty_scene_names, sizeof penalty_scene_names);
    names[PENALTY_SCENES] = "gyroscope";
    if (count == 0) fail("which scene? see scene --help");
    const size_t scene = choice_required("scene", name, names, NAMES);
    const scene_collision by = collision_of(fraction, stiffness);
    if (scene == PENALTY_SCENES && (fraction || stiffness))
        fail("--fraction and --penalty are for the collisions of two bodies");
    if (!output) fail("where to? give -o OUT.svg, or -o - for standard output");
    svg_require("--output", output);
    output_open(output);
    if (scene == PENALTY_SCENES)
        picture_of_gyroscope();
    else
        picture_of_scene(scene, by);
    output_finish();
    return output_exit(EXIT_RIGHT);
}
