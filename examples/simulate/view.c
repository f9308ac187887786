#include "view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "drawing/plot.h"
#include "drawing/png_file.h"
#include "drawing/render.h"
#include "drawing/svg.h"
#include "dump.h"
#include "support/fail.h"
#include "support/output.h"

/* The largest picture, in pixels, and what is left free at its sides. */
enum { WIDTH_MAX = 900, HEIGHT_MAX = 1000, MARGIN = 16 };

/* The gas is seen from above, and only so much of the box's depth: else nothing is seen inside. */
static const double slice_share = 1.0 / 12;

/* The box's walls are drawn so many times as high as it is wide; the heap is to be half of that. */
static const double wall_height = 0.8;

/* What is poured is shown up to so many widths of the box. */
static const double highest_shown = 1.25;

void view_require_known(const char *option, const char *path) {
    if (path_ends_in(path, ".svg")) return;
    if (!path_ends_in(path, ".png")) fail("%s: '%s' ends in neither .png nor .svg", option, path);
    if (!png_file_available()) fail("%s: this build has no libpng; name a .svg instead", option);
}

/* ---- Colours ---- */

/* From slow to fast. */
static const colour speeds[] = {{0.16, 0.33, 0.58}, {0.22, 0.56, 0.75}, {0.55, 0.79, 0.74},
                                {0.96, 0.87, 0.55}, {0.93, 0.57, 0.31}, {0.76, 0.18, 0.18}};
enum { SPEEDS = sizeof speeds / sizeof *speeds };

static colour speed_colour(double share) {
    const double at = fmin(fmax(share, 0), 1) * (SPEEDS - 1);
    const size_t below = at >= SPEEDS - 1 ? SPEEDS - 2 : (size_t)at;
    const double part = at - (double)below;
    const colour *a = &speeds[below];
    const colour *b = &speeds[below + 1];
    return (colour){a->red + part * (b->red - a->red), a->green + part * (b->green - a->green),
                    a->blue + part * (b->blue - a->blue)};
}

/* Okabe and Ito's, in an order in which neighbours differ; from the bottom. */
static const colour layers[] = {{0.00, 0.45, 0.70}, {0.90, 0.62, 0.00}, {0.00, 0.62, 0.45},
                                {0.94, 0.89, 0.36}, {0.35, 0.70, 0.90}, {0.84, 0.37, 0.00}};
enum { LAYERS = sizeof layers / sizeof *layers };

/* Ids go up with the height at which a sphere began. */
static colour layer_colour(const motion *of, uint32_t id) {
    const size_t layer = (size_t)(id - 1) * LAYERS / of->scene.particles;
    return layers[layer < LAYERS ? layer : LAYERS - 1];
}

/* The speed that has the last colour: thrice the thermal one, or the fastest so far. */
static double speed_scale(const motion *of) {
    const sample *last = &of->series.samples[of->series.count - 1];
    if (of->scene.kind == SCENE_GAS) return 3 * sqrt(last->temperature);
    double fastest = 0;
    for (size_t i = 0; i < of->series.count; i++)
        fastest = fmax(fastest, of->series.samples[i].fastest);
    return fastest;
}

/* ---- What is seen from where ---- */

typedef struct camera {
    double right[3], up[3], towards[3];
    double scale, x, y; /* pixels per length; where the middle of the world is */
} camera;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void look_at(const camera *by, const double at[3], double seen[3]) {
    seen[0] = by->scale * dot(by->right, at) + by->x;
    seen[1] = by->scale * dot(by->up, at) + by->y;
    seen[2] = by->scale * dot(by->towards, at);
}

