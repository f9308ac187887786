/** Options whose value is one of several names. */
#ifndef TOOLS_CHOICE_H
#define TOOLS_CHOICE_H

#include <stddef.h>

/** The index of a name in a list of names; fails, saying what there is, if it is not in it. */
size_t choice_required(const char *option, const char *given, const char *const *names,
                       size_t count);

/**
 * The name most like the given one, to suggest in a message: two letters off, or a third of them.
 * Null: none.
 */
const char *choice_nearest(const char *given, const char *const *names, size_t count);

#endif
