/*
 * Positions: pseudo-velocities, which take no part in the motion, push overlaps back to a slop.
 * They are frictionless, and displacements rather than velocities: rows of a shift and a turn.
 */
#ifndef IMPINGE_KERNELS_REST_POSITIONS_H
#define IMPINGE_KERNELS_REST_POSITIONS_H

#include "groups.h"

/*
 * The displacement that each contact needs: the share `factor` of its overlap beyond the slop; or,
 * with less overlap, at most the rest of its way to the slop. The overlap is that at the end of the
 * step, half a step later: g + h/2 max(0, u_n). Contacts that separate faster than the rest speed,
 * as after an impact, need no push: it would lift the bodies, step by step, as high as the overlap
 * was deep. Their aim is so low that it needs no impulse.
 */
static void aim_positions(const rest_t *r, size_t first, size_t count) {
    const lanes_t zero = lane_zero();
    const vector_t none = {zero, zero, zero};
    for (size_t g = first; g < first + count; g++) {
        const rest_group *const group = &r->group[g];
        two_bodies_t c;
        load_two_bodies(r, r->rows, group, &c);
        const vector_t apart = two_bodies_apart(&c);
        for (uint32_t s = 0; s < group->depth; s++) {
            real_t *const slot = slot_at(r, group, s);
            const uint32_t *const number = numbers_at(r, group, s);
            uint32_t safe[LANES];
            for (size_t j = 0; j < LANES; j++)
                safe[j] = number[j] == NO_CONTACT ? 0 : number[j];
            const vector_t u =
                slot_velocity(&c, apart, vector_in(slot, ARM_A), vector_in(slot, ARM_B));
            const lanes_t u_n = vector_dot(vector_in(slot, NORMAL), u);
            const lanes_t gap = r->gap ? gather_by(r->gap_stride, r->gap, safe) : zero;
            const lanes_t end = lane_fma(lane_set(r->half_step), lane_max(u_n, zero), gap);
            const lanes_t beyond = lane_add(end, lane_set(r->slop));
            const lanes_t aim = lane_select(lane_lt(zero, beyond), lane_neg(beyond),
                                            lane_mul(lane_set(-r->factor), beyond));
            const mask_t alive = lane_lt(zero, load_column(slot, MASS));
            const lanes_t wanted =
                lane_select(lane_lt(lane_set(r->parting), u_n), lane_set(-REAL_MAX), aim);
            store_column(slot, AIM + 2, lane_select(alive, wanted, zero));
            store_vector(slot, IMPULSE, none);
        }
    }
}

/* A pair's contacts are solved at once, and once more for what the first pass left over. */
#define POSITION_PASSES 2

static void place_groups(const rest_t *r, size_t first, size_t count) {
    const lanes_t zero = lane_zero();
    const lanes_t one = lane_set(1);
    for (size_t g = first; g < first + count; g++) {
        const rest_group *const group = &r->group[g];
        two_bodies_t c;
        load_two_bodies(r, r->shift, group, &c);
        const lanes_t split_by = load_column(pair_at(r, group), SPLIT_BY);
        for (int pass = 0; pass < POSITION_PASSES; pass++) {
            const vector_t apart = two_bodies_apart(&c);
            pair_push_t push = push_none();
            for (uint32_t s = 0; s < group->depth; s++) {
                real_t *const slot = slot_at(r, group, s);
                const vector_t arm_a = vector_in(slot, ARM_A);
                const vector_t arm_b = vector_in(slot, ARM_B);
                const vector_t n = vector_in(slot, NORMAL);
                const vector_t u = slot_velocity(&c, apart, arm_a, arm_b);
                const lanes_t short_of = lane_sub(load_column(slot, AIM + 2), vector_dot(n, u));
                const mask_t alive = lane_lt(zero, load_column(slot, MASS));
                const lanes_t split = lane_mul(split_by, load_column(slot, UNSPLIT));
                const lanes_t by = lane_div(short_of, lane_select(alive, split, one));
                const lanes_t before = load_column(slot, IMPULSE + 2);
                const lanes_t after = lane_max(lane_add(before, by), zero);
                store_column(slot, IMPULSE + 2, after);
                push_add(&push, arm_a, arm_b, vector_scale(lane_sub(after, before), n));
            }
            push_two_bodies(&c, pair_at(r, group), &push);
        }
        store_two_bodies(r, r->shift, group, &c);
    }
}

#endif
