#define _GNU_SOURCE
#include "contained_fail.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/fail.h"

static jmp_buf out;

/*
 * The memory that is allocated and not freed yet: the program frees nothing when it gives up. The
 * linker sends the reader's calls of free here (--wrap=free).
 */
enum { BLOCKS_MAX = 4096 };
static void *blocks[BLOCKS_MAX];
static size_t block_count;

void __real_free(void *block);
void __wrap_free(void *block);

static void forget(const void *block) {
    for (size_t i = 0; block && i < block_count; i++)
        if (blocks[i] == block) blocks[i] = blocks[--block_count];
}

void __wrap_free(void *block) {
    forget(block);
    __real_free(block);
}

/* Formats the message as the program does, so that its arguments are read, and drops it. */
static noreturn void drop(const char *format, va_list arguments) {
    char text[4096];
    vsnprintf(text, sizeof text, format, arguments);
    longjmp(out, 1);
}

noreturn void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    drop(format, arguments);
}

noreturn void fail_at(place where, const char *format, ...) {
    char shown[SPAN_SHOWN_SIZE];
    if (where.column.start) span_show(where.column, shown);
    va_list arguments;
    va_start(arguments, format);
    drop(format, arguments);
}

static void *noted(void *block) {
    if (!block) fail("not enough memory");
    if (block_count == BLOCKS_MAX) abort();
    return blocks[block_count++] = block;
}

/* More than this is no memory: the inputs are small. */
static const size_t most = (size_t)1 << 28;

void *allocate(size_t count, size_t size) {
    if (count > most / size) fail("not enough memory");
    return noted(calloc(count ? count : 1, size));
}

void *reallocate(void *array, size_t count, size_t size) {
    if (count > most / size) fail("not enough memory");
    forget(array);
    return noted(realloc(array, count * size));
}

void contained(void read(const char *path), const uint8_t *data, size_t size) {
    static int file = -1;
    if (file < 0) file = memfd_create("fuzz", 0);
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (file < 0 || ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size) {
        perror("fuzz: memfd");
        exit(2);
    }
    if (setjmp(out) == 0) read(path);
    while (block_count > 0)
        __real_free(blocks[--block_count]);
}
