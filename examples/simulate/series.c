#include "series.h"

#include <math.h>
#include <stdlib.h>

#include "support/fail.h"
#include "support/output.h"

void series_add(series *to, const sample *one) {
    if (to->count == to->room) {
        to->room = 2 * to->room + 64;
        to->samples = reallocate(to->samples, to->room, sizeof *to->samples);
    }
    to->samples[to->count++] = *one;
}

void series_free(series *of) {
    free(of->samples);
    *of = (series){0};
}

void series_write(const series *of, double tau, const char *path) {
    output_open(path);
    output_text("step,time,translation,rotation,potential,temperature,collisions_per_particle,"
                "momentum_x,momentum_y,momentum_z,fastest,overlap");
    output_text(isnan(tau) ? "\n" : ",temperature_haff\n");
    for (size_t i = 0; i < of->count; i++) {
        const sample *at = &of->samples[i];
        output_number(at->step, ",");
        output_number(at->time, ",");
        output_number(at->translation, ",");
        output_number(at->rotation, ",");
        output_number(at->potential, ",");
        output_number(at->temperature, ",");
        output_number(at->collisions, ",");
        for (size_t axis = 0; axis < 3; axis++)
            output_number(at->momentum[axis], ",");
        output_number(at->fastest, ",");
        output_number(at->overlap, isnan(tau) ? "\n" : ",");
        if (isnan(tau)) continue;
        const double cooled = 1 + at->time / tau;
        output_number(of->samples[0].temperature / (cooled * cooled), "\n");
    }
    output_finish();
}
