/** Running a check on each target that this build and this CPU have. */
#ifndef TARGETS_H
#define TARGETS_H

#include <stdbool.h>

/** Is called while its target is selected. */
typedef void target_check(const char *target, void *user);

/**
 * Runs the check on every target that is available, best first, and then goes back to the choice of
 * first use. Names the others in the log, once per process.
 */
void for_each_target(target_check *check, void *user);

/** Selects a target, which has to be available. */
void select_target(const char *name);

#endif
