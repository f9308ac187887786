/* Checks of bodies, and of contacts by index between them. */
#ifndef IMPINGE_API_CHECK_BODIES_H
#define IMPINGE_API_CHECK_BODIES_H

#include <impinge/bodies.h>

#include "../kernels/real.h"

/* All pointers of one of the two forms, or none of either. */
impinge_status NAME(impinge_check_orientation)(const NAME(impinge_orientation) * p);

impinge_status NAME(impinge_check_indexed)(const NAME(impinge_bodies) * bodies,
                                           const NAME(impinge_indexed_contacts) * contacts);

#endif
