/** The bytes of an input file, one after the other; gzip is unpacked. */
#ifndef TOOLS_INPUT_H
#define TOOLS_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct input input;

/** Opens a file ("-": standard input). Fails if that cannot be. */
input *input_open(const char *path);
void input_close(input *of);

/** Text of a file that is made piece by piece: bytes `begin` to `end` are made and not read yet. */
typedef struct made_text {
    char *text;
    size_t begin, end;
} made_text;

/**
 * A file whose text is made as it is read.
 *
 * @param text what there is to read
 * @param more makes the next piece, in the place of the last; false: there is none
 * @param close frees `context`
 */
input *input_made(const char *name, made_text *text, bool (*more)(void *context),
                  void (*close)(void *context), void *context);

/** Its name, for messages. */
const char *input_name(const input *of);

/**
 * Reads up to `size` bytes: as many as are there now, but one at least unless the file ends.
 * Returns how many; 0 at the end. Fails if it cannot be read.
 */
size_t input_read(input *of, char *to, size_t size);

/** The share that has been read, from 0 to 1; NaN if the file's size is not known. */
double input_share(const input *of);

#endif
