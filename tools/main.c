/* impinge: the program that resolves contacts in files, and shows how the library resolves them. */
#include <stdio.h>
#include <string.h>

#include <impinge/impinge.h>

#include "commands.h"
#include "support/choice.h"
#include "support/fail.h"
#include "support/output.h"

static const char help[] =
    "Usage: impinge COMMAND ...\n"
    "\n"
    "  impinge resolve IN -o OUT   resolve the contacts in a file of comma-separated values\n"
    "  impinge compare IN          resolve them by every law, and print a table\n"
    "  impinge survey IN           resolve them with every target, and compare and time those\n"
    "  impinge targets             list the instruction sets, and which one is chosen\n"
    "  impinge rays K.. MU         the rays of constant sliding of a collision matrix\n"
    "  impinge trace K.. U..       the path of one contact\n"
    "  impinge help COMMAND        more about a command; so says impinge COMMAND --help\n"
    "  impinge --version           the version\n"
    "\n"
    "Example: impinge resolve contacts.csv -o resolved.csv --precision f64\n"
    "\n"
    "Exit codes: 0 done; 1 resolve --verify or survey found an impulse too far from the "
    "reference,\n"
    "or survey targets that differ; 2 wrong usage or data, or a target that is not there.\n";

typedef struct command {
    const char *name;
    int (*run)(char *const *arguments);
} command;

static const command commands[] = {{"resolve", command_resolve}, {"compare", command_compare},
                                   {"survey", command_survey},   {"targets", command_targets},
                                   {"rays", command_rays},       {"trace", command_trace}};

enum { COMMANDS = sizeof commands / sizeof *commands };

static const command *command_required(const char *name) {
    const char *names[COMMANDS];
    for (size_t i = 0; i < COMMANDS; i++) {
        names[i] = commands[i].name;
        if (!strcmp(name, names[i])) return &commands[i];
    }
    const char *nearest = choice_nearest(name, names, COMMANDS);
    if (nearest) fail("unknown command '%s'; did you mean '%s'? see impinge --help", name, nearest);
    fail("unknown command '%s'; see impinge --help", name);
}

static int print_help(const char *name) {
    static char option[] = "--help";
    char *const arguments[] = {option, NULL};
    if (name) return command_required(name)->run(arguments);
    fputs(help, stdout);
    return EXIT_RIGHT;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fputs(help, stderr);
        return EXIT_FAILED;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--help") || !strcmp(name, "-h")) return output_exit(print_help(NULL));
    if (!strcmp(name, "help")) return output_exit(print_help(argv[2]));
    if (!strcmp(name, "--version")) {
        printf("impinge %s\n", impinge_version());
        return output_exit(EXIT_RIGHT);
    }
    return output_exit(command_required(name)->run(argv + 2));
}
