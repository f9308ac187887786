/* u_n over p_n: figure 2 of the correction of Mirtich 1996. */
#include "map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "drawing/plot.h"
#include "support/fail.h"
#include "trace_path.h"

/* Dense enough that a cubic between neighbours is exact to more digits than a picture has. */
enum { POINTS_PER_STEP = 256 };

typedef enum mark_kind { MARK_ZERO, MARK_TOP, MARK_BOTTOM } mark_kind;

typedef struct mark {
    mark_kind kind;
    plot_point at;
} mark;

/* du_n/dp_n at the beginning and at the end of a piece; it jumps where the slip vanishes. */
typedef struct slopes {
    double begin, end;
} slopes;

typedef struct curve {
    plot_point *points; /* (p_n, u_n) */
    slopes *pieces;     /* from each point to the next */
    size_t count;       /* of points */
    mark *marks;
    size_t mark_count;
} curve;

/* du_n/dp_n while the slip is as it is at a point (the correction of Mirtich 1996, eq. 3). */
static double sliding_slope(const impinge_trace_input *contact, const impinge_trace_point *at) {
    const impinge_collision_matrix *k = &contact->matrix;
    return k->k33 - contact->friction * (k->k13 * at->u1 + k->k23 * at->u2) / hypot(at->u1, at->u2);
}

static bool slips(const impinge_trace_point *at) { return at->u1 != 0 || at->u2 != 0; }

/* Whatever begins or ends at zero slip is straight, but for what rounding leaves. */
static slopes slopes_between(const impinge_trace_input *contact, const impinge_trace_point *from,
                             const impinge_trace_point *to) {
    const double chord = (to->u3 - from->u3) / (to->p3 - from->p3);
    if (to->state != IMPINGE_TRACE_SLIDES || !slips(from) || !slips(to))
        return (slopes){chord, chord};
    return (slopes){sliding_slope(contact, from), sliding_slope(contact, to)};
}

/*
 * The path does not depend on u_n but for where it ends. So a contact that approaches faster goes
 * the same way, and farther: past every zero of u_n, if it is fast enough.
 */
static curve curve_of(const impinge_trace_input *contact) {
    const double faster = 4 * fmax(fabs(contact->u3), fmax(fabs(contact->u1), fabs(contact->u2)));
    impinge_trace_input lowered = *contact;
    lowered.u3 -= faster;
    lowered.restitution = 0;
    trace_path path = trace_path_of(&lowered, NULL, POINTS_PER_STEP);
    curve made = {.points = allocate(path.count, sizeof *made.points),
                  .pieces = allocate(path.count, sizeof *made.pieces)};
    const impinge_trace_point *before = NULL;
    for (size_t i = 0; i < path.count; i++) {
        const impinge_trace_point *at = &path.points[i];
        if (before && at->p3 <= before->p3) continue;
        if (before) made.pieces[made.count - 1] = slopes_between(contact, before, at);
        made.points[made.count++] = (plot_point){at->p3, at->u3 + faster};
        before = at;
    }
    trace_path_free(&path);
    return made;
}

/* Hermite's cubic between points i and i + 1, at a part of the way. */
static plot_point between(const curve *of, size_t i, double part) {
    const plot_point a = of->points[i];
    const plot_point b = of->points[i + 1];
    const slopes *slope = &of->pieces[i];
    const double width = b.x - a.x;
    const double rest = 1 - part;
    const double y = rest * rest * ((1 + 2 * part) * a.y + part * width * slope->begin) +
                     part * part * ((1 + 2 * rest) * b.y - rest * width * slope->end);
    return (plot_point){a.x + part * width, y};
}

/* Where the cubic has its zero, by bisection. */
static plot_point zero_between(const curve *of, size_t i) {
    const bool rises = of->points[i].y < 0;
    double low = 0;
    double high = 1;
    for (int n = 0; n < 60; n++) {
        const double middle = (low + high) / 2;
        *((between(of, i, middle).y < 0) == rises ? &low : &high) = middle;
    }
    return between(of, i, low);
}

static void add_mark(curve *of, mark_kind kind, plot_point at) {
    of->marks = reallocate(of->marks, of->mark_count + 1, sizeof *of->marks);
    of->marks[of->mark_count++] = (mark){kind, at};
}

/* An extremum if the slope changes its sign between `before` and `after`. */
static void mark_turn(curve *of, double before, double after, plot_point at) {
    if (before > 0 && after <= 0) add_mark(of, MARK_TOP, at);
    if (before < 0 && after >= 0) add_mark(of, MARK_BOTTOM, at);
}

static void find_marks(curve *of) {
    for (size_t i = 0; i + 1 < of->count; i++) {
        const slopes *s = &of->pieces[i];
        if (i > 0) mark_turn(of, of->pieces[i - 1].end, s->begin, of->points[i]);
        /* The slope is all but linear in so short a piece. */
        if (s->begin * s->end < 0)
            mark_turn(of, s->begin, s->end, between(of, i, s->begin / (s->begin - s->end)));
        if ((of->points[i].y < 0) != (of->points[i + 1].y < 0))
            add_mark(of, MARK_ZERO, zero_between(of, i));
    }
}

/* Up to where there is something to see: a bit beyond the last zero. */
static double last_zero(const curve *of) {
    for (size_t i = of->mark_count; i-- > 0;)
        if (of->marks[i].kind == MARK_ZERO) return of->marks[i].at.x;
    return of->points[of->count - 1].x;
}

