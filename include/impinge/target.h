/**
 * The instruction sets for which this library has kernels, and which of them is used.
 *
 * The same input gives the same bits on every target, so the choice is one of speed. It is made
 * once, at the first call that needs it: the name in the environment variable IMPINGE_TARGET if
 * that is set and not empty, else the best target that the CPU has. Code compiled for a target
 * never runs unless the CPU (and the operating system, for the wide registers) has it.
 *
 * Unless a name was given, some calls use a narrower target where that is faster. On contacts, body
 * pairs and contacts by index, every law but Routh's and the composite takes one lane ("scalar")
 * for one contact, and AVX2 instead of AVX-512 for few. impinge_resolve_particle_pairs and
 * impinge_collide_particle_pairs gather single-precision particles by AVX2 instead of AVX-512,
 * whatever their count. dispatch/choice.c has the counts and their measurement.
 */
#ifndef IMPINGE_TARGET_H
#define IMPINGE_TARGET_H

#include <stdbool.h>
#include <stddef.h>

#include <impinge/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The number of targets of Impinge, the same on every platform. This and the next three queries
 * are thread safe. */
IMPINGE_API size_t impinge_target_count(void);

/** The name of target i, best first: "avx512", "avx2", "neon", "scalar". Null if i is too large. */
IMPINGE_API const char *impinge_target_name(size_t i);

/** The requirements of target i on the CPU, one line of text. Null if i is too large. */
IMPINGE_API const char *impinge_target_description(size_t i);

/** True if target i was built and this CPU can run it. False if i is too large. */
IMPINGE_API bool impinge_target_available(size_t i);

/**
 * Forces a target for all calls of this process from now on; null restores the choice made at first
 * use. Thread safe; a call that is running keeps the target that it began with.
 * Returns IMPINGE_OK, or IMPINGE_ERROR_TARGET_UNKNOWN or IMPINGE_ERROR_TARGET_UNAVAILABLE and then
 * has changed nothing.
 */
IMPINGE_API impinge_status impinge_target_select(const char *name);

/**
 * Writes the name of the selected target to *name (static storage). The next call uses it, unless
 * it takes a narrower one (see above).
 * Returns IMPINGE_OK or IMPINGE_ERROR_NULL_POINTER; or, if IMPINGE_TARGET holds a name that is
 * unknown or not available, IMPINGE_ERROR_TARGET_UNKNOWN or IMPINGE_ERROR_TARGET_UNAVAILABLE. Then
 * *name is null, and every call returns this error until impinge_target_select names a target.
 */
IMPINGE_API impinge_status impinge_target_selected(const char **name);

#ifdef __cplusplus
}
#endif
#endif
