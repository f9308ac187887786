/* The reference in long double. */
#define REFERENCE_LONG
#include "real.h"

#include "bodies.inc"
#include "routh.inc"

#include "laws.inc"

#include "elastic.inc"
#include "particles.inc"
#include "planar.inc"
#include "region.inc"

/* Contacts in space and in a plane. */
#include "mechanism.inc"
