/** Return values of calls. */
#ifndef IMPINGE_STATUS_H
#define IMPINGE_STATUS_H

#include <impinge/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The status of a call. Zero: all went well. Positive: the call was completed and every output is
 * defined, but the caller should look. Negative: the call did nothing and wrote nothing.
 */
typedef enum impinge_status {
    IMPINGE_OK = 0,
    /** Completed; at least one contact has IMPINGE_OUTCOME_INVALID. Its neighbours are unaffected.
     */
    IMPINGE_SOME_INVALID = 1,
    /** A required pointer is null. */
    IMPINGE_ERROR_NULL_POINTER = -1,
    /** first + count overflows, or an array of that many elements cannot exist. */
    IMPINGE_ERROR_COUNT = -2,
    /** A member of a call's options is out of its range, or not known to this library. */
    IMPINGE_ERROR_OPTION = -3,
    /** No target has that name; also when IMPINGE_TARGET holds such a name. */
    IMPINGE_ERROR_TARGET_UNKNOWN = -4,
    /** The target exists, but this CPU or this build does not have it. */
    IMPINGE_ERROR_TARGET_UNAVAILABLE = -5,
    /**
     * Another argument is out of its range: a query's collision matrix is not positive definite, an
     * orientation is given twice, a mechanism has no or too many coordinates, a colouring or
     * islands do not ascend, a period or a restitution model is not one.
     */
    IMPINGE_ERROR_ARGUMENT = -6,
    /** This build, or this target on this CPU, does not have the requested feature. */
    IMPINGE_ERROR_UNAVAILABLE = -7
} impinge_status;

/** One English sentence for a status, without a newline. Never null; thread safe; static storage.
 */
IMPINGE_API const char *impinge_status_text(impinge_status status);

#ifdef __cplusplus
}
#endif
#endif
