#include "progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Shorter work is over before anyone wonders; faster drawing cannot be read. */
static const double seconds_before_first = 0.5;
static const double seconds_between = 0.1;

static struct {
    bool enabled;
    bool drawn;
    double next; /* when to draw again */
} line;

double progress_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_enable(bool enabled) {
    line.enabled = enabled && isatty(STDERR_FILENO);
    line.next = progress_clock() + seconds_before_first;
}

void progress_line(const char *format, ...) {
    if (!line.enabled || progress_clock() < line.next) return;
    va_list values;
    va_start(values, format);
    fputc('\r', stderr);
    vfprintf(stderr, format, values);
    fputs("\033[K", stderr);
    va_end(values);
    line.drawn = true;
    line.next = progress_clock() + seconds_between;
}

void progress_show(const char *verb, size_t done, size_t total) {
    progress_line("%s %zu of %zu contacts", verb, done, total);
}

void progress_clear(void) {
    if (line.drawn) fputs("\r\033[K", stderr);
    line.drawn = false;
}
