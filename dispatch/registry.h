/* The targets, best first, and what each needs. */
#ifndef IMPINGE_DISPATCH_REGISTRY_H
#define IMPINGE_DISPATCH_REGISTRY_H

#include <stdbool.h>

#include "../kernels/arithmetic.h"
#include "../kernels/table.h"

typedef struct impinge_target_entry {
    const char *name;
    const char *description;
    unsigned features; /* of cpu_feature, all needed */
    /* Null in a build without this target. */
    const impinge_kernels_f32 *kernels_f32;
    const impinge_kernels_f64 *kernels_f64;
} impinge_target_entry;

extern const impinge_target_entry impinge_target_entries[IMPINGE_TARGET_COUNT];

/* True if the target was built and the CPU has the features it needs. */
bool impinge_target_runs(const impinge_target_entry *target);

/*
 * True if this build and this CPU have SLEEF's pow for the target, which needs fused multiply-adds.
 */
bool impinge_target_has_pow(const impinge_target_entry *target);

#endif
