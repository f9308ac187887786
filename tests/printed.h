/** Searches in a text that a program printed. */
#ifndef PRINTED_H
#define PRINTED_H

#include <stddef.h>

/** The number of times that a piece of text occurs. */
size_t count_of(const char *text, const char *piece);

/** The number after the nth occurrence of some words, from 0. */
double number_after(const char *text, const char *words, size_t nth);

#endif
