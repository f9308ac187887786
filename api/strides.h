/*
 * Whether arrays with strides can exist: element i is at i times the stride, which must not wrap.
 * For each public struct, all strides it has, of so many elements; whether an array is given or
 * not.
 */
#ifndef IMPINGE_API_STRIDES_H
#define IMPINGE_API_STRIDES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An array has at most PTRDIFF_MAX bytes, and the largest elements are of eight. */
static inline bool are_strides_within(size_t count, const size_t *strides, size_t of) {
    const size_t most = (size_t)PTRDIFF_MAX / sizeof(uint64_t) - 1;
    for (size_t i = 0; i < of; i++)
        if (strides[i] > 1 && count > 1 && strides[i] > most / (count - 1)) return false;
    return true;
}

#define STRIDES(...) ((const size_t[]){__VA_ARGS__})
#define STRIDES_FIT(count, ...)                                                                    \
    are_strides_within(count, STRIDES(__VA_ARGS__), sizeof STRIDES(__VA_ARGS__) / sizeof(size_t))

#ifdef IMPINGE_REAL_BITS

#include <impinge/body_step.h>
#include <impinge/mechanisms.h>
#include <impinge/particle_step.h>
#include <impinge/planar.h>
#include <impinge/region.h>

#include "../kernels/real.h"

/* ---- Contacts given by K, and by pairs of bodies ---- */

static inline bool coefficients_fit(const NAME(impinge_coefficients) * c, size_t count) {
    return STRIDES_FIT(count, c->restitution.stride, c->friction.stride, c->friction_static.stride,
                       c->tangential_restitution.stride, c->mix.stride, c->impulse_ratio_t1.stride,
                       c->impulse_ratio_t2.stride, c->damping_fraction.stride);
}

static inline bool contacts_fit(const NAME(impinge_contacts) * c) {
    return STRIDES_FIT(c->count, c->matrix_stride, c->velocity_stride) &&
           coefficients_fit(&c->coefficients, c->count);
}

static inline bool contact_results_fit(const NAME(impinge_contact_results) * r, size_t count) {
    return STRIDES_FIT(count, r->impulse_stride, r->velocity_stride, r->work_stride,
                       r->outcome_stride);
}

static inline bool side_fits(const NAME(impinge_pair_side) * s, size_t count) {
    return STRIDES_FIT(count, s->orientation.stride, s->inverse_mass_stride,
                       s->inverse_inertia_stride, s->arm_stride, s->velocity_stride,
                       s->angular_velocity_stride);
}

static inline bool pairs_fit(const NAME(impinge_body_pairs) * p) {
    return side_fits(&p->a, p->count) && side_fits(&p->b, p->count) &&
           STRIDES_FIT(p->count, p->normal_stride) && coefficients_fit(&p->coefficients, p->count);
}

static inline bool pair_results_fit(const NAME(impinge_body_pair_results) * r, size_t count) {
    return STRIDES_FIT(count, r->impulse_stride, r->work_stride, r->outcome_stride,
                       r->a.velocity_stride, r->a.angular_velocity_stride, r->b.velocity_stride,
                       r->b.angular_velocity_stride);
}

static inline bool impulses_fit(const NAME(impinge_impulses) * p, size_t count) {
    return STRIDES_FIT(count, p->stride);
}

static inline bool judgements_fit(const NAME(impinge_judgements) * j, size_t count) {
    return STRIDES_FIT(count, j->slack_stride, j->mask_stride);
}

static inline bool projections_fit(const NAME(impinge_projections) * p, size_t count) {
    return STRIDES_FIT(count, p->impulse_stride, p->fraction_stride, p->mask_stride);
}

/* ---- In a plane, and mechanisms ---- */

static inline bool planar_contacts_fit(const NAME(impinge_planar_contacts) * c) {
    return STRIDES_FIT(c->count, c->matrix_stride, c->velocity_stride) &&
           coefficients_fit(&c->coefficients, c->count);
}

static inline bool planar_results_fit(const NAME(impinge_planar_contact_results) * r,
                                      size_t count) {
    return STRIDES_FIT(count, r->impulse_stride, r->velocity_stride, r->work_stride,
                       r->outcome_stride);
}

static inline bool planar_side_fits(const NAME(impinge_planar_pair_side) * s, size_t count) {
    return STRIDES_FIT(count, s->inverse_mass_stride, s->inverse_inertia_stride, s->arm_stride,
                       s->velocity_stride, s->angular_velocity_stride);
}

static inline bool planar_pairs_fit(const NAME(impinge_planar_pairs) * p) {
    return planar_side_fits(&p->a, p->count) && planar_side_fits(&p->b, p->count) &&
           STRIDES_FIT(p->count, p->normal_stride) && coefficients_fit(&p->coefficients, p->count);
}

