#include "choice.h"

#include <stdio.h>
#include <string.h>

#include "fail.h"

/* Enough for the names of all laws; what does not fit is cut. */
enum { KNOWN_SIZE = 256 };

size_t choice_required(const char *option, const char *given, const char *const *names,
                       size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!strcmp(given, names[i])) return i;
    char known[KNOWN_SIZE] = "";
    for (size_t i = 0; i < count; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
                 names[i]);
    fail("%s: there is no '%s'; known: %s", option, given, known);
}
