/** The settings from the command lines of impinge resolve and impinge compare. */
#ifndef TOOLS_SETTINGS_H
#define TOOLS_SETTINGS_H

#include "support/arguments.h"
#include "table.h"

typedef struct settings {
    const char *input;
    const char
        *atoms; /**< the input is a dump of LAMMPS, and this the other; null: it is a table */
    given_coefficients coefficients;
    impinge_options options; /**< its law and rule are left alone */
    precision precision;
    const char *target; /**< the name of the one that is selected */
    size_t threads;
    bool help; /**< wanted; all other settings are then ignored */
} settings;

/** The options that both commands have, as lines of help. */
extern const char settings_help[];
void settings_print_coefficients(void);

/** The input's table, and of HDF5 the columns' types (table.h). */
csv_file *settings_open(const settings *by, const hdf5_input **typed);

/**
 * Reads the arguments of a command: the options that both have, and some of its own, into their
 * destinations. Then selects the target. Fails if something about the common ones is wrong.
 */
settings settings_read(const char *command, char *const *arguments, const argument_option *own,
                       size_t own_count);

#endif
