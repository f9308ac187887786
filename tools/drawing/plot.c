#include "plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"

/* Of the picture, in pixels. The right margin is the legend's. */
enum {
    WIDTH = 720,
    HEIGHT = 470,
    LEFT = 64,
    RIGHT = 226,
    TOP = 16,
    BOTTOM = 92,
    LEGEND_STEP = 19,
    SWATCH = 26
};

static const svg_style frame_style = {.stroke = PLOT_BLACK, .width = 0.8};
static const svg_style tick_style = {.stroke = PLOT_BLACK, .width = 0.8};

/* A range that an axis can show: finite, and some of it. */
static void mend_range(double *min, double *max) {
    const double most = 1e300;
    if (!(fabs(*min) <= most)) *min = *max <= most && *max >= -most ? *max : 0;
    if (!(fabs(*max) <= most)) *max = *min;
    /* Less would vanish in the rounding of the ends. */
    const double least = 1e-9 * fmax(fabs(*min), fabs(*max));
    if (*max - *min > least) return;
    const double more = *min == 0 && *max == 0 ? 1 : 0.1 * fabs(*min) + least;
    *max = *min + more;
    *min -= more;
}

plot plot_begin(const char *title, double x_min, double x_max, double y_min, double y_max) {
    mend_range(&x_min, &x_max);
    mend_range(&y_min, &y_max);
    svg_begin(WIDTH, HEIGHT, title);
    return (plot){.left = LEFT,
                  .top = TOP,
                  .width = WIDTH - LEFT - RIGHT,
                  .height = HEIGHT - TOP - BOTTOM,
                  .x_min = x_min,
                  .x_max = x_max,
                  .y_min = y_min,
                  .y_max = y_max,
                  .legend_y = TOP + PLOT_TEXT};
}

static void widen(double *min, double *max, double to) {
    const double more = (to - (*max - *min)) / 2;
    *min -= more;
    *max += more;
}

plot plot_begin_equal(const char *title, double x_min, double x_max, double y_min, double y_max) {
    plot made = plot_begin(title, x_min, x_max, y_min, y_max);
    const double unit = fmax((x_max - x_min) / made.width, (y_max - y_min) / made.height);
    widen(&made.x_min, &made.x_max, unit * made.width);
    widen(&made.y_min, &made.y_max, unit * made.height);
    return made;
}

/* What has none, 0 and below, is far below everything. */
static double logarithm(double value) {
    const double least = -300;
    return value > 0 ? fmax(log10(value), least) : least;
}

plot plot_begin_logarithmic(const char *title, double x_min, double x_max, double y_min,
                            double y_max) {
    plot made =
        plot_begin(title, logarithm(x_min), logarithm(x_max), logarithm(y_min), logarithm(y_max));
    made.logarithmic = true;
    return made;
}

plot_point plot_logarithms(double x, double y) { return (plot_point){logarithm(x), logarithm(y)}; }

double plot_x(const plot *of, double x) {
    return of->left + (x - of->x_min) / (of->x_max - of->x_min) * of->width;
}

double plot_y(const plot *of, double y) {
    return of->top + (of->y_max - y) / (of->y_max - of->y_min) * of->height;
}

bool plot_shows(const plot *of, plot_point at) {
    return at.x >= of->x_min && at.x <= of->x_max && at.y >= of->y_min && at.y <= of->y_max;
}

/* 1, 2 or 5 times a power of ten, six or so to an axis. */
static double tick_step(double range) {
    const double rough = range / 6;
    const double power = pow(10, floor(log10(rough)));
    const double times = rough / power;
    return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 : 10);
}

static int tick_decimals(double step) { return (int)fmax(0, ceil(-log10(step) - 1e-9)); }

int plot_decimals(double range) { return (int)fmax(0, 2 - floor(log10(range))); }

static void write_tick(char text[32], double value, double step) {
    const double zero = fabs(value) < step / 2 ? 0 : value;
    snprintf(text, 32, "%.*f", tick_decimals(step), zero);
}

static void tick_x(const plot *of, double at, const char *text) {
    const double x = plot_x(of, at);
    const double bottom = of->top + of->height;
    svg_line(x, bottom, x, bottom - 4, &tick_style);
    svg_text(x, bottom + 15, PLOT_TEXT - 1, SVG_MIDDLE, 0, text);
}

static void tick_y(const plot *of, double at, const char *text) {
    const double y = plot_y(of, at);
    svg_line(of->left, y, of->left + 4, y, &tick_style);
    svg_text(of->left - 6, y + 4, PLOT_TEXT - 1, SVG_END, 0, text);
}

typedef void tick_drawer(const plot *of, double at, const char *text);

