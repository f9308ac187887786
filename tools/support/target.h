/** The target chosen on the command line or in the environment. */
#ifndef TOOLS_TARGET_H
#define TOOLS_TARGET_H

#include <impinge/impinge.h>

/**
 * Selects a target by name, null: the library's own choice, and returns the name of the one that
 * will be used. Fails if that one is unknown or not available.
 */
const char *target_required(const char *name);

#endif
