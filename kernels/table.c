/* One target's kernels for one element type: everything is in the headers, and static. */
#include "table.h"

#include "body_pairs.h"
#include "planar.h"
#include "region_calls.h"

#define PASTE(a, b, c)      a##b##c
#define TABLE(target, bits) PASTE(impinge_kernels_, target, _f##bits)
#define TABLE_NAME(t, b)    TABLE(t, b)

const NAME(impinge_kernels) TABLE_NAME(LANE_TARGET, IMPINGE_REAL_BITS) = {
    .resolve_contacts = resolve_contacts,
    .resolve_body_pairs = resolve_body_pairs,
    .resolve_planar_contacts = resolve_planar_contacts,
    .resolve_planar_pairs = resolve_planar_pairs,
    .judge_impulses = judge_impulses,
    .project_impulses = project_impulses,
};
