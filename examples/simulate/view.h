/** Pictures of the spheres, and of how the energy went. */
#ifndef SIMULATE_VIEW_H
#define SIMULATE_VIEW_H

#include "motion.h"

typedef enum view_colour { VIEW_SPEED, VIEW_LAYER } view_colour;

/** Fails if a path's ending is none of a picture's, or a PNG and this build has no libpng. */
void view_require_known(const char *option, const char *path);

/** Draws the spheres into a .png or a .svg. */
void view_write(const motion *of, view_colour colour, const char *path);

/**
 * Draws the energy over time into a .svg, of the gas with Haff's law.
 *
 * @param fit collisions per particle that tau is fitted to
 */
void view_energy(const motion *of, double fit, const char *path);

#endif
