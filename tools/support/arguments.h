/** The arguments of a command: options with or without a value, and the rest in order. */
#ifndef TOOLS_ARGUMENTS_H
#define TOOLS_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>

/** An option; either `value` or `given` is where it goes. */
typedef struct argument_option {
    const char *name;   /**< "--output" */
    const char *letter; /**< "-o"; null: it has none */
    const char **value; /**< its value, "--output VALUE" or "--output=VALUE"; the last one wins */
    bool *given;
} argument_option;

/**
 * Goes through the arguments of `command` ("impinge resolve", for messages). "--" ends the options;
 * a lone "-", or text that begins like a negative number, is no option. Fails at unknown options,
 * missing values, and more than `rest_max` other arguments.
 *
 * @param rest receives the other arguments
 * @return their number
 */
size_t arguments_read(const char *command, char *const *arguments, const argument_option *options,
                      size_t option_count, const char **rest, size_t rest_max);

#endif
