#include "fail.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "progress.h"

/*
 * Taken and never given back: if two threads fail at once, one writes its message and ends the
 * process.
 */
static pthread_mutex_t last_words = PTHREAD_MUTEX_INITIALIZER;

static const char *speaker = "impinge";

void fail_as(const char *program) { speaker = program; }

static noreturn void end_line_and_exit(void) {
    fputc('\n', stderr);
    exit(EXIT_FAILED);
}

static void begin_line(void) {
    pthread_mutex_lock(&last_words);
    progress_clear();
}

noreturn void fail(const char *format, ...) {
    begin_line();
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s: ", speaker);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    end_line_and_exit();
}

noreturn void fail_at(place where, const char *format, ...) {
    begin_line();
    fprintf(stderr, "%s:%zu: ", where.file, where.line);
    if (where.column.start) {
        char shown[SPAN_SHOWN_SIZE];
        fprintf(stderr, "column %s: ", span_show(where.column, shown));
    }
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    end_line_and_exit();
}

void *allocate(size_t count, size_t size) {
    void *array = calloc(count ? count : 1, size);
    if (!array) fail("not enough memory");
    return array;
}

void *reallocate(void *array, size_t count, size_t size) {
    void *grown = count <= SIZE_MAX / size ? realloc(array, count * size) : NULL;
    if (!grown) fail("not enough memory");
    return grown;
}
