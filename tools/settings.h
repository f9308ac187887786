/** What the command line of impinge resolve asks for. */
#ifndef TOOLS_SETTINGS_H
#define TOOLS_SETTINGS_H

#include "batch.h"

typedef struct settings {
    const char *input, *output;
    const char *coefficients[COEFFICIENTS]; /**< for all contacts, as text; null: not given */
    impinge_options options;
    precision precision;
    const char *target; /**< the name of the one that is selected */
    size_t threads;
    bool verify, quiet;
} settings;

/**
 * Reads the arguments and selects the target. Fails if something about them is wrong; returns false
 * if only help was wanted, which it has printed.
 */
bool settings_read(char *const *arguments, settings *to);

#endif
