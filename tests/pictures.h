/** What is in a picture (SVG). */
#ifndef PICTURES_H
#define PICTURES_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Whether the text is one element of XML and a newline, well-formed, with its children and words.
 * Knows what our pictures have: no comments, no declarations, few entities.
 */
bool is_well_formed(const char *text);

/** How often a piece of text occurs. */
size_t count_of(const char *text, const char *piece);

/** The number after the nth occurrence of some words, from 0. */
double number_after(const char *text, const char *words, size_t nth);

/** Where a circle with such a tip stands, in pixels. */
void pixels_of(const char *svg, const char *tip, double at[2]);

/**
 * What "PROGRAM ARGUMENTS -o -" draws, to be freed: smaller than `most` bytes, well-formed, white,
 * by itself, and the same every time.
 */
char *picture_of(const char *program, const char *arguments, size_t most);

#endif
