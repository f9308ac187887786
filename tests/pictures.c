#include "pictures.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "runs.h"

typedef struct element {
    const char *name;
    size_t length;
} element;

static const char *name_end(const char *at) {
    while (isalnum((unsigned char)*at) || *at == '-' || *at == ':')
        at++;
    return at;
}

/* Character data up to the next tag: "&" begins one of the entities that need no declaration. */
static const char *skip_text(const char *at, char end) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#8203;"};
    for (; *at && *at != end; at++) {
        if (*at == '<') return NULL;
        if (*at != '&') continue;
        bool known = false;
        for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
            known = known || strncmp(at, entities[i], strlen(entities[i])) == 0;
        if (!known) return NULL;
    }
    return *at == end ? at : NULL;
}

/* The attributes of a tag: each has a name and a quoted value, none a name twice. */
static const char *skip_attributes(const char *at) {
    enum { MOST = 16 };
    element seen[MOST];
    size_t count = 0;
    while (*at == ' ') {
        const char *name = ++at;
        at = name_end(at);
        const size_t length = (size_t)(at - name);
        if (length == 0 || at[0] != '=' || at[1] != '"' || count == MOST) return NULL;
        for (size_t i = 0; i < count; i++)
            if (seen[i].length == length && strncmp(seen[i].name, name, length) == 0) return NULL;
        seen[count++] = (element){name, length};
        at = skip_text(at + 2, '"');
        if (!at) return NULL;
        at++;
    }
    return at;
}

bool is_well_formed(const char *text) {
    enum { DEEPEST = 16 };
    element open[DEEPEST];
    size_t depth = 0;
    const char *at = text;
    do {
        if (*at++ != '<') return false;
        const bool closes = *at == '/';
        const char *name = at + closes;
        at = name_end(name);
        const size_t length = (size_t)(at - name);
        if (length == 0) return false;
        if (closes) {
            if (depth == 0 || open[--depth].length != length) return false;
            if (strncmp(open[depth].name, name, length) != 0 || *at++ != '>') return false;
        } else {
            at = skip_attributes(at);
            if (!at || depth == DEEPEST) return false;
            const bool empty = *at == '/';
            at += empty;
            if (*at++ != '>') return false;
            if (!empty) open[depth++] = (element){name, length};
        }
        if (depth > 0) at = skip_text(at, '<');
    } while (depth > 0 && at);
    return at && strcmp(at, "\n") == 0;
}

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

void pixels_of(const char *svg, const char *tip, double at[2]) {
    const char *title = strstr(svg, tip);
    cr_assert(title != NULL);
    const char *circle = title;
    while (strncmp(circle, "<circle", 7) != 0)
        circle--;
    cr_assert(sscanf(circle, "<circle cx=\"%lf\" cy=\"%lf\"", &at[0], &at[1]) == 2);
}

enum { LINE_SIZE = 1024 };

char *picture_of(const char *program, const char *arguments, size_t most) {
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "%s -o -", arguments);
    program_run of = run_quietly(program, line);
    program_run again = run_quietly(program, line);
    cr_assert(of.code == 0, "%s: exit code %d", arguments, of.code);
    cr_expect(of.length < most, "%s: %zu bytes", arguments, of.length);
    cr_expect(is_well_formed(of.text), "%s", arguments);
    cr_expect_str_eq(of.text, again.text);
    cr_expect(strstr(of.text, "fill=\"#ffffff\"/>") != NULL);
    static const char *const outside[] = {"<script", "href", "url(", "<image",
                                          "<style",  "nan",  "inf "};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        cr_expect(!strstr(of.text, outside[i]), "%s has %s", arguments, outside[i]);
    free(again.text);
    return of.text;
}
