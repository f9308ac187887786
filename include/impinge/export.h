/** What the headers share: IMPINGE_API, with which all names that a shared library exports are
 * declared, and no others. */
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
