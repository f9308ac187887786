/* One target's kernels for one element type: everything is in the headers, and static. */
#include "table.h"

#include "gathered.h"
#include "names.h"
#include "planar.h"
#include "region_calls.h"

const NAME(impinge_kernels) KERNEL_TABLE = {
    .resolve_contacts = resolve_contacts,
    .resolve_body_pairs = resolve_body_pairs,
    .resolve_gathered = resolve_gathered,
    .resolve_planar_contacts = resolve_planar_contacts,
    .resolve_planar_pairs = resolve_planar_pairs,
    .judge_impulses = judge_impulses,
    .project_impulses = project_impulses,
    .mechanisms = &KERNEL_MECHANISMS,
    .particles = &KERNEL_PARTICLES,
    .particle_step = &KERNEL_PARTICLE_STEP,
    .neighbours = &KERNEL_NEIGHBOURS,
    .body_rest = &KERNEL_BODY_REST,
};
