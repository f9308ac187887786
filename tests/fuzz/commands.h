/**
 * What fuzz_options.c runs: the commands of the program, and the examples, which have none. The
 * first byte of an input chooses: each name is that of a file of the corpus which begins with its
 * place here.
 */
#ifndef FUZZ_COMMANDS_H
#define FUZZ_COMMANDS_H

/** The program's own. */
enum { PROGRAM_COMMANDS = 6 };

static const char *const command_names[] = {
    "resolve", "compare", "survey",    "targets", "rays",  "trace",    /* impinge's */
    "boxes",   "cascade", "mechanism", "drum",    "scene", "simulate", /* examples */
    "penalty",
};

/** How many there are. */
enum { COMMANDS = sizeof command_names / sizeof *command_names };

#endif
