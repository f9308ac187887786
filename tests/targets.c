#include "targets.h"

#include <criterion/criterion.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <impinge/target.h>

void skip_test(const char *format, ...) {
    char reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    fprintf(stderr, "[SKIP] %s\n", reason);
    cr_skip_test("%s", reason);
}

void select_target(const char *name) {
    cr_assert_eq(impinge_target_select(name), IMPINGE_OK, "%s cannot be selected", name);
    const char *selected = NULL;
    cr_assert_eq(impinge_target_selected(&selected), IMPINGE_OK);
    cr_assert(strcmp(selected, name) == 0, "%s runs instead of %s", selected, name);
}

#ifdef IMPINGE_HAVE_SLEEF
static bool has_fused_multiply_add(void) {
#if defined __x86_64__ || defined __i386__
    return __builtin_cpu_supports("fma");
#else
    return true;
#endif
}
#endif

void expect_no_powers(const char *target) {
#ifdef IMPINGE_HAVE_SLEEF
    cr_expect(strcmp(target, "scalar") == 0 && !has_fused_multiply_add(), "%s has no powers",
              target);
#else
    (void)target;
#endif
}

void for_each_target(target_check *check, void *user) {
    for (size_t i = 0; i < impinge_target_count(); i++) {
        if (impinge_target_available(i)) {
            select_target(impinge_target_name(i));
            check(impinge_target_name(i), user);
        }
    }
    cr_assert_eq(impinge_target_select(NULL), IMPINGE_OK);
}
