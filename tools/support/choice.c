#include "choice.h"

#include <stdio.h>
#include <string.h>

#include "fail.h"

/* Enough for the names of all laws; longer lists are cut. */
enum { KNOWN_SIZE = 256 };

/* Longer names are not mistyped ones. */
enum { NAME_MAX_LENGTH = 40 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Letters to insert, leave out, replace or exchange with their neighbours (Damerau; Levenshtein).
 */
static size_t distance(const char *a, const char *b) {
    size_t rows[3][NAME_MAX_LENGTH + 1];
    const size_t lengths[2] = {strlen(a), strlen(b)};
    size_t *last = rows[0], *now = rows[1], *before = rows[2];
    for (size_t j = 0; j <= lengths[1]; j++)
        now[j] = j;
    for (size_t i = 1; i <= lengths[0]; i++) {
        size_t *const spare = before;
        before = last;
        last = now;
        now = spare;
        now[0] = i;
        for (size_t j = 1; j <= lengths[1]; j++) {
            now[j] = least(least(last[j], now[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return now[lengths[1]];
}

const char *choice_nearest(const char *given, const char *const *names, size_t count) {
    const size_t length = strlen(given);
    const char *nearest = NULL;
    size_t most = length < 6 ? (length + 1) / 3 + 1 : length / 3 + 1;
    for (size_t i = 0; i < count && length <= NAME_MAX_LENGTH; i++) {
        if (strlen(names[i]) > NAME_MAX_LENGTH) continue;
        const size_t off = distance(given, names[i]);
        if (off >= most) continue;
        most = off;
        nearest = names[i];
    }
    return nearest;
}

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
