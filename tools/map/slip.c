/* Trajectories in the plane of slip: figure 4 of the correction of Mirtich 1996. */
#include "map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "drawing/plot.h"
#include "support/fail.h"
#include "trace_path.h"

static const double two_pi = 6.28318530717958647692;

/* The circle of the starts has radius 1, the picture reaches to REACH, its corners to FAR. */
static const double REACH = 1.5;
static const double FAR = 3;

typedef struct slip_map {
    const impinge_collision_matrix *matrix;
    double friction;
    impinge_ray rays[IMPINGE_RAYS_MAX];
    size_t ray_count; /* or IMPINGE_RAYS_EVERY_DIRECTION */
    bool stable;      /* sticking */
} slip_map;

static bool has_rays(const slip_map *of) { return of->ray_count <= IMPINGE_RAYS_MAX; }

/* How the slip turns in the direction theta, times its size: f in eq. (7) of the correction of
 * Mirtich 1996. */
static double turning(const slip_map *of, double theta) {
    const impinge_collision_matrix *k = of->matrix;
    const double s1 = cos(theta);
    const double s2 = sin(theta);
    const double rate_1 = k->k13 - of->friction * (k->k11 * s1 + k->k12 * s2);
    const double rate_2 = k->k23 - of->friction * (k->k12 * s1 + k->k22 * s2);
    return s1 * rate_2 - s2 * rate_1;
}

/* The sector from ray i to the next one, against the clock: its angles. */
static void sector(const slip_map *of, size_t i, double *from, double *to) {
    *from = of->rays[i].angle;
    *to = of->rays[(i + 1) % of->ray_count].angle;
    if (*to <= *from) *to += two_pi;
}

/* In a sector the slip turns to one of its two rays, and does what it does there. */
static impinge_ray_kind sector_fate(const slip_map *of, size_t i) {
    double from, to;
    sector(of, i, &from, &to);
    const bool forwards = turning(of, (from + to) / 2) > 0;
    return of->rays[forwards ? (i + 1) % of->ray_count : i].kind;
}

/* A sector of less than half a circle, which is convex. */
static void draw_wedge(const plot *in, double from, double to, const svg_style *style) {
    enum { STEPS = 16 };
    plot_point wedge[STEPS + 2] = {{0, 0}};
    for (int i = 0; i <= STEPS; i++) {
        const double theta = from + (to - from) * i / STEPS;
        wedge[i + 1] = (plot_point){FAR * cos(theta), FAR * sin(theta)};
    }
    plot_area(in, wedge, STEPS + 2, style);
}

static void draw_sector(const plot *in, double from, double to, impinge_ray_kind fate) {
    if (fate == IMPINGE_RAY_STATIONARY) return;
    const svg_style style = {.fill =
                                 fate == IMPINGE_RAY_DIVERGING ? PLOT_PALE_RED : PLOT_PALE_BLUE};
    const double third = (to - from) / 3;
    const double overlap = third / 16; /* lest there be a seam */
    draw_wedge(in, from, from + third + overlap, &style);
    draw_wedge(in, from + third, to - third + overlap, &style);
    draw_wedge(in, to - third, to, &style);
}

static void draw_sectors(const plot *in, const slip_map *of) {
    if (!has_rays(of)) return;
    for (size_t i = 0; i < of->ray_count; i++) {
        double from, to;
        sector(of, i, &from, &to);
        draw_sector(in, from, to, sector_fate(of, i));
    }
}

/* A ray's angle, beside where it leaves the picture. */
static void draw_ray_words(const plot *in, const impinge_ray *ray) {
    const double out = 0.93 * REACH / fmax(fabs(ray->s1), fabs(ray->s2));
    const plot_point at = {out * ray->s1, out * ray->s2};
    char words[32];
    snprintf(words, sizeof words, "%.0f\xc2\xb0", ray->angle / two_pi * 360);
    const bool steep = fabs(ray->s2) > fabs(ray->s1);
    plot_words(in, at, steep ? 10 : 0, steep ? -4 : -24, steep ? SVG_START : SVG_MIDDLE, words);
}

static void draw_rays(const plot *in, const slip_map *of) {
    const svg_style style = {.stroke = PLOT_BLACK, .width = 1.1, .dashes = "1.5 3"};
    if (!has_rays(of)) return;
    for (size_t i = 0; i < of->ray_count; i++)
        plot_half_line(in, (plot_point){0, 0}, (plot_point){of->rays[i].s1, of->rays[i].s2},
                       &style);
    for (size_t i = 0; i < of->ray_count; i++)
        draw_ray_words(in, &of->rays[i]);
}

