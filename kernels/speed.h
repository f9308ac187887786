/* Restitution as a function of the approach speed alone (see impinge_restitution_kind). */
#ifndef IMPINGE_KERNELS_SPEED_H
#define IMPINGE_KERNELS_SPEED_H

#include <impinge/particles.h>

#include "lane/lane.h"

/* Clamps rounding to [0, 1]; a NaN, from terms out of range, becomes 0. */
INLINE lanes_t restitution_within(lanes_t e) {
    return lane_min(lane_max(e, lane_zero()), lane_set(1));
}

INLINE lanes_t elastoplastic(lanes_t speed, real_t yield) {
    const lanes_t one = lane_set(1);
    const lanes_t v_y = lane_set(yield);
    const mask_t yields = lane_lt(v_y, speed);
    const lanes_t q = lane_select(yields, lane_div(v_y, speed), one);
    const lanes_t q2 = lane_mul(q, q);
    const lanes_t fifth = lane_set(REAL(0.2));
    const lanes_t six_fifths = lane_set(REAL(1.2));
    const lanes_t work = lane_sqrt(lane_fnma(fifth, q2, six_fifths));
    const lanes_t radii = lane_div(q, lane_fma(lane_set(2), work, q));
    /* 6 sqrt(3) / 5 (1 - q^2 / 6) = sqrt(3) (6/5 - q^2 / 5) */
    const lanes_t root3 = lane_set(REAL(1.7320508075688772935));
    const lanes_t energies =
        lane_mul(lane_mul(root3, lane_fnma(fifth, q2, six_fifths)), lane_sqrt(radii));
    return lane_select(yields, restitution_within(lane_sqrt(energies)), one);
}

INLINE lanes_t tabulated(lanes_t speed, const NAME(impinge_restitution) * is) {
    const size_t last = is->points - 1;
    lanes_t v_0 = lane_set(is->table_speed[0]);
    lanes_t e_0 = lane_set(is->table_restitution[0]);
    lanes_t v_1 = v_0;
    lanes_t e_1 = e_0;
    for (size_t i = 0; i < last; i++) {
        const mask_t above = lane_lt(lane_set(is->table_speed[i]), speed);
        v_0 = lane_select(above, lane_set(is->table_speed[i]), v_0);
        e_0 = lane_select(above, lane_set(is->table_restitution[i]), e_0);
        v_1 = lane_select(above, lane_set(is->table_speed[i + 1]), v_1);
        e_1 = lane_select(above, lane_set(is->table_restitution[i + 1]), e_1);
    }
    const mask_t between = mask_and(lane_lt(v_0, speed), lane_lt(speed, v_1));
    const lanes_t width = lane_select(between, lane_sub(v_1, v_0), lane_set(1));
    const lanes_t part = lane_div(lane_sub(speed, v_0), width);
    const lanes_t e = restitution_within(lane_fma(part, lane_sub(e_1, e_0), e_0));
    return lane_select(between, e, lane_select(lane_lt(v_0, speed), e_1, e_0));
}

/* e of the models that depend only on the speed; `given` is that of the coefficient. */
static inline lanes_t restitution_of_speed(const NAME(impinge_restitution) * is, lanes_t given,
                                           lanes_t speed) {
    switch (is->kind) {
    case IMPINGE_RESTITUTION_ELASTOPLASTIC:
        return elastoplastic(speed, is->speed);
    case IMPINGE_RESTITUTION_TABLE:
        return tabulated(speed, is);
    case IMPINGE_RESTITUTION_THRESHOLD:
        return lane_select(lane_lt(speed, lane_set(is->speed)), lane_zero(), given);
    default:
        return given;
    }
}

#endif
