/**
 * A step of bodies by index whose contacts share them: impacts, rest, the energy guard, positions.
 *
 * The parts are those of <impinge/contact_dynamics.h>; each can be called alone. docs/stepping.md
 * shows a whole simulation of boxes. A step of length h of a simulator, with a force f on each
 * body:
 *
 *     impinge_advance_bodies(bodies, poses, h / 2)            x += h/2 v, and turns
 *     find the contacts of the bodies where they are now
 *     v += h/2 f / m
 *     impinge_step_bodies(..., with the kick h/2 f / m)       impacts, kick, rest, positions
 *     impinge_advance_bodies(bodies, poses, h / 2)
 *
 * Impacts use velocities after half of the kick of the forces, resting contacts after all of it. If
 * the whole kick came before the impacts, a bouncing ball would gain energy.
 *
 *  1. Impacts, by any law of the library. A contact leads if it approaches faster than the rest
 *     speed and no other contact of its movable bodies approaches faster by more than the tie
 *     tolerance. In a round, the contacts that lead collide. Leading contacts of one pair of bodies
 *     are one impact at the mean of their points. Leading contacts of several pairs that share a
 *     movable body collide together, in two stages (Anitescu and Potra 1997): compression is their
 *     common plastic solution with friction; in expansion each normal impulse is e times that of
 *     compression, or more if bodies would approach again, and friction is solved anew. This is
 *     symmetric, does not depend on the order of the list, and does not gain energy: where contacts
 *     of different restitution would, their impulses are scaled until none is gained. It does not
 *     use the law or tangential coefficients. (If more than 4096 are tied, or the inverse inertia of
 *     one of the bodies has a negative eigenvalue, pairs collide one after the other; such an impact
 *     has SLID if friction does work, else STUCK.) Impacts of a pair have the coefficients of its
 *     first contact in the list. A contact without a tie has the bits of
 *     impinge_resolve_independent. What rounding leaves of the approach of contacts after their own
 *     collision does not collide: of several contacts at once, up to 16 units of the sizes of all
 *     terms of the approach and of K p. An impact that gains energy beyond rounding is marked
 *     (ENERGY_GAINED in impact_outcome): by some laws, and by any where K is nearly singular. Of
 *     random scenes in f32 with masses and inertias over six decades, one in 600 had such an
 *     impact.
 *  2. Rest. K = K_A + K_B is the contact's collision matrix (<impinge/batch.h>), K_A and K_B the
 *     parts of its bodies, and K^ a multiple of it, below. Let u^ = u - K^ p be the separation
 *     velocity (above the aim) without the contact's own impulse p. If u^_n >= 0, p = 0; else
 *     p = -K^^-1 u^ if that is within the friction cone; else p is on the cone, u_n = 0, and p_t is
 *     opposed to the slip after: Whittaker's law with e = 0. Contacts of the same two bodies that
 *     follow one another in the list (a manifold; up to 8, the bodies in the same order) are solved
 *     at once, from the same velocities, with K^ = max(1, 3/4 n) K for n contacts, so that all
 *     corners of a box are treated alike. Pairs are coloured; every sweep goes forward, from
 *     impulses extrapolated along their last change. With IMPINGE_REST_UNORDERED every contact has
 *     K^ = n_A K_A + n_B K_B, n_A and n_B being the numbers of contacts of its bodies in the list
 *     (those that are apart or invalid included, so that these slow the others down), and all
 *     contacts use the same velocities.
 *  3. The energy guard. The kinetic energy of an island of contacts after rest is E0 + A + B, A =
 *     sum p . u0 and B = 1/2 sum p . (u1 - u0); with all impulses scaled by a it would be E0 + a A
 *     + a^2 B. If A + B > 0, they are scaled by a = max(-A / B, 0). Velocities are those of the
 *     contacts, above their aims: the work that driven bodies and aims do is not counted. Given
 *     impulses that change a body's velocity by more than its size leave rounding errors in it that
 *     p does not contain; there A + B is the change of the bodies' energies. Below (4 times the
 *     velocity for all contacts of a body together), rounding adds up to 5 n EPSILON of its energy
 *     for n contacts of a body. Sweeps leave such errors, too: if one has changed an impulse by as
 *     much, or after more than 16, velocities of an island whose bodies have gained more than that
 *     are computed anew from p, and guarded by the bodies' energies. Otherwise each sweep may part
 *     m (v - v0) from the sum of p by some units of rounding. An invalid contact joins no islands.
 *  4. Positions. Pseudo-velocities without friction, rotations too, toward -factor (g_end + slop),
 *     where g_end = g + h/2 max(0, u_n) is the gap at the end of the step. Contacts that separate
 *     faster than the rest speed are left alone, because a push would add to their energy.
 *
 * Conventions, arrays, bits, threads and stack are those of <impinge/batch.h> and
 * <impinge/bodies.h>. Bodies may be in any number of contacts. Immovable bodies may have
 * velocities, as driven bodies do, and are never written. The contacts are taken in the order of
 * the list, and this order changes the bits.
 */
#ifndef IMPINGE_BODY_STEP_H
#define IMPINGE_BODY_STEP_H

#include <impinge/bodies.h>
#include <impinge/contact_dynamics.h>
#include <impinge/particles.h>

#include <impinge/body_step_f32.h>
#include <impinge/body_step_f64.h>

#endif
