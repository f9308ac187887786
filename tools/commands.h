/** The commands of the program. Each gets the arguments after its name, and returns an exit code.
 */
#ifndef TOOLS_COMMANDS_H
#define TOOLS_COMMANDS_H

int command_resolve(char *const *arguments);
int command_compare(char *const *arguments);
int command_survey(char *const *arguments);
int command_targets(char *const *arguments);
int command_rays(char *const *arguments);
int command_trace(char *const *arguments);

#endif
