#include "target.h"

#include <stdlib.h>

#include "fail.h"

static noreturn void fail_for(const char *origin, const char *name, impinge_status status) {
    fail("%s%s: %s; 'impinge targets' lists them", origin, name ? name : "",
         status == IMPINGE_ERROR_TARGET_UNKNOWN       ? "there is no such target"
         : status == IMPINGE_ERROR_TARGET_UNAVAILABLE ? "this CPU or this build does not have it"
                                                      : impinge_status_text(status));
}

const char *target_required(const char *name) {
    if (name) {
        impinge_status status = impinge_target_select(name);
        if (status < 0) fail_for("--target ", name, status);
    }
    const char *selected;
    impinge_status status = impinge_target_selected(&selected);
    if (status < 0) fail_for("IMPINGE_TARGET=", getenv("IMPINGE_TARGET"), status);
    return selected;
}
