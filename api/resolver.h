/* The kernels and options that a call on contacts passes to `solve`. */
#ifndef IMPINGE_API_RESOLVER_H
#define IMPINGE_API_RESOLVER_H

#include "../solve/solve.h"
#include "call.h"

/* After call_begin. */
static inline resolver_t resolver_of(call_t *call) {
    resolver_t by = {.kernels = call->kernels, .options = &call->options, .report = &call->report};
    impinge_choice choices[IMPINGE_TARGET_COUNT] = {{0, call->target}};
    if (call_choices(call, choices) != IMPINGE_OK) choices[0] = (impinge_choice){0, call->target};
    for (size_t i = 0; i < IMPINGE_TARGET_COUNT; i++) {
        by.choice[i] = (kernel_choice_t){choices[i].fewest, choices[i].target->NAME(kernels)};
        if (choices[i].fewest == 0) break;
    }
    return by;
}

#endif
