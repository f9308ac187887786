/* What is checked of a call before any kernel sees it. */
#ifndef IMPINGE_DISPATCH_CHECK_H
#define IMPINGE_DISPATCH_CHECK_H

#include <impinge/batch.h>

#include "../kernels/arithmetic.h"

/* What a tolerance of zero stands for. */
#define DEFAULT_TOLERANCE_f32 1e-6
#define DEFAULT_TOLERANCE_f64 1e-12

/* first + count, and whether arrays of that many elements of that size can exist. */
impinge_status impinge_check_count(size_t first, size_t count, size_t element);

/* The caller's options (null: all defaults), complete, into *checked. */
impinge_status impinge_check_options(const impinge_options *options, double default_tolerance,
                                     impinge_options *checked);

/* All pointers of one of the two forms, or none of either. */
impinge_status impinge_check_orientation_f32(const impinge_orientation_f32 *o);
impinge_status impinge_check_orientation_f64(const impinge_orientation_f64 *o);

#endif