/* From before the box, 28 degrees to its right and 20 above; the gas from above. */
static camera camera_of(const motion *of) {
    if (of->scene.kind == SCENE_GAS)
        return (camera){.right = {1, 0, 0}, .up = {0, 1, 0}, .towards = {0, 0, 1}, .scale = 1};
    static const double turn = 28 * 3.14159265358979 / 180;
    static const double rise = 20 * 3.14159265358979 / 180;
    return (camera){.right = {cos(turn), sin(turn), 0},
                    .up = {-sin(turn) * sin(rise), cos(turn) * sin(rise), cos(rise)},
                    .towards = {sin(turn) * cos(rise), -cos(turn) * cos(rise), sin(rise)},
                    .scale = 1};
}

/* Corner i of a box from 0 to `size`: its bits say which side it is on. */
static void corner_of(const double size[3], size_t i, double at[3]) {
    for (size_t axis = 0; axis < 3; axis++)
        at[axis] = i >> axis & 1 ? size[axis] : 0;
}

/* Places the camera so that a box fills the picture, whose size it sets. */
static void frame(camera *by, const double box[3], size_t *width, size_t *height) {
    double lower[2] = {INFINITY, INFINITY};
    double upper[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < 8; i++) {
        double at[3];
        double seen[3];
        corner_of(box, i, at);
        look_at(by, at, seen);
        for (size_t axis = 0; axis < 2; axis++) {
            lower[axis] = fmin(lower[axis], seen[axis]);
            upper[axis] = fmax(upper[axis], seen[axis]);
        }
    }
    by->scale = fmin((WIDTH_MAX - 2 * MARGIN) / (upper[0] - lower[0]),
                     (HEIGHT_MAX - 2 * MARGIN) / (upper[1] - lower[1]));
    by->x = MARGIN - by->scale * lower[0];
    by->y = MARGIN - by->scale * lower[1];
    *width = (size_t)(2 * MARGIN + by->scale * (upper[0] - lower[0]));
    *height = (size_t)(2 * MARGIN + by->scale * (upper[1] - lower[1]));
}

enum { PANELS_MAX = 3, EDGES_MAX = 12 };

typedef struct view {
    camera camera;
    stage stage;
    ball *balls;
    panel panels[PANELS_MAX];
    edge edges[EDGES_MAX];
} view;

static void add_panel(view *to, const double corner[3], const double a[3], const double b[3],
                      colour of, bool shadows) {
    panel *one = &to->panels[to->stage.panel_count++];
    const double ends[2][3] = {{corner[0] + a[0], corner[1] + a[1], corner[2] + a[2]},
                               {corner[0] + b[0], corner[1] + b[1], corner[2] + b[2]}};
    look_at(&to->camera, corner, one->corner);
    for (size_t i = 0; i < 2; i++) {
        double end[3];
        look_at(&to->camera, ends[i], end);
        for (size_t axis = 0; axis < 3; axis++)
            one->side[i][axis] = end[axis] - one->corner[axis];
    }
    one->colour = of;
    one->shadows = shadows;
}

static void add_edges(view *to, const double box[3], bool flat) {
    for (size_t i = 0; i < 8; i++) {
        for (size_t axis = 0; axis < 3; axis++) {
            if (i >> axis & 1 || (flat && (axis == 2 || i >> 2 & 1))) continue;
            double from[3];
            double end[3];
            corner_of(box, i, from);
            corner_of(box, i | (size_t)1 << axis, end);
            edge *one = &to->edges[to->stage.edge_count++];
            look_at(&to->camera, from, one->from);
            look_at(&to->camera, end, one->to);
        }
    }
}

/* The floor and the two walls behind. */
static void build_box(view *to, const scene *in) {
    const double w = in->size[0];
    const double h = wall_height * w;
    static const double origin[3] = {0, 0, 0};
    const double x[3] = {w, 0, 0}, y[3] = {0, w, 0}, z[3] = {0, 0, h};
    static const colour ground = {0.90, 0.89, 0.87}, left = {0.955, 0.955, 0.96},
                        back = {0.93, 0.935, 0.945};
    add_panel(to, origin, x, y, ground, true);
    add_panel(to, origin, y, z, left, true);
    add_panel(to, y, x, z, back, true);
    const double box[3] = {w, w, h};
    add_edges(to, box, false);
}

