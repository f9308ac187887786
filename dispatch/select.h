/* Selects the target that calls use. */
#ifndef IMPINGE_DISPATCH_SELECT_H
#define IMPINGE_DISPATCH_SELECT_H

#include <stdbool.h>

#include <impinge/status.h>

#include "cpu.h"
#include "registry.h"

/* The target of this call, into *target; an error if IMPINGE_TARGET names none that runs. */
impinge_status impinge_current_target(const impinge_target_entry **target);

/* The same, with the data for a choice among targets. */
typedef struct impinge_selected_target {
    const impinge_target_entry *target;
    bool is_forced; /* by IMPINGE_TARGET or impinge_force_target; if not: */
    unsigned runs;  /* bit i: target i does (CPUID takes longer than a contact) */
    impinge_cpu_maker maker;
} impinge_selected_target;

impinge_status impinge_select_target(impinge_selected_target *selection);

/* The target of all calls from now on; null: the choice made at first use. */
impinge_status impinge_force_target(const char *name);

#endif
