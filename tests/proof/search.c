#include "search.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds_wanted = 60, count_wanted, began;
static uint64_t seed = 1;
static int bits_wanted;

bool search_option(const char *name, const char *value) {
    if (strcmp(name, "--seconds") == 0)
        seconds_wanted = atof(value);
    else if (strcmp(name, "--count") == 0)
        count_wanted = atof(value);
    else if (strcmp(name, "--seed") == 0)
        seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--bits") == 0)
        bits_wanted = atoi(value);
    else
        return false;
    return true;
}

uint64_t search_seed(void) { return seed; }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void search_begin(void) { began = now(); }

double search_seconds(void) { return now() - began; }

bool search_wants(int bits, double done) {
    if (bits_wanted && bits_wanted != bits) return false;
    return count_wanted > 0 ? done < count_wanted : search_seconds() <= seconds_wanted;
}
