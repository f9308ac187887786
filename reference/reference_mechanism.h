/**
 * The reference of mechanisms: K, u0 and the speeds after by the explicit inverse of M; and the
 * algorithm of Morgan 2011, chapters 2 and 3, which never forms K. Conventions are those of
 * <impinge/mechanisms.h>.
 */
#ifndef REFERENCE_MECHANISM_H
#define REFERENCE_MECHANISM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reference.h"
#include "reference_planar.h"

#include <impinge/mechanisms.h>

/** The parts of the path that Morgan's algorithm took (figure 2.8), and the slip at the end. */
enum reference_path {
    REFERENCE_PATH_B = 1,       /**< the slip ended in compression (b) */
    REFERENCE_PATH_D = 2,       /**< in expansion (d) */
    REFERENCE_PATH_STICKS = 4,  /**< and stayed zero */
    REFERENCE_PATH_TURNS = 8,   /**< and went on the other way */
    REFERENCE_PATH_LEAVES = 16, /**< no slip to begin with, and then some */
    REFERENCE_PATH_AWAY = 32 /**< the tangential pause is behind: v is pushed away from v_t = 0 */
};

#define REFERENCE_REAL       double
#define REFERENCE_NAME(name) name##_double
#include "reference_mechanism_real.inc"
#undef REFERENCE_NAME
#undef REFERENCE_REAL

#define REFERENCE_REAL       long double
#define REFERENCE_NAME(name) name##_long
#include "reference_mechanism_real.inc"
#undef REFERENCE_NAME
#undef REFERENCE_REAL

#endif
