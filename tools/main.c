/* impinge: resolves contacts in files, and shows what the library does. */
#include <stdio.h>
#include <string.h>

#include <impinge/impinge.h>

#include "commands.h"
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
    "  impinge map FIGURE ...      a picture: normal velocity, slip, or permissible impulses\n"
    "  impinge COMMAND --help      more about a command\n"
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
                                   {"rays", command_rays},       {"trace", command_trace},
                                   {"map", command_map}};

int main(int argc, char **argv) {
    if (argc < 2) {
        fputs(help, stderr);
        return EXIT_FAILED;
    }
    const char *name = argv[1];
    if (!strcmp(name, "--help") || !strcmp(name, "-h")) {
        fputs(help, stdout);
        return output_exit(EXIT_RIGHT);
    }
    if (!strcmp(name, "--version")) {
        printf("impinge %s\n", impinge_version());
        return output_exit(EXIT_RIGHT);
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(name, commands[i].name)) return output_exit(commands[i].run(argv + 2));
    fail("unknown command '%s'; see impinge --help", name);
}
