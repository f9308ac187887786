/* A step of bodies: its parts, around the kernels. Everything has been checked. */
#ifndef IMPINGE_SOLVE_BODY_STEP_H
#define IMPINGE_SOLVE_BODY_STEP_H

#include "body_stage.h"

/* The parts of a step that a call includes. */
typedef struct body_parts {
    bool impacts, kick, rest, places;
} body_parts_t;

/* The bytes of workspace; SIZE_MAX if there cannot be so many. */
size_t NAME(impinge_body_step_size)(size_t contacts, size_t bodies);

/*
 * `narrow` are the scalar kernels, for colours of few pairs; `options` are complete. Returns how
 * many contacts are invalid.
 */
size_t NAME(impinge_run_body_step)(const resolver_t *by,
                                   const NAME(impinge_body_rest_kernels) * narrow,
                                   const NAME(impinge_body_step) * step,
                                   const impinge_step_options *options, body_parts_t does,
                                   impinge_step_report *report);

#endif
