/**
 * Pictures as SVG: a few shapes and words, written to the program's output (output.h) as they come.
 *
 * Coordinates are pixels, y downwards, written to a hundredth. A picture refers to nothing outside
 * itself and has no scripts; its background is white, so that it can be read on a page of any
 * colour.
 */
#ifndef TOOLS_SVG_H
#define TOOLS_SVG_H

#include <stdbool.h>
#include <stddef.h>

/** How a shape is drawn. Colours as "#rrggbb". */
typedef struct svg_style {
    const char *stroke; /**< null: no line */
    double width;       /**< of the line */
    const char *dashes; /**< lengths of dashes and gaps, "5 3"; null: a whole line */
    const char *fill;   /**< null: none */
} svg_style;

typedef enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END } svg_anchor;

/** Fails if a path names a picture of another kind: it must end in .svg, or be "-" or no file. */
void svg_require(const char *option, const char *path);

/** Begins a picture of that size. Its title is what a screen reader reads out. */
void svg_begin(double width, double height, const char *title);
void svg_end(void);

/** A line through points, or an outline if it is closed: begin, then its points, then end. */
void svg_path_begin(void);
void svg_path_move(double x, double y);
void svg_path_line(double x, double y);
/** On to (x, y) by a cubic Bezier curve with two control points. */
void svg_path_curve(double x1, double y1, double x2, double y2, double x, double y);
void svg_path_end(const svg_style *style, bool closed);

void svg_line(double x1, double y1, double x2, double y2, const svg_style *style);
void svg_rectangle(double x, double y, double width, double height, const svg_style *style);

/** A circle; `tip`, if not null, is shown to who points at it. */
void svg_circle(double x, double y, double radius, const svg_style *style, const char *tip);

/**
 * Words at a point of their base line. "_" makes the letters and digits after it a subscript; what
 * stands between two "*" is in italics.
 *
 * @param turn degrees, against the clock
 */
void svg_text(double x, double y, double size, svg_anchor anchor, double turn, const char *text);

/**
 * A group of shapes that are drawn through: 1 hides what is below, 0 nothing. A viewer that moves
 * pictures draws it with `moving` instead. Ends with svg_group_end.
 */
void svg_still_begin(double opacity, double moving);

/**
 * One frame of `count` that a viewer shows one after the other, over and over, `seconds` for all.
 * Who cannot move pictures shows none of them. Ends with svg_group_end.
 */
void svg_frame_begin(size_t index, size_t count, double seconds);

void svg_group_end(void);

#endif
