/* The reference in long double. */
#define REFERENCE_LONG
#include "real.h"

#include "bodies.inc"
#include "routh.inc"
