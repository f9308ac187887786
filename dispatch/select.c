#include "select.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/*
 * The only state of the library. Both start as zero. The first call writes `chosen`, and calls at
 * the same time write the same value. It is an index plus one, or a status.
 */
static atomic_int chosen;
static atomic_int forced;

static impinge_status find(const char *name, int *index) {
    for (int i = 0; i < IMPINGE_TARGET_COUNT; i++) {
        if (strcmp(name, impinge_target_entries[i].name) != 0) continue;
        *index = i;
        return impinge_target_runs(&impinge_target_entries[i]) ? IMPINGE_OK
                                                               : IMPINGE_ERROR_TARGET_UNAVAILABLE;
    }
    return IMPINGE_ERROR_TARGET_UNKNOWN;
}

static int best(void) {
    int i = 0;
    while (!impinge_target_runs(&impinge_target_entries[i]))
        i++; /* scalar, the last, runs always */
    return i;
}

/* An index plus one, or a negative status. */
static int choose(void) {
    const char *name = getenv("IMPINGE_TARGET");
    if (!name || !*name) return best() + 1;
    int index = 0;
    const impinge_status status = find(name, &index);
    return status == IMPINGE_OK ? index + 1 : (int)status;
}

impinge_status impinge_current_target(const impinge_target_entry **target) {
    int choice = atomic_load_explicit(&forced, memory_order_relaxed);
    if (choice == 0) choice = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (choice == 0) {
        choice = choose();
        atomic_store_explicit(&chosen, choice, memory_order_relaxed);
    }
    if (choice < 0) return (impinge_status)choice;
    *target = &impinge_target_entries[choice - 1];
    return IMPINGE_OK;
}

impinge_status impinge_force_target(const char *name) {
    int index = -1; /* plus one: no target is forced */
    if (name) {
        const impinge_status status = find(name, &index);
        if (status != IMPINGE_OK) return status;
    }
    atomic_store_explicit(&forced, index + 1, memory_order_relaxed);
    return IMPINGE_OK;
}
