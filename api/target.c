/* The targets, and which of them is used. */
#include <impinge/target.h>

#include "../dispatch/select.h"

size_t impinge_target_count(void) { return IMPINGE_TARGET_COUNT; }

const char *impinge_target_name(size_t i) {
    return i < IMPINGE_TARGET_COUNT ? impinge_target_entries[i].name : NULL;
}

const char *impinge_target_description(size_t i) {
    return i < IMPINGE_TARGET_COUNT ? impinge_target_entries[i].description : NULL;
}

bool impinge_target_available(size_t i) {
    return i < IMPINGE_TARGET_COUNT && impinge_target_runs(&impinge_target_entries[i]);
}

impinge_status impinge_target_select(const char *name) { return impinge_force_target(name); }

impinge_status impinge_target_selected(const char **name) {
    if (!name) return IMPINGE_ERROR_NULL_POINTER;
    const impinge_target_entry *target = NULL;
    const impinge_status status = impinge_current_target(&target);
    *name = status == IMPINGE_OK ? target->name : NULL;
    return status;
}
