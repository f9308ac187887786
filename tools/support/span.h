/** Pieces of text in memory that others own; they do not end in a zero. */
#ifndef TOOLS_SPAN_H
#define TOOLS_SPAN_H

#include <stdbool.h>
#include <stddef.h>

typedef struct span {
    const char *start;
    size_t length;
} span;

/** The whole of a string. */
span span_of(const char *text);

bool span_equal(span a, span b);

/** Without the spaces and tabs around it. */
span span_trimmed(span text);

/** Room for what span_show writes. */
enum { SPAN_SHOWN_SIZE = 64 };

/** As a string that fits into a message of one line: cut if long, '?' for control characters. */
const char *span_show(span text, char shown[SPAN_SHOWN_SIZE]);

#endif
