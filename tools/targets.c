/* impinge targets */
#include "commands.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/arguments.h"
#include "support/fail.h"
#include "support/target.h"

static const char help[] =
    "Usage: impinge targets\n"
    "\n"
    "Lists the instruction sets that Impinge has kernels for, best first, whether this CPU and\n"
    "this build have each, and which one is chosen: the one that the environment variable\n"
    "IMPINGE_TARGET names, else the best. The results have the same bits on all of them.\n";

static void print_target(size_t i, const char *chosen) {
    const char *name = impinge_target_name(i);
    bool is_chosen = chosen && !strcmp(name, chosen);
    printf("%-8s  %-9s  %-6s  %s\n", name, impinge_target_available(i) ? "yes" : "no",
           is_chosen ? "yes" : "", impinge_target_description(i));
}

int command_targets(char *const *arguments) {
    bool wants_help = false;
    const argument_option options[] = {{"--help", "-h", NULL, &wants_help}};
    arguments_read("impinge targets", arguments, options, 1, NULL, 0);
    if (wants_help) {
        fputs(help, stdout);
        return EXIT_RIGHT;
    }
    const char *chosen;
    if (impinge_target_selected(&chosen) < 0) chosen = NULL;
    printf("%-8s  %-9s  %-6s  %s\n", "target", "available", "chosen", "needs");
    for (size_t i = 0; i < impinge_target_count(); i++)
        print_target(i, chosen);
    fflush(stdout);
    /* No target could be chosen. The table is still useful; the message follows it. */
    target_required(NULL);
    return EXIT_RIGHT;
}
