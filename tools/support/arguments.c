#include "arguments.h"

#include <stdio.h>
#include <string.h>

#include "choice.h"
#include "fail.h"

static bool looks_like_option(const char *argument) {
    return argument[0] == '-' && argument[1] && !strchr(".0123456789", argument[1]);
}

/* The option that an argument names, and the value after its '=', if any. */
static const argument_option *find(const char *argument, const argument_option *options,
                                   size_t count, const char **value) {
    size_t length = strcspn(argument, "=");
    *value = argument[length] ? argument + length + 1 : NULL;
    for (size_t i = 0; i < count; i++) {
        if (options[i].letter && !strcmp(argument, options[i].letter)) return &options[i];
        if (strlen(options[i].name) == length && !strncmp(argument, options[i].name, length))
            return &options[i];
    }
    return NULL;
}

static noreturn void fail_unknown(const char *command, const char *argument,
                                  const argument_option *options, size_t count) {
    enum { OPTIONS_MAX = 64 };
    const char *names[OPTIONS_MAX];
    char given[64];
    for (size_t i = 0; i < count && i < OPTIONS_MAX; i++)
        names[i] = options[i].name;
    snprintf(given, sizeof given, "%.*s", (int)strcspn(argument, "="), argument);
    const char *nearest =
        argument[1] == '-' ? choice_nearest(given, names, count < OPTIONS_MAX ? count : OPTIONS_MAX)
                           : NULL;
    if (nearest)
        fail("unknown option '%s'; did you mean %s? see %s --help", argument, nearest, command);
    fail("unknown option '%s'; see %s --help", argument, command);
}

/* Stores an option; returns how many arguments it took. */
static size_t take_option(const char *command, char *const *at, const argument_option *options,
                          size_t count) {
    const char *value;
    const argument_option *found = find(*at, options, count, &value);
    if (!found) fail_unknown(command, *at, options, count);
    if (found->given) {
        if (value) fail("%s takes no value", found->name);
        *found->given = true;
        return 1;
    }
    if (!value && !at[1]) fail("%s needs a value; see %s --help", *at, command);
    *found->value = value ? value : at[1];
    return value ? 1 : 2;
}

size_t arguments_read(const char *command, char *const *arguments, const argument_option *options,
                      size_t option_count, const char **rest, size_t rest_max) {
    size_t count = 0;
    bool only_rest = false;
    while (*arguments) {
        if (!only_rest && !strcmp(*arguments, "--")) {
            only_rest = true;
            arguments++;
        } else if (!only_rest && looks_like_option(*arguments)) {
            arguments += take_option(command, arguments, options, option_count);
        } else if (count < rest_max) {
            rest[count++] = *arguments++;
        } else {
            fail("'%s' is one argument too many; see %s --help", *arguments, command);
        }
    }
    return count;
}