static inline bool planar_pair_results_fit(const NAME(impinge_planar_pair_results) * r,
                                           size_t count) {
    return STRIDES_FIT(count, r->impulse_stride, r->work_stride, r->outcome_stride,
                       r->a.velocity_stride, r->a.angular_velocity_stride, r->b.velocity_stride,
                       r->b.angular_velocity_stride);
}

static inline bool mechanism_results_fit(const NAME(impinge_mechanism_results) * r, size_t count) {
    return STRIDES_FIT(count, r->impulse_stride, r->velocity_stride, r->matrix_stride,
                       r->work_stride, r->outcome_stride);
}

static inline bool planar_mechanism_results_fit(const NAME(impinge_planar_mechanism_results) * r,
                                                size_t count) {
    return STRIDES_FIT(count, r->impulse_stride, r->velocity_stride, r->matrix_stride,
                       r->work_stride, r->outcome_stride);
}

/* ---- Bodies and contacts by index ---- */

static inline bool bodies_fit(const NAME(impinge_bodies) * b) {
    return STRIDES_FIT(b->count, b->orientation.stride, b->inverse_mass_stride,
                       b->inverse_inertia_stride, b->velocity_stride, b->angular_velocity_stride);
}

static inline bool indexed_fit(const NAME(impinge_indexed_contacts) * c) {
    return STRIDES_FIT(c->count, c->index_stride, c->arm_stride, c->normal_stride) &&
           coefficients_fit(&c->coefficients, c->count);
}

static inline bool indexed_results_fit(const NAME(impinge_indexed_results) * r, size_t count) {
    return STRIDES_FIT(count, r->impulse_stride, r->work_stride, r->outcome_stride);
}

static inline bool poses_fit(const NAME(impinge_poses) * p, size_t bodies) {
    return STRIDES_FIT(bodies, p->position_stride, p->orientation_stride);
}

/* ---- Particles and planes ---- */

static inline bool particles_fit_of(const NAME(impinge_particles) * p, size_t count) {
    return STRIDES_FIT(count, p->radius_stride, p->inverse_mass_stride, p->inverse_inertia_stride,
                       p->position_stride, p->velocity_stride, p->angular_velocity_stride);
}

static inline bool particles_fit(const NAME(impinge_particles) * p) {
    return particles_fit_of(p, p->count);
}

static inline bool planes_fit(const NAME(impinge_planes) * p) {
    return STRIDES_FIT(p->count, p->normal_stride, p->offset_stride, p->velocity_stride);
}

static inline bool particle_contacts_fit(const NAME(impinge_particle_contacts) * c) {
    return STRIDES_FIT(c->count, c->index_stride) && coefficients_fit(&c->coefficients, c->count);
}

static inline bool particle_results_fit(const NAME(impinge_particle_results) * r, size_t count) {
    return STRIDES_FIT(count, r->impulse_stride, r->normal_stride, r->overlap_stride,
                       r->projection_stride, r->work_stride, r->outcome_stride);
}

/* ---- Steps ---- */

static inline bool state_fits(const NAME(impinge_contact_state) * s, size_t count) {
    return STRIDES_FIT(count, s->aim_stride, s->impulse_stride, s->normal_stride);
}

static inline bool step_results_fit(const NAME(impinge_step_results) * r, size_t count) {
    return STRIDES_FIT(count, r->impulse_stride, r->impact_stride, r->normal_stride, r->gap_stride,
                       r->outcome_stride, r->work_stride);
}

static inline bool memory_fits(const NAME(impinge_contact_memory) * m) {
    return STRIDES_FIT(m->count, m->impulse_stride, m->normal_stride);
}

static inline bool body_step_fits(const NAME(impinge_body_step) * s) {
    const size_t contacts = s->contacts->count, bodies = s->bodies->count;
    return STRIDES_FIT(contacts, s->gap_stride, s->impact_outcome_stride) &&
           STRIDES_FIT(bodies, s->kick.each_stride) && state_fits(&s->state, contacts) &&
           step_results_fit(&s->results, contacts) && poses_fit(&s->poses, bodies);
}

static inline bool particle_step_fits(const NAME(impinge_particle_step) * s) {
    const NAME(impinge_rolling_resistance) *const r = s->rolling_resistance;
    const size_t contacts = s->contacts->count;
    return STRIDES_FIT(contacts, s->impact_outcome_stride) &&
           STRIDES_FIT(s->particles->count, s->kick.each_stride) &&
           (!r ||
            STRIDES_FIT(contacts, r->couple_stride, r->rolling.stride, r->torsional.stride)) &&
           particle_contacts_fit(s->contacts) && state_fits(&s->state, contacts) &&
           step_results_fit(&s->results, contacts);
}

#endif
#endif
