/** One resolved contact in its own axes, with the energy that its impulse can change. */
#ifndef TOOLS_COLLISION_H
#define TOOLS_COLLISION_H

#include "batch.h"
#include "reference.h"

/** A collision in the contact frame; planar contacts lie in the plane of t1 and n. */
typedef struct collision {
    reference_contact_long contact; /**< its u is the velocity before */
    long double p[3];               /**< the impulse that the library gave */
    long double u[3];               /**< u0 + K p */
} collision;

/** Returns false, and no collision, for contacts that are invalid or that nothing can move. */
bool collision_of(const batch *resolved, size_t row, collision *found);

/** 1/2 u.K^-1 u for the velocity before or after, J. */
long double collision_energy(const collision *of, const long double u[3]);

/**
 * The factor between the relative error of an impulse of this size and the error of the velocity
 * after it relative to |u0| + |K| |p|: |K^-1| (|u0| / |p| + |K|).
 */
long double collision_condition(const reference_contact_long *contact, long double impulse);

/** The energy before minus that after, -p.(u0 + u) / 2, without the cancellation. */
long double collision_energy_lost(const collision *of);

#endif
