/* The picture of cascade break: balls where they are hit, and where they go. */
#include "cascade.h"

#include <math.h>
#include <stdio.h>

#include "drawing/svg.h"

enum { WIDTH = 640, HEIGHT = 420, BALL = 26, MIDDLE_X = 170, MIDDLE_Y = 210 };

/* How long the arrow of 1 m/s is, in radii. */
static const double arrow = 6;

static const svg_style racked = {"#555555", 1, NULL, "#dcebf7"};
static const svg_style cue = {"#555555", 1, NULL, "#ffffff"};
static const svg_style velocity = {"#c0392b", 2, NULL, NULL};
static const svg_style tip_style = {"#c0392b", 1, NULL, "#c0392b"};

static double pixel_x(double x) { return MIDDLE_X + BALL * x; }
static double pixel_y(double y) { return MIDDLE_Y - BALL * y; }

static void draw_ball(const cascade_scene *s, size_t i) {
    char tip[96];
    snprintf(tip, sizeof tip, "ball %zu: v = (%.4g, %.4g) m/s, spin %.4g rad/s", i,
             s->velocity[VX][i], s->velocity[VY][i], s->velocity[WZ][i]);
    svg_circle(pixel_x(s->place[0][i]), pixel_y(s->place[1][i]), BALL,
               i + 1 == s->bodies ? &cue : &racked, tip);
}

static void draw_number(const cascade_scene *s, size_t i) {
    char text[24];
    snprintf(text, sizeof text, "%zu", i);
    svg_text(pixel_x(s->place[0][i]), pixel_y(s->place[1][i] - 0.55), 10, SVG_MIDDLE, 0, text);
}

/* A line with a head of two sides, each a tenth of a radian to the side and six pixels long. */
static void draw_arrow(double x, double y, double vx, double vy) {
    const double speed = hypot(vx, vy);
    if (!(arrow * speed > 0.05)) return; /* would be a dot */
    const double to_x = pixel_x(x + arrow * vx), to_y = pixel_y(y + arrow * vy);
    const double ux = vx / speed, uy = -vy / speed; /* in pixels, y is downwards */
    svg_line(pixel_x(x), pixel_y(y), to_x, to_y, &velocity);
    svg_path_begin();
    svg_path_move(to_x + 4 * ux, to_y + 4 * uy);
    svg_path_line(to_x - 4 * ux - 3 * uy, to_y - 4 * uy + 3 * ux);
    svg_path_line(to_x - 4 * ux + 3 * uy, to_y - 4 * uy - 3 * ux);
    svg_path_end(&tip_style, true);
}

void cascade_draw(const cascade_scene *s) {
    char legend[64];
    svg_begin(WIDTH, HEIGHT, "A pool break: velocities after a sequence of collisions");
    for (size_t i = 0; i < s->bodies; i++)
        draw_ball(s, i);
    for (size_t i = 0; i < s->bodies; i++)
        draw_number(s, i);
    for (size_t i = 0; i < s->bodies; i++)
        draw_arrow(s->place[0][i], s->place[1][i], s->velocity[VX][i], s->velocity[VY][i]);
    snprintf(legend, sizeof legend, "0.5 m/s; ball %zu came at 1 m/s", s->bodies - 1);
    draw_arrow(-5.5, -7, 0.5, 0);
    svg_text(pixel_x(-5.5 + arrow * 0.5 + 0.6), pixel_y(-7.15), 12, SVG_START, 0, legend);
    svg_end();
}
