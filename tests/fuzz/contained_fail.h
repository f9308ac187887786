/** Replaces tools/support/fail.c: an input that the program refuses with a message is no fault. */
#ifndef FUZZ_CONTAINED_FAIL_H
#define FUZZ_CONTAINED_FAIL_H

#include <stddef.h>
#include <stdint.h>

/** Runs the reader on a file of these bytes, until it returns or fails. */
void contained(void read(const char *path), const uint8_t *data, size_t size);

#endif
