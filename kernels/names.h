/*
 * Names of one target's objects for one element type, and the declarations of those outside
 * table.c.
 */
#ifndef IMPINGE_KERNELS_NAMES_H
#define IMPINGE_KERNELS_NAMES_H

#include <impinge/batch.h>

#include "lane/lane.h"
#include "table.h"

#define PASTE(prefix, target, bits)       prefix##target##_f##bits
#define KERNEL_NAME(prefix, target, bits) PASTE(prefix, target, bits)
#define KERNEL_TABLE                      KERNEL_NAME(impinge_kernels_, LANE_TARGET, IMPINGE_REAL_BITS)
#define KERNEL_CLOSED                     KERNEL_NAME(impinge_kernels_closed_, LANE_TARGET, IMPINGE_REAL_BITS)

#define KERNEL_BODY_REST  KERNEL_NAME(impinge_kernels_body_rest_, LANE_TARGET, IMPINGE_REAL_BITS)
#define KERNEL_MECHANISMS KERNEL_NAME(impinge_kernels_mechanisms_, LANE_TARGET, IMPINGE_REAL_BITS)
#define KERNEL_PARTICLES  KERNEL_NAME(impinge_kernels_particles_, LANE_TARGET, IMPINGE_REAL_BITS)

/* Contacts in contact space, by a law in closed form. */
void KERNEL_CLOSED(const NAME(impinge_contacts) * in, selected_t selected,
                   const impinge_options *options, const NAME(impinge_contact_results) * out,
                   impinge_report *report);

extern const NAME(impinge_mechanism_kernels) KERNEL_MECHANISMS;
extern const NAME(impinge_particle_kernels) KERNEL_PARTICLES;
extern const NAME(impinge_body_rest_kernels) KERNEL_BODY_REST;

/* A step of particles: see rest/particle_step.h. */
#define KERNEL_PARTICLE_STEP                                                                       \
    KERNEL_NAME(impinge_kernels_particle_step_, LANE_TARGET, IMPINGE_REAL_BITS)

extern const struct NAME(impinge_particle_step_kernels) KERNEL_PARTICLE_STEP;

/* Neighbours: see cells.h. */
#define KERNEL_NEIGHBOURS KERNEL_NAME(impinge_kernels_neighbours_, LANE_TARGET, IMPINGE_REAL_BITS)

extern const struct NAME(impinge_neighbour_kernels) KERNEL_NEIGHBOURS;

#endif
