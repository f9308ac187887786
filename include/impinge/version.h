/** The version of the headers, and that of the library that is linked. */
#ifndef IMPINGE_VERSION_H
#define IMPINGE_VERSION_H

#include <impinge/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of these headers. Programs of one minor version run with any patch of it. */
#define IMPINGE_VERSION_MAJOR 0
#define IMPINGE_VERSION_MINOR 2
#define IMPINGE_VERSION_PATCH 0

/** A version as one number: a later version has a larger one. */
#define IMPINGE_VERSION_OF(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))

/** The version of these headers, for `#if IMPINGE_VERSION >= IMPINGE_VERSION_OF(0, 2, 0)`. */
#define IMPINGE_VERSION                                                                            \
    IMPINGE_VERSION_OF(IMPINGE_VERSION_MAJOR, IMPINGE_VERSION_MINOR, IMPINGE_VERSION_PATCH)

/** The version of the library that is linked, as IMPINGE_VERSION_OF. Thread safe. */
IMPINGE_API int impinge_version_number(void);

/** The same as "major.minor.patch". Static storage; thread safe. */
IMPINGE_API const char *impinge_version(void);

#ifdef __cplusplus
}
#endif

#endif
