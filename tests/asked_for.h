/** Numbers from the environment: seeds, and counts of trials. */
#ifndef ASKED_FOR_H
#define ASKED_FOR_H

#include <stddef.h>
#include <stdlib.h>

/** The number in a variable of the environment, such as 1e6; `otherwise` if there is none. */
static inline size_t number_from(const char *name, size_t otherwise) {
    const char *const text = getenv(name);
    return text ? (size_t)strtod(text, NULL) : otherwise;
}

#endif
