#include "recorded.h"

#include <stdio.h>
#include <stdlib.h>

#include "recorded_table.h"

_Static_assert((int)RECORDED_BODY == (int)BODY_INPUTS && (int)RECORDED_NORMAL == (int)IN_NORMAL &&
                   (int)RECORDED_NUMBERS == (int)IN_PAIR_FRICTION_STATIC,
               "rows begin as those of a batch do");

static bool load(const char *name, const char *restitution, const char *friction,
                 contact_rows *rows) {
    const char *folder = getenv("IMPINGE_BENCH_DATA");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder && *folder ? folder : BENCH_DATA, name);
    size_t count;
    double *recorded = recorded_table(path, restitution, friction, &count);
    *rows = rows_new(LEVEL_BODY_PAIRS, count);
    for (size_t i = 0; i < count; i++) {
        double *row = rows_at(rows, i);
        for (size_t j = 0; j < RECORDED_NUMBERS; j++)
            row[j] = recorded[i * RECORDED_NUMBERS + j];
        row[IN_PAIR_FRICTION_STATIC] = row[IN_PAIR_FRICTION];
    }
    free(recorded);
    return count > 0;
}

bool recorded_boxes(contact_rows *rows) { return load("boxes_pit.csv", NULL, NULL, rows); }

bool recorded_spheres(contact_rows *rows) { return load("spheres_pour.csv", "0.9", "0.4", rows); }
