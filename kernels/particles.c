/*
 * One target's particle contacts. Lanes are one register: successive contacts of the list hide each
 * other's latency, and more of a contact stays in registers.
 */
#define REGISTERS_PER_LANES 1
#include "particles.h"
#include "names.h"
#include "particles_collide.h"

static bool are_contacts_strided(const NAME(impinge_particle_contacts) * in) {
    return is_strided(in->index_stride) || are_coefficients_strided(&in->coefficients);
}

static layout_t layout_of(const particle_call_t *call) {
    const bool strided = are_particles_strided(call->particles) || are_contacts_strided(call->in) ||
                         are_particle_results_strided(call->out) ||
                         (call->planes && are_planes_strided(call->planes));
    return strided ? AS_GIVEN : CONTIGUOUS;
}

static particle_call_t call_of(const NAME(impinge_particles) * particles,
                               const NAME(impinge_particle_contacts) * in, selected_t selected,
                               const impinge_options *options,
                               const NAME(impinge_particle_results) * out, impinge_report *report) {
    return (particle_call_t){.particles = particles,
                             .in = in,
                             .selected = selected,
                             .out = out,
                             .report = report,
                             .law = options->law,
                             .e_max = restitution_max(options),
                             .model = model_of(in->coefficients.model),
                             .quick = !options->restitution_above_one && particles->count > 0,
                             .periodic = particles->period_x > 0 || particles->period_y > 0 ||
                                         particles->period_z > 0};
}

/* A particle to read if there is none: all indices are wrong, and its numbers do not count. */
static NAME(impinge_particles) no_particles(real_t *zero) {
    return (NAME(impinge_particles)){.radius = zero,
                                     .inverse_mass = zero,
                                     .position_x = zero,
                                     .position_y = zero,
                                     .position_z = zero,
                                     .velocity_x = zero,
                                     .velocity_y = zero,
                                     .velocity_z = zero};
}

static NAME(impinge_planes) no_planes(const real_t *zero) {
    return (NAME(impinge_planes)){
        .normal_x = zero, .normal_y = zero, .normal_z = zero, .offset = zero};
}

static void resolve_pairs(const NAME(impinge_particles) * particles,
                          const NAME(impinge_particle_contacts) * in, selected_t selected,
                          const impinge_options *options,
                          const NAME(impinge_particle_results) * out, impinge_report *report) {
    real_t zero = 0;
    const NAME(impinge_particles) none = no_particles(&zero);
    const particle_call_t call =
        call_of(particles->count > 0 ? particles : &none, in, selected, options, out, report);
    resolve_pairs_of_columns(&call, layout_of(&call));
}

static void resolve_planes(const NAME(impinge_particles) * particles,
                           const NAME(impinge_planes) * planes,
                           const NAME(impinge_particle_contacts) * in, selected_t selected,
                           const impinge_options *options,
                           const NAME(impinge_particle_results) * out, impinge_report *report) {
    real_t zero = 0;
    const NAME(impinge_particles) none = no_particles(&zero);
    const NAME(impinge_planes) nowhere = no_planes(&zero);
    particle_call_t call =
        call_of(particles->count > 0 ? particles : &none, in, selected, options, out, report);
    call.planes = planes->count > 0 ? planes : &nowhere;
    call.quick = call.quick && planes->count > 0;
    resolve_columns(&call, true, layout_of(&call));
}

/*
 * There is at least one particle, and workspace for one row more than there are particles. Returns
 * whether all changes were in range.
 */
static bool collide_pairs(const NAME(impinge_particles) * particles,
                          const NAME(impinge_particle_contacts) * in, selected_t selected,
                          const impinge_options *options, real_t *workspace,
                          impinge_report *report) {
    const NAME(impinge_particle_results) nothing = {.outcome = NULL};
    collide_t c = {.call = call_of(particles, in, selected, options, &nothing, report),
                   .particles = particles,
                   .count = particles->count,
                   .sharing = in->independent ? NULL : in->sharing,
                   .use = {.spheres = particles->angular_velocity_x}};
    c.use.layout = layout_of(&c.call);
    collide_all(&c, workspace);
    return c.fits;
}

#include "particle_rows.h"
#include "particles_sift.h"

const NAME(impinge_particle_kernels) KERNEL_PARTICLES = {
    .resolve_pairs = resolve_pairs,
    .resolve_planes = resolve_planes,
    .collide_pairs = collide_pairs,
#if IMPINGE_REAL_BITS == 32
    .sift_pairs = sift_pairs,
#else
    .coarsen_places = coarsen_places,
#endif
    .pack_rows = pack_rows,
    .unpack_rows = unpack_rows,
    .collide_rows = collide_rows,
    .apply_sums = apply_sums,
};
