/*
 * One target's resting contacts of bodies. Lanes are one register: colours of a small scene are
 * short, and a pair has enough contacts to hide latency.
 */
#define REGISTERS_PER_LANES 1
#include "../names.h"
#include "positions.h"
#include "prepare.h"
#include "sweep.h"

const NAME(impinge_body_rest_kernels) KERNEL_BODY_REST = {
    .lanes = LANES,
    .pack = pack_bodies,
    .unpack = unpack_bodies,
    .prepare = prepare_groups,
    .apply_impulses = apply_impulses,
    .apply_changes = apply_changes,
    .bodies_ahead = bodies_ahead,
    .sweep = sweep_groups,
    .solve = solve_groups,
    .account = account_groups,
    .write_rest = write_rest_groups,
    .aim_positions = aim_positions,
    .place = place_groups,
};
