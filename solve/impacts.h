/* Part 1 of a step of bodies: impacts in local rounds. */
#ifndef IMPINGE_SOLVE_IMPACTS_H
#define IMPINGE_SOLVE_IMPACTS_H

#include "body_stage.h"

/*
 * Computes the approach velocities of a member's share of the contacts. Returns whether any
 * collides.
 */
bool NAME(impinge_impacts_look)(NAME(body_stage) * s, size_t first, size_t count);

/* All rounds. Writes the velocities of bodies, and keeps their rows up to date. */
void NAME(impinge_impacts_run)(NAME(body_stage) * s, const resolver_t *by);

/* True for a body, not the world, that impulses move. */
static inline bool row_moves(const NAME(body_stage) * s, uint32_t index) {
    return index < s->rest.bodies->count && (s->rest.body_word[index] & BODY_MOVABLE);
}

/* ---- Ties of several pairs ---- */

/* Iterations end when no impulse changes by more than this share of the fastest approach. */
#define TIE_CONVERGED 1e-14

/* True if K of a contact is positive definite and fits the range, by its bodies' rows. */
bool NAME(impinge_tied_is_definite)(const NAME(body_stage) * s, uint32_t i);

/* True if no inverse inertia of its bodies has a negative eigenvalue, but for rounding. */
bool NAME(impinge_tied_bodies_are_sound)(const NAME(body_stage) * s, uint32_t i);

/*
 * Collides tied contacts of several pairs together. `fallen` receives the result of each: impulse
 * (3 numbers) and works (3), in the order of the numbers. Returns false, and changes no body, if
 * impulses or velocities do not fit the range.
 */
bool NAME(impinge_tie)(NAME(body_stage) * s, const uint32_t *numbers, size_t count,
                       double (*fallen)[6]);

#endif
