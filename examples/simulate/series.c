#include "series.h"

#include <stdlib.h>

#include "support/fail.h"
#include "support/number.h"
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

static void write_number(double value, const char *after) {
    char text[NUMBER_SIZE];
    number_write(text, value, PRECISION_F64);
    output_text(text);
    output_text(after);
}

void series_write(const series *of, const char *path) {
    output_open(path);
    output_text("step,time,translation,rotation,potential,temperature,collisions_per_particle,"
                "momentum_x,momentum_y,momentum_z,fastest,overlap\n");
    for (size_t i = 0; i < of->count; i++) {
        const sample *at = &of->samples[i];
        write_number(at->step, ",");
        write_number(at->time, ",");
        write_number(at->translation, ",");
        write_number(at->rotation, ",");
        write_number(at->potential, ",");
        write_number(at->temperature, ",");
        write_number(at->collisions, ",");
        for (size_t axis = 0; axis < 3; axis++)
            write_number(at->momentum[axis], ",");
        write_number(at->fastest, ",");
        write_number(at->overlap, "\n");
    }
    output_finish();
}
