#include "sets.h"

#include <string.h>

#include "../tests/adversarial_contacts.h"
#include "drawn.h"
#include "recorded.h"

/*
 * Contacts of each drawn set: together with the outputs, more than the first cache and less than
 * the last.
 */
enum { DRAWN = 20000, NEAR_JAMS = 200000 };

/*
 * A contact has up to 13 inputs and 10 outputs in these sets, which are for the laws in closed
 * form: in f32, 256 contacts are 23 KiB, and no first-level cache is smaller than 32; two million
 * are 184 MB. Arrays of two million do not begin at the same place of a page, all in the same lines
 * of a cache, as those of a power of two would.
 */
enum { L1 = 256, MEMORY = 2000000 };

static bool drawn_boxes(contact_rows *rows) {
    *rows = draw_contacts(DRAWN_ANY, DRAWN);
    return true;
}

static bool drawn_sliding(contact_rows *rows) {
    *rows = draw_contacts(DRAWN_SLIDING, DRAWN);
    return true;
}

static bool drawn_sticking(contact_rows *rows) {
    *rows = draw_contacts(DRAWN_STICKING, DRAWN);
    return true;
}

static bool drawn_diverging(contact_rows *rows) {
    *rows = draw_contacts(DRAWN_DIVERGING, DRAWN);
    return true;
}

static bool drawn_separating(contact_rows *rows) {
    *rows = draw_contacts(DRAWN_SEPARATING, DRAWN);
    return true;
}

static bool drawn_spheres(contact_rows *rows) {
    *rows = draw_contacts(DRAWN_SPHERES, DRAWN);
    return true;
}

/* Those on which the errors of docs/speed-routh.md are measured; both precisions solve the same. */
static bool near_jams(contact_rows *rows) {
    uint64_t state = 20000;
    *rows = rows_new(LEVEL_CONTACTS, NEAR_JAMS);
    for (size_t i = 0; i < NEAR_JAMS; i++)
        adversarial_contact(&state, ADVERSARIAL_NEAR_JAM, 32, rows_at(rows, i));
    return true;
}

static const struct {
    const char *name;
    bool (*make)(contact_rows *rows);
    size_t count; /* in f32; half as many in f64, which are as many bytes. 0: the rows */
} makers[SETS] = {
    [SET_BOXES] = {"boxes", drawn_boxes, 0},
    [SET_SLIDING] = {"sliding", drawn_sliding, 0},
    [SET_STICKING] = {"sticking", drawn_sticking, 0},
    [SET_DIVERGING] = {"diverging", drawn_diverging, 0},
    [SET_SEPARATING] = {"separating", drawn_separating, 0},
    [SET_BOXES_PIT] = {"boxes_pit", recorded_boxes, 0},
    [SET_SPHERES_POUR] = {"spheres_pour", recorded_spheres, 0},
    [SET_NEAR_JAM] = {"near-jam", near_jams, 0},
    [SET_L1] = {"l1", drawn_boxes, L1},
    [SET_L1_SPHERES] = {"l1-spheres", drawn_spheres, L1},
    [SET_MEMORY] = {"memory", drawn_boxes, MEMORY},
    [SET_MEMORY_SPHERES] = {"memory-spheres", drawn_spheres, MEMORY},
};

const char *set_name(set_id set) { return makers[set].name; }

#define REAL       float
#define NAME(name) name##_f32
#include "sets_real.inc"
#undef NAME
#undef REAL

#define REAL       double
#define NAME(name) name##_f64
#include "sets_real.inc"

const contact_set *set_get(set_id id) {
    static contact_set sets[SETS];
    contact_set *set = &sets[id];
    if (set->rows.count > 0) return set;
    if (!makers[id].make(&set->rows)) {
        set->rows = (contact_rows){0};
        return NULL;
    }
    const size_t count = makers[id].count;
    set->f32 = batch_of_f32(&set->rows, count > 0 ? count : set->rows.count);
    set->f64 = batch_of_f64(&set->rows, count > 0 ? count / 2 : set->rows.count);
    return set;
}