static void build_slice(view *to, const scene *in) {
    const double origin[3] = {0, 0, -2 * in->radius};
    const double x[3] = {in->size[0], 0, 0}, y[3] = {0, in->size[1], 0};
    static const colour ground = {0.975, 0.975, 0.97};
    add_panel(to, origin, x, y, ground, false);
    add_edges(to, in->size, true);
}

/* How high the picture goes: to the highest sphere, but not below the walls or far above them. */
static double shown_height(const motion *of) {
    const double width = of->scene.size[0];
    double highest = wall_height * width;
    for (size_t i = 0; i < of->scene.particles; i++)
        highest = fmax(highest, world_get(of->world, i).position[2] + of->scene.radius);
    return fmin(highest, highest_shown * width);
}

static bool is_shown(const scene *in, const world_particle *p) {
    return in->kind == SCENE_POUR ||
           (p->position[2] >= 0 && p->position[2] < slice_share * in->size[2]);
}

static void add_balls(view *to, const motion *of, view_colour by) {
    const double scale = speed_scale(of);
    to->balls = allocate(of->scene.particles, sizeof *to->balls);
    for (size_t i = 0; i < of->scene.particles; i++) {
        const world_particle p = world_get(of->world, i);
        if (!is_shown(&of->scene, &p)) continue;
        ball *one = &to->balls[to->stage.ball_count++];
        look_at(&to->camera, p.position, one->at);
        one->radius = to->camera.scale * p.radius;
        const double speed = sqrt(dot(p.velocity, p.velocity));
        one->colour =
            by == VIEW_LAYER ? layer_colour(of, p.id) : speed_colour(scale > 0 ? speed / scale : 0);
    }
}

static view view_make(const motion *of, view_colour by) {
    view made = {.camera = camera_of(of)};
    const scene *in = &of->scene;
    const double box[3] = {in->size[0], in->size[1],
                           in->kind == SCENE_GAS ? slice_share * in->size[2] : shown_height(of)};
    frame(&made.camera, box, &made.stage.width, &made.stage.height);
    if (in->kind == SCENE_GAS)
        build_slice(&made, in);
    else
        build_box(&made, in);
    add_balls(&made, of, by);
    return made;
}

/* The view may be returned by value, so what points into it is set when it has its place. */
static const stage *stage_of(view *of) {
    of->stage.balls = of->balls;
    of->stage.panels = of->panels;
    of->stage.edges = of->edges;
    return &of->stage;
}

/* ---- As SVG ---- */

/* Its legend, below. */
enum { LEGEND = 56, BAR = 220, BAR_STEPS = 44 };

static const char *hex(char text[8], colour of, double brightness) {
    snprintf(text, 8, "#%02x%02x%02x", (unsigned)lrint(255 * fmin(1, brightness * of.red)),
             (unsigned)lrint(255 * fmin(1, brightness * of.green)),
             (unsigned)lrint(255 * fmin(1, brightness * of.blue)));
    return text;
}

static double down(const stage *of, double y) { return (double)of->height - y; }

static void draw_panel(const stage *on, const panel *of) {
    char text[8];
    const svg_style style = {.fill = hex(text, of->colour, 1)};
    const double *c = of->corner;
    const double *a = of->side[0];
    const double *b = of->side[1];
    svg_path_begin();
    svg_path_move(c[0], down(on, c[1]));
    svg_path_line(c[0] + a[0], down(on, c[1] + a[1]));
    svg_path_line(c[0] + a[0] + b[0], down(on, c[1] + a[1] + b[1]));
    svg_path_line(c[0] + b[0], down(on, c[1] + b[1]));
    svg_path_end(&style, true);
}

static int compare_depth(const void *a, const void *b) {
    const double first = ((const ball *)a)->at[2];
    const double second = ((const ball *)b)->at[2];
    return (first > second) - (first < second);
}

