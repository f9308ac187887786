/** Groups of outcomes, as masks. */
#ifndef TOOLS_OUTCOME_H
#define TOOLS_OUTCOME_H

#include <impinge/impinge.h>

/** The contact got an impulse. */
#ifndef IMPINGE_OUTCOME_GOT_IMPULSE
#define IMPINGE_OUTCOME_GOT_IMPULSE                                                                \
    ((uint32_t)(IMPINGE_OUTCOME_SLID | IMPINGE_OUTCOME_STUCK | IMPINGE_OUTCOME_DIVERGED))
#endif

/** Why a contact is invalid. */
#ifndef IMPINGE_OUTCOME_INVALID_REASONS
#define IMPINGE_OUTCOME_INVALID_REASONS                                                            \
    ((uint32_t)(IMPINGE_OUTCOME_INVALID_MATRIX | IMPINGE_OUTCOME_INVALID_VELOCITY |                \
                IMPINGE_OUTCOME_INVALID_RESTITUTION | IMPINGE_OUTCOME_INVALID_FRICTION |           \
                IMPINGE_OUTCOME_INVALID_NORMAL | IMPINGE_OUTCOME_INVALID_MASS |                    \
                IMPINGE_OUTCOME_INVALID_ARM | IMPINGE_OUTCOME_INVALID_COEFFICIENT |                \
                IMPINGE_OUTCOME_NOT_DIAGONAL | IMPINGE_OUTCOME_INVALID_ORIENTATION |               \
                IMPINGE_OUTCOME_INVALID_INDEX))
#endif

#endif
