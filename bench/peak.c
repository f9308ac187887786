#include "peak.h"

#include <stdbool.h>
#include <string.h>

#include <impinge/target.h>

#include "scalar_fma.h"

/* PEAK_TARGETS is a list of X(target), from the build. */
#define X(target) extern const peak_kernel peak_##target##_f32, peak_##target##_f64;
PEAK_TARGETS
#undef X

static const peak_kernel *const all[] = {
#define X(target) &peak_##target##_f32, &peak_##target##_f64,
    PEAK_TARGETS
#undef X
};

enum { ALL = sizeof all / sizeof *all };

static bool runs(const char *target) {
    if (strcmp(target, "scalar-fma") == 0) return scalar_fma_runs();
    for (size_t i = 0; i < impinge_target_count(); i++) {
        if (strcmp(target, impinge_target_name(i)) == 0) return impinge_target_available(i);
    }
    return false;
}

static const peak_kernel *found[ALL];

size_t peak_count(void) {
    size_t count = 0;
    for (size_t i = 0; i < ALL; i++) {
        if (runs(all[i]->target)) found[count++] = all[i];
    }
    return count;
}

const peak_kernel *peak_get(size_t i) { return found[i]; }
