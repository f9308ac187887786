/**
 * One line on standard error that shows the progress of long work; it is only drawn on a terminal,
 * and only once the work has lasted a while. Work is done one kind at a time, so there is one line.
 */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/** Enables drawing, which is off at first. */
void progress_enable(bool enabled);

/** Words, if it is time to draw again. */
void progress_line(const char *format, ...) __attribute__((format(printf, 1, 2)));

/** "verb done of total contacts", if it is time to draw again. */
void progress_show(const char *verb, size_t done, size_t total);

/** Takes the line away, if there is one, before something else is written to standard error. */
void progress_clear(void);

/** Seconds of a clock that only goes forward. */
double progress_clock(void);

#endif
