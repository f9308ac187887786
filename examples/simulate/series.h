/** Measurements of a simulation at some of its steps. */
#ifndef SIMULATE_SERIES_H
#define SIMULATE_SERIES_H

#include <stddef.h>
#include <stdint.h>

typedef struct sample {
    double step, time;
    double translation, rotation, potential; /**< energies */
    double temperature;                      /**< 2/3 of the energy of translation per particle */
    double collisions;                       /**< so far, per particle: two in each impact */
    double momentum[3];
    double fastest;
    double overlap; /**< the deepest, m */
} sample;

/** The numbers that a sample is made of. */
enum { SAMPLE_NUMBERS = sizeof(sample) / sizeof(double) };

typedef struct series {
    size_t count, room;
    sample *samples;
} series;

void series_add(series *to, const sample *one);
void series_free(series *of);

/**
 * As comma-separated values.
 *
 * @param tau of Haff's law, whose temperature T_0 (1 + t / tau)^-2 is a column, too; NaN: none
 */
void series_write(const series *of, double tau, const char *path);

#endif
