#include "printed.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

size_t count_of(const char *text, const char *piece) {
    size_t count = 0;
    for (const char *at = strstr(text, piece); at; at = strstr(at + 1, piece))
        count++;
    return count;
}

double number_after(const char *text, const char *words, size_t nth) {
    const char *at = strstr(text, words);
    for (; at && nth > 0; nth--)
        at = strstr(at + 1, words);
    cr_assert(at != NULL, "no '%s'", words);
    return strtod(at + strlen(words), NULL);
}