static void ticks(const plot *of, double min, double max, tick_drawer *draw) {
    const double step = tick_step(max - min);
    for (double i = ceil(min / step); i * step <= max; i++) {
        char text[32];
        write_tick(text, i * step, step);
        draw(of, i * step, text);
    }
}

/* At 1, 2 and 5 times the powers of ten; with many of these, only at them. */
static void ticks_logarithmic(const plot *of, double min, double max, tick_drawer *draw) {
    static const double times[] = {1, 2, 5};
    const size_t count = max - min > 2.5 ? 1 : 3;
    /* Of many powers every second or third, so that there are nine at the most. */
    const double step = fmax(1, ceil((max - min) / 8));
    for (double power = floor(min); power <= max; power += step) {
        for (size_t i = 0; i < count; i++) {
            const double at = power + log10(times[i]);
            char text[32];
            snprintf(text, sizeof text, "%g", times[i] * pow(10, power));
            if (at >= min && at <= max) draw(of, at, text);
        }
    }
}

void plot_axes(const plot *of, const char *x_label, const char *y_label) {
    void (*const draw)(const plot *, double, double, tick_drawer *) =
        of->logarithmic ? ticks_logarithmic : ticks;
    draw(of, of->x_min, of->x_max, tick_x);
    draw(of, of->y_min, of->y_max, tick_y);
    svg_rectangle(of->left, of->top, of->width, of->height, &frame_style);
    svg_text(of->left + of->width / 2, of->top + of->height + 33, PLOT_TEXT, SVG_MIDDLE, 0,
             x_label);
    svg_text(of->left - 46, of->top + of->height / 2, PLOT_TEXT, SVG_MIDDLE, 90, y_label);
}

void plot_end(const plot *of, const char *caption) {
    double y = of->top + of->height + 55;
    while (*caption) {
        const size_t length = strcspn(caption, "\n");
        char line[256];
        snprintf(line, sizeof line, "%.*s", (int)length, caption);
        svg_text(of->left, y, PLOT_TEXT, SVG_START, 0, line);
        y += 16;
        caption += length + (caption[length] == '\n');
    }
    svg_end();
}

/* ---- Cutting ---- */

/* Liang and Barsky: the part of a segment, from `low` to `high` of its length, on one side. */
static void cut_part(double start, double change, double limit, double *low, double *high) {
    /* start + change part <= limit */
    if (change == 0) {
        if (start > limit) *high = -1;
        return;
    }
    const double part = (limit - start) / change;
    if (change > 0)
        *high = fmin(*high, part);
    else
        *low = fmax(*low, part);
}

/* Cuts a segment, or with other bounds than 0 and 1 a line; whether anything is left. */
static bool cut_segment(const plot *of, plot_point *a, plot_point *b, double low, double high) {
    const double dx = b->x - a->x;
    const double dy = b->y - a->y;
    if (!isfinite(dx) || !isfinite(dy)) return false;
    cut_part(a->x, dx, of->x_max, &low, &high);
    cut_part(-a->x, -dx, -of->x_min, &low, &high);
    cut_part(a->y, dy, of->y_max, &low, &high);
    cut_part(-a->y, -dy, -of->y_min, &low, &high);
    if (!(low < high)) return false;
    const plot_point from = {a->x + low * dx, a->y + low * dy};
    if (high != 1) *b = (plot_point){a->x + high * dx, a->y + high * dy};
    if (low != 0) *a = from;
    return true;
}

/* In pixels: a chord of that length strays from no curve here. */
static const double enough = 1.5;

static double pixels_between(const plot *of, plot_point a, plot_point b) {
    return hypot(plot_x(of, a.x) - plot_x(of, b.x), plot_y(of, a.y) - plot_y(of, b.y));
}

/* One segment of a line that has come to `pen`; lifts the pen if it is not where this begins. */
static void draw_segment(const plot *of, plot_point a, plot_point b, plot_point *pen) {
    if (!cut_segment(of, &a, &b, 0, 1)) return;
    if (!(a.x == pen->x && a.y == pen->y)) svg_path_move(plot_x(of, a.x), plot_y(of, a.y));
    svg_path_line(plot_x(of, b.x), plot_y(of, b.y));
    *pen = b;
}

void plot_line(const plot *of, const plot_point *points, size_t count, const svg_style *style) {
    plot_point pen = {NAN, NAN};
    if (count < 2) return;
    plot_point last = points[0];
    svg_path_begin();
    for (size_t i = 1; i < count; i++) {
        if (i + 1 < count && pixels_between(of, last, points[i]) < enough) continue;
        draw_segment(of, last, points[i], &pen);
        last = points[i];
    }
    svg_path_end(style, false);
}

