/* Contacts that name their bodies: what the calls on them share. */
#ifndef IMPINGE_BODIES_COLLIDE_H
#define IMPINGE_BODIES_COLLIDE_H

#include <impinge/bodies.h>

#include "../dispatch/call.h"

/* What to do with contacts, besides computing their impulses. */
typedef struct impinge_collide_mode {
    bool applies; /* writes the velocities after */
    bool splits;  /* each contact sees a share of the mass of its bodies: contacts->sharing */
    bool adds;    /* adds to impulses and works, and merges outcomes, instead of writing them */
    /* Which contacts: all, unless `chooses`; then these. The others are left alone. */
    bool chooses;
    bool faster; /* those that approach faster than the rest speed */
    bool still;  /* those that do not approach, to tell why */
    double rest_speed;
} impinge_collide_mode;

/* Of an outcome: there was an impulse. */
#define OUTCOME_COLLIDED                                                                           \
    ((uint32_t)IMPINGE_OUTCOME_SLID | IMPINGE_OUTCOME_STUCK | IMPINGE_OUTCOME_DIVERGED)

/* What an outcome becomes when its contact is resolved again: all that happened, or else why not.
 */
static inline uint32_t impinge_merged(uint32_t before, uint32_t now) {
    if (!(before & OUTCOME_COLLIDED)) return now;
    return now & OUTCOME_COLLIDED ? before | now : before;
}

#define IMPINGE_REAL       float
#define IMPINGE_NAME(name) name##_f32
#include "collide_declared.inc"
#undef IMPINGE_NAME
#undef IMPINGE_REAL

#define IMPINGE_REAL       double
#define IMPINGE_NAME(name) name##_f64
#include "collide_declared.inc"
#undef IMPINGE_NAME
#undef IMPINGE_REAL

#endif
