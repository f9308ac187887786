#include "targets.h"

#include <criterion/criterion.h>

#include <string.h>

#include <impinge/target.h>

/* For one that is not there: the log is all that tells a run without it from one with it. */
static void name_skipped(size_t i) {
    static bool named[16];
    if (i < sizeof named / sizeof *named && !named[i]) {
        named[i] = true;
        cr_log_warn("%s: skipped, not in this build or not on this CPU", impinge_target_name(i));
    }
}

void select_target(const char *name) {
    cr_assert_eq(impinge_target_select(name), IMPINGE_OK, "%s cannot be selected", name);
    const char *selected = NULL;
    cr_assert_eq(impinge_target_selected(&selected), IMPINGE_OK);
    cr_assert(strcmp(selected, name) == 0, "%s runs instead of %s", selected, name);
}

void for_each_target(target_check *check, void *user) {
    for (size_t i = 0; i < impinge_target_count(); i++) {
        if (!impinge_target_available(i)) {
            name_skipped(i);
            continue;
        }
        select_target(impinge_target_name(i));
        check(impinge_target_name(i), user);
    }
    cr_assert_eq(impinge_target_select(NULL), IMPINGE_OK);
}
