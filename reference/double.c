/* The reference in double. */
#include "real.h"

#include "bodies.inc"
#include "routh.inc"
