#include "number.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "decimal.h"
#include "fail.h"

const char *precision_name(precision of) { return of == PRECISION_F32 ? "f32" : "f64"; }

numbers numbers_allocate(precision of, size_t count) {
    size_t size = of == PRECISION_F32 ? sizeof(float) : sizeof(double);
    return (numbers){of, allocate(count, size)};
}

void numbers_grow(numbers *array, size_t count) {
    const size_t size = array->precision == PRECISION_F32 ? sizeof(float) : sizeof(double);
    array->elements = reallocate(array->elements, count, size);
}

void numbers_free(numbers *array) {
    free(array->elements);
    array->elements = NULL;
}

double numbers_get(const numbers *array, size_t i) {
    if (array->precision == PRECISION_F32) return (double)((const float *)array->elements)[i];
    return ((const double *)array->elements)[i];
}

void numbers_set(const numbers *array, size_t i, double value) {
    if (array->precision == PRECISION_F32)
        ((float *)array->elements)[i] = (float)value;
    else
        ((double *)array->elements)[i] = value;
}

number_fault number_read(span text, precision to, double *value) {
    text = span_trimmed(text);
    /* Before strtod, which would skip the end of the line and read the next one. */
    if (!text.length) return NUMBER_EMPTY;
    if ((unsigned char)*text.start <= ' ') return NUMBER_NOT_ONE;
    char *end;
    errno = 0;
    *value = to == PRECISION_F32 ? (double)strtof(text.start, &end) : strtod(text.start, &end);
    if (end != text.start + text.length) return NUMBER_NOT_ONE;
    return errno == ERANGE && isinf(*value) ? NUMBER_TOO_LARGE : NUMBER_RIGHT;
}

const char *number_fault_text(number_fault fault, precision to) {
    switch (fault) {
    case NUMBER_EMPTY:
        return "is empty, where a number must be";
    case NUMBER_TOO_LARGE:
        return to == PRECISION_F32 ? "is too large for f32; --precision f64 holds more"
                                   : "is too large for f64";
    case NUMBER_NOT_ONE:
    case NUMBER_RIGHT:
        break;
    }
    return "is not a number";
}

double number_required(const char *what, const char *text, precision to) {
    double value;
    number_fault fault = number_read(span_of(text), to, &value);
    if (fault != NUMBER_RIGHT) fail("%s: '%s' %s", what, text, number_fault_text(fault, to));
    return value;
}

double number_within(const char *what, const char *text, double least, double most) {
    const double value = number_required(what, text, PRECISION_F64);
    if (!(value >= least && value <= most))
        fail("%s: '%s' is not between %g and %g", what, text, least, most);
    return value;
}

uint64_t whole_required(const char *what, const char *text, uint64_t least, uint64_t most) {
    /* Counts up to here are exact as doubles. */
    const uint64_t exact = (uint64_t)1 << 53;
    const double value = number_required(what, text, PRECISION_F64);
    if (most > exact) most = exact;
    if (!(value >= (double)least && value <= (double)most) || value != floor(value))
        fail("%s: '%s' is not a whole number from %llu to %llu", what, text,
             (unsigned long long)least, (unsigned long long)most);
    return (uint64_t)value;
}

size_t number_write(char text[NUMBER_SIZE], double value, precision of) {
    const size_t length = of == PRECISION_F32 ? decimal_write_f32(text, (float)value)
                                              : decimal_write_f64(text, value);
    text[length] = '\0';
    return length;
}