/* A ball: a disk that is darker at its edge, and a spot where the light is. */
static void draw_ball(const stage *on, const ball *of) {
    char rim[8];
    char face[8];
    char spot[8];
    const double x = of->at[0];
    const double y = down(on, of->at[1]);
    const svg_style disk = {.fill = hex(face, of->colour, 0.9),
                            .stroke = hex(rim, of->colour, 0.5),
                            .width = 0.12 * of->radius};
    const svg_style bright = {.fill = hex(spot, of->colour, 1.18)};
    svg_circle(x, y, 0.94 * of->radius, &disk, NULL);
    svg_circle(x - 0.22 * of->radius, y - 0.26 * of->radius, 0.45 * of->radius, &bright, NULL);
}

static void draw_balls(const stage *on, ball *balls) {
    const bool *visible = render_visible(on);
    size_t count = 0;
    for (size_t i = 0; i < on->ball_count; i++)
        if (visible[i]) balls[count++] = balls[i];
    free((void *)visible);
    qsort(balls, count, sizeof *balls, compare_depth);
    for (size_t i = 0; i < count; i++)
        draw_ball(on, &balls[i]);
}

static void draw_legend(const motion *of, const stage *on, view_colour by) {
    const double y = (double)on->height + 8;
    if (by == VIEW_SPEED) {
        for (size_t i = 0; i < BAR_STEPS; i++) {
            char text[8];
            const svg_style step = {.fill =
                                        hex(text, speed_colour((double)i / (BAR_STEPS - 1)), 1)};
            svg_rectangle(MARGIN + (double)i * BAR / BAR_STEPS, y, (double)BAR / BAR_STEPS + 0.5,
                          12, &step);
        }
        char most[64];
        snprintf(most, sizeof most, "%.3g%s", speed_scale(of),
                 of->scene.kind == SCENE_POUR ? " m/s" : "");
        svg_text(MARGIN, y + 28, PLOT_TEXT, SVG_START, 0, "0");
        svg_text(MARGIN + BAR / 2.0, y + 28, PLOT_TEXT, SVG_MIDDLE, 0, "speed");
        svg_text(MARGIN + BAR, y + 28, PLOT_TEXT, SVG_END, 0, most);
    }
    char words[160];
    snprintf(words, sizeof words,
             of->scene.kind == SCENE_GAS ? "%zu spheres, a slice of the box; time %.4g"
                                         : "%zu spheres; time %.3g s",
             of->scene.particles, of->time);
    svg_text(by == VIEW_SPEED ? MARGIN + BAR + 24 : MARGIN, y + 11, PLOT_TEXT, SVG_START, 0, words);
}

static void write_svg(const motion *of, view *seen, view_colour by, const char *path) {
    static const svg_style line = {.stroke = "#6a6e74", .width = 1};
    const stage *on = stage_of(seen);
    output_open(path);
    svg_begin((double)on->width, (double)on->height + LEGEND,
              of->scene.kind == SCENE_GAS ? "A gas of spheres that cools"
                                          : "Spheres poured into a box");
    for (size_t i = 0; i < on->panel_count; i++)
        draw_panel(on, &on->panels[i]);
    for (size_t i = 0; i < on->edge_count; i++)
        svg_line(on->edges[i].from[0], down(on, on->edges[i].from[1]), on->edges[i].to[0],
                 down(on, on->edges[i].to[1]), &line);
    draw_balls(on, seen->balls);
    draw_legend(of, on, by);
    svg_end();
    output_finish();
}

void view_write(const motion *of, view_colour by, const char *path) {
    view seen = view_make(of, by);
    if (path_ends_in(path, ".svg")) {
        write_svg(of, &seen, by, path);
    } else {
        unsigned char *pixels = render(stage_of(&seen));
        png_file_write(path, pixels, seen.stage.width, seen.stage.height);
        free(pixels);
    }
    free(seen.balls);
}
