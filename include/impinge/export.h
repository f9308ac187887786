/**
 * Defines IMPINGE_API, which declares every name that a shared library exports; other names are
 * hidden.
 */
#ifndef IMPINGE_EXPORT_H
#define IMPINGE_EXPORT_H

#include <stddef.h>

#if defined __GNUC__
#define IMPINGE_API __attribute__((visibility("default")))
#else
#define IMPINGE_API
#endif

/** Initialises any struct, in C and in C++, with no warning. */
#ifdef __cplusplus
#define IMPINGE_ALL_ZERO                                                                           \
    {}
#else
#define IMPINGE_ALL_ZERO                                                                           \
    { 0 }
#endif

#endif
