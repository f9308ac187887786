/** Bodies as one sees them from afar: their inertia ellipsoids in parallel projection. */
#ifndef SCENE_VIEW_H
#define SCENE_VIEW_H

#include "drawing/svg.h"
#include "penalty_model.h"

/** Where one looks from, and what part of a picture that fills. Begins empty: see view_include. */
typedef struct scene_view {
    double right[3], up[3], towards[3]; /**< unit vectors; the last points at the eye */
    double low[2], high[2];             /**< what has to be seen, in m to the right and up */
    double left, top, scale;            /**< pixels, and pixels per m */
} scene_view;

/** Looking along the ground from an azimuth (0: against the x axis), and down by an elevation. */
scene_view view_from(double azimuth_degrees, double elevation_degrees);

/** Makes sure that a body, or a point, is seen. */
void view_include(scene_view *view, const penalty_body *body);
void view_include_point(scene_view *view, const double point[3]);

/** Fits what is included into a frame, in pixels. */
void view_fit(scene_view *view, double left, double top, double width, double height);

/** A point's pixels, and how far it is towards the eye, m. */
void view_project(const scene_view *view, const double point[3], double pixel[2], double *near);

/** The colours of a body. */
typedef struct scene_paint {
    const char *line, *fill;
} scene_paint;

/**
 * A body's inertia ellipsoid: its outline, the visible halves of the three ellipses in which its
 * principal planes cut it, and its centre, at which its name is shown to who points at it.
 */
void view_ellipsoid(const scene_view *view, const penalty_body *body, scene_paint paint,
                    const char *name);

/** Words above a body's ellipsoid, of a size in pixels. */
void view_words(const scene_view *view, const penalty_body *body, double size, const char *text);

/** A line through points in the world. */
void view_line(const scene_view *view, const double (*points)[3], size_t count,
               const svg_style *style, bool closed);

#endif
