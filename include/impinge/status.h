/** Return values of calls. */
#ifndef IMPINGE_STATUS_H
#define IMPINGE_STATUS_H

#include <impinge/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The status of a call. Zero: success. Positive: the call is complete and every output is defined,
 * but some contacts need attention. Negative: the call failed and wrote nothing, unless its
 * documentation says what it wrote.
 */
typedef enum impinge_status {
    IMPINGE_OK = 0,
    /**
     * Complete; at least one contact has IMPINGE_OUTCOME_INVALID, or a call that applies impulses
     * left out one that does not fit the precision, or whose particle was not counted (`sharing`).
     * Other contacts are unaffected.
     */
    IMPINGE_SOME_INVALID = 1,
    /** A required pointer is null, or some pointers of a group that is given as a whole are. */
    IMPINGE_ERROR_NULL_POINTER = -1,
    /**
     * A count is too large: a selection overflows or exceeds what there is, an array of that many
     * elements, or with such a stride, cannot exist, or the results do not fit the capacity of the
     * caller's arrays.
     */
    IMPINGE_ERROR_COUNT = -2,
    /**
     * A member of an options struct is out of its range, unknown to this library, or not accepted
     * by this call.
     */
    IMPINGE_ERROR_OPTION = -3,
    /** No target has that name; also when IMPINGE_TARGET holds such a name. */
    IMPINGE_ERROR_TARGET_UNKNOWN = -4,
    /** The target exists, but this CPU or this build does not have it. */
    IMPINGE_ERROR_TARGET_UNAVAILABLE = -5,
    /**
     * An argument that is neither a count nor an option is out of its range: a query's collision
     * matrix is not positive definite, an orientation is given twice, a mechanism has no or too
     * many coordinates, groups of contacts do not ascend, a selection has an order that the call
     * does not take, or a period, a restitution model, a projection factor, a kick or a team is
     * invalid.
     */
    IMPINGE_ERROR_ARGUMENT = -6,
    /** The requested feature is missing in this build, or in this target on this CPU. */
    IMPINGE_ERROR_UNAVAILABLE = -7
} impinge_status;

/** One English sentence for a status, without a newline. Never null; thread safe; static storage.
 */
IMPINGE_API const char *impinge_status_text(impinge_status status);

#ifdef __cplusplus
}
#endif
#endif
