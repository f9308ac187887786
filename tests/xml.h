/** Whether a picture is well-formed. */
#ifndef XML_H
#define XML_H

#include <stdbool.h>

/**
 * Whether the text is one element of XML and a newline, well-formed, with its children and words.
 * Knows what the program's pictures have: no comments, no declarations, few entities.
 */
bool is_well_formed(const char *text);

#endif
