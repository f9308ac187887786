/*
 * Nesterov's extrapolation of an iteration along its last change, with restarts (O'Donoghue and
 * Candes 2015, 3.2).
 */
#ifndef IMPINGE_SOLVE_MOMENTUM_H
#define IMPINGE_SOLVE_MOMENTUM_H

#include <math.h>

/* The factor of the next extrapolation. Sets `inertia` to its next value: 1, 1.62, 2.19, ... */
static inline double momentum_next(double *inertia) {
    const double next = (1 + sqrt(1 + 4 * *inertia * *inertia)) / 2;
    const double factor = (*inertia - 1) / next;
    *inertia = next;
    return factor;
}

#endif
