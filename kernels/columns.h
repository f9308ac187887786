/* Columns of particles and planes, element by element. */
#ifndef IMPINGE_KERNELS_COLUMNS_H
#define IMPINGE_KERNELS_COLUMNS_H

#include <impinge/particles.h>

#include "element.h"
#include "real.h"

static inline real_t number_at(size_t stride, const real_t *a, size_t i) { return a[i * stride]; }

static inline void numbers_at(size_t stride, const real_t *x, const real_t *y, const real_t *z,
                              size_t i, real_t to[3]) {
    to[0] = x[i * stride];
    to[1] = y[i * stride];
    to[2] = z[i * stride];
}

static inline void write_numbers(size_t stride, real_t *x, real_t *y, real_t *z, size_t i,
                                 const real_t from[3]) {
    x[i * stride] = from[0];
    y[i * stride] = from[1];
    z[i * stride] = from[2];
}

/*
 * a + by b, product and sum each rounded by itself: this is how an impulse changes a particle's
 * velocity and its spin, in every call; particles_collide.h has the same in rows.
 */
static inline void add_times(real_t a[3], real_t by, const real_t b[3]) {
    for (size_t k = 0; k < 3; k++)
        a[k] += by * b[k];
}

static inline void add_numbers(size_t stride, real_t *x, real_t *y, real_t *z, size_t i,
                               const real_t by[3]) {
    x[i * stride] += by[0];
    y[i * stride] += by[1];
    z[i * stride] += by[2];
}

/* The particles, or the particle and the plane, of contact i; both index arrays are given. */
static inline uint32_t index_a_of(layout_t layout, const NAME(impinge_particle_contacts) * c,
                                  size_t i) {
    return c->index_a[i * stride_of(layout, c->index_stride)];
}

static inline uint32_t index_b_of(layout_t layout, const NAME(impinge_particle_contacts) * c,
                                  size_t i) {
    return c->index_b[i * stride_of(layout, c->index_stride)];
}

/* True if any column has a stride other than 1. */
static inline bool are_particles_strided(const NAME(impinge_particles) * p) {
    return is_strided(p->radius_stride) || is_strided(p->inverse_mass_stride) ||
           is_strided(p->inverse_inertia_stride) || is_strided(p->position_stride) ||
           is_strided(p->velocity_stride) || is_strided(p->angular_velocity_stride);
}

static inline bool are_planes_strided(const NAME(impinge_planes) * p) {
    return is_strided(p->normal_stride) || is_strided(p->offset_stride) ||
           is_strided(p->velocity_stride);
}

static inline bool are_particle_results_strided(const NAME(impinge_particle_results) * r) {
    return is_strided(r->impulse_stride) || is_strided(r->normal_stride) ||
           is_strided(r->overlap_stride) || is_strided(r->projection_stride) ||
           is_strided(r->work_stride) || is_strided(r->outcome_stride);
}

/* R / I of a particle, the factor by which a moment R n x p turns it; 0 for a 1/I of -0, too. */
static inline real_t turn_of_particle(layout_t layout, const NAME(impinge_particles) * p,
                                      size_t i) {
    const real_t radius = number_at(COLUMN_OF(layout, p, radius), i);
    if (!(radius > 0)) return 0;
    return p->inverse_inertia
               ? radius * number_at(COLUMN_OF(layout, p, inverse_inertia), i) + 0
               : REAL(2.5) * number_at(COLUMN_OF(layout, p, inverse_mass), i) / radius;
}

#endif
