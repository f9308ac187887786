/** The sets that are resolved. */
#ifndef BENCH_SETS_H
#define BENCH_SETS_H

#include "rows.h"

typedef struct contact_set {
    contact_rows rows;
    batch_f32 f32;
    batch_f64 f64;
} contact_set;

/** How many there are, and their names as they stand in the names of benchmarks. */
size_t set_count(void);
const char *set_name(size_t i);

/** The set "boxes", of which samples are taken. */
size_t set_boxes(void);

/** The set, made at the first call; null, with a message, if its file cannot be read. */
const contact_set *set_get(size_t i);

#endif
