/** The pictures of impinge map. Each writes a whole SVG to the output, which is open. */
#ifndef TOOLS_MAP_H
#define TOOLS_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include <impinge/impinge.h>

/**
 * u_n over p_n (the correction of Mirtich 1996, figure 2), past the end of the collision to the
 * last zero of u_n.
 *
 * @param contact its friction must be finite, its restitution is not looked at
 */
void map_normal(const impinge_trace_input *contact);

/**
 * Trajectories of the slip from points on a circle, and the rays of constant sliding (the
 * correction of Mirtich 1996, figure 4).
 *
 * @param friction finite
 */
void map_slip(const impinge_collision_matrix *matrix, double friction, size_t starts);

/** A collision in a plane: K, u0 and friction; its normal is the second axis. */
typedef struct map_planar {
    double ktt, ktn, knn, ut, un, friction;
} map_planar;

/** The planar section of impulse space with its permissible region and laws (Chatterjee and Ruina
 * 1998, figure 3 on). */
void map_region(const map_planar *contact);

/**
 * The same for one of the paper's figures, "3a" to "3d" and "4" to "8". Returns whether there is
 * such a figure; if not, has written nothing.
 */
bool map_region_figure(const char *name);

#endif
