/**
 * The scalar reference: an independent implementation of the laws, slow and readable beside their
 * papers, against which the kernels are tested. Nothing here is installed.
 *
 * "Mirtich 1996, corrected" is the note that corrects Mirtich's account of collisions with
 * friction: eq. (1) to (13), sections 3 and 4. The reference integrates eq. (3) in the paper's own
 * variable, the normal impulse, by Gragg's and Bulirsch and Stoer's extrapolation. Chatterjee and
 * Ruina 1998 is the paper on the permissible region and the algebraic laws: eq. (1) to (14),
 * sections 4 and 5, A.2. Conventions are those of <impinge/batch.h>; so the normal is the third
 * axis, whereas it is the first in Chatterjee and Ruina 1998.
 *
 * Everything exists twice, in double (suffix _double) and in long double (suffix _long).
 * All functions are thread safe; none allocates but reference_sequence.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <impinge/batch.h>
#include <impinge/outcome.h>
#include <impinge/rays.h>

/** Why a point of a trajectory is shown to a visitor. */
typedef enum reference_event {
    REFERENCE_EVENT_STEP,    /**< only the end of a step of the integration */
    REFERENCE_EVENT_TURN,    /**< du_n/dp_n = 0, or the slip points along k: u_n may turn */
    REFERENCE_EVENT_ZERO,    /**< u_n = 0: compression ends, or begins again */
    REFERENCE_EVENT_NO_SLIP, /**< the slip has vanished */
    REFERENCE_EVENT_END      /**< the collision ends */
} reference_event;

#define REFERENCE_REAL       double
#define REFERENCE_NAME(name) name##_double
#include "reference_real.inc"
#undef REFERENCE_NAME
#undef REFERENCE_REAL

#define REFERENCE_REAL       long double
#define REFERENCE_NAME(name) name##_long
#include "reference_real.inc"
#undef REFERENCE_NAME
#undef REFERENCE_REAL

/** The same contact in long double; exact. */
reference_contact_long reference_contact_widened(const reference_contact_double *contact);

/**
 * The algorithm of Mirtich 1996, corrected, section 4, to the letter: Euler steps of a fixed normal
 * impulse.
 *
 * @param contact friction finite
 * @param step delta > 0, the normal impulse of a step, kg m/s
 * @param result its `evaluations` counts the steps
 * Returns whether it came to an end: false, and then no result, if friction is infinite, the step
 * is not positive or REFERENCE_EULER_STEPS_MAX were not enough.
 */
bool reference_resolve_routh_euler(const reference_contact_double *contact,
                                   impinge_restitution_rule rule, double step,
                                   reference_result_double *result);

/** No more steps than this are tried: a minute or so. */
#define REFERENCE_EULER_STEPS_MAX 4000000000u

/**
 * The step with which Euler's method reaches the accuracy: the largest of p_n / 2, p_n / 4, p_n /
 * 8, ... for which this step and the next both reach it.
 *
 * @param accuracy of the velocity after, relative to |u0|; not much below 1e-8 in practice
 * @param step the step, kg m/s
 * Returns false, and writes no step, if there is no impulse or 30 halvings were not enough.
 */
bool reference_euler_step(const reference_contact_double *contact, impinge_restitution_rule rule,
                          double accuracy, double *step);

/**
 * All rays of constant sliding, found by looking for the roots of eq. (7) all round the circle.
 * Arguments as for impinge_find_rays, all of them valid; roots nearer than rounding allows are one.
 */
void reference_rays(const impinge_collision_matrix *matrix, double friction, impinge_ray *rays,
                    size_t *count);

#endif
