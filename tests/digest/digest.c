/*
 * digest [COUNT [NAME]]: resolves random contacts of every kind by every law and prints a digest of
 * all that comes out, one line per call, precision and way to resolve. The same on every machine
 * and target: the contacts are made of integers and of operations that IEEE 754 rounds in one way
 * only.
 *
 * With NAME, prints the results of each contact of that line instead, to find where two differ.
 */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <impinge/impinge.h>

#include "rows.h"
#include "ways.h"

#define COUNT_DEFAULT 3001 /* odd: there is a last, partial vector whatever the width */

static uint64_t mix(uint64_t digest, uint64_t word) {
    digest = (digest ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return digest ^ digest >> 29;
}

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fputs("digest: out of memory\n", stderr);
        exit(1);
    }
    return memory;
}

/* The arguments: the number of contacts, and the line to show in full or null. */
typedef struct request {
    size_t count;
    const char *shown;
} request;

static void check_outcomes(const char *name, uint32_t seen, uint32_t expected) {
    if ((seen & expected) == expected) {
        return;
    }
    char missing[IMPINGE_OUTCOME_TEXT_SIZE];
    impinge_outcome_text(expected & ~seen, missing, sizeof missing);
    fprintf(stderr, "digest: %s: no contact came out as %s\n", name, missing);
    exit(1);
}

static void check(bool ok, const char *name, const char *what) {
    if (ok) {
        return;
    }
    fprintf(stderr, "digest: %s: %s\n", name, what);
    exit(1);
}

#define REAL        float
#define BITS        32
#define WORD        uint32_t
#define SCALE_LIMIT 100 /* of exponents, so that some sizes leave the range */
#define NAME(name)  name##_f32
#include "real.inc"
#undef REAL
#undef BITS
#undef WORD
#undef SCALE_LIMIT
#undef NAME

#define REAL        double
#define BITS        64
#define WORD        uint64_t
#define SCALE_LIMIT 900
#define NAME(name)  name##_f64
#include "real.inc"

/* A law that is added to the library is to have lines here. */
static void check_every_law(void) {
    bool has[IMPINGE_LAW_COUNT] = {[IMPINGE_LAW_ROUTH] = true};
    for (size_t i = 0; i < sizeof law_ways / sizeof *law_ways; ++i) {
        has[law_ways[i].options.law] = true;
    }
    for (int law = 0; law < IMPINGE_LAW_COUNT; ++law) {
        check(has[law], impinge_law_name((impinge_law)law), "this law has no line");
    }
}

int main(int argc, char **argv) {
    request asked = {COUNT_DEFAULT, NULL};
    if (argc > 1) {
        asked.count = (size_t)strtoul(argv[1], NULL, 10);
    }
    if (argc > 2) {
        asked.shown = argv[2];
    }
    if (asked.count == 0 || argc > 3) {
        fputs("usage: digest [COUNT [NAME]]\n", stderr);
        return 2;
    }

    const char *target = NULL;
    const impinge_status status = impinge_target_selected(&target);
    if (status != IMPINGE_OK) {
        fprintf(stderr, "digest: %s\n", impinge_status_text(status));
        return 2;
    }
    check_every_law();
    printf("target %s\n", target);
    digest_all_f32(&asked);
    digest_all_f64(&asked);
    return 0;
}