static void draw_cut(const plot *of, plot_point at, plot_point direction, double low,
                     const svg_style *style) {
    /* As long as the frame is wide: a short one may vanish beside the point. */
    const double scale = (of->x_max - of->x_min) / hypot(direction.x, direction.y);
    plot_point to = {at.x + scale * direction.x, at.y + scale * direction.y};
    if (!cut_segment(of, &at, &to, low, INFINITY)) return;
    svg_line(plot_x(of, at.x), plot_y(of, at.y), plot_x(of, to.x), plot_y(of, to.y), style);
}

void plot_whole_line(const plot *of, plot_point at, plot_point direction, const svg_style *style) {
    draw_cut(of, at, direction, -INFINITY, style);
}

void plot_half_line(const plot *of, plot_point at, plot_point direction, const svg_style *style) {
    draw_cut(of, at, direction, 0, style);
}

size_t polygon_cut(plot_point *points, size_t count, double a, double b, double c) {
    plot_point *kept = allocate(count + 1, sizeof *kept);
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        const plot_point p = points[i];
        const plot_point q = points[(i + 1) % count];
        const double over_p = a * p.x + b * p.y - c;
        const double over_q = a * q.x + b * q.y - c;
        /* A convex polygon crosses a line twice at most; rounding may see it cross more often. */
        if (left > count) break;
        if (over_p <= 0) kept[left++] = p;
        if ((over_p < 0) == (over_q < 0) || over_p == 0 || over_q == 0 || left > count) continue;
        const double part = over_p / (over_p - over_q);
        kept[left++] = (plot_point){p.x + part * (q.x - p.x), p.y + part * (q.y - p.y)};
    }
    memcpy(points, kept, left * sizeof *kept);
    free(kept);
    return left;
}

static void draw_outline(const plot *of, const plot_point *points, size_t count,
                         const svg_style *style) {
    plot_point last = points[0];
    svg_path_begin();
    svg_path_move(plot_x(of, last.x), plot_y(of, last.y));
    for (size_t i = 1; i < count; i++) {
        if (i + 1 < count && pixels_between(of, last, points[i]) < enough) continue;
        last = points[i];
        svg_path_line(plot_x(of, last.x), plot_y(of, last.y));
    }
    svg_path_end(style, true);
}

void plot_area(const plot *of, const plot_point *points, size_t count, const svg_style *style) {
    plot_point *cut = allocate(count + 4, sizeof *cut);
    memcpy(cut, points, count * sizeof *cut);
    count = polygon_cut(cut, count, 1, 0, of->x_max);
    count = polygon_cut(cut, count, -1, 0, -of->x_min);
    count = polygon_cut(cut, count, 0, 1, of->y_max);
    count = polygon_cut(cut, count, 0, -1, -of->y_min);
    if (count >= 3) draw_outline(of, cut, count, style);
    free(cut);
}

void plot_dot(const plot *of, plot_point at, double radius, const svg_style *style,
              const char *tip) {
    if (plot_shows(of, at)) svg_circle(plot_x(of, at.x), plot_y(of, at.y), radius, style, tip);
}

void plot_words(const plot *of, plot_point at, double right, double up, svg_anchor anchor,
                const char *text) {
    if (!plot_shows(of, at)) return;
    svg_text(plot_x(of, at.x) + right, plot_y(of, at.y) - up, PLOT_TEXT, anchor, 0, text);
}

/* ---- The legend ---- */

static double legend_x(const plot *of) { return of->left + of->width + 18; }

void plot_legend_words(plot *of, const char *text) {
    svg_text(legend_x(of), of->legend_y, PLOT_TEXT, SVG_START, 0, text);
    of->legend_y += LEGEND_STEP;
}

void plot_legend_text(plot *of, const char *text) {
    svg_text(legend_x(of) + SWATCH + 8, of->legend_y, PLOT_TEXT, SVG_START, 0, text);
    of->legend_y += LEGEND_STEP;
}

void plot_legend_line(plot *of, const svg_style *style, const char *text) {
    svg_line(legend_x(of), of->legend_y - 4, legend_x(of) + SWATCH, of->legend_y - 4, style);
    plot_legend_text(of, text);
}

void plot_legend_dot(plot *of, double radius, const svg_style *style, const char *text) {
    svg_circle(legend_x(of) + SWATCH / 2.0, of->legend_y - 4, radius, style, NULL);
    plot_legend_text(of, text);
}

void plot_legend_area(plot *of, const svg_style *style, const char *text) {
    svg_rectangle(legend_x(of), of->legend_y - 10, SWATCH, 12, style);
    plot_legend_text(of, text);
}
