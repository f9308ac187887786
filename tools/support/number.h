/** Numbers as text, in either precision, and arrays of them. */
#ifndef TOOLS_NUMBER_H
#define TOOLS_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "span.h"

/** The element type of a batch. */
typedef enum precision { PRECISION_F32, PRECISION_F64 } precision;

/** "f32" or "f64". */
const char *precision_name(precision of);

/** An array of either precision. An element is handled as a double, which holds both exactly. */
typedef struct numbers {
    precision precision;
    void *elements; /**< float or double; null: there is no array */
} numbers;

numbers numbers_allocate(precision of, size_t count);
void numbers_grow(numbers *array, size_t count);
void numbers_free(numbers *array);
double numbers_get(const numbers *array, size_t i);

/** Rounds to the array's precision; numbers too large for it become infinite. */
void numbers_set(const numbers *array, size_t i, double value);

/** Errors of a number's text. */
typedef enum number_fault {
    NUMBER_RIGHT,
    NUMBER_EMPTY,
    NUMBER_NOT_ONE,  /**< letters, or something after the number */
    NUMBER_TOO_LARGE /**< finite as written, infinite in the precision */
} number_fault;

/**
 * Reads a number in C's notation (decimal, hexadecimal, inf, nan), rounded once, straight to the
 * precision. Blanks around it do not matter. The byte after the text must exist and be none that
 * could continue a number: a separator, a quote, the end of a line or the terminating zero.
 */
number_fault number_read(span text, precision to, double *value);

/** As number_read, for an argument called `what`; fails if it is no number. */
double number_required(const char *what, const char *text, precision to);

/** As number_required, for a whole number from `least` to `most`. */
uint64_t whole_required(const char *what, const char *text, uint64_t least, uint64_t most);

/** As number_required, for a number from `least` to `most`. */
double number_within(const char *what, const char *text, double least, double most);

/** Enough for what number_write writes, with its terminating zero. */
enum { NUMBER_SIZE = 48 };

/** Writes a number in the fewest digits that number_read reads to the same bits (decimal.h), with a
 * terminating zero. Returns its length. */
size_t number_write(char text[NUMBER_SIZE], double value, precision of);

/** Why a number is refused, as the end of a sentence about it. */
const char *number_fault_text(number_fault fault, precision to);

#endif
