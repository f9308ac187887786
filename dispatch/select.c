#include "select.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/*
 * The only state of the library. Both start as zero. The first call writes `chosen`; concurrent
 * calls write the same value. It is a status, or an index plus one, with FORCED if IMPINGE_TARGET
 * names it, INTEL for a CPU of Intel's, and a bit from RUNS on for each target that runs.
 */
enum { INDEX = 15, FORCED = 16, INTEL = 32, RUNS = 256 };
_Static_assert((int)IMPINGE_TARGET_COUNT < (int)INDEX, "an index has its bits");
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

/* Scalar, the last, always runs. */
static int best_of_all(void) {
    int index = IMPINGE_TARGET_COUNT, runs = 0;
    for (int i = IMPINGE_TARGET_COUNT - 1; i >= 0; i--) {
        if (!impinge_target_runs(&impinge_target_entries[i])) continue;
        index = i;
        runs |= RUNS << i;
    }
    return (index + 1) | runs | (impinge_cpu_made_by() == IMPINGE_CPU_INTEL ? INTEL : 0);
}

/* The value of `chosen`. */
static int choose(void) {
    const char *name = getenv("IMPINGE_TARGET");
    if (!name || !*name) return best_of_all();
    int index = 0;
    const impinge_status status = find(name, &index);
    return status == IMPINGE_OK ? (index + 1) | FORCED : (int)status;
}

impinge_status impinge_select_target(impinge_selected_target *selection) {
    int choice = atomic_load_explicit(&forced, memory_order_relaxed);
    if (choice == 0) choice = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (choice == 0) {
        choice = choose();
        atomic_store_explicit(&chosen, choice, memory_order_relaxed);
    }
    if (choice < 0) return (impinge_status)choice;
    selection->target = &impinge_target_entries[(choice & INDEX) - 1];
    selection->is_forced = (choice & FORCED) != 0;
    selection->maker = choice & INTEL ? IMPINGE_CPU_INTEL : IMPINGE_CPU_OTHER;
    selection->runs = (unsigned)choice / RUNS;
    return IMPINGE_OK;
}

impinge_status impinge_current_target(const impinge_target_entry **target) {
    impinge_selected_target selection;
    const impinge_status status = impinge_select_target(&selection);
    if (status == IMPINGE_OK) *target = selection.target;
    return status;
}

impinge_status impinge_force_target(const char *name) {
    int index = 0;
    if (name) {
        const impinge_status status = find(name, &index);
        if (status != IMPINGE_OK) return status;
    }
    atomic_store_explicit(&forced, name ? (index + 1) | FORCED : 0, memory_order_relaxed);
    return IMPINGE_OK;
}
