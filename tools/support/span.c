#include "span.h"

#include <string.h>

span span_of(const char *text) { return (span){text, strlen(text)}; }

bool span_equal(span a, span b) {
    return a.length == b.length && !memcmp(a.start, b.start, a.length);
}

static bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

span span_trimmed(span text) {
    while (text.length && is_blank(text.start[0])) {
        text.start++;
        text.length--;
    }
    while (text.length && is_blank(text.start[text.length - 1]))
        text.length--;
    return text;
}

const char *span_show(span text, char shown[SPAN_SHOWN_SIZE]) {
    static const char cut[] = "...";
    size_t room = SPAN_SHOWN_SIZE - sizeof cut;
    size_t length = text.length < room ? text.length : room;
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text.start[i];
        shown[i] = byte < 32 || byte == 127 ? '?' : (char)byte;
    }
    memcpy(shown + length, cut, sizeof cut);
    if (length == text.length) shown[length] = 0;
    return shown;
}
