/**
 * Shaded spheres on a stage, seen from far away, into pixels.
 *
 * Coordinates are the viewer's: x to the right, y up, z towards the viewer; lengths are pixels, and
 * (0, 0) is the lower left corner of the picture.
 */
#ifndef TOOLS_RENDER_H
#define TOOLS_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct colour {
    double red, green, blue; /**< 0 to 1, as they are in a file */
} colour;

typedef struct ball {
    double at[3], radius;
    colour colour;
} ball;

/** A parallelogram: a floor or a wall. Balls that are behind it are seen nevertheless. */
typedef struct panel {
    double corner[3], side[2][3];
    colour colour;
    bool shadows; /**< whether balls throw them on it */
} panel;

/** A line, hidden by what is before it. */
typedef struct edge {
    double from[3], to[3];
} edge;

typedef struct stage {
    size_t width, height;
    const ball *balls;
    size_t ball_count;
    const panel *panels;
    size_t panel_count;
    const edge *edges;
    size_t edge_count;
} stage;

/** Rows of red, green and blue from the top; to be freed. */
unsigned char *render(const stage *of);

/** Which balls are seen at all; to be freed. */
bool *render_visible(const stage *of);

#endif
