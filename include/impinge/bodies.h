/**
 * Contacts between bodies by index: calls read velocities, masses and inertias from arrays of
 * bodies, and write velocities there.
 *
 * This header has two ways to resolve contacts that share bodies. <impinge/simultaneous.h> has
 * more, and <impinge/body_step.h> has a whole step with contacts that rest. The two ways:
 *
 * - As a batch: all contacts use the velocities before the call, and if a body has several
 *   contacts, each uses a share of its mass, so that no energy is gained. A first call,
 *   impinge_resolve_indexed_f32, computes the impulses; a second, impinge_apply_impulses_f32, adds
 *   them up, for each body in the order of the contacts. Threads may share out the contacts of the
 *   first call and the bodies of the second; the bits stay the same.
 * - Coloured: impinge_colour_contacts splits contacts into sets of which no two share a movable
 *   body. impinge_resolve_independent_f32 resolves a set and applies its impulses at once, so that
 *   the next set uses them; threads may share out a set. impinge_sweep_f32 does that for all
 *   colours, again and again (a Gauss-Seidel iteration), until no contact approaches.
 *
 * Conventions, arrays, bits, threads and stack are those of <impinge/batch.h>, with one
 * restriction: results must not overlap the arrays of bodies, and results of impinge_sweep_f32 no
 * input at all.
 */
#ifndef IMPINGE_BODIES_H
#define IMPINGE_BODIES_H

#include <impinge/batch.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The index of the immovable world, which is at rest. The arrays of bodies have no element of it.
 */
#define IMPINGE_WORLD UINT32_MAX

#ifdef __cplusplus
}
#endif

#include <impinge/bodies_f32.h>
#include <impinge/bodies_f64.h>

#endif
