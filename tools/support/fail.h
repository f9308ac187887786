/**
 * Ends the program after an error: one line to standard error, then exit code 2. Handlers that run
 * at exit undo what has to be undone, such as a half-written output file.
 */
#ifndef TOOLS_FAIL_H
#define TOOLS_FAIL_H

#include <stddef.h>
#include <stdnoreturn.h>

#include "span.h"

/** The program's exit codes. */
enum exit_code {
    EXIT_RIGHT = 0,        /**< done; invalid contacts are counted, not an error */
    EXIT_NOT_VERIFIED = 1, /**< done, but an impulse is farther from the reference than allowed */
    EXIT_FAILED = 2        /**< wrong usage, wrong data, no such target, no memory, no disk */
};

/** The place of an error in a table. */
typedef struct place {
    const char *file;
    size_t line;
    span column; /**< its name; null start: no column is to blame */
} place;

/** Sets the program's name in messages; "impinge" by default. */
void fail_as(const char *program);

/** Writes "PROGRAM: " and a sentence, and exits with EXIT_FAILED. Safe to call from any thread. */
noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** The same with "file:line: column NAME: " before the sentence. */
noreturn void fail_at(place where, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** An array of `count` elements of `size` bytes, all zero; does not return if there is no memory.
 */
void *allocate(size_t count, size_t size);

/** An array grown to `count` elements, as realloc does; does not return if there is no memory. */
void *reallocate(void *array, size_t count, size_t size);

#endif
