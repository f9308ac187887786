/* Impulses of the step before, matched by the keys of contacts. */
#ifndef IMPINGE_SOLVE_MATCH_H
#define IMPINGE_SOLVE_MATCH_H

#include <impinge/contact_dynamics.h>

#include "../kernels/real.h"
#include "match_slots.h"

/* `workspace` has a slot for each of impinge_match_slots. Returns how many were found. */
size_t NAME(impinge_match)(const NAME(impinge_contact_memory) * before, size_t count,
                           const uint64_t *key, const NAME(impinge_step_results) * to,
                           uint32_t *workspace);

#endif
