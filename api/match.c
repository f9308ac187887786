/* Impulses of the step before, matched by the identity of contacts. */
#include <impinge/contact_dynamics.h>

#include "../solve/match.h"
#include "call.h"

typedef NAME(impinge_contact_memory) memory_t;
typedef NAME(impinge_step_results) results_t;

static impinge_status check(const memory_t *from, size_t count, const uint64_t *key,
                            const results_t *to, const void *workspace) {
    if (!from || !to) return IMPINGE_ERROR_NULL_POINTER;
    if (impinge_match_impulses_workspace(from->count) == SIZE_MAX) return IMPINGE_ERROR_COUNT;
    const impinge_status status = impinge_check_count(count, sizeof(uint64_t));
    if (status != IMPINGE_OK) return status;
    if (from->count > 0 &&
        (!workspace || ANY_NULL(from->key, from->impulse_x, from->impulse_y, from->impulse_z)))
        return IMPINGE_ERROR_NULL_POINTER;
    if (count > 0 && ANY_NULL(key, to->impulse_x, to->impulse_y, to->impulse_z))
        return IMPINGE_ERROR_NULL_POINTER;
    if (!memory_fits(from) || !step_results_fit(to, count)) return IMPINGE_ERROR_COUNT;
    const bool normals = ANY_GIVEN(from->normal_x, from->normal_y, from->normal_z);
    return SOME_LACK(from->normal_x, from->normal_y, from->normal_z) ||
                   (normals && count > 0 && ANY_NULL(to->normal_x, to->normal_y, to->normal_z))
               ? IMPINGE_ERROR_NULL_POINTER
               : IMPINGE_OK;
}

impinge_status NAME(impinge_match_impulses)(const NAME(impinge_contact_memory) * before,
                                            size_t count, const uint64_t *key,
                                            const NAME(impinge_step_results) * results,
                                            void *workspace, size_t *matched) {
    FLOAT_ENVIRONMENT_OF_CALL;
    const impinge_status status = check(before, count, key, results, workspace);
    if (status != IMPINGE_OK) return status;
    const size_t found = NAME(impinge_match)(before, count, key, results, workspace);
    if (matched) *matched = found;
    return IMPINGE_OK;
}
