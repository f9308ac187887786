/*
 * S's principal axes, in which resting contacts are solved: S is diagonal there, and contacts meet
 * it again and again.
 */
#ifndef IMPINGE_KERNELS_REST_AXES_H
#define IMPINGE_KERNELS_REST_AXES_H

#include "../algebraic.h"
#include "../principal.h"

typedef struct axes {
    principal_t frame; /* t1 and t2 are S's eigenvalues */
    pair_t sigma, kappa;
} axes_t;

static inline axes_t axes_of(const tangential_t *s, pair_t kappa) {
    axes_t a;
    a.frame = principal_frame(s->xx, s->xy, s->yy);
    a.sigma = (pair_t){a.frame.t1, a.frame.t2};
    const lane_t cosine = a.frame.cosine;
    const lane_t sine = a.frame.sine;
    a.kappa = (pair_t){lane_mul_add2(cosine, kappa.x, sine, kappa.y),
                       lane_difference_of_products(cosine, kappa.y, sine, kappa.x)};
    return a;
}

#endif
