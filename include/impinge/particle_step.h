/**
 * A step of particles whose contacts share them: impacts, rest, the energy guard and positions.
 *
 * Contacts of two particles and contacts of a particle and a plane are in one list. Contacts with a
 * gap above 0 take no part. The parts are those of <impinge/contact_dynamics.h>; each can be called
 * alone. docs/stepping.md shows a whole simulation.
 *
 *  1. Impacts follow the particle laws (Routh, frictionless, bilinear, Chatterjee and Ruina) with
 *     any model of restitution, in local rounds. A contact that is tied with no other has the bits
 *     of impinge_resolve_particle_pairs and impinge_apply_particle_pairs. Contacts that share a
 *     particle and are tied collide together, in two stages (Anitescu and Potra 1997): compression
 *     is their common plastic solution with friction; in expansion each normal impulse is e times
 *     that of compression, or more if particles would approach again, and friction is solved anew.
 *     Ties do not depend on the order of the list, ignore tangential restitution, and do not gain
 *     kinetic energy. What rounding leaves of a contact's approach after its own collision does not
 *     collide: a contact that collided alone does so again only after another contact has changed
 *     its particles, and tied ones then or if they approach by more than rounding.
 *  2. Rest. With u^ the separation velocity without the contact's own impulse,
 *
 *         p_n = max(0, -u^_n / K_n),   p_t = -min(1 / K_t, mu p_n / |u^_t|) u^_t,
 *
 *     K_n = 1/m_A + 1/m_B and K_t = K_n + R_A^2 / I_A + R_B^2 / I_B: the exact solution of one
 *     contact of spheres toward u = 0. The contacts are coloured in blocks of some thousands, so
 *     that a block's data stay in the cache, and swept forward and backward in turn. With rolling
 *     resistance each contact has a couple M = R c, too. With r^ = R (omega_A - omega_B) without
 *     the contact's own couple, and K_c = R^2 / I_A + R^2 / I_B,
 *
 *         c_n = -r^_n / K_c within +-torsional p_n,
 *         c_t = -min(1 / K_c, rolling p_n / |r^_t|) r^_t.
 *
 *     Its residual is K_c |change of c|. A given impulse counts as 0 where K_n |p| (of a couple K_c
 *     |c|) is above 2^20 times the largest speed of its island (2^49 times in f64): the sum of
 *     velocities and such impulses would lose more than a sixteenth of the velocities by rounding.
 *     Speeds are the largest components of velocities, before the step and at the beginning of the
 *     rest, of R omega, of the uniform kick, and of aim velocities.
 *
 *  3. The energy guard. If the impulses p of an island have raised its kinetic energy, all of them
 *     are scaled by alpha = -A / B < 1, at which it is as before. A = sum p . u_0 and B = 1/2 sum
 *     p . (u_1 - u_0), where u_0 and u_1 are the velocities before and after these impulses. A
 *     couple adds c . r_0 and 1/2 c . (r_1 - r_0), and is scaled with them. Work that moving
 *     planes, driven particles and aim velocities do is not counted.
 *  4. Positions. Pseudo-velocities without friction toward -factor (g_end + slop), where g_end = g
 *     + h/2 max(0, u_n) is the gap at the end of the step. Contacts that separate faster than the
 *     rest speed are left alone, because a push would add to their energy.
 *
 * Conventions: p acts on A, -p on B; n points from B to A; u = u_A - u_B. The bits are the same on
 * every target and for any number of threads. The contacts are taken in the order of the list, and
 * this order changes the bits of the rest. Arrays, threads and stack are as in <impinge/batch.h>.
 *
 * Contacts are invalid if their indices are out of range or equal, if a particle or plane of theirs
 * is invalid, or if a pair touches in a second image, too (INVALID_NORMAL; a period below 2 (R_A +
 * R_B)). They take no part, and others are resolved as if they were not listed. If
 * sizes, masses or velocities of particles are so far from 1 that products do not fit the precision
 * (2^40 and 2^58 in f32), their contacts are OUT_OF_RANGE and take no part, either.
 */
#ifndef IMPINGE_PARTICLE_STEP_H
#define IMPINGE_PARTICLE_STEP_H

#include <impinge/contact_dynamics.h>
#include <impinge/particles.h>

#include <impinge/particle_step_f32.h>
#include <impinge/particle_step_f64.h>

#endif
