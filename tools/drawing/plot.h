/** A plot: a frame with axes in a picture, and shapes in its own coordinates, cut at the frame. */
#ifndef TOOLS_PLOT_H
#define TOOLS_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "svg.h"

typedef struct plot_point {
    double x, y;
} plot_point;

typedef struct plot {
    double left, top, width, height; /**< the frame, in pixels */
    double x_min, x_max, y_min,
        y_max; /**< what it shows; their decimal logarithms if it is logarithmic */
    bool logarithmic;
    double legend_y; /**< where the next line of the legend goes */
} plot;

/** Colours that people who confuse some can tell apart (Okabe and Ito's), and their pale kin. */
#define PLOT_BLACK       "#000000"
#define PLOT_GREY        "#767676"
#define PLOT_BLUE        "#0072b2"
#define PLOT_VERMILION   "#d55e00"
#define PLOT_GREEN       "#009e73"
#define PLOT_PURPLE      "#aa4499"
#define PLOT_PALE_BLUE   "#dcebf7"
#define PLOT_PALE_RED    "#fbe3d6"
#define PLOT_PALE_GREY   "#ececec"
#define PLOT_PALE_YELLOW "#f6e8b1"

/** The size of words in pictures. */
enum { PLOT_TEXT = 12 };

/**
 * Begins a picture with one plot, and a legend to its right. A range that no axis can show, since
 * it is empty or not finite, is widened to one.
 */
plot plot_begin(const char *title, double x_min, double x_max, double y_min, double y_max);

/** The same; a unit is as long in x as in y, for which the ranges are widened. */
plot plot_begin_equal(const char *title, double x_min, double x_max, double y_min, double y_max);

/** The same with logarithmic axes. Shapes are in logarithms, see plot_logarithms. */
plot plot_begin_logarithmic(const char *title, double x_min, double x_max, double y_min,
                            double y_max);
plot_point plot_logarithms(double x, double y);

/** The frame, ticks with numbers, and labels of the axes (see svg_text), over what is drawn. */
void plot_axes(const plot *of, const char *x_label, const char *y_label);

/** Ends the picture. `caption` goes below the plot; a newline in it begins a new line. */
void plot_end(const plot *of, const char *caption);

double plot_x(const plot *of, double x);
double plot_y(const plot *of, double y);
bool plot_shows(const plot *of, plot_point at);

/** A line through points; where it hardly moves, points are left out. */
void plot_line(const plot *of, const plot_point *points, size_t count, const svg_style *style);

/** From one side of the frame to the other. */
void plot_whole_line(const plot *of, plot_point at, plot_point direction, const svg_style *style);

/** From a point to the frame. */
void plot_half_line(const plot *of, plot_point at, plot_point direction, const svg_style *style);

/** The inside of a polygon, which must be convex if it is not all inside the frame. */
void plot_area(const plot *of, const plot_point *points, size_t count, const svg_style *style);

/** A dot of a radius in pixels, if it is inside the frame. */
void plot_dot(const plot *of, plot_point at, double radius, const svg_style *style,
              const char *tip);

/** Words beside a point, `right` and `up` of it by so many pixels. */
void plot_words(const plot *of, plot_point at, double right, double up, svg_anchor anchor,
                const char *text);

/** Lines of the legend. */
void plot_legend_line(plot *of, const svg_style *style, const char *text);
void plot_legend_dot(plot *of, double radius, const svg_style *style, const char *text);
void plot_legend_area(plot *of, const svg_style *style, const char *text);
void plot_legend_text(plot *of, const char *text);  /**< below what has a sample */
void plot_legend_words(plot *of, const char *text); /**< at the left */

/**
 * Cuts a convex polygon: keeps the side of a line where a x + b y <= c.
 *
 * @param points room for `count` + 1; replaced by what is left
 * @return how many points are left
 */
size_t polygon_cut(plot_point *points, size_t count, double a, double b, double c);

/** So many decimals show a number of this range to three digits. */
int plot_decimals(double range);

#endif
