/**
 * Particles: points and spheres, in pairs and against planes (impulse collision method; Chatterjee
 * and Ruina 1998, 4.2.5).
 *
 * One contact takes these steps (a.1 to c.6 of impulse collision method): the overlap; if it is
 * positive, the normal and the approach; if the particles approach, the impulse on both by their
 * mass ratios, with friction limited so that it never reverses the slip beyond tangential
 * restitution; and a position projection that reduces the overlap (c.5 says that the overlap is
 * negative, but by a.2 it is positive). Only the calls that apply change particles.
 * impinge_resolve_particle_pairs and impinge_resolve_particle_planes read positions and velocities
 * and write the results of each contact, so that all contacts of a step use the same particles,
 * whatever their order and however threads share them. impinge_apply_particle_pairs and
 * impinge_apply_particle_planes add the results to the particles, in the order of the contacts.
 *
 * The collision matrix of spheres is diagonal: K_33 = 1/m_A + 1/m_B and T = K_33 + R_A^2 / I_A +
 * R_B^2 / I_B in both tangential directions. Routh's law, Chatterjee and Ruina's and Walton's
 * bilinear law then have one and the same answer,
 *
 *     p_n = -(1 + e) u_n0 / K_33,   p_t = -min(mu p_n / |u_t0|, (1 + e_t) / T) u_t0,
 *
 * in which Routh's law has e_t = 0; the frictionless law is mu = 0. Other laws are
 * IMPINGE_ERROR_OPTION. Points have T = K_33, which gives the jolt of impulse collision method, c.2
 * to c.4, with the clip of c.4. (There the clip compares the jolt of one particle with the slip of
 * both, which could reverse the slip; here it compares the change of the slip.) B.11 lacks a minus
 * sign: the jolt off a surface is -(1 + e) u_n n.
 *
 * Only the options law and restitution_above_one have an effect: spheres do not jam, restitution is
 * the same by all three rules, and nothing is integrated. The works are those of Routh's law, which
 * are here those along the straight line from 0 to p.
 *
 * All contacts of a call use the same velocities. So the sum of the impulses of two contacts of a
 * particle, or of one contact that is listed twice, would be too large: a sphere that falls on
 * three others at e = 0.5 would leave with four times its energy. The calls that add impulses up
 * therefore divide each by the number of impulses that its particles get, the larger of the two
 * numbers (`sharing`). The energy of a particle is convex in the sum of its impulses, so it never
 * grows if no contact alone adds energy. But a particle that gets several impulses loses more
 * energy than by the law, unless all of them are the same. For a particle with one impulse nothing
 * changes. Exact impacts of many contacts, and rest, are in <impinge/particle_step.h>.
 *
 * Conventions, arrays, bits, threads and stack are those of <impinge/batch.h>.
 */
#ifndef IMPINGE_PARTICLES_H
#define IMPINGE_PARTICLES_H

#include <impinge/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Restitution as a function of the contact's approach speed v = -u_n0. */
typedef enum impinge_restitution_kind {
    /** e is coefficients.restitution, whatever the speed. */
    IMPINGE_RESTITUTION_CONSTANT = 0,
    /** coefficients.restitution from `speed` on, 0 below it: slow contacts come to rest. */
    IMPINGE_RESTITUTION_THRESHOLD,
    /**
     * Viscoelastic spheres: the Pade form of Brilliantov and Poeschel's series that Mueller and
     * Poeschel give (Phys. Rev. E 84, 021302, 2011), e = (1 + c_1 s) / (1 + b_1 s + b_2 s^2 + b_3
     * s^3 + b_4 s^4) with s = beta^(1/2) v^(1/10), beta = 3/2 A (2 Y sqrt(R) / (3 (1 - nu^2) m))^
     * (2/5), where m and R are the pair's effective mass and radius (a plane has an infinite
     * radius); c_1 = b_1 = 0.501086, b_2 = 1.15345, b_3 = 0.577977, b_4 = 0.532178. Points have no
     * radius, and so e = 1.
     */
    IMPINGE_RESTITUTION_VISCOELASTIC,
    /**
     * Elastic and perfectly plastic spheres (Thornton, J. Appl. Mech. 64, 383, 1997): e = 1 up to
     * the yield speed v_y = `speed`, above it with q = v_y / v
     *
     *     e = (6 sqrt(3) / 5)^(1/2) (1 - q^2 / 6)^(1/2) (q / (q + 2 sqrt(6/5 - q^2 / 5)))^(1/4),
     *
     * which is proportional to v^(-1/4) for large v.
     */
    IMPINGE_RESTITUTION_ELASTOPLASTIC,
    /** Linear between the points of a table, constant outside it. */
    IMPINGE_RESTITUTION_TABLE
} impinge_restitution_kind;

/** The most points that a table of restitution may have. */
#define IMPINGE_RESTITUTION_TABLE_MAX 64

/**
 * The projection factor that moves two particles apart, in one step, as far as a spring between
 * them would (impulse collision method, B.22): k_p = k_s (1/m_A + 1/m_B) h^2.
 *
 * @param stiffness k_s >= 0, N/m
 * @param inverse_mass_a, inverse_mass_b >= 0, 1/kg
 * @param time_step h >= 0, s
 * @param factor k_p
 * @param stable whether it is at most IMPINGE_PROJECTION_FACTOR_STABLE; null: not wanted
 * Returns IMPINGE_OK, IMPINGE_ERROR_NULL_POINTER, or IMPINGE_ERROR_ARGUMENT if an argument is
 * negative or not finite, or k_p does not fit (a product of some of its factors need not); with an
 * error it has written nothing.
 */
IMPINGE_API impinge_status impinge_projection_factor(double stiffness, double inverse_mass_a,
                                                     double inverse_mass_b, double time_step,
                                                     double *factor, bool *stable);

/**
 * The largest stable projection factor: above it, projections may throw particles about that
 * overlap several others.
 *
 * The overlap of a pair shrinks by a factor of 1 - k_p a step, so a pair alone is stable below 2,
 * and does not overshoot up to 1. Among equal spheres the displacements change by 1 - k_p L / 2 a
 * step, L being the sum of n n^T over the contacts' graph (its Laplacian); the largest eigenvalue
 * of L is 2 for a pair, 4 for a long chain and 8 for the densest packing, of 12 neighbours each,
 * and k_p is stable below 4 over it. So 0.5 is the bound of the densest packing. (impulse collision
 * method, after B.22, gives 0.5, too; but its condition, k_s h^2 / m < 1 with m_A = m_B = m, means
 * k_p < 2.)
 */
#define IMPINGE_PROJECTION_FACTOR_STABLE 0.5

#ifdef __cplusplus
}
#endif

#include <impinge/particles_f32.h>
#include <impinge/particles_f64.h>

#endif
