/* Selects the target that calls use. */
#ifndef IMPINGE_DISPATCH_SELECT_H
#define IMPINGE_DISPATCH_SELECT_H

#include <impinge/status.h>

#include "registry.h"

/* The target of this call, into *target; an error if IMPINGE_TARGET names none that runs. */
impinge_status impinge_current_target(const impinge_target_entry **target);

/* The target of all calls from now on; null: the choice made at first use. */
impinge_status impinge_force_target(const char *name);

#endif
