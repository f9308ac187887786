/* One target's step of particles. Lanes are one register, as in kernels/particles.c. */
#define REGISTERS_PER_LANES 1
#include "particle_impacts.h"
#include "particle_rolling.h"
#include "particle_split.h"

#include "../names.h"

const NAME(impinge_particle_step_kernels) KERNEL_PARTICLE_STEP = {
    .pack = pack_bodies,
    .find_contacts = find_contacts,
    .set_up = set_up,
    .approach_of = approach_of,
    .collide = collide_places,
    .restitution_of = restitution_of,
    .begin = begin_bodies,
    .start_warm = start_warm,
    .sweep = sweep,
    .begin_rolling = begin_rolling,
    .start_rolling = start_rolling,
    .sweep_rolling = sweep_rolling,
    .write_rolling = write_rolling,
    .weigh = weigh_bodies,
    .scale = scale_bodies,
    .begin_places = begin_places,
    .project = project,
    .split_warm = split_warm,
    .split_sweep = split_sweep,
    .split_accelerate = split_accelerate,
    .split_add = split_add,
    .split_project = split_project,
    .split_sweep_rolling = split_sweep_rolling,
    .split_add_rolling = split_add_rolling,
    .write_rest = write_rest,
    .unpack = unpack_bodies,
};
