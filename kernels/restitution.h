/* Restitution as a function of the approach speed (see impinge_restitution_kind). */
#ifndef IMPINGE_KERNELS_RESTITUTION_H
#define IMPINGE_KERNELS_RESTITUTION_H

#include <impinge/particles.h>

#include "contacts.h"
#include "speed.h"

/* A model, and the numbers of it that are the same for all contacts. */
typedef struct model {
    const NAME(impinge_restitution) * is;
    real_t root_dissipation; /* (3/2 A)^(1/2) */
    real_t stiffness;        /* 2 Y / (3 (1 - nu^2)) */
} model_t;

/* `is` null: constant. */
static inline model_t model_of(const NAME(impinge_restitution) * is) {
    static const NAME(impinge_restitution) constant = {.kind = IMPINGE_RESTITUTION_CONSTANT};
    if (!is) is = &constant;
    model_t m = {.is = is};
    if (is->kind == IMPINGE_RESTITUTION_VISCOELASTIC) {
        const lanes_t dissipation = lane_set(REAL(1.5) * is->dissipation_time);
        real_t root[LANES];
        lane_store(root, lane_sqrt(dissipation));
        m.root_dissipation = root[0];
        m.stiffness =
            2 * is->young_modulus / (3 * ((1 - is->poisson_ratio) * (1 + is->poisson_ratio)));
    }
    return m;
}

#ifdef IMPINGE_HAVE_SLEEF
/* `radius`: the pair's; the Pade form's coefficients are those of Mueller and Poeschel. */
INLINE lanes_t viscoelastic(lanes_t speed, lanes_t k33, lanes_t radius, const model_t *m) {
    const lanes_t one = lane_set(1);
    const lanes_t root = lane_mul(lane_sqrt(radius), lane_sqrt(speed));
    const lanes_t base = lane_mul(lane_mul(lane_set(m->stiffness), k33), root);
    const lanes_t s = lane_mul(lane_set(m->root_dissipation), lane_pow(base, lane_set(REAL(0.2))));
    lanes_t divisor = lane_fma(lane_set(REAL(0.532178)), s, lane_set(REAL(0.577977)));
    divisor = lane_fma(divisor, s, lane_set(REAL(1.15345)));
    divisor = lane_fma(divisor, s, lane_set(REAL(0.501086)));
    divisor = lane_fma(divisor, s, one);
    return restitution_within(lane_div(lane_fma(lane_set(REAL(0.501086)), s, one), divisor));
}
#endif

/*
 * Restitution of contacts i to i + count - 1 at their approach speeds; k33 is 1/m_A + 1/m_B.
 * `legal` marks those whose given restitution is legal, which may be up to e_max.
 */
INLINE lanes_t restitution_at(const model_t *m, layout_t layout,
                              const NAME(impinge_coefficient) * given, lanes_t speed, lanes_t k33,
                              lanes_t radius, real_t e_max, size_t i, size_t count, mask_t *legal) {
    *legal = mask_all();
    switch (m->is->kind) {
    case IMPINGE_RESTITUTION_ELASTOPLASTIC:
        return elastoplastic(speed, m->is->speed);
    case IMPINGE_RESTITUTION_TABLE:
        return tabulated(speed, m->is);
#ifdef IMPINGE_HAVE_SLEEF
    case IMPINGE_RESTITUTION_VISCOELASTIC:
        return viscoelastic(speed, k33, radius, m);
#endif
    default:
        break;
    }
    (void)k33;
    (void)radius;
    const lanes_t e = load_coefficient(layout, given, i, count);
    *legal = mask_and(lane_le(lane_zero(), e), lane_le(e, lane_set(e_max)));
    if (m->is->kind != IMPINGE_RESTITUTION_THRESHOLD) return e;
    return lane_select(lane_lt(speed, lane_set(m->is->speed)), lane_zero(), e);
}

#endif
