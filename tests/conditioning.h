/**
 * The dependence of a contact's answer on its input, from which error bounds get their allowance
 * for rounding.
 *
 * The answer is not continuous everywhere (a slip that nearly vanishes may or may not pass through
 * zero), so no condition number bounds it. But the change of the exact answer can be measured when
 * the input changes by as much as rounding may have changed it.
 */
#ifndef CONDITIONING_H
#define CONDITIONING_H

#include <stdbool.h>
#include <stdint.h>

#include "reference.h"
#include "reference_planar.h"

/** The changes of inputs, up or down. */
typedef struct perturbation {
    long double matrix;      /**< of K_ij, relative to sqrt(K_ii K_jj); keeps K positive definite */
    long double slip;        /**< of u1 and u2, m/s */
    long double normal;      /**< of u3, m/s; never through zero */
    long double coefficient; /**< of e, mu, mu_s and the rest, relative; they stay legal */
} perturbation;

/** The largest changes of answers, and whether outcomes differ. */
typedef struct sensitivity {
    long double u, p, work;
    bool outcome_changes;
} sensitivity;

/** The changes that `unit` of rounding makes to the numbers of a contact in contact space. */
perturbation rounding_of(const reference_contact_long *contact, long double unit);

/**
 * Perturbs a contact at random, 24 times, and resolves it by the long double reference.
 *
 * @param answer that of the contact itself
 */
sensitivity sensitivity_of(const reference_contact_long *contact, impinge_restitution_rule rule,
                           bool resolve_jams, const perturbation *by,
                           const reference_result_long *answer);

/** The same for any law. */
sensitivity law_sensitivity_of(const reference_contact_long *contact,
                               const impinge_options *options, const perturbation *by,
                               const reference_result_long *answer);

/** A contact from a row of inputs, in the order of batches.h. */
reference_contact_long contact_of_row(const double *row);

/** The contact in double: rounded, if its numbers are none. */
reference_contact_double narrowed(const reference_contact_long *c);

/** Products of vectors. */
long double dot3(const long double a[3], const long double b[3]);
void cross3(const long double a[3], const long double b[3], long double product[3]);

/** Lengths, u0 + K p, and the sum of the sizes of what it adds up. */
long double length3(const long double v[3]);
long double distance3(const long double a[3], const long double b[3]);
void velocity_after(const reference_contact_long *c, const long double p[3], long double u[3]);
long double speed_scale(const reference_contact_long *c, const long double p[3]);

/** K^-1 v, and the Frobenius norm of K^-1. */
void apply_inverse(const reference_contact_long *c, const long double v[3], long double product[3]);
long double inverse_norm(const reference_contact_long *c);

/** Logs a contact as an error. */
void log_contact(const reference_contact_long *c, impinge_restitution_rule rule);

#endif