/* The least and the largest u_n up to the last zero. */
static void heights(const curve *of, double *low, double *high) {
    *low = *high = 0;
    for (size_t i = 0; i < of->count && of->points[i].x <= last_zero(of); i++) {
        *low = fmin(*low, of->points[i].y);
        *high = fmax(*high, of->points[i].y);
    }
}

/* Cuts off what is beyond the last zero and too far in either direction. */
static void cut_curve(curve *of, double far, double high) {
    const double zero = last_zero(of);
    size_t count = 2;
    while (count < of->count && of->points[count - 1].x < far &&
           !(of->points[count - 1].x > zero && of->points[count - 1].y > high))
        count++;
    of->count = count;
    /* The rest of a line may be very long. */
    const plot_point a = of->points[count - 2];
    const plot_point b = of->points[count - 1];
    const double part = fmin((far - a.x) / (b.x - a.x), (high - a.y) / (b.y - a.y));
    if (part > 0 && part < 1) of->points[count - 1] = between(of, count - 2, part);
}

/* The area between the curve and the axis from one zero to the next is work. */
static void draw_work(const plot *in, const curve *of, double from, double to) {
    const svg_style compression = {.fill = PLOT_PALE_BLUE};
    const svg_style restitution = {.fill = PLOT_PALE_RED};
    plot_point *area = allocate(of->count + 2, sizeof *area);
    size_t count = 0;
    bool positive = false;
    area[count++] = (plot_point){from, 0};
    for (size_t i = 0; i < of->count; i++) {
        if (!(of->points[i].x >= from && of->points[i].x <= to)) continue;
        area[count++] = of->points[i];
        if (of->points[i].y != 0) positive = of->points[i].y > 0;
    }
    area[count++] = (plot_point){to, 0};
    plot_area(in, area, count, positive ? &restitution : &compression);
    free(area);
}

static void draw_works(const plot *in, const curve *of) {
    double from = 0;
    for (size_t i = 0; i < of->mark_count; i++) {
        if (of->marks[i].kind != MARK_ZERO) continue;
        draw_work(in, of, from, of->marks[i].at.x);
        from = of->marks[i].at.x;
    }
    draw_work(in, of, from, of->points[of->count - 1].x);
}

static void draw_marks(const plot *in, const curve *of) {
    const svg_style dot = {.stroke = PLOT_BLACK, .width = 1, .fill = "#ffffff"};
    const int decimals = plot_decimals(in->x_max);
    for (size_t i = 0; i < of->mark_count; i++) {
        const mark *m = &of->marks[i];
        static const char *const kinds[] = {"zero", "maximum", "minimum"};
        char tip[96];
        char words[32];
        snprintf(tip, sizeof tip, "%s: p_n = %.6g, u_n = %.6g", kinds[m->kind], m->at.x,
                 m->kind == MARK_ZERO ? 0.0 : m->at.y);
        snprintf(words, sizeof words, "%.*f", decimals, m->at.x);
        plot_dot(in, m->at, 2.6, &dot, tip);
        /* Beside the curve: right of a zero, below it where the curve rises. */
        const bool zero = m->kind == MARK_ZERO;
        const bool falls = i > 0 && of->marks[i - 1].kind == MARK_TOP;
        const bool above = m->kind == MARK_TOP || (zero && falls);
        plot_words(in, m->at, zero ? 6 : 0, above ? 7 : -15, zero ? SVG_START : SVG_MIDDLE, words);
    }
}

static void draw_legend(plot *in) {
    const svg_style line = {.stroke = PLOT_BLACK, .width = 1.4};
    const svg_style dot = {.stroke = PLOT_BLACK, .width = 1, .fill = "#ffffff"};
    const svg_style compression = {.fill = PLOT_PALE_BLUE};
    const svg_style restitution = {.fill = PLOT_PALE_RED};
    plot_legend_line(in, &line, "*u*_n along the path");
    plot_legend_dot(in, 2.6, &dot, "zeros, extrema (*p*_n)");
    plot_legend_area(in, &compression, "compression: *W*_c");
    plot_legend_area(in, &restitution, "restitution: *W*_d");
}

void map_normal(const impinge_trace_input *contact) {
    curve of = curve_of(contact);
    find_marks(&of);
    double low, high;
    heights(&of, &low, &high);
    cut_curve(&of, 1.5 * last_zero(&of), 1.6 * fmax(high, -low));
    high = fmax(high, of.points[of.count - 1].y);
    const double margin = 0.08 * (high - low);
    const double end = of.points[of.count - 1].x;
    plot in = plot_begin("Normal velocity over normal impulse", 0, 1.06 * end, low - margin,
                         high + margin);
    const svg_style curve_style = {.stroke = PLOT_BLACK, .width = 1.4};
    const svg_style axis_style = {.stroke = PLOT_GREY, .width = 0.8};
    draw_works(&in, &of);
    plot_half_line(&in, (plot_point){0, 0}, (plot_point){1, 0}, &axis_style);
    plot_line(&in, of.points, of.count, &curve_style);
    draw_marks(&in, &of);
    plot_axes(&in, "normal impulse *p*_n (kg m/s)", "normal velocity *u*_n (m/s)");
    draw_legend(&in);
    plot_end(&in, "The normal velocity as the normal impulse grows. The bodies are compressed "
                  "where it is\nnegative; the collision ends in restitution, as its rule says.");
    free(of.points);
    free(of.pieces);
    free(of.marks);
}
