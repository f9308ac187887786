/* Neighbours and contacts of particles, around the kernels. Everything has been checked. */
#ifndef IMPINGE_SOLVE_NEIGHBOURS_H
#define IMPINGE_SOLVE_NEIGHBOURS_H

#include "../kernels/cells.h"

/* Numbers of particles are 32 bits, and a few of them are taken. */
#define IMPINGE_NEIGHBOUR_PARTICLES_MAX ((size_t)1 << 31)

/* The bytes of workspace; SIZE_MAX if there cannot be so many. */
size_t NAME(impinge_neighbours_size)(size_t particles);

/*
 * Without a team, for one thread. Both return whether there was enough room; if not, the list's
 * count is the capacity that it needs.
 */
bool NAME(impinge_search_neighbours)(const NAME(impinge_neighbour_kernels) * kernels,
                                     const NAME(impinge_particles) * particles,
                                     const NAME(impinge_planes) * planes,
                                     const impinge_neighbour_options *options, void *workspace,
                                     const impinge_team *team, impinge_neighbours *list);
bool NAME(impinge_search_contacts)(const NAME(impinge_neighbour_kernels) * kernels,
                                   const NAME(impinge_particles) * particles,
                                   const NAME(impinge_planes) * planes,
                                   const impinge_neighbours *list, double margin,
                                   const impinge_team *team, impinge_found_contacts *contacts);

#endif