/*
 * From a start to where the slip vanishes or leaves the picture. The normal velocity has no part in
 * it; it only ends the path, so that it is made to last.
 */
static void draw_trajectory(const plot *in, const slip_map *of, double theta) {
    enum { POINTS_PER_STEP = 24 };
    const double long_enough = 1e4;
    const svg_style style = {.stroke = PLOT_BLACK, .width = 1.2};
    const impinge_trace_input contact = {.matrix = *of->matrix,
                                         .u1 = cos(theta),
                                         .u2 = sin(theta),
                                         .u3 = -long_enough,
                                         .friction = of->friction};
    trace_path path = trace_path_of(&contact, NULL, POINTS_PER_STEP);
    plot_point *points = allocate(path.count, sizeof *points);
    size_t count = 0;
    for (size_t i = 0; i < path.count; i++) {
        points[count++] = (plot_point){path.points[i].u1, path.points[i].u2};
        const double slip = hypot(path.points[i].u1, path.points[i].u2);
        if (slip == 0 || slip > FAR) break;
    }
    plot_line(in, points, count, &style);
    free(points);
    trace_path_free(&path);
}

static void draw_starts(const plot *in, const slip_map *of, size_t starts) {
    const svg_style dot = {.fill = PLOT_BLACK};
    for (size_t i = 0; i < starts; i++)
        draw_trajectory(in, of, two_pi * (double)i / (double)starts);
    for (size_t i = 0; i < starts; i++) {
        const double theta = two_pi * (double)i / (double)starts;
        plot_dot(in, (plot_point){cos(theta), sin(theta)}, 3, &dot, NULL);
    }
}

static void draw_legend(plot *in, const slip_map *of) {
    const svg_style dot = {.fill = PLOT_BLACK};
    const svg_style line = {.stroke = PLOT_BLACK, .width = 1.2};
    const svg_style ray = {.stroke = PLOT_BLACK, .width = 1.1, .dashes = "1.5 3"};
    const svg_style converges = {.fill = PLOT_PALE_BLUE};
    const svg_style diverges = {.fill = PLOT_PALE_RED};
    plot_legend_dot(in, 3, &dot, "slip before");
    plot_legend_line(in, &line, "its trajectory");
    if (has_rays(of)) {
        plot_legend_line(in, &ray, "ray of constant sliding");
        for (size_t i = 0; i < of->ray_count; i++) {
            char words[48];
            snprintf(words, sizeof words, "%.2f\xc2\xb0 %s", of->rays[i].angle / two_pi * 360,
                     ray_kind_name(of->rays[i].kind));
            plot_legend_text(in, words);
        }
        plot_legend_area(in, &converges, "the slip vanishes");
        plot_legend_area(in, &diverges, "ends on a diverging ray");
    } else {
        plot_legend_words(in, "Every direction is a ray");
        plot_legend_words(in, "of constant sliding.");
    }
    plot_legend_words(in, "");
    plot_legend_words(in, of->stable ? "Sticking is stable." : "Sticking is unstable:");
    if (!of->stable) plot_legend_words(in, "slip leaves zero along");
    if (!of->stable) plot_legend_words(in, "the diverging ray.");
}

void map_slip(const impinge_collision_matrix *matrix, double friction, size_t starts) {
    slip_map of = {.matrix = matrix, .friction = friction};
    impinge_status status = impinge_find_rays(matrix, friction, of.rays, &of.ray_count);
    if (status == IMPINGE_OK) status = impinge_sticking_is_stable(matrix, friction, &of.stable);
    if (status < 0) fail("%s", impinge_status_text(status));
    plot in = plot_begin_equal("Trajectories of the slip", -REACH, REACH, -REACH, REACH);
    draw_sectors(&in, &of);
    draw_rays(&in, &of);
    draw_starts(&in, &of, starts);
    plot_axes(&in, "slip *u*_1 (of that before)", "slip *u*_2 (of that before)");
    draw_legend(&in, &of);
    plot_end(&in, "How the slip changes while the normal impulse grows, from points on a circle "
                  "about zero\nslip. The same picture holds at every scale.");
}
