/**
 * The output file: whole or not there. It is written under another name in the same folder and
 * renamed at the end; if the program ends before that, by itself or by a signal that it can catch,
 * the other file is removed.
 */
#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H

#include <stddef.h>

#include "span.h"

/**
 * Opens the file ("-": standard output). A path that exists and is no ordinary file, such as a
 * device, is written directly; a link's target is written. Fails if it cannot. There is one output
 * at a time.
 */
void output_open(const char *path);

/** The name of the file that is being written, for a library that writes to names; null: it is none
 * that can be opened again. Nothing else is to be written then. */
const char *output_path(void);

/** Writes bytes. Fails if the disk is full and the like. */
void output_write(span bytes);

/** The same for a text that ends in zero. */
void output_text(const char *text);

/** Writes a number in the fewest digits that read back to the same bits, and what separates it from
 * the next. */
void output_number(double value, const char *separator);

/** Hands on what has been written so far, such as to the reader of a pipe. */
void output_flush(void);

/** Waits until what has been written is on the disk: after it, no failure of power loses it. */
void output_sync(void);

/** Makes sure that everything is written, and gives the file its name. */
void output_finish(void);

/**
 * Ends a program that has printed: `code`, its exit code. Fails if standard output cannot be
 * written, such as to a full disk.
 */
int output_exit(int code);

/** An option that names an output, and what is given for it; null: nothing. */
typedef struct output_name {
    const char *option, *path;
} output_name;

/** Fails if two options name one file: the later would replace the earlier. */
void output_require_distinct(const output_name *names, size_t count);

#endif
