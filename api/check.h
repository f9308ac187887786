/* Checks of counts and options that every call makes. */
#ifndef IMPINGE_API_CHECK_H
#define IMPINGE_API_CHECK_H

#include <impinge/batch.h>
#include <impinge/contact_dynamics.h>

#include "../kernels/arithmetic.h"
#include "../kernels/element.h"

/* Whether arrays of that many elements of that size can exist. */
impinge_status impinge_check_count(size_t count, size_t element);

/* The selected elements of `count` that there are; null: all. An order is not accepted. */
impinge_status impinge_check_selection(const impinge_selection *selection, size_t count,
                                       selected_t *selected);

/* The same, with or without an order, into *complete. */
impinge_status impinge_check_ordered(const impinge_selection *selection, size_t count,
                                     impinge_selection *complete);

/* The default tolerance of the options. */
#define DEFAULT_TOLERANCE_f32 1e-6
#define DEFAULT_TOLERANCE_f64 1e-12

/* Reserved members of options: zero, or options of a later version. */
#define RESERVED(options) (sizeof(options).reserved / sizeof *(options).reserved)
impinge_status impinge_check_reserved(const uint64_t *reserved, size_t count);

/*
 * The options of a step, complete, into *checked. `largest` is the largest number of the precision.
 */
impinge_status impinge_check_step_options(const impinge_step_options *options, double largest,
                                          impinge_step_options *checked);

/* A team, or null. */
impinge_status impinge_check_team(const impinge_team *team);

/* The caller's options (null: all defaults), complete, into *checked. */
impinge_status impinge_check_options(const impinge_options *options, double default_tolerance,
                                     impinge_options *checked);

#endif
