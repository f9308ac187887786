#include "sets.h"

#include "drawn.h"
#include "recorded.h"

/* Of each drawn set: together with the outputs more than the first cache, less than the last. */
enum { DRAWN = 20000 };

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

enum { BOXES, SLIDING, STICKING, DIVERGING, SEPARATING, BOXES_PIT, SPHERES_POUR, SETS };

static const struct {
    const char *name;
    bool (*make)(contact_rows *rows);
} makers[SETS] = {
    [BOXES] = {"boxes", drawn_boxes},
    [SLIDING] = {"sliding", drawn_sliding},
    [STICKING] = {"sticking", drawn_sticking},
    [DIVERGING] = {"diverging", drawn_diverging},
    [SEPARATING] = {"separating", drawn_separating},
    [BOXES_PIT] = {"boxes_pit", recorded_boxes},
    [SPHERES_POUR] = {"spheres_pour", recorded_spheres},
};

size_t set_count(void) { return SETS; }

const char *set_name(size_t i) { return makers[i].name; }

size_t set_boxes(void) { return BOXES; }

static void give_precisions(contact_set *set) {
    const contact_rows *rows = &set->rows;
    set->f32 = batch_new_f32(rows->level, rows->count);
    set->f64 = batch_new_f64(rows->level, rows->count);
    for (size_t i = 0; i < rows->count; i++) {
        batch_set_row_f32(&set->f32, i, rows_at(rows, i));
        batch_set_row_f64(&set->f64, i, rows_at(rows, i));
    }
}

const contact_set *set_get(size_t i) {
    static contact_set sets[SETS];
    contact_set *set = &sets[i];
    if (set->rows.count > 0) return set;
    if (!makers[i].make(&set->rows)) {
        set->rows = (contact_rows){0};
        return NULL;
    }
    give_precisions(set);
    return set;
}
