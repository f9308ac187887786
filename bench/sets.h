/** The contacts of the sets. */
#ifndef BENCH_SETS_H
#define BENCH_SETS_H

#include "rows.h"
#include "set_id.h"

typedef struct contact_set {
    contact_rows rows;
    /** The first of the rows, or all again and again: as many as the set has in the precision. */
    batch_f32 f32;
    batch_f64 f64;
} contact_set;

/** The set, made at the first call; null, with a message, if its file cannot be read. */
const contact_set *set_get(set_id set);

#endif
