#include "view.h"

#include <math.h>

#include "penalty_scenes.h"

static const double degree = 0.017453292519943295769;

/* Control points of a quarter of a circle by a cubic Bezier curve: 4/3 (sqrt(2) - 1). */
static const double quarter = 0.55228474983079339840;

scene_view view_from(double azimuth_degrees, double elevation_degrees) {
    const double a = azimuth_degrees * degree, e = elevation_degrees * degree;
    return (scene_view){.right = {-sin(a), cos(a), 0},
                        .up = {-sin(e) * cos(a), -sin(e) * sin(a), cos(e)},
                        .towards = {cos(e) * cos(a), cos(e) * sin(a), sin(e)},
                        .low = {INFINITY, INFINITY},
                        .high = {-INFINITY, -INFINITY}};
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void include(scene_view *view, const double point[3], const double reach[2]) {
    const double seen[2] = {dot(view->right, point), dot(view->up, point)};
    for (int i = 0; i < 2; i++) {
        view->low[i] = fmin(view->low[i], seen[i] - reach[i]);
        view->high[i] = fmax(view->high[i], seen[i] + reach[i]);
    }
}

void view_include_point(scene_view *view, const double point[3]) {
    const double nothing[2] = {0, 0};
    include(view, point, nothing);
}

/* A vector as seen: to the right, up, and towards the eye; m. */
static void see(const scene_view *view, const double world[3], double seen[3]) {
    seen[0] = dot(view->right, world);
    seen[1] = dot(view->up, world);
    seen[2] = dot(view->towards, world);
}

/* The semi-axes of a body's ellipsoid, as seen. */
static void see_axes(const scene_view *view, const penalty_body *body, double axes[3][3]) {
    double lengths[3];
    penalty_semi_axes(body, lengths);
    for (int i = 0; i < 3; i++) {
        const double own[3] = {i == 0 ? lengths[0] : 0, i == 1 ? lengths[1] : 0,
                               i == 2 ? lengths[2] : 0};
        double world[3];
        penalty_to_world(&body->motion, own, world);
        see(view, world, axes[i]);
    }
}

/* How far an ellipsoid reaches to the right and up of its centre: the root of its axes' squares. */
static void reach_of(const scene_view *view, const penalty_body *body, double reach[2]) {
    double axes[3][3];
    see_axes(view, body, axes);
    for (int i = 0; i < 2; i++)
        reach[i] =
            sqrt(axes[0][i] * axes[0][i] + axes[1][i] * axes[1][i] + axes[2][i] * axes[2][i]);
}

void view_include(scene_view *view, const penalty_body *body) {
    double reach[2];
    reach_of(view, body, reach);
    include(view, body->motion.position, reach);
}

void view_fit(scene_view *view, double left, double top, double width, double height) {
    const double wide = view->high[0] - view->low[0], tall = view->high[1] - view->low[1];
    view->scale = fmin(width / wide, height / tall);
    view->left = left + (width - view->scale * wide) / 2;
    view->top = top + (height - view->scale * tall) / 2;
}

void view_project(const scene_view *view, const double point[3], double pixel[2], double *near) {
    double seen[3];
    see(view, point, seen);
    pixel[0] = view->left + (seen[0] - view->low[0]) * view->scale;
    pixel[1] = view->top + (view->high[1] - seen[1]) * view->scale;
    *near = seen[2];
}

void view_words(const scene_view *view, const penalty_body *body, double size, const char *text) {
    double reach[2], pixel[2], near;
    reach_of(view, body, reach);
    view_project(view, body->motion.position, pixel, &near);
    svg_text(pixel[0], pixel[1] - view->scale * reach[1] - size / 4, size, SVG_MIDDLE, 0, text);
}

/* A point c + a u + b v of an ellipse, in pixels. */
typedef struct ellipse {
    double centre[2], u[2], v[2];
} ellipse;

static void ellipse_point(const ellipse *of, double a, double b, double pixel[2]) {
    for (int i = 0; i < 2; i++)
        pixel[i] = of->centre[i] + a * of->u[i] + b * of->v[i];
}

/* A quarter of it, from (a, b) = (cos, sin) of an angle to the next right angle. */
static void draw_quarter(const ellipse *of, double a, double b) {
    double first[2], second[2], end[2];
    ellipse_point(of, a - quarter * b, b + quarter * a, first);
    ellipse_point(of, -b + quarter * a, a + quarter * b, second);
    ellipse_point(of, -b, a, end);
    svg_path_curve(first[0], first[1], second[0], second[1], end[0], end[1]);
}

static void start_at(const ellipse *of, double a, double b) {
    double pixel[2];
    ellipse_point(of, a, b, pixel);
    svg_path_move(pixel[0], pixel[1]);
}

/* An ellipse about a centre with two conjugate half diameters, as seen. */
static ellipse ellipse_of(const scene_view *view, const double centre[2], const double u[2],
                          const double v[2]) {
    return (ellipse){{centre[0], centre[1]},
                     {view->scale * u[0], -view->scale * u[1]},
                     {view->scale * v[0], -view->scale * v[1]}};
}

/*
 * The outline: with S the sum of the axes' squares a a^T, of what is seen of them, it is x = B
 * (cos, sin) for any B with B B^T = S, such as Cholesky's.
 */
static void draw_outline(const scene_view *view, const double centre[2], const double axes[3][3],
                         const svg_style *style) {
    double s11 = 0, s12 = 0, s22 = 0;
    for (int i = 0; i < 3; i++) {
        s11 += axes[i][0] * axes[i][0];
        s12 += axes[i][0] * axes[i][1];
        s22 += axes[i][1] * axes[i][1];
    }
    const double u[2] = {sqrt(s11), s12 / sqrt(s11)};
    const double v[2] = {0, sqrt(fmax(0, s22 - u[1] * u[1]))};
    const ellipse outline = ellipse_of(view, centre, u, v);
    svg_path_begin();
    start_at(&outline, 1, 0);
    draw_quarter(&outline, 1, 0);
    draw_quarter(&outline, 0, 1);
    draw_quarter(&outline, -1, 0);
    draw_quarter(&outline, 0, -1);
    svg_path_end(style, true);
}

/* How much the surface at the end of a semi-axis is turned to the eye, times a scale that the axes
 * share: its normal grows as the axis' inverse. */
static double facing(const double axis[3]) { return axis[2] / dot(axis, axis); }

/* The half in front of the ellipse with two of the axes: a quarter to either side of the point that
 * faces the eye most. */
static void draw_front(const scene_view *view, const double centre[2], const double a[3],
                       const double b[3]) {
    const double most = atan2(facing(b), facing(a)), c = cos(most), s = sin(most);
    const ellipse of = ellipse_of(view, centre, a, b);
    start_at(&of, s, -c);
    draw_quarter(&of, s, -c);
    draw_quarter(&of, c, s);
}

/* Of the dot at a centre, in pixels. */
static const double centre_radius = 1.6;

void view_ellipsoid(const scene_view *view, const penalty_body *body, scene_paint paint,
                    const char *name) {
    double axes[3][3], centre[2], near;
    see_axes(view, body, axes);
    view_project(view, body->motion.position, centre, &near);
    const svg_style outline = {.stroke = paint.line, .width = 1.4, .fill = paint.fill};
    const svg_style line = {.stroke = paint.line, .width = 0.7};
    const svg_style dot = {.fill = paint.line};
    draw_outline(view, centre, (const double(*)[3])axes, &outline);
    svg_path_begin();
    for (int i = 0; i < 3; i++)
        draw_front(view, centre, axes[i], axes[(i + 1) % 3]);
    svg_path_end(&line, false);
    svg_circle(centre[0], centre[1], centre_radius, &dot, name);
}

void view_line(const scene_view *view, const double (*points)[3], size_t count,
               const svg_style *style, bool closed) {
    svg_path_begin();
    for (size_t i = 0; i < count; i++) {
        double pixel[2], near;
        view_project(view, points[i], pixel, &near);
        (i ? svg_path_line : svg_path_move)(pixel[0], pixel[1]);
    }
    svg_path_end(style, closed);
}
