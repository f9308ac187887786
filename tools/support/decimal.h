/**
 * Numbers as decimal text, fast and exact: reading rounds once, to the nearest (ties to even), and
 * writing gives the fewest digits that read back to the same bits, the nearest of those.
 *
 * Debian has libraries for this in C++ only (fast_float, dragonbox, double-conversion), which a C
 * program would need a C++ compiler for; the C library reads and writes a fifth to a tenth as fast.
 */
#ifndef TOOLS_DECIMAL_H
#define TOOLS_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Reads a plain decimal number: a sign or none, up to 19 significant digits with a point among them
 * or not, an exponent or none.
 *
 * Returns where it ends; null if it is anything else, or so near the middle between two numbers, so
 * small or so large that strtod has to decide. The byte after the text must continue no number, and
 * DECIMAL_PADDING bytes after it must be readable.
 */
enum { DECIMAL_PADDING = 8 };
const char *decimal_read_f32(const char *text, float *value);
const char *decimal_read_f64(const char *text, double *value);

/** Enough for what is written (a sign, 17 digits, a point, zeros or an exponent), and for what is
 * written behind it and does not count. */
enum { DECIMAL_SIZE = 40 };

/** Writes a number without a terminating zero, "nan", "inf" or "-inf". Returns its length. */
size_t decimal_write_f32(char text[DECIMAL_SIZE], float value);
size_t decimal_write_f64(char text[DECIMAL_SIZE], double value);

#endif
