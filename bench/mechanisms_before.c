/*
 * Mechanisms of 32 coordinates by Chatterjee and Ruina's law, in f64: nanoseconds a mechanism, the
 * minimum of many calls by the thread's CPU time, on the target that is named.
 *
 * scripts/bench --against compiles this with two commits, whose headers may differ: it uses only
 * what both have. SELECTS: calls take a selection.
 */
#define _POSIX_C_SOURCE 200809L
#include <float.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <impinge/mechanisms.h>
#include <impinge/target.h>

/* In the second cache. */
enum { COORDINATES = 32, COUNT = 240, ELEMENTS = COORDINATES * (COORDINATES + 1) / 2, CALLS = 100 };

static double mass[ELEMENTS * COUNT], jacobian[3 * COORDINATES * COUNT];
static double speeds[COORDINATES * COUNT], after[COORDINATES * COUNT];

/* Knuth's linear congruential generator: the tree's own headers differ between the commits. */
static double random_number(void) {
    static uint64_t state = 32032;
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (double)(state >> 11) * 0x1p-53 - 0.5;
}

/* M has a heavy diagonal, so that it is definite. */
static void draw(void) {
    for (size_t i = 0, at = 0; i < COORDINATES; i++)
        for (size_t j = 0; j <= i; j++, at++)
            for (size_t m = 0; m < COUNT; m++)
                mass[at * COUNT + m] = i == j ? COORDINATES : random_number();
    for (size_t k = 0; k < 3 * COORDINATES * COUNT; k++)
        jacobian[k] = 2 * random_number();
    for (size_t k = 0; k < COORDINATES * COUNT; k++)
        speeds[k] = 2 * random_number();
}

static double nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static impinge_status resolve(const impinge_mechanisms_f64 *in, const impinge_options *options,
                              const impinge_mechanism_results_f64 *out) {
#ifdef SELECTS
    return impinge_resolve_mechanisms_f64(in, NULL, options, out, NULL);
#else
    return impinge_resolve_mechanisms_f64(in, options, out, NULL);
#endif
}

int main(int argc, char **argv) {
    if (argc != 2 || impinge_target_select(argv[1]) != IMPINGE_OK) return EXIT_FAILURE;
    draw();
    impinge_mechanisms_f64 in = {.coordinates = COORDINATES,
                                 .stride = COUNT,
                                 .mass = mass,
                                 .jacobian = jacobian,
                                 .speeds = speeds};
    in.count = COUNT;
    in.coefficients.restitution.value = 0.5;
    in.coefficients.friction.value = 0.3;
    impinge_mechanism_results_f64 out = {.speeds = after};
    impinge_options options = {.law = IMPINGE_LAW_CHATTERJEE_RUINA};
    double least = DBL_MAX;
    for (int i = 0; i < CALLS; i++) {
        const double begin = nanoseconds();
        if (resolve(&in, &options, &out) != IMPINGE_OK) return EXIT_FAILURE;
        const double taken = nanoseconds() - begin;
        if (taken < least) least = taken;
    }
    printf("mechanisms/chatterjee-ruina/f64/%s/%d %.1f\n", argv[1], COORDINATES, least / COUNT);
    return EXIT_SUCCESS;
}
