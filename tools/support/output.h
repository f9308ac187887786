/**
 * The output file: whole or not there. It is written under another name in the same folder and
 * renamed at the end; if the program ends before that, however it ends, the other file is removed.
 */
#ifndef TOOLS_OUTPUT_H
#define TOOLS_OUTPUT_H

#include "span.h"

/**
 * Opens the file ("-": standard output). A path that exists and is no ordinary file, such as a
 * device, is written to as it is. Fails if that cannot be. There is one output at a time.
 */
void output_open(const char *path);

/** Writes bytes. Fails if the disk is full and the like. */
void output_write(span bytes);

/** The same for a text that ends in zero. */
void output_text(const char *text);

/** Makes sure that everything is written, and gives the file its name. */
void output_finish(void);

/**
 * Ends a program that has printed: `code`, its exit code. Fails if standard output cannot be
 * written, such as to a full disk.
 */
int output_exit(int code);

#endif
